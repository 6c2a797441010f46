"""The slips that people make in formulas, each with what corrects it where the parser stops.

Each function takes a formula and the place where the parser stopped. It gives the formula without
the slip, ``UNCLEAR`` if it can be meant in several ways; None if it sees no slip of its kind there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from evalmark.validator.formats.suites.formula.formula_syntax import (
    OTHER_OPERATORS,
    Formula,
    Offsets,
    formula_or_error,
    number_text,
    read_formula,
)
from evalmark.validator.formats.suites.formula.meaning import Meaning, meaning_of, type_problems

#: A longer formula is mended only where it does not matter where a parenthesis is.
MAX_TRIED = 300
_OPERAND = re.compile(r"\((?:[0-9]+|\*);%[^%()]*%\)|[0-9]+(?:\.[0-9]+)?|[()]")
#: The largest factor that is written as a sum.
MAX_FACTOR = 4
_SAME = dict(zip("＜＞＝≥≤−–；％（），∧∨×{}\N{NO-BREAK SPACE}", "<>=><--;%(),&|*() ", strict=True))
#: How people call a function that gives the surprisal of a region.
CALLED = r"\b(?:surprisal|surp|s)\b"
REGION = r"[0-9]+|\*"


#: The characters of names, and all of the blocks with combining marks: it is read again.
NAME = (
    r"[\w\u0300-\u1fff\u20d0-\u20f0\u302a-\u309a\ua66f-\uabff\ufe00-\ufe2f\U00010000-\U000e01ef-]+"
)
_LOOSE = re.compile(
    rf"(?:\(\s*)?({REGION})\s*[;:,]*\s*%+\s*({NAME})\s*%*\s*\)?"
    rf"|\(\s*({REGION})\s*[;:,]+\s*({NAME})\s*%*\s*\)"
    rf"|\(\s*%({NAME})%\s*[;:,]\s*(?P<last>{REGION})\s*\)"
    rf"|\[\s*({REGION})\s*[;:,]+\s*%*({NAME})%*\s*\]"
)
#: Several regions, or a negative one, in one reference: it is not clear which is meant.
RANGE = re.compile(rf"\(\s*[0-9]*\s*[-+–,]\s*[0-9]+(?:\s*[-+–,]\s*[0-9]+)*\s*[;:]+\s*%?({NAME})")
EXACT = rf"\((?:{REGION});%{NAME}%\)"
_DIGITS = r"[0-9]+(?:\.[0-9]+)?"
_PRODUCT = re.compile(
    rf"(?P<factor>{_DIGITS})\s*\*\s*(?:(?P<term>{EXACT})(?!\s*[*/])"
    rf"|(?P<number>{_DIGITS})(?![0-9.]|\s*[;:,]))"
    rf"|(?P<term2>{EXACT})\s*\*\s*(?P<factor2>{_DIGITS})(?![0-9.,]|\s*[*/])"
)
_QUOTIENT = re.compile(rf"({_DIGITS})\s*/\s*({_DIGITS})")
_THOUSANDS = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9,.])")
_POINTS = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+(?![0-9,.])")
_DECIMAL = re.compile(r"(?<![0-9.,])([0-9]*),([0-9]+)(?![0-9.,])")
_SIGNED = re.compile(rf"([-+])\s*({EXACT})")
_SIDE = rf"(?:{EXACT}|[^<>=&|()])+"
_NEGATION = re.compile(
    rf"(?:not\b|[!~])\s*(?:({_SIDE})([<>])({_SIDE})|\(({_SIDE})([<>])({_SIDE})\))", re.IGNORECASE
)
_ELLIPSIS = re.compile(rf"(?:^|[&|(])({_SIDE})[<>=]{_SIDE}([&|])\s*[<>=]")
_FUNCTION = re.compile(rf"{CALLED}\s*(?=\(\s*(?:{REGION})\s*[;:,])", re.IGNORECASE)
_QUOTED = re.compile("\"[^\"]*\"|'[^']*'|\u201c[^\u201d]*\u201d|`[^`]*`")


#: The correction of a slip that can be corrected in several ways.
UNCLEAR = ""


def _closed_by_another(text: str, at: int) -> str | None:
    """A parenthesis before a bracket is closed; one that closes a bracket becomes a bracket."""
    closing = text[at : at + 1]
    if closing == "]" and text.count("(") > text.count(")"):
        return text[:at] + ")" + text[at:]
    if closing in (")", "]") and text.count("[") != text.count("]"):
        return spliced(text, (at, at + 1), "]" if closing == ")" else ")")
    return None


def parenthesis(text: str, at: int) -> str | None:
    """One that is open is closed, and one that closes nothing goes or gets an opening one.

    Every place is tried. If all give the same meaning, it is closed at the end, or goes.
    """
    opened = text.count("(") - text.count(")")
    if text[at : at + 1] == ")" and opened < 0:
        simplest = spliced(text, (at, at + 1), "")
    elif opened > 0 and text[at : at + 1] == "(" and "[" not in text:
        simplest = text.rstrip() + ")" * opened
    else:
        return None
    can_be_tried = abs(opened) == 1 and "[" not in text and len(text) <= MAX_TRIED
    candidates = _different([simplest, *_with_one_more(text, opened)]) if can_be_tried else []
    if not candidates:  # also if there are other slips
        return simplest if _says_the_same_anywhere(text) else None
    return UNCLEAR if len(candidates) > 1 else candidates[0]


def _different(formulas: list[str]) -> list[str]:
    """The formulas that can be read, one of each meaning."""
    meanings: dict[Meaning, str] = {}
    for text in filter(is_prediction, formulas):
        meanings.setdefault(meaning_of(read_formula(text).tree), text)
    return list(meanings.values())


def is_prediction(text: str) -> bool:
    """True if a formula can be read, and is true or false."""
    formula = formula_or_error(text)
    return isinstance(formula, Formula) and not any(type_problems(formula.tree))


def _says_the_same_anywhere(text: str) -> bool:
    # With brackets the parser stops where the group in which it is missing ends.
    return "-" not in text and ("[" in text or not {"&", "|"} <= set(text))


def _with_one_more(text: str, opened: int) -> list[str]:
    """The formula with one parenthesis at every place where it can be."""
    if opened > 0:
        ends = [match.end() for match in _OPERAND.finditer(text) if match.group() != "("]
        return [f"{text[:end]}){text[end:]}" for end in ends]
    starts = [match.start() for match in _OPERAND.finditer(text) if match.group() != ")"]
    return [f"{text[:start]}({text[start:]}" for start in starts]


def _around(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """The match of a pattern that begins before a place and ends at or after it."""
    return next((m for m in pattern.finditer(text) if m.start() <= at <= m.end()), None)


def spliced(text: str, span: Offsets, new: str) -> str:
    """``text`` with ``new`` in place of ``span``."""
    return text[: span[0]] + new + text[span[1] :]


def _matched(
    pattern: re.Pattern[str], new: Callable[[re.Match[str]], str | None], *, around: bool = False
) -> Callable[[str, int], str | None]:
    """The function that rewrites a pattern that begins at the place, or is around it."""

    def mended(text: str, at: int) -> str | None:
        match = _around(pattern, text, at) if around else pattern.match(text, at)
        written = new(match) if match else None
        return spliced(text, match.span(), written) if match and written is not None else None

    return mended


def _operator(text: str, at: int) -> str | None:
    for start, (sign, pattern) in product((at, max(at - 1, 0)), OTHER_OPERATORS.items()):
        if match := re.compile(pattern, re.IGNORECASE).match(text, start):
            if match.group() == "=>" and _is_comparison(text[:start]):
                return None  # an arrow: if … then …
            return spliced(text, match.span(), sign)
    return None


def _is_comparison(text: str) -> bool:
    """True if a text ends in a comparison."""
    return bool(re.search(r"[<>=][^&|<>=]*$", text))


def _quotes(text: str, _: int) -> str | None:
    """Quotes around the whole formula."""
    stripped = text.strip()
    inner = stripped[1:-1]
    return inner if len(inner) > 1 and _QUOTED.fullmatch(stripped) else None


def _reference(text: str, at: int) -> str | None:
    """A reference that lacks a parenthesis, a percent sign or its semicolon, or has another."""
    match = _around(_LOOSE, text, at) or _LOOSE.match(text, at + 1)
    if match is None:
        return None
    region, name = filter(None, match.groups())
    if match["last"]:
        region, name = name, region
    exact = f"({region};%{name}%)"
    if re.sub(r"\s", "", match.group()) == exact and "; " not in match.group():
        return None
    return spliced(text, match.span(), exact + _space_after(match.group()))


def _space_after(text: str) -> str:
    return text[len(text.rstrip()) :]


def _space_before(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _comma(text: str, at: int) -> str | None:
    """A comma in a number: of several groups of thousands, or a decimal one; of one, either."""
    if match := _around(_POINTS, text, at):
        return spliced(text, match.span(), match.group().replace(".", "").replace(",", "."))
    if match := _around(_THOUSANDS, text, at):
        is_clear = match.group().count(",") > 1 or "." in match.group()
        return spliced(text, match.span(), match.group().replace(",", "")) if is_clear else UNCLEAR
    if match := _around(_DECIMAL, text, at):
        return spliced(text, match.span(), f"{match[1] or 0}.{match[2]}")
    return None


def _separator(text: str, at: int) -> str | None:
    """A full stop, comma or semicolon after a formula."""
    return text[:at].rstrip() if text[at:].strip() in (".", ",", ";") else None


def _sum(product: re.Match[str]) -> str | None:
    """A multiple of a region is a sum; a product of numbers is a number."""
    factor = float(product["factor"] or product["factor2"])
    if product["number"]:
        return number_text(factor * float(product["number"]))
    if not factor.is_integer() or not 1 <= factor <= MAX_FACTOR:
        return None
    total = " + ".join([product["term"] or product["term2"]] * int(factor))
    before = product.string[: product.start()].rstrip()
    return f"({total})" if before.endswith("-") else total


def _quotient(match: re.Match[str]) -> str | None:
    return number_text(float(match[1]) / float(match[2])) if float(match[2]) else None


def _unsigned(match: re.Match[str]) -> str:
    """A negated region is subtracted from 0."""
    new = match[2] if match[1] == "+" else f"0 - {match[2]}"
    before = match.string[: match.start()].rstrip()
    return f"({new})" if match[1] == "-" and before.endswith(("+", "-")) else new


def _chain(text: str, at: int) -> str | None:
    """``a < b < c`` is two comparisons; not clear if ``b`` is a sum of two regions."""
    if text[at : at + 1] not in "<>=":
        return None
    start, end = _operand_of_logic(text, at)
    chain = text[start:end]
    parts = re.split(r"\s*([<>=])\s*", chain.strip())
    mixed = "=" in parts and len(set(parts[1::2])) > 1  # `= 1` may ask for a truth value
    if len(parts) < 5 or mixed or any(part.count("(") != part.count(")") for part in parts):
        return None
    if len(parts) == 5 and re.fullmatch(rf"{EXACT}\s*\+\s*{EXACT}", parts[2]):
        return UNCLEAR
    is_whole = not text[:start].strip() and not text[end:].strip()
    links = (" ".join(parts[i : i + 3]) for i in range(0, len(parts) - 2, 2))
    new = " & ".join(f"({link})" for link in links)
    new = _space_before(chain) + (new if is_whole else f"({new})") + _space_after(chain)
    return spliced(text, (start, end), new)


def _operand_of_logic(text: str, at: int) -> Offsets:
    """The stretch around a place up to ``&``, ``|`` or the parenthesis that holds it."""
    start = end = at
    depth = 0
    while start and (depth or text[start - 1] not in "&|("):
        start -= 1
        depth += {")": 1, "(": -1}.get(text[start], 0)
    while end < len(text) and (depth or text[end] not in "&|)"):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return start, end


def _elliptical(text: str, at: int) -> str | None:
    """``a > b & > c`` compares ``a`` twice."""
    match = _ELLIPSIS.search(text)
    if match is None or match.end() - 1 != at:
        return None
    return spliced(text, (match.end(2), at), f" {match[1].strip()} ")


def _reversed(match: re.Match[str]) -> str:
    """A negated comparison, reversed: equal values do not occur."""
    left, sign, right = [part for part in match.groups() if part is not None]
    new = f"{left.strip()} {'<' if sign == '>' else '>'} {right.strip()}"
    return (f"({new})" if match[4] else new) + _space_after(match.group())


def _loose_end(text: str, at: int) -> str | None:
    """An ``&`` or ``|`` with nothing after it joins nothing."""
    stripped = text.rstrip()
    is_loose = at >= len(stripped) and stripped.endswith(("&", "|"))
    return stripped[:-1].rstrip() if is_loose else None


SLIPS: tuple[Callable[[str, int], str | None], ...] = (
    # A character of another script that looks like one of the language.
    _matched(re.compile(f"[{re.escape(''.join(_SAME))}]"), lambda match: _SAME[match[0]]),
    _quotes,
    _matched(_FUNCTION, lambda _: ""),  # a reference is the surprisal of a region
    _operator, _separator, _matched(_PRODUCT, _sum, around=True),
    _matched(_QUOTIENT, _quotient, around=True), _reference, _comma, _matched(_SIGNED, _unsigned),
    _matched(_NEGATION, _reversed), _elliptical, _chain, _closed_by_another, parenthesis,
    _loose_end,
)  # fmt: skip
