"""What to write for a formula that cannot be read: the same formula with its slips corrected.

Each slip is corrected where the parser stops, until the formula can be read. A formula for which
this does not work gets no text to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formula.meaning import type_problems
from evalmark.validator.formula.parser import read
from evalmark.validator.formula.retyping import grouped, retyped
from evalmark.validator.formula.tree import Offsets, number_text, unparse

#: Maximum number of slips corrected in one formula, and of characters in it.
MAX_SLIPS, MAX_LENGTH = 24, 1000
#: The largest factor that is written as a sum.
MAX_FACTOR = 4

_SAME = {
    "＜": "<", "＞": ">", "＝": "=", "≥": ">", "≤": "<", "−": "-", "–": "-", "；": ";", "％": "%",
    "（": "(", "）": ")", "，": ",", "∧": "&", "∨": "|", "\N{NO-BREAK SPACE}": " ",
}  # fmt: skip
_OPERATORS = {
    ">=": ">", "=>": ">", "<=": "<", "=<": "<", "==": "=", "&&": "&", "||": "|", "and": "&",
    "or": "|",
}  # fmt: skip
_OPERATOR = re.compile(r">=|=>|<=|=<|==|&&|\|\||(?:and|or)\b", re.IGNORECASE)
_REGION = r"[0-9]+|\*"
_NAME = r"[A-Za-z0-9_-]+"
_LOOSE = re.compile(
    rf"(?:\(\s*)?(?P<region>{_REGION})\s*[;:,]*\s*%+\s*(?P<name>{_NAME})\s*%*\s*\)?"
    rf"|\(\s*(?P<region2>{_REGION})\s*[;:,]+\s*(?P<name2>{_NAME})\s*%*\s*\)"
    rf"|\(\s*%(?P<name3>{_NAME})%\s*[;:,]\s*(?P<region3>{_REGION})\s*\)"
    rf"|\[\s*(?P<region4>{_REGION})\s*[;:,]+\s*%*(?P<name4>{_NAME})%*\s*\]"
)
#: Several regions, or a negative one, in one reference: which is meant, nobody can say.
_RANGE = re.compile(r"\(\s*[0-9]*\s*[-+–]\s*[0-9]+\s*[;:,]+\s*%")
_REGIONS = ("region", "region2", "region3", "region4")
_NAMES = ("name", "name2", "name3", "name4")
_EXACT = rf"\((?:{_REGION});%{_NAME}%\)"
_DIGITS = r"[0-9]+(?:\.[0-9]+)?"
_PRODUCT = re.compile(
    rf"(?P<factor>{_DIGITS})\s*\*\s*(?:(?P<term>{_EXACT})(?!\s*[*/])"
    rf"|(?P<number>{_DIGITS})(?![0-9.]|\s*[;:,]))"
    rf"|(?P<term2>{_EXACT})\s*\*\s*(?P<factor2>{_DIGITS})(?![0-9.,]|\s*[*/])"
)
_QUOTIENT = re.compile(rf"({_DIGITS})\s*/\s*({_DIGITS})")
_THOUSANDS = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_DECIMAL = re.compile(r"([0-9]*),([0-9]+)")
_SIGNED = re.compile(rf"([-+])\s*({_EXACT})")
_SIDE = rf"(?:{_EXACT}|[^<>=&|()])+"
_NEGATION = re.compile(
    rf"(?:not\b|[!~])\s*(?:({_SIDE})([<>])({_SIDE})|\(({_SIDE})([<>])({_SIDE})\))",
    re.IGNORECASE,
)
#: What a person sees as one thing.
_UNIT = re.compile(
    rf"(?:{_EXACT}|[\w.,]+)\s*[*/]\s*(?:{_EXACT}|[\w.,]+)|-\s*{_EXACT}|\([^()]*\)"
    rf"|\(?(?:{_REGION})\s*;\s*%+{_NAME}%*|[\w.,]+|[<>=&|!]+"
)


@dataclass(frozen=True, slots=True)
class Mended:
    """What to write in place of a part of a formula."""

    span: Offsets
    text: str


def mended(error: FormulaSyntaxError) -> Mended | None:
    """The smallest part to replace so that the formula can be read; None if unknown."""
    source = text = error.source
    if len(source) > MAX_LENGTH or _RANGE.search(source):
        return None
    current: FormulaSyntaxError | None = error
    for _ in range(MAX_SLIPS):
        if current is None:
            break
        better = _better(text, current)
        if better is None or better == text:
            return None
        text = better
        current = _error(text)
    text = "" if current is not None else _typed(text, _binds_tightly(source))
    return _difference(source, text, error.span) if text else None


def _binds_tightly(source: str) -> bool:
    """Whether operators are written as in languages in which ``and`` is before ``or``."""
    return bool(re.search(r"&&|\|\||\b(?:and|or)\b", source, re.IGNORECASE))


def _typed(text: str, tight: bool) -> str:
    """A formula that says something true or false; empty if that is unknown."""
    for _ in range(MAX_SLIPS):
        formula = read(text)
        problem = next(type_problems(formula.tree), None)
        if problem is None:
            clear = grouped(formula.tree, tight)
            return text if clear == formula.tree else unparse(clear)
        new = retyped(formula, problem)
        if new is None:
            return ""
        text = _replaced(text, problem.node.span, new)
    return ""


def _error(source: str) -> FormulaSyntaxError | None:
    try:
        read(source)
    except FormulaSyntaxError as error:
        return error
    return None


def _better(text: str, error: FormulaSyntaxError) -> str | None:
    """A formula without the slip at which the parser stopped."""
    at = error.span[0]
    return next((new for mend in _MENDS if (new := mend(text, at)) is not None), None)


def _around(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """The match of a pattern that begins before a place and ends at or after it."""
    return next((m for m in pattern.finditer(text) if m.start() <= at <= m.end()), None)


def _replaced(text: str, span: Offsets, new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _character(text: str, at: int) -> str | None:
    """A character of another script that looks like one of the language."""
    if text[at : at + 1] not in _SAME:
        return None
    return _replaced(text, (at, at + 1), _SAME[text[at]])


def _operator(text: str, at: int) -> str | None:
    for start in (at, max(at - 1, 0)):
        if match := _OPERATOR.match(text, start):
            return _replaced(text, match.span(), _OPERATORS[match.group().lower()])
    return None


def _reference(text: str, at: int) -> str | None:
    """A reference that lacks a parenthesis, a percent sign or its semicolon, or has another."""
    match = _around(_LOOSE, text, at) or _LOOSE.match(text, at + 1)
    if match is None:
        return None
    given = match.groupdict()
    region = next(given[key] for key in _REGIONS if given[key])
    name = next(given[key] for key in _NAMES if given[key])
    exact = f"({region};%{name}%)"
    if re.sub(r"\s", "", match.group()) == exact and "; " not in match.group():
        return None
    return _replaced(text, match.span(), exact + _space_after(match.group()))


def _space_after(text: str) -> str:
    return text[len(text.rstrip()) :]


def _comma(text: str, at: int) -> str | None:
    """Thousands lose their commas; any other comma in a number is a decimal one."""
    if match := _around(_THOUSANDS, text, at):
        return _replaced(text, match.span(), match.group().replace(",", ""))
    if match := _around(_DECIMAL, text, at):
        return _replaced(text, match.span(), f"{match[1] or 0}.{match[2]}")
    return None


def _product(text: str, at: int) -> str | None:
    """A multiple of a region is a sum; a product of numbers is a number."""
    match = _around(_PRODUCT, text, at)
    if match is None:
        return None
    factor = float(match["factor"] or match["factor2"])
    if match["number"]:
        return _replaced(text, match.span(), number_text(factor * float(match["number"])))
    term = match["term"] or match["term2"]
    if not factor.is_integer() or not 1 <= factor <= MAX_FACTOR:
        return None
    total = " + ".join([term] * int(factor))
    before = text[: match.start()].rstrip()
    return _replaced(text, match.span(), f"({total})" if before.endswith("-") else total)


def _quotient(text: str, at: int) -> str | None:
    match = _around(_QUOTIENT, text, at)
    if match is None or not float(match[2]):
        return None
    return _replaced(text, match.span(), number_text(float(match[1]) / float(match[2])))


def _sign(text: str, at: int) -> str | None:
    """A negated region is subtracted from 0."""
    match = _SIGNED.match(text, at)
    if match is None:
        return None
    new = match[2] if match[1] == "+" else f"0 - {match[2]}"
    nested = match[1] == "-" and text[:at].rstrip().endswith(("+", "-"))
    return _replaced(text, match.span(), f"({new})" if nested else new)


def _chain(text: str, at: int) -> str | None:
    """``a < b < c`` is two comparisons."""
    if text[at : at + 1] not in "<>=":
        return None
    start = at
    depth = 0
    while start and (depth or text[start - 1] not in "&|("):
        start -= 1
        depth += {")": 1, "(": -1}.get(text[start], 0)
    end = at
    while end < len(text) and (depth or text[end] not in "&|)"):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    parts = re.split(r"\s*([<>=])\s*", text[start:end].strip())
    links = [" ".join(parts[i : i + 3]) for i in range(0, len(parts) - 2, 2)]
    mixed = "=" in parts and len(set(parts[1::2])) > 1  # `= 1` may ask for a truth value
    if len(links) < 2 or mixed or any(part.count("(") != part.count(")") for part in parts):
        return None
    new = " & ".join(f"({link})" for link in links)
    whole = not text[:start].strip() and not text[end:].strip()
    lead = text[start : start + len(text[start:end]) - len(text[start:end].lstrip())]
    new = lead + (new if whole else f"({new})") + _space_after(text[start:end])
    return _replaced(text, (start, end), new)


def _negation(text: str, at: int) -> str | None:
    """What is not greater is less: equal values do not occur."""
    match = _NEGATION.match(text, at)
    if match is None:
        return None
    left, sign, right = [part for part in match.groups() if part is not None]
    new = f"{left.strip()} {'<' if sign == '>' else '>'} {right.strip()}"
    new = f"({new})" if match[4] else new
    return _replaced(text, match.span(), new + _space_after(match.group()))


def _parenthesis(text: str, at: int) -> str | None:
    """One that is open is closed at the end; one that closes nothing goes."""
    opened = text.count("(") - text.count(")")
    if text[at : at + 1] == "]" and opened > 0:
        return text[:at] + ")" + text[at:]
    if text[at : at + 1] in tuple(")]") and text.count("[") != text.count("]"):
        return _replaced(text, (at, at + 1), "]" if text[at] == ")" else ")")
    if text[at : at + 1] == ")" and opened < 0:
        return text[:at] + text[at + 1 :]
    if opened > 0 and text[at : at + 1] == "(" and "[" not in text:
        return text.rstrip() + ")" * opened
    return None


def _loose_end(text: str, at: int) -> str | None:
    """An ``&`` or ``|`` with nothing after it joins nothing."""
    stripped = text.rstrip()
    if at >= len(stripped) and stripped.endswith(("&", "|")):
        return stripped[:-1].rstrip()
    return None


_MENDS: tuple[Callable[[str, int], str | None], ...] = (
    _character,
    _operator,
    _product,
    _quotient,
    _reference,
    _comma,
    _sign,
    _negation,
    _chain,
    _parenthesis,
    _loose_end,
)


def _difference(old: str, new: str, place: Offsets) -> Mended:
    """The part that differs, with the place where the parser stopped, as whole units."""
    short = min(len(old), len(new))
    head = next((i for i in range(short) if old[i] != new[i]), short)
    tail = next((i for i in range(short - head) if old[-1 - i] != new[-1 - i]), short - head)
    start, end = min(head, place[0]), max(len(old) - tail, min(place[1], len(old)))
    units = [match.span() for match in _UNIT.finditer(old)]
    start, end = _widened(start, end, units)
    gone = not new[start : len(new) - len(old) + end].strip()
    if gone or not old[start:end].strip() or old[start].isspace():
        # Nothing to replace, or nothing to write: the unit before is written with it.
        start = max((left for left, _ in units if left < start), default=start)
        start, end = _widened(start, end, units)
        if not new[start : len(new) - len(old) + end].strip():  # it is the first unit
            end = min((right for _, right in units if right > end), default=len(old))
    return Mended((start, end), new[start : len(new) - len(old) + end])


def _widened(start: int, end: int, units: list[Offsets]) -> Offsets:
    for left, right in units:
        if left < end and right > start:
            start, end = min(start, left), max(end, right)
    return start, end
