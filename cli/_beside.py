"""Files checked by other processes than the one that reports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from evalmark.validator import (
    RULES,
    Finding,
    Report,
    Severity,
    Span,
    check_file,
    in_processes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ._checking import Session
    from ._entries import Entry


def check_beside(session: Session, entries: Iterator[Entry]) -> None:
    """Check what is left in several processes; rows are read here, after their records."""
    rows: list[Entry] = []

    def documents() -> Iterator[Entry]:
        for entry in entries:
            if entry.path.endswith(".jsonl"):
                rows.append(entry)
            else:
                yield entry

    work = partial(check_entry, session.how())
    for done in in_processes(documents(), work, died, session.processes):
        session.check(done.piece, done.result)
        for stage, took in done.stages.items():
            session.stages[stage] = session.stages.get(stage, 0.0) + took
    for entry in rows:
        session.check(entry)


def check_entry(how: Mapping[str, Any], entry: Entry) -> Report:
    """Check a file; ``how`` are the arguments of ``check_file``."""
    return check_file(entry.path, **how)


def died(entry: Entry, how: str) -> Report:
    """The report of a file that was the end of the process that looked at it."""
    message = f"cannot be checked: the process that looked at it ended with {how}"
    finding = Finding(
        "F011", RULES["F011"].name, Severity.ERROR, message, entry.path, span=Span(1, 1, 1, 1),
        fold=message,
    )  # fmt: skip
    return Report(entry.path, None, None, (finding,))
