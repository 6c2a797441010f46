"""The rules and tables of pairs of a repository, from its settings."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from typing import Any

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.options.own_rules import COUNTED, ExpectedCount, OwnRules
from evalmark.validator.options.pair_columns import STATED, PairTables, columns_of
from evalmark.validator.reading.source import parse_pointer
from evalmark.validator.settings.user_config import Table


def of_repository(table: Table, own: Iterable[str]) -> dict[str, Any]:
    """The settings as fields of ``Config``; ``own`` are the keys of rules.

    Raises:
        ConfigError: They cannot be used.
    """
    found: dict[str, Any] = {"own": own_rules(table)} if any(map(table.has, own)) else {}
    return found | ({"pairs": _pair_tables(table)} if table.has("pairs") else {})


def _pair_tables(table: Table) -> PairTables:
    """The columns of tables of minimal pairs: names of columns, and nothing else."""
    entries = []
    for entry in table.tables("pairs", ("files", "preset", *STATED)):
        stated = {key: value for key, value in entry.data.items() if key in STATED}
        try:
            columns = columns_of(stated, entry.text("preset") or "")
        except (UsageError, UnknownNameError) as error:
            raise table.wrong(f"`pairs`: {error}") from None
        entries.append((_plain(entry.glob("files")), columns))
    return PairTables(os.path.dirname(os.path.abspath(table.path)), tuple(entries))


def _plain(glob: str) -> str:
    """A glob as places are written: no `./` at the beginning, no slash at the end."""
    plain = posixpath.normpath(glob)
    return "*" if plain == "." else plain


_GLOBS = ("files", "suites", "collections", "uids")
#: Which files a glob selects: values of ``COUNTED``.
_SELECTS = {"suites": ("SG",), "collections": ("EE", "rows"), "uids": ("pairs",)}


def own_rules(table: Table) -> OwnRules:
    """The rules that settings add; a ConfigError if they cannot be used."""
    folder = os.path.dirname(os.path.abspath(table.path))
    return OwnRules(
        folder, table.strings("collections"), tuple(_counts(table)), tuple(_required(table))
    )


def _counts(table: Table) -> Iterator[ExpectedCount]:
    for entry in table.tables("expected-counts", (*_GLOBS, *COUNTED)):
        if not any(map(entry.has, COUNTED)):
            units = listed(COUNTED).replace(" and ", " or ")
            raise table.wrong(f"an entry of `expected-counts` needs {units}")
        globs = {key: entry.glob(key) if entry.has(key) else "*" for key in _GLOBS}
        globs["files"] = _plain(globs["files"])
        for unit in filter(entry.has, COUNTED):
            for key, families in _SELECTS.items():
                if entry.has(key) and COUNTED[unit] not in families:
                    raise table.wrong(
                        f"`{unit}` of `expected-counts` is not counted in files that `{key}` "
                        "selects; use `files`"
                    )
            yield ExpectedCount(unit, *_limits(entry, unit), *globs.values())


def _limits(entry: Table, unit: str) -> tuple[int, int | None]:
    value = entry.data[unit]
    limits = value if isinstance(value, dict) else {"least": value, "most": value}
    least, most = limits.get("least", 0), limits.get("most")
    is_known = limits and limits.keys() <= {"least", "most"}
    if is_known and _is_count(least) and (most is None or (_is_count(most) and least <= most)):
        return least, most
    raise entry.wrong(
        f"`{unit}` of `expected-counts` must be a whole number, or "
        "{ least = N, most = N } with one or both of them"
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _required(table: Table) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    for entry in table.tables("required-fields", ("files", "fields")):
        fields = entry.strings("fields")
        if not fields:
            raise table.wrong("an entry of `required-fields` needs `fields`, a list of pointers")
        for field in fields:
            if not field.startswith("/"):
                raise table.wrong(
                    f"`fields` of `required-fields` must be JSON pointers, such as "
                    f"/model_info/name; {field!r} does not begin with /"
                )
        files = entry.glob("files") if entry.has("files") else "*"
        yield _plain(files), tuple(tuple(parse_pointer(field)) for field in fields)
