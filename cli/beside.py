"""Files checked by other processes than the one that reports."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from evalmark.cli.entries import Entry
from evalmark.cli.lines import complain
from evalmark.cli.progress import counting
from evalmark.validator.asked import Asked
from evalmark.validator.batch.workers import Done, in_processes
from evalmark.validator.check import check_one
from evalmark.validator.findings.file_findings import file_finding
from evalmark.validator.findings.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from evalmark.cli.checking import Session

    Engine = Callable[[Iterable[Entry]], Iterator[Done[Entry, Report]]]


def check_beside(session: Session, entries: Iterator[Entry]) -> int | None:
    """Check what is left in several processes; an exit code if there are none to be had."""
    options = session.options
    if options.engine == "local":
        work = partial(check_entry, session.asked)
        here = partial(in_processes, work=work, died=died, processes=session.processes)
        _check_all(session, entries, here)
        return None
    if "-" in options.paths:
        return complain("--engine ray checks files; standard input is here only")
    from evalmark.cli.ray_cluster import cluster, in_ray, in_this_ray
    from evalmark.schemas.errors import ClusterError

    try:
        with cluster(os.environ.get("RAY_ADDRESS")) as ray:
            work = partial(check_entry, session.asked, share=in_this_ray)
            _check_all(session, entries, partial(in_ray, ray, work=work, died=died))
    except ClusterError as error:
        return complain(str(error))
    return None


def _check_all(session: Session, entries: Iterator[Entry], engine: Engine) -> None:
    """Check files by an engine; rows after the records that may name them."""
    rows: list[Entry] = []
    seen = 0

    def documents() -> Iterator[Entry]:
        nonlocal seen
        for entry in entries:
            seen += 1
            if entry.path.endswith(".jsonl"):
                rows.append(entry)
            else:
                yield entry

    with counting("checking", "files") as progress:

        def take(done: Done[Entry, Report]) -> None:
            session.check(done.piece, done.result)
            if progress:
                progress(session.files, seen)

        for done in engine(documents()):
            take(done)
        left = (entry for entry in rows if entry.path not in session.companions)
        if session.options.engine == "local":
            for entry in left:
                session.check(entry)
        else:
            for done in engine(left):
                take(done)


def check_entry(asked: Asked, entry: Entry, **how: Any) -> Report:
    """Check a file; ``how`` is that of ``check_one``."""
    return check_one(entry.path, asked, **how)


def died(entry: Entry, how: str) -> Report:
    """The report of a file that was the end of the process that looked at it."""
    message = f"cannot be checked: the process that looked at it ended with {how}"
    return Report(entry.path, None, None, (file_finding("F011", entry.path, message),))
