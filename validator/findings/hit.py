"""What a rule yields: a mistake at a place in the document, not yet in the text.

A rule knows pointers; the text, the severity and the code come later (``locate``), and only for
what will be shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from evalmark.validator.findings.finding import Edit, Finding, Fix, Label, Span
from evalmark.validator.findings.severity import Safety, Severity


class Named(Protocol):
    """What a finding takes from its rule."""

    @property
    def code(self) -> str:
        """For example ``SG204``."""

    @property
    def name(self) -> str:
        """For example ``unknown-condition``."""

    @property
    def severity(self) -> Severity:
        """How bad a breach is."""


class Places(Protocol):
    """What finds the places of a document in its text: a ``Source``."""

    def value_span(self, pointer: str) -> Span | None:
        """Span of a value."""

    def key_span(self, pointer: str) -> Span | None:
        """Span of the key of a member."""

    def string_span(self, pointer: str, start: int, end: int) -> Span | None:
        """Span of characters inside a string."""

    def string_edit(self, pointer: str, start: int, end: int, text: str) -> Edit | None:
        """The edit that replaces characters inside a string."""

    def value_edit(self, pointer: str, text: str) -> Edit | None:
        """The edit that replaces a value."""

    def removal(self, pointer: str) -> Edit | None:
        """The edit that removes a member of an object."""


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

    def span(self, source: Places) -> Span | None:
        """Where the place is in the text."""
        if self.key:
            return source.key_span(self.pointer)
        if self.start is not None and self.end is not None:
            return source.string_span(self.pointer, self.start, self.end)
        return source.value_span(self.pointer)


class Change(NamedTuple):
    """Replace characters inside a string of the document, or a whole value.

    Attributes:
        at: The characters, or the value.
        text: What to write; JSON for a value. None removes the member of an object.
    """

    at: At
    text: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A mistake that a rule has found; the fields are those of a finding, see there."""

    message: str
    at: At
    caret: str = ""
    labels: tuple[tuple[At, str], ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    safety: Safety = Safety.SAFE
    schema_location: str | None = None
    fold: str = ""
    #: What the finding is about, where that is not the place of the caret.
    pointer: str | None = None


class Remark(NamedTuple):
    """What a rule could not check, and why; shown with ``-v``."""

    text: str


def locate(hit: Hit, rule: Named, path: str, source: Places | None) -> Finding:
    """The finding of a hit, with its places looked up in the text (if there is one)."""
    labels: list[Label] = []
    fix = None
    if source is not None:
        for at, text in hit.labels:
            if span := at.span(source):
                labels.append(Label(span, text))
        fix = _fix(hit, source)
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=hit.message,
        path=path,
        pointer=hit.at.pointer if hit.pointer is None else hit.pointer,
        span=hit.at.span(source) if source is not None else None,
        caret=hit.caret,
        labels=tuple(labels),
        notes=hit.notes,
        helps=hit.helps,
        fix=fix,
        schema_location=hit.schema_location,
        fold=hit.fold or hit.message,
    )


def _fix(hit: Hit, source: Places) -> Fix | None:
    edits: list[Edit] = []
    for change in hit.changes:
        at = change.at
        if change.text is None:
            edit = source.removal(at.pointer)
        elif at.start is None or at.end is None:
            edit = source.value_edit(at.pointer, change.text)
        else:
            edit = source.string_edit(at.pointer, at.start, at.end, change.text)
        if edit is None:
            return None
        edits.append(edit)
    return Fix(tuple(edits), hit.safety) if edits else None
