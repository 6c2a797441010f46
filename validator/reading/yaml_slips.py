"""Texts of a YAML file that its parsers take for something else: a tag, an anchor, a comment.

Nothing tells that they were meant as texts, and part of them would be lost without a word.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from evalmark.validator.reading.yaml_source import PREFIX, YamlSource
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

#: What is not laid out as comments are: with a blank after the sign, or on a line of its own.
_COMMENT = re.compile(r"[ \t]+(#[^\s#][^\n]*)")
_INSTEAD = re.compile(r".*?(?:[:\-]|^)[ \t]+(#[^\s#].*)")
#: Characters of a comment, and of blanks after it, that are looked at.
_LONGEST = 2000


class Misread(NamedTuple):
    """A text that needs quotes: the code and the message of its finding, where, and the text."""

    code: str
    message: str
    start: int
    end: int
    text: str

    @property
    def help(self) -> str:
        """What to write."""
        return f"write `{json.dumps(self.text, ensure_ascii=False)}`"


def misread(source: YamlSource, node: Node) -> Misread | None:
    """What was probably meant as a text; None if the value is one, or is meant."""
    start, end = node.start_mark.index, node.end_mark.index
    written = source.text[start:end].rstrip()
    end = start + len(written)
    if "\n" in written:
        return None
    if isinstance(node, MappingNode):
        if (
            written.startswith("{")
            and node.value
            and all(map(_is_absent, (v for _, v in node.value)))
        ):
            message = f"`{written}` without quotes is an object in YAML"
            return Misread("F015", message, start, end, written)
        return None
    if not isinstance(node, ScalarNode) or node.style:
        return None
    if re.match(r"!(?![!<])", written):
        message = "value begins with `!`, which is a tag in YAML"
        return Misread("F016", message, start, end, written)
    if written.startswith("&") and node.anchor not in source.aliases:
        message = "value begins with `&`, which is an anchor in YAML; nothing refers to it"
        return Misread("F015", message, start, end, written)
    if _is_absent(node):
        return _commented_out(source, start)
    if node.tag == f"{PREFIX}str" and (comment := _COMMENT.match(source.text, end)):
        last = comment.start(1) + len(comment[1].rstrip())
        message = f"`{comment[1].rstrip()}` is a comment in YAML, and not part of the text"
        return Misread("F015", message, start, last, source.text[start:last])
    return None


def _commented_out(source: YamlSource, next_token: int) -> Misread | None:
    """The comment that is in the place of a value, which ends where the next token begins."""
    first = max(0, next_token - _LONGEST)
    before = source.text[first:next_token].rstrip()
    comment = _INSTEAD.fullmatch(before, before.rfind("\n") + 1)
    if comment is None:
        return None
    message = f"`{comment[1]}` is a comment in YAML, so that there is no value"
    start, end = comment.span(1)
    return Misread("F015", message, first + start, first + end, comment[1])


def _is_absent(node: Node) -> bool:
    return isinstance(node, ScalarNode) and not (node.value or node.style or node.anchor)
