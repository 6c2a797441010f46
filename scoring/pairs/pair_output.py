"""The files of a run over minimal pairs: ``scores.json``, its tables, record and samples."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, overload

from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.run import Dataset, Metric, Result, Sample
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.scoring.comparison.compared_run import NOT_COMPARED, ROUNDED
from evalmark.scoring.pairs.pair_results import (
    CHANCE,
    EXACT_TIE,
    GROUPED,
    IMPOSSIBLE,
    TIES,
    UNDEFINED,
    JudgedContest,
    PairScores,
    SetAverage,
    UidResult,
    averages,
    share_of,
)
from evalmark.scoring.pairs.text_scores import SAID, UNITS
from evalmark.scoring.runs.run_files import LEFT_OUT, SCORED, ResultFiles, scored_part
from evalmark.scoring.runs.run_output import portable
from evalmark.scoring.runs.run_tables import (
    CONTEST_COLUMNS,
    EFFECTS,
    PAIR_COLUMNS,
    PAIR_TOKEN_COLUMNS,
    PAIRS,
    TOKENS,
    RunTable,
)
from evalmark.stats.proportions import CONFIDENCE
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT, set_named

#: The name of a metric.
ACCURACY, CORRELATION = "accuracy", "spearman_rho"
#: The result that the samples of a correlation belong to.
SHARES = "share"


def results_of(scores: PairScores) -> Iterator[Result]:
    """A result for each UID, and the average of each set that has several."""
    for uid in scores.uids:
        if uid.is_correlated:
            yield from _correlation(uid)
        else:
            yield _accuracy(scores, uid)
    for average in averages(scores):
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
            **_part(counts.items, uid.left_out),
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
    part = _part(len(uid.contests), uid.left_out)
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
    details |= _part(counts.items, average.left_out)
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


def _part(pairs: int, left_out: int) -> dict[str, str]:
    """The entry of details on what a limit left out, if it did."""
    return {SCORED: part} if (part := scored_part(pairs, left_out, "pairs")) else {}


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


def texts_of(contest: JudgedContest) -> list[str]:
    """The whole texts of a contest; the right one comes first."""
    texts = contest.file.texts
    return [texts[side].text for side in contest.source.sides]


class PairSamples(Sequence[Sample]):
    """The samples of a run, each made when it is asked for: there may be very many."""

    def __init__(self, scores: PairScores) -> None:
        self._scores = scores
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
        texts = texts_of(contest)
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
    if contest.ties != NEVER_RIGHT:
        return () if contest.first_best is None else (texts[contest.first_best],)
    if contest.is_tie or None in contest.scores or contest.outcome == IMPOSSIBLE:
        return ()
    scores = [score for score in contest.scores if score is not None]
    best = min(scores)
    return (texts[scores.index(best)],) if scores.count(best) == 1 else ()


def _data(scores: PairScores) -> dict[str, Any]:
    return {
        "suites": [],
        "pair_files": [
            {
                "path": portable(file.path),
                "set": file.set,
                "method": file.method,
                "rows": file.rows,
                "digest": file.digest,
                **(scores.doubts[file.path].details() if file.path in scores.doubts else {}),
            }
            for file in scores.files
        ],
        "uids": [_uid_data(uid) for uid in scores.uids],
        "averages": [_average_data(average) for average in averages(scores)],
    }


def _uid_data(uid: UidResult) -> dict[str, Any]:
    counts = uid.counts
    data: dict[str, Any] = {
        "name": uid.uid,
        "label": uid.label,
        "set": uid.set,
        "method": uid.method,
        "labels": uid.labels,
        "items": counts.items,
        **({LEFT_OUT: uid.left_out} if uid.left_out else {}),
        "item_ids": list(uid.ids),
        "item_hashes": [  # as samples have them
            sample_hash("\n".join(texts), (texts[0],)) for texts in map(texts_of, uid.contests)
        ],
    }
    if uid.is_correlated:
        return {
            **data,
            "correlation": uid.correlation,
            "interval": uid.correlation_interval,
            "shares": uid.shares,
            "ratios": [contest.source.ratio for contest in uid.contests],
        }
    return {
        **data,
        "right": counts.right,
        "accuracy": counts.share,
        "interval": counts.interval,
        "chance": float(counts.chance_share),
        "chance_fraction": str(counts.chance_share),
        "ties": uid.named(TIES),
        "exact_ties": uid.named((EXACT_TIE,)),
        "impossible": uid.named((IMPOSSIBLE,)),
        "undefined": uid.named((UNDEFINED,)),
        "outcomes": [contest.is_right for contest in uid.contests],
    }


def _average_data(average: SetAverage) -> dict[str, Any]:
    counts = average.counts
    return {
        "set": average.set,
        "label": average.label or None,
        "value": average.value or None,
        "uids": average.uids,
        "items": counts.items,
        **({LEFT_OUT: average.left_out} if average.left_out else {}),
        "averaged": average.averaged,
        "correlation" if average.is_correlation else "accuracy": average.score,
        "interval": average.interval,
        "chance": float(average.chance),
        "accuracy_of_all_pairs": None if average.is_correlation else counts.share,
        "ties": counts.ties,
        "exact_ties": counts.exact_ties,
        "impossible": counts.impossible,
        "undefined": counts.undefined,
    }


def tidy_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """A row for each text of each contest."""
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            texts = contest.file.texts
            for place, side in enumerate(contest.source.sides):
                text, start = texts[side]
                yield (
                    scores.model.id, uid.set, uid.label, name, place, text[:start], text[start:],
                    contest.tokens[place], contest.bits[place], contest.scores[place], uid.method,
                    contest.outcome,
                )  # fmt: skip


def pair_tables(scores: PairScores) -> list[RunTable]:
    """The tables of texts and of contests."""
    return [
        RunTable(PAIRS, PAIR_COLUMNS, partial(tidy_rows, scores)),
        RunTable(EFFECTS, CONTEST_COLUMNS, partial(contest_rows, scores)),
    ]


def with_tokens(scores: PairScores) -> list[RunTable]:
    """The same and, if the tokens are known, that of tokens: 1.3 KB a pair."""
    tables = pair_tables(scores)
    if scores.tokens:
        tables.append(RunTable(TOKENS, PAIR_TOKEN_COLUMNS, partial(token_rows, scores)))
    return tables


def contest_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """The rows of ``effects.csv``: the right text of each contest and the best other one."""
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            labels = contest.source.labels
            other = rival(contest)
            right, wrong = contest.bits[0], contest.bits[other]
            yield (
                uid.set, uid.label, name, portable(contest.file.path),
                *(labels.get(label, "") for label in GROUPED), uid.method, contest.outcome,
                right, wrong, _difference(right, wrong),
                _difference(contest.scores[0], contest.scores[other]),
            )  # fmt: skip


def rival(contest: JudgedContest) -> int:
    """The place of the wrong text with the best score; the first one if none has a score."""
    wrong = enumerate(contest.scores[1:], 1)
    return min(wrong, key=lambda other: math.inf if other[1] is None else other[1])[0]


def _difference(right: float | None, wrong: float | None) -> float | None:
    return None if right is None or wrong is None else wrong - right


def token_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """The rows of ``tokens.csv``.

    A surprisal (bits) is None if it is undefined, or if the token does not count since it belongs
    to the context.
    """
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            texts, tokens = contest.file.texts, scores.tokens[contest.file.path]
            for place, side in enumerate(contest.source.sides):
                text = texts[side].text
                for position, (token, start, end, bits) in enumerate(tokens[side].each(), 1):
                    yield (
                        uid.set, uid.label, name, place, position, text[start:end], token,
                        None if math.isnan(bits) else bits,
                    )  # fmt: skip


PAIR_FILES: ResultFiles[PairScores] = ResultFiles(
    tables=pair_tables,
    names=lambda scores: [uid.label for uid in scores.uids],
    results=results_of,
    samples=PairSamples,
    data=_data,
    chance=CHANCE,
)
