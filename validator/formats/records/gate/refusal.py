"""One thing that Every Eval Ever's validator says about a file."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding, Severity

#: Rules of ours that say the same as a check of the contents, at the same place.
_OF_CONTENTS = ("score-out-of-bounds", "bounds-reversed", "gate-null-bounds")

#: The key that refusals and findings share if they say the same: files may have many of both.
Topic = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal or warning by one of the validator's checks.

    Attributes:
        message: What is wrong, in our words.
        pointer: The value it is about; None if it is about the file and its place.
        said_by: Names of our rules that say the same.
        severity: A warning does not refuse the file.
        helps: What to do about it, where no rule of ours says the same.
    """

    message: str
    pointer: str | None = None
    said_by: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    helps: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[Topic, ...]:
        """A finding that has one of these topics says the same."""
        rules = tuple(("rule", name) for name in self.said_by)
        return rules if self.pointer is None else (*rules, ("value", self.pointer))


def topics_of(finding: Finding) -> tuple[Topic, ...]:
    """The topics of one of our findings."""
    rule = ("rule", finding.name)
    if finding.code.startswith("EE1") or finding.name in _OF_CONTENTS:
        return rule, *(("value", pointer) for pointer in (finding.pointer, *finding.also))
    return (rule,)
