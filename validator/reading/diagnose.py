"""Reasons that bytes are not strict JSON, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from evalmark.validator.findings.finding import Edit, Finding, Fix, Label, Safety, apply_edits
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.reading.other_formats import other_text, packed, stand_in, table
from evalmark.validator.reading.source import Source, make_pointer
from evalmark.validator.reading.strict_json import MAX_DEPTH, TOO_LARGE

#: Characters of a text that is repaired.
MAX_LENGTH = 4_000_000
#: Quotation marks of word processors.
CURLY = "“”„‟″"

_REPAIRED_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n\N{{NO-BREAK SPACE}}]+)
    | (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<single>'(?:[^'\\\n]|\\.)*')
    | (?P<curly>[{CURLY}][^{CURLY}"\n]*[{CURLY}"])
    | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
    | (?P<number>-?[0-9][0-9a-zA-Z.+-]*)
    | (?P<open>[{{\[])
    | (?P<close>[}}\]])
    | (?P<comma>,)
    | (?P<colon>:)""",
    re.VERBOSE | re.DOTALL,
)
_PYTHON = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_VALUES = frozenset({"string", "single", "curly", "word", "number", "close"})
_BEGINS = (_VALUES - {"close"}) | {"open"}


def repair(text: str) -> Fix | None:
    """The edits that make a text JSON; None if it needs more than that."""
    if len(text) > MAX_LENGTH:
        return None
    edits = _Edits(text)
    at = 0
    while at < len(text):
        match = _REPAIRED_TOKEN.match(text, at)
        if match is None:
            return None
        edits.take(match)
        at = match.end()
    try:
        json.loads(apply_edits(text, edits.edits), parse_int=str, parse_float=str)
    except ValueError:
        return None
    return Fix(tuple(edits.edits), Safety.UNSAFE if edits.loses else Safety.SAFE)


@dataclass(slots=True)
class _Edits:
    text: str
    edits: list[Edit] = field(default_factory=list)
    loses: bool = False
    kind: str = ""
    last: re.Match[str] | None = None

    def take(self, match: re.Match[str]) -> None:
        kind = match.lastgroup or ""
        if kind == "space":
            return
        if kind == "comment":
            self.loses = True
            self._edit(match, "")
            return
        if kind == "close" and self.kind == "comma" and self.last:
            self._edit(self.last, "")
        elif kind in _BEGINS and self.kind in _VALUES and self.last:
            end = self.last.end()
            self.edits.append(Edit(end, end, ","))
        is_key = bool(re.compile(r"\s*:").match(self.text, match.end()))
        if (new := _written(match, kind, is_key)) is not None:
            self._edit(match, new)
        self.kind, self.last = kind, match

    def _edit(self, match: re.Match[str], new: str) -> None:
        self.edits.append(Edit(match.start(), match.end(), new))


def _written(match: re.Match[str], kind: str, is_key: bool) -> str | None:
    """A token as JSON has it; None if it is JSON already, or cannot be corrected."""
    text = match.group()
    match kind:
        case "single":
            inner = text[1:-1].replace("\\'", "'").replace('"', '\\"')
            return f'"{inner}"'
        case "curly":
            return f'"{text[1:-1]}"'
        case "word" if is_key:
            return f'"{text}"'
        case "word":
            return _PYTHON.get(text)
    return None


_TOKEN = re.compile(
    r'[ \t\n\r]*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?[0-9][0-9.eE+-]*)'
    r"|(?P<constant>-?Infinity|NaN)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<mark>[,:])"
    r"|(?P<word>[a-z]+))"
)
#: Bytes by which UTF-16 without a mark is recognized.
_BEGINNING = 64
#: A pair of surrogates, half of one, or another escape.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.", re.DOTALL
)

#: Message of ``json`` -> our message, and what to write.
_SYNTAX = {
    "Expecting property name enclosed in double quotes": ("expected a key in double quotes", ""),
    "Expecting value": ("expected a value", ""),
    "Expecting ',' delimiter": ("missing comma", "write `,` between members"),
    "Expecting ':' delimiter": ("missing colon after the key", "write `:`"),
    "Extra data": (
        "unexpected text after the JSON value",
        "remove it, or write it to a separate file",
    ),
    "Unterminated string starting at": ("unclosed string", 'write `"` at its end'),
    "Invalid control character at": (
        "control character in a string",
        "write it as an escape: \\n, \\t or \\u0000",
    ),
    "Invalid \\escape": ("unknown escape", "write `\\\\` for a backslash"),
    "Invalid \\uXXXX escape": ("`\\u` needs four hexadecimal digits", ""),
}


