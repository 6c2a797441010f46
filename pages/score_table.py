"""The table of a run on a terminal: accuracies against chance, and what rounding decided."""

from __future__ import annotations

from evalmark.converters.statistics.proportions import wilson_interval
from evalmark.scoring.chance.level import ASSUMPTION
from evalmark.scoring.scores import Scores, groups
from evalmark.scoring.surprisals.packs import PackPlan
from evalmark.scoring.table import unique_names
from evalmark.validator.edge.lines import say, tell
from evalmark.validator.edge.tables import plain_table, print_table


def print_without_predictions(scores: Scores) -> None:
    """Say which suites have surprisals and no accuracy."""
    without = [scored.source for scored in scores.suites if not scored.result.predictions]
    names = list({source.path: source.suite.name for source in without}.values())
    if names:
        have = "has" if len(names) == 1 else "have"
        say(f"note: {', '.join(names)} {have} no predictions: surprisals, but no result or record")


def print_plan(plan: PackPlan | None) -> None:
    """Print what a run would compute."""
    if plan is None:
        tell("a masked model reads one row for each token")
        return
    rows = (
        ("distinct sentences", f"{plan.sentences}"),
        ("their tokens", f"{plan.tokens}"),
        ("distinct prefixes", f"{plan.prefixes}"),
        ("packs", f"{plan.packs}, the largest of {plan.largest} tokens"),
        ("tokens to read", f"{plan.read}, {plan.saving:.2f} times fewer"),
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
