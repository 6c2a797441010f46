"""Mistakes, which rules find in a document, and the findings that are made of them.

A rule yields mistakes: what is wrong at a pointer of the document, not yet in the text: the text,
the severity and the code come later (``locate``), and only for what will be shown.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from evalmark.schemas.phrase import Phrase, Wordings
from evalmark.validator.io.redaction import may_hold_secret, redacted


class Severity(StrEnum):
    """The severity of a finding."""

    ERROR = "error"
    WARNING = "warning"


class Safety(StrEnum):
    """Unsafe is a fix that changes the text a model reads, or a recorded number or time."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Action(Wordings):
    """An action that corrects a finding, with its values: surfaces word it, or leave it out."""

    WRITE = "write {}"  # in place of the value
    CHOOSE = "write one of {}"
    ADD = "add {}"  # to the object
    RENAME = "rename `{}` to `{}`"
    REMOVE = "remove `{}`"
    CONVERT = "`evalmark convert --in-place {}FILE` {}"  # options, and what it does to an old file
    NAME_CONDITION = "name the condition `{}`, here, in every item and in the formulas"
    TERMINAL = "{}"  # only a terminal can follow it: it has a command or an option


class Span(NamedTuple):
    """A stretch of a file: 1-based lines, 1-based columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def below(self, lines: int) -> Span:
        """The same stretch so many lines further down."""
        return Span(self.line + lines, self.column, self.end_line + lines, self.end_column)


class Label(NamedTuple):
    """A further place that explains a finding, with a short text."""

    span: Span
    text: str


class Edit(NamedTuple):
    """Replace the characters ``start`` to ``end`` of the file's text (offsets in code points)."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """The edits that fix a finding."""

    edits: tuple[Edit, ...]
    safety: Safety


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake, at one place; no secret of the file is in its words.

    Attributes:
        code: Stable code of the rule, for example ``SG204``; never reused.
        name: Name of the rule, for example ``unknown-condition``.
        severity: Error or warning.
        message: What is wrong, in one sentence: lower case, no full stop.
        path: The file as the caller named it.
        pointer: RFC 6901 pointer to the value; ``""`` is the whole document.
        span: Where in the text; None when the input has no text (``check_data``).
        caret: The expectation at the place itself, shown under it.
        labels: Further places that explain the first.
        notes: Facts worth knowing.
        helps: The very text to write, or what to do; the fix is not mentioned.
        fix: How ``--fix`` would fix it.
        schema_location: Pointer into the bundled schema; None for a rule's finding.
        fold: Findings of a file with equal code and fold are shown once, with a count.
        also: Pointers of further values that it is about.
        subject: The keys that it is about: those that are missing, unknown or misspelt.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    pointer: str = ""
    span: Span | None = None
    caret: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    fix: Fix | None = None
    schema_location: str | None = None
    fold: str = ""
    also: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        words = (self.message, self.caret, *self.notes, *self.helps)
        if not may_hold_secret("\n".join([*words, *(label.text for label in self.labels)])):
            return
        for name in ("message", "caret", "fold"):
            object.__setattr__(self, name, redacted(getattr(self, name)))
        for name in ("notes", "helps"):
            object.__setattr__(self, name, tuple(map(redacted, getattr(self, name))))
        labels = tuple(Label(label.span, redacted(label.text)) for label in self.labels)
        object.__setattr__(self, "labels", labels)

    @property
    def actions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The helps that are actions: the name of an ``Action``, and its values."""
        phrases = (text for text in self.helps if isinstance(text, Phrase))
        return tuple((p.name.name.lower(), tuple(map(str, p.values))) for p in phrases)

    @property
    def showable_fix(self) -> Fix | None:
        """The fix, unless it writes a secret: with a part of that it must not be applied."""
        texts = (edit.text for edit in self.fix.edits) if self.fix else ()
        return None if any(text != redacted(text) for text in texts) else self.fix

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Order of findings: errors first, then by place, then code."""
        mild = self.severity is not Severity.ERROR
        return (self.path, mild, self.span or Span(1, 1, 1, 1), self.code, self.message)


