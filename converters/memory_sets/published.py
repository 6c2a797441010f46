"""LoCoMo and LongMemEval in the general form: the same is told, asked and scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError
from evalmark.validator.format import Document
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.memory_sets.history import History, HistoryQuestion
from evalmark.validator.formats.memory_sets.locomo import LocomoHistory
from evalmark.validator.formats.memory_sets.longmemeval import Haystack
from evalmark.validator.formats.memory_sets.memory_dates import write_iso
from evalmark.validator.formats.memory_sets.memory_sets_format import LOCOMO, LONGMEMEVAL, set_view
from evalmark.validator.reading.reading import read_file

#: What can be read, in words.
READ = "LoCoMo and LongMemEval, as their JSON files"
#: Types of LongMemEval whose answers are descriptions of good ones.
_RUBRICS = ("single-session-preference",)


def read_memory_set(paths: Sequence[Path]) -> tuple[str, Object]:
    """The name of the set that files hold, and the set in the general form.

    Raises:
        ConversionError: They hold no set that can be read, or a part of it cannot be used.
        OSError: A file cannot be read.
    """
    files = [(path, _document(path)) for each in paths for path in _files(each)]
    formats = {document.format for _, document in files}
    if formats not in ({LOCOMO}, {LONGMEMEVAL}):
        raise ConversionError(f"{paths[0]} is not a memory set that can be read: {READ}")
    name = "LoCoMo" if formats == {LOCOMO} else "LongMemEval"
    histories = [history for path, document in files for history in _histories(path, document)]
    return name, {"memory_set": "1", "name": name, "benchmark": name, "histories": histories}


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.json"), key=_natural) if path.is_dir() else [path]


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key by which folder 10 comes after folder 9."""
    return [(int(part), "") if part.isdecimal() else (1 << 60, part) for part in path.parts]


def _document(path: Path) -> Document:
    reading = read_file(path)
    if not reading.readable:
        raise ConversionError(f"{path} cannot be read; `evalmark check` says why")
    return identify(reading.data)


def _histories(path: Path, document: Document) -> Iterator[Object]:
    views = set_view(document).histories
    entries = len(document.data) if isinstance(document.data, list) else 1
    if len(views) < entries:
        lost = entries - len(views)
        raise ConversionError(
            f"{lost} of {entries} entries of {path} cannot be used; `evalmark check` says why"
        )
    for number, view in enumerate(views, 1):
        if isinstance(view, LocomoHistory):
            stem = path.stem if len(views) == 1 else f"{path.stem}-{number}"
            yield _conversation(view, str(view.data.get("sample_id") or stem))
        elif isinstance(view, Haystack):
            yield _haystack(view)


def _given(data: Mapping[str, Any]) -> Object:
    """What has a value."""
    return {key: value for key, value in data.items() if value is not None and value != []}


def _session(name: str, turns: Sequence[Object], date: str | None) -> Object:
    return {**_given({"id": name, "date": date}), "turns": list(turns)}


def _date(view: History, date: str | None) -> str | None:
    time = view.time_of(date)
    return write_iso(time) if time else None


def _conversation(view: LocomoHistory, name: str) -> Object:
    names = {place.at: id_ for id_, place in view.by_id.items()}
    sessions = []
    for each in view.sessions:
        turns = [
            {
                "id": names.get(said.at, f"{each.id}:{number}"),
                "role": "user",
                "speaker": said.speaker,
                "content": said.text + (f" [shares {said.caption}]" if said.caption else ""),
            }
            for number, said in enumerate(each.turns, 1)
        ]
        sessions.append(_session(each.id, turns, _date(view, each.date)))
    questions = [
        _locomo_question(view, each, names, f"{name}/{number}")
        for number, each in enumerate(view.questions, 1)
        if not each.is_answerable or each.answer is not None
    ]
    speakers = list(dict.fromkeys(said.speaker for said in view.turns))
    return {
        "id": name,
        **_given({"speakers": speakers}),
        "sessions": sessions,
        "questions": questions,
    }


def _locomo_question(
    view: LocomoHistory, each: HistoryQuestion, names: Mapping[str, str], name: str
) -> Object:
    wrong = view.adversarial_answer(each)
    return _given(
        {
            "id": name,
            "question": each.text,
            "type": each.type,
            "answer": each.answer if each.is_answerable else None,
            "abstention": None if each.is_answerable else True,
            "wrong_answers": None if wrong is None else [wrong],
            "evidence": list(dict.fromkeys(names[said.at] for said in view.evidence_of(each))),
        }
    )


def _haystack(view: Haystack) -> Object:
    times = [view.time_of(each.date) for each in view.sessions]
    order = list(range(len(times)))
    if None not in times:
        order.sort(key=lambda place: times[place] or datetime.min)
    names = _unique([each.id for each in view.sessions])
    sessions = []
    for place in order:
        each, name = view.sessions[place], names[place]
        turns = [
            {"id": f"{name}:{number}", "role": _role(said.speaker), "content": said.text}
            for number, said in enumerate(each.turns, 1)
        ]
        sessions.append(_session(name, turns, _date(view, each.date)))
    return {
        "id": view.question.id,
        "sessions": sessions,
        "questions": [_haystack_question(view)],
    }


def _role(speaker: str) -> str:
    return speaker if speaker == "assistant" else "user"


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
    is_rubric = each.type in _RUBRICS and each.is_answerable
    return _given(
        {
            "id": each.id,
            "question": each.text,
            "type": each.type,
            "answer": each.answer if each.is_answerable and not is_rubric else None,
            "abstention": None if each.is_answerable else True,
            "explanation": None if each.is_answerable else each.answer,
            "rubric": [each.answer] if is_rubric else None,
            "evidence": list(dict.fromkeys([*marked, *whole])),
            "date": _date(view, each.date),
        }
    )
