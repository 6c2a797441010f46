"""Manifest of a store: the files that were read, and whether they are still the same."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from evalmark.leaderboard.columns import FILES, RESULTS, arrow_schema
from evalmark.leaderboard.identity import NAMES, encodable
from evalmark.leaderboard.ingest.ingest_file import Content, Taken, content_at
from evalmark.leaderboard.ingest.parquet_files import array_of, metadata_of, small_table
from evalmark.schemas.errors import UsageError
from evalmark.schemas.versions import RECORD
from evalmark.validator.formats.records.samples.companions import may_be_companion
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.io.redaction import redacted
from evalmark.validator.io.writing import write_atomically

#: The table of the files.
FILES_FILE = "files.parquet"
#: Where that table says which ``results.parquet`` it belongs to.
_RESULTS_DIGEST = b"evalmark.results"


class KnownFile(NamedTuple):
    """A row of the table ``files``; see its columns."""

    file: str
    folder: str | None
    kind: str | None
    record: str | None
    results: int
    verdict: str | None
    codes: tuple[str, ...]
    alone: str | None
    digest: str | None
    size: int | None
    mtime: int | None
    companion: str | None = None
    companion_digest: str | None = None
    companion_size: int | None = None
    companion_mtime: int | None = None
    check: str | None = None

    @property
    def is_left_out(self) -> bool:
        """True for a record with errors that the store has nothing of."""
        return self.verdict == "error" and not self.results and self.kind == RECORD

    @property
    def place(self) -> str:
        """The place of the file when it was read."""
        if self.folder is None and os.sep == "/":
            return self.file  # an absolute path, which has no parts to resolve
        return os.path.normpath(os.path.join(self.folder or "", self.file))

    def is_unchanged(self, path: str, check: str) -> KnownFile | None:
        """The row as it is now, if neither the file nor its sample file has changed.

        A file of the same size and time is not opened; one of another time is read, not checked.
        """
        if self.check != check or self.digest is None:
            return None
        mtime = _same(path, self.digest, self.size, self.mtime)
        if mtime is _CHANGED:
            return None
        companion_mtime = self.companion_mtime
        if self.companion is not None:
            beside = os.path.join(os.path.dirname(path), self.companion)
            if not may_be_companion(beside, path):  # the table may come from anyone
                return None
            companion_mtime = _same(
                beside, self.companion_digest, self.companion_size, companion_mtime
            )
            if companion_mtime is _CHANGED:
                return None
        if mtime == self.mtime and companion_mtime == self.companion_mtime:
            return self
        return self._replace(mtime=mtime, companion_mtime=companion_mtime)


#: The time of a file that has changed.
_CHANGED = -1


def _same(path: str, digest: str | None, size: int | None, mtime: int | None) -> int | None:
    """The time of a file that still holds what it held; ``_CHANGED`` if it does not."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return _CHANGED
    if digest is None or status.st_size != size:
        return _CHANGED
    if status.st_mtime_ns == mtime:
        return mtime
    now = content_at(path)
    return now.mtime if now and now.digest == digest else _CHANGED


def known_file(file: str, folder: str | None, path: str, taken: Taken, check: str) -> KnownFile:
    """The row of a file that was just read, at a path."""
    content, companion = taken.content, taken.companion_content
    return KnownFile(
        file,
        folder,
        taken.kind,
        taken.record and redacted(taken.record),
        taken.flat.rows if taken.flat else 0,
        taken.verdict,
        taken.codes,
        taken.verdict,
        content.digest if content else None,
        content.size if content else None,
        content.mtime if content else None,
        taken.companion and os.path.relpath(taken.companion, os.path.dirname(path) or os.curdir),
        companion.digest if companion else None,
        companion.size if companion else None,
        companion.mtime if companion else None,
        # A record whose sample file is missing is checked again: the file may be there next time.
        check if taken.is_complete else None,
    )


def folder_of(file: str) -> str | None:
    """The folder that a path of the store starts from; None for an absolute path."""
    return None if os.path.isabs(file) else encodable(os.getcwd())


def order_of(file: str) -> str:
    """The key that sorts files as a search of folders finds them: before those of folders below."""
    folder, slash, name = file.rpartition("/")
    above = "\2" + folder.replace("/", "\0\2") + "\0" if slash else ""
    return f"{above}\1{name}"