def undecodable(raw: bytes, path: str) -> tuple[Finding, str | None]:
    """The finding for bytes that are not plain UTF-8, and their text if they have one."""
    if finding := packed(raw, path):
        return finding, None
    for mark, encoding in (
        (b"\xff\xfe\x00\x00", "UTF-32"),
        (b"\x00\x00\xfe\xff", "UTF-32"),
        (b"\xff\xfe", "UTF-16"),
        (b"\xfe\xff", "UTF-16"),
    ):
        if raw.startswith(mark):
            return _wrong_encoding(encoding, path), None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        shown = " ".join(f"{byte:02x}" for byte in raw[error.start : error.end])
        message, end = f"byte {shown} at offset {error.start} is not UTF-8", len(before)
        helps = ("save the file as UTF-8",)
        return Source(path, before).finding("F002", message, end, end, helps=helps), None
    if text.startswith("\ufeff"):
        finding = Source(path, text).finding(
            "F003",
            "file begins with a byte order mark, which some JSON parsers reject",
            0,
            1,
            helps=("save the file as UTF-8 without BOM",),
            fix=Fix((Edit(0, 1, ""),), Safety.SAFE),
        )
        return finding, text[1:]
    if _is_utf16(raw):
        return _wrong_encoding("UTF-16", path), None
    at = text.index("\0")
    before = text[:at]
    helps = ("it may have been cut off while it was written: make it again, or restore a copy",)
    message = f"NUL byte at offset {len(before.encode())}, which no text has"
    return Source(path, before).finding("F004", message, at, at, helps=helps), None


def _is_utf16(raw: bytes) -> bool:
    """True if every other byte at the beginning is NUL: letters in two bytes, without a mark."""
    first = raw[:_BEGINNING]
    odd, even = first[1::2], first[::2]
    return any(not any(zeros) and all(other) for zeros, other in ((odd, even), (even, odd)))


def _wrong_encoding(encoding: str, path: str) -> Finding:
    message = f"file is {encoding}, JSON files are UTF-8"
    return file_finding("F004", path, message, helps=("save the file as UTF-8",))


def unparsable(source: Source) -> list[Finding]:
    """The findings for a text that is not strict JSON, in order of place."""
    text = source.text
    if not text.strip(" \t\n\r"):
        return [source.finding("F010", "file is empty", 0, 0)]
    if finding := stand_in(source) or table(source) or other_text(source):
        return [finding]
    deep = _too_deep(text)
    if deep is not None:
        message = f"more than {MAX_DEPTH} levels of objects and arrays"
        caret = f"level {MAX_DEPTH + 1} opens here"
        return [source.finding("F009", message, deep, deep + 1, caret=caret)]
    try:
        # Numbers are checked below; int() rejects very long ones.
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        return [_syntax(source, error)]
    return list(_irregularities(source))


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while match := _TOKEN.match(text, at):
        yield match
        at = match.end()


def _too_deep(text: str) -> int | None:
    depth = 0
    for match in _tokens(text):
        if match["open"]:
            depth += 1
            if depth > MAX_DEPTH:
                return match.start("open")
        elif match["close"]:
            depth -= 1
    return None


def _syntax(source: Source, error: json.JSONDecodeError) -> Finding:
    text, at = source.text, error.pos
    message, help_text = _SYNTAX.get(error.msg, (error.msg[:1].lower() + error.msg[1:], ""))
    if error.msg.startswith("Illegal trailing comma"):
        at = len(text) - len(text[at + 1 :].lstrip(" \t\n\r"))  # Python 3.13 stops at the comma
    character = text[at : at + 1]
    before = text[:at].rstrip(" \t\n\r")
    if text.startswith(("//", "/*", "#"), at):
        message, help_text = "JSON has no comments", "remove the comment"
    elif error.msg.startswith("Unterminated string") and "\n" not in text[at:]:
        message = "file ends inside a string: it was cut off"
        help_text = "get the whole file again"
    elif not character:
        message, help_text = _unclosed(text)
        at = len(before)
    elif error.msg == "Expecting ',' delimiter":
        at = len(before)  # where the comma should be, not where the next value begins
    elif before.endswith(",") and character in "]}":
        message, help_text = f"trailing comma before `{character}`", "remove the comma"
        at = len(before) - 1
    else:
        message, help_text = _other_language(text, at, message, help_text)
    fix = repair(text)
    return source.finding(
        "F001",
        message,
        at,
        min(at + 1, len(text)),
        notes=(f"{len(fix.edits)} occurrences in this file",) if fix and len(fix.edits) > 1 else (),
        helps=_helps(help_text, fix),
        fix=fix,
    )


