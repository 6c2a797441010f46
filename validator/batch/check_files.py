"""Check many files: folders, excludes, samples once, identities, workers, Ray."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from evalmark.schemas.backend import Backend, backend_for
from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.file_comparison import Shared
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.batch.walking import UNRECOGNIZED, Entry, entries, size_of
from evalmark.validator.check import check_one
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import NOT_CHECKED, file_finding
from evalmark.validator.format import CheckContext, FileIgnore, Share
from evalmark.validator.io.paths import leaves_repository
from evalmark.validator.io.terminal import Counter, counting


def processors() -> int:
    """Processors that this process may use: in a container often fewer than there are."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch the garbage collector off: documents are trees, and a search for cycles is slow."""
    if not gc.isenabled():  # whoever switched it off, perhaps this, switches it on
        yield
        return
    gc.disable()
    gc.freeze()  # what is loaded is in use: the first search need not look at it
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


#: Bytes checked in this process before workers are started; they have paid for their start then.
ENOUGH = 20_000_000
#: Files between two searches for reference cycles.
COLLECTED = 500
#: Files that evalmark writes beside results, which are not reported: settings, scores, logs.
RUN_FILES = frozenset(("run.json", "scores.json", "conversation.jsonl", "unfinished.jsonl"))
LEADS_OUT = "cannot be read: a symbolic link out of the repository or to a hidden file"


