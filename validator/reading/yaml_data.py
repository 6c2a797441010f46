"""YAML files: the JSON value that all parsers agree on, and its places.

ruamel.yaml composes the nodes. What a plain scalar means is decided here, since parsers of YAML
1.1 and 1.2 differ on it: only what both take alike is accepted. Texts that parsers take for a tag,
an anchor or a comment are reported: part of them would be lost without a word.
"""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from evalmark.schemas.errors import TooMuchError
from evalmark.validator.findings.finding import Finding, Label
from evalmark.validator.reading.lines import LFS_POINTER
from evalmark.validator.reading.other_formats import stand_in
from evalmark.validator.reading.source import Source, make_pointer
from evalmark.validator.reading.strict_json import MAX_DEPTH, TOO_LARGE
from evalmark.validator.reading.work_budget import WorkBudget
from evalmark.validator.reading.yaml_source import PREFIX, YamlSource, yaml_members
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.resolver import VersionedResolver

#: Comments with another layout: no blank after the sign, nor a line of their own.
_COMMENT_AFTER = re.compile(r"[ \t]+(#[^\s#][^\n]*)")
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
        """The suggestion."""
        return f"write `{json.dumps(self.text, ensure_ascii=False)}`"


def misread(source: YamlSource, node: Node) -> Misread | None:
    """The text that was probably meant; None if the value is one, or is meant."""
    start, end = node.start_mark.index, node.end_mark.index
    written = source.text[start:end].rstrip()
    end = start + len(written)
    if "\n" in written:
        return None
    if isinstance(node, MappingNode):
        keys_alone = node.value and all(_is_absent(value) for _, value in node.value)
        if not keys_alone or not written.startswith("{"):
            return None
        message = f"`{written}` without quotes is an object in YAML"
        return Misread("F015", message, start, end, written)
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
    if node.tag == f"{PREFIX}str" and (comment := _COMMENT_AFTER.match(source.text, end)):
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


#: Characters of a file that is read again to see whether a suggestion helps.
MAX_LENGTH = 200_000

#: The part of a line before its value: indentation, dashes, and a key.
_BEFORE = re.compile(r"""\s*(?:- +)*(?:(?:[a-z_]+|"[^"]*"|'[^']*'|[0-9]+): +)?""")
_BEFORE_ITEM = re.compile(r"\s*(?:- +)+")
#: A bracket that is closed before the end of a text.
_ENDED = re.compile(r"\{[^{}\[\]]*\}.+|\[[^{}\[\]]*\].+")
_COMMENT = re.compile(r"\s+#.*$|\s+$")
#: A member of a mapping, or an element of a sequence, in braces or brackets.
_IN_FLOW = re.compile(r"""(?<=[{\[,])(\s*(?:[a-z_]+: +)?)([^{}\[\],"']+)(?=[}\],])""")


def syntax_finding(source: Source, error: MarkedYAMLError) -> Finding:
    """The finding for a text that cannot be composed."""
    at = _offset(source, error)
    finding = stand_in(source) or _tab(source, at) or _several_documents(source, error, at)
    if finding is None and len(source.text) <= MAX_LENGTH:
        finding = _unquoted(source, error, at) or _misplaced(source, at)
    finding = finding or _key_in_text(source, error, at) or _unclosed(source, error, at)
    message = " ".join(filter(None, (error.problem, error.context))) or "cannot be read as YAML"
    return finding or source.finding("F014", message, at, at + 1)


def _offset(source: Source, error: MarkedYAMLError) -> int:
    """The offset of an error; at the end of the file, that of the beginning of what is open."""
    mark = error.problem_mark or error.context_mark
    if mark is not None and error.context_mark is not None and mark.index >= len(source.text):
        mark = error.context_mark
    return min(mark.index, len(source.text)) if mark is not None else 0


def _tab(source: Source, at: int) -> Finding | None:
    if "\t" not in source.text[at : at + 1]:
        return None
    message = "YAML does not allow tabs for indentation"
    helps = ("replace the tab with spaces",)
    return source.finding("F014", message, at, at + 1, helps=helps)


def _several_documents(source: Source, error: MarkedYAMLError, at: int) -> Finding | None:
    if "expected a single document" not in str(error):
        return None
    message = "file has more than one YAML document"
    return source.finding("F014", message, at, at, helps=("write one document per file",))


def _key_in_text(source: Source, error: MarkedYAMLError, at: int) -> Finding | None:
    if not str(error.problem or "").startswith("mapping values are not allowed"):
        return None
    message = "`: ` in unquoted text; YAML reads it as a key and a value"
    helps = ("put the whole text in double quotes",)
    return source.finding("F014", message, at, at + 1, helps=helps)


