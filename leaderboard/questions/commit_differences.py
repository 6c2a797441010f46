"""Differences of two commits of git, result by result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.leaderboard.columns import arrow_schema
from evalmark.leaderboard.identity import (
    Aliases,
    NumberedNames,
    create_view,
    read_aliases,
    tables_of_keys,
)
from evalmark.leaderboard.ingest.flatten import flatten
from evalmark.leaderboard.ingest.parquet_files import with_dictionaries
from evalmark.leaderboard.ingest.results_table import LATE, NewRows, early_schema
from evalmark.leaderboard.open_store import require_store
from evalmark.leaderboard.questions.query import noted
from evalmark.leaderboard.questions.store_differences import changes
from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.changes import RepositoryPaths
from evalmark.validator.formats.builtin import identify
from evalmark.validator.io.git import Repository
from evalmark.validator.reading.reading import read

if TYPE_CHECKING:
    from pyarrow import Table

#: What the mode of a file begins with: neither a link nor a submodule.
_FILE = "100"


def diff_revisions(
    before: str,
    after: str,
    paths: Sequence[str | os.PathLike[str]] = (os.curdir,),
    *,
    aliases: Sequence[Path] = (),
) -> Any:
    """Differences of results between two commits, as ``diff`` lists them.

    Only records that are not the same in both commits are read, from the repository of the current
    folder; the working tree is not looked at. A file that is not a record counts for nothing; notes
    name those that end in ``.json`` and cannot be parsed.

    Args:
        before: A branch, a tag, a commit or a tree of git.
        after: Another one.
        paths: Files and folders to look at.
        aliases: Files of aliases.

    Raises:
        ConfigError: The aliases cannot be used.
        NotInstalledError: What a store needs is not installed.
        UsageError: git is not installed, this is not a repository, or it lacks a commit.
    """
    require_store()
    import duckdb

    names = read_aliases(aliases)
    repository = Repository()
    places = RepositoryPaths(repository.root, [os.fspath(path) for path in paths], ())
    left, right = (_blobs(repository, places, name) for name in (before, after))
    changed = {place for place in left.keys() | right.keys() if left.get(place) != right.get(place)}
    tables, notes = [], []
    for blobs, name in ((left, before), (right, after)):
        changed_blobs = {place: blob for place, blob in blobs.items() if place in changed}
        rows = _rows(repository, changed_blobs, name)
        tables.append(_keyed(rows.table, rows.names, names))
        notes += [f"{place} of {name} is not JSON: its results are left out" for place in rows.lost]
    with duckdb.connect() as connection:
        return noted(changes(connection, *tables), *notes)


def _blobs(repository: Repository, places: RepositoryPaths, name: str) -> dict[str, str]:
    """The files of a commit that are looked at: path -> id of the blob."""
    tree = repository.tree(repository.commit(name).id)
    return {
        path: blob
        for mode, blob, path in tree
        if mode.startswith(_FILE) and places.are_targets(path) and places.are_ours(path)
    }


class _Rows(NamedTuple):
    """The results of all records of a commit, as the table of a store has them.

    Attributes:
        table: A ``pyarrow.Table``.
        names: What the numbers of models and benchmarks in it mean.
        lost: Paths of JSON files that cannot be parsed.
    """

    table: Table
    names: NumberedNames
    lost: list[str]


def _rows(repository: Repository, blobs: Mapping[str, str], name: str) -> _Rows:
    """The results of all records among some blobs."""
    import pyarrow as pa

    rows, lost = NewRows(), []
    for (place, blob), raw in repository.blobs(_wanted(blobs)):
        if raw is None:
            raise UsageError(f"git cannot read {place} of {name}: fetch what this clone lacks")
        reading = read(raw, place)
        if not reading.readable:
            if place.endswith(".json"):
                lost.append(place)
            continue
        document = identify(reading.data)
        if document.is_record:
            flat = flatten(document, reading)
            if flat.rows:
                rows.add(flat, place, blob)
    late = [field for field in arrow_schema() if field.name in LATE]
    early = early_schema()
    table = pa.Table.from_batches(rows.batches(), with_dictionaries(early)).cast(early)
    for field in late:
        table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return _Rows(table, rows.names, lost)


def _wanted(blobs: Mapping[str, str]) -> Iterable[tuple[tuple[str, str], str]]:
    return (((place, blob), blob) for place, blob in sorted(blobs.items()))


def _keyed(table: Table, names: NumberedNames, aliases: Aliases) -> Table:
    """A table of results with the keys of models, developers and benchmarks."""
    import duckdb

    with duckdb.connect() as connection:
        connection.register("given", table)
        create_view(connection, "given", tables_of_keys(names.listed, aliases))
        return connection.sql("SELECT * FROM results").to_arrow_table()
