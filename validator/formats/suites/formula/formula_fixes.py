"""Suggestions for formulas that cannot be read, or that confuse numbers and truth values.

Each slip is corrected where the parser stops, until the formula can be read. A formula for which
this does not work gets no text to write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Formula,
    Logic,
    Node,
    Number,
    Offsets,
    Sum,
    children,
    read,
    unparse,
    walk,
)
from evalmark.validator.formats.suites.formula.meaning import TypeProblem, is_truth, type_problems
from evalmark.validator.formats.suites.formula.typos import (
    CALLED,
    EXACT,
    NAME,
    RANGE,
    REGION,
    SLIPS,
    Draft,
    replaced,
)

#: Maximum number of slips corrected in one formula, and of characters in it.
MAX_SLIPS, MAX_LENGTH = 24, 1000
#: Ways in which a formula can be meant; if there are more, none is suggested.
MAX_WAYS = 2
#: What a person sees as one thing.
_UNIT = re.compile(
    rf"{CALLED}\s*{EXACT}|(?:{EXACT}|[\w.,]+)\s*[*/]\s*(?:{EXACT}|[\w.,]+)|-\s*{EXACT}|\([^()]*\)"
    rf"|\(?(?:{REGION})\s*;\s*%+{NAME}%*|[\w.,]+|[<>=&|!]+"
)
#: A part of a formula as it may be meant, and in which case.
Way = tuple[Node, str]


@dataclass(frozen=True, slots=True)
class Mended:
    """A text to write in place of a part of a formula, and in which case, if there are several."""

    span: Offsets
    text: str
    when: str = ""


def mended(error: FormulaSyntaxError) -> tuple[Mended, ...]:
    """The smallest part to replace so that the formula can be read, in each way it can be meant.

    Empty if that is unknown, or if there are too many ways.
    """
    source = error.source
    if len(source) > MAX_LENGTH or RANGE.search(source):
        return ()
    tight = bool(re.search(r"&&|\|\||\b(?:and|or)\b", source, re.IGNORECASE))
    typed = [new for draft in _readable(source) for new in _typed(draft, tight)]
    ways = {draft.text: draft.when for draft in typed if draft.text != source}
    return _differences(source, ways, error.span) if len(ways) <= MAX_WAYS else ()


def _readable(source: str) -> list[Draft]:
    """A formula without its slips, in each way; none if slips are left, or in too many ways."""
    readable: list[Draft] = []
    drafts = [Draft(source)]
    for _ in range(MAX_SLIPS):
        better: list[Draft] = []
        for draft in drafts:
            current = _error(draft.text)
            if current is None:
                readable.append(draft)
            else:
                better += _better(draft, current)
        drafts = better
        if not drafts or len(drafts) + len(readable) > MAX_WAYS:
            break
    return [] if drafts else readable


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


def _typed(draft: Draft, tight: bool) -> list[Draft]:
    """A formula that says something true or false, in each way; none if that is unknown."""
    drafts, well_typed = [draft], list[Draft]()
    for _ in range(MAX_SLIPS):
        if not drafts or len(drafts) + len(well_typed) > MAX_WAYS:
            break
        latest = drafts.pop()
        formula = read(latest.text)
        problem = next(type_problems(formula.tree), None)
        if problem is None:
            clear = grouped(formula.tree, tight)
            text = latest.text if clear == formula.tree else unparse(clear)
            well_typed.append(Draft(text, latest.when))
            continue
        drafts += [
            Draft(replaced(latest.text, problem.node.span, new.text), new.when or latest.when)
            for new in reversed(retyped(formula, problem))
        ]
    return [] if drafts else well_typed


def _error(source: str) -> FormulaSyntaxError | None:
    try:
        read(source)
    except FormulaSyntaxError as error:
        return error
    return None


def _better(draft: Draft, error: FormulaSyntaxError) -> list[Draft]:
    """The formulas without the slip at which the parser stopped."""
    text, at = draft.text, error.span[0]
    new = next((new for mend in SLIPS if (new := mend(text, at)) is not None), None)
    if new is None or new == text:
        return []
    ways = [Draft(new)] if isinstance(new, str) else new
    return [Draft(way.text, way.when or draft.when) for way in ways]


def _differences(old: str, ways: dict[str, str], place: Offsets) -> tuple[Mended, ...]:
    """The part in which any way differs, and what to write for it in each."""
    spans = [_difference(old, new, place) for new in ways]
    start, end = min((s for s, _ in spans), default=0), max((e for _, e in spans), default=0)
    fixes = []
    for new, when in ways.items():
        fixes.append(Mended((start, end), new[start : len(new) - len(old) + end], when))
    return tuple(fixes)


def _difference(old: str, new: str, place: Offsets) -> Offsets:
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
    return start, end


def _widened(start: int, end: int, units: list[Offsets]) -> Offsets:
    for left, right in units:
        if left < end and right > start:
            start, end = min(start, left), max(end, right)
    return start, end


def retyped(formula: Formula, problem: TypeProblem) -> list[Draft]:
    """The replacements for the part that a problem is about, one for each way it can be meant."""
    if formula.brackets:  # what is joined and what is compared is not what it looks like
        return []
    ways = _retyped(formula.tree, problem.node)
    return [Draft(unparse(new), when) for new, when in ways if not any(type_problems(new))]


def _retyped(tree: Node, node: Node) -> list[Way]:
    if isinstance(node, Comparison):
        new = _without_arithmetic(node)
        return [(new, "")] if new else []
    if isinstance(node, Sum) and any(map(is_truth, children(node))):
        return _moved(node) or [
            (new, when)
            for sign, when in (("&", "if all of them must hold"), ("|", "if one of them is enough"))
            if (new := _joined(node, sign))
        ]
    if node is not tree:
        return _like_its_neighbour(tree, node)
    return _compared_with_zero(node, ("if it should be positive", "if it should be negative"))


def _compared_with_zero(node: Node, when: tuple[str, ...]) -> list[Way]:
    """A difference above 0, and below it."""
    if not isinstance(node, Sum) or node.rest[-1][0] != "-":
        return []
    zero = Number(0.0)
    return [(Comparison(sign, node, zero), why) for sign, why in zip("><", when, strict=False)]


def grouped(node: Node, tight: bool = False) -> Node:
    """The same with parentheses where ``&`` and ``|`` are mixed: they are read from the left.

    With ``tight``, ``&`` is before ``|``, as in the languages from which an operator is.
    """
    match node:
        case Logic():
            terms = [(sign, grouped(part, tight)) for sign, part in [("", node.first), *node.rest]]
            first, rest = terms[0][1], terms[1:]
            if tight and len({sign for sign, _ in rest}) > 1:
                return _tightly(terms)
            while len({sign for sign, _ in rest}) > 1:
                count = next(i for i, (sign, _) in enumerate(rest) if sign != rest[0][0])
                first, rest = Logic(first, tuple(rest[:count])), rest[count:]
            return Logic(first, tuple(rest))
    return node


def _tightly(terms: list[tuple[str, Node]]) -> Node:
    groups: list[list[Node]] = []
    for sign, term in terms:
        if sign == "&":
            groups[-1].append(term)
        else:
            groups.append([term])
    first, *others = (_all_of(group) for group in groups)
    return Logic(first, tuple(("|", group_tree) for group_tree in others))


def _all_of(terms: list[Node]) -> Node:
    first, *others = terms
    return Logic(first, tuple(("&", term) for term in others)) if others else first


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


def _moved(node: Sum) -> list[Way]:
    """``(a < b) + 1`` is written ``a < b + 1``."""
    first, rest = node.first, node.rest
    if not isinstance(first, Comparison) or any(is_truth(term) for _, term in rest):
        return []
    right = first.right
    total = Sum(right.first, (*right.rest, *rest)) if isinstance(right, Sum) else Sum(right, rest)
    return [
        (Comparison(first.operator, first.left, total), f"if it is added to `{unparse(right)}`")
    ]


def _joined(node: Sum, operator: str) -> Node | None:
    """Truth values that are added are joined."""
    if not operator or any(sign != "+" for sign, _ in node.rest):
        return None
    if not all(map(is_truth, children(node))):
        return None
    return Logic(node.first, tuple((operator, term) for _, term in node.rest))


def _like_its_neighbour(tree: Node, node: Node) -> list[Way]:
    """``a > b & c`` may be ``a > b & a > c``, and ``a & b > c`` may be ``a > c & b > c``.

    A difference may be compared with 0 too. Nothing is known where both neighbours are comparisons,
    or numbers: ``a & b > c & d`` may compare ``a`` with ``c``, and ``b`` with ``d``.
    """
    for parent in walk(tree):
        parts = children(parent)
        if not any(part is node for part in parts) or not isinstance(parent, Logic):
            continue
        at = next(i for i, part in enumerate(parts) if part is node)
        near = [part for part in parts[max(at - 1, 0) : at + 2] if isinstance(part, Comparison)]
        if len(near) != 1 or sum(not is_truth(part) for part in parts) > 1:
            return []
        return _completed(node, near[0], is_first=parts[at - 1] is not near[0] or at == 0)
    return []


def _completed(node: Node, near: Comparison, *, is_first: bool) -> list[Way]:
    """A number beside a comparison, compared as that is."""
    if isinstance(node, Number):
        if is_first or not isinstance(near.right, Number):
            return []
        new = Comparison(near.operator, near.left, node)
        return [(new, f"if `{unparse(near.left)}` is compared with it too")]
    if is_first or isinstance(near.right, Number):
        shared, new = near.right, Comparison(near.operator, node, near.right)
    else:
        shared, new = near.left, Comparison(near.operator, near.left, node)
    ways: list[Way] = [(new, f"if it is compared with `{unparse(shared)}` too")]
    if not isinstance(near.right, Number):
        ways += _compared_with_zero(node, ("if the difference should be positive",))
    return ways
