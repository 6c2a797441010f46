"""One thing that Every Eval Ever's validator says about a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.severity import Severity

#: Rules of ours that say the same as a check of the contents, at the same place.
_OF_CONTENTS = ("score-out-of-bounds", "bounds-reversed", "gate-null-bounds")
#: Rules of ours that say in one finding everything that is wrong with their contents.
_FOR_ALL = ("wrong-version", "unfit-old-record", "unknown-version")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What one of the validator's checks says.

    Attributes:
        check: Its check: ``schema`` for the models, or the name of a registered check.
        message: What is wrong, in our words.
        pointer: The value it is about; None if it is about the file and its place.
        said_by: Names of our rules that say the same.
        severity: A warning does not refuse the file.
        helps: What to do about it, where no rule of ours says the same.
    """

    check: str
    message: str
    pointer: str | None = None
    said_by: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    helps: tuple[str, ...] = ()

    def is_said_by(self, finding: Finding) -> bool:
        """Whether one of our findings says the same."""
        if self.pointer is None:
            return finding.name in self.said_by
        if finding.name in _FOR_ALL:
            return True
        is_alike = finding.code.startswith("EE1") or finding.name in _OF_CONTENTS
        return is_alike and finding.pointer == self.pointer

    def is_near(self, finding: Finding) -> bool:
        """Whether a finding is about a value around this one, or inside it."""
        if self.pointer is None:
            return False
        here, there = f"{self.pointer}/", f"{finding.pointer}/"
        return here.startswith(there) or there.startswith(here)


def verdict(refusals: Iterable[Refusal]) -> str:
    """What becomes of the file: ``pass``, ``warn`` or ``refuse``."""
    severities = {refusal.severity for refusal in refusals}
    if Severity.ERROR in severities:
        return "refuse"
    return "warn" if severities else "pass"
