"""MemoryAgentBench, LoCoMo-Plus and HaluMem in the general form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from evalmark.converters.memory_sets.general_form import (
    history,
    memory_set,
    question,
    session,
    turn,
    written_date,
)
from evalmark.converters.memory_sets.published import read_locomo
from evalmark.converters.memory_sets.sources import SetSource, named
from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.memory_sets.memory_dates import read_iso, write_iso
from evalmark.validator.formats.memory_sets.memory_sets_format import LOCOMO

#: Characters of a piece of a context that is told as one turn.
_PIECE = 4000


# MemoryAgentBench (https://github.com/HUST-AI-HYZ/MemoryAgentBench): a context, and questions.


def reads_memory_agent_bench(files: Sequence[SetSource]) -> bool:
    """True if all files have rows of MemoryAgentBench."""
    return all(file.has("context", "questions", "answers") for file in files)


def read_memory_agent_bench(files: Sequence[SetSource]) -> Object:
    """A history for each row; its context is told in pieces, as its agents are told it.

    Raises:
        ConversionError: A row has not as many answers as questions.
    """
    histories = []
    for file in files:
        for number, row in enumerate(file.rows, 1):
            about = row.get("metadata") or {}
            about = {**row, **(about if isinstance(about, Mapping) else {})}
            source = str(about.get("source") or file.path.stem)
            ids, types = about.get("qa_pair_ids") or [], about.get("question_types") or []
            asked, answers = list(row["questions"]), list(row["answers"])
            if len(asked) != len(answers):
                raise ConversionError(
                    f"{file.path}: row {number} has {len(asked)} questions and "
                    f"{len(answers)} lists of answers"
                )
            name = f"{source}-{number}"
            questions = [
                question(
                    str(ids[n]) if n < len(ids) else f"{name}/{n + 1}",
                    str(text),
                    str(types[n]) if n < len(types) and types[n] else source,
                    answer=_answers(answers[n]),
                )
                for n, text in enumerate(asked)
            ]
            turns = [
                turn(str(n), "user", piece)
                for n, piece in enumerate(_pieces(str(row["context"])), 1)
            ]
            histories.append(history(name, [session("context", turns)], questions))
    return memory_set("MemoryAgentBench", histories)


def _answers(answers: Any) -> list[str] | str:
    """The right answers, each once."""
    listed = answers if isinstance(answers, list | tuple) else [answers]
    texts = list(dict.fromkeys(str(answer) for answer in listed if str(answer).strip()))
    return texts[0] if len(texts) == 1 else texts


def _pieces(text: str) -> Iterator[str]:
    """Pieces that end with a line, if lines are not longer."""
    piece = ""
    for line in text.splitlines(keepends=True):
        if piece and len(piece) + len(line) > _PIECE:
            yield piece
            piece = ""
        while len(line) > _PIECE:
            yield line[:_PIECE]
            line = line[_PIECE:]
        piece += line
    if piece:
        yield piece


# LoCoMo-Plus (https://github.com/xjtuleeyf/Locomo-Plus): a cue that is put into a conversation of
# LoCoMo, and a later message that a system should understand by it.

_GAP = re.compile(
    r"\b(\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+"
    r"(week|month|year)s?\b"
)
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_DAYS = {"week": 7, "month": 30, "year": 365}
#: Days from the last session to the question.
_AFTER = 7


def reads_locomo_plus(files: Sequence[SetSource]) -> bool:
    """True if there is a file of LoCoMo-Plus."""
    return bool(named(files, "cue_dialogue", "trigger_query"))


def read_locomo_plus(files: Sequence[SetSource]) -> Object:
    """Each cue in a conversation of LoCoMo, as its own program puts it: in turn, by its time.

    Raises:
        ConversionError: No conversations are among the files.
    """
    conversations = [f for f in files if identify(f.data).format is LOCOMO]
    if not conversations:
        raise ConversionError("LoCoMo-Plus needs the conversations of LoCoMo: name their file too")
    told = read_locomo(conversations)["histories"]
    items = [row for file in named(files, "cue_dialogue", "trigger_query") for row in file.rows]
    histories = [
        _with_cue(item, told[number % len(told)], f"plus-{number + 1}")
        for number, item in enumerate(items)
    ]
    return memory_set("LoCoMo-Plus", histories)


def _with_cue(item: Mapping[str, Any], told: Mapping[str, Any], name: str) -> Object:
    people = dict(zip("AB", told.get("speakers", ("A", "B")), strict=False))
    cue = _said(item["cue_dialogue"], people)
    trigger = " ".join(text for person, text in _said(item["trigger_query"], people))
    times = [time for each in told["sessions"] if (time := read_iso(each.get("date", "")))]
    asked = (times[-1] + timedelta(days=_AFTER)) if times else None
    cue_time = asked - timedelta(days=_days(str(item.get("time_gap", "")))) if asked else None
    turns = [turn(f"cue:{n}", "user", text, who) for n, (who, text) in enumerate(cue, 1)]
    sessions = list(told["sessions"])
    place = len(sessions)
    if cue_time:
        place = sum(time <= cue_time for time in times)
    sessions.insert(place, session("cue", turns, write_iso(cue_time) if cue_time else None))
    remembered = "\n".join(f"{who}: {text}" for who, text in cue)
    posed = question(
        name,
        trigger,
        str(item.get("relation_type", "cognitive")),
        rubric=[f"The reply shows that this is remembered:\n{remembered}"],
        evidence=[each["id"] for each in turns],
        date=write_iso(asked) if asked else None,
    )
    return history(name, sessions, [posed], told.get("speakers", ()))


def _said(text: object, people: Mapping[str, str]) -> list[tuple[str, str]]:
    """Speaker and text of lines such as ``A: …``; some files have a backslash and n between."""
    lines = str(text).replace("\\n", "\n").split("\n")
    found = (line.strip().partition(":") for line in lines)
    return [(people[who], rest.strip()) for who, _, rest in found if who in people]


def _days(gap: str) -> int:
    match = _GAP.search(gap.lower())
    if match is None:
        return 0
    count = int(match[1]) if match[1].isdecimal() else _NUMBERS.get(match[1], 1)
    return count * _DAYS[match[2]]


# HaluMem (https://github.com/MemTensor/HaluMem): users, their sessions, and what a memory should
# have extracted from each.


def reads_halumem(files: Sequence[SetSource]) -> bool:
    """True if all files have users of HaluMem."""
    return all(file.has("uuid", "sessions") for file in files)


def read_halumem(files: Sequence[SetSource]) -> Object:
    """A history for each user. Questions are asked after their session.

    The points of memory of a session, and what they update, stay beside it as `metadata`.
    """
    histories = [_user(user) for file in files for user in file.rows]
    return memory_set("HaluMem", histories)


def _user(user: Mapping[str, Any]) -> Object:
    name = str(user["uuid"])
    sessions, questions = [], []
    points: dict[str, str] = {}  # content of a point -> its session
    for number, data in enumerate(user["sessions"], 1):
        own = f"session {number}"
        turns = [
            turn(f"{number}:{n}", str(said.get("role", "user")), str(said.get("content", "")))
            for n, said in enumerate(data.get("dialogue") or (), 1)
        ]
        listed = [point for point in data.get("memory_points") or () if isinstance(point, Mapping)]
        points |= {str(point.get("memory_content")): own for point in listed}
        each = session(own, turns, written_date(data.get("start_time")))
        sessions.append({**each, **({"metadata": {"memory_points": listed}} if listed else {})})
        for n, asked in enumerate(data.get("questions") or (), 1):
            evidence = [
                points.get(str(point.get("memory_content")))
                for point in asked.get("evidence") or ()
                if isinstance(point, Mapping)
            ]
            questions.append(
                question(
                    f"{name}/{number}/{n}",
                    str(asked["question"]),
                    str(asked.get("question_type", "question")),
                    answer=str(asked["answer"]),
                    evidence=[place for place in dict.fromkeys(evidence) if place],
                    after=own,
                )
            )
    return history(name, sessions, questions)
