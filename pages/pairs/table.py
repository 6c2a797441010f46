"""The tables of a run over minimal pairs on a terminal, and what is a tie."""

from __future__ import annotations

from collections.abc import Sequence

from evalmark.scoring.pairs.averages import SetAverage, averages
from evalmark.scoring.pairs.judging import IMPOSSIBLE, TIES, UNDEFINED
from evalmark.scoring.pairs.results import CHANCE, PairScores, UidResult
from evalmark.validator.edge.tables import plain_table, print_table
from evalmark.validator.edge.terminal import tell

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
    found = averages(scores)
    for group in dict.fromkeys((average.set, average.label) for average in found):
        table.add_section()
        for average in found:
            if (average.set, average.label) == group:
                _add_average(table.add_row, average)
    print_table(table)
    tell(f"Chance: {CHANCE}.")
    correlated = [uid.label for uid in scores.uids if uid.is_correlated]
    if correlated:
        tell("Scores of wug tests are Spearman's correlations with people's ratios.")
    excluded = scores.settings.excludes_impossible
    impossible = sum(len(uid.named((IMPOSSIBLE,))) for uid in scores.uids)
    if impossible:
        what = "are excluded" if excluded else "count, and are never right"
        tell(f"Impossible pairs, with a wrong text that is the same as the right one, {what}.")
    _tell_names(scores, TIES, f"Ties, never right (difference within {scores.rounding.said}):")
    _tell_names(scores, (IMPOSSIBLE,), "Impossible:")
    _tell_names(scores, (UNDEFINED,), "Undefined surprisals, never right:")


def _of_uid(uid: UidResult) -> tuple[str, ...]:
    counts = uid.counts
    if uid.is_correlated:
        return _cells(
            len(uid.contests), None, uid.correlation, uid.correlation_interval, "0", "", ""
        )
    impossible = len(uid.named((IMPOSSIBLE,)))
    return _cells(
        counts.items, counts.right, counts.share, counts.interval,
        f"{float(counts.chance_share):.3f}", _ties(counts.ties, counts.exact_ties),
        _number(impossible),
    )  # fmt: skip


def _add_average(add_row: object, average: SetAverage) -> None:
    counts = average.counts
    name = f"{average.label} {average.value}" if average.label else f"{average.set}"
    ties = _ties(counts.ties, counts.exact_ties)
    impossible = _number(counts.impossible)
    chance = "0" if average.is_correlation else f"{float(average.chance):.3f}"
    right = None if average.is_correlation else counts.right
    assert callable(add_row)
    add_row(
        f"{name}: {average.averaged}", "",
        *_cells(counts.items, right, average.score, average.interval, chance, ties, impossible),
    )  # fmt: skip
    if not average.label and not average.is_correlation and average.uids > 1:
        all_pairs = f"{float(counts.chance_share):.3f}"
        cells = _cells(
            counts.items, counts.right, counts.share, counts.interval, all_pairs, ties, impossible
        )
        add_row(f"{name}: all pairs", "", *cells)


def _cells(
    items: int,
    right: int | None,
    score: float | None,
    interval: tuple[float, float] | None,
    *others: str,
) -> tuple[str, ...]:
    return (
        str(items),
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
    """List contests with some outcomes, by UID."""
    named = {uid.label: uid.named(outcomes) for uid in scores.uids if not uid.is_correlated}
    if any(named.values()):
        tell("")
        tell(head)
    for label, names in named.items():
        if names:
            more = len(names) - LISTED
            tell(f"  {label}: {', '.join(names[:LISTED])}{f' and {more} more' * (more > 0)}")


def print_sets(scored: Sequence[PairScores]) -> None:
    """Print the average of each set under each model."""
    found = [
        (
            scores.model.id,
            {average.set: average for average in averages(scores) if not average.label},
        )
        for scores in scored
    ]
    sets = list(dict.fromkeys(name for _, of_model in found for name in of_model))
    tell("")
    table = plain_table(("model",), sets)
    for model, of_model in found:
        table.add_row(
            model, *(f"{of_model[name].score:.3f}" if name in of_model else "–" for name in sets)
        )
    print_table(table)
