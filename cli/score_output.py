"""What ``evalmark score`` shows and writes: a plan, tables, the folders of runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evalmark.cli.checking import CLEAN, FOUND
from evalmark.cli.lines import complain, say, tell
from evalmark.cli.scoring_jobs import Engine, Job, run_jobs
from evalmark.converters.records.run import Producer
from evalmark.converters.records.statistics import wilson_interval
from evalmark.schemas.errors import UndefinedValue
from evalmark.scoring.groups import groups
from evalmark.scoring.output import prepare_folder, write_output
from evalmark.scoring.run import Scores
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.packs import Plan
from evalmark.scoring.table import write_table


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
    from evalmark.cli.tables import plain_table
    from evalmark.cli.tables import write_table as print_rows

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
            label += f" about {group.tag}"
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", f"{group.chance:.3f}")
    print_rows(table)
    ties = [
        f"{scored.source.suite.name}: {', '.join(map(str, scored.result.ties))}"
        for scored in scores.suites
        if scored.result.ties
    ]
    if ties:
        sys.stdout.write("\nDecided by rounding (margin below 1e-4 bits), by item number:\n")
        for line in ties:
            tell(f"  {line}")


class Delivery(NamedTuple):
    """What becomes of scores.

    Attributes:
        quiet: No table on stdout.
        table: A file for every region as a row.
        source: Who stands behind the record; None where none is written.
        collection: First part of the record's id.
        started: When the run began, if it does not say so itself.
        version: Version of the record.
    """

    quiet: bool
    table: Path | None
    source: Producer | None
    collection: str
    started: int
    version: str

    def scores(self, scores: Scores, folder: Path | None) -> None:
        """Show and write the scores of a model."""
        if scores.computed and scores.computed.reason:
            say(f"note: padded batches are used: {scores.computed.reason}")
        if not self.quiet:
            print_table(scores)
        if self.table is not None:
            write_table(scores, self.table)
            say(f"wrote {self.table}")
        if folder is not None and self.source is not None:
            written = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.collection,
                started=scores.started or self.started,
                version=self.version,
            )
            for file in written:
                say(f"wrote {file}")

    def jobs(
        self, jobs: list[Job], suites: Sequence[LoadedSuite], engine: Engine, *, overwrite: bool
    ) -> int:
        """Run jobs and deliver what comes of each; the exit code.

        Of several models, those whose folder holds a finished run are passed over, and one that
        cannot score leaves the others alone.
        """
        several, code = len(jobs) > 1, CLEAN
        if several and not overwrite:
            jobs = [job for job in jobs if not self._is_there(job.folder)]
        for job in jobs:
            if several and job.folder is not None:
                prepare_folder(job.folder, overwrite=overwrite)
        for job, result in run_jobs(jobs, suites, engine):
            if isinstance(result, Exception):
                first = str(result).strip().partition("\n")[0]
                told = complain(f"{job.model}: {first}" if several else first)
                code = max(code, FOUND if isinstance(result, UndefinedValue) else told)
                continue
            if several and not self.quiet:
                tell(f"{result.model.id}")
            self.scores(result, job.folder)
        return code

    def _is_there(self, folder: Path | None) -> bool:
        if folder is None or not (folder / "scores.json").exists():
            return False
        say(f"{folder} is there already; --overwrite scores it again")
        return True