@dataclass(frozen=True, slots=True)
class Found:
    """The content of a store before something is added.

    Attributes:
        files: Path -> what is known of the file, in the order of the rows of ``results``.
        table: The digest and size of ``results``; None if there is none.
    """

    files: dict[str, KnownFile]
    table: Content | None


def found_in(results: Path) -> Found:
    """The content of a store.

    Raises:
        UsageError: Its table was not written by evalmark.
    """
    if not results.exists():
        return Found({}, None)
    _require_table(results)
    table = content_at(str(results))
    if table is None:
        raise UsageError(f"{results}: cannot be read")
    rows = _listed(results.with_name(FILES_FILE), table.digest)
    return Found({row.file: row for row in rows or _from_results(results)}, table)


def _require_table(results: Path) -> None:
    """Check that a table has what this version of evalmark writes."""
    from pyarrow import ArrowException, parquet

    with open_regular(results) as file:
        try:
            names = parquet.read_schema(file).names
        except (ArrowException, OSError) as error:
            raise _foreign(results) from error
    if names != list(RESULTS) or NAMES not in metadata_of(results):
        raise _foreign(results)


def _listed(path: Path, digest: str) -> list[KnownFile] | None:
    """The rows of the table of files; None if it does not belong to this table of results."""
    try:
        table = small_table(read_whole(path))
    except OSError:
        return None
    if table is None:
        return None
    metadata = table.schema.metadata or {}
    if metadata.get(_RESULTS_DIGEST) != digest.encode() or table.column_names != list(FILES):
        return None
    columns = [column.to_pylist() for column in table.columns]
    codes = list(FILES).index("codes")
    columns[codes] = [tuple(each) for each in columns[codes]]
    return list(map(KnownFile._make, zip(*columns, strict=True)))


def _from_results(results: Path) -> Iterator[KnownFile]:
    """Rows of files as ``results`` implies them, for a store that has lost its table of files.

    All of them will be checked again.
    """
    from pyarrow import parquet

    columns = ["file", "digest", "record", "verdict", "codes"]
    seen: set[str] = set()
    row: KnownFile | None = None
    with open_regular(results) as file:
        try:
            table = parquet.ParquetFile(file)
            if not set(columns) <= set(table.schema_arrow.names):
                raise _foreign(results)
            for batch in table.iter_batches(columns=columns):
                for name, digest, record, verdict, codes in zip(
                    *(column.to_pylist() for column in batch.columns), strict=True
                ):
                    if row is not None and row.file == name:
                        row = row._replace(results=row.results + 1)
                        continue
                    if row is not None:
                        yield row
                    if name in seen or (row and order_of(name) < order_of(row.file)):
                        raise _foreign(results)
                    seen.add(name)
                    row = KnownFile(
                        name, None, "record", record, 1, verdict, tuple(codes or ()), None, digest,
                        None, None,
                    )  # fmt: skip
        except (TypeError, AttributeError, pa.ArrowException) as error:
            raise _foreign(results) from error
    if row is not None:
        yield row


def _foreign(results: Path) -> UsageError:
    return UsageError(
        f"{results}: this table was not written by `evalmark store add` of this version, or was "
        "changed since; "
        "add the records to a new folder"
    )


def write_files(folder: Path, files: Iterable[KnownFile], results: str) -> None:
    """Write the table of files, which belongs to the ``results`` of this digest."""
    from pyarrow import parquet

    schema = arrow_schema(FILES).with_metadata({_RESULTS_DIGEST: results.encode()})
    columns: list[Any] = list(zip(*files, strict=True)) or [()] * len(schema)
    arrays = [array_of(values, field.type) for values, field in zip(columns, schema, strict=True)]
    stream = io.BytesIO()
    parquet.write_table(pa.table(arrays, schema=schema), stream, compression="zstd")
    write_atomically(folder / FILES_FILE, stream.getvalue())


def fingerprint(**options: object) -> str:
    """A digest of options by their names; named tuples count by their values alone."""
    text = json.dumps(options, sort_keys=True, default=sorted)  # sets have no order
    return hashlib.sha256(text.encode()).hexdigest()[:16]
