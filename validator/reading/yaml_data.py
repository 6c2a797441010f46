"""YAML files: the JSON value that all parsers agree on, and its places.

ruamel.yaml composes the nodes. What a plain scalar means is decided here, since parsers of YAML
1.1 and 1.2 differ on it: only what both take alike is accepted.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from evalmark.validator.findings.finding import Finding, Label
from evalmark.validator.reading.markers import LFS_POINTER
from evalmark.validator.reading.other_formats import stand_in
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import MAX_DEPTH
from evalmark.validator.reading.yaml_slips import Misread, misread
from evalmark.validator.reading.yaml_source import PREFIX, YamlSource, members
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.resolver import VersionedResolver

#: Limit on the size of a document with its aliases expanded, in sizes of its text.
MAX_GROWTH = 10

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+][0-9]+)?")
_LIMITLESS = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_yaml(text: str, path: str) -> tuple[Source, Any, list[Finding]]:
    """A YAML text as a source and as data, and what is wrong with it.

    The data is to be used only if there are no findings.
    """
    plain = Source(path, text)
    if not text.strip():
        return plain, None, [plain.finding("F010", "file is empty", 0, 0)]
    if text.startswith(LFS_POINTER):  # which is YAML
        return plain, None, list(filter(None, [stand_in(plain)]))
    try:
        with warnings.catch_warnings(action="ignore", category=ReusedAnchorWarning):
            root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        from evalmark.validator.reading.yaml_mistakes import syntax_finding  # for bad files only

        return plain, None, [syntax_finding(plain, error)]
    except RecursionError:
        message = f"more than {MAX_DEPTH} levels of mappings and sequences"
        return plain, None, [plain.finding("F009", message, 0, 0)]
    except (YAMLError, ValueError, AttributeError, IndexError, TypeError) as error:
        # ruamel.yaml raises the last four on some broken input.
        message = str(error).partition("\n")[0] or "cannot be read as YAML"
        return plain, None, [plain.finding("F014", message, 0, 0)]
    if root is None:
        return plain, None, [plain.finding("F010", "file is empty", 0, 0)]
    source = YamlSource(path, text, root)
    builder = _Builder(source)
    data = builder.build(root)
    return source, data, builder.findings


@dataclass
class _Builder:
    """From nodes to data, finding by finding."""

    source: YamlSource
    findings: list[Finding] = field(default_factory=list)
    nodes: int = 0

    def build(self, node: Node) -> Any:
        return self._value(node, (), ())

    def _value(self, node: Node, path: tuple[str | int, ...], above: tuple[int, ...]) -> Any:
        self.nodes += 1
        if self.nodes > max(10_000, MAX_GROWTH * len(self.source.text)):
            if self.findings[-1:] and self.findings[-1].code == "F017":
                return None  # already reported; nothing below is checked
            message = f"aliases make the document more than {MAX_GROWTH} times as large as its text"
            self._say("F017", message, node, path, "expanding them could exhaust memory")
            return None
        if id(node) in above:
            self._say(
                "F016",
                "value contains itself",
                node,
                path,
                "replace the alias: a JSON value cannot contain itself",
            )
            return None
        if len(path) >= MAX_DEPTH:
            message = f"more than {MAX_DEPTH} levels of mappings and sequences"
            self._say("F009", message, node, path)
            return None
        if lost := misread(self.source, node):
            self._misread(lost, path)
            return None
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if node.tag not in (f"{PREFIX}map", f"{PREFIX}seq"):
            self._say(
                "F016", f"tag {node.tag} has no JSON equivalent", node, path, "remove the tag"
            )
            return None
        above = (*above, id(node))
        if isinstance(node, SequenceNode):
            return [self._value(n, (*path, i), above) for i, n in enumerate(node.value)]
        assert isinstance(node, MappingNode)
        return self._mapping(node, path, above)

    def _mapping(
        self, node: MappingNode, path: tuple[str | int, ...], above: tuple[int, ...]
    ) -> dict[str, Any]:
        data: dict[str, Any] = {}
        keys: dict[str, Node] = {}
        own = {id(key) for key, _ in node.value}
        for key, value in members(node):
            name = self._scalar(key, path) if isinstance(key, ScalarNode) else None
            if not isinstance(name, str):
                if name is not None or not isinstance(key, ScalarNode) or key.value in ("", "~"):
                    self._say("F016", "key is not a string", key, path, "write it in quotes")
            elif name not in keys:
                keys[name] = key
                data[name] = self._value(value, (*path, name), above)
            elif id(key) in own:
                self._duplicate(key, keys[name], (*path, name))
        return data

    def _duplicate(self, key: Node, first: Node, path: tuple[str | int, ...]) -> None:
        start, end = self.source.extent(first)
        label = Label(self.source.span(start, end), "first here")
        message = f'key "{path[-1]}" appears twice in this object'
        self._say("F005", message, key, path, "remove one of them", labels=(label,))

    def _scalar(self, node: ScalarNode, path: tuple[str | int, ...]) -> Any:
        value: str = node.value
        tag = str(node.tag).removeprefix(PREFIX)
        if _SURROGATE.search(value):
            self._say(
                "F008", "half of a surrogate pair in a string", node, path, "write the character"
            )
            return None
        if node.style or (tag == "str" and self._is_tagged(node)):
            return self._text(node, tag, path)
        if tag in ("int", "float") and _LIMITLESS.fullmatch(value):
            cure = "write a number or null, or remove the key"
            self._say("F006", f"{value} is not JSON", node, path, cure)
            return None
        others = {_meaning(value, (1, 1)), _meaning(value, (1, 2))}
        if others == {"null"} or others == {"bool"}:
            return None if tag == "null" else value.lower() == "true"
        if others == {"int"} and _INTEGER.fullmatch(value):
            return self._number(node, path)
        if others == {"float"} and _FLOAT.fullmatch(value):
            return self._number(node, path)
        if others == {"str"} and tag == "str":
            return value
        if self._is_tagged(node) and tag not in ("int", "float", "bool", "null"):
            message = f"tag {node.tag} has no JSON equivalent"
            self._say("F016", message, node, path, "remove the tag")
            return None
        return self._ambiguous(node, others | {tag}, path)

    def _text(self, node: ScalarNode, tag: str, path: tuple[str | int, ...]) -> Any:
        if tag == "str":
            return node.value
        message = f"tag {node.tag} has no JSON equivalent"
        return self._say("F016", message, node, path, "remove the tag")

    def _number(self, node: ScalarNode, path: tuple[str | int, ...]) -> Any:
        digits: str = node.value
        if abs(float(digits)) == float("inf"):
            cure = "parsers read it as infinity or reject it; write a smaller number"
            message = "number is larger than a double can hold"
            return self._say("F007", message, node, path, cure)
        return int(digits) if _INTEGER.fullmatch(digits) else float(digits)

    def _ambiguous(self, node: ScalarNode, meanings: set[str], path: tuple[str | int, ...]) -> None:
        words = {
            "bool": "true or false",
            "timestamp": "a date",
            "int": "a number",
            "float": "a number",
            "value": "an error",
            "merge": "a merge",
        }
        others = sorted({words[m] for m in meanings if m in words})
        message = f"`{node.value}` without quotes is {' or '.join(others)} to some YAML parsers"
        cure = f'write `"{node.value}"` for the text'
        plain = {"true or false": "true or false", "a number": "plain digits for the number"}
        for other in others:
            if other in plain:
                cure += f", {plain[other]}"
        self._say("F015", message, node, path, cure)

    def _misread(self, lost: Misread, path: tuple[str | int, ...]) -> None:
        pointer = make_pointer(path)
        found = self.source.finding(
            lost.code, lost.message, lost.start, lost.end, pointer=pointer, helps=(lost.help,)
        )
        self.findings.append(found)

    def _is_tagged(self, node: ScalarNode) -> bool:
        start, _ = self.source.extent(node)
        return "!" in self.source.text[node.start_mark.index : start]

    def _say(
        self,
        code: str,
        message: str,
        node: Node,
        path: tuple[str | int, ...],
        cure: str = "",
        labels: tuple[Label, ...] = (),
    ) -> None:
        start, end = self.source.extent(node)
        line_end = self.source.text.find("\n", start, end)
        end = end if line_end == -1 else line_end
        helps = (cure,) if cure else ()
        found = self.source.finding(
            code, message, start, end, pointer=make_pointer(path), labels=labels, helps=helps
        )
        self.findings.append(found)


def all_read_as_text(value: str) -> bool:
    """Whether a plain scalar is text in all versions of YAML."""
    return {_meaning(value, (1, 1)), _meaning(value, (1, 2))} == {"str"}


@cache
def _resolver(version: tuple[int, int]) -> VersionedResolver:
    return VersionedResolver(version=version)


def _meaning(value: str, version: tuple[int, int]) -> str:
    """What a plain scalar means in a version of YAML."""
    tag = _resolver(version).resolve(ScalarNode, value, (True, False))
    return str(tag).removeprefix(PREFIX)
