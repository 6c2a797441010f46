"""LoCoMo and LongMemEval in the general form: the same is told, asked and scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from evalmark.converters.memory_sets.general_form import (
    history,
    memory_set,
    question,
    session,
    turn,
    written_date,
)
from evalmark.converters.memory_sets.sources import SetSource
from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.memory_sets.history import History, HistoryQuestion
from evalmark.validator.formats.memory_sets.locomo import LocomoHistory
from evalmark.validator.formats.memory_sets.longmemeval import Haystack
from evalmark.validator.formats.memory_sets.memory_dates import write_iso
from evalmark.validator.formats.memory_sets.memory_sets_format import LOCOMO, LONGMEMEVAL, set_view

#: Types of LongMemEval whose answers are descriptions of good ones.
_RUBRICS = ("single-session-preference",)
#: Keys of LongMemEval that are those of a question; the others are of its history.
_QUESTION_KEYS = (
    "question_id",
    "question_type",
    "question",
    "answer",
    "question_date",
    "answer_session_ids",
)


def reads_locomo(files: Sequence[SetSource]) -> bool:
    """True if all files are conversations of LoCoMo."""
    return all(identify(file.data).format is LOCOMO for file in files)


def read_locomo(files: Sequence[SetSource]) -> Object:
    """The conversations of LoCoMo."""
    histories = []
    for file in files:
        views = _views(file)
        for number, view in enumerate(views, 1):
            assert isinstance(view, LocomoHistory)
            stem = file.path.stem if len(views) == 1 else f"{file.path.stem}-{number}"
            histories.append(_conversation(view, str(view.data.get("sample_id") or stem)))
    return memory_set("LoCoMo", histories, benchmark="LoCoMo")


def _views(file: SetSource) -> Sequence[History]:
    document = identify(file.data)
    views = set_view(document).histories
    entries = len(file.data) if isinstance(file.data, list) else 1
    if len(views) < entries:
        lost = entries - len(views)
        raise ConversionError(
            f"{lost} of {entries} entries of {file.path} cannot be used; `evalmark check` says why"
        )
    return views


def _conversation(view: LocomoHistory, name: str) -> Object:
    names = {place.at: id_ for id_, place in view.by_id.items()}
    sessions = [
        session(
            each.id,
            [
                turn(
                    names.get(said.at, f"{each.id}:{number}"),
                    "user",
                    said.text + (f" [shares {said.caption}]" if said.caption else ""),
                    said.speaker,
                )
                for number, said in enumerate(each.turns, 1)
            ],
            _date(view, each.date),
        )
        for each in view.sessions
    ]
    questions = [
        _locomo_question(view, each, f"{name}/{number}")
        for number, each in enumerate(view.questions, 1)
        if not each.is_answerable or each.answer is not None
    ]
    speakers = dict.fromkeys(said.speaker for said in view.turns)
    return history(name, sessions, questions, speakers)


def _date(view: History, date: str | None) -> str | None:
    time = view.time_of(date)
    return write_iso(time) if time else None


def _locomo_question(view: LocomoHistory, each: HistoryQuestion, name: str) -> Object:
    names = {place.at: id_ for id_, place in view.by_id.items()}
    wrong = view.adversarial_answer(each)
    return question(
        name,
        each.text,
        each.type,
        answer=each.answer if each.is_answerable else None,
        abstention=None if each.is_answerable else True,
        wrong_answers=[wrong] if wrong is not None else None,
        evidence=list(dict.fromkeys(names[said.at] for said in view.evidence_of(each))),
    )


def reads_longmemeval(files: Sequence[SetSource]) -> bool:
    """True if the entries of all files have haystacks, each with a question or several."""
    return all(
        file.has("haystack_sessions") and ("question" in row or "questions" in row)
        for file in files
        for row in file.rows[:1]
    )


def read_longmemeval(files: Sequence[SetSource]) -> Object:
    """The questions of LongMemEval; entries may have several, as a list or as lists of values."""
    histories = []
    for file in files:
        for number, row in enumerate(file.rows, 1):
            entries = list(_entries(row, f"{file.path.stem}-{number}"))
            if not entries:
                raise ConversionError(f"{file.path}: entry {number} has no questions")
            histories.append(_haystacks(file, entries, number))
    return memory_set("LongMemEval", histories, benchmark="LongMemEval")


def _entries(row: Mapping[str, Any], name: str) -> Iterator[Object]:
    """An entry for each question of an entry, as the published files have them."""
    if isinstance(row.get("questions"), list):
        shared = {key: value for key, value in row.items() if key != "questions"}
        listed = [
            each if isinstance(each, dict) else {"question": each} for each in row["questions"]
        ]
        answers = row.get("answers")
        if isinstance(answers, list) and len(answers) == len(listed):
            shared.pop("answers")
            listed = [{"answer": a, **each} for a, each in zip(answers, listed, strict=True)]
    elif isinstance(row.get("question"), list):
        lists = {k: row[k] for k in _QUESTION_KEYS if isinstance(row.get(k), list)}
        count = len(row["question"])
        if row.get("answer_session_ids") and not isinstance(row["answer_session_ids"][0], list):
            lists.pop("answer_session_ids")  # one list for all questions
        if any(len(values) != count for values in lists.values()):
            raise ConversionError(f"{name}: the lists of its questions have different lengths")
        shared = {key: value for key, value in row.items() if key not in lists}
        listed = [{key: values[n] for key, values in lists.items()} for n in range(count)]
    else:
        yield dict(row)
        return
    for number, each in enumerate(listed, 1):
        entry = {**shared, **each}
        if "question_id" not in each:
            entry["question_id"] = f"{row.get('question_id', name)}-{number}"
        yield entry


def _haystacks(file: SetSource, entries: Sequence[Object], number: int) -> Object:
    """One history with all questions of an entry."""
    document = identify(entries)
    views = set_view(document).histories if document.format is LONGMEMEVAL else ()
    if len(views) < len(entries):
        raise ConversionError(
            f"{file.path}: entry {number} is not one of LongMemEval; `evalmark check` says why"
        )
    first = views[0]
    assert isinstance(first, Haystack)
    times = [first.time_of(each.date) for each in first.sessions]
    order = list(range(len(times)))
    if None not in times:
        order.sort(key=lambda place: times[place] or datetime.min)
    names = _unique([each.id for each in first.sessions])
    sessions = []
    for place in order:
        each, name = first.sessions[place], names[place]
        said = [turn(f"{name}:{n}", one.speaker, one.text) for n, one in enumerate(each.turns, 1)]
        sessions.append(session(name, said, _date(first, each.date)))
    questions = [_haystack_question(view) for view in views if isinstance(view, Haystack)]
    return history(first.question.id, sessions, questions)


def _unique(names: Sequence[str]) -> list[str]:
    """Names, of which duplicates have a number."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def _haystack_question(view: Haystack) -> Object:
    each = view.question
    marked = [
        f"{session.id}:{number}"
        for session in view.sessions
        for number, said in enumerate(session.turns, 1)
        if said.is_marked
    ]
    sessions = [name for _, name in each.evidence if name in view.evidence_ids]
    whole = [name for name in sessions if not any(m.startswith(f"{name}:") for m in marked)]
    is_rubric = each.type in _RUBRICS
    return question(
        each.id,
        each.text,
        each.type,
        answer=None if is_rubric or not each.is_answerable else each.answer,
        abstention=None if each.is_answerable else True,
        explanation=None if each.is_answerable else each.answer,
        rubric=[each.answer] if is_rubric and each.is_answerable else None,
        evidence=list(dict.fromkeys([*marked, *whole])),
        date=written_date(each.date),
    )
