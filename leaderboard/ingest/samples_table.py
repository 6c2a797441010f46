"""The table ``samples``: a row for each row of the sample files of records, in parts.

A part has the samples of the records whose paths have the same first digits of a digest, so that
little is written if little has changed. A part is called by its number and a digest of its bytes;
``results.parquet`` lists the parts that belong to it, so the two tables change together.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from evalmark.leaderboard.columns import SAMPLES, arrow_schema
from evalmark.leaderboard.ingest.flatten import SAMPLE, text_or_none, value_at, whole_or_none
from evalmark.leaderboard.ingest.manifest import KnownFile
from evalmark.leaderboard.ingest.parquet_files import (
    GROUP,
    RowStream,
    array_of,
    as_parquet,
    metadata_of,
)
from evalmark.leaderboard.open_store import SAMPLE_PARTS, SAMPLES_FOLDER
from evalmark.schemas.backend import native_is_installed
from evalmark.schemas.errors import Rejected, UsageError
from evalmark.validator.formats.shared.fields import number
from evalmark.validator.io.opening import open_regular
from evalmark.validator.io.writing import remove_superseded, write_atomically
from evalmark.validator.reading.lines import lines
from evalmark.validator.reading.strict_json import decode, parse

#: The key of a part's list of the sample files that it holds.
HOLDS = "evalmark.holds"
_NAME = re.compile(r"[0-9a-f]{2}-[0-9a-f]{16}\.parquet")
_PIECE = 1 << 13


class SampleFile(NamedTuple):
    """The sample file of a record: the record's path and id, where it is, and its digest."""

    file: str
    record: str | None
    path: str
    digest: str

    @property
    def part(self) -> str:
        """The number of its part."""
        return hashlib.sha256(self.file.encode()).hexdigest()[:2]

    @property
    def held(self) -> list[str | None]:
        """The names and digest that the rows in the table depend on."""
        return [self.file, self.record, self.digest]


def sample_files(rows: Iterable[KnownFile], paths: Mapping[str, str]) -> list[SampleFile]:
    """The sample files of records; where the records are now is in ``paths``."""
    samples = []
    for row in rows:
        if row.companion is None or row.is_left_out:
            continue
        if row.companion_digest is not None:
            path = os.path.join(os.path.dirname(paths.get(row.file, row.place)), row.companion)
            samples.append(SampleFile(row.file, row.record, path, row.companion_digest))
    return samples


def listed_parts(results: Path) -> list[str] | None:
    """The parts that belong to a table of results; None if it was made without samples.

    The table may be anyone's: what is not called as a part is not one.
    """
    text = metadata_of(results).get(SAMPLE_PARTS)
    try:
        names = None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        names = []
    if not isinstance(names, list):
        return None if text is None else []
    return [name for name in names if isinstance(name, str) and _NAME.fullmatch(name)]


def write_parts(
    folder: Path,
    before: Sequence[str],
    files: Sequence[SampleFile],
    progress: Callable[[int], object] | None = None,
) -> list[str]:
    """Write the parts that have changed, next to the former ones; the names of all parts.

    Args:
        folder: That of the store.
        before: The parts that there are.
        files: The sample files, in the order of their rows.
        progress: Called with the number of sample files that were read.

    Raises:
        UsageError: Their folder is a link.
    """
    home = folder / SAMPLES_FOLDER
    if home.is_symlink():
        raise UsageError(f"{home} is a link: the samples of a store are in the store itself")
    home.mkdir(exist_ok=True)
    former = {name[:2]: name for name in before if (home / name).is_file()}
    parts: dict[str, list[SampleFile]] = {}
    for file in files:
        parts.setdefault(file.part, []).append(file)
    names, read = [], count(1)

    def done() -> None:
        if progress:
            progress(next(read))

    for part, of_part in sorted(parts.items()):
        path = home / former[part] if part in former else None
        held = json.dumps([file.held for file in of_part])
        if path is not None and metadata_of(path).get(HOLDS) == held:
            names.append(path.name)
            continue
        content, digest = as_parquet(SAMPLES, _rows(path, of_part, done), {HOLDS: held})
        names.append(f"{part}-{digest[:16]}.parquet")
        write_atomically(home / names[-1], content)
    return names


