"""Runs compared with a base: as tables on a terminal, Markdown or data, and as a page has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import PAIRS, SUITES, Words
from evalmark.scoring.comparison.comparison_rows import (
    COUNTS,
    NUMBERS,
    SIDES,
    count_cells,
    number_cells,
)
from evalmark.scoring.comparison.paired_statistics import PairedComparison
from evalmark.scoring.comparison.run_comparison import (
    RunComparison,
    compare_all,
    of_texts,
    shown_difference,
)
from evalmark.scoring.reports.comparison.cross_table import (
    CrossCell,
    CrossLabel,
    CrossTable,
    terminal_width,
    text_lines,
)
from evalmark.validator.findings.phrasing import first_of, listed
from evalmark.validator.io.escaping import in_markdown, markdown_table
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import print_line, print_note, write_stdout

#: Marks a difference that is claimed.
CLAIMED = "*"
#: The columns of the table of several runs.
_WHOLES = ("base", "run", *NUMBERS[len(SIDES) :])
#: Items without a score that are named.
LISTED = 10


class WholeDifference(NamedTuple):
    """The difference of a run as a whole from the base."""

    name: str  # of the run, with that of the set of a mean
    comparison: RunComparison
    row: PairedComparison

    @property
    def over(self) -> str:
        """What it is the difference of, in words."""
        row, words = self.row, self.comparison.words
        if row.suite == "mean":
            return f"mean over {row.averaged(words)}"
        of = f" of {row.suite}" if len(self.comparison.wholes) > 1 else ""
        return f"over {row.items} {words.item if row.items == 1 else words.items}{of}"

    @property
    def texts(self) -> str:
        """Why the runs did not read the same texts; empty if they did."""
        return "; ".join(map(shown_difference, of_texts(self.comparison.differences)))

    @property
    def is_shown(self) -> bool:
        """False if most items have another text in either run, as under another joining rule.

        The texts of conversations are the replies of agents.
        """
        rows = self.comparison.predictions if self.comparison.words in (SUITES, PAIRS) else ()
        return 2 * sum(row.other_texts for row in rows) <= sum(row.items for row in rows)

    @property
    def claim(self) -> str:
        """What may be claimed; that of a single suite begins with its name."""
        is_named = self.row in self.comparison.predictions
        return self.row.claim if is_named else _capitalized(self.row.claim)

    @property
    def test(self) -> str:
        """How p values are computed, and how a mean weighs its parts."""
        return _capitalized("; ".join(filter(None, (self.row.test, self.row.weighting))))

    @property
    def cells(self) -> list[str]:
        """Its row in a table, behind the name."""
        row, rows = self.row, self.comparison.predictions
        parts = row.items if row.suite == "mean" else len({r.suite for r in rows})
        _, *numbers = number_cells(row)
        return [str(parts), *numbers, *count_cells(row.recorded)]


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class BaseComparison:
    """One run or several, compared with a base."""

    comparisons: Sequence[RunComparison]  # one for each run
    why_not: str = ""  # why the runs cannot be compared; there are no comparisons then

    @property
    def base(self) -> str:
        """The name of the base."""
        return self.comparisons[0].labels[0]

    @property
    def names(self) -> list[str]:
        """Those of the others."""
        return [comparison.labels[1] for comparison in self.comparisons]

    @property
    def is_single(self) -> bool:
        """True if one run is compared."""
        return len(self.comparisons) == 1

    @property
    def words(self) -> Words:
        """The names of suites and items."""
        return self.comparisons[0].words

    @cached_property
    def wholes(self) -> list[WholeDifference]:
        """For each run, the rows for it as a whole."""
        return [
            WholeDifference(f"{name}, {row.group}" if row.group else name, comparison, row)
            for name, comparison in zip(self.names, self.comparisons, strict=True)
            for row in comparison.wholes
        ]

    @property
    def table(self) -> tuple[int, Sequence[str], list[Sequence[str]]]:
        """How many columns are names, the columns, and a row for each run as a whole.

        Of a single run, a row for each comparison.
        """
        if self.is_single:
            heads, rows = self.comparisons[0].table
            return heads.index(self.words.items), heads, rows
        heads = ("run", self.words.parts, *_WHOLES)
        return 1, heads, [(whole.name, *whole.cells) for whole in self.wholes]

    @property
    def correction(self) -> str:
        """A sentence on the comparisons that Holm's correction covers."""
        every, words = self.comparisons, self.words
        counts = (
            (sum(bool(one.headline) for one in every), f"means over {words.parts}"),
            (sum(len(one.means) for one in every), "means of sets"),
            (sum(bool(one.pooled) for one in every), f"accuracies over all {words.items}"),
            (
                sum(len(one.predictions) for one in every),
                "predictions" if words is SUITES else words.parts,
            ),
        )
        families = listed([f"the {count} {name}" for count, name in counts if count])
        verb = "are one family each" if " and " in families else "are one family"
        return f"Holm's correction is over all {len(every)} runs together: {families} {verb}"

    @property
    def claims(self) -> Iterator[str]:
        """Sentences: what may be claimed of each run as a whole, then of predictions that differ.

        Of a single run, all predictions.
        """
        if self.is_single:
            yield from self.comparisons[0].claims
            return
        yield f"{self.correction}."
        for name, comparison in zip(self.names, self.comparisons, strict=True):
            for whole in comparison.wholes:
                yield f"{name}: {whole.claim}."
        for name, comparison in zip(self.names, self.comparisons, strict=True):
            for row in comparison.predictions:
                if row.better and row not in comparison.wholes:
                    yield f"{name}: {row.claim}."

    @cached_property
    def by_prediction(self) -> CrossTable:
        """Runs by predictions: the difference from the base, marked if it is claimed."""
        rows = [
            {(row.suite, row.prediction): row for row in one.predictions}
            for one in self.comparisons
        ]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        several = Counter(suite for suite, _ in keys)
        columns = (
            f"{suite}/{prediction}" if several[suite] > 1 else suite for suite, prediction in keys
        )
        return CrossTable(
            "run",
            tuple(map(CrossLabel, self.names)),
            tuple(map(CrossLabel, columns)),
            tuple(tuple(_entry(row.get(key)) for key in keys) for row in rows),
            f"difference from the base ({CLAIMED} claimed)",
        )


