"""Files of records: found, checked and made into rows, in this process or in others."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

from evalmark.leaderboard.flatten import RecordFile, clean, flatten
from evalmark.leaderboard.names import MergedNames
from evalmark.leaderboard.result_columns import ResultRow
from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import UsageError
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.check_files import (
    COLLECTED,
    ENOUGH,
    no_collection,
    processors,
    share_among,
)
from evalmark.validator.batch.walking import entries, size_of
from evalmark.validator.batch.workers import cluster, in_processes, in_ray, in_this_ray
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import At, Finding, Mistake, Severity, locate
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import file_finding, internal_error
from evalmark.validator.format import CheckContext, Document, Share
from evalmark.validator.formats.records.record_fields import places_of
from evalmark.validator.formats.records.record_rule_table import REPEATED
from evalmark.validator.formats.unrecognized import is_unrecognized
from evalmark.validator.io.redaction import redacted
from evalmark.validator.io.terminal import counting
from evalmark.validator.reading.reading import Reading

#: The verdict of a file without findings.
CLEAN = "clean"
_ERROR = Severity.ERROR.value


class Taken(NamedTuple):
    """The outcome of reading a file."""

    kind: str | None  # its kind; None if that could not be told
    record: str | None  # the evaluation id of a record
    #: The worst severity among its findings, or clean; None if it is not checked, since it is not a
    #: record.
    verdict: str | None
    codes: tuple[str, ...]  # the codes of its findings, each once
    rows: list[ResultRow]  # its results
    companion: str | None = None  # the sample file that was checked with it
    trouble: Finding | None = None  # the first finding that kept it from being checked


def take_file(checker: Checker, names: MergedNames, path: str, share: Share | None = None) -> Taken:
    """Check a file and make rows of its results; whatever is wrong with it is in its verdict."""
    raws: list[bytes] = []
    documents: list[tuple[Document, Reading]] = []

    def is_record(document: Document, reading: Reading) -> bool:
        if document.is_record:
            documents.append((document, reading))
        return bool(documents)

    report = checker.file(path, share=share, seen=raws.append, wants=is_record)
    findings, rows = list(report.findings), list[ResultRow]()
    digest = hashlib.sha256(raws[0]).hexdigest() if raws else None
    try:
        if documents:
            verdict, codes = verdict_of(findings), _joined(_codes_of(findings))
            file = RecordFile(plain_path(path), digest, verdict, codes)
            rows = flatten(*documents[0], file, names)
    except Exception as error:  # a bug of ours is a finding of one file
        findings.append(internal_error(error, path))
    # A record, or a file that cannot be recognized and has findings.
    is_checked = bool(findings) if report.kind is None else report.kind == RECORD
    return Taken(
        report.kind,
        report.identity,
        verdict_of(findings) if is_checked else None,
        _codes_of(findings),
        rows,
        report.companions[0] if report.companions else None,
        next((finding for finding in findings if report.kind is None), None),
    )


def _codes_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(sorted({finding.code for finding in findings}))


def _joined(codes: Iterable[str]) -> str | None:
    return " ".join(codes) or None


def plain_path(path: str) -> str:
    """A path as tables hold it."""
    return clean(os.path.normpath(path).replace(os.sep, "/"))


def verdict_of(findings: Collection[Finding]) -> str:
    """The worst severity among findings, or clean."""
    if not findings:
        return CLEAN
    is_wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return (Severity.ERROR if is_wrong else Severity.WARNING).value


def _crash_outcome(path: str, reason: str) -> Taken:
    message = f"cannot be checked: the worker process died ({reason})"
    finding = file_finding("F011", path, message)
    return Taken(None, None, verdict_of([finding]), (finding.code,), [], trouble=finding)


@dataclass
class RecordReader:
    """Reads records under the settings of a folder; afterwards it knows what was left out.

    Attributes:
        checker: The check of a record.
        context: That of the check: files to skip in folders, processes, progress.
        names: Names to merge.
        include_errors: Whether records with errors are read too.
        records: Records that were read.
        faulty: How many of them have errors, and how many have warnings.
        left_out: Path and reason of each record that was not.
        unreadable: Path and reason of each file that could not be read or parsed.
    """

    checker: Checker
    context: CheckContext
    names: MergedNames = field(default_factory=MergedNames)
    include_errors: bool = False
    records: int = 0
    faulty: dict[str, int] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def read(self, paths: Iterable[str | os.PathLike[str]]) -> Iterator[Taken]:
        """The records at some paths that count; folders are searched as ``check_files`` does.

        Raises:
            UsageError: A path cannot be read.
            ClusterError: There is no Ray cluster at the address.
        """
        found = self._all_paths(os.fspath(path) for path in paths)
        context = self.context
        backend = context.backend or backend_for(map(size_of, found))
        work = partial(take_file, self.checker.asking(backend=backend), self.names)
        with (
            no_collection(),
            counting("reading", "files", enabled=context.bars) as progress,
        ):
            for done, (path, taken) in enumerate(_take_files(iter(found), work, context), 1):
                if counted := self._counted(path, taken, is_named=found[path]):
                    yield counted
                if progress:
                    progress(done, len(found))

    def _all_paths(self, paths: Iterable[str]) -> dict[str, bool]:
        """Path of each file -> whether it was named, not found in a folder."""
        found: dict[str, bool] = {}
        seen: set[str] = set()
        for entry in entries(paths, self.context.exclude):
            path, place = entry.path, os.path.abspath(entry.path)
            if path == "-":
                raise UsageError("records cannot be read from standard input")
            if path.endswith(".jsonl") or place in seen:
                continue  # sample files are checked with their records
            seen.add(place)
            if redacted(path) != path:
                self.left_out.append((path, "its name holds a secret"))
            else:
                found[path] = entry.named
        return found

    def _counted(self, path: str, taken: Taken, *, is_named: bool) -> Taken | None:
        if taken.trouble is not None:
            report = Report(path, None, None, (taken.trouble,))
            # A folder has files of other programs.
            if not is_unrecognized(report, was_ours=is_named):
                self.unreadable.append((path, taken.trouble.message))
            return None
        if taken.kind != RECORD:
            if is_named:
                self.unreadable.append((path, f"not a record: {taken.kind}"))
            return None
        if taken.record is not None and not self.context.schema_only:
            if taken.record in self._ids:
                taken = self._with_repeated_id(path, taken)
            self._ids.add(taken.record or "")
        if taken.verdict == _ERROR and not self.include_errors:
            self.left_out.append((path, f"errors ({', '.join(taken.codes)})"))
            return None
        self.records += 1
        if taken.verdict and taken.verdict != CLEAN:
            self.faulty[taken.verdict] = self.faulty.get(taken.verdict, 0) + 1
        return taken

    def _with_repeated_id(self, path: str, taken: Taken) -> Taken:
        """A record whose id another one has: an error, unless the settings ignore it."""
        mistake = Mistake("duplicate evaluation id", At(places_of("evaluation_id")[0]))
        if not self.checker.kept([locate(mistake, REPEATED, path, None)]):
            return taken
        codes, verdict = tuple(sorted({*taken.codes, REPEATED.code})), REPEATED.severity.value
        rows = [row._replace(verdict=verdict, codes=_joined(codes)) for row in taken.rows]
        return taken._replace(codes=codes, verdict=verdict, rows=rows)


def _take_files(
    paths: Iterator[str], work: Callable[..., Taken], context: CheckContext
) -> Iterator[tuple[str, Taken]]:
    if context.ray:
        with cluster(context.ray_address) as remote:
            yield from in_ray(remote, paths, partial(work, share=in_this_ray), _crash_outcome)
        return
    workers = context.jobs or processors()
    yield from _take_here(paths, work, workers, ENOUGH if workers > 1 else None)
    if (first := next(paths, None)) is not None:
        yield from in_processes(chain([first], paths), work, _crash_outcome, workers)


def _take_here(
    paths: Iterator[str], work: Callable[..., Taken], workers: int, enough: int | None
) -> Iterator[tuple[str, Taken]]:
    """Take files in this process, until ``enough`` bytes were read."""
    import gc

    share = partial(share_among, workers) if workers > 1 else None
    read = 0
    for number, path in enumerate(paths, 1):
        taken = work(path, share=share)
        yield path, taken
        if not number % COLLECTED:
            gc.collect()
            gc.freeze()  # what is left is in use, and need not be looked at again
        if enough is not None:
            read += size_of(path) + (size_of(taken.companion) if taken.companion else 0)
            if read > enough:
                return
