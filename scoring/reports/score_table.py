"""Tables of a run on a terminal: accuracies against chance, and averages of minimal pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from evalmark.scoring.comparison.compared_run import ALL
from evalmark.scoring.contest_run import RunPlan
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.pairs.pair_averages import (
    CHANCE,
    IMPOSSIBLE,
    TIES,
    UNDEFINED,
    SetAverage,
)
from evalmark.scoring.pairs.pair_run import PairScores, UidResult
from evalmark.scoring.quality import notes_of
from evalmark.scoring.reports.comparison.cross_table import terminal_width, text_lines
from evalmark.scoring.reports.comparison.model_scores import (
    ModelScores,
    kind_of_columns,
    notes_of_table,
    score_table,
    with_unique_names,
)
from evalmark.scoring.runs.scores import scored_part
from evalmark.scoring.runs.suite_views import labels_of
from evalmark.scoring.suites.chance import ASSUMPTION
from evalmark.scoring.suites.chance import CHANCE as KNOWS_NOTHING
from evalmark.scoring.suites.regions import conditions_not_run
from evalmark.scoring.suites.suite_run import ScoredSuite, Scores, groups, unique_names
from evalmark.scoring.surprisals.compute import Computed
from evalmark.stats.intervals import WILSON, wilson_interval
from evalmark.validator.findings.phrasing import first_of, listed
from evalmark.validator.formats.suites.suite import USUAL_METRIC
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import print_line, print_note
from rich.table import Table

#: Suites that a note names.
NAMED = 3
#: Who names the metric of suites that name none -> what a note says.
_METRIC_FROM = {
    "format": f"no metric is named, and the format meant {USUAL_METRIC}",
    "caller": "no metric is named, and --metric is used",
}


def suite_notes(scores: Scores) -> Iterator[str]:
    """Notes on what was chosen for the user, what was not computed, and what is doubtful."""
    yield from _choices(scores.model, scores.computed)
    labels = unique_names(scores)
    idle = {
        name: names
        for name, scored in zip(labels, scores.suites, strict=True)
        if (names := conditions_not_run(scored.source, scores.settings))
    }
    if idle:
        shown = [f"{name} ({', '.join(names)})" for name, names in list(idle.items())[:NAMED]]
        more = f" and {len(idle) - NAMED} more suites" if len(idle) > NAMED else ""
        yield f"conditions without a prediction are not computed: {', '.join(shown)}{more}"
    for by, reason in _METRIC_FROM.items():
        names = [
            n for n, s in zip(labels, scores.suites, strict=True) if s.source.metric_from == by
        ]
        if names:
            yield f"{reason}: {listed(names, NAMED)}"
    yield from notes_of({n: s.doubts.details() for n, s in zip(labels, scores.suites, strict=True)})
    without = [scored.source for scored in scores.suites if not scored.result.predictions]
    if names := list({source.path: source.suite.name for source in without}.values()):
        have = "has" if len(names) == 1 else "have"
        yield f"{', '.join(names)} {have} no predictions: surprisals, but no accuracy"


def pair_notes(scores: PairScores) -> Iterator[str]:
    """The same of minimal pairs."""
    yield from _choices(scores.model, scores.computed)
    yield from notes_of({Path(path).name: doubt.details() for path, doubt in scores.doubts.items()})


def _choices(model: ModelInfo, computed: Computed | None) -> Iterator[str]:
    if "dtype_choice" in model.details:
        yield f"--dtype auto: the model is in {model.details['dtype']}"
    if computed and computed.reason:
        yield f"padded batches are used: {computed.reason}"


def print_plan(run: RunPlan) -> None:
    """Print what a run would compute."""
    plan = run.packs
    if plan is None:
        print_line(f"a masked model reads one row for each token: {run.rows}")
        return
    rows = (
        ("distinct sentences", f"{plan.sentences}"),
        ("their tokens", f"{plan.tokens}"),
        ("distinct prefixes", f"{plan.prefixes}"),
        ("packs", f"{plan.packs}, the largest of {plan.largest} tokens"),
        ("tokens to read", f"{plan.read}, {plan.saving:.2f} times fewer"),
        ("rows of logits", f"{plan.logits}"),
    )
    for name, value in rows:
        print_line(f"{name:20} {value}")


def print_scores(scores: Scores) -> None:
    """Print accuracies against chance, and what rounding decided; nothing without predictions."""
    if not any(scored.result.predictions for scored in scores.suites):
        return
    rows = [
        row
        for name, scored in zip(unique_names(scores), scores.suites, strict=True)
        for row in _of_suite(name, scored)
    ]
    for group in (group for group in groups(scores) if len(group.suites) > 1):
        label = f"average of {len(group.suites)} suites"
        label += f" tagged {group.tag}" if group.tag else ""
        label += f", {group.metric}" if group.metric else ""
        mean = f"{group.accuracy:.3f}"
        rows.append((label, "all", "", "", mean, "", group.chance.shown))
    exact = _score_table(rows)
    short = [(*cells, chance.split(" (")[0]) for *cells, chance in rows]
    narrower = [_score_table(short)]
    if {label for _, label, items, *_ in rows if items} == {ALL}:
        unnumbered = [(name, *cells) for name, _, *cells in short]
        narrower.append(_score_table(unnumbered))
    is_exact = print_table(exact, *narrower) is exact
    in_parentheses = f" ({ASSUMPTION}), as a fraction or with the standard error of a simulation"
    print_line(f"{KNOWS_NOTHING}{in_parentheses * is_exact}.")
    print_line(f"{WILSON}.")
    results = zip(unique_names(scores), scores.suites, strict=True)
    ties = {name: scored.result.ties for name, scored in results if scored.result.ties}
    if ties:
        print_line("")
        print_line(f"Decided by rounding (margin below {scores.rounding.text}), by item number:")
    for name, tied in ties.items():
        print_line(f"  {name}: {', '.join(map(str, tied))}")


def _of_suite(name: str, scored: ScoredSuite) -> Iterator[tuple[str, ...]]:
    """The rows of a suite, of which the first has its name."""
    items, left_out = len(scored.source.suite.items), len(scored.source.left_out)
    count = scored_part(items, left_out) or str(items)
    counts = [prediction.correct for prediction in scored.result.predictions]
    labels = labels_of(len(counts))
    counts += [sum(scored.result.conjunction)] if len(counts) > 1 else []
    for label, correct, chance in zip(labels, counts, scored.chances, strict=False):
        lower, upper = wilson_interval(correct / items, items)
        numbers = (count, str(correct), f"{correct / items:.3f}")
        yield name, label, *numbers, f"{lower:.2f} to {upper:.2f}", chance.shown
        name = ""


def _score_table(rows: Sequence[tuple[str, ...]]) -> Table:
    """Rows of suites and averages, with predictions if they have."""
    numbers = ("items", "correct", "accuracy", "95 % interval", "chance")
    has_predictions = len(rows[0]) > len(numbers) + 1
    table = plain_table(("suite", "prediction") if has_predictions else ("suite",), numbers)
    for row in rows:
        table.add_row(*row)
    return table


#: Contests of a UID that are listed.
LISTED = 10
_NUMBERS = (
    "pairs", "right", "score", "95 % interval", "chance", "ties", "impossible",
)  # fmt: skip


def print_pairs(scores: PairScores) -> None:
    """Print the results of each UID, averages, and which pairs are ties."""
    table = plain_table(("UID", "method"), _NUMBERS)
    for uid in scores.uids:
        table.add_row(uid.label, uid.method, *_of_uid(uid))
    for row in chain.from_iterable(map(_of_average, scores.averages)):
        table.add_row(*row)
    print_table(table)
    print_line(f"Chance: {CHANCE}.")
    print_line(f"{WILSON}.")
    correlated = [uid.label for uid in scores.uids if uid.is_correlated]
    if correlated:
        print_line("Scores of wug tests are Spearman's correlations with people's ratios.")
    impossible = sum(len(uid.named((IMPOSSIBLE,))) for uid in scores.uids)
    if impossible:
        print_line(
            "Impossible pairs, with a wrong text that is the same as the right one, count, and are "
            "never right."
        )
    _tell_names(scores, TIES, f"Ties, never right (difference within {scores.rounding.text}):")
    _tell_names(scores, (IMPOSSIBLE,), "Impossible:")
    _tell_names(scores, (UNDEFINED,), "Undefined surprisals, never right:")


def _of_uid(uid: UidResult) -> tuple[str, ...]:
    counts = uid.counts
    if uid.is_correlated:
        return _cells(
            len(uid.contests), uid.left_out, None, uid.correlation, uid.correlation_interval,
            "0", "", "",
        )  # fmt: skip
    impossible = len(uid.named((IMPOSSIBLE,)))
    return _cells(
        counts.items, uid.left_out, counts.right, counts.share, counts.interval,
        f"{float(counts.chance_share):.3f}", _ties(counts.ties, counts.exact_ties),
        _number(impossible),
    )  # fmt: skip


def _of_average(average: SetAverage) -> Iterator[tuple[str, ...]]:
    counts = average.counts
    name = f"{average.label} {average.value}" if average.label else f"{average.set}"
    ties = _ties(counts.ties, counts.exact_ties)
    impossible = _number(counts.impossible)
    chance = "0" if average.is_correlation else f"{float(average.chance):.3f}"
    right = None if average.is_correlation else counts.right
    size = counts.items, average.left_out
    cells = _cells(*size, right, average.score, average.interval, chance, ties, impossible)
    yield f"{name}: {average.averaged}", "", *cells
    if not average.label and not average.is_correlation and average.uids > 1:
        all_pairs = f"{float(counts.chance_share):.3f}"
        cells = _cells(
            *size, counts.right, counts.share, counts.interval, all_pairs, ties, impossible
        )
        yield f"{name}: all pairs", "", *cells


def _cells(
    items: int,
    left_out: int,
    right: int | None,
    score: float | None,
    interval: tuple[float, float] | None,
    *others: str,
) -> tuple[str, ...]:
    return (
        scored_part(items, left_out) or str(items),
        "" if right is None else str(right),
        "–" if score is None else f"{score:.3f}",
        "" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}",
        *others,
    )


def _number(count: int) -> str:
    return str(count) if count else ""


def _ties(count: int, exact: int) -> str:
    return f"{count} ({exact} exact)" if exact else _number(count)


def _tell_names(scores: PairScores, outcomes: tuple[str, ...], head: str) -> None:
    named = {uid.label: uid.named(outcomes) for uid in scores.uids if not uid.is_correlated}
    if any(named.values()):
        print_line("")
        print_line(head)
    for label, names in named.items():
        if names:
            print_line(f"  {label}: {first_of(names, LISTED)}")


def print_models(runs: Sequence[ModelScores], chance: str, *, detailed: bool) -> None:
    """Print one table of several models, and what it depends on.

    Args:
        runs: The scores of the models, in the order of the rows.
        chance: What chance takes a model to be.
        detailed: Whether columns are predictions or UIDs, rather than suites or sets.
    """
    runs = with_unique_names(runs)
    table = score_table(runs, detailed=detailed)
    corner = kind_of_columns(runs, detailed=detailed)
    for row in text_lines(table, terminal_width(), corner):
        print_line(row)
    print_line(f"Chance: {chance}.")
    for note in notes_of_table(runs):
        print_note(f"note: {note}")
