"""Rules on memory sets in the general form: ids, evidence, answers, types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from evalmark.memory.formats.general import (
    LISTS,
    GeneralHistory,
    GeneralQuestion,
    GeneralSet,
    same_words,
)
from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.findings.phrasing import alike, listed, one_of, quoted, shown, similar

#: Questions of a type that others may be meant to have.
_FEW = 1
#: Findings of a file for which a similar id is looked for: that takes long in long histories.
SEARCHED = 50


def _each(view: GeneralSet) -> Iterator[tuple[GeneralHistory, GeneralQuestion]]:
    for history in view.histories:
        for question in history.questions:
            yield history, question


def evidence_not_told(view: GeneralSet) -> Iterator[Hit]:
    """Evidence is not the id of a turn or a session of the history.

    What is not there cannot be found, so recall can never be 1.

    Bad: `"evidence": ["s1:9"]` where session `s1` has five turns
    Good: `"evidence": ["s1:5"]`
    """
    yield from _not_told(
        view, lambda q: q.evidence, "write the id of a turn with the answer", fold="evidence"
    )


def _not_told(
    view: GeneralSet,
    named: Callable[[GeneralQuestion], Iterable[tuple[str, str]]],
    advice: str,
    fold: str = "",
) -> Iterator[Hit]:
    """Hits for what questions name, by pointer and id, and no turn or session has."""
    numbers = count(1)
    for history, question in _each(view):
        for at, name in named(question):
            if name not in history.places and not history.was_overwritten(name):
                near = alike(name, history.places, 0.8) if next(numbers) <= SEARCHED else []
                message = f"no turn or session of the history has the id {quoted(name)}"
                yield Hit(message, At(at), helps=one_of(near, advice), fold=fold)


def repeated_entry(view: GeneralSet) -> Iterator[Hit]:
    """A list has an entry twice: evidence, options, answers, points of a rubric, speakers.

    Evidence that is listed twice counts twice in recall, a point twice in a rubric.

    Bad: `"evidence": ["s1:2", "s1:2"]`
    Good: `"evidence": ["s1:2"]`
    """
    lists = [(f"{history.at}/speakers", history.speakers) for history in view.histories]
    for _, question in _each(view):
        lists += [(f"{question.at}/{key}", question.entries(key)) for key in LISTS]
    for at, entries in lists:
        seen: set[str] = set()
        for index, entry in enumerate(entries):
            if entry in seen:
                yield Hit(
                    f"{shown(entry)} is in the list twice",
                    At(f"{at}/{index}"),
                    helps=("remove this entry",),
                    fold="twice",
                )
            seen.add(entry)


def duplicate_id(view: GeneralSet) -> Iterator[Hit]:
    """An id names two things: histories or questions of the set, sessions or turns of a history.

    Evidence and answers name these, and retrieval returns them.

    Bad: two turns with `"id": "s1:2"`
    Good: `"s1:2"` and `"s1:3"`
    """
    first: dict[tuple[str, str], str] = {}
    lost = {history.at: history.lost_ids for history in view.histories}
    for scope, name, at in view.ids:
        before = first.setdefault((scope, name), at)
        if before != at:
            yield Hit(
                f"two of these have the id {quoted(name)}",
                At(at),
                labels=((At(before), "the other one"),),
                helps=one_of(lost.get(scope, ()), "write an id that is not used yet"),
            )


def answer_not_an_option(view: GeneralSet) -> Iterator[Hit]:
    """The answer to a question with options is not one of them, word for word.

    No choice is then right.

    Bad: `"options": ["in Porto", "in Gera"]` and `"answer": "Porto"`
    Good: `"answer": "in Porto"`
    """
    for _, question in _each(view):
        is_list = isinstance(question.data.get("answer"), list)
        for number, answer in enumerate(question.answers if question.options else ()):
            if answer not in question.options:
                yield Hit(
                    f"the answer {shown(answer)} is not one of the options",
                    At(f"{question.at}/answer" + (f"/{number}" if is_list else "")),
                    helps=one_of(
                        alike(answer, question.options, 0.5) or question.options,
                        "write the option that is right",
                    ),
                )


def abstention_answer(view: GeneralSet) -> Iterator[Hit]:
    """A question has both an `answer` and `"abstention": true`.

    An abstention question is one that the history does not answer; a reply that says so is right.
    `explanation` tells judges why, `wrong_answers` has what an agent may be led to say.

    Bad: `"abstention": true, "answer": "You did not mention a dog."`
    Good: `"abstention": true, "explanation": "You did not mention a dog."`
    """
    for _, question in _each(view):
        if not question.is_answerable and question.answers:
            yield Hit(
                "an abstention question has an `answer`",
                At(f"{question.at}/answer", key=True),
                labels=((At(f"{question.at}/abstention"), "the abstention"),),
                helps=("remove `answer`",),
            )


def nothing_to_score_by(view: GeneralSet) -> Iterator[Hit]:
    """A question has no `answer`, no `rubric` and no `"abstention": true`.

    Nothing says which replies are right. `explanation` is for abstention questions.

    Bad: `{"id": "q1", "question": "Where do I live?", "type": "updates"}`
    Good: `"answer": "Porto"` in it
    """
    for _, question in _each(view):
        if question.is_answerable and not question.answers and not question.rubric:
            helps: tuple[str, ...] = ("add the missing `answer`",)
            if "explanation" in question.data:
                helps = ('write "abstention": true', "or rename `explanation` to `answer`")
            yield Hit("nothing says which replies are right", At(question.at), helps=helps)
        elif question.is_answerable and "explanation" in question.data:
            yield Hit(
                "`explanation` is for questions that the history does not answer",
                At(f"{question.at}/explanation", key=True),
                helps=("remove `explanation`",),
            )
        elif "ordered" in question.data and not question.rubric:
            yield Hit(
                "`ordered` is for questions with a `rubric`",
                At(f"{question.at}/ordered", key=True),
                helps=("remove `ordered`",),
            )


def right_and_wrong(view: GeneralSet) -> Iterator[Hit]:
    """An answer is both right and wrong.

    A reply that has a wrong answer is wrong, so no reply can be right.

    Bad: `"answer": "Porto", "wrong_answers": ["Leiden", "porto"]`
    Good: `"answer": "Porto", "wrong_answers": ["Leiden"]`
    """
    for _, question in _each(view):
        for number, wrong in enumerate(question.wrong_answers):
            if any(same_words(wrong, answer) for answer in question.answers):
                yield Hit(
                    f"{shown(wrong)} is an answer and a wrong answer",
                    At(f"{question.at}/wrong_answers/{number}"),
                    labels=((At(f"{question.at}/answer"), "right here"),),
                    helps=("remove `wrong_answers`",)
                    if len(question.wrong_answers) == 1
                    else ("remove this entry",),
                )


def empty_session(view: GeneralSet) -> Iterator[Hit]:
    """A session has no turns, or a turn has no text.

    Usually a text was lost; some systems reject such turns.

    Bad: `"turns": []`
    Good: at least one turn
    """
    for history in view.histories:
        for session in history.sessions:
            if not session.turns:
                yield Hit("the session has no turns", At(session.at), helps=("remove this entry",))
            for turn in session.turns:
                if not turn.text.strip():
                    yield Hit(
                        f"turn {quoted(turn.id)} has no text",
                        At(f"{turn.at}/content"),
                        helps=("write the text of the turn",),
                        fold="no text",
                    )


def unknown_place(view: GeneralSet) -> Iterator[Hit]:
    """`after` is not the id of a turn or a session of the history.

    The question is asked after it, and what follows is not told before.

    Bad: `"after": "s9"` in a history of three sessions
    Good: `"after": "s3"`
    """
    yield from _not_told(
        view,
        lambda q: [] if q.after is None else [(f"{q.at}/after", q.after)],
        "write the id of a turn or session",
    )


def evidence_after_question(view: GeneralSet) -> Iterator[Hit]:
    """The evidence of a question is told after it.

    With `after`, a question is asked in the middle of its history: no system can know the rest.

    Bad: `"after": "s1", "evidence": ["s2:1"]`
    Good: `"after": "s2", "evidence": ["s2:1"]`
    """
    for history, question in _each(view):
        end = history.end_of(question)
        for at, name in question.evidence:
            place = history.places.get(name)
            if place is None or question.after == name:
                continue
            begin = place._replace(turn=0) if name in history.session_ids else place
            if begin > end:
                yield Hit(
                    f"{quoted(name)} is told after the question is asked",
                    At(at),
                    labels=((At(f"{question.at}/after"), "asked after this"),),
                    helps=("say which is wrong: the evidence, or `after`",),
                    fold="evidence after",
                )


def unlisted_type(view: GeneralSet) -> Iterator[Hit]:
    """A question has none of the types of the set.

    Scores are given by type. `types` lists them; without it, a type of a single question that is
    nearly another one is reported.

    Bad: `"type": "update"` where the other questions have `updates`
    Good: `"type": "updates"`
    """
    counts = Counter(question.type for _, question in _each(view))
    frequent = [name for name, count in counts.items() if count > _FEW]
    for _, question in _each(view):
        if view.types and question.type not in view.types:
            near = alike(question.type, view.types, 0.7) or similar(question.type, view.types)
            yield Hit(
                f"the set has no type {quoted(question.type)}",
                At(f"{question.at}/type"),
                notes=(f"the types: {listed(view.types)}",),
                helps=one_of(near or view.types, "write one of the types of the set"),
            )
        elif not view.types and counts[question.type] <= _FEW:
            near = alike(question.type, frequent, 0.8)
            if near:
                yield Hit(
                    f"only this question has the type {quoted(question.type)}",
                    At(f"{question.at}/type"),
                    helps=one_of(near, ""),
                )
