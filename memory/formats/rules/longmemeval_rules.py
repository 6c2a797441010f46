"""Rules on LongMemEval questions: their sessions, evidence, types and ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evalmark.memory.formats.longmemeval import LISTS, QUESTION_TYPES, Haystack, LongMemEval
from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.findings.phrasing import alike, listed, one_of, quoted, shown, similar


def haystack_lengths(view: LongMemEval) -> Iterator[Hit]:
    """`haystack_session_ids`, `haystack_dates` and `haystack_sessions` differ in length.

    The n-th id, date and session belong together. If one is missing, those after it have the id or
    date of another session.

    Bad: 40 sessions and 39 dates
    Good: 40 of each
    """
    for haystack in view.histories:
        if haystack.is_complete:
            continue
        lengths = haystack.lengths
        ((usual, count), *_) = Counter(lengths.values()).most_common()
        if count > 1:
            odd = next(key for key in LISTS if lengths[key] != usual)
            entries = "entry" if lengths[odd] == 1 else "entries"
            message = f"`{odd}` has {lengths[odd]} {entries}, and the other lists have {usual}"
        else:
            odd = LISTS[0]
            counts = listed(f"{lengths[key]} in `{key}`" for key in LISTS)
            message = f"the lists have different lengths: {counts}"
        more = lengths[odd] > usual
        help_text = "remove the entry without a session" if more else "add the missing entry"
        yield Hit(message, At(f"{haystack.at}/{odd}"), helps=(help_text,))


def duplicate_session(view: LongMemEval) -> Iterator[Hit]:
    """The history of a question has a session twice.

    Programs that store sessions by id keep one of them, and others are told the same twice. What
    they are compared on is then not the same history.

    Bad: `"haystack_session_ids": ["a1", "b2", "a1"]`
    Good: `"haystack_session_ids": ["a1", "b2"]`, without the second session and its date
    """
    for haystack in view.histories:
        first: dict[str, int] = {}
        # Ids without a session are of haystack_lengths.
        for index, name in enumerate(haystack.ids[: min(haystack.lengths.values())]):
            if name not in first:
                first[name] = index
                continue
            same = haystack.has_equal_sessions(first[name], index)
            turns = "the same turns" if same else "other turns"
            yield Hit(
                f"duplicate session {quoted(name)}",
                At(f"{haystack.at}/haystack_session_ids/{index}"),
                labels=((At(f"{haystack.at}/haystack_session_ids/{first[name]}"), "before"),),
                notes=(f"the second has {turns}",),
                helps=(
                    (f"remove all entries with number {index + 1}: id, date and session",)
                    if same
                    else one_of(haystack.overwritten, "write an id that no other session has")
                ),
                fold="session twice",
            )


def answer_session_missing(view: LongMemEval) -> Iterator[Hit]:
    """A session of `answer_session_ids` is not in the history.

    A session that is not there cannot be found, so recall can never be 1.

    Bad: `"answer_session_ids": ["answer_7"]` where no session has this id
    Good: an id of `haystack_session_ids`
    """
    for haystack in view.histories:
        if not haystack.is_complete or haystack.overwritten:
            continue  # haystack_lengths or duplicate_session reports it
        session_ids = set(haystack.ids)
        evidence = haystack.question.evidence
        named = {name for _, name in evidence}
        for at, name in evidence:
            if name in session_ids:
                continue
            near = alike(name, session_ids - named, 0.8)
            marked = [session.id for session in haystack.sessions if session.marked_turn]
            meant = near or [session_id for session_id in marked if session_id not in named]
            yield Hit(
                f"no session of the history has the id {quoted(name)}",
                At(at),
                helps=one_of(meant, "write the id of the session with the answer"),
            )


def question_type(view: LongMemEval) -> Iterator[Hit]:
    """A question has none of the six types.

    Accuracy is given by type, and the judge is asked by type: another one has no prompt.

    Bad: `"question_type": "multi_session"`
    Good: `"question_type": "multi-session"`
    """
    for haystack in view.histories:
        name = haystack.question.type
        if name not in QUESTION_TYPES:
            near = similar(name.replace("_", "-").replace(" ", "-").lower(), QUESTION_TYPES)
            yield Hit(
                f"there is no question type {quoted(name)}",
                At(f"{haystack.at}/question_type"),
                notes=(f"the types: {listed(QUESTION_TYPES)}",),
                helps=one_of(near or QUESTION_TYPES, ""),
            )


def abstention_evidence(view: LongMemEval) -> Iterator[Hit]:
    """A turn is marked as the answer of an abstention question.

    The id of an abstention question ends in `_abs`: the history does not answer it, and a system is
    right if it says so. A turn with `"has_answer": true` contradicts this.

    Bad: `"question_id": "q7_abs"` and a turn with `"has_answer": true`
    Good: `"has_answer": false`, or an id without `_abs`
    """
    shared = view.shared_ids
    for haystack in view.histories:
        if haystack.question.is_answerable or haystack.question.id in shared:
            continue  # duplicate_question_id reports it
        for turn in haystack.turns:
            if turn.is_marked:
                yield Hit(
                    "a turn is marked as the answer of an abstention question",
                    At(f"{turn.at}/has_answer"),
                    labels=((At(f"{haystack.at}/question_id"), "ends in `_abs`"),),
                    helps=("write false",),
                    fold="abstention",
                )


def duplicate_question_id(view: LongMemEval) -> Iterator[Hit]:
    """Two questions have the same id.

    Answers belong to questions by their id: of two with the same id, one is scored by the answer to
    the other.

    Bad: two questions with `"question_id": "q7"`
    Good: `"q7"` and `"q8"`
    """
    first: dict[str, Haystack] = {}
    for haystack in view.histories:
        name = haystack.question.id
        before = first.setdefault(name, haystack)
        if before is haystack:
            continue
        same = haystack.data == before.data
        yield Hit(
            f"two questions have the id {quoted(name)}",
            At(f"{haystack.at}/question_id"),
            labels=((At(f"{before.at}/question_id"), "the other one"),),
            helps=("remove this entry",) if same else ("write an id that no other question has",),
            pointer=haystack.at if same else None,
        )


def unmarked_evidence(view: LongMemEval) -> Iterator[Hit]:
    """A question has no turn with `has_answer`, but the others of the file have.

    Recall of turns leaves a question without marked turns out, so it is given over fewer questions.

    Bad: no turn with `"has_answer": true`
    Good: one in a session of `answer_session_ids`
    """
    marked = {h.at for h in view.histories if any(session.marked_turn for session in h.sessions)}
    if not marked:
        return  # a set without marks has no recall of turns
    shared = view.shared_ids
    for haystack in view.histories:
        question = haystack.question
        if not haystack.is_complete or question.id in shared:
            continue  # haystack_lengths or duplicate_question_id reports it
        if haystack.at in marked or not question.is_answerable or not question.evidence:
            continue
        if not haystack.misspells("has_answer", haystack.at):
            yield Hit(
                "no turn of the history is marked with `has_answer`",
                At(f"{haystack.at}/answer_session_ids"),
                notes=(f"the answer is {shown(question.answer)}",),
                helps=("add the missing `has_answer` to the turn with the answer",),
                fold="unmarked",
            )


def marked_elsewhere(view: LongMemEval) -> Iterator[Hit]:
    """A turn with `has_answer` is in no session of `answer_session_ids`.

    Recall of turns and recall of sessions then want different things to be found.

    Bad: `"has_answer": true` in session `b2`, and `"answer_session_ids": ["a1"]`
    Good: `"answer_session_ids": ["a1", "b2"]`
    """
    for haystack in view.histories:
        named = [name for _, name in haystack.question.evidence]
        if not haystack.question.is_answerable or not set(named) <= set(haystack.ids):
            continue  # abstention_evidence and answer_session_missing report it
        if not haystack.is_complete:
            continue  # the marks may be those of another session
        seen = set(named)
        for session in haystack.sessions:
            turn = session.marked_turn
            if turn and session.id not in seen:
                seen.add(session.id)
                yield Hit(
                    f"session {quoted(session.id)} has a turn with the answer, "
                    "and is not in `answer_session_ids`",
                    At(f"{haystack.at}/answer_session_ids"),
                    labels=((At(f"{turn.at}/has_answer"), "marked here"),),
                    helps=(f"add {quoted(session.id)} at the end",),
                    fold="marked elsewhere",
                )
