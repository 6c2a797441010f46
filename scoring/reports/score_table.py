"""Tables of a run on a terminal: accuracies against chance, and averages of minimal pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from evalmark.converters.records.run import Run
from evalmark.scoring.comparison.compared_run import ALL
from evalmark.scoring.contest_run import RunPlan
from evalmark.scoring.doubts import notes_of
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.pairs.pair_averages import CHANCE, IMPOSSIBLE, TIES, UNDEFINED
from evalmark.scoring.pairs.pair_run import PairScores
from evalmark.scoring.reports.comparison.cross_table import terminal_width, text_lines
from evalmark.scoring.reports.comparison.model_scores import (
    ModelScores,
    kind_of_columns,
    notes_of_table,
    score_table,
    with_unique_names,
)
from evalmark.scoring.runs.pair_views import PairRunView
from evalmark.scoring.runs.run_tables import view_of_run
from evalmark.scoring.runs.score_rows import (
    PAIR_NAMES,
    PAIR_NUMBERS,
    SUITE_NAMES,
    SUITE_NUMBERS,
    score_rows,
)
from evalmark.scoring.runs.suite_views import RunView
from evalmark.scoring.suites.chance import ASSUMPTION
from evalmark.scoring.suites.chance import CHANCE as KNOWS_NOTHING
from evalmark.scoring.suites.regions import conditions_not_run
from evalmark.scoring.suites.suite_run import Scores, unique_names
from evalmark.scoring.surprisals.surprisal_computation import Computed
from evalmark.stats.intervals import WILSON
from evalmark.validator.findings.phrasing import first_of, listed
from evalmark.validator.formats.suites.suite import USUAL_METRIC
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import print_line, print_note

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


def print_run(run: Run) -> None:
    """Print the scores of a run with their intervals and chance, and what rounding decided."""
    view = view_of_run(run)
    if isinstance(view, PairRunView):
        _print_pairs(view)
    elif any(suite.shown for suite in view.suites):
        _print_suites(view)


def _print_suites(run: RunView) -> None:
    _, rows = score_rows(run)
    exact = plain_table(SUITE_NAMES, SUITE_NUMBERS, rows)
    short = [(*cells, chance.split(" (")[0]) for *cells, chance in rows]
    narrower = [plain_table(SUITE_NAMES, SUITE_NUMBERS, short)]
    if {label for _, label, items, *_ in rows if items} == {ALL}:
        unnumbered = [(name, *cells) for name, _, *cells in short]
        narrower.append(plain_table(SUITE_NAMES[:1], SUITE_NUMBERS, unnumbered))
    is_exact = print_table(exact, *narrower) is exact
    in_parentheses = f" ({ASSUMPTION}), as a fraction or with the standard error of a simulation"
    print_line(f"{KNOWS_NOTHING}{in_parentheses * is_exact}.")
    print_line(f"{WILSON}.")
    ties = {suite.name: tied for suite in run.suites if suite.whole and (tied := suite.whole.ties)}
    if ties:
        margin = run.details["rounding_margin"]
        print_line("")
        print_line(f"Decided by rounding (margin below {margin}), by item number:")
    for name, tied in ties.items():
        print_line(f"  {name}: {', '.join(map(str, tied))}")


#: Contests of a UID that are listed.
LISTED = 10


def _print_pairs(run: PairRunView) -> None:
    print_table(plain_table(PAIR_NAMES, PAIR_NUMBERS, score_rows(run)[1]))
    print_line(f"Chance: {CHANCE}.")
    print_line(f"{WILSON}.")
    if any(uid.is_correlated for uid in run.uids):
        print_line("Scores of wug tests are Spearman's correlations with people's ratios.")
    if any(uid.counts.impossible for uid in run.uids):
        print_line(
            "Impossible pairs, with a wrong text that is the same as the right one, count, and are "
            "never right."
        )
    margin = run.details["rounding_margin"]
    _tell_names(run, TIES, f"Ties, never right (difference within {margin}):")
    _tell_names(run, (IMPOSSIBLE,), "Impossible:")
    _tell_names(run, (UNDEFINED,), "Undefined surprisals, never right:")


def _tell_names(run: PairRunView, outcomes: tuple[str, ...], head: str) -> None:
    named = {uid.label: uid.named(*outcomes) for uid in run.uids if not uid.is_correlated}
    if any(named.values()):
        print_line("")
        print_line(head)
    for label, names in named.items():
        if names:
            print_line(f"  {label}: {first_of(names, LISTED)}")


def print_models(runs: Sequence[ModelScores], chance: str, *, detailed: bool) -> None:
    """Print one table of several models, in the order of the rows, and what it depends on.

    With ``detailed`` columns are predictions or UIDs, rather than suites or sets.
    """
    runs = with_unique_names(runs)
    table = score_table(runs, detailed=detailed)
    corner = kind_of_columns(runs, detailed=detailed)
    for row in text_lines(table, terminal_width(), corner):
        print_line(row)
    print_line(f"Chance: {chance}.")
    for note in notes_of_table(runs):
        print_note(f"note: {note}")
