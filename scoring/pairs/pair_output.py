"""The record of a run over minimal pairs: its results, and its samples with both texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, overload

from evalmark.converters.records.run import Dataset, Metric, Result, Sample
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.scoring.comparison.compared_run import NOT_COMPARED, ROUNDED
from evalmark.scoring.pairs.pair_averages import CHANCE, IMPOSSIBLE, SetAverage
from evalmark.scoring.pairs.pair_run import (
    JudgedContest,
    PairScores,
    UidResult,
    share_of,
)
from evalmark.scoring.pairs.text_scores import SAID, UNITS, TextTokens
from evalmark.scoring.runs.pair_views import PAIR_FILES, SHARES
from evalmark.scoring.runs.run_files import ResultFiles, portable
from evalmark.scoring.runs.scores import SCORED, scored_part
from evalmark.stats.intervals import CONFIDENCE
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT, set_named

#: The name of a metric.
ACCURACY, CORRELATION = "accuracy", "spearman_rho"


def results_of_pairs(scores: PairScores) -> Iterator[Result]:
    """A result for each UID, and the average of each set that has several."""
    for uid in scores.uids:
        if uid.is_correlated:
            yield from _correlation(uid)
        else:
            yield _accuracy(scores, uid)
    for average in scores.averages:
        if not average.label and average.uids > 1:
            yield _average(average)


def _accuracy(scores: PairScores, uid: UidResult) -> Result:
    counts = uid.counts
    rule = (
        "is lower for the right text than for all others, by more than rounding"
        if scores.settings.ties == NEVER_RIGHT
        else "is not higher for the right text than for any other"
    )
    described = f"share of pairs in which the {SAID[uid.method]} {rule}"
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
            **_limit_entry(counts.items, uid.left_out),
            "ties": str(counts.ties),
            "exact_ties": str(counts.exact_ties),
            "impossible": str(len(uid.named((IMPOSSIBLE,)))),
            "impossible_pairs": scores.settings.ties,
            "undefined": str(counts.undefined),
            "chance": str(float(counts.chance_share)),
            "chance_fraction": str(counts.chance_share),
            "chance_assumption": CHANCE,
            **uid.labels,
        },
        settings={"method": uid.method},
    )


def _correlation(uid: UidResult) -> Iterator[Result]:
    """The correlation, and the mean of what is correlated, to which the samples belong."""
    part = _limit_entry(len(uid.contests), uid.left_out)
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
            {"items": str(len(uid.contests)), **part, "chance": "0", **uid.labels},
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
            **part,
            NOT_COMPARED: "neither text is the right one",
            **uid.labels,
        },
        settings={"method": uid.method},
    )


def _average(average: SetAverage) -> Result:
    counts = average.counts
    details = {"uids": str(average.uids), "items": str(counts.items), "averaged": average.averaged}
    details |= _limit_entry(counts.items, average.left_out)
    if not average.is_correlation:
        details |= {
            "accuracy_of_all_pairs": str(counts.share),
            "chance": str(float(average.chance)),
            "chance_assumption": CHANCE,
            "ties": str(counts.ties),
            "exact_ties": str(counts.exact_ties),
            "impossible": str(counts.impossible),
        }
    name = CORRELATION if average.is_correlation else ACCURACY
    kind, bounds = ("correlation", (-1, 1)) if average.is_correlation else ("accuracy", (0, 1))
    return Result(
        f"{average.set}/average",
        Dataset(set_named(average.set).title),
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


def _limit_entry(pairs: int, left_out: int) -> dict[str, str]:
    return {SCORED: part} if (part := scored_part(pairs, left_out, "pairs")) else {}


def _dataset(uid: UidResult) -> Dataset:
    return Dataset(uid.uid, details={"set": uid.set, "path": portable(uid.contests[0].file.path)})


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


def texts_of_contest(contest: JudgedContest) -> list[str]:
    """The whole texts of a contest; the right one comes first."""
    texts = contest.file.texts
    return [texts[side].text for side in contest.source.sides]


class PairSamples(Sequence[Sample]):
    """The samples of a run, each made when it is asked for: there may be very many."""

    def __init__(self, scores: PairScores, *, has_tokens: bool = False) -> None:
        self._scores = scores
        self._has_tokens = has_tokens
        self._places = [(uid, number) for uid in scores.uids for number in range(len(uid.ids))]

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
        texts = texts_of_contest(contest)
        share = share_of(contest) if uid.is_correlated else None
        starts = [contest.file.texts[side].start for side in contest.source.sides]
        file = contest.file.path
        tokens = self._scores.tokens.get(file) if self._has_tokens else None
        metadata = {
            "method": uid.method,
            "outcome": "" if uid.is_correlated else contest.outcome,
            "surprisals": json.dumps(contest.bits),
            "scores": json.dumps(contest.scores),
            "tokens": json.dumps(contest.tokens),
            "starts": json.dumps(starts) if any(starts) else "",
            ROUNDED: json.dumps(contest.is_tie and not uid.is_correlated),
            "ratio": "" if contest.source.ratio is None else str(contest.source.ratio),
            "path": portable(file) if file != uid.contests[0].file.path else "",
            "token_surprisals": _tokens_of(contest, texts, tokens) if tokens else "",
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


def _tokens_of(contest: JudgedContest, texts: Sequence[str], tokens: Sequence[TextTokens]) -> str:
    """The tokens of each text as JSON; those of a context have no surprisal."""
    sides = []
    for text, side in zip(texts, contest.source.sides, strict=True):
        pieces, ids, bits = [], [], []
        for token, start, end, value in tokens[side].each():
            pieces.append(text[start:end])
            ids.append(token)
            bits.append(None if math.isnan(value) else value)
        sides.append({"tokens": pieces, "ids": ids, "surprisals": bits})
    return json.dumps(sides, ensure_ascii=False, separators=(",", ":"))


def _preferred(texts: Sequence[str], contest: JudgedContest) -> tuple[str, ...]:
    """The text that the model prefers; none if no text is better than all others."""
    if contest.ties != NEVER_RIGHT:
        return () if contest.first_best is None else (texts[contest.first_best],)
    if contest.is_tie or None in contest.scores or contest.outcome == IMPOSSIBLE:
        return ()
    scores = [score for score in contest.scores if score is not None]
    best = min(scores)
    return (texts[scores.index(best)],) if scores.count(best) == 1 else ()


def _about(scores: PairScores) -> dict[str, str]:
    files = [
        {
            "path": portable(file.path),
            "set": file.set,
            "rows": file.rows,
            "digest": file.digest,
            "left_out": sum(file.left_out.values()),
            **(scores.doubts[file.path].details() if file.path in scores.doubts else {}),
        }
        for file in scores.files
    ]
    return {PAIR_FILES: json.dumps(files, ensure_ascii=False)}


PAIR_RUN: ResultFiles[PairScores] = ResultFiles(
    names=lambda scores: [uid.label for uid in scores.uids],
    results=results_of_pairs,
    samples=PairSamples,
    chance=CHANCE,
    about=_about,
)
#: The same with the tokens of each text: 1 KB more a pair.
PAIR_RUN_WITH_TOKENS = replace(PAIR_RUN, samples=partial(PairSamples, has_tokens=True))
