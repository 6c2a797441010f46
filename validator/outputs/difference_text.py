"""The differences of results between a branch and its base, in words."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.batch.changes.result_differences import (
    KINDS,
    LISTED,
    MODELS,
    ModelDifferences,
    ResultDifferences,
)


def difference_lines(differences: ResultDifferences) -> Iterator[str]:
    """Lines: the counts, the deleted records, and each model with its largest changes."""
    if not differences.summary:
        return
    yield differences.summary
    for title, lines in difference_folds(differences):
        yield f"  {title}"
        yield from (f"    {line}" for line in lines)


def difference_folds(differences: ResultDifferences) -> Iterator[tuple[str, list[str]]]:
    """A title and its lines, for the deleted records and for each of the first models."""
    if differences.deletions:
        lines = list(differences.deleted)
        yield "deleted records", _with_rest(lines, differences.deletions)
    for number, (name, model) in enumerate(differences.models.items()):
        if number == MODELS:
            yield f"and {len(differences.models) - MODELS:,} more models", []
            return
        yield f"{name}: {_counts(model)}", _lines(model)


def _counts(model: ModelDifferences) -> str:
    return ", ".join(f"{model.counts[kind]:,} {kind}" for kind in KINDS if model.counts[kind])


def _lines(model: ModelDifferences) -> list[str]:
    lines = [f"{each.benchmark}: {each.text}" for each in model.listed[:LISTED]]
    return _with_rest(lines, model.counts.total())


def _with_rest(lines: list[str], total: int) -> list[str]:
    rest = total - len(lines)
    return [*lines, f"and {rest:,} more"] if rest > 0 else lines
