"""A store on disk, opened for questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evalmark.leaderboard.columns import SAMPLES
from evalmark.leaderboard.identity import (
    NAMES,
    Aliases,
    Connection,
    create_view,
    keys_of,
    listed_names,
    read_aliases,
)
from evalmark.schemas.errors import NotInstalledError, UsageError
from evalmark.validator.io.paths import is_plain_name

#: The table that every store has: one Parquet file, which is replaced whole.
RESULTS_FILE = "results.parquet"
#: The folder of the parts of the table ``samples``, and what the table of results calls their list.
SAMPLES_FOLDER, SAMPLE_PARTS = "samples", "evalmark.samples"
#: The aliases of a store, which users edit.
ALIASES_FILE = "aliases.toml"


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of Parquet tables, made by ``add_records``.

    Attributes:
        folder: The folder.
        aliases: Files of aliases besides ``aliases.toml`` of the folder.
    """

    folder: Path
    aliases: tuple[Path, ...] = ()

    @property
    def results(self) -> Path:
        """The Parquet file of the table ``results``."""
        return self.folder / RESULTS_FILE

    def connect(self) -> Connection:
        """A DuckDB connection with the view ``results``; it can read no other file.

        The view has the columns of the table and those of ``identity``: ``model_key``,
        ``developer_key`` and ``benchmark_key``, by the aliases of the store. A store with samples
        has the view ``samples`` as well.

        Raises:
            ConfigError: The aliases cannot be used.
            NotInstalledError: What a store needs is not installed.
            UsageError: The folder is not a store.
        """
        if not self.results.is_file():
            raise UsageError(
                f"{self.folder} is not a store: it has no {RESULTS_FILE}; "
                f"make one: evalmark store add {self.folder} PATHS"
            )
        require_store()
        import duckdb

        aliases = self.read_aliases()
        connection = duckdb.connect()
        keys, parts = self._said(connection, aliases)
        listed = ", ".join(_quoted(str(path)) for path in (self.results, *(parts or ())))
        for setting in (
            f"allowed_paths = [{listed}]",
            "enable_external_access = false",
            "python_enable_replacements = false",  # nor a variable of Python
        ):
            connection.execute(f"SET {setting}")
        create_view(connection, f"read_parquet({_quoted(str(self.results))})", keys)
        if parts is not None:
            connection.execute(f"CREATE VIEW samples AS {_rows_of(parts)}")
        connection.execute("SET lock_configuration = true")
        return connection

    def read_aliases(self) -> Aliases:
        """The aliases that count for this store.

        Raises:
            ConfigError: They cannot be used.
        """
        return read_aliases((self.folder / ALIASES_FILE, *self.aliases))

    def _said(
        self, connection: Connection, aliases: Aliases
    ) -> tuple[dict[str, Any], list[Path] | None]:
        """The keys that rows have numbers of, and the files of the table ``samples``.

        These are None if there is no such table.
        """
        metadata = dict(
            connection.execute(
                "SELECT decode(key), decode(value) FROM parquet_kv_metadata(?) "
                "WHERE decode(key) IN (?, ?)",
                [str(self.results), NAMES, SAMPLE_PARTS],
            ).fetchall()
        )
        try:
            listed = listed_names(metadata[NAMES])
            keys = {entity: keys_of(entity, names, aliases) for entity, names in listed.items()}
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise UsageError(
                f"{self.results} was not written by this version of `evalmark store add`, or is "
                "damaged; make the store again with `evalmark store add`"
            ) from error
        if SAMPLE_PARTS not in metadata:
            return keys, None
        try:
            parts = json.loads(metadata[SAMPLE_PARTS])
            is_ours = isinstance(parts, list) and all(map(is_plain_name, parts))
        except (ValueError, TypeError, RecursionError):
            is_ours = False
        if not is_ours:  # no table makes us read files elsewhere
            raise UsageError(f"{self.results} is damaged: it names samples outside of the store")
        paths = [self.folder / SAMPLES_FOLDER / name for name in parts]
        if lost := [path for path in paths if not path.is_file()]:
            raise UsageError(
                f"{lost[0]} is missing: the store has lost samples; `evalmark store add` with the "
                "same paths reads them again"
            )
        return keys, paths


def _rows_of(parts: list[Path]) -> str:
    if parts:
        return f"SELECT * FROM read_parquet([{', '.join(_quoted(str(path)) for path in parts)}])"  # noqa: S608
    columns = ", ".join(f"NULL::{column.type} AS {name}" for name, column in SAMPLES.items())
    return f"SELECT {columns} WHERE false"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def require_store() -> None:
    """Check that what a store needs is installed.

    Raises:
        NotInstalledError: It is not.
    """
    for library in ("pyarrow", "duckdb"):
        if find_spec(library) is None:
            raise NotInstalledError(library, "store")