def _entry(row: PairedComparison | None) -> CrossCell:
    if row is None:
        return CrossCell()
    mark, value = CLAIMED if row.better else " ", row.difference
    return CrossCell(f"{value:+.3f}{mark}", f"{100 * value:+.0f}{mark}", value)


def compared_with_first(runs: Sequence[Run], names: Sequence[str]) -> BaseComparison | None:
    """Runs, as a page names them, compared with the first; None if there are no others."""
    if len(runs) < 2:
        return None
    try:
        return BaseComparison(compare_all(runs[0], runs[1:], names=names))
    except (ScoringError, OSError, ValueError) as error:
        return BaseComparison((), str(error))


# Printed


def print_comparisons(
    comparisons: Sequence[RunComparison], runs: Sequence[str], output_format: str
) -> None:
    """Print the comparisons of runs with the first one, in a format of ``FORMATS``.

    What only one of two runs has, and what has no score, is written to stderr.
    """
    FORMATS[output_format](BaseComparison(comparisons), runs)
    for run, comparison in zip(runs[1:], comparisons, strict=True):
        for note in _left_out(comparison, (runs[0], run)):
            print_note(f"note: {note}")


def _heads(every: BaseComparison, runs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What each run is called, and where it is; then what runs differ in."""
    if every.is_single:
        (one,) = every.comparisons
        for side, run, label in zip(SIDES, runs, one.labels, strict=True):
            yield side, f"{run}, {label}"
        yield "", one.stated_differences
        return
    yield "base", f"{runs[0]}, {every.base}"
    for name, run, comparison in zip(every.names, runs[1:], every.comparisons, strict=True):
        yield name, f"{run}. {comparison.stated_differences}"


def _print_text(every: BaseComparison, runs: Sequence[str]) -> None:
    for name, text in _heads(every, runs):
        print_line(f"{name}: {text}" if name else text)
    print_line("")
    names, heads, rows = every.table
    tables = [plain_table(heads[:names], heads[names:], rows)]
    if every.is_single:
        head, *others = (_narrow_row(row, names) for row in (heads, *rows))
        tables.append(plain_table(head[:names], head[names:], others))
    print_table(*tables)
    print_line("")
    if not every.is_single and len(every.by_prediction.columns) > 1:
        print_line(f"Difference from the base; {CLAIMED} is claimed:")
        for line in text_lines(every.by_prediction, terminal_width(), every.words.part):
            print_line(line)
        print_line("")
    for claim in every.claims:
        print_line(claim)


def _narrow_row(row: Sequence[str], first: int) -> tuple[str, ...]:
    counts = first + 1 + NUMBERS.index(COUNTS)
    names = tuple(name.replace("prediction", "#") for name in row[:first])
    if len(names[-1]) > len("all"):  # what a mean is over
        names = (" ".join(filter(None, names)), *[""] * (first - 1))
    return (*names, *row[first + 1 : counts], *row[counts + 1 :])


def _print_markdown(every: BaseComparison, runs: Sequence[str]) -> None:
    for name, text in _heads(every, runs):
        print_line(f"- {in_markdown(f'{name}: {text}' if name else text)}")
    print_line("")
    names, heads, rows = every.table
    tables = [markdown_table(heads, rows, names)]
    if not every.is_single:
        tables.append(markdown_table(every.by_prediction.heads, every.by_prediction.lines))
    for table in tables:
        for line in (*table, ""):
            print_line(line)
    for claim in every.claims:
        print_line(f"- {in_markdown(claim)}")


def _print_json(every: BaseComparison, runs: Sequence[str]) -> None:
    data = [comparison_data(comparison) for comparison in every.comparisons]
    if len(data) == 1:
        write_stdout(data[0])
        return
    base = {"run": runs[0], "model": every.comparisons[0].models[0]}
    others = [{"run": run, **one} for run, one in zip(runs[1:], data, strict=True)]
    write_stdout({"base": base, "correction": every.correction, "runs": others})


#: Output format -> what prints it.
FORMATS: dict[str, Callable[[BaseComparison, Sequence[str]], None]] = {
    "table": _print_text,
    "json": _print_json,
    "markdown": _print_markdown,
}


def comparison_data(comparison: RunComparison) -> dict[str, Any]:
    """The comparison as JSON has it."""
    return {
        "models": dict(zip(SIDES, comparison.models, strict=True)),
        "labels": dict(zip(SIDES, comparison.labels, strict=True)),
        "differences": [difference._asdict() for difference in comparison.differences],
        "comparisons": [_data(row) for row in comparison.predictions],
        "headline": None if comparison.headline is None else _data(comparison.headline),
        "pooled": None if comparison.pooled is None else _data(comparison.pooled),
        "means": [_data(row) for row in comparison.means],
        "not_compared": dict(zip(SIDES, comparison.not_compared, strict=True)),
        "without_score": dict(zip(SIDES, map(dict, comparison.without_score), strict=True)),
    }


def _data(row: PairedComparison) -> dict[str, Any]:
    recorded = asdict(row.recorded)
    del recorded["ties"]
    data = {**asdict(row), **recorded, "difference": row.difference}
    for key in ("alone", "repeated"):
        data[key] = dict(zip(SIDES, data[key], strict=True))
    return data


def _left_out(comparison: RunComparison, runs: Sequence[str]) -> Iterator[str]:
    words = comparison.words
    for run, labels in zip(runs, comparison.not_compared, strict=True):
        if labels:
            yield f"only in {run}, not compared: {', '.join(labels)}"
    for run, reasons in zip(runs, comparison.without_score, strict=True):
        if reasons:
            named = first_of([f"{name} ({why})" for name, why in reasons.items()], LISTED)
            yield f"without a score in {run}, not compared: {named}"
    for row in comparison.predictions:
        name = "/".join(filter(None, (row.suite, row.prediction)))
        for run, alone, repeated in zip(runs, row.alone, row.repeated, strict=True):
            if alone:
                items = f"1 {words.item} is" if alone == 1 else f"{alone} {words.items} are"
                yield f"{name}: {items} only in {run}, not compared"
            if repeated:
                ids = "1 id has" if repeated == 1 else f"{repeated} ids have"
                yield f"{name}: {ids} several {words.items} in {run}, not compared"