def _other_language(text: str, at: int, message: str, help_text: str) -> tuple[str, str]:
    character = text[at]
    if character == "'":
        return "strings need double quotes", "replace `'` with `\"`"
    if character in CURLY:
        new = f'strings need double quotes (`"`), not `{character}`'
        return new, f'replace `{character}` with `"`'
    if word := re.match(rf"({'|'.join(_PYTHON)})\b", text[at:]):
        return f"`{word.group()}` is not JSON", f"write `{_PYTHON[word.group()]}`"
    if name := re.match(r"[A-Za-z_$][A-Za-z0-9_$]*(?=\s*:)", text[at:]):
        return message, f'write `"{name.group()}"`'
    return message, help_text


def _helps(text: str, fix: Fix | None) -> tuple[str, ...]:
    is_lossy = fix is not None and fix.safety is Safety.UNSAFE
    return (text + "; the fix loses the comments" * is_lossy,) if text else ()


def _unclosed(text: str) -> tuple[str, str]:
    stack: list[str] = []
    for match in _tokens(text):
        if match["open"]:
            stack.append(match["open"])
        elif match["close"] and stack:
            stack.pop()
    if not stack:
        return "unexpected end of file: expected a value", ""
    return f"file ends before `{stack[-1]}` is closed", "check whether the file is complete"


@dataclass(slots=True)
class _Level:
    is_object: bool
    keys: dict[str, int] = field(default_factory=dict)
    key: str = ""
    index: int = 0
    expects_key: bool = True


def _irregularities(source: Source) -> Iterator[Finding]:
    """Duplicate keys, NaN, numbers beyond double and lone surrogates of a well-formed text."""
    text = source.text
    levels: list[_Level] = []
    for match in _tokens(text):
        path = [level.key if level.is_object else level.index for level in levels]
        if match["open"]:
            levels.append(_Level(match["open"] == "{"))
        elif match["close"]:
            levels.pop()
        elif match["mark"] == "," and levels:
            levels[-1].index += 1
            levels[-1].expects_key = True
        elif match["string"]:
            start, end = match.span("string")
            yield from _surrogates(source, start, end, make_pointer(path))
            if levels and levels[-1].is_object and levels[-1].expects_key:
                levels[-1].expects_key = False
                yield from _key(source, levels, start, end)
        elif match["constant"]:
            start, end = match.span("constant")
            yield source.finding(
                "F006",
                f"{match['constant']} is not JSON",
                start,
                end,
                pointer=make_pointer(path),
                helps=("write a number or null, or remove the key",),
            )
        elif match["number"] and float(match["number"]) in (float("inf"), float("-inf")):
            start, end = match.span("number")
            yield source.finding(
                "F007",
                TOO_LARGE,
                start,
                end,
                pointer=make_pointer(path),
                helps=("parsers read it as infinity or reject it; write a smaller number",),
            )


def _key(source: Source, levels: list[_Level], start: int, end: int) -> Iterator[Finding]:
    level = levels[-1]
    key = json.loads(source.text[start:end], strict=False)
    if key in level.keys:
        first = level.keys[key]
        parent = make_pointer(up.key if up.is_object else up.index for up in levels[:-1])
        yield source.finding(
            "F005",
            f"key {json.dumps(key, ensure_ascii=False)} appears twice in this object",
            start,
            end,
            caret="parsers keep this one and drop the other",
            pointer=parent + make_pointer([key]),
            labels=(Label(source.span(first, first + end - start), "first here"),),
            helps=("remove one of them",),
        )
    else:
        level.keys[key] = start
    level.key = key


def _surrogates(source: Source, start: int, end: int, pointer: str) -> Iterator[Finding]:
    escapes = _ESCAPE.finditer(source.text, start, end)
    if half := next((match for match in escapes if match["half"]), None):
        yield source.finding(
            "F008",
            f"{half.group()} is half of a surrogate pair",
            *half.span(),
            pointer=pointer,
            helps=("write both halves of the pair, or the character itself",),
        )
