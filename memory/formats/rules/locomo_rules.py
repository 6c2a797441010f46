"""Rules on LoCoMo conversations: evidence, ids of turns, categories and answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.memory.formats.history import HistoryQuestion, words_of
from evalmark.memory.formats.locomo import ADVERSARIAL, CATEGORIES, TURN_ID, Locomo, LocomoHistory
from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import listed, one_of, quoted, shown

#: Ids within other text: `D8:6; D9:17`, `D:11:26`, `D30:05`, `(D1:3)`.
_IDS = re.compile(r"[Dd]+\s*:?\s*0*([1-9][0-9]*)\s*[:.;-]+\s*0*([1-9][0-9]*)")
#: Characters that may be beside them: separators, or a letter too many.
_BESIDE = re.compile(r"[\s;,:()\[\]]*[A-Za-z]?[\s;,:()\[\]]*")
#: Turns with the answer that are named; more say nothing.
FEW = 3
#: Findings of a file for which turns with the answer are looked for.
SEARCHED = 50

#: Words that speak to the other person.
_YOU = re.compile(r"\byou(?:r|rs|'\w+)?\b", re.IGNORECASE)


def malformed_evidence(view: Locomo) -> Iterator[Hit]:
    """An entry of `evidence` is not the id of one turn: `D1:3`.

    An entry in another form is not a turn's id, so retrieval of its turns is counted as a miss.

    Bad: `"evidence": ["D8:6; D9:17"]`
    Good: `"evidence": ["D8:6", "D9:17"]`
    """
    for conversation, question in view.asked:
        names = [name for _, name in question.evidence]
        for index, (at, name) in enumerate(question.evidence):
            if TURN_ID.fullmatch(name):
                continue
            yield _malformed(conversation, names, index, at)


def _malformed(conversation: LocomoHistory, names: list[str], index: int, at: str) -> Hit:
    """The hit for an entry that is not an id, with the ids that it means."""
    name = names[index]
    meant = list(dict.fromkeys(f"D{turn_id[1]}:{turn_id[2]}" for turn_id in _IDS.finditer(name)))
    message, rest = f"{shown(name)} is not the id of a turn", _IDS.sub("", name)
    if not meant or not conversation.evidence_ids.issuperset(meant) or not _BESIDE.fullmatch(rest):
        help_text = "write the id of a turn that the answer needs, or remove this entry"
        return Hit(message, At(at), caret="expected `D1:3`", helps=(help_text,))
    new = [turn_id for turn_id in meant if turn_id not in names]
    if len(new) == 1 == len(meant):
        return Hit(message, At(at), caret="expected `D1:3`", helps=(Action.WRITE(quoted(new[0])),))
    whole = [*names[:index], *new, *names[index + 1 :]]
    return Hit(
        message if len(meant) == 1 else f"{shown(name)} is {len(meant)} ids in one text",
        At(at),
        caret="expected one id",
        helps=(Action.WRITE(quoted(whole)),),
        pointer=at.rpartition("/")[0],
    )


def unknown_evidence(view: Locomo) -> Iterator[Hit]:
    """A turn that `evidence` names does not exist.

    Retrieval of a turn that does not exist is always counted as a miss.

    Bad: `"evidence": ["D1:40"]` where session 1 has 18 turns
    Good: `"evidence": ["D1:14"]`
    """
    searched = 0
    for conversation, question in view.asked:
        names = {name for _, name in question.evidence}
        for at, name in question.evidence:
            match = TURN_ID.fullmatch(name)
            if match is None or name in conversation.evidence_ids:
                continue
            if int(match[1]) in conversation.lost or not conversation.numbers:
                continue  # date_without_session or no_sessions reports it
            searched += 1
            candidates = _with_answer(conversation, question, names) if searched <= SEARCHED else []
            advice = "write the id of the turn with the answer, or remove this entry"
            yield Hit(
                f"no turn has the id {quoted(name)}",
                At(at),
                notes=_turns_of(conversation, int(match[1])),
                helps=one_of(candidates, advice),
            )


def _turns_of(conversation: LocomoHistory, number: int) -> tuple[str, ...]:
    """A note on the turns that a session has."""
    session = conversation.by_number.get(number)
    if session is None:
        return (f"there is no session {number}",)
    if not session.turns:
        return (f"session {number} has no turns",)
    return (f"session {number} has {session.turns[0].id} to {session.turns[-1].id}",)


def _with_answer(
    conversation: LocomoHistory, question: HistoryQuestion, not_in: set[str]
) -> list[str]:
    """The turns that have the words of the answer, if they are few."""
    answer = question.answer or conversation.adversarial_answer(question) or ""
    words = words_of(answer)
    if len(words.strip()) < 4:
        return []
    ids = [turn.id for turn in conversation.turns if turn.has(words)]
    ids = [name for name in ids if name not in not_in and TURN_ID.fullmatch(name)]
    return ids if len(ids) <= FEW else []


def repeated_evidence(view: Locomo) -> Iterator[Hit]:
    """`evidence` names a turn twice.

    A turn that is named twice has twice the weight in recall.

    Bad: `"evidence": ["D1:3", "D1:3"]`
    Good: `"evidence": ["D1:3"]`
    """
    for _, question in view.asked:
        seen = set()
        for at, name in question.evidence:
            if name in seen:
                yield Hit(f"{quoted(name)} is named twice", At(at), helps=("remove this entry",))
            seen.add(name)


def no_evidence(view: Locomo) -> Iterator[Hit]:
    """A question does not name the turns that its answer needs.

    Without any, its recall is not defined, and averages leave it out or count it as 0 or 1. Some
    questions are answered by what nobody said; for those it is right.

    Bad: `"evidence": []` where a turn has the answer
    Good: `"evidence": ["D1:3"]`
    """
    for _, question in view.asked:
        if not question.evidence:
            message = f"no turn is named as evidence for the answer {shown(question.answer)}"
            help_text = "nothing to do, if the answer follows from what is not said"
            yield Hit(message, At(f"{question.at}/evidence"), helps=(help_text,), fold="none")


def duplicate_turn(view: Locomo) -> Iterator[Hit]:
    """A `dia_id` belongs to two turns.

    Evidence that names it would be ambiguous, and programs that look turns up by id lose one.

    Bad: two turns with `"dia_id": "D1:3"`
    Good: `"D1:3"` and `"D1:4"`
    """
    for conversation in view.histories:
        ids = {turn.at: turn.id for turn in conversation.turns}
        for at, meant in conversation.misnumbered.items():
            name = ids[at]
            right_turn = conversation.right.get(name)
            if not _is_of_session(name, at) or right_turn is None:
                continue  # turn_of_session reports it
            yield Hit(
                f"two turns have the id {quoted(name)}",
                At(f"{at}/dia_id"),
                labels=((At(f"{right_turn}/dia_id"), "the other one"),),
                helps=_numbered(meant),
            )


def turn_of_session(view: Locomo) -> Iterator[Hit]:
    """A `dia_id` does not have the number of its session.

    Session 3 has the turns `D3:1`, `D3:2`, … Programs take the session of evidence, and its date,
    from the id.

    Bad: `"dia_id": "D2:4"` in `session_3`
    Good: `"dia_id": "D3:4"`
    """
    for conversation in view.histories:
        ids = {turn.at: turn.id for turn in conversation.turns}
        for at, meant in conversation.misnumbered.items():
            name = ids[at]
            if not _is_of_session(name, at):
                session = at.split("/")[-2]
                is_id = TURN_ID.fullmatch(name)
                message = (
                    f"{quoted(name)} is not an id of `{session}`"
                    if is_id
                    else f"{shown(name)} is not an id of a turn"
                )
                caret = f"expected `D{session.removeprefix('session_')}:…`"
                yield Hit(message, At(f"{at}/dia_id"), caret, helps=_numbered(meant))


def _is_of_session(name: str, at: str) -> bool:
    match = TURN_ID.fullmatch(name)
    return match is not None and at.split("/")[-2] == f"session_{match[1]}"


def _numbered(meant: str | None) -> tuple[str, ...]:
    return (Action.WRITE(quoted(meant)) if meant else "write an id that no other turn has",)


def category_range(view: Locomo) -> Iterator[Hit]:
    """A category is not a number from 1 to 5.

    Scores are given by category, and category 5 has an answer of its own kind: that there is none.

    Bad: `"category": 6`
    Good: `"category": 4`
    """
    for conversation, question in view.asked:
        if int(question.type) in CATEGORIES:
            continue
        answers = question.answer, conversation.adversarial_answer(question)
        if answers[0] is None and answers[1] is not None:
            help_text: str = Action.WRITE(ADVERSARIAL)
        elif answers[1] is None and answers[0] is not None:
            help_text = "write one of 1, 2, 3, 4"
        else:
            help_text = "write one of 1, 2, 3, 4, 5"
        at = At(f"{question.at}/category")
        yield Hit(
            f"there is no category {question.type}", at, "expected 1 to 5", helps=(help_text,)
        )


def adversarial_answer(view: Locomo) -> Iterator[Hit]:
    """A question of category 5 has no `adversarial_answer`, or another one has.

    The conversation does not answer a question of category 5; its `adversarial_answer` is the wrong
    answer to which it leads. Where this is the `answer`, a system that falls for it is counted
    right.

    Bad: `"category": 5, "answer": "a trophy"`
    Good: `"category": 5, "adversarial_answer": "a trophy"`
    """
    for conversation, question in view.asked:
        wrong = conversation.adversarial_answer(question)
        if int(question.type) not in CATEGORIES or (question.answer is None) == (wrong is None):
            continue  # category_range, no_answer or two_answers reports it
        if not question.is_answerable and wrong is None:
            yield Hit(
                "an adversarial question (category 5) has `answer`",
                At(f"{question.at}/answer", key=True),
                caret="expected `adversarial_answer`",
                helps=("rename `answer` to `adversarial_answer`",),
            )
        elif question.is_answerable and wrong is not None:
            yield Hit(
                f"a question of category {question.type} has `adversarial_answer`, and no `answer`",
                At(f"{question.at}/adversarial_answer", key=True),
                labels=((At(f"{question.at}/category"), "the category"),),
                helps=(
                    f'write "category": {ADVERSARIAL}',
                    "or rename `adversarial_answer` to `answer`",
                ),
            )


def two_answers(view: Locomo) -> Iterator[Hit]:
    """A question has both `answer` and `adversarial_answer`.

    By category 5, only a reply that the conversation has no answer is right; by `answer`, another
    one is. Programs differ in which they take.

    Bad: `"category": 5, "answer": "No", "adversarial_answer": "Yes"`
    Good: `"category": 5, "adversarial_answer": "Yes"`
    """
    for conversation, question in view.asked:
        wrong = conversation.adversarial_answer(question)
        if question.answer is None or wrong is None or int(question.type) not in CATEGORIES:
            continue
        if question.is_answerable:
            key, why = "adversarial_answer", f"is of category {question.type}"
        else:
            key, why = "answer", "is adversarial (category 5)"
        yield Hit(
            f"the question {why}, and has both `answer` and `adversarial_answer`",
            At(f"{question.at}/{key}", key=True),
            notes=(f"`answer` is {shown(question.answer)}, the other one {shown(wrong)}",),
            helps=(Action.REMOVE(key),),
        )


def no_answer(view: Locomo) -> Iterator[Hit]:
    """A question has no `answer`, or no `adversarial_answer` in category 5.

    Bad: `{"question": "Where does Ana live?", "evidence": ["D1:3"], "category": 4}`
    Good: `"answer": "Porto"` in it
    """
    for conversation, question in view.asked:
        if question.answer is None and conversation.adversarial_answer(question) is None:
            key = "answer" if question.is_answerable else "adversarial_answer"
            if not conversation.misspells(key, question.at):
                help_text = f"add the missing `{key}`"
                yield Hit(f"`{key}` is missing", At(question.at), helps=(help_text,))


def no_sessions(view: Locomo) -> Iterator[Hit]:
    """A conversation has no sessions.

    They are keys of the conversation, or of its `conversation`: `session_1`, `session_2`, …

    Bad: `"conversation": {}`
    Good: `"conversation": {"session_1": […], …}`
    """
    for conversation in view.histories:
        if not conversation.numbers:
            help_text = "add the missing `session_1` and the sessions after it"
            yield Hit(
                "the conversation has no sessions",
                At(conversation.conversation[0]),
                helps=(help_text,),
            )


def other_speaker(view: Locomo) -> Iterator[Hit]:
    """The evidence about one speaker has no turn by this speaker, nor one that names them.

    A question about Ana whose evidence is only what Ben says about himself asks about the wrong
    person, or names the wrong turn. What Ben says to Ana about her is not reported.

    Bad: "What did Ana sell?" with the evidence "I sold the tractor." by Ben
    Good: "What did Ben sell?"
    """
    for conversation, question in view.asked:
        evidence = conversation.evidence_of(question)
        named = [name for name in conversation.speakers if _names(question.text, name)]
        if not question.is_answerable or question.answer is None or len(named) != 1:
            continue
        if int(question.type) not in CATEGORIES or not 0 < len(question.evidence) == len(evidence):
            continue  # category_range, unknown_evidence or malformed_evidence reports it
        if any(turn.speaker not in conversation.speakers for turn in evidence):
            continue  # unknown_speaker reports it
        (name,) = named
        # A turn of the other speaker may name the person, or speak of "you".
        if any(t.speaker == name or _names(t.text, name) or _YOU.search(t.text) for t in evidence):
            continue
        others = listed(dict.fromkeys(turn.speaker for turn in evidence))
        yield Hit(
            f"the question is about {name}, and its evidence is by {others}",
            At(f"{question.at}/evidence"),
            labels=((At(f"{question.at}/question"), f"names {name}"),),
            notes=(f"{evidence[0].id} is {shown(evidence[0].text)}",),
            helps=("say which is wrong: the speaker in the question, or the evidence",),
            fold="other speaker",
        )


def _names(text: str, name: str) -> bool:
    return f" {name.casefold()} " in words_of(re.sub(r"['\u2019]s\b", "", text))
