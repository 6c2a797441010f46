"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from evalmark.validator.findings.hit import Hit, Remark
from evalmark.validator.findings.severity import Severity

#: A check gets the view of a document, and yields what it finds.
Check = Callable[[Any], Iterator[Hit] | Iterator[Hit | Remark]]


class Rule(NamedTuple):
    """A rule as users know it.

    Attributes:
        code: For example ``SG204``.
        name: For example ``unknown-condition``.
        severity: How serious a finding is.
        page: Its documentation: what, why, bad, good.
        check: The function that checks it; None if the parser or a schema does.
        optional: Checked only if it is selected: it reports a fact, not a mistake.
    """

    code: str
    name: str
    severity: Severity
    page: str
    check: Check | None = None
    optional: bool = False

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]

    def hits(self, view: Any) -> Iterator[Hit] | Iterator[Hit | Remark]:
        """What the rule finds in a view; nothing if it is not a function."""
        return self.check(view) if self.check else iter(())


def checked_rules(
    *table: tuple[str, str, Severity, Check], optional: tuple[str, ...] = ()
) -> tuple[Rule, ...]:
    """The rules of a table of code, name, severity and function; the docstring is the page."""
    rules = []
    for code, name, severity, check in table:
        assert check.__doc__, f"{name} has no documentation"
        rules.append(Rule(code, name, severity, check.__doc__, check, code in optional))
    return tuple(rules)
