"""Suggestions for formulas that cannot be read, or that confuse numbers and truth values.

Each slip is corrected where the parser stops, until the formula can be read. Formulas in other
notations (words for operators, HTML, names of regions) are translated. A formula for which
neither works gets no text to write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Formula,
    Logic,
    Node,
    Number,
    Offsets,
    Sum,
    children,
    formula_or_error,
    read_formula,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import TypeProblem, is_truth, type_problems
from evalmark.validator.formats.suites.formula.typos import (
    CALLED,
    EXACT,
    NAME,
    RANGE,
    REGION,
    SLIPS,
    UNCLEAR,
    is_prediction,
    spliced,
)

#: Maximum number of slips corrected in one formula, and of characters in it.
MAX_SLIPS, MAX_LENGTH = 24, 1000
#: A unit of a formula, as people see it.
_UNIT = re.compile(
    rf"{CALLED}\s*{EXACT}|(?:{EXACT}|[\w.,]+)\s*[*/]\s*(?:{EXACT}|[\w.,]+)|-\s*{EXACT}|\([^()]*\)"
    rf"|\(?(?:{REGION})\s*;\s*%+{NAME}%*|[\w.,]+|[<>=&|!]+"
)


def mended(error: FormulaSyntaxError) -> tuple[Offsets, str] | None:
    """The smallest part to replace so that the formula can be read, and the text to write.

    None if that is unknown, or if it can be meant in several ways.
    """
    source = error.source
    if len(source) > MAX_LENGTH or RANGE.search(source):
        return None
    readable = _readable(source)
    tight = bool(re.search(r"&&|\|\||\b(?:and|or)\b", source, re.IGNORECASE))
    new = _typed(readable, tight) if readable else None
    return _difference(source, new, error.span) if new and new != source else None


def _readable(text: str) -> str | None:
    """A formula without its slips; None if some are left."""
    for _ in range(MAX_SLIPS):
        error = formula_or_error(text)
        if isinstance(error, Formula):
            return text
        at = error.span[0]
        new = next((new for mend in SLIPS if (new := mend(text, at)) is not None), text)
        if new in (text, UNCLEAR):
            return None
        text = new
    return None


def advice(error: FormulaSyntaxError) -> str:
    """Advice on a formula whose correction is not clear."""
    match = RANGE.search(error.source)
    if match is None:
        return error.help
    digits = re.findall("[0-9]+", match.group().partition(match[1])[0])
    if len(digits) < 2:
        return error.help
    total = " + ".join(f"({number};%{match[1]}%)" for number in digits[:2])
    return f"a reference has one region; several are added, as in `{total}`"


def _typed(text: str, tight: bool) -> str | None:
    """A formula that says something true or false; None if that is unknown."""
    for _ in range(MAX_SLIPS):
        formula = read_formula(text)
        problem = next(type_problems(formula.tree), None)
        if problem is None:
            clear = parenthesized(formula.tree, tight)
            return text if clear == formula.tree else unparse(clear)
        new = retyped(formula, problem)
        if not new:
            return None
        text = spliced(text, problem.node.span, new)
    return None


def _difference(old: str, new: str, place: Offsets) -> tuple[Offsets, str]:
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
    return (start, end), new[start : len(new) - len(old) + end]


def _widened(start: int, end: int, units: list[Offsets]) -> Offsets:
    for left, right in units:
        if left < end and right > start:
            start, end = min(start, left), max(end, right)
    return start, end


def retyped(formula: Formula, problem: TypeProblem) -> str:
    """The text to write for the part that a problem is about; empty if that is not clear."""
    new = None
    if not formula.brackets:  # there, what is joined and compared is not what it looks like
        match problem.node:
            case Comparison():
                new = _without_arithmetic(problem.node)
            case Sum():
                new = _moved(problem.node)
    return unparse(new) if new and not any(type_problems(new)) else ""


def parenthesized(node: Node, tight: bool = False) -> Node:
    """The same with parentheses where ``&`` and ``|`` are mixed: they are read from the left.

    With ``tight``, ``&`` is before ``|``, as in the languages from which an operator is.
    """
    if not isinstance(node, Logic):
        return node
    terms = [(sign, parenthesized(part, tight)) for sign, part in [("|", node.first), *node.rest]]
    if tight and node.mixed:
        starts = [k for k, (sign, _) in enumerate(terms) if sign == "|"]
        groups = [terms[start:end] for start, end in pairwise([*starts, len(terms)])]
        terms = [("|", Logic(term, tuple(more)) if more else term) for (_, term), *more in groups]
    whole = terms[0][1]
    for _, run in groupby(terms[1:], key=itemgetter(0)):
        whole = Logic(whole, tuple(run))
    return whole


def _without_arithmetic(node: Comparison) -> Node | None:
    """The truth values that are added and compared with a number, without the numbers."""
    left, right = node.left, node.right
    if not isinstance(right, Number):
        return None
    if is_truth(left):
        is_true = {"=": right.value == 1, ">": 0 <= right.value < 1}
        return left if is_true.get(node.operator) else None
    if not isinstance(left, Sum):
        return None
    count = len(children(left))
    if {"=": right.value, ">": right.value + 1}.get(node.operator) == count:
        return _joined(left, "&")
    return _joined(left, "|" if (node.operator, right.value) == (">", 0) else "")


def _moved(node: Sum) -> Node | None:
    """``(a < b) + 1`` is written ``a < b + 1``."""
    first, rest = node.first, node.rest
    if not isinstance(first, Comparison) or any(is_truth(term) for _, term in rest):
        return None
    right = first.right
    total = Sum(right.first, (*right.rest, *rest)) if isinstance(right, Sum) else Sum(right, rest)
    return Comparison(first.operator, first.left, total)


def _joined(node: Sum, operator: str) -> Node | None:
    """Truth values that are added are joined."""
    if not operator or any(sign != "+" for sign, _ in node.rest):
        return None
    if not all(map(is_truth, children(node))):
        return None
    return Logic(node.first, tuple((operator, term) for _, term in node.rest))


#: Other notations of operators, longest first.
_OPERATORS = (
    (r"(?:is\s+)?(?:greater|larger|higher|more)\s+than|\bgt\b|-+>|=>|→|＞|>>+", ">"),
    (r"(?:is\s+)?(?:less|smaller|lower)\s+than|\blt\b|<-+|←|＜|<<+", "<"),
    (r"(?:is\s+)?equal\s+to|\bequals\b|\beq\b|==+", "="),
    (r"\band\b|&&+|∧", "&"),
    (r"\bor\b|\|\|+|∨", "|"),
)
#: Characters before the first reference of a formula, and after its last one.
_START = re.compile(r"[\s(\[]*(?:[\d.]+\s*[<>=+-]\s*[\s(\[]*)*$")
_END = re.compile(r"[\s)\]]*(?:[<>=+-]\s*[\d.]+(?![\w.])[\s)\]]*)*")
#: Parts that change no formula: a label or mark before it; a mark, comment or brackets after it.
_LABEL = re.compile(r"[\w .-]*[:.)]|[\"'“”`=&|]*")
_COMMENT = re.compile(r"[&|\"'“”`;,.]*(?:\s*(?:#|//|--|/\*|[(\[%\"'“”`]).*)?", re.DOTALL)
#: A reference: a number or a name, a separator, and the name of a condition in any quotes.
_REFERENCE = re.compile(
    r"[(\[]\s*(?:region\s*)?(?P<region>\*|[^\s()\[\]%;,:][^()\[\]%;,:]*?)\s*[;,:]\s*"
    r"(?P<quote>[%\"'`“”]?)\s*(?P<condition>[^\s()\[\]%\"'`“”]+)\s*[%\"'`“”]?\s*[)\]]"
)


def translation(
    source: str, regions: Mapping[str, object], conditions: Sequence[str]
) -> tuple[str, list[str]] | None:
    """The formula that a text means.

    Args:
        source: The text, which is not a valid formula.
        regions: Names of regions, by their numbers; what is not a text is none.
        conditions: The names of the conditions of the suite.

    Returns:
        A valid formula that refers to regions and conditions of the suite, and the parts of the
        text that belong to none; None if the meaning is not clear.
    """
    import html  # its table of entities is long

    text = normal_name(html.unescape(source))
    found = list(_REFERENCE.finditer(text))
    if not found:
        return None
    start, end = _START.search(text, 0, found[0].start()), _END.match(text, found[-1].end())
    assert start
    assert end
    label, comment = text[: start.start()].strip(), text[end.end() :].strip()
    if not (_LABEL.fullmatch(label) and _COMMENT.fullmatch(comment)):
        return None
    text = text[start.start() : end.end()].strip()
    called = [(normal_name(n).casefold(), k) for k, n in regions.items() if isinstance(n, str)]
    numbers = {name: number for name, number in called if name.strip()}
    names = {name.casefold(): name for name in conditions}
    if len(numbers) < sum(bool(name.strip()) for name, _ in called):
        numbers = {}  # two regions have one name

    def reference(match: re.Match[str]) -> str:
        region, condition = match["region"], match["condition"]
        if re.fullmatch(r"0*[1-9][0-9]{0,8}(?:\.0+)?", region):
            region = str(int(float(region)))
        region = numbers.get(region.casefold(), region)
        return f"({region};%{names.get(condition.casefold(), condition)}%)"

    parts, at = [], 0
    for match in _REFERENCE.finditer(text):
        parts += [_operators(text[at : match.start()]), reference(match)]
        at = match.end()
    text = "".join((*parts, _operators(text[at:])))
    if not is_prediction(text):
        return None
    known = {*regions, "*"}
    referred = re.findall(r"\((\*|\d+);%([^%]+)%\)", text)
    is_known = all(number in known and name in conditions for number, name in referred)
    rest = [*filter(None, (label, comment))]
    return (text, rest) if referred and is_known else None


def _operators(text: str) -> str:
    for pattern, operator in _OPERATORS:
        text = re.sub(rf"\s*(?:{pattern})\s*", f" {operator} ", text, flags=re.IGNORECASE)
    return text
