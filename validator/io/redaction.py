"""Secrets in texts: what looks like a key or a password is never shown, stored or published."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from evalmark.schemas.phrase import Phrase

#: A secret begins a word, or follows an escape in the text of a file.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4}))"
#: Placeholders of a secret: a variable, a call, stars, `YOUR_KEY`, `<key>`, `xxxx`.
_NO_PLACEHOLDER = (
    r"(?![<{\[…]|\$[A-Z_{(]|%(?![0-9A-Fa-f]{2})|\*\*|\.\.\.|[A-Z]+(?:_[A-Z]+)+\b|[xX]{3}"
    r"|[A-Za-z_][\w.]*[(\[]|(?i:your[_-]|redacted|(?:none|null|true|false)\b))"
)
_LETTER, _VALUE = r"[A-Za-z0-9._~+/=-]", r"[^\s&;,\"'<>\\#()|]"
#: A value with a digit: one look per key, not one to the end of the text.
_DIGIT = rf"(?={_VALUE}{{0,99}}[0-9])"
#: The text between the name of a key and its value, in a command, in code, in JSON and in YAML.
_IS = r"(?:[\"'\\]{0,4}\s?[=:]\s{0,8}[\"'\\]{0,4})"
#: Forms of secrets: texts of which one is in each, and a pattern whose group is what may be shown;
#: it is compiled when a text is found: all of them would take 4 ms of each command.
_FORMS = tuple(
    (tuple(markers.split("|")), pattern)
    for markers, pattern in (
        ("sk-", _START + r"(sk-(?:ant-|proj-|or-)?)[A-Za-z0-9_-]{20,}"),
        (
            "hf_|ghp_|gho_|ghu_|ghs_|ghr_|gsk_|npm_|r8_|pcsk_|xai-|pplx-|dapi",
            _START + r"(hf_|gh[pousr]_|gsk_|npm_|r8_|pcsk_|xai-|pplx-|dapi)[A-Za-z0-9_]{30,}",
        ),
        (
            "github_pat_|glpat-|nvapi-|tvly-|pypi-|lsv2_|GOCSPX-|ya29.|k_live_|SG.",
            _START
            + r"(github_pat_|glpat-|nvapi-|tvly-|pypi-|lsv2_|GOCSPX-|ya29\.|[sr]k_live_|SG\.)"
            r"(?=[A-Za-z_.-]{0,99}[0-9])[A-Za-z0-9_.-]{20,}",
        ),
        ("AKIA|ASIA", _START + r"(AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"),
        ("AIza", _START + r"(AIza)[A-Za-z0-9_-]{35}"),
        ("xox", _START + r"(xox[abprs]-)[A-Za-z0-9-]{10,}"),
        ("hooks.slack.com", r"(hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}"),
        ("eyJ", _START + r"(?<!-)(eyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*"),
        (
            "PRIVATE KEY-----",
            r"(-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)(?:[A-Za-z0-9+/=:,\s-]|\\[nr]){16,}",
        ),
        (
            "uthorization|UTHORIZATION",
            rf"((?i:authorization){_IS}(?:(?i:bearer|basic|token)\s+|(?i:apikey\s+)?(?={_LETTER}{{20}})"
            rf"{_DIGIT})){_NO_PLACEHOLDER}{_LETTER}{{6,}}",
        ),
        ("earer ", rf"(\b[Bb]earer )(?={_LETTER}*[0-9]){_LETTER}{{12,}}"),
        ("@", rf"(://[^\s/:@?#\"'<>\\]*:){_NO_PLACEHOLDER}[^\s/\"'<>\\]+(?=@)"),
        ("@", r"(://)(?=[A-Za-z_-]{0,99}[0-9])[A-Za-z0-9_-]{20,}(?=@)"),
        (
            "@",  # without a scheme: a digit, and a host; prose has `mailto:me@b.org`, `pass@1`
            r"(:(?<=\w:)(?<!(?i:mailto):)(?<!(?i:mail):)(?<!(?i:contact):)(?<!(?i:author):))"
            rf"{_NO_PLACEHOLDER}(?=[^\s/:@]{{0,64}}[0-9])[^\s/:@\"'<>\\]{{6,64}}"
            r"(?=@(?:localhost|[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z]|:[0-9]{2,5}\b(?!\w))))",
        ),
        (
            "ey=|EY=|oken=|OKEN=|ecret=|ECRET=|word=|WORD=|passwd=|sig=|ignature=",  # in a URL
            r"([?&;](?:[\w-]+[-_])?(?i:(?:api|access|auth)?(?:key|token)|secret|password|passwd|sig"
            rf"|signature)=){_NO_PLACEHOLDER}{_VALUE}{{6,}}",
        ),
        (
            # Elsewhere with a digit, since code says `api_key=api_key`.
            "ey=|EY=|oken=|OKEN=|ecret=|ECRET=|word=|WORD=|passwd=|ey =|EY =|oken =|word =|ey: "
            '|oken: |EY: |ey":|EY":|oken":|OKEN":|ecret":|word":|WORD":|ey\\":|oken\\":|word\\":'
            "|ey':|oken':|ecret':|word':",
            rf"((?:(?i:api|access|auth|secret|private|account)[_-]?(?i:key|token)"
            rf"|(?i:client[_-]?secret|password|passwd)(?=\s?=|[\"'\\])){_IS}{_DIGIT})"
            # A name of code after a space is not a value.
            r"(?:(?<=[=\"'\\])|(?![A-Za-z]\w*[._][A-Za-z]))"
            rf"{_NO_PLACEHOLDER}{_VALUE}{{6,}}",
        ),
        (
            "key |token |password ",
            r"(--[\w-]{0,40}?(?:(?:api|access|auth|secret|hf)[_-]?(?:key|token)|password) "
            rf"[\"'\\]{{0,2}}{_DIGIT}){_NO_PLACEHOLDER}{_VALUE}{{8,}}",
        ),
    )
)
_MARKERS = tuple(dict.fromkeys(marker for markers, _ in _FORMS for marker in markers))
#: Parts of a text with a secret in a form whose markers are in many records, without letters
#: that are not of ASCII.
_ROUGH = {
    "sk-": r"sk-[A-Za-z0-9_-]{20}",
    "hf_": r"hf_[A-Za-z0-9_]{30}",
    "@": r":(?://[A-Za-z0-9_-]{20,}|[^\s/\"'<>\\]*)@",
}
_WORDS = [*(re.escape(one) for one in _MARKERS if one not in _ROUGH), r"\\u00", r"\\x"]
#: Every text with a secret matches one of these, which are for engines that are fast and look at no
#: context: they look for so few words, and nothing else, at the speed of one.
LIKELY = (*_ROUGH.values(), *("|".join(_WORDS[at : at + 34]) for at in range(0, len(_WORDS), 34)))
#: An escape of a letter, a digit or a sign, which hides a secret in the text of a file.
_ESCAPE = r"\\(?:u00|x)(?!22|5[cC])([2-7][0-9A-Fa-f])"


def may_hold_secret(text: str) -> bool:
    """False if there is no secret in a text: one quick look."""
    for marker in _MARKERS:  # a generator takes twice as long
        if marker in text:
            return True
    return "\\u00" in text or "\\x" in text


def secrets_in(text: str) -> Iterator[str]:
    """The beginning of each secret in a text, which may be shown."""
    for markers, pattern in _FORMS:
        if any(marker in text for marker in markers):
            yield from (match[1] + "…" for match in re.finditer(pattern, text))


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
    for markers, pattern in _FORMS:
        if any(marker in text for marker in markers):
            text = re.sub(pattern, mask, text)
    return text