def _unclosed(source: Source, error: MarkedYAMLError, at: int) -> Finding | None:
    opened = error.context_mark.index if error.context_mark is not None else at
    before = source.text[:at].rstrip()
    opened = len(before) - 1 if before.endswith(("{", "[")) else opened
    sign = source.text[opened : opened + 1]
    if "parsing a flow" not in str(error.context) or sign not in ("{", "["):
        return None
    fixes = [f"close it with `{'}' if sign == '{' else ']'}`"]
    if len(source.text) <= MAX_LENGTH and (text := _unquoted(source, error, opened, flow=True)):
        fixes += [f"or {help_text}" for help_text in text.helps]
    message = f"`{sign}` is not closed, or a value inside it needs quotes"
    return source.finding("F014", message, opened, opened + 1, helps=tuple(fixes))


def _unquoted(
    source: Source, error: MarkedYAMLError, at: int, *, flow: bool = False
) -> Finding | None:
    for start, end in _texts(source.text, at):
        text = source.text[start:end]
        if text[0] in "{[" and not (flow or _ENDED.fullmatch(text)):
            continue  # what is not closed yet
        begun = text[1:] if text[0] in "\"'" else text
        inner = begun.removesuffix(text[0]) if begun != text else text
        quoted = json.dumps(inner, ensure_ascii=False)
        if quoted != text and _reads_on(source.text, start, end, quoted):
            return source.finding(
                "F014", _reason(text, error), start, end, helps=(f"write `{quoted}`",)
            )
    return None


def _reason(text: str, error: MarkedYAMLError) -> str:
    if text[0] in "\"'":
        if text[-1] != text[0]:
            return "missing closing quote"
        escape = "escape" in str(error.problem)
        return "unknown escape in quoted text" if escape else "quotes within quoted text"
    if text[0] in "-?:,[]{}#&*!|>%@`":
        return f"text that begins with `{text[0]}` needs quotes"
    return "text that contains `: ` needs quotes; YAML reads it as a key and a value"


