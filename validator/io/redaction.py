"""Secrets in texts: what looks like a key or a password is never shown, stored or published."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from evalmark.schemas.phrase import Phrase


class _Form(NamedTuple):
    """A form of secrets: texts of which one is in each; the group is what may be shown of it."""

    markers: tuple[str, ...]
    pattern: str  # compiled when a marker is found: all of them would take 4 ms of each command


def _form(markers: str, pattern: str) -> _Form:
    return _Form(tuple(markers.split("|")), pattern)


#: A secret begins a word, or follows an escape in the text of a file.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4}))"
#: What stands for a secret: a variable, a call, stars, `YOUR_KEY`, `<key>`, `xxxx`.
_NO_PLACEHOLDER = (
    r"(?![<{\[…]|\$[A-Z_{(]|%(?![0-9A-Fa-f]{2})|\*\*|\.\.\.|[A-Z]+(?:_[A-Z]+)+\b|[xX]{3}"
    r"|[A-Za-z_][\w.]*[(\[]|(?i:your[_-]|redacted|(?:none|null|true|false)\b))"
)
_LETTER, _VALUE = r"[A-Za-z0-9._~+/=-]", r"[^\s&;,\"'<>\\#()|]"
#: A value with a digit: one look per key, not one to the end of the text.
_DIGIT = rf"(?=={_VALUE}{{0,99}}[0-9])"
_FORMS = (
    _form("sk-", _START + r"(sk-(?:ant-|proj-|or-)?)[A-Za-z0-9_-]{20,}"),
    _form("hf_", _START + r"(hf_)[A-Za-z0-9]{30,}"),
    _form("ghp_|gho_|ghu_|ghs_|ghr_", _START + r"(gh[pousr]_)[A-Za-z0-9]{30,}"),
    _form("github_pat_", _START + r"(github_pat_)[A-Za-z0-9_]{30,}"),
    _form("AKIA", _START + r"(AKIA)[A-Z0-9]{16}"),
    _form("AIza", _START + r"(AIza)[A-Za-z0-9_-]{35}"),
    _form("xox", _START + r"(xox[abprs]-)[A-Za-z0-9-]{10,}"),
    _form("eyJ", _START + r"(?<!-)(eyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*"),
    _form(
        "PRIVATE KEY-----",
        r"(-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)(?:[A-Za-z0-9+/=:,\s-]|\\[nr]){16,}",
    ),
    _form(
        "uthorization|UTHORIZATION",
        r"((?i:authorization)[\"'\\]*\s*[:=]\s*[\"'\\]*(?i:bearer|basic|token)\s+)"
        rf"{_NO_PLACEHOLDER}{_LETTER}{{6,}}",
    ),
    _form("earer ", rf"(\b[Bb]earer )(?={_LETTER}*[0-9]){_LETTER}{{12,}}"),
    _form("@", rf"(://[^\s/:@?#\"'<>\\]*:){_NO_PLACEHOLDER}[^\s/\"'<>\\]+(?=@)"),
    _form(
        "ey=|EY=|oken=|OKEN=|ecret=|ECRET=|word=|WORD=|passwd=|sig=|ignature=",
        # In a query of a URL; or else with a digit, since code says `api_key=api_key`.
        r"((?:[?&;](?:[\w-]+[-_])?(?i:key|token|secret|password|passwd|sig|signature)"
        rf"|(?:[?&;](?i:api|access|auth)(?i:key|token)|(?i:api|access|auth|secret|private)[_-]?"
        rf"(?i:key|token){_DIGIT}|(?i:client_secret|password|passwd){_DIGIT}))=)"
        rf"{_NO_PLACEHOLDER}{_VALUE}{{6,}}",
    ),
)
_MARKERS = tuple(marker for form in _FORMS for marker in form.markers)
#: What every text with a secret matches, written for engines that are fast and look at no context.
LIKELY = (
    r"sk-[A-Za-z0-9_-]{20}|hf_[A-Za-z0-9]{30}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_|AKIA[A-Z0-9]{16}"
    r"|AIza[A-Za-z0-9_-]{35}|xox[abprs]-|eyJ[A-Za-z0-9_-]{10}|PRIVATE KEY-----|uthorization"
    r'|UTHORIZATION|earer [A-Za-z0-9._~+/=-]{12}|://[^\s/:@"]*:[^\s/@"]+@'
    r'|(?:ey|EY|oken|OKEN|ecret|ECRET|word|WORD|passwd|sig|ignature)=[^\s"&]{6}|\\u00|\\x'
)
#: An escape of a letter, a digit or a sign, which hides a secret in the text of a file.
_ESCAPE = r"\\(?:u00|x)(?!22|5[cC])([2-7][0-9A-Fa-f])"


def may_hold_secret(text: str) -> bool:
    """False if there is no secret in a text: one quick look."""
    for marker in _MARKERS:  # a generator takes twice as long
        if marker in text:
            return True
    return "\\u00" in text or "\\x" in text


def secrets_in(text: str) -> Iterator[str]:
    """What may be shown of each secret in a text."""
    for form in _FORMS:
        if any(marker in text for marker in form.markers):
            yield from (match[1] + "…" for match in re.finditer(form.pattern, text))


def redacted(text: str) -> str:
    """A text in which only the kind of each secret is left.

    >>> redacted("run --key hf_abcdefghijabcdefghijabcdefghijXYZ")
    'run --key hf_…'
    """
    if not may_hold_secret(text):
        return text
    if isinstance(text, Phrase):
        return Phrase(text.name, *(redacted(str(value)) for value in text.values))
    return _without(text, lambda match: match[1] + "…")


def masked(text: str) -> str:
    """The same with every other character in its place: for lines with carets."""
    return _without(text, lambda match: match[1].ljust(len(match[0]), "*"))


def _without(text: str, mask: Callable[[re.Match[str]], str]) -> str:
    if "\\u00" in text or "\\x" in text:
        plain = re.sub(_ESCAPE, lambda match: chr(int(match[1], 16)), text)
        text = plain if any(secrets_in(plain)) else text
    for form in _FORMS:
        if any(marker in text for marker in form.markers):
            text = re.sub(form.pattern, mask, text)
    return text