def rows_of_part(path: Path) -> int:
    """The number of rows of a part."""
    from pyarrow import parquet

    return int(parquet.read_metadata(path).num_rows)


def remove_other_parts(folder: Path, names: Iterable[str]) -> None:
    """Delete the parts that belong to no table any more."""
    home = folder / SAMPLES_FOLDER
    if home.is_dir() and not home.is_symlink():
        for name in sorted(os.listdir(home)):
            if _NAME.fullmatch(name) and name not in names and not (home / name).is_symlink():
                remove_superseded(home / name)


def _rows(
    former: Path | None, files: Sequence[SampleFile], done: Callable[[], object]
) -> Iterator[Any]:
    """The rows of a part: former ones where the sample file has not changed."""
    held: list[list[str | None]] = []
    if former is not None:
        held = json.loads(metadata_of(former).get(HOLDS, "[]"))
    unchanged = {tuple(entry) for entry in held} & {tuple(file.held) for file in files}
    kept = _kept(former, unchanged) if former is not None and unchanged else {}
    for file in files:
        if tuple(file.held) in unchanged:
            yield from kept.get(file.file, ())
        else:
            yield from _read(file)
            done()


def _kept(part: Path, unchanged: set[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """The rows of a part by the file of the record, as far as they are still right."""
    from pyarrow import parquet

    names = {entry[0] for entry in unchanged}
    pieces_by_file: dict[str, list[Any]] = {}
    with open_regular(part) as opened:
        for batch in parquet.ParquetFile(opened).iter_batches(GROUP):
            stream = RowStream(iter([batch]))
            for file, same in groupby(batch.column("file").to_pylist()):
                pieces = list(stream.take(sum(1 for _ in same)))
                if file in names:
                    pieces_by_file.setdefault(file, []).extend(pieces)
    return pieces_by_file


def _read(file: SampleFile) -> Iterator[Any]:
    """The rows of a sample file as record batches; lines that are not rows are left out."""
    schema = arrow_schema(SAMPLES)
    rows: list[tuple[int, Any]] = []
    parsed = _parser()

    def batch() -> Any:
        columns = _columns(rows, file)
        rows.clear()
        return pa.record_batch([array_of(columns[f.name], f.type) for f in schema], schema=schema)

    try:
        with open_regular(file.path) as opened:
            for at, line, whole in lines(opened):
                if whole and line.strip():
                    row = parsed(line)
                    if type(row) is dict:
                        rows.append((at, row))
                if len(rows) >= _PIECE:
                    yield batch()
    except OSError:
        pass  # it was there when its record was checked, and will be missed by the next check
    if rows:
        yield batch()


def _parser() -> Callable[[bytes], Any]:
    """A parser of lines that gives None for a line that is not JSON."""

    def strictly(line: bytes) -> Any:
        try:
            return parse(decode(line.strip()))
        except Rejected:
            return None

    if not native_is_installed():
        return strictly
    from evalmark.validator.reading.fast_parsing import parse_fast  # needs the extra `fast`

    def fast(line: bytes) -> Any:
        parsed = parse_fast(line)
        return parsed[0] if parsed else strictly(line)

    return fast


def _columns(rows: Sequence[tuple[int, Any]], file: SampleFile) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        "record": [file.record] * len(rows),
        "file": [file.file] * len(rows),
        "digest": [file.digest] * len(rows),
        "line": [at for at, _ in rows],
    }
    for name, ways in SAMPLE.items():
        fit = _FITTING[SAMPLES[name].type]
        columns[name] = [fit(value_at(row, ways)) for _, row in rows]
    return columns


#: Type of a column -> the value as that type; None if it is of another one.
_FITTING: dict[str, Callable[[Any], Any]] = {
    "VARCHAR": text_or_none,
    "DOUBLE": number,
    "BIGINT": whole_or_none,
    "BOOLEAN": lambda value: value if type(value) is bool else None,
}
