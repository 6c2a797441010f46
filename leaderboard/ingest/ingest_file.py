"""One file of a store: read, checked and flattened; in whichever process."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from evalmark.leaderboard.ingest.flatten import FlatRecord, flatten
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.check_files import COLLECTED, ENOUGH, share_among
from evalmark.validator.batch.walking import size_of
from evalmark.validator.batch.workers import cluster, in_processes, in_ray, in_this_ray
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.rule import file_finding, internal_error
from evalmark.validator.format import Document, Share
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.reading import Reading

#: The verdict of a file without findings.
CLEAN = "clean"
#: A file that was changed so many nanoseconds ago may change again without a later time.
_JUST_NOW = 2_000_000_000
_PIECE = 1 << 20


class Content(NamedTuple):
    """The content of a file when it was read.

    Attributes:
        digest: SHA-256 of its bytes.
        size: Their number.
        mtime: When it was changed, in nanoseconds; None if it could change again unnoticed.
    """

    digest: str
    size: int
    mtime: int | None


class Taken(NamedTuple):
    """The outcome of ingesting a file.

    Attributes:
        kind: Its kind; None if that could not be told.
        record: The evaluation id of a record.
        verdict: The worst severity among its findings, or clean; None if it was not checked,
            since it is not a record.
        codes: The codes of its findings, each once.
        content: None if it could not be read.
        companion: The sample file that was checked with it.
        companion_content: The content of that file.
        flat: Its results; None if it has none.
        trouble: The first finding that kept it from being checked.
        is_complete: Whether the sample file that it names, if any, was there.
    """

    kind: str | None
    record: str | None
    verdict: str | None
    codes: tuple[str, ...]
    content: Content | None
    companion: str | None = None
    companion_content: Content | None = None
    flat: FlatRecord | None = None
    trouble: Finding | None = None
    is_complete: bool = True


def take_file(checker: Checker, path: str, share: Share | None = None) -> Taken:
    """Check a file and flatten its results; whatever is wrong with it is in its verdict."""
    raws: list[bytes] = []
    documents: list[tuple[Document, Reading]] = []

    def is_record(document: Document, reading: Reading) -> bool:
        if document.is_record:
            documents.append((document, reading))
        return bool(documents)

    status = _status(path)
    report = checker.file(path, share=share, seen=raws.append, wants=is_record)
    findings, flat = list(report.findings), None
    try:
        flat = flatten(*documents[0]) if documents else None
    except Exception as error:  # a bug of ours is a finding of one file
        findings.append(internal_error(error, path))
    names_samples = bool(documents) and fields_of(documents[0][0]).has("samples")
    content = None
    if raws and status:
        digest = hashlib.sha256(raws[0]).hexdigest()
        content = Content(digest, len(raws[0]), _time_of(status))
    companion = report.companions[0] if report.companions else None
    # A record, or a file that cannot be recognized and has findings.
    is_checked = bool(findings) if report.kind is None else report.kind == RECORD
    return Taken(
        report.kind,
        report.identity,
        verdict_of(findings) if is_checked else None,
        tuple(sorted({finding.code for finding in findings})),
        content,
        companion,
        content_at(companion) if companion else None,
        flat if flat and flat.rows else None,
        next((finding for finding in findings if report.kind is None), None),
        companion is not None or not names_samples,
    )


def verdict_of(findings: Collection[Finding]) -> str:
    """The worst severity among findings, or clean."""
    if not findings:
        return CLEAN
    is_wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return (Severity.ERROR if is_wrong else Severity.WARNING).value


def content_at(path: str) -> Content | None:
    """The digest, size and time of a file of any size; None if it cannot be read."""
    digest, size = hashlib.sha256(), 0
    try:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            while piece := file.read(_PIECE):
                digest.update(piece)
                size += len(piece)
    except OSError:
        return None
    return Content(digest.hexdigest(), size, _time_of(status))


def _time_of(status: os.stat_result) -> int | None:
    is_settled = time.time_ns() - status.st_mtime_ns > _JUST_NOW
    return status.st_mtime_ns if is_settled else None


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _lost(path: str, reason: str) -> Taken:
    """The outcome for a file whose check ended its process."""
    message = f"cannot be checked: the worker process died ({reason})"
    finding = file_finding("F011", path, message)
    return Taken(None, None, verdict_of([finding]), (finding.code,), None, trouble=finding)


def take_files(
    paths: Iterator[str], checker: Checker, workers: int, ray: bool, ray_address: str | None
) -> Iterator[tuple[str, Taken]]:
    """The outcome for each file, in their order."""
    work: Callable[..., Taken] = partial(take_file, checker)
    if ray:
        with cluster(ray_address) as remote:
            yield from in_ray(remote, paths, partial(work, share=in_this_ray), _lost)
        return
    enough = ENOUGH if workers > 1 else None
    yield from _here(paths, work, workers, enough)
    if (first := next(paths, None)) is not None:
        yield from in_processes(chain([first], paths), work, _lost, workers)


def _here(
    paths: Iterator[str], work: Callable[..., Taken], workers: int, enough: int | None
) -> Iterator[tuple[str, Taken]]:
    """Take files in this process, until so many bytes were read."""
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
