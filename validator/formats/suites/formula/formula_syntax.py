"""The syntax of formulas: their tree, a hand-written parser, and the text of a tree.

Sums and logical chains are kept flat, as they are written, so that a formula of a thousand terms
is as deep as one of two. Spans are offsets into the text a node was read from; they do not count
when nodes are compared.

The docstrings of the parser, read from top to bottom, are the grammar. Two dialects share all but
precedence. In the current one, comparisons bind tighter than ``&`` and ``|``, which share one
level. The older tools handed formulas to Python, after ``[`` had become ``(``: there ``&`` binds
tighter than ``|``, both bind tighter than comparisons, and ``a < b < c`` is a real chain. Square
brackets are the mark of that dialect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.condition_names import (
    LEGAL,
    is_condition_name,
    is_older_name,
    normal_name,
)

Offsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, in the unit of the metric (bits)."""

    value: float
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The value of a region under a condition, whose name is in NFC.

    Region None is ``*``, the sum of all regions.
    """

    region: int | None
    condition: str
    span: Offsets = field(default=(0, 0), compare=False)
    condition_span: Offsets = field(default=(0, 0), compare=False)
    region_span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """``first`` and then ``+`` or ``-`` terms, from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left`` is compared with ``right`` by ``<``, ``>`` or ``=``."""

    operator: str
    left: Node
    right: Node
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """``first`` and then ``&`` or ``|`` operands, all on one level, from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    span: Offsets = field(default=(0, 0), compare=False)

    @property
    def mixed(self) -> bool:
        """True if both operators appear on this level."""
        return len({operator for operator, _ in self.rest}) > 1


Node = Number | Reference | Sum | Comparison | Logic


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, from left to right."""
    match node:
        case Sum() | Logic():
            return (node.first, *(operand for _, operand in node.rest))
        case Comparison():
            return (node.left, node.right)
    return ()


def nodes_of(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, from left to right."""
    yield node
    for child in children(node):
        yield from nodes_of(child)


def references(node: Node) -> Iterator[Reference]:
    """All region references of a formula, from left to right."""
    return (part for part in nodes_of(node) if isinstance(part, Reference))


def unparse(node: Node) -> str:
    """The formula in its current form; ``parse(unparse(tree)) == tree``."""
    match node:
        case Number():
            return number_text(node.value)
        case Reference():
            region = "*" if node.region is None else str(node.region)
            return f"({region};%{node.condition}%)"
        case Comparison():
            left, right = (_operand(side, Comparison, Logic) for side in (node.left, node.right))
            return f"{left} {node.operator} {right}"
        case Sum() | Logic():
            # A comparison in a chain of logic needs no parentheses, but they help to read it.
            wrapped = (Sum, Comparison, Logic) if isinstance(node, Sum) else (Comparison, Logic)
            parts = [_operand(node.first, *wrapped)]
            parts += (f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest)
            return " ".join(parts)


def number_text(value: float) -> str:
    """The shortest literal of the grammar that reads back to the same number."""
    if value.is_integer() and abs(value) < 1e16:
        return str(int(value)) if value or str(value)[0] != "-" else "-0"
    return repr(value)


def _operand(node: Node, *wrapped: type) -> str:
    text = unparse(node)
    return f"({text})" if isinstance(node, wrapped) else text


