"""BEAM: chats of up to ten million tokens in batches, with probing questions on ten abilities.

A conversation is a folder with ``chat.json`` and ``probing_questions.json``, as in the repository
of its authors (https://github.com/mohammadtavakoli78/BEAM), or a row of the data set on the Hugging
Face Hub, whose ``probing_questions`` is the text of a Python dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalmark.converters.memory_sets.general_form import (
    history,
    memory_set,
    question,
    session,
    turn,
    written_date,
)
from evalmark.converters.memory_sets.sources import SetSource, literal
from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError

#: Ability -> what tables call it.
ABILITIES = {
    "abstention": "abstention",
    "contradiction_resolution": "contradiction resolution",
    "event_ordering": "event ordering",
    "information_extraction": "information extraction",
    "instruction_following": "instruction following",
    "knowledge_update": "knowledge update",
    "multi_session_reasoning": "multi-session reasoning",
    "preference_following": "preference following",
    "summarization": "summarization",
    "temporal_reasoning": "temporal reasoning",
}
_CHAT, _QUESTIONS = "chat.json", "probing_questions.json"
#: Where a question has its answer.
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def reads_beam(files: Sequence[SetSource]) -> bool:
    """True if there are rows or folders of BEAM."""
    return any(file.path.name == _QUESTIONS for file in files) or (
        all(file.has("chat", "probing_questions") for file in files)
    )


def read_beam(files: Sequence[SetSource]) -> Object:
    """The conversations of folders or rows.

    Raises:
        ConversionError: A conversation has no chat, or cannot be read.
    """
    histories = [_history(*each) for each in _conversations(files)]
    return memory_set("BEAM", histories, types=ABILITIES)


def _conversations(files: Sequence[SetSource]) -> Iterator[tuple[str, Any, Any]]:
    """Name, chat and questions of each conversation."""
    chats = {file.path.parent: file for file in files if file.path.name == _CHAT}
    for file in files:
        if file.path.name == _QUESTIONS:
            folder = file.path.parent
            folder = folder.parent if folder.name == "probing_questions" else folder
            chat = chats.get(folder) or SetSource(folder / _CHAT)
            if not chat.path.is_file():
                raise ConversionError(f"{folder} has no {_CHAT}")
            yield f"{folder.parent.name}-{folder.name}", chat.data, file.data
        elif file.has("chat", "probing_questions"):
            for number, row in enumerate(file.rows, 1):
                name = str(row.get("conversation_id") or f"{file.path.stem}-{number}")
                yield name, _value(row["chat"]), _value(row["probing_questions"])


def _value(data: Any) -> Any:
    """A value that may be written as JSON or as Python in a text."""
    if not isinstance(data, str):
        return data
    value = literal(data)
    if value is None:
        raise ConversionError(f"not a chat or questions of BEAM: {data[:60]!r}")
    return value


def _history(name: str, chat: Any, questions: Any) -> Object:
    used: set[str] = set()
    sessions = []
    for number, batch in enumerate(_batches(chat), 1):
        turns: list[Object] = []
        for said in batch:
            if not isinstance(said.get("content"), str):
                raise ConversionError(f"{name}: batch {number} has a turn without `content`")
            base = str(said.get("id", f"{number}:{len(turns) + 1}"))
            own = base if base not in used else f"{number}:{base}"
            used.add(own)
            turns.append(turn(own, str(said.get("role", "user")), said["content"]))
        anchors = (said.get("time_anchor") for said in batch)
        date = next((date for anchor in anchors if (date := written_date(anchor))), None)
        sessions.append(session(f"batch {number}", turns, date))
    if not sessions or not isinstance(questions, Mapping):
        raise ConversionError(f"{name} has no batches of a chat, or no probing questions")
    probes = [
        _question(f"{name}/{ability}/{number}", ability, each)
        for ability, listed in questions.items()
        for number, each in enumerate(listed, 1)
    ]
    return history(name, sessions, probes)


def _batches(chat: Any) -> Iterator[list[Object]]:
    """The turns of each batch; chats of ten million tokens are several plans of batches."""
    for batch in chat if isinstance(chat, list) else []:
        if isinstance(batch, list):
            yield _turns(batch)
        elif isinstance(batch, dict) and "turns" in batch:
            yield _turns(batch["turns"])
        elif isinstance(batch, dict) and "content" not in batch:
            for plan in batch.values():
                yield from _batches(plan)
    if isinstance(chat, list) and chat and isinstance(chat[0], dict) and "content" in chat[0]:
        yield _turns(chat)


def _turns(nested: Sequence[Any]) -> list[Object]:
    flat: list[Object] = []
    for entry in nested:
        flat += _turns(entry) if isinstance(entry, list) else [entry]
    return [entry for entry in flat if isinstance(entry, dict)]


def _question(name: str, ability: str, each: Mapping[str, Any]) -> Object:
    answer = next((str(each[key]) for key in _ANSWERS if each.get(key)), None)
    is_none = ability == "abstention"
    rubric = [point for point in each.get("rubric") or [] if isinstance(point, str) and point]
    return question(
        name,
        str(each["question"]),
        ability,
        answer=None if is_none else answer,
        abstention=True if is_none else None,
        explanation=answer if is_none else None,
        rubric=list(dict.fromkeys(rubric)),
        ordered=True if ability == "event_ordering" and rubric else None,
        evidence=list(dict.fromkeys(map(str, _ids(each.get("source_chat_ids"))))),
    )


def _ids(value: Any) -> Iterator[object]:
    """The ids of turns in lists and objects of them."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from _ids(entry)
    elif isinstance(value, int | str) and str(value).strip():
        yield value
