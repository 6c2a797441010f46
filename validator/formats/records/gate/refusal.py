"""One thing that Every Eval Ever's validator says about a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding, Severity

#: Note for a finding on what the gate accepts.
LETS_PASS = "EEE's validator accepts this"  # noqa: S105 - nothing secret
#: Rules of ours that say the same as a check of the contents, at the same place.
_OF_CONTENTS = ("score-out-of-bounds", "bounds-reversed", "gate-null-bounds")
#: Rules of ours that say in one finding everything that is wrong with their contents.
_FOR_ALL = ("wrong-version", "unfit-old-record", "unknown-version")

#: The key that refusals and findings share if they say the same: files may have many of both.
Topic = tuple[str, str]
_CONTENTS: Topic = ("contents", "")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal or warning by one of the validator's checks.

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

    @property
    def topics(self) -> tuple[Topic, ...]:
        """A finding that has one of these topics says the same."""
        if self.pointer is None:
            return tuple(("rule", name) for name in self.said_by)
        return _CONTENTS, ("value", self.pointer)


def topics_of(finding: Finding) -> tuple[Topic, ...]:
    """The topics of one of our findings."""
    rule = ("rule", finding.name)
    if finding.name in _FOR_ALL:
        return rule, _CONTENTS
    if finding.code.startswith("EE1") or finding.name in _OF_CONTENTS:
        return rule, *(("value", pointer) for pointer in (finding.pointer, *finding.also))
    return (rule,)


def said_and_unsaid(
    refused: Iterable[Refusal], findings: Iterable[Finding]
) -> tuple[list[Refusal], list[Refusal]]:
    """The refusals that findings say already, and the others."""
    topics = {topic for finding in findings for topic in topics_of(finding)}
    reported: list[Refusal] = []
    unsaid: list[Refusal] = []
    for refusal in refused:
        (unsaid if topics.isdisjoint(refusal.topics) else reported).append(refusal)
    return reported, unsaid


def away_from(refused: Iterable[Refusal], pointers: Iterable[str]) -> list[Refusal]:
    """The refusals that are not about one of some values, a value around it, or one inside it."""
    values = set(pointers)
    around = {above for pointer in values for above in _around(pointer)}
    return [
        refusal
        for refusal in refused
        if refusal.pointer is None
        or (refusal.pointer not in around and values.isdisjoint(_around(refusal.pointer)))
    ]


def _around(pointer: str) -> Iterator[str]:
    """A pointer, and those of the values around it."""
    yield pointer
    for place, character in enumerate(pointer):
        if character == "/":
            yield pointer[:place]


def verdict(refusals: Iterable[Refusal]) -> str:
    """The verdict on the file: ``pass``, ``warn`` or ``refuse``."""
    severities = {refusal.severity for refusal in refusals}
    if Severity.ERROR in severities:
        return "refuse"
    return "warn" if severities else "pass"
