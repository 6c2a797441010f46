"""Comparison of two runs: what they differ in, and whether it is more than chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError, UsageError, missing_is_ours
from evalmark.scoring.comparison.common_items import PROMPTING, Matched, MatchedItems, match
from evalmark.scoring.comparison.compared_run import (
    SUITES,
    WHOLE,
    ComparedRun,
    ComparedSuite,
    Words,
    words_of,
)
from evalmark.scoring.comparison.comparison_rows import comparison_rows
from evalmark.scoring.comparison.paired_statistics import (
    LEVEL,
    Families,
    PairedComparison,
    Uncorrected,
    corrected,
    drafts,
)
from evalmark.scoring.comparison.run_items import compared_items, compared_run
from evalmark.scoring.runs.finished_run import FinishedRun, frame_of
from evalmark.scoring.runs.run_origin import run_names
from evalmark.scoring.score_settings import (
    SCORE_SETTINGS,
    Decides,
    settings_that_decide,
    unlisted,
)
from evalmark.validator.batch.check_files import no_collection
from evalmark.validator.io.escaping import html_table, text_table

#: Settings that decide numbers, and their names here. The rest is called as the runs call it.
_SHOWN = {
    "revision": "model revision",
    "sha": "model commit",
    "weights_sha256": "weights",
    "tokenizer_sha256": "tokenizer",
    "dtype": "dtype",
    "like": SCORE_SETTINGS["like"].words,  # the others follow from it
    **{name: setting.words for name, setting in SCORE_SETTINGS.items() if setting.words},
    "computation": "computation",
    "output_head": "output head",
    "rounding_margin": "rounding margin",
    "device": "device",
    "num_fewshot": "examples in the prompt",
    "prompt_template": "prompt template",
    "temperature": "temperature",
    "memory_span": "memory span",
    "evaluator_version": "scoring rules",
    "judge": "judge",
    "judge_prompt": "prompt of the judge",
}
#: Facts that follow from another model, and say nothing more.
_OF_MODELS = frozenset(
    {"revision", "sha", "weights_sha256", "tokenizer_sha256", "architecture", "parameters",
     "source", "model_args", "inspect_model", "agent_class", "kind", "deployment_type",
     "model_availability", "developer"}
)  # fmt: skip
#: When and where a run was made, and which further regions it has: these decide nothing.
_IGNORED = frozenset(
    {"run_name", "run_folder", "batch_sizes", "left_out", *settings_that_decide(Decides.NOTHING)}
) - frozenset(_SHOWN)
#: Suites that are named; more are counted.
NAMED = 3
#: Characters of a value that are shown.
_SHORT = 40
#: How the names of differences between texts begin.
_TEXTS = ("text of ", "texts, regions or number of ")


#: The columns of a frame.
_COLUMNS: dict[str, type] = {
    "suite": str, "prediction": str, "set": str, "items": int, "first": float, "second": float,
    "difference": float, "lower": float, "upper": float, "only_first": int, "only_second": int,
    "p": float, "p_holm": float, "ties": int, "better": str, "detectable": float, "claim": str,
}  # fmt: skip


def _cells(row: PairedComparison) -> Sequence[Any]:
    low, high = row.interval or (None, None)
    recorded = row.recorded
    return (
        row.suite, row.prediction, row.group, row.items, recorded.first, recorded.second,
        row.difference, low, high, recorded.only_first, recorded.only_second, recorded.p_value,
        recorded.p_holm, row.ties, row.better or "", row.detectable, row.claim,
    )  # fmt: skip


class RunDifference(NamedTuple):
    """A difference between the statements of two runs; None for a side that states nothing."""

    name: str
    first: str | None
    second: str | None


def differences(left: ComparedRun, right: ComparedRun, matched: Matched) -> list[RunDifference]:
    """The model, what is known of it, the settings and the texts of items, in this order."""
    same_model = left.model == right.model
    rows = [] if same_model else [RunDifference("model", left.model, right.model)]
    settings = dict.fromkeys(_SHOWN)
    mixed: dict[str, RunDifference] = {}
    for first, second in _both(left, right, matched):
        for key in dict.fromkeys((*settings, *first, *second)):
            a, b = (_stated(key, settings_of_side) for settings_of_side in (first, second))
            if a == b or key in _IGNORED or (key in _OF_MODELS and not same_model):
                continue
            # What only one kind of run states is not a difference, unless it decides numbers.
            if key in _SHOWN or None not in (a, b):
                mixed.setdefault(key, RunDifference(_SHOWN.get(key, key), a, b))
    if "dtype" in mixed:
        for follows in ("rounding_margin", "weights_sha256"):  # one checkpoint has others in each
            mixed.pop(follows, None)
    if "memory_span" in mixed:
        mixed.pop("eval_limits", None)  # the same
    order = [*settings, *(key for key in mixed if key not in settings)]
    rows += [mixed[key] for key in order if key in mixed]
    rows += dict.fromkeys(
        RunDifference("metric", m.first.metric, m.second.metric)
        for m in matched.items
        if m.first.metric != m.second.metric
    )
    return [*rows, *_texts(matched, words_of(left, right))]


def _stated(key: str, settings: Mapping[str, str]) -> str | None:
    """A setting; what a run of ours has if it lists it only where it is not as usual."""
    return settings.get(key, unlisted(settings).get(key))


def of_texts(every: Iterable[RunDifference]) -> list[RunDifference]:
    """Differences that make models read other texts: settings, and facts about the texts."""
    settings = {_SHOWN.get(key, key) for key in PROMPTING}
    return [
        difference
        for difference in every
        if difference.name in settings or difference.name.startswith(_TEXTS)
    ]


def _both(
    left: ComparedRun, right: ComparedRun, matched: Matched
) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    yield left.facts, right.facts
    for first, second in _suites(matched):
        yield first.settings, second.settings


def _suites(matched: Matched) -> list[tuple[ComparedSuite, ComparedSuite]]:
    return list({m.first.label: (m.first, m.second) for m in matched.items}.values())


def _texts(matched: Matched, words: Words) -> Iterator[RunDifference]:
    columns = {m.first.label: m for m in matched.items}.values()
    others = [m for m in columns if m.other_texts]
    if others:
        count, total = sum(m.other_texts for m in others), sum(len(m.pairs) for m in others)
        names = _names(others, words)
        yield _difference_of_both(
            f"{_TEXTS[0]}{words.items}", f"{count} of {total} {words.items} of {names}"
        )
    if spaced := [m for m in columns if m.other_spaces]:
        count, total = sum(m.other_spaces for m in spaced), sum(len(m.pairs) for m in spaced)
        affected = f"{count} of {total} {words.items} of {_names(spaced, words)}"
        yield _difference_of_both(
            f"{_TEXTS[0]}{words.items}", f"{affected} have another one: a leading space"
        )
    if unsure := [m for m in columns if m.may_have_other_texts]:
        yield _difference_of_both(f"{_TEXTS[1]}{words.items}", _names(unsure, words))


def _difference_of_both(name: str, text: str) -> RunDifference:
    return RunDifference(name, text, text)


def _names(columns: Sequence[MatchedItems], words: Words) -> str:
    names = [m.first.label for m in columns]
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)} {words.parts}"


def shown_difference(difference: RunDifference) -> str:
    """A difference in words, with values cut to a length that can be read."""
    name, *values = difference
    if values[0] == values[1]:
        return f"{name} ({values[0]})"
    return f"{name} {' / '.join(map(_shortened, values))}"


def _shortened(value: str | None) -> str:
    if value is None:
        return "not stated"
    is_digest = len(value) >= _SHORT and set(value) <= set("0123456789abcdef")
    if is_digest:
        return value[:8]
    return value if len(value) <= _SHORT else f"{value[: _SHORT - 1]}…"


@dataclass(frozen=True, slots=True, repr=False)
class RunComparison:
    """Two runs, compared.

    Attributes:
        models: The id of the model of each run.
        labels: The names of the runs, which differ: their models, and what tells equal ones apart.
        words: The names of suites and items.
        differences: The differences of the runs, apart from their scores.
        predictions: For each common suite, its predictions and, if there are several, their
            conjunction; for records of other programs, their results. A suite with several metrics
            in one of the runs is one suite for each of them.
        headline: The mean over suites; each counts once. None for a single suite, if
            scores cannot be added up, or in several languages.
        pooled: All items of these suites; each counts once. None as above, or if nobody asks.
        not_compared: The parts that only the first run has, and only the second.
        without_score: Items that have no score in either run, and why.
        means: The mean over each set of minimal pairs, if there are several.
    """

    models: tuple[str, str]
    labels: tuple[str, str]
    words: Words
    differences: tuple[RunDifference, ...]
    predictions: tuple[PairedComparison, ...]
    headline: PairedComparison | None
    pooled: PairedComparison | None
    not_compared: tuple[tuple[str, ...], tuple[str, ...]]
    without_score: tuple[Mapping[str, str], Mapping[str, str]]
    means: tuple[PairedComparison, ...] = ()

    @property
    def wholes(self) -> tuple[PairedComparison, ...]:
        """The comparisons of the runs as a whole: a mean, that of each set, a pool, or results."""
        if row := self.headline or self.pooled:
            return (row,)
        averaged = {row.group for row in self.means}
        rows = [row for row in self.predictions if row.group not in averaged]
        # The conjunction is not compared if one of its predictions is another in either run.
        return (*self.means, *([row for row in rows if row.prediction in WHOLE] or rows))

    @property
    def rows(self) -> tuple[PairedComparison, ...]:
        """Every comparison: the runs as a whole, then predictions; none twice."""
        every = (self.headline, self.pooled, *self.means, *self.predictions)
        return tuple(dict.fromkeys(row for row in every if row is not None))

    def to_frame(self) -> Any:  # of pandas, which may not be installed
        """A row of a frame of pandas for each comparison: the ``rows``.

        ``first`` and ``second`` are the mean scores of the runs, ``lower`` and ``upper`` the ends
        of the 95 % interval of ``difference``; ``detectable`` is the difference that would have
        shown where none is claimed.

        Raises:
            ScoringError: pandas is not installed.
        """
        return frame_of("pandas", _COLUMNS, map(_cells, self.rows))

    @property
    def totals(self) -> tuple[PairedComparison, ...]:
        """The comparisons of several suites together: means of sets, mean of all, their pool."""
        return tuple(row for row in (*self.means, self.headline, self.pooled) if row)

    @property
    def table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        """The columns and the rows of a table of predictions, then of totals."""
        return comparison_rows(self.words, self.predictions, self.totals)

    @property
    def claims(self) -> tuple[str, ...]:
        """What may be claimed of totals, then of predictions; and how means weigh their parts."""
        weightings = dict.fromkeys(row.weighting for row in self.totals if row.weighting)
        claims = [row.claim for row in (*self.totals, *self.predictions)]
        return tuple(f"{text}." for text in (*claims, *weightings))

    @property
    def stated_differences(self) -> str:
        """A sentence on the settings that differ between the runs."""
        if not self.differences:
            return "The runs state the same settings."
        return f"The runs differ in: {'; '.join(map(shown_difference, self.differences))}."

    @property
    def _title(self) -> str:
        first, second = self.labels
        return f"first: {first}; second: {second}. {self.stated_differences}"

    def __str__(self) -> str:
        """What the runs differ in, the table, and what may be claimed of the runs as a whole."""
        claims = (f"{row.claim}." for row in self.wholes)
        return "\n".join([text_table(self._title, *self.table), *claims])

    def _repr_html_(self) -> str:
        claims = (html_table(f"{row.claim}.", (), ()) for row in self.wholes)
        return "\n".join([html_table(self._title, *self.table), *claims])

    def __repr__(self) -> str:
        count = len(self.predictions)
        first, second = self.labels
        return f"<comparison of {first!r} and {second!r}: {count} result{'s'[: count != 1]}>"


#: A run, or where it is.
AnyRun: TypeAlias = str | Path | Run | FinishedRun


def compare(first: AnyRun, second: AnyRun, *, pooled: bool = False) -> RunComparison:
    """Compare two runs, item by item.

    A run is what ``score`` or ``read_run`` gave; the folder of ``evalmark score``; a record with
    its samples; a file of results that an importer reads; or the folder of a run of conversations.

    Items are matched by suite, prediction and number, or by the ids of samples.

    Args:
        first: A run.
        second: Another one.
        pooled: Whether all items are compared besides the mean over suites.

    Raises:
        ScoringError: A path is not a run, or the runs have nothing in common.
        OSError: A file cannot be read.
    """
    with missing_is_ours():
        return compare_all(first, [second], pooled=pooled)[0]


def _compared(run: AnyRun) -> ComparedRun:
    if isinstance(run, str | Path):
        return compared_run(Path(run))
    return compared_items(run.run if isinstance(run, FinishedRun) else run)


def compare_all(
    base: AnyRun,
    others: Sequence[AnyRun],
    level: float = LEVEL,
    *,
    pooled: bool = False,
    names: Sequence[str] = (),
) -> tuple[RunComparison, ...]:
    """Compare several runs with a base: a comparison for each, in their order.

    Holm's correction is over all of them together: over the predictions of all runs, over the means
    of all runs, and over their pools. A difference is claimed if its corrected p value is below
    ``level``. ``names`` are those of the base and the others, if a page names further runs.

    Raises:
        ScoringError: As in ``compare``.
        UsageError: The level is not a number from 0 to 1.
    """
    if not 0 <= level <= 1:
        raise UsageError(f"the level is {level}; expected a number from 0 to 1")
    with no_collection():
        left = _compared(base)
        runs = [_compared(other) for other in others]
    first, *rest = names or run_names([run.run for run in (left, *runs)])
    labels = [(first, name) for name in rest]
    parts = [
        _compare_uncorrected(left, right, pair, pooled=pooled)
        for right, pair in zip(runs, labels, strict=True)
    ]
    every = corrected([draft for _, draft in parts], labels, level)
    return tuple(
        replace(
            part,
            predictions=families.predictions,
            headline=next(iter(families.headline), None),
            pooled=next(iter(families.pooled), None),
            means=families.means,
        )
        for (part, _), families in zip(parts, every, strict=True)
    )


def _compare_uncorrected(
    left: ComparedRun, right: ComparedRun, labels: tuple[str, str], *, pooled: bool
) -> tuple[RunComparison, Families[Uncorrected]]:
    matched = match(left, right)
    if not matched.items:
        raise ScoringError(_why_nothing(left, right, matched))
    words = words_of(left, right)
    part = RunComparison(
        (left.model, right.model),
        labels,
        words,
        tuple(differences(left, right, matched)),
        (),
        None,
        None,
        matched.alone,
        (left.without_score, right.without_score),
    )
    return part, drafts(matched.items, words, pooled=pooled)


def _why_nothing(first: ComparedRun, second: ComparedRun, matched: Matched) -> str:
    for run in (first, second):
        columns = [column for suite in run.suites for column in suite.columns.values()]
        if any(column.items for column in columns):
            continue
        if any(column.repeated for column in columns):
            return f"nothing to compare: in {run.path}, several samples have each id"
        return f"nothing to compare: {run.path} has no predictions, or no samples"
    words = words_of(first, second)
    sides = (", ".join(names[:5]) or "nothing else" for names in matched.alone)
    return ("the runs have no {} of the same {} in common: {} has {}; {} has {}").format(
        words.items,
        "suite, metric and prediction" if words is SUITES else words.part,
        *(part for pair in zip((first.path, second.path), sides, strict=True) for part in pair),
    )
