"""What is not JSON but nearly: the edits that make it JSON, found in one pass."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from evalmark.validator.findings.finding import Edit, Fix, Safety, apply_edits

#: Characters of a text that is repaired.
MAX_LENGTH = 4_000_000
#: Quotation marks of word processors.
CURLY = "“”„‟″"

_TOKEN = re.compile(
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
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        edits.take(match)
        at = match.end()
    try:
        json.loads(apply_edits(text, edits.found), parse_int=str, parse_float=str)
    except ValueError:
        return None
    return Fix(tuple(edits.found), Safety.UNSAFE if edits.loses else Safety.SAFE)


@dataclass(slots=True)
class _Edits:
    """The edits so far, and the last tokens that count."""

    text: str
    found: list[Edit] = field(default_factory=list)
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
            self.found.append(Edit(end, end, ","))
        if (new := _written(match, kind, self._is_key(match))) is not None:
            self._edit(match, new)
        self.kind, self.last = kind, match

    def _is_key(self, match: re.Match[str]) -> bool:
        return bool(re.compile(r"\s*:").match(self.text, match.end()))

    def _edit(self, match: re.Match[str], new: str) -> None:
        self.found.append(Edit(match.start(), match.end(), new))


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
