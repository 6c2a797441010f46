"""Reports of `store add` and `store aliases`, as tables on a terminal or data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalmark.cli.stores.named_store import the_store
from evalmark.leaderboard.alias_candidates import AliasReport, alias_report
from evalmark.leaderboard.identity import TABLES
from evalmark.leaderboard.ingest.add_records import Added, add_records
from evalmark.leaderboard.site.write_site import publish
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import CLEAN, COULD_NOT_RUN, FOUND, put, say, tell

#: Proposals that are printed, and records that are left out; JSON has all of them.
SHOWN = 50
#: Records that a note names.
_NAMED = 3


def add_and_tell(paths: Sequence[str], store: Path, *, as_json: bool, **options: Any) -> int:
    """Add records to a store, and say what was added; the exit code.

    Args:
        paths: Files and folders.
        store: The folder of the store.
        as_json: Whether the counts are printed as JSON.
        options: Those of ``add_records``.
    """
    added = add_records(paths, store, **options)
    for path, why in added.unreadable:
        say(f"{path}: not added: {why}")
    for path, why in added.left_out[:SHOWN]:
        say(f"{path}: left out: {why}")
    if as_json:
        put(added_data(added))
    else:
        print_added(added)
    if added.unreadable:
        return COULD_NOT_RUN
    return FOUND if added.left_out else CLEAN


def print_added(added: Added) -> None:
    """Counts of records and rows, and how many records have mistakes."""
    done = (
        f"{added.added:,} added, {added.changed:,} changed, {added.unchanged:,} unchanged, "
        f"{added.removed:,} removed"
    )
    tell(f"{counted(added.records, 'record')}: {done}")
    for table, (rows, size) in added.tables.items():
        in_units = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        tell(f"{table}: {counted(rows, 'row')}, {in_units}")
    faults = [
        f"{counted(added.verdicts[verdict], 'record')} with {verdict}s"
        for verdict in ("error", "warning")
        if added.verdicts.get(verdict)
    ]
    if faults:
        tell(f"{', '.join(faults)}; `evalmark check` shows what and where")
    if added.left_out:
        count = counted(len(added.left_out), "record")
        tell(f"{count} left out; --include-errors adds those with errors, marked")


def added_data(added: Added) -> dict[str, object]:
    """The same as JSON, with the files that were not read."""
    return {
        "store": str(added.store.folder),
        **{
            name: getattr(added, name)
            for name in ("added", "changed", "unchanged", "removed", "records")
        },
        "verdicts": dict(added.verdicts),
        "tables": {
            name: {"rows": rows, "bytes": size} for name, (rows, size) in added.tables.items()
        },
        "unreadable": [{"path": path, "reason": why} for path, why in added.unreadable],
        "left_out": [{"path": path, "reason": why} for path, why in added.left_out],
        "skipped": [{"path": path, "reason": why} for path, why in added.skipped],
    }


def counted(count: int, noun: str) -> str:
    """A number and its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def publish_and_tell(store: Path | None, out: Path, title: str, record_url: str | None) -> None:
    """Write a site of a store, and say what it shows, and what it does not."""
    site = publish(the_store(store), out, title=title, record_url=record_url)
    shown = ("models", "benchmarks", "results", "conflicts")
    tell(", ".join(counted(getattr(site, name), name[:-1]) for name in shown))
    if site.unnamed:
        noun = "1 result names" if site.unnamed == 1 else f"{site.unnamed:,} results name"
        say(f"note: {noun} no model: only in the tables for download")
    if site.lost:
        say(
            f"note: {len(site.lost):,} of the records are not linked, since they are gone, have "
            "changed, or have paths from another folder than this one (run `store publish` where "
            f"`store add` was run): {first_of(site.lost, _NAMED)}"
        )
    say(f"wrote {out / 'index.html'} and {site.files - 1:,} more files, {site.size / 1e6:.1f} MB")


def tell_aliases(store: Path | None, *, as_json: bool, show_all: bool) -> None:
    """Say what the aliases of a store have merged, and further ones."""
    report = alias_report(the_store(store))
    if as_json:
        put(_aliases_data(report))
    else:
        _print_aliases(report, show_all=show_all)


def _print_aliases(report: AliasReport, *, show_all: bool) -> None:
    """Prints merged names, and proposals as lines of ``aliases.toml``."""
    most = None if show_all else SHOWN
    if report.merged:
        table = plain_table(("table", "alias", "stands for"), ("rows",))
        for merged in report.merged:
            table.add_row(merged.table, merged.alias, merged.target, f"{merged.rows:,}")
        print_table(table)
    else:
        tell("no aliases")
    for name in TABLES:
        proposals = [candidate for candidate in report.candidates if candidate.table == name]
        if not proposals:
            continue
        tell("")
        many = "proposal" if len(proposals) == 1 else "proposals"
        tell(f"# {len(proposals):,} {many} for aliases.toml; keep what is right")
        tell(f"[{name}]")
        for candidate in proposals[:most]:
            counts = ", ".join(f"{name} ({rows:,})" for name, rows in candidate.names)
            tell(f"# {candidate.why}: {counts}")
            for line in candidate.lines:
                tell(line)
        if most is not None and len(proposals) > most:
            tell(f"# {len(proposals) - most:,} more: --show-all")


def _aliases_data(report: AliasReport) -> dict[str, object]:
    """The same as JSON, with all proposals."""
    return {
        "merged": [merged._asdict() for merged in report.merged],
        "candidates": [
            {
                "table": candidate.table,
                "why": candidate.why,
                "names": [{"name": name, "rows": rows} for name, rows in candidate.names],
                "lines": list(candidate.lines),
            }
            for candidate in report.candidates
        ],
    }
