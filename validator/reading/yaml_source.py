"""The text of a YAML file, and the position of the value at a JSON pointer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from evalmark.validator.findings.finding import Change, Edit, Span
from evalmark.validator.reading.source import Place, Source, parse_pointer
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

#: The beginning of the tags of YAML itself.
PREFIX = "tag:yaml.org,2002:"

#: Anchor and tag before a value.
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")


@dataclass(eq=False)
class YamlSource(Source):
    """The text of a YAML file, with the nodes that were composed from it."""

    root: Node

    @cached_property
    def aliases(self) -> frozenset[str]:
        """Names that may be those of aliases: `*name` anywhere in the text."""
        return frozenset(re.findall(r"\*([^\s,\]}:]+)", self.text))

    def place(self, pointer: str) -> Place | None:
        """Offsets of the value at a pointer; None if there is none."""
        member = self._find(pointer)
        if member is None:
            return None
        key, node = member
        start, end = self.extent(node)
        return Place(start, end, *(self.extent(key) if key is not None else ()))

    def value_span(self, pointer: str) -> Span | None:
        """Span of the value at a pointer; of one over several lines, its key."""
        member = self._find(pointer)
        if member is None:
            return None
        key, node = member
        start, end = self.extent(node)
        if "\n" not in self.text[start:end]:
            return self.span(start, end)
        if key is not None and not isinstance(node, ScalarNode):
            return self.span(*self.extent(key))
        line_end = self.text.index("\n", start)
        return self.span(start, line_end)

    def string_span(self, pointer: str, start: int, end: int) -> Span | None:
        """Span of characters in the string at a pointer; the whole value if it is not verbatim."""
        first = self._offset_if_verbatim(pointer)
        if first is None:
            return self.value_span(pointer)
        return self.span(first + start, first + end)

    def edit_of(self, change: Change) -> Edit | None:
        """The edit of a key, or inside a string in double quotes: only these take any text.

        JSON text in the place of a value could mean something else in YAML, and what belongs to a
        member of a block depends on the indentation around it.
        """
        at, text = change.at, change.text
        if text is None or change.adds:
            return None
        if at.key:
            edit = super().edit_of(change)
            is_plain = edit is not None and self.text[edit.start] not in "'\""
            return edit._replace(text=text.strip('"')) if edit and is_plain else edit
        first = self._offset_if_verbatim(at.pointer)
        if first is None or at.start is None or at.end is None or self.text[first - 1] != '"':
            return None
        return Edit(first + at.start, first + at.end, text)

    def bracketed(self, pointer: str) -> str | None:
        """The text of an object or array at a pointer, if it is in brackets on a line."""
        member = self._find(pointer)
        if member is None:
            return None
        start, end = self.extent(member[1])
        written = self.text[start:end]
        return written if written.startswith(("{", "[")) and "\n" not in written else None

    def _offset_if_verbatim(self, pointer: str) -> int | None:
        member = self._find(pointer)
        if member is None or not isinstance(member[1], ScalarNode):
            return None
        start, end = self.extent(member[1])
        inner = start + 1 if member[1].style in ("'", '"') else start
        value: str = member[1].value
        return inner if self.text[inner : inner + len(value)] == value and inner < end else None

    def _find(self, pointer: str) -> tuple[Node | None, Node] | None:
        key: Node | None = None
        node = self.root
        for token in parse_pointer(pointer):
            if isinstance(node, MappingNode):
                pair = next((pair for pair in yaml_members(node) if pair[0].value == token), None)
                if pair is None:
                    return None
                key, node = pair
            elif isinstance(node, SequenceNode) and token.isdecimal():
                if int(token) >= len(node.value):
                    return None
                key, node = None, node.value[int(token)]
            else:
                return None
        return key, node

    def extent(self, node: Node) -> tuple[int, int]:
        """Offsets of a node, without its tag, its anchor and trailing space."""
        start, end = node.start_mark.index, node.end_mark.index
        properties = _PROPERTIES.match(self.text, start, end)
        start = properties.end() if properties else start
        return start, start + len(self.text[start:end].rstrip())


def yaml_members(node: MappingNode) -> Iterator[tuple[Node, Node]]:
    """The pairs of a mapping: its own, then those of its merges (`<<`), in their order.

    Of two pairs with the same key the earlier one counts.
    """
    pending, merged = [node], set()
    while pending:
        mapping = pending.pop(0)
        if id(mapping) in merged:
            continue  # the same pairs again, or a mapping that merges itself
        merged.add(id(mapping))
        sources: list[Node] = []
        for key, value in mapping.value:
            if not _is_merge(key):
                yield key, value
            elif isinstance(value, SequenceNode):
                sources += value.value
            else:
                sources.append(value)
        pending[:0] = [source for source in sources if isinstance(source, MappingNode)]


def _is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and key.tag == f"{PREFIX}merge" and not key.style
