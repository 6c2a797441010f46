"""Accuracies compared with published ones: ``python -m benchmarks.published_accuracies FOLDER …``.

Scores the SyntaxGym suites in folders with GPT-2 (or another ``--model``) and compares the number
of items for which the first prediction of each suite holds with ``published_accuracies.csv``, by
the name of the suite. That is how the published numbers were counted; the number for all
predictions is printed beside it. ``--recorded`` takes the values that evaluated suites state.

The exit code is 0 if all suites that can be compared agree (``--within N`` items), 1 if one does
not or could not be scored, and 2 if there is nothing to compare.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evalmark import EvalmarkError
from evalmark.scoring import (
    LoadedSuite,
    Scores,
    Settings,
    load_model,
    load_suites,
    score_recorded,
    score_suites,
)

TABLE = Path(__file__).with_suffix(".csv")
#: Published accuracies have four decimals.
ROUNDED = 5.1e-5


class Published(NamedTuple):
    """What is published of a suite."""

    items: int
    correct: int  # the items for which the first prediction holds


class Row(NamedTuple):
    """A suite that was scored, compared with what is published of it."""

    suite: str
    items: int
    correct: int  # the items for which the first prediction holds
    all_correct: int  # the items for which all predictions hold
    published: int
    published_items: int

    @property
    def difference(self) -> int | None:
        """In items; None if the published suite has another number of them."""
        return self.correct - self.published if self.items == self.published_items else None


class Compared(NamedTuple):
    """All suites of a run."""

    rows: tuple[Row, ...]
    unpublished: tuple[str, ...]  # scored; the table does not have them
    missing: tuple[str, ...]  # in the table; not scored

    def status(self, within: int = 0) -> int:
        """The exit code."""
        if not self.rows:
            return 2
        return int(any(row.difference is None or abs(row.difference) > within for row in self.rows))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="+", help="files and folders")
    parser.add_argument("--model", default="gpt2", help="a name on the hub, or a folder")
    parser.add_argument("--published", default="gpt2", help="column of the table")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--join", default="core")
    parser.add_argument("--within", type=int, default=0, help="items that may differ")
    parser.add_argument("--recorded", action="store_true", help="the suites state their values")
    options = parser.parse_args(arguments)
    unused: list[str] = []

    def failed(path: str, error: Exception) -> None:
        unused.append(f"{path}: {error}")

    try:
        published = read_table(options.table, options.published)
        suites = load_suites(options.suites, join=options.join, failed=failed)
        scores = scored(suites, Settings(join=options.join), options.model, options.recorded)
    except (EvalmarkError, OSError) as error:
        print(f"nothing to compare: {error}", file=sys.stderr)
        return 2
    unused += [f"{one.name}: {one.reason}" for one in scores.unused]
    for line in unused:
        print(f"not scored: {line}", file=sys.stderr)
    found = compared(scores, published)
    ours = "recorded values" if options.recorded else scores.model.name
    for line in lines(found, ours, options.published):
        print(line)
    return max(found.status(options.within), int(bool(unused)))


def read_table(path: Path, model: str) -> dict[str, Published]:
    """What is published of a model, by suite.

    Raises:
        EvalmarkError: The table lacks the model, has a suite twice, or has a share that is not one
            of its items.
        OSError: The table cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    found: dict[str, Published] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        if row.get(model) is None:
            names = ", ".join(list(row)[2:])
            raise EvalmarkError(f"{path.name} has no column {model}; it has {names}")
        try:
            name, items, share = row["suite"], int(row["items"]), float(row[model])
        except (KeyError, ValueError) as error:
            raise EvalmarkError(f"{path.name} is not a table of accuracies: {error!r}") from error
        correct = round(share * items)
        if not 0 <= correct <= items or abs(correct - share * items) > ROUNDED * items:
            raise EvalmarkError(f"{path.name}: {name}: {share} is not a share of {items} items")
        if name in found:
            raise EvalmarkError(f"{path.name} has {name} twice")
        found[name] = Published(items, correct)
    return found


def scored(
    suites: Sequence[LoadedSuite], settings: Settings, model: str, is_recorded: bool
) -> Scores:
    """The scores of suites; one that cannot be scored does not stop the others."""
    if is_recorded:
        return score_recorded(suites, settings, model_id=f"recorded/{model}", keep_going=True)
    return score_suites(suites, load_model(model), settings, keep_going=True)


def compared(scores: Scores, published: Mapping[str, Published]) -> Compared:
    """Suites matched by name, in the order of the run."""
    rows: list[Row] = []
    unpublished: list[str] = []
    for one in scores.suites:
        name, result = one.source.suite.name, one.result
        if name not in published or not result.predictions:
            unpublished.append(name)
            continue
        entry = published[name]
        counts = result.predictions[0].correct, sum(result.conjunction)
        items = len(one.source.suite.items)
        rows.append(Row(name, items, *counts, entry.correct, entry.items))
    there = {row.suite for row in rows}
    missing = tuple(name for name in published if name not in there)
    return Compared(tuple(rows), tuple(unpublished), missing)


def lines(found: Compared, ours: str, published: str) -> Iterator[str]:
    """The table, what is missing on either side, and a summary."""
    width = max(len(name) for name in ("suite", *(row.suite for row in found.rows)))
    if found.rows:
        yield f"{'suite':{width}}  items  published  accuracy  all predictions  difference"
    for row in found.rows:
        shares = row.published / row.published_items, row.correct / row.items
        whole = row.all_correct / row.items
        yield (
            f"{row.suite:{width}}  {row.items:5}  {shares[0]:9.4f}  {shares[1]:8.4f}  "
            f"{whole:15.4f}  {_difference(row)}"
        )
    if found.unpublished:
        yield f"not in the table: {', '.join(found.unpublished)}"
    if found.missing:
        yield f"in the table, not scored: {', '.join(found.missing)}"
    if not found.rows:
        yield "no suite has a published accuracy"
        return
    equal = sum(row.difference == 0 for row in found.rows)
    means = (
        sum(row.published / row.published_items for row in found.rows) / len(found.rows),
        sum(row.correct / row.items for row in found.rows) / len(found.rows),
    )
    yield (
        f"{ours}: {equal} of {len(found.rows)} suites as published for {published}; "
        f"mean accuracy {means[1]:.4f}, published {means[0]:.4f}"
    )


def _difference(row: Row) -> str:
    if row.difference is None:
        return f"the published suite has {row.published_items} items"
    if not row.difference:
        return f"{0:10}"
    return f"{row.difference:+10} item{'' if abs(row.difference) == 1 else 's'}"


if __name__ == "__main__":
    sys.exit(main())
