"""What ``evalmark converse`` and ``evalmark rescore`` show."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence

from evalmark.cli.lines import tell
from evalmark.conversations.rescoring import Rescored
from evalmark.conversations.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals


def print_outcomes(outcomes: Sequence[Outcome], totals: Totals) -> None:
    """A table of datasets on stdout, and what went wrong."""
    from evalmark.cli.tables import plain_table, write_table

    numbers = ("tests", "score", "deviation", "distance", "not judged", "errors")
    table = plain_table(("dataset",), numbers)
    means = []
    for name in sorted({outcome.example.dataset_name for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.example.dataset_name == name]
        scores = [outcome.score for outcome in own if outcome.score is not None]
        means += [statistics.fmean(scores)] if scores else []
        table.add_row(
            name,
            str(len(own)),
            f"{statistics.fmean(scores):.3f}" if scores else "",
            f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else "",
            str(round(statistics.fmean(outcome.tokens for outcome in own))),
            str(sum(outcome.state == UNJUDGED for outcome in own) or ""),
            str(sum(outcome.state == FAILED for outcome in own) or ""),
        )
    if len(means) > 1:
        table.add_section()
        table.add_row(f"sum of {len(means)} datasets", "", f"{sum(means):.3f}")
    write_table(table)
    costs = f"{totals.agent_cost + totals.judge_cost:.2f} USD"
    time = f"{totals.seconds:.0f} s of talk"
    sys.stdout.write(f"\n{totals.tokens} tokens of conversation, {costs}, {time}\n")
    for outcome in outcomes:
        if outcome.state != SCORED:
            why = "; ".join(outcome.reasons)
            tell(f"{outcome.state}: {outcome.example.unique_id}: {why}")


def print_rescored(found: Sequence[Rescored]) -> None:
    """A line for each dataset, and one for each test whose score differs."""
    from evalmark.cli.tables import plain_table, write_table

    numbers = ("tests", "decided", "same", "final", "again", "by hand")
    table = plain_table(("dataset",), numbers)
    for name in sorted({entry.dataset for entry in found}):
        own = [entry for entry in found if entry.dataset == name]
        decided = [entry for entry in own if entry.again is not None]
        again = [entry.again for entry in decided if entry.again is not None]
        table.add_row(
            name,
            str(len(own)),
            str(len(decided)),
            str(sum(not entry.differs for entry in decided)),
            f"{statistics.fmean(entry.final for entry in own):.3f}",
            f"{statistics.fmean(again):.3f}" if len(again) == len(own) else "",
            str(sum(entry.by_hand for entry in own) or ""),
        )
    write_table(table)
    for entry in found:
        if entry.differs:
            tell(
                f"{entry.test}: {entry.automatic:.3g} before, {entry.again:.3g} by {entry.rules} "
                f"({entry.way}): {'; '.join(entry.reasons)}"
            )
