"""The table of a run on a terminal: accuracies against chance, and what rounding decided."""

from __future__ import annotations

from evalmark.converters.statistics.proportions import wilson_interval
from evalmark.scoring.chance.level import ASSUMPTION
from evalmark.scoring.doubts import notes_of
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.needed import conditions_not_run
from evalmark.scoring.planning import RunPlan
from evalmark.scoring.scores import Scores, groups
from evalmark.scoring.surprisals.compute import Computed
from evalmark.scoring.table import unique_names
from evalmark.validator.edge.tables import plain_table, print_table
from evalmark.validator.edge.terminal import say, tell
from evalmark.validator.findings.words import listed
from evalmark.validator.formats.suites.suite import USUAL_METRIC

#: Suites that a note names.
NAMED = 3
#: Who names the metric of suites that name none -> what a note says.
_METRIC_FROM = {
    "format": f"no metric is named, and the format meant {USUAL_METRIC}",
    "caller": "no metric is named, and --metric is used",
}


def print_without_predictions(scores: Scores) -> None:
    """Say which suites have surprisals and no accuracy."""
    without = [scored.source for scored in scores.suites if not scored.result.predictions]
    names = list({source.path: source.suite.name for source in without}.values())
    if names:
        have = "has" if len(names) == 1 else "have"
        say(f"note: {', '.join(names)} {have} no predictions: surprisals, but no result or record")


def print_notes(scores: Scores) -> None:
    """Say what was chosen for the user, what was not computed, and what is doubtful."""
    print_choices(scores.model, scores.computed)
    labels = unique_names(scores)
    idle = {
        name: names
        for name, scored in zip(labels, scores.suites, strict=True)
        if (names := conditions_not_run(scored.source, scores.settings))
    }
    if idle:
        shown = [f"{name} ({', '.join(names)})" for name, names in list(idle.items())[:NAMED]]
        more = f" and {len(idle) - NAMED} more suites" if len(idle) > NAMED else ""
        say(f"note: conditions without a prediction are not computed: {', '.join(shown)}{more}")
    for by, what in _METRIC_FROM.items():
        names = [
            n for n, s in zip(labels, scores.suites, strict=True) if s.source.metric_from == by
        ]
        if names:
            say(f"note: {what}: {listed(names, NAMED)}")
    doubts = {name: s.doubts for name, s in zip(labels, scores.suites, strict=True)}
    for note in notes_of(doubts):
        say(f"note: {note}")


def print_choices(model: ModelInfo, computed: Computed | None) -> None:
    """Say what was chosen for the user: the dtype of a model, and padded batches."""
    if "dtype_choice" in model.details:
        say(f"note: --dtype auto: the model is in {model.details['dtype']}")
    if computed and computed.reason:
        say(f"note: padded batches are used: {computed.reason}")


def print_plan(found: RunPlan) -> None:
    """Print what a run would compute."""
    plan = found.packs
    if plan is None:
        tell(f"a masked model reads one row for each token: {found.rows}")
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
        tell(f"{name:20} {value}")


def print_scores(scores: Scores) -> None:
    """Print accuracies against chance, and what rounding decided."""
    numbers = ("items", "correct", "accuracy", "95 % interval", "chance")
    table = plain_table(("suite", "prediction"), numbers)
    for name, scored in zip(unique_names(scores), scores.suites, strict=True):
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        first = name
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = wilson_interval(correct / items, items)
            table.add_row(
                first,
                label,
                str(items),
                str(correct),
                f"{correct / items:.3f}",
                f"{lower:.2f} to {upper:.2f}",
                chance.shown,
            )
            first = ""
    averages = [group for group in groups(scores) if len(group.suites) > 1]
    if averages:
        table.add_section()
    for group in averages:
        label = f"average of {len(group.suites)} suites"
        label += f" tagged {group.tag}" if group.tag else ""
        label += f", {group.metric}" if group.metric else ""
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", group.chance.shown)
    print_table(table)
    tell(f"Chance: {ASSUMPTION}; in parentheses the exact number, or its standard error.")
    results = zip(unique_names(scores), scores.suites, strict=True)
    ties = {name: scored.result.ties for name, scored in results if scored.result.ties}
    if ties:
        tell("")
        tell(f"Decided by rounding (margin below {scores.rounding.said}), by item number:")
    for name, tied in ties.items():
        tell(f"  {name}: {', '.join(map(str, tied))}")
