"""The place of a cursor in a document, and the data of a text that may not be finished.

A text that can be parsed is searched from value to value. One that cannot is read token by token:
what is missing is taken as missing, so that the keys before and after the cursor are known.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from evalmark.validator.reading.source import Source, json_members, make_pointer, root
from evalmark.validator.reading.yaml_source import YamlSource
from evalmark.validator.reading.yaml_source import yaml_members as yaml_members
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+')


class Part(Enum):
    """The part of a document that a cursor is in."""

    KEY = "key"
    VALUE = "value"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place of a cursor."""

    #: The keys and indices of the value; for a key, with the key, empty if there is none.
    path: tuple[str, ...]
    part: Part  # the part of the document
    start: int  # the offset of the key or value, with its quotes
    end: int  # the offset of its end; that of the start if there is none yet

    @property
    def pointer(self) -> str:
        """The pointer of the value."""
        return make_pointer(self.path)


@dataclass(slots=True)
class _Level:
    """An object or array that is not closed yet, and the key of the member that comes."""

    holder: Any
    key: str = ""
    waits_for: str = "key"

    def put(self, value: Any) -> None:
        if isinstance(self.holder, list):
            self.holder.append(value)
        else:
            self.holder[self.key] = value
            self.waits_for = ","


def cursor_in(source: Source, offset: int) -> Cursor:
    """The place of an offset in a text that can be parsed."""
    if isinstance(source, YamlSource):
        return _yaml_cursor(source, offset)
    text, at = source.text, root(source.text)
    path: list[str] = []
    end = len(text)
    while text[at] in "{[":
        is_object = text[at] == "{"
        for key, place in json_members(text, at):
            if not place.first <= offset <= place.end:
                continue
            path.append(key)
            if place.key_start >= 0 and offset <= place.key_end:
                return Cursor(tuple(path), Part.KEY, place.key_start, place.key_end)
            at, end = place.start, place.end
            break
        else:
            part = Part.KEY if is_object else Part.VALUE
            return Cursor((*path, ""), part, offset, offset)
        if offset < at:  # between a colon and its value
            return Cursor(tuple(path), Part.VALUE, at, end)
    return Cursor(tuple(path), Part.VALUE, at, end)


def _yaml_cursor(source: YamlSource, offset: int) -> Cursor:
    path: list[str] = []
    node = source.root
    while True:
        for key, name, value in _yaml_children(node):
            start, end = source.extent(value)
            if key is not None:
                first, last = source.extent(key)
                if first <= offset <= last:
                    return Cursor((*path, name), Part.KEY, first, last)
                # The value that is still missing is written on the line of its key.
                if last < offset <= source.text.find("\n", last) and start == end:
                    return Cursor((*path, name), Part.VALUE, offset, offset)
            if not isinstance(value, MappingNode | SequenceNode):
                reach = end
            else:  # the value of its last key may be missing yet
                reach = max(end, source.text.find("\n", end))
            if start <= offset <= reach:
                path.append(name)
                node = value
                break
        else:
            start, end = source.extent(node)
            is_inside = not isinstance(node, MappingNode | SequenceNode)
            part = Part.VALUE if is_inside else Part.NONE
            return Cursor(tuple(path), part, start, end)


def _yaml_children(node: Node) -> list[tuple[Node | None, str, Node]]:
    if isinstance(node, MappingNode):
        return [(key, str(key.value), value) for key, value in yaml_members(node)]
    if isinstance(node, SequenceNode):
        return [(None, str(index), value) for index, value in enumerate(node.value)]
    return []


def read_loosely(text: str, offset: int) -> tuple[Any, Cursor]:
    """The data of a JSON text that cannot be parsed, as far as it goes, and a place in it."""
    top = _Level([])
    levels, cursor = [top], None
    for match in _TOKEN.finditer(text):
        token, level = match[0], levels[-1]
        if cursor is None and match.end() >= offset:
            is_at = match.start() < offset and token[0] not in "{}[],:"
            is_behind = match.end() == offset and not is_at
            if not is_behind:
                cursor = _cursor(levels, match.span() if is_at else (offset, offset), token, is_at)
        _take(token, level, levels)
    cursor = cursor or _cursor(levels, (offset, offset), "", False)
    return (top.holder[0] if top.holder else None), cursor


def _cursor(levels: list[_Level], place: tuple[int, int], token: str, is_at: bool) -> Cursor:
    path: list[str] = []
    for level, inner in zip(levels[1:], [*levels[2:], None], strict=False):
        if isinstance(level.holder, list):
            path.append(str(len(level.holder) - (inner is not None)))
        elif inner is not None:
            path.append(level.key)
    level = levels[-1]
    if not isinstance(level.holder, dict):
        return Cursor(tuple(path), Part.VALUE, *place)
    if level.waits_for == "value":
        return Cursor((*path, level.key), Part.VALUE, *place)
    if level.waits_for == "," and not is_at:
        return Cursor((*path, level.key), Part.NONE, *place)
    return Cursor((*path, text_of(token) if is_at else ""), Part.KEY, *place)


def _take(mark: str, level: _Level, levels: list[_Level]) -> None:
    is_object = isinstance(level.holder, dict)
    if mark in ("{", "["):
        holder: Any = {} if mark == "{" else []
        level.put(holder)
        levels.append(_Level(holder))
    elif mark in ("}", "]"):
        if len(levels) > 1:
            levels.pop()
    elif mark == ":":
        level.waits_for = "value"
    elif mark == ",":
        if is_object and level.waits_for == "value":
            level.put(None)
        level.waits_for = "key"
    elif is_object and level.waits_for != "value":
        level.key, level.waits_for = text_of(mark), ":"
    else:
        level.put(text_of(mark) if mark[0] == '"' else _word(mark))


def text_of(token: str) -> str:
    """The text of a string in JSON, which may not be finished."""
    try:
        return str(json.loads(token))
    except ValueError:
        return token.strip('"')


def _word(token: str) -> Any:
    try:
        return json.loads(token)
    except ValueError:
        return None
