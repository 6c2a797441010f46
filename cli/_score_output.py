"""What ``evalmark score`` shows: a plan, a table."""

from __future__ import annotations

import sys

from evalmark.converters import records
from evalmark.scoring import Plan, Scores, groups


def print_plan(plan: Plan) -> None:
    """What a run would compute."""
    rows = (
        ("different sentences", f"{plan.sentences}"),
        ("their tokens", f"{plan.tokens}"),
        ("different prefixes", f"{plan.prefixes}"),
        ("packs", f"{plan.packs}, the largest of {plan.largest} tokens"),
        ("tokens to read", f"{plan.read}, {plan.saving:.2f} times fewer"),
    )
    sys.stdout.write("".join(f"{name:20} {value}\n" for name, value in rows))


def print_table(scores: Scores) -> None:
    """A table of accuracies against chance on stdout, and what rounding decided."""
    from ._tables import plain_table, write_table

    numbers = ("items", "correct", "accuracy", "95 % interval", "chance")
    table = plain_table(("suite", "prediction"), numbers)
    for scored in scores.suites:
        name = scored.source.suite.name
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = records.wilson_interval(correct / items, items)
            table.add_row(
                name,
                label,
                str(items),
                str(correct),
                f"{correct / items:.3f}",
                f"{lower:.2f} to {upper:.2f}",
                f"{chance:.3f}",
            )
            name = ""
    averages = [group for group in groups(scores) if len(group.suites) > 1]
    if averages:
        table.add_section()
    for group in averages:
        label = f"average of {len(group.suites)} suites"
        if group.tag:
            label += f" about {group.tag}"
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", f"{group.chance:.3f}")
    write_table(table)
    ties = [
        f"{scored.source.suite.name}: {', '.join(map(str, scored.result.ties))}"
        for scored in scores.suites
        if scored.result.ties
    ]
    if ties:
        sys.stdout.write("\nDecided by rounding (margin below 1e-4 bits), by item number:\n")
        sys.stdout.write("".join(f"  {line}\n" for line in ties))