#: Whitespace of the language; a no-break space is not.
_SPACE = " \t\r\n"
#: Tokens of one character.
OPEN, CLOSE, COMPARISON, LOGIC, SIGN = "([", ")]", "<>=", "&|", "+-"
PATTERNS: dict[str, re.Pattern[str]] = {
    # `(2;` and `(*;` open a reference, whatever follows: nothing else has a semicolon.
    "REFERENCE": re.compile(r"\([ \t\r\n]*([0-9]+|\*)[ \t\r\n]*;"),
    "NUMBER": re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
}
#: Operator -> how other languages write it, in any letter case.
OTHER_OPERATORS = {
    ">": ">=|=>", "<": "<=|=<", "=": "==", "&": r"&&|and\b", "|": r"\|\||or\b"
}  # fmt: skip
_NO_PRODUCT = "add the region several times: `A + A > B` for `2 * A > B`"
#: Common mistakes (in any letter case), the message, and what to write.
SLIPS: tuple[tuple[str, str, str], ...] = (
    *(
        (
            pattern,
            "there is no operator `{}`",
            f"{'join comparisons with' if sign in LOGIC else 'write'} `{sign}`",
        )
        for sign, pattern in OTHER_OPERATORS.items()
    ),
    (r"!=|<>", "there is no operator `{}`", "compare twice: `(A < B) | (A > B)`"),
    (r"[!~]|not\b", "there is no negation", "reverse the comparison"),
    (r"\*", "there is no multiplication", _NO_PRODUCT),
    (r"/", "there is no division", "multiply the other side: `A > B + B` for `A / 2 > B`"),
    (r"abs\b", "there is no `abs`", "compare twice: `A > 3 | 0 - A > 3` for `abs(A) > 3`"),
    (r"(?:max|min)\b", "there is no `{}`", "compare each: `A < C & B < C` for `max(A, B) < C`"),
    (
        r"(?:surprisal|surp|s)[ \t]*\(",
        "formulas have no functions",
        "a region reference is its surprisal: `(2;%a%)`",
    ),
    (r"\|", "there is no `|A|`", "compare twice: `A - B < 1 & B - A < 1` for `|A - B| < 1`"),
    (r"(?:inf|nan)\w*", "`{}` is not a number", "use a decimal number"),
    (r",", "formulas have no commas", "use `;` in a region reference, and `.` in a decimal number"),
    (
        r"(?:[0-9]+|\*)?[ \t\r\n]*;",
        "a region reference needs parentheses",
        "a region reference looks like this: `(2;%condition%)`",
    ),
)
#: Levels of parentheses; deeper formulas are rejected.
MAX_DEPTH = 64
#: Digits of a region number.
MAX_DIGITS = 18
#: A condition, where a formula refers to it: names without blanks, and those of older tools.
_NAME = re.compile(r"%[ \t\r\n]*([^% \t\r\n]+)[ \t\r\n]*%[ \t\r\n]*")
_OLDER_NAME = re.compile(r"%[ \t\r\n]*([^% \t\r\n](?:[^%\r\n]*[^% \t\r\n])?)[ \t\r\n]*%[ \t\r\n]*")


class Dialect(Enum):
    """A reading of formulas: levels of operators; each level joins the parts that the next reads.

    In the older one comparisons are chained, as in Python.
    """

    CURRENT = (LOGIC, COMPARISON, SIGN)
    PYTHON = (COMPARISON, "|", "&", SIGN)


class Formula(NamedTuple):
    """A formula that was read."""

    tree: Node
    source: str
    brackets: tuple[Offsets, ...]  # where its square brackets are


def parse_formula(source: str, dialect: Dialect = Dialect.CURRENT) -> Formula:
    """Read a formula, or raise ``FormulaSyntaxError``."""
    return _Parser(source, dialect).formula()


def read_formula(source: str) -> Formula:
    """Read a formula in the dialect it is written in: square brackets mean the older one."""
    return parse_formula(
        source, Dialect.PYTHON if "[" in source or "]" in source else Dialect.CURRENT
    )


def formula_or_error(source: str) -> Formula | FormulaSyntaxError:
    """A formula, or why it cannot be read."""
    try:
        return read_formula(source)
    except FormulaSyntaxError as error:
        return error


