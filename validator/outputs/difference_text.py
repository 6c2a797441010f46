"""A branch's changes to the records of its base, in words: the most dangerous first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.result_differences import (
    RecordDifference,
    ResultDifferences,
    value_text,
)
from evalmark.validator.findings.phrasing import cited, counted, first_of

#: Files that are named beside each other, and models whose additions are listed.
_FILES, _MODELS = 2, 5


class ListedChanges(NamedTuple):
    """A title and its lines; ``is_harmless`` if they can be folded away."""

    title: str
    lines: list[str]
    is_harmless: bool = False


def difference_lines(differences: ResultDifferences) -> Iterator[str]:
    """Lines: the counts, then each part."""
    if not differences.summary:
        return
    yield differences.summary
    for part in difference_parts(differences):
        yield f"  {part.title}"
        yield from (f"    {line}" for line in part.lines)


def difference_parts(differences: ResultDifferences) -> Iterator[ListedChanges]:
    """The parts that are not empty, by danger; nothing that is removed or changed is cut."""
    pick = differences.pick
    again = [
        f"{model}: on {count} benchmark{'s'[: count - 1]}, in {first_of(files, _FILES)}"
        for model, (count, files) in differences.again.items()
    ]
    added = [f"{model}: {counted(n, 'result')}" for model, n in differences.added.most_common()]
    parts = (
        ListedChanges("records removed", [*map(_line, pick("deleted", "renamed"))]),
        ListedChanges("records that can no longer be read", [*map(_line, pick("unreadable"))]),
        ListedChanges("results removed", [*map(_line, pick("removed"))]),
        ListedChanges("scores changed", [*map(_line, pick("changed"))]),
        ListedChanges("other fields changed", [*_fields(pick("fields"))]),
        ListedChanges("models that the base has on these benchmarks already", _cut(again), True),
        ListedChanges("results added", _cut(added), True),
    )
    return (part for part in parts if part.lines)


def _line(row: RecordDifference) -> str:
    if row.kind == "unreadable":
        return row.path
    line = f"{row.path}: {row.model}, "
    if row.kind in ("deleted", "renamed"):
        gone = f"; its id, {cited(row.label or None)}, is gone"
        return line + counted(row.before, "result") + gone * (row.kind == "renamed")
    line += f"{row.label}: " + (f"{row.before:.6g}" if row.before == row.before else "no score")
    if row.kind == "removed":
        return line
    return f"{line} → {row.after:.6g} ({row.after - row.before:+.4g})"


def _fields(listed: Sequence[RecordDifference]) -> Iterator[str]:
    groups: dict[str, dict[str, None]] = {}
    for row in listed:
        change = " → ".join(_value(row.label, value) for value in (row.before, row.after))
        groups.setdefault(f"{row.label}: {change}", {})[row.path] = None
    return (f"{change} in {first_of([*paths], _FILES)}" for change, paths in groups.items())


def _value(label: str, value: Any) -> str:
    text = value_text(label, value) or "absent"
    return text if len(text) <= 60 else f"{text[:57]}…"


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - _MODELS
    return [*lines[:_MODELS], f"and {more:,} more models"] if more > 0 else lines
