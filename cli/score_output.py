"""What ``evalmark score`` prints and writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evalmark.converters.records.run import Producer
from evalmark.converters.records.statistics import wilson_interval
from evalmark.scoring.output import write_output
from evalmark.scoring.scores import Scores, groups
from evalmark.scoring.surprisals.packs import PackPlan
from evalmark.scoring.table import write_table
from evalmark.validator.edge.lines import say, tell
from evalmark.validator.edge.tables import plain_table
from evalmark.validator.edge.tables import write_table as print_rows


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to the scores of each model.

    Attributes:
        source: Who publishes the record.
        collection: First part of the record's ``evaluation_id``.
        version: Version of the record.
        started: When the run began, as a Unix timestamp, if the scores do not say so.
        table: A file for all regions, if wanted.
        quiet: Print no table.
    """

    source: Producer
    collection: str
    version: str
    started: int
    table: Path | None
    quiet: bool

    def scores(self, scores: Scores, folder: Path | None) -> None:
        """Show the scores of a model and write its files."""
        if scores.computed and scores.computed.reason:
            say(f"note: padded batches are used: {scores.computed.reason}")
        if not self.quiet:
            print_table(scores)
        files: list[Path] = []
        if self.table is not None:
            write_table(scores, self.table)
            files.append(self.table)
        if folder is not None:
            output = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.collection,
                started=scores.started or self.started,
                version=self.version,
            )
            files += (output.scores, output.regions, output.record, output.samples)
        for file in files:
            say(f"wrote {file}")


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


def print_table(scores: Scores) -> None:
    """Print accuracies against chance, and what rounding decided."""
    numbers = ("items", "correct", "accuracy", "95 % interval", "chance")
    table = plain_table(("suite", "prediction"), numbers)
    for scored in scores.suites:
        name = scored.source.suite.name
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = wilson_interval(correct / items, items)
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
            label += f" tagged {group.tag}"
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", f"{group.chance:.3f}")
    print_rows(table)
    ties = [scored for scored in scores.suites if scored.result.ties]
    if ties:
        tell("")
        tell("Decided by rounding (margin below 1e-4 bits), by item number:")
    for scored in ties:
        tell(f"  {scored.source.suite.name}: {', '.join(map(str, scored.result.ties))}")