class Fixed(NamedTuple):
    """A fixed text, and the findings whose fixes were applied."""

    text: str
    findings: tuple[Finding, ...]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with non-overlapping edits applied; insertions at one place keep their order."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(pieces) + text[at:]


def apply_fixes(text: str, findings: Iterable[Finding], *, unsafe: bool = False) -> Fixed:
    """Apply every fix that does not overlap with an earlier one.

    Args:
        text: The text that the findings are about.
        findings: Findings of that text.
        unsafe: Apply also fixes that change what a model reads or a recorded number.
    """
    edits: list[Edit] = []
    fixed: list[Finding] = []
    taken: list[tuple[int, int]] = []  # in order, so that only neighbours can overlap
    for finding in findings:
        fix = finding.fix
        if fix is None or (fix.safety is Safety.UNSAFE and not unsafe):
            continue
        spans = {(edit.start, edit.end) for edit in fix.edits}
        if any(_overlaps(span, taken) for span in spans):
            continue
        for span in spans:
            insort(taken, span)
        edits += fix.edits
        fixed.append(finding)
    return Fixed(apply_edits(text, edits), tuple(fixed))


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    """True if a span shares a character with one of these, which are in order and share none."""
    start, end = span
    place = bisect_left(taken, span)
    return any(
        start < other_end and other_start < end
        for other_start, other_end in taken[max(place - 1, 0) : place + 1]
    )


class Named(Protocol):
    """The fields of a rule that its findings have too."""

    @property
    def code(self) -> str:
        """For example ``SG204``."""

    @property
    def name(self) -> str:
        """For example ``unknown-condition``."""

    @property
    def severity(self) -> Severity:
        """The severity of its findings."""


class Places(Protocol):
    """Finds the places of a document in its text, as a ``Source`` does."""

    def span_of(self, at: At) -> Span | None:
        """The span of a place."""

    def edit_of(self, change: Change) -> Edit | None:
        """The edit that makes a change; None if there is none."""


class At(NamedTuple):
    """A place in a document.

    Attributes:
        pointer: RFC 6901 pointer to a value.
        start: With ``end``, characters inside the string at the pointer.
        end: See ``start``.
        key: The key of the member rather than its value.
    """

    pointer: str
    start: int | None = None
    end: int | None = None
    key: bool = False


class Change(NamedTuple):
    """Replace characters inside a string of the document, or a whole value."""

    at: At  # the characters, or the value
    #: The new text; JSON for a value. None removes the member of an object.
    text: str | None
    adds: bool = False  # whether the text is members to add to the object at the place


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that a rule has found; the fields are those of a finding, see there.

    ``types`` are the JSON types that the value may have.
    """

    message: str
    at: At
    caret: str = ""
    labels: tuple[tuple[At, str], ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    safety: Safety = Safety.SAFE
    schema_location: str | None = None
    fold: str = ""
    #: The subject of the finding, where that is not the place of the caret.
    pointer: str | None = None
    also: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()


class Remark(NamedTuple):
    """A note on something that a rule could not check, and why; shown with ``-v``."""

    text: str


def locate(mistake: Mistake, rule: Named, path: str, source: Places | None) -> Finding:
    """The finding of a mistake, with its places looked up in the text (if there is one)."""
    labels: list[Label] = []
    fix = None
    if source is not None:
        for at, text in mistake.labels:
            if span := source.span_of(at):
                labels.append(Label(span, text))
        fix = _fix(mistake, source)
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=mistake.message,
        path=path,
        pointer=mistake.at.pointer if mistake.pointer is None else mistake.pointer,
        span=source.span_of(mistake.at) if source is not None else None,
        caret=mistake.caret,
        labels=tuple(labels),
        notes=mistake.notes,
        helps=mistake.helps,
        fix=fix,
        schema_location=mistake.schema_location,
        fold=mistake.fold or mistake.message,
        also=mistake.also,
        subject=mistake.subject,
    )


def _fix(mistake: Mistake, source: Places) -> Fix | None:
    edits: list[Edit] = []
    for change in mistake.changes:
        edit = source.edit_of(change)
        if edit is None:
            return None
        edits.append(edit)
    return Fix(tuple(edits), mistake.safety) if edits else None