class _Parser:
    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.position = 0
        self.dialect = dialect
        self.depth = 0
        self.brackets: list[Offsets] = []
        self.skip()

    def skip(self) -> None:
        """Go past whitespace."""
        while self.comes(_SPACE):
            self.position += 1

    def comes(self, characters: str) -> bool:
        """True if one of the characters comes next."""
        at = self.position
        return at < len(self.source) and self.source[at] in characters

    def take(self, characters: str) -> str:
        """Take the character that comes next, if it is one of these, and the space after it."""
        if not self.comes(characters):
            return ""
        taken = self.source[self.position]
        self.position += 1
        self.skip()
        return taken

    def read(self, name: str) -> re.Match[str] | None:
        """Take the token of this name, if it comes next, and the space after it."""
        match = PATTERNS[name].match(self.source, self.position)
        if match:
            self.position = match.end()
            self.skip()
        return match

    def error(self, expected: str, start: int | None = None) -> FormulaSyntaxError:
        """The error for unexpected text at ``start`` (default: here)."""
        at = self.position if start is None else start
        if at >= len(self.source):
            end = len(self.source.rstrip())
            return self.wrong(f"unexpected end of formula: expected {expected}", (end, end))
        # The first half of `>=` or `&&` has been read as an operator by the time we get here.
        back = at - 1 if at and self.source[at - 1] in "<>=&|" else at
        for pattern, message, help_text in SLIPS:
            slip = re.compile(pattern, re.IGNORECASE)
            if match := slip.match(self.source, back) or slip.match(self.source, at):
                return self.wrong(message.format(match.group()), match.span(), help_text)
        return self.wrong(f"unexpected `{self.source[at]}`: expected {expected}", (at, at + 1))

    def wrong(
        self, message: str, span: tuple[int, int] | None = None, help_text: str = ""
    ) -> FormulaSyntaxError:
        """An error in the formula; without a span, at the character that comes next."""
        span = span or (self.position, self.position + 1)
        return FormulaSyntaxError(message, self.source, span, help_text)

    def formula(self) -> Formula:
        """Formula = whole END."""
        tree = self.whole()
        if self.position < len(self.source):
            raise self.unexpected()
        return Formula(tree, self.source, tuple(self.brackets))

    def whole(self, level: int = 0) -> Node:
        """Level = below (operator below)*; below the last level are atoms."""
        if level == len(self.dialect.value):
            return self.atom()
        signs, start = self.dialect.value[level], self.position
        operands, operators = [self.whole(level + 1)], list[str]()
        while operator := self.take(signs):
            operators.append(operator)
            operands.append(self.whole(level + 1))
            is_chained = signs == COMPARISON and self.comes(signs)
            if is_chained and self.dialect is Dialect.CURRENT:
                help_text = "compare twice, and join the comparisons with `&`"
                raise self.wrong("comparisons cannot be chained", help_text=help_text)
        span = self.span(start)
        if operators and signs == COMPARISON:
            links = zip(operators, pairwise(operands), strict=True)
            operands = [Comparison(sign, *sides, span) for sign, sides in links]
            operators = ["&"] * (len(operands) - 1)
        first, *others = operands
        node = Sum if signs == SIGN else Logic
        return node(first, tuple(zip(operators, others, strict=True)), span) if others else first

    def atom(self) -> Node:
        """Atom = reference | NUMBER | "(" whole ")" | "[" whole "]"."""
        if head := self.read("REFERENCE"):
            return self.reference(head)
        if self.comes(OPEN):
            return self.group()
        if match := self.read("NUMBER"):
            value = float(match.group())
            if value in (float("inf"), float("-inf")):
                raise self.wrong("number too large", match.span())
            return Number(value, match.span())
        if self.comes(SIGN):
            help_text = "subtract it from 0: `0 - (2;%a%)`"
            raise self.wrong("a sign is allowed only directly before a number", help_text=help_text)
        raise self.error("a region reference like `(2;%a%)`, a number or a parenthesis")

    def group(self) -> Node:
        """Read what is between parentheses or brackets."""
        at = self.position
        opening, span = self.take(OPEN), (at, at + 1)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.wrong(f"parentheses nested more than {MAX_DEPTH} deep", span)
        inner = self.whole()
        closer = ")" if opening == "(" else "]"
        if self.position >= len(self.source):
            raise self.wrong(f"`{opening}` is not closed", span)
        at = self.position
        if not self.take(closer):
            if not self.comes(CLOSE):
                raise self.unexpected()
            message = f"`{opening}` is closed by `{self.source[at]}`"
            raise self.wrong(message, help_text=f"write `{closer}`")
        self.depth -= 1
        if closer == "]":
            self.brackets += (span, (at, at + 1))
        return inner

    def reference(self, head: re.Match[str]) -> Reference:
        """Reference = "(" (DIGITS | "*") ";%" NAME "%" ")"; no space between ";" and "%"."""
        digits = head.group(1)
        if len(digits.lstrip("0")) > MAX_DIGITS:
            raise self.wrong("region number too large", head.span(1))
        at = head.end()
        is_current = self.dialect is Dialect.CURRENT
        is_name = is_condition_name if is_current else is_older_name
        name = (_NAME if is_current else _OLDER_NAME).match(self.source, at)
        if name is None or not is_name(name.group(1)):
            raise self.bad_reference(at)
        if self.source[name.end() : name.end() + 1] != ")":
            raise self.error("`)` to close the reference", name.end())
        self.position = name.end() + 1
        span = (head.start(), self.position)
        self.skip()
        region = None if digits == "*" else int(digits)
        condition = normal_name(name.group(1))
        return Reference(region, condition, span, name.span(1), head.span(1))

    def bad_reference(self, at: int) -> FormulaSyntaxError:
        """The error for text that is wrong after the semicolon of a reference."""
        if space := re.compile(r"[ \t\r\n]+(?=%)").match(self.source, at):
            return self.wrong("space between `;` and `%`", space.span(), "write `;%`")
        loose = re.compile(r"%([^%()]*)%").match(self.source, at)
        if loose and loose.group(1).strip():
            return self.wrong(
                f"a condition name in a formula can only contain {LEGAL}",
                loose.span(1),
                "rename the condition, here and in every item",
            )
        return self.error("a condition name between percent signs: `(2;%a%)`", at)

    def unexpected(self) -> FormulaSyntaxError:
        """The error for what follows a complete formula."""
        if self.comes(CLOSE):
            closing = self.source[self.position]
            return self.wrong(f"`{closing}` has no matching opening parenthesis")
        return self.error("an operator")

    def span(self, start: int) -> Offsets:
        """From ``start`` to the end of what was read, without the space after it."""
        return start, start + len(self.source[start : self.position].rstrip(_SPACE))
