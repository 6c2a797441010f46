"""A run over minimal pairs as data, for pages that draw it themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evalmark.pages.charts import bar_chart
from evalmark.pages.html import BARS
from evalmark.pages.pairs.folder import ContestView, PairRunView, Score, TextView, UidView
from evalmark.pages.pairs.page import (
    ScoreRow,
    averages_of,
    cut,
    differing,
    told_apart,
    told_of,
    uid_chart,
    worst_first,
)
from evalmark.scoring.pairs.methods import SAID, UNITS

#: Pairs of a UID that are given.
GIVEN = 20


def pairs_data(run: PairRunView) -> dict[str, Any]:
    """Averages with intervals and chance, UIDs, and the pairs that fail: the worst first."""
    wholes, averages = (averages_of([run], is_whole=whole) for whole in (True, False))
    return {
        "sets": list(_rows(wholes)),
        "averages": list(_rows(averages)),
        "uids": [_uid(uid) for uid in run.uids],
        "chart": pairs_chart([run]),
    }


def pairs_chart(runs: Sequence[PairRunView]) -> str:
    """The accuracies of all UIDs, with a bar for each run."""
    runs = told_apart(runs)
    labels = dict.fromkeys(uid.label for run in runs for uid in run.uids)
    scores = [{uid.label: uid.score for uid in run.uids} for run in runs]
    rows = [ScoreRow(label, tuple(own.get(label) for own in scores), {}) for label in labels]
    return "".join(map(bar_chart, uid_chart([run.model for run in runs], rows).parts(BARS)))


def _rows(rows: Sequence[ScoreRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for score in row.found:
            yield {"name": row.name, **_score(score)}


def _score(score: Score) -> dict[str, Any]:
    low, high = score.interval or (None, None)
    return {
        "accuracy": score.score,
        "low": low,
        "high": high,
        "chance": score.chance,
        "is_correlation": score.is_correlation,
        "items": score.items,
        "uids": score.uids,
    }


def _uid(uid: UidView) -> dict[str, Any]:
    failing = [] if uid.score.is_correlation else [own for (own,) in worst_first([uid]) if own]
    return {
        "name": uid.label,
        "set": uid.set,
        "method": f"{uid.method}: {SAID[uid.method]}",
        "labels": dict(uid.labels),
        **_score(uid.score),
        "told": "" if uid.score.is_correlation else told_of(uid),
        "unit": UNITS[uid.method],
        "failing": len(failing),
        "pairs": [_pair(contest) for contest in failing[:GIVEN]],
    }


def _pair(contest: ContestView) -> dict[str, Any]:
    """A pair that fails: the right text, and the wrong one that is preferred most."""
    views = contest.texts[0], contest.texts[contest.rival]
    texts = [_text(view, parts) for view, parts in zip(views, differing(*views), strict=True)]
    return {
        "name": cut(contest.name),
        "texts": texts,
        "others": len(contest.texts) - len(texts),
        "outcome": contest.outcome,
        "worse": contest.worse,
    }


def _text(view: TextView, parts: tuple[str, str, str]) -> dict[str, Any]:
    return {"context": cut(view.context, ends=True), "parts": [cut(part) for part in parts]}
