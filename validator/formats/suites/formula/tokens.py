"""The tokens of the prediction language, and what reads them.

The error carries the text and the place, and can draw itself.
"""

from __future__ import annotations

import re

from evalmark.schemas.errors import FormulaSyntaxError

#: Whitespace of the language; a no-break space is not.
_SPACE = " \t\r\n"

#: Tokens of one character.
OPEN, CLOSE, COMPARISON, LOGIC, SIGN = "([", ")]", "<>=", "&|", "+-"

PATTERNS: dict[str, re.Pattern[str]] = {
    # `(2;` and `(*;` open a reference, whatever follows: nothing else has a semicolon.
    "REFERENCE": re.compile(r"\([ \t\r\n]*([0-9]+|\*)[ \t\r\n]*;"),
    "NUMBER": re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
}

_NO_PRODUCT = "add the region several times: `A + A > B` for `2 * A > B`"
#: Common mistakes (in any letter case), the message, and what to write.
SLIPS: tuple[tuple[str, str, str], ...] = (
    (r">=|=>", "there is no operator `{}`", "write `>`"),
    (r"<=|=<", "there is no operator `{}`", "write `<`"),
    (r"!=|<>", "there is no operator `{}`", "compare twice: `(A < B) | (A > B)`"),
    (r"==", "there is no operator `==`", "write `=`"),
    (r"&&|and\b", "there is no operator `{}`", "join comparisons with `&`"),
    (r"\|\||or\b", "there is no operator `{}`", "join comparisons with `|`"),
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
    (
        r"\|",
        "there is no `|A|`",
        "compare twice: `A - B < 1 & B - A < 1` for `|A - B| < 1`",
    ),
    (r"(?:inf|nan)\w*", "`{}` is not a number", "use a decimal number"),
    (r",", "formulas have no commas", "use `;` in a region reference, and `.` in a decimal number"),
    (
        r"(?:[0-9]+|\*)?[ \t\r\n]*;",
        "a region reference needs parentheses",
        "a region reference looks like this: `(2;%condition%)`",
    ),
)


class TokenReader:
    """Reads tokens from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.skip()

    def skip(self) -> None:
        """Go past whitespace."""
        source, at = self.source, self.position
        while at < len(source) and source[at] in _SPACE:
            at += 1
        self.position = at

    def comes(self, characters: str) -> bool:
        """Whether one of the characters comes next."""
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

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position >= len(self.source)

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
