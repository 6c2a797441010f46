"""From a record to its sample file.

A record may come from anyone, so the path in it may lead anywhere. Only regular files at or below
the record's folder or its datastore are opened; nothing is told about any other file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from evalmark.validator.findings.finding import At, Finding, Mistake, Span, locate
from evalmark.validator.format import Document
from evalmark.validator.formats.records.record_fields import fields_in, fields_of
from evalmark.validator.formats.records.samples.sample_rules import FILE_RULES
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.io.paths import is_below
from evalmark.validator.reading.source import Source

#: Of a mistake in a path, until the place of the path is known.
_PLACE = At("")

_MISSING = Mistake(
    "the sample file does not exist",
    _PLACE,
    caret="not next to the record, and not relative to the parent folder of `data`",
)
_OUTSIDE = Mistake(
    "the sample file is outside the record's folder and its datastore",
    _PLACE,
    caret="expected a relative path at or below one of these folders",
    notes=("evalmark does not open files outside these folders, or hidden files",),
    helps=("move the sample file into the record's folder, and write its path relative to it",),
)
_IRREGULAR = Mistake(
    "the sample file is not a regular file",
    _PLACE,
    caret="expected a file, not a folder, a device or a pipe",
)


@dataclass(frozen=True, slots=True)
class Companion:
    """The sample file that a record names: where it is, or why it cannot be used."""

    path: str = ""
    #: The same without symbolic links; this is the file that is read and written.
    real: str = ""
    problem: Mistake | None = None

    @property
    def is_refused(self) -> bool:
        """True if evalmark refuses to open it, rather than fails to find it."""
        return self.problem is not None and self.problem != _MISSING

    def opened(self) -> BinaryIO:
        """Open it to read its bytes."""
        return open_regular(self.real, follow=False)

    def whole(self) -> bytes:
        """Its bytes, unless they are more than a file that is read as a whole may have."""
        return read_whole(self.real, follow=False)


def link_findings(
    companion: Companion, record: Document, source: Source, others: tuple[Finding, ...]
) -> list[Finding]:
    """The findings of the link of a record, unless its schema has already said so."""
    if companion.problem is None:
        return []
    at = fields_of(record).at("samples_path")
    problem = replace(companion.problem, at=At(at))
    if not companion.is_refused:
        return [locate(problem, FILE_RULES["samples-missing"], source.path, source)]
    if any(finding.code == "EE117" and finding.pointer == at for finding in others):
        return []
    return [locate(problem, FILE_RULES["samples-path"], source.path, source)]


def orphaned(path: str, record: str, is_there: bool) -> Finding:
    """The finding for a sample file whose record was deleted, or names another one now."""
    change = "names another one now" if is_there else "was deleted"
    mistake = Mistake(f"no record names this sample file: {record} {change}", At(""))
    beginning = Span(1, 1, 1, 1)
    return replace(locate(mistake, FILE_RULES["orphaned-samples"], path, None), span=beginning)


def companion(record: Mapping[str, Any], path: str) -> Companion | None:
    """The sample file that a record names, if it names one as JSON lines.

    It is looked for next to the record and in the folder that contains ``data``.
    """
    view = fields_in(record)
    name = view.text("samples_path")
    if name is None or not name.strip():
        return None
    if view.get("samples_format") == "json" and not name.endswith(".jsonl"):
        return None
    if path in ("-", "") or name.startswith(("http://", "https://")):
        return None
    if os.path.isabs(name) or os.path.splitdrive(name)[0]:
        return Companion(problem=_OUTSIDE)
    # The path stays in the caller's terms, as the record's own does.
    folder = os.path.dirname(path)
    roots = [folder, *_datastore(folder)]
    beside, *above = [os.path.join(root, name) for root in roots]
    candidates = (beside, os.path.join(folder, os.path.basename(name)), *above)
    problem = _MISSING
    for candidate in candidates:
        target = _resolve(candidate, roots)
        if target.problem is None or target.problem is _OUTSIDE:
            return target
        if target.problem is _IRREGULAR and os.path.basename(name):
            problem = _IRREGULAR
    return Companion(problem=problem)


def _datastore(folder: str) -> Iterator[str]:
    """The folder that holds the nearest ``data`` above, unless that is the root of all files."""
    above = os.path.abspath(folder)
    while (parent := os.path.dirname(above)) != above:
        if os.path.basename(above) == "data":
            if os.path.dirname(parent) != parent:
                yield parent
            return
        above = parent


def _resolve(path: str, roots: list[str]) -> Companion:
    """The target of a path; links are followed before the place is judged."""
    try:
        real = os.path.realpath(path)
        if not any(is_below(real, os.path.realpath(root)) for root in roots):
            return Companion(problem=_OUTSIDE)
        mode = os.lstat(real).st_mode
    except (OSError, ValueError):  # a name that no file can have is a ValueError
        return Companion(problem=_MISSING)
    if not stat.S_ISREG(mode):
        return Companion(problem=_IRREGULAR)
    return Companion(path, real)
