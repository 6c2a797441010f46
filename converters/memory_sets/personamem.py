"""PersonaMem: questions with options in a CSV file, and JSON Lines of the contexts they share.

A question is asked after so many messages of its context as ``end_index_in_shared_context`` says
(https://github.com/bowen-upenn/PersonaMem). The second version has a file of messages for each
user, which its table names, and wrong answers instead of options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from evalmark.converters.memory_sets.general_form import (
    history,
    memory_set,
    question,
    session,
    turn,
)
from evalmark.converters.memory_sets.sources import SetSource, literal, named
from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError

_LINK = "chat_history_32k_link"
_KEYS = ("question_type", "correct_answer", "all_options", "shared_context_id")
_SECOND = ("persona_id", "user_query", "correct_answer", "incorrect_answers", _LINK)
_TEXTS = ("user_question_or_message", "question")
_LETTER = re.compile(r"\s*\(?([a-z])\)\s*", re.IGNORECASE)
_SYSTEM = "system"
#: Folders that links may be relative to: that of the table, `benchmark/text`, and those above it.
_FOLDERS = 3


def reads_personamem(files: Sequence[SetSource]) -> bool:
    """True if there is a table of questions of PersonaMem."""
    return bool(named(files, *_KEYS) or named(files, *_SECOND))


def read_personamem(files: Sequence[SetSource]) -> Object:
    """The questions, with the contexts of the other files.

    Raises:
        ConversionError: A context is missing, or a question cannot be read.
    """
    if second := named(files, *_SECOND):
        return memory_set("PersonaMem-v2", [*_of_second(second)])
    tables = named(files, *_KEYS)
    contexts: dict[str, list[Object]] = {}
    for file in files:
        if file not in tables:
            for row in file.rows:
                contexts |= {name: turns for name, turns in row.items() if isinstance(turns, list)}
    by_context: dict[str, list[Object]] = {}
    for table in tables:
        for number, row in enumerate(table.rows, 2):
            name = row["shared_context_id"]
            if name not in contexts:
                raise ConversionError(
                    f"{table.path}:{number}: no context {name!r}; name the file of contexts "
                    "(shared_contexts_*.jsonl) too"
                )
            by_context.setdefault(name, []).append(
                _question(row, len(contexts[name]), f"{table.path}:{number}")
            )
    histories = [
        history(name, _sessions(contexts[name]), questions)
        for name, questions in by_context.items()
    ]
    return memory_set("PersonaMem", histories)


def _of_second(tables: Sequence[SetSource]) -> Iterator[Object]:
    """A history for each file of messages; questions are asked at its end."""
    by_link: dict[Path, list[Object]] = {}
    for table in tables:
        for number, row in enumerate(table.rows, 2):
            at = f"{table.path}:{number}"
            link = PurePosixPath(row[_LINK])
            is_inside = not link.is_absolute() and ".." not in link.parts
            # Not from any folder above: a table must not name files outside of the set.
            folders = table.path.resolve().parents[:_FOLDERS] if is_inside else ()
            places = (folder / link for folder in folders)
            path = next((place for place in places if place.is_file()), None)
            if path is None:
                raise ConversionError(
                    f"{at}: no file {row[_LINK]} below the folder of the table or the "
                    f"{_FOLDERS - 1} folders above it"
                )
            options = [row["correct_answer"], *_list(row["incorrect_answers"], at)]
            # The right one is at no certain place.
            rng = Random(f"{link} {number}")  # noqa: S311 - not for secrets
            options = rng.sample(options, len(options))
            asked = literal(row["user_query"])
            text = asked["content"] if isinstance(asked, dict) else row["user_query"]
            name = f"{row['persona_id']}/{number - 1}"
            kind = str(row.get("pref_type") or "preference")
            posed = question(name, text, kind, answer=row["correct_answer"], options=options)
            by_link.setdefault(path, []).append(posed)
    for path, questions in by_link.items():
        data = SetSource(path).data
        messages = data.get("chat_history") if isinstance(data, dict) else data
        if not isinstance(messages, list):
            raise ConversionError(f"{path} has no `chat_history`")
        yield history(path.stem, _sessions(messages), questions)


def _sessions(messages: Sequence[Mapping[str, Any]]) -> list[Object]:
    """A session begins with a message of the system, which describes the user."""
    sessions: list[list[Object]] = []
    for number, message in enumerate(messages):
        role, content = str(message.get("role", "user")), str(message.get("content", ""))
        is_system = role == _SYSTEM
        if is_system or not sessions:
            sessions.append([])
        speaker = _SYSTEM if is_system else ""
        sessions[-1].append(turn(str(number), "user" if is_system else role, content, speaker))
    return [session(f"session {number}", turns) for number, turns in enumerate(sessions, 1)]


def _question(row: Mapping[str, Any], messages: int, at: str) -> Object:
    options = _options(row["all_options"], at)
    letter = _LETTER.match(row["correct_answer"])
    place = ord(letter[1].lower()) - ord("a") if letter else -1
    if not 0 <= place < len(options):
        raise ConversionError(f"{at}: {row['correct_answer']!r} is not the letter of an option")
    text = next((row[key] for key in _TEXTS if row.get(key)), None)
    end = str(row.get("end_index_in_shared_context") or messages)
    if text is None or not end.isdecimal() or not int(end) >= 1:
        raise ConversionError(
            f"{at}: no question, or no index of a message after which it is asked"
        )
    return question(
        str(row.get("question_id") or at),
        text,
        row["question_type"],
        answer=options[place],
        options=options,
        after=str(int(end) - 1) if int(end) < messages else None,
    )


def _options(text: str, at: str) -> list[str]:
    """The options without their letters; they are a list of Python or of JSON."""
    listed = _list(text, at)
    if len(listed) < 2:
        raise ConversionError(f"{at}: `all_options` has fewer than two options")
    return [
        _LETTER.sub("", option, count=1) if _LETTER.match(option) else option for option in listed
    ]


def _list(text: str, at: str) -> list[str]:
    listed = literal(text)
    if not (isinstance(listed, list) and all(map(_is_text, listed))):
        raise ConversionError(f"{at}: not a list of answers: {text[:60]}")
    return listed


def _is_text(option: object) -> bool:
    return isinstance(option, str) and bool(option.strip())
