"""What a branch does to the records of its base, in words: the dangerous things first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.result_differences import ResultDifferences, value_text
from evalmark.validator.findings.phrasing import shown

#: Files that are named beside each other, and models of which what is added is told.
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
    gone = {record.path for record in differences.deleted}
    for title, lines in (
        ("records removed", _deleted(differences)),
        ("records that can no longer be read", differences.unreadable),
        (
            "results removed",
            [
                f"{each.path}: {each.model}, {each.label}: {each.before:.6g}"
                for each in differences.removed
                if each.path not in gone
            ],
        ),
        (
            "scores changed",
            [
                f"{each.path}: {each.model}, {each.label}: {each.before:.6g} → {each.after:.6g} "
                f"({each.after - each.before:+.4g})"
                for each in differences.changed
            ],
        ),
        ("other fields changed", _fields(differences)),
    ):
        if lines:
            yield ListedChanges(title, lines)
    if differences.again:
        lines = [
            f"{model}: on {count} benchmark{'s'[: count - 1]}, in {_files(files)}"
            for model, (count, files) in differences.again.items()
        ]
        yield ListedChanges(
            "models that the base has on these benchmarks already", _cut(lines), True
        )
    if added := differences.added:
        lines = [
            f"{model}: {count:,} result{'s'[: count - 1]}" for model, count in added.most_common()
        ]
        yield ListedChanges("results added", _cut(lines), True)


def _deleted(differences: ResultDifferences) -> list[str]:
    return [
        f"{record.path}: {record.model}, {record.results} result{'s'[: record.results - 1]}"
        + (f"; its id, {shown(record.identity)}, is gone" if record.is_there else "")
        for record in differences.deleted
    ]


def _fields(differences: ResultDifferences) -> list[str]:
    return [
        f"{field}: {_value(field, before)} → {_value(field, after)} in {_files(paths)}"
        for field, before, after, paths in differences.grouped_fields()
    ]


def _value(label: str, value: Any) -> str:
    text = value_text(label, value)
    if text is None:
        return "absent"
    return text if len(text) <= 60 else f"{text[:57]}…"


def _files(paths: Sequence[str]) -> str:
    more = len(paths) - _FILES
    return ", ".join(paths[:_FILES]) + (f" and {more:,} more" if more > 0 else "")


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - _MODELS
    return [*lines[:_MODELS], f"and {more:,} more models"] if more > 0 else lines
