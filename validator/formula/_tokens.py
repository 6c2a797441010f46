"""The words of the prediction language, and a reader over them.

The error carries the text and the place, and can draw itself.
"""

from __future__ import annotations

import re

from ._tree import Offsets

#: All whitespace the language knows; a no-break space is none.
_SPACE = re.compile(r"[ \t\r\n]*")

TOKENS: dict[str, re.Pattern[str]] = {
    "OPEN": re.compile(r"[(\[]"),
    "CLOSE": re.compile(r"[)\]]"),
    # `(2;` and `(*;` open a reference, whatever follows: nothing else has a semicolon.
    "REFERENCE": re.compile(r"\([ \t\r\n]*([0-9]+|\*)[ \t\r\n]*;"),
    "NUMBER": re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
    "COMPARISON": re.compile(r"[<>=]"),
    "LOGIC": re.compile(r"[&|]"),
    "SIGN": re.compile(r"[+-]"),
}

#: What people write instead, and what to write.
SLIPS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r">=|<=|=>|=<|!="), "there is no operator `{}`", "write `<`, `>` or `=`"),
    (re.compile(r"=="), "there is no operator `==`", "write `=`"),
    (re.compile(r"&&|and\b", re.IGNORECASE), "there is no operator `{}`", "write `&`"),
    (re.compile(r"\|\||or\b", re.IGNORECASE), "there is no operator `{}`", "write `|`"),
    (re.compile(r"[!~]|not\b", re.IGNORECASE), "there is no negation", "turn the comparison round"),
    (re.compile(r"\*"), "there is no multiplication", "`*` stands for all regions: `(*;%a%)`"),
    (re.compile(r"/"), "there is no division", "write the number out: 0.5 for 1/2"),
    (re.compile(r"abs\b"), "there is no `abs`", "write `X > 3 | 0 - X > 3` for `abs(X) > 3`"),
    (re.compile(r"(?:inf|nan)\w*", re.IGNORECASE), "`{}` is no number", "write a decimal number"),
    (re.compile(r","), "numbers have no commas", "write 1000 for 1,000"),
    (
        re.compile(r"(?:[0-9]+|\*)?[ \t\r\n]*;"),
        "a region reference stands in parentheses",
        "write `(2;%condition%)`",
    ),
)


class FormulaSyntaxError(ValueError):
    """A formula does not follow the grammar.

    Attributes:
        message: What is wrong.
        source: The formula.
        span: Offsets of the place in the formula.
        help: What to write; may be empty.
    """

    def __init__(self, message: str, source: str, span: Offsets, help: str = "") -> None:  # noqa: A002
        super().__init__(message, source, span, help)
        self.message = message
        self.source = source
        self.span = span
        self.help = help

    def __str__(self) -> str:
        start, end = self.span
        marker = " " * start + "^" * max(1, end - start)
        tail = f"\n{self.help}" if self.help else ""
        return f"{self.message}\n    {self.source}\n    {marker}{tail}"


class Reader:
    """Reads tokens from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.skip()

    def skip(self) -> None:
        """Go past whitespace."""
        match = _SPACE.match(self.source, self.position)
        assert match
        self.position = match.end()

    def check(self, name: str) -> bool:
        """Whether a token of this name comes next."""
        return TOKENS[name].match(self.source, self.position) is not None

    def read(self, name: str) -> re.Match[str]:
        """Take the token of this name that comes next, and the space after it."""
        match = TOKENS[name].match(self.source, self.position)
        assert match, f"{name} must be checked first"
        self.position = match.end()
        self.skip()
        return match

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position >= len(self.source)

    def error(self, expected: str, start: int | None = None) -> FormulaSyntaxError:
        """The error for what stands at ``start`` (default: here) where something else should."""
        at = self.position if start is None else start
        if at >= len(self.source):
            end = len(self.source.rstrip())
            return FormulaSyntaxError(
                f"formula ends where {expected} should follow", self.source, (end, end)
            )
        # The first half of `>=` or `&&` has been read as an operator by the time we get here.
        back = at - 1 if at and self.source[at - 1] in "<>=&|" else at
        for pattern, message, help_text in SLIPS:
            if match := pattern.match(self.source, back) or pattern.match(self.source, at):
                message = message.format(match.group())
                return FormulaSyntaxError(message, self.source, match.span(), help_text)
        return FormulaSyntaxError(
            f"unexpected `{self.source[at]}`: expected {expected}", self.source, (at, at + 1)
        )
