"""A run over minimal pairs as results and samples of a record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, overload

from evalmark.converters.records.parts import sample_hash
from evalmark.converters.records.run import Dataset, Metric, Result, Sample
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.converters.statistics.proportions import CONFIDENCE
from evalmark.scoring.comparison.compared_run import NOT_COMPARED, ROUNDED
from evalmark.scoring.pairs.averages import SetAverage, averages
from evalmark.scoring.pairs.judging import IMPOSSIBLE, JudgedContest
from evalmark.scoring.pairs.loading import LoadedPairs
from evalmark.scoring.pairs.methods import SAID, UNITS
from evalmark.scoring.pairs.results import CHANCE, PairScores, UidResult, share_of
from evalmark.validator.formats.pairs.pair_sets import SETS

#: The name of a metric.
ACCURACY, CORRELATION = "accuracy", "spearman_rho"
#: What the samples of a correlation are a result of.
SHARES = "share"


def results_of(scores: PairScores) -> Iterator[Result]:
    """A result for each UID, and the average of each set that has several."""
    for uid in scores.uids:
        if uid.is_correlated:
            yield from _correlation(uid)
        elif uid.counted:
            yield _accuracy(scores, uid)
    for average in averages(scores):
        if not average.label and average.uids > 1:
            yield _average(average)


def _accuracy(scores: PairScores, uid: UidResult) -> Result:
    counts = uid.counts
    described = (
        f"share of pairs in which the {SAID[uid.method]} is lower for the right text than for all "
        "others, by more than rounding"
    )
    return Result(
        uid.label,
        _dataset(uid),
        Metric.share(
            described, ACCURACY, kind="accuracy", unit="proportion", details=_scoring(uid)
        ),
        counts.right / counts.items,
        proportion_uncertainty(counts.right, counts.items),
        {
            "right": str(counts.right),
            "items": str(counts.items),
            "ties": str(counts.ties),
            "exact_ties": str(counts.exact_ties),
            "impossible": str(len(uid.named((IMPOSSIBLE,)))),
            "impossible_pairs": scores.settings.strings()["impossible"],
            "undefined": str(counts.undefined),
            "chance": f"{float(counts.chance_share):.4f}",
            "chance_fraction": str(counts.chance_share),
            "chance_assumption": CHANCE,
            **uid.labels,
        },
        settings={"method": uid.method},
    )


def _correlation(uid: UidResult) -> Iterator[Result]:
    """The correlation, and the mean of what is correlated, to which the samples belong."""
    if uid.correlation is not None:
        yield Result(
            uid.label,
            _dataset(uid),
            Metric(
                "Spearman's correlation, over pairs, of people's ratio with the share of the first "
                f"text in the probability of both, by the {SAID[uid.method]}",
                CORRELATION,
                "correlation",
                "correlation coefficient",
                lower_is_better=False,
                bounds=(-1, 1),
                details=_scoring(uid),
            ),
            uid.correlation,
            _uncertainty(
                uid.correlation_interval, len(uid.contests), "Fisher z, Bonett and Wright"
            ),
            {"items": str(len(uid.contests)), "chance": "0", **uid.labels},
            settings={"method": uid.method},
        )
    yield Result(
        f"{uid.label}/{SHARES}",
        _dataset(uid),
        Metric.share(
            "mean share of the first text in the probability of both",
            "mean share",
            kind="proportion",
            unit="proportion",
            details=_scoring(uid),
        ),
        sum(uid.shares) / len(uid.shares),
        mean_uncertainty(uid.shares),
        {
            "items": str(len(uid.contests)),
            NOT_COMPARED: "neither text is the right one",
            **uid.labels,
        },
        settings={"method": uid.method},
    )


def _average(average: SetAverage) -> Result:
    counts = average.counts
    details = {"uids": str(average.uids), "items": str(counts.items), "averaged": average.averaged}
    if not average.is_correlation:
        details |= {
            "accuracy_of_all_pairs": str(counts.share),
            "chance": f"{float(average.chance):.4f}",
            "chance_assumption": CHANCE,
            "ties": str(counts.ties),
            "exact_ties": str(counts.exact_ties),
            "impossible": str(counts.impossible),
        }
    name = CORRELATION if average.is_correlation else ACCURACY
    kind, bounds = ("correlation", (-1, 1)) if average.is_correlation else ("accuracy", (0, 1))
    return Result(
        f"{average.set}/average",
        Dataset(SETS[average.set].title),
        Metric(
            f"{average.averaged} of {name}",
            f"mean {name}",
            kind,
            "proportion",
            lower_is_better=False,
            bounds=bounds,
        ),
        average.score,
        _uncertainty(average.interval, counts.items, "MOVER of Wilson intervals"),
        details,
    )


def _dataset(uid: UidResult) -> Dataset:
    return Dataset(uid.uid, details={"set": uid.set})


def _scoring(uid: UidResult) -> dict[str, str]:
    return {"method": uid.method, "score_unit": UNITS[uid.method]}


def _uncertainty(
    interval: tuple[float, float] | None, count: int, method: str
) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {
        "confidence_interval": {
            "lower": interval[0],
            "upper": interval[1],
            "confidence_level": CONFIDENCE,
            "method": method,
        },
        "num_samples": count,
    }


def texts_of(files: Sequence[LoadedPairs], contest: JudgedContest) -> list[str]:
    """The whole texts of a contest; the right one comes first."""
    texts = files[contest.file].texts
    return [texts[side].text for side in contest.source.sides]


def item_hash(files: Sequence[LoadedPairs], contest: JudgedContest) -> str:
    """What identifies the texts of a contest, as samples have it."""
    texts = texts_of(files, contest)
    return sample_hash("\n".join(texts), (texts[0],))


class PairSamples(Sequence[Sample]):
    """The samples of a run, each made when it is asked for: there may be very many."""

    def __init__(self, scores: PairScores) -> None:
        self._scores = scores
        self._places = [(uid, number) for uid in scores.uids for number in uid.counted]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sample]: ...

    def __getitem__(self, index: int | slice) -> Sample | list[Sample]:
        if isinstance(index, slice):
            return [self._sample(*place) for place in self._places[index]]
        return self._sample(*self._places[index])

    def _sample(self, uid: UidResult, number: int) -> Sample:
        contest = uid.contests[number]
        texts = texts_of(self._scores.files, contest)
        share = share_of(contest) if uid.is_correlated else None
        metadata = {
            "method": uid.method,
            "outcome": "" if uid.is_correlated else contest.outcome,
            "surprisals": json.dumps(contest.bits),
            "scores": json.dumps(contest.scores),
            "tokens": json.dumps(contest.tokens),
            ROUNDED: json.dumps(contest.is_tie and not uid.is_correlated),
            "ratio": "" if contest.source.ratio is None else str(contest.source.ratio),
            **contest.source.labels,
        }
        return Sample(
            result=f"{uid.label}/{SHARES}" if uid.is_correlated else uid.label,
            id=f"{uid.label}/{uid.ids[number]}",
            raw="\n".join(texts),
            reference=(texts[0],),
            output=_preferred(texts, contest),
            correct=contest.is_right if share is None else share > 0.5,
            metadata={key: text for key, text in metadata.items() if text},
            score=share,
            choices=tuple(texts),
        )


def _preferred(texts: Sequence[str], contest: JudgedContest) -> tuple[str, ...]:
    """The text that the model prefers; none if no text is better than all others."""
    if contest.is_tie or None in contest.scores or contest.outcome == IMPOSSIBLE:
        return ()
    known = [score for score in contest.scores if score is not None]
    best = min(known)
    return (texts[known.index(best)],) if known.count(best) == 1 else ()
