"""The one writer of records and samples: built, checked, then put in place; see ``LAYOUTS``."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evalmark.converters.records import v0_2_0, v0_3_0
from evalmark.converters.records.run import Run, Sample
from evalmark.converters.step import Object
from evalmark.schemas.backend import acceptor
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.versions import DEFAULT_WRITTEN, find, written
from evalmark.validator.checker import Checker
from evalmark.validator.io.writing import (
    Spool,
    make_folder,
    remove_stale_temp_files,
    write_atomically,
)

#: The names of a record's files, relative to the folder that they are written to.
RECORD_NAMES = (
    r"(data(/[^/\0]+){3}/)?"
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(\.json|_samples\.jsonl)"
)
#: Versions that can be written.
WRITTEN_VERSIONS = written("record")
#: The version that is written unless another one is asked for.
RECORD_VERSION = DEFAULT_WRITTEN


class Layout(Protocol):
    """The interface of the module of a written version."""

    VERSION: str

    def folder_of(self, run: Run, /) -> str:
        """The folder of the files, below the one that is written; "" if directly in it."""

    def record_of(self, run: Run) -> Object:
        """The record, without the link to its samples."""

    def row_of(self, sample: Sample, run: Run) -> Object:
        """The row of a sample."""


#: The module of each version that can be written.
LAYOUTS: tuple[Layout, ...] = (v0_2_0, v0_3_0)


@dataclass(frozen=True, slots=True)
class Written:
    """The paths of a record and its samples; a run without samples has no file of them."""

    record: Path
    samples: Path


@dataclass(frozen=True, slots=True)
class BuiltRecord:
    """The text of a record, the rows of its samples, and where they belong."""

    text: str  # the record
    rows: Spool  # the text of the sample file; large ones are on disk
    count: int  # how many rows there are
    paths: Written  # where both belong

    def write(self) -> Written:
        """Put both files in place; raises OSError if the folder cannot be written."""
        make_folder(self.paths.record.parent)
        # Samples first: a record never names a file that does not exist yet.
        if self.count:
            write_atomically(self.paths.samples, self.rows)
        write_atomically(self.paths.record, self.text.encode("utf-8"))
        return self.paths


def write_record(run: Run, folder: Path, *, version: str = RECORD_VERSION) -> Written:
    """Write the record of a run and its sample file, both or an exception.

    File names are shaped like a UUID and made from the content, so that the same run gives the
    same files. Those of 0.2.0 are put directly into ``folder``; those of 0.3.0 into
    ``data/<collection>/<developer>/<model>/`` below it, as that version requires.

    Raises:
        InvalidDocument: The record would not pass our own check; nothing is written.
        OSError: The folder cannot be written.
        UnknownNameError: The version is not one that is written.
    """
    built = build_record(run, folder, version=version)
    remove_stale_temp_files(built.paths.record)  # temporary files of an interrupted run
    return built.write()


def build_record(run: Run, folder: Path, *, version: str = RECORD_VERSION) -> BuiltRecord:
    """The checked texts of a record and its samples, not written; errors as of ``write_record``."""
    layout = layout_of(version)
    record = layout.record_of(run)
    names = hashlib.sha256(json.dumps(record, sort_keys=True).encode("utf-8"))
    checksum = hashlib.sha256()
    rows, count = Spool(), 0
    for line in _lines(run, layout):
        names.update(line)
        checksum.update(line)
        rows.add(line)
        count += 1
    stem = str(uuid.UUID(bytes=names.digest()[:16], version=4))  # made from the content
    below = layout.folder_of(run)
    paths = Written(folder / below / f"{stem}.json", folder / below / f"{stem}_samples.jsonl")
    if count:
        name = paths.samples.name
        record["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{below}/{name}" if below else name,
            "hash_algorithm": "sha256",
            "checksum": checksum.hexdigest(),
            "total_rows": count,
        }
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    Checker(kind="record").text(text, str(paths.record)).raise_for_errors()
    return BuiltRecord(text, rows, count, paths)


def layout_of(version: str) -> Layout:
    """The module of a version; UnknownNameError if the version is not one that is written."""
    for layout in LAYOUTS:
        if version == layout.VERSION:
            return layout
    raise UnknownNameError("record version", version, WRITTEN_VERSIONS)


def _lines(run: Run, layout: Layout) -> Iterator[bytes]:
    version = find("sample", layout.VERSION)
    assert version
    is_valid = acceptor(version.schema)
    for sample in run.samples:
        row = layout.row_of(sample, run)
        if not is_valid(row):
            checker = Checker(kind=version.kind, schema_version=version.name)
            checker.data(row, f"sample {sample.id}").raise_for_errors()
        yield f"{json.dumps(row, ensure_ascii=False)}\n".encode()