class Checked(NamedTuple):
    """The result of a check of many files.

    Attributes:
        reports: Reports with findings, in the order of the files.
        files: Number of checked files, sample files included.
        unreadable: Whether a file could not be read, or its check failed.
        unused_ignores: Entries of ``per_file_ignores`` that ignored nothing.
        skipped: Path and reason of what was skipped in folders: links, files with other endings,
            what is not a regular file, and unrecognized files.
        verdicts: With a profile, each file and whether it passes the checks of the leaderboard.
        paths: All checked files, if they are to be listed; else empty, whatever was checked.
        remarks: Why formats of other packages could not be looked for in unrecognized files.
    """

    reports: tuple[Report, ...]
    files: int
    unreadable: bool
    unused_ignores: tuple[FileIgnore, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    verdicts: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the files."""
        return tuple(finding for report in self.reports for finding in report.findings)

    @property
    def ok(self) -> bool:
        """True if there is no error; warnings are allowed."""
        return all(report.ok for report in self.reports)


def check_batch(paths: Iterable[str | os.PathLike[str]], context: CheckContext) -> Checked:
    """Check files, and the files in folders; see ``Checker.files``."""
    names = [os.fspath(path) for path in paths]
    if context.ray and "-" in names:
        raise UsageError("a Ray cluster cannot read standard input")
    listing = partial(entries, names, context.exclude, even_named=context.picked)
    workers = 1 if context.hook or "-" in names else context.jobs or processors()
    with no_collection():
        skipped: list[tuple[str, str]] = []
        remaining, backend = _with_backend(listing(skipped=lambda *entry: skipped.append(entry)))
        context = context._replace(backend=context.backend or backend)
        ignores = Ignores(context.ignore, context.per_file_ignores)
        for name in names:
            ignores.reach(name)
        with counting("checking", "files", enabled=context.bars) as progress:
            batch = _Batch(context, ignores, progress, listing)
            batch.run(remaining, workers)
            batch.add(batch.shared.repeated(listing))
            if context.beyond is not None:
                batch.add(context.beyond())
    skipped += (
        (path, UNRECOGNIZED)
        for path in sorted(set(batch.unrecognized))
        if os.path.basename(path) not in RUN_FILES
    )
    return batch.checked()._replace(skipped=tuple(skipped))


def _with_backend(listing: Iterator[Entry]) -> tuple[Iterator[Entry], Backend]:
    seen: list[Entry] = []

    def sizes() -> Iterator[int]:
        for entry in listing:
            seen.append(entry)
            yield size_of(entry.path)

    backend = backend_for(sizes())
    return chain(seen, listing), backend


@dataclass(slots=True)
class _Batch:
    context: CheckContext
    ignores: Ignores
    progress: Counter | None
    listing: Callable[[], Iterator[Entry]]
    reports: dict[int, Report] = field(default_factory=dict)
    verdicts: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    files: int = 0
    taken: int = 0
    total: int | None = None
    unreadable: bool = False
    unrecognized: list[str] = field(default_factory=list)
    companions: set[str] = field(default_factory=set)
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)
    shared: Shared = field(default_factory=Shared)
    remarks: dict[str, None] = field(default_factory=dict)

    def run(self, remaining: Iterator[Entry], workers: int) -> None:
        if self.context.ray and not self.context.hook:
            self.on_ray(remaining, self.context.ray_address)
            return
        self.here(remaining, workers, until=ENOUGH if workers > 1 else None)
        if (entry := next(remaining, None)) is not None:
            self.in_workers(chain([entry], remaining), workers)

    def here(self, remaining: Iterator[Entry], workers: int, *, until: int | None) -> None:
        """Check files in this process, until so many bytes were checked."""
        context = self.context._replace(
            progress=None if self.progress is None else self._read,
            share=partial(share_among, workers) if workers > 1 else None,
        )
        checked = 0
        for entry in remaining:
            if entry.path in self.companions:
                continue
            report = self._check(entry, context)
            self.take(entry, report)
            if not entry.number % COLLECTED:
                gc.collect()
                gc.freeze()  # what is left is in use, and need not be looked at again
            if until is not None:
                checked += sum(map(size_of, (entry.path, *report.companions)))
                if checked > until:
                    return

    def _check(self, entry: Entry, context: CheckContext) -> Report:
        if entry.path == "-" and self.context.stdin is not None:
            name, content = self.context.stdin
            return check_one(name, context._replace(is_file=False, seen=None), content)
        if self.context.hook and leaves_repository(entry.path):
            return Report(entry.path, None, None, (file_finding("F011", entry.path, LEADS_OUT),))
        return check_one(entry.path, context)

    def _read(self, size: int) -> None:
        if self.progress is not None:
            self.progress(self.taken, self.total, f"reading rows: {size // 1_000_000} MB")

    def in_workers(self, remaining: Iterator[Entry], workers: int) -> None:
        work = partial(_check_entry, self.context)
        engine = partial(share_among, workers, work=work, died=_crash_report)
        self.here(self._documents(remaining, engine), workers, until=None)

    def on_ray(self, remaining: Iterator[Entry], address: str | None) -> None:
        from evalmark.validator.batch.workers import cluster, in_ray, in_this_ray

        with cluster(address) as ray:
            work = partial(_check_entry, self.context, share=in_this_ray)
            engine = partial(in_ray, ray, work=work, died=_crash_report)
            for done in engine(self._documents(remaining, engine)):
                self.take(done.piece, done.result)

    def _documents(self, remaining: Iterator[Entry], engine: Callable[..., Any]) -> Iterator[Entry]:
        """Check all but files of rows; those that no record names are left, and returned."""
        rows: list[Entry] = []

        def documents() -> Iterator[Entry]:
            for entry in remaining:
                if entry.path.endswith(".jsonl"):
                    rows.append(entry)
                else:
                    yield entry

        for done in engine(documents()):
            self.take(done.piece, done.result)
        return (entry for entry in rows if entry.path not in self.companions)

    def take(self, entry: Entry, report: Report) -> None:
        """Keep the report of a file, unless its record had it or nobody asked for the file."""
        self._show_progress()
        if entry.path in self.companions:
            return  # checked with its record
        if report.companions:
            self.companions.update(report.companions, map(os.path.relpath, report.companions))
        if report.kind is None and report.remarks:  # said once for all unrecognized files
            self.remarks.update(dict.fromkeys(report.remarks))
            report = replace(report, remarks=())
        if report.findings and (self.context.picked or not entry.named):
            from evalmark.validator.formats.unrecognized import (
                is_unrecognized,  # for files with findings only
            )

            if is_unrecognized(report, was_ours=entry.path in self.context.ours):
                self.unrecognized.append(entry.path)
                return
        self._count(entry, report)
        report = self._shown_report(report)
        if report.findings:
            self.reports[entry.number] = report

    def _show_progress(self) -> None:
        self.taken += 1
        if self.progress is not None:
            if self.total is None and self.progress.is_long:
                self.total = sum(1 for _ in self.listing())
            self.progress(self.taken, self.total)

    def _count(self, entry: Entry, report: Report) -> None:
        self.files += 1 + len(report.companions)
        if self.context.listed:
            self.paths[entry.number] = report.path, *report.companions
        self.ignores.reach(report.path)
        self.unreadable |= any(finding.code in NOT_CHECKED for finding in report.findings)
        if not (self.context.hook or self.context.schema_only):
            self.shared.add(entry.number, report)
        if report.verdicts:
            self.verdicts[entry.number] = report.verdicts

    def _shown_report(self, report: Report) -> Report:
        if report.findings or report.repeats is not None:
            report = replace(report, findings=self.ignores.kept(report.findings), repeats=None)
        if self.context.each is not None:
            report = self.context.each(report)
            report = replace(report, findings=self.ignores.kept(report.findings))
        return report

    def add(self, reports: Iterable[Report]) -> None:
        kept = (replace(piece, findings=self.ignores.kept(piece.findings)) for piece in reports)
        added = [report for report in kept if report.findings]
        paths = {report.path for report in added}
        numbers = {entry.path: entry.number for entry in self.listing() if entry.path in paths}
        for report in added:
            # Files that were not checked come last.
            number = numbers.setdefault(report.path, sys.maxsize - len(paths) + len(numbers))
            before = self.reports.get(number) or replace(report, findings=())
            places = {(finding.code, finding.pointer) for finding in before.findings}
            new = [f for f in report.findings if (f.code, f.pointer) not in places]
            self.reports[number] = replace(before, findings=(*before.findings, *new))
            self.unreadable |= any(finding.code in NOT_CHECKED for finding in new)

    def checked(self) -> Checked:
        reports = tuple(report for _, report in sorted(self.reports.items()))
        return Checked(
            reports,
            self.files,
            self.unreadable,
            self.ignores.unused,
            verdicts=_in_order(self.verdicts),
            paths=_in_order(self.paths),
            remarks=tuple(self.remarks),
        )


def _in_order(by_number: dict[int, tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(item for _, of_one in sorted(by_number.items()) for item in of_one)


def share_among(workers: int, pieces: Any, work: Any, died: Any, **options: Any) -> Iterator[Any]:
    """``in_processes``, which loads multiprocessing, for large work."""
    from evalmark.validator.batch.workers import in_processes

    return in_processes(pieces, work, died, workers, **options)


def _check_entry(context: CheckContext, entry: Entry, share: Share | None = None) -> Report:
    return check_one(entry.path, context._replace(share=share))


def _crash_report(entry: Entry, cause: str) -> Report:
    message = f"cannot be checked: the worker process died ({cause})"
    return Report(entry.path, None, None, (file_finding("F011", entry.path, message),))