def _texts(text: str, at: int) -> list[tuple[int, int]]:
    """Places of a text that may need quotes: a member in braces, a value, a list's element."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    places = [m.span(2) for m in _IN_FLOW.finditer(line) if m.start() <= at - start <= m.end()]
    starts = [match.end() for match in (_BEFORE.match(line), _BEFORE_ITEM.match(line)) if match]
    places += [(left, len(_COMMENT.sub("", line))) for left in starts]
    return [(start + left, start + right) for left, right in places if left < right]


def _misplaced(source: Source, at: int) -> Finding | None:
    text = source.text
    start = text.rfind("\n", 0, at) + 1
    indent = text[start:at]
    if indent.strip() or not start:
        return None
    above = [line for line in text[:start].split("\n") if line.strip()]
    widths = {len(line) - len(line.lstrip(" ")) for line in above}
    widths |= {line.index("- ") + 2 for line in above if line.lstrip().startswith("- ")}
    for width in sorted(widths, key=lambda width: (abs(width - len(indent)), width)):
        if width != len(indent) and _reads_on(text, start, at, " " * width):
            message = f"indentation of {_spaces(len(indent))} matches no line above"
            helps = (f"indent it by {_spaces(width)}",)
            return source.finding("F014", message, start, at, helps=helps)
    return None


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _reads_on(text: str, start: int, end: int, new: str) -> bool:
    changed = text[:start] + new + text[end:]
    try:
        YAML(typ="safe", pure=True).compose(changed)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return (
            mark is not None and mark.index > start + len(new) + 1 and "block end" not in str(error)
        )
    except (YAMLError, ValueError, AttributeError, IndexError, TypeError, RecursionError):
        return False
    return True


#: Limit on the size of a document with its aliases expanded, in sizes of its text.
MAX_GROWTH = 10

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+][0-9]+)?")
_NUMBERS = {"int": _INTEGER, "float": _FLOAT}
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
    return source, builder.value(root), builder.findings


@dataclass
class _Builder:
    source: YamlSource
    findings: list[Finding] = field(default_factory=list)
    budget: WorkBudget = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.source.text)
        self.budget = WorkBudget.of(size)
        self.budget.cells = max(10_000, MAX_GROWTH * size)

    def value(
        self, node: Node, path: tuple[str | int, ...] = (), above: tuple[int, ...] = ()
    ) -> Any:
        if self._is_too_much(node, path):
            return None
        if id(node) in above:
            cure = "replace the alias: a JSON value cannot contain itself"
            return self._say("F016", "value contains itself", node, path, cure)
        if len(path) >= MAX_DEPTH:
            message = f"more than {MAX_DEPTH} levels of mappings and sequences"
            return self._say("F009", message, node, path)
        if lost := misread(self.source, node):
            self.findings.append(
                self.source.finding(
                    lost.code, lost.message, lost.start, lost.end, pointer=make_pointer(path),
                    helps=(lost.help,),
                )
            )  # fmt: skip
            return None
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if node.tag not in (f"{PREFIX}map", f"{PREFIX}seq"):
            return self._say_tag(node, path)
        above = (*above, id(node))
        if isinstance(node, SequenceNode):
            return [self.value(n, (*path, i), above) for i, n in enumerate(node.value)]
        assert isinstance(node, MappingNode)
        return self._mapping(node, path, above)

    def _is_too_much(self, node: Node, path: tuple[str | int, ...]) -> bool:
        """Count a node, as often as aliases repeat it; nothing below one too many is checked."""
        try:
            self.budget.take(
                cells=1, characters=len(node.value) if isinstance(node, ScalarNode) else 0
            )
        except TooMuchError:
            if self.findings[-1:] and self.findings[-1].code == "F017":
                return True  # already reported
            message = f"aliases make the document more than {MAX_GROWTH} times as large as its text"
            self._say("F017", message, node, path, "expanding them could exhaust memory")
            return True
        return False

    def _mapping(
        self, node: MappingNode, path: tuple[str | int, ...], above: tuple[int, ...]
    ) -> dict[str, Any]:
        data: dict[str, Any] = {}
        keys: dict[str, Node] = {}
        key_ids = {id(key) for key, _ in node.value}
        for key, value in yaml_members(node):
            name = self._scalar(key, path) if isinstance(key, ScalarNode) else None
            if name in keys and self._is_too_much(key, path):
                break
            if not isinstance(name, str):
                if name is not None or not isinstance(key, ScalarNode) or key.value in ("", "~"):
                    self._say("F016", "key is not a string", key, path, "write it in quotes")
            elif name not in keys:
                keys[name] = key
                data[name] = self.value(value, (*path, name), above)
            elif id(key) in key_ids:
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
            message = "half of a surrogate pair in a string"
            return self._say("F008", message, node, path, "write the character")
        if node.style or (tag == "str" and self._is_tagged(node)):
            return value if tag == "str" else self._say_tag(node, path)
        if tag in ("int", "float") and _LIMITLESS.fullmatch(value):
            cure = "write a number or null, or remove the key"
            return self._say("F006", f"{value} is not JSON", node, path, cure)
        return self._plain(node, tag, path)

    def _plain(self, node: ScalarNode, tag: str, path: tuple[str | int, ...]) -> Any:
        """The value of a scalar without quotes, if all parsers agree on it."""
        value: str = node.value
        meanings = {_meaning(value, (1, 1)), _meaning(value, (1, 2))}
        (meaning,) = meanings if len(meanings) == 1 else ("",)
        if meaning in ("null", "bool"):
            return None if tag == "null" else value.lower() == "true"
        if meaning in _NUMBERS and _NUMBERS[meaning].fullmatch(value):
            return self._number(node, path)
        if meaning == tag == "str":
            return value
        if self._is_tagged(node) and tag not in ("int", "float", "bool", "null"):
            return self._say_tag(node, path)
        return self._ambiguous(node, meanings | {tag}, path)

    def _say_tag(self, node: Node, path: tuple[str | int, ...]) -> None:
        message = f"tag {node.tag} has no JSON equivalent"
        self._say("F016", message, node, path, "remove the tag")

    def _number(self, node: ScalarNode, path: tuple[str | int, ...]) -> Any:
        digits: str = node.value
        if abs(float(digits)) == float("inf"):
            cure = "parsers read it as infinity or reject it; write a smaller number"
            return self._say("F007", TOO_LARGE, node, path, cure)
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
        plain = {"true or false": ", true or false", "a number": ", plain digits for the number"}
        readings = "".join(plain.get(meaning, "") for meaning in others)
        cure = f'write `"{node.value}"` for the text{readings}'
        self._say("F015", message, node, path, cure)

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
        finding = self.source.finding(
            code, message, start, end, pointer=make_pointer(path), labels=labels, helps=helps
        )
        self.findings.append(finding)


def all_read_as_text(value: str) -> bool:
    """True if a plain scalar is text in all versions of YAML."""
    return {_meaning(value, (1, 1)), _meaning(value, (1, 2))} == {"str"}


@cache
def _resolver(version: tuple[int, int]) -> VersionedResolver:
    return VersionedResolver(version=version)


def _meaning(value: str, version: tuple[int, int]) -> str:
    tag = _resolver(version).resolve(ScalarNode, value, (True, False))
    return str(tag).removeprefix(PREFIX)
