"""Items that two runs have in common: counts, p values, intervals, and what may be claimed.

Suites (or UIDs, or datasets) are a sample of the phenomena that could be tested. So the verdict is
the mean over suites, with a test over suites. All items pooled say something about these items
only: they are compared if the caller asks for it, and nothing is claimed of them against the
direction of the mean. With fewer than six suites no difference of the mean can be significant.

A run is not better than chance if the 95 % interval of its mean over items begins at chance or
below: the one that reports show. Its claim says so, whichever run is better.

A difference is claimed if it is significant at 0.05 after Holm's correction, and the same run is
better, however the items that rounding decided are read: as recorded, all for the first run (right
there, wrong in the second), and all for the second. A conjunction is a tie only if its ties can
change it. If a record counts ties but does not say which items they are, no difference is claimed.
Records of other programs have no ties. Nor is one claimed where items have other texts, unless the
runs differ in a setting that changes all texts (joining, prompt, examples), or between scores by
different rules, judges or prompts of a judge.

- Right and wrong: McNemar's exact test; other scores: sign flips of their differences.
- The mean over suites: sign flips of the differences of suites; a suite is one observation, however
  many items it has. Of minimal pairs there is a mean over the UIDs of each set, and none over sets
  in several languages; a UID of fewer than 20 pairs has a weight in proportion to them.
- All items pooled: the same tests, stratified by suite. The test of Mantel and Haenszel for matched
  pairs has a stratum for each pair of scores, so this is McNemar's test of the summed counts
  (Agresti, Categorical Data Analysis, 2nd edition, 10.1.4). Every item has the same weight and
  counts once, even if it is in two suites or has scores by two metrics; of a suite with several
  predictions, the conjunction is pooled. Only scores between 0 and 1 that are better if higher are.
- P values of predictions are corrected for all predictions of the comparison, for each way to read
  ties. Mean and pool are one test each. With several runs, the means of all are one family, the
  pools another, the predictions a third.
- Intervals are those of the difference of the second run minus the first: method 10 of Newcombe
  (1998) for accuracies, Student's t for other scores. An interval is not the test: one without 0
  can come with a p value just above 0.05.
- Where no difference is claimed, the claim says which one its test would have shown, with a
  probability of 0.8: of accuracies, with as many items that differ as were observed, or more if the
  difference is larger. The level is that of the next claim under Holm's correction.

``first`` and ``second`` are mean scores over the items that both runs have.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, repeat
from typing import Generic, NamedTuple, TypeVar

from evalmark.scoring.comparison.common_items import (
    MatchedItems,
    Pair,
    ScoreTally,
    objection,
    strata,
    tally_of,
)
from evalmark.scoring.comparison.compared_run import SUITES, Words
from evalmark.stats.intervals import MeanSpread, average_interval, mean_spread, paired_interval
from evalmark.stats.paired_tests import (
    DRAWS,
    POWER,
    PValue,
    detectable_mean,
    detectable_share,
    holm,
    mcnemar,
    sign_flip,
)

T = TypeVar("T")
#: A difference is claimed if its p value, corrected by Holm, is below this by default.
LEVEL = 0.05
MCNEMAR = "McNemar"
#: How ties are read -> what they count as in the first run, and in the second; None: as recorded.
READINGS: dict[str, tuple[float | None, float | None]] = {
    "as recorded": (None, None),
    "for first": (1.0, 0.0),
    "for second": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class TieReading:
    """The counts of a comparison with ties read in one way."""

    ties: str  # how ties are read: a key of ``READINGS``
    first: float  # mean score of the first run
    second: float  # mean score of the second
    only_first: int  # items that are right in the first run only; of other scores, higher there
    only_second: int  # the same for the second
    p_value: float  # two-sided
    p_holm: float  # the same, corrected by Holm for the number of comparisons, of all runs together
    standard_error: float = 0.0  # of the p value; 0 if it is exact


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """One prediction of a suite, their conjunction, or several suites, under two runs."""

    #: Name of the suite; ``mean`` for the mean over suites, ``pooled`` for all their items.
    suite: str
    #: ``1``, ``2``, ... or ``all``; empty for a result without predictions. Of the mean and the
    #: pooled comparison, the suites.
    prediction: str
    items: int  # number of items that both runs have; of the mean, of suites
    #: How many items only the first run has, and only the second; they are not compared.
    alone: tuple[int, int]
    repeated: tuple[int, int]  # how many ids several items of a run have; they are not compared
    other_texts: int  # items that have another text in either run, if only by a space before it
    ties: int  # items that rounding decided in either run
    rounded: int  # those of them that are right in one run only
    test: str  # how p values are computed
    #: 95 % interval of the difference, second minus first; None for a single score that is neither
    #: 0 nor 1.
    interval: tuple[float, float] | None
    interval_method: str  # how it is computed
    readings: tuple[TieReading, ...]  # the counts with ties as recorded, and for either run
    better: str | None = None  # ``first`` or ``second``, if a difference may be claimed
    claim: str = ""  # the claim that may be made, as a sentence
    #: If none is claimed, the difference that would have shown; None if none would, or something
    #: else speaks against a claim.
    detectable: float | None = None
    group: str = ""  # the set of minimal pairs; empty of suites, and of what is over all sets
    weighting: str = ""  # how a mean weighs its parts, where that is not what ``score`` does

    @property
    def recorded(self) -> TieReading:
        """The counts with ties as recorded."""
        return self.readings[0]

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.recorded.second - self.recorded.first

    def averaged(self, words: Words) -> str:
        """The suites that a mean is over, in words."""
        return f"{self.items} {words.parts}{f' of {self.group}' if self.group else ''}"


class Families(NamedTuple, Generic[T]):
    """The comparisons of two runs; those of one attribute are corrected together."""

    predictions: tuple[T, ...]  # each prediction of each suite
    #: The mean over suites; none for a single suite, if scores have no common scale, or in several
    #: languages.
    headline: tuple[T, ...] = ()
    #: All items of these suites, with the same weight; none as above, or if nobody asks.
    pooled: tuple[T, ...] = ()
    means: tuple[T, ...] = ()  # the mean over each set of minimal pairs, if there are several


@dataclass(frozen=True, slots=True)
class Uncorrected:
    """A comparison whose p values are not corrected yet."""

    row: PairedComparison  # the comparison, without a claim
    sign: int  # -1 if a lower score is better
    against: str  # why nothing may be claimed, whatever the scores are; empty if nothing is
    words: Words  # the names of suites and items
    #: For each run, chance where the run is not better; None if it is, or not known.
    chances: tuple[float | None, float | None]
    #: That of the mean difference; None for right and wrong, or without any.
    spread: MeanSpread | None
    most: float  # by how much scores can differ

    def better(self, level: float) -> str | None:
        """``first`` or ``second``, if a difference may be claimed."""
        claims = {_better(reading, self.sign, level) for reading in self.row.readings}
        return claims.pop() if len(claims) == 1 and not self.against else None

    def detectable(self, level: float) -> float | None:
        """The difference that its test at a level would have shown, whatever it is in truth."""
        recorded, items = self.row.recorded, self.row.items
        if self.against or 0.5 ** (items - 1) >= level:
            return None
        if self.row.test.startswith(MCNEMAR):
            return detectable_share(items, recorded.only_first + recorded.only_second, level)
        least = math.inf if self.spread is None else detectable_mean(self.spread, level)
        return least if least <= self.most else None


def corrected(
    every: Sequence[Families[Uncorrected]], labels: Sequence[tuple[str, str]], level: float = LEVEL
) -> list[Families[PairedComparison]]:
    """Several comparisons, corrected together, each with what may be claimed.

    Holm's correction is over the predictions of all comparisons, over their means, over their
    pools, and over their means of sets: four families, since each answers another question.
    ``labels`` has the names of the two runs of each in claims. A difference is claimed if its
    corrected p value is below ``level``.
    """
    families = (_family(family, labels, level) for family in zip(*every, strict=True))
    return [Families(*parts) for parts in zip(*families, strict=True)]


def _family(
    every: Sequence[Sequence[Uncorrected]], labels: Sequence[tuple[str, str]], level: float
) -> list[tuple[PairedComparison, ...]]:
    names = [pair for pair, drafts in zip(labels, every, strict=True) for _ in drafts]
    claimed = _with_claims([draft for drafts in every for draft in drafts], names, level)
    return [tuple(islice(claimed, len(drafts))) for drafts in every]


def drafts(
    items: Sequence[MatchedItems], words: Words = SUITES, *, pooled: bool = False
) -> Families[Uncorrected]:
    """Each prediction, and all suites together, if there are several; nothing is corrected."""
    rows = tuple(
        _draft(
            _compare(m.first.label, m.prediction, [(m, list(m.pairs.values()))], words),
            [m],
            words,
            group=m.first.group,
        )
        for m in items
    )
    # Scores are added up if they are between 0 and 1, and better if higher.
    parts = [
        (matched, pairs)
        for matched, pairs in strata(items)
        if matched.columns[0].bounds == (0, 1) and matched.columns[0].lower_is_better is False
    ]
    if len(parts) < 2:
        return Families(rows)
    chosen = [matched for matched, _ in parts]
    means = _means_of_sets(chosen, words)
    if len({matched.first.language for matched in chosen}) > 1:
        return Families(rows, means=means)
    headline = _draft(_mean_of_suites(chosen, words), chosen, words)
    if not pooled:
        return Families(rows, (headline,), means=means)
    pool = _draft(_compare("pooled", _names(chosen), parts, words), chosen, words)
    whole, here = headline.row.difference, pool.row.difference
    if whole * here < 0 and not pool.against:
        why = f"the mean over {words.parts} differs in direction ({whole:+.3f}, here {here:+.3f})"
        pool = replace(pool, against=why)
    return Families(rows, (headline,), (pool,), means)


def _names(chosen: Sequence[MatchedItems]) -> str:
    return ", ".join("/".join(filter(None, (m.first.label, m.prediction))) for m in chosen)


def _means_of_sets(chosen: Sequence[MatchedItems], words: Words) -> tuple[Uncorrected, ...]:
    groups: dict[str, list[MatchedItems]] = {}
    for matched in chosen:
        groups.setdefault(matched.first.group, []).append(matched)
    return tuple(
        _draft(_mean_of_suites(set_items, words), set_items, words, group=group)
        for group, set_items in groups.items()
        if len(groups) > 1 and len(set_items) > 1
    )


#: A comparison without correction and claim, and the spread of its mean difference.
_Row = tuple[PairedComparison, MeanSpread | None]


def _mean_of_suites(chosen: Sequence[MatchedItems], words: Words) -> _Row:
    """The comparison of means over suites: a suite counts once, and its sign may be either.

    A UID of fewer than ``words.full`` pairs counts in proportion to them.
    """
    weights = [min(len(matched.pairs), words.full) for matched in chosen]
    tallies = [matched.tally for matched in chosen]
    whole = _together(tallies)
    readings = _readings(
        whole, partial(_means_of_suites, tallies=tallies, weights=weights, binary=_is_binary(whole))
    )
    recorded = readings[0]
    means = list(map(_means, tallies))
    spread = mean_spread([second - first for first, second in means], weights)
    sampling = f"{DRAWS} draws" if recorded.standard_error else "exact"
    row = PairedComparison(
        suite="mean",
        prediction=_names(chosen),
        items=len(chosen),
        alone=(0, 0),
        repeated=(0, 0),
        other_texts=0,
        ties=_ties(whole),
        rounded=_rounded(whole),
        test=f"sign flips of {words.parts}, {sampling}",
        interval=_clamped(spread, 1.0),
        interval_method="Student's t",
        readings=readings,
        weighting=""
        if len(set(weights)) == 1
        else f"{words.parts} of fewer than {words.full} {words.items} count in proportion to their "
        f"{words.items} in this mean; in that of `score` they count in full",
    )
    return row, spread


def _together(tallies: Iterable[ScoreTally]) -> ScoreTally:
    whole: ScoreTally = Counter()
    for tally in tallies:
        whole.update(tally)
    return whole


def _means(tally: ScoreTally) -> tuple[float, float]:
    first, second = (
        math.fsum(chain.from_iterable(repeat(key[run], n) for key, n in tally.items()))
        for run in (0, 1)
    )
    return first / tally.total(), second / tally.total()


def _weighted(values: Sequence[float], weights: Sequence[int]) -> list[float]:
    """The values times their weights, so scaled that their mean is the weighted one."""
    scale = len(weights) / sum(weights)
    return [value * weight * scale for value, weight in zip(values, weights, strict=True)]


def _means_of_suites(
    name: str, tallies: Sequence[ScoreTally], weights: Sequence[int], *, binary: bool
) -> TieReading:
    means = [_means(_read(name, tally, binary=binary)) for tally in tallies]
    p, error = sign_flip(_weighted([second - first for first, second in means], weights))
    return TieReading(
        name,
        statistics.fmean([first for first, _ in means], weights),
        statistics.fmean([second for _, second in means], weights),
        sum(first > second for first, second in means),
        sum(second > first for first, second in means),
        p,
        p,
        error,
    )


def _compare(
    suite: str,
    prediction: str,
    parts: Sequence[tuple[MatchedItems, list[Pair]]],
    words: Words,
) -> _Row:
    columns = [matched for matched, _ in parts]
    pairs = [pair for _, part in parts for pair in part]
    tally = columns[0].tally if len(parts) == 1 else tally_of(pairs)  # one part is all its items
    binary = _is_binary(tally)
    readings = _readings(tally, partial(_reading, tally=tally, pairs=pairs, binary=binary))
    recorded = readings[0]
    interval: tuple[float, float] | None
    spread = None
    if binary:
        stratified = "" if len(parts) == 1 else f" stratified by {words.part}"
        test = f"{MCNEMAR}{stratified}, exact"
        interval, method = _newcombe(tally), "Newcombe"
    else:
        sampling = f"{DRAWS} draws" if recorded.standard_error else "exact"
        test = f"sign flips, {sampling}"
        spread = mean_spread([b.score - a.score for a, b in pairs])
        interval, method = _clamped(spread, _most(columns)), "Student's t"
    row = PairedComparison(
        suite=suite,
        prediction=prediction,
        items=len(pairs),
        alone=_sums([m.alone for m in columns]),
        repeated=_sums([m.repeated for m in columns]),
        other_texts=sum(a.text != b.text for a, b in pairs if a.text and b.text),
        ties=_ties(tally),
        rounded=_rounded(tally),
        test=test,
        interval=interval,
        interval_method=method,
        readings=readings,
    )
    return row, spread


def _most(items: Sequence[MatchedItems]) -> float:
    """By how much scores can differ; more than any number if a run does not say."""
    low, high = items[0].columns[0].bounds or (-math.inf, math.inf)
    return high - low


def _sums(counts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(left for left, _ in counts), sum(right for _, right in counts)


def _ties(tally: ScoreTally) -> int:
    """How many items rounding decided in either run."""
    return sum(n for (_, _, *ties), n in tally.items() if any(ties))


def _rounded(tally: ScoreTally) -> int:
    """How many of these have other scores in the other run."""
    return sum(n for (a, b, *ties), n in tally.items() if any(ties) and a != b)


def _readings(tally: ScoreTally, read: Callable[[str], TieReading]) -> tuple[TieReading, ...]:
    if _ties(tally):
        return tuple(map(read, READINGS))
    recorded = read("as recorded")
    return tuple(replace(recorded, ties=name) for name in READINGS)


def _newcombe(tally: ScoreTally) -> tuple[float, float]:
    counts = Counter[tuple[float, float]]()
    for (a, b, *_), n in tally.items():
        counts[a, b] += n
    return paired_interval(counts[1, 1], counts[1, 0], counts[0, 1], counts[0, 0])


def _clamped(spread: MeanSpread | None, most: float) -> tuple[float, float] | None:
    """The interval of a mean difference, no wider than scores can differ."""
    if spread is None:
        return None
    low, high = spread.interval
    return max(-most, low), min(most, high)


def _reading(name: str, tally: ScoreTally, pairs: Sequence[Pair], *, binary: bool) -> TieReading:
    counts = _read(name, tally, binary=binary)
    only = (
        sum(n for (a, b, *_), n in counts.items() if a > b),
        sum(n for (a, b, *_), n in counts.items() if b > a),
    )
    p, error = (
        PValue(mcnemar(*only)) if binary else sign_flip([b.score - a.score for a, b in pairs])
    )
    return TieReading(name, *_means(counts), *only, p, p, error)


def _is_binary(tally: ScoreTally) -> bool:
    return {score for a, b, *_ in tally for score in (a, b)} <= {0, 1}


def _read(name: str, tally: ScoreTally, *, binary: bool) -> ScoreTally:
    """The scores of both runs with ties read in one way: what is neither 0 nor 1 has none."""
    ours, theirs = READINGS[name]
    if not binary or ours is None or theirs is None:
        return tally
    read: ScoreTally = Counter()
    for (a, b, is_tie, is_other_tie), n in tally.items():
        read[ours if is_tie else a, theirs if is_other_tie else b, False, False] += n
    return read


def _draft(
    compared: _Row, items: Sequence[MatchedItems], words: Words, *, group: str = ""
) -> Uncorrected:
    row, spread = replace(compared[0], group=group), compared[1]
    columns = [column for matched in items for column in matched.columns]
    sign = -1 if any(column.lower_is_better for column in columns) else 1
    most = words.full if row.suite == "mean" else math.inf
    chances = _not_better(items, most, 0), _not_better(items, most, 1)
    return Uncorrected(row, sign, objection(items, words), words, chances, spread, _most(items))


def _not_better(items: Sequence[MatchedItems], most: float, run: int) -> float | None:
    """The mean chance of some suites if a run is not better; None if it is, or chance unknown.

    A suite counts in proportion to its items, but as one of ``most`` at most.
    """
    chances = [matched.columns[run].chance for matched in items]
    if not {key[run] for matched in items for key in matched.tally} <= {0, 1}:
        return None
    counts = [len(matched.pairs) for matched in items]
    sizes = [min(count, most) for count in counts]
    weights = [size / sum(sizes) for size in sizes]
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances):
        return None
    chance = math.fsum(weight * rate for weight, rate in zip(weights, known, strict=True))
    means = [_means(matched.tally)[run] for matched in items]
    low, _ = average_interval(means, counts, weights)
    return chance if low <= chance else None


def _with_claims(
    every: Sequence[Uncorrected], labels: Sequence[tuple[str, str]], level: float
) -> Iterator[PairedComparison]:
    columns = zip(*(draft.row.readings for draft in every), strict=True)
    by_reading = [
        [
            replace(r, p_holm=p)
            for r, p in zip(column, holm([r.p_value for r in column]), strict=True)
        ]
        for column in columns
    ]
    read = [
        replace(draft, row=replace(draft.row, readings=readings))
        for draft, readings in zip(every, zip(*by_reading, strict=True), strict=True)
    ]
    # Holm's correction compares the next p value with the level by the number of those not claimed.
    left = sum(draft.better(level) is None for draft in read)
    for draft, names in zip(read, labels, strict=True):
        yield _with_claim(draft, names, level, level / max(left, 1))


def _with_claim(
    draft: Uncorrected, labels: tuple[str, str], level: float, next_level: float
) -> PairedComparison:
    row, sign, detectable = draft.row, draft.sign, None
    better = draft.better(level)
    if better:
        worse, best = sorted((row.recorded.first, row.recorded.second), key=lambda x: sign * x)
        p = (
            f"{p_values(row.recorded)}; however ties are read"
            if row.ties
            else p_values(row.recorded)
        )
        # What is pooled says nothing of the runs but for these items.
        more = "scores higher" if row.suite == "pooled" else "is better"
        claim = f"{labels[better == 'second']} {more}, {best:.3f} against {worse:.3f} ({p})"
    else:
        detectable = draft.detectable(next_level)
        shows = "" if detectable is None else _shows(detectable)
        claim = f"no difference is claimed: {_reason(draft, labels, level)}{shows}"
    claim = f"{label_of(row, draft.words)}: {claim}{_at_chance(draft, labels)}"
    return replace(row, better=better, claim=claim, detectable=detectable)


def _shows(difference: float) -> str:
    return (
        f"; a difference of {difference:.2g} would be found in {100 * POWER:.0f} of 100 comparisons"
    )


def _at_chance(draft: Uncorrected, labels: tuple[str, str]) -> str:
    first, second = draft.chances
    if first is not None and second is not None:
        both = dict.fromkeys(f"{chance:.3f}" for chance in (first, second))
        return f"; neither run is better than chance ({' and '.join(both)})"
    found = [(name, c) for name, c in zip(labels, draft.chances, strict=True) if c is not None]
    return "".join(f"; {name} is not better than chance ({c:.3f})" for name, c in found)


def _better(reading: TieReading, sign: int, level: float) -> str | None:
    difference = sign * (reading.second - reading.first)
    if reading.p_holm >= level or not difference:
        return None
    return "second" if difference > 0 else "first"


def _reason(draft: Uncorrected, labels: tuple[str, str], level: float) -> str:
    row, sign, words = draft.row, draft.sign, draft.words
    if draft.against:
        return draft.against
    recorded = _better(row.recorded, sign, level)
    if recorded is None:
        same = not row.recorded.only_first and not row.recorded.only_second
        item = words.part if row.suite == "mean" else words.item
        quantifier = "every" if row.items > 1 else "the only"
        equal = f"both score the same on {quantifier} {item}"
        # The least p value of an exact test, if all of its observations differ in one direction.
        least = 0.5 ** (row.items - 1)
        if least >= level and not same:
            items = words.parts if row.suite == "mean" else words.items
            return f"with {row.items} {items}, p is always at least {least:.2g}"
        return equal if same else p_values(row.recorded)
    contrary = next(r for r in row.readings if _better(r, sign, level) != recorded)
    but = f"{p_values(contrary)} with ties for {labels[contrary.ties == 'for second']}"
    return f"it depends on the {words.items} that rounding decided ({but})"


def p_values(reading: TieReading) -> str:
    """The p value of the counts, and after Holm's correction if that is another."""
    if reading.p_holm == reading.p_value:
        return f"p = {reading.p_value:.2g}"
    return f"p = {reading.p_value:.2g}, {reading.p_holm:.2g} after Holm's correction"


def label_of(row: PairedComparison, words: Words) -> str:
    """What is compared: a suite, one of its predictions, a mean, or all items."""
    if row.suite == "mean":
        return f"mean over {row.averaged(words)}"
    if row.suite == "pooled":
        return f"these {row.items} {words.items} alone"
    return f"{row.suite}, prediction {row.prediction}" if row.prediction else row.suite
