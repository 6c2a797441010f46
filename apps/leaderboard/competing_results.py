"""Several results of a model on a benchmark: which represents it, and which contradict it.

It is never the best of them: see ``represent``. Numbers that contradict it are conflicts.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import Any

from evalmark.leaderboard.result_columns import ResultRow

_Path = tuple[str, ...]
#: Columns that say how a result came about, in the order in which they are shown.
STATED = ("harness", "source", "relationship", "samples", "evaluated_at")
#: Columns on where a number is from and what came of it, rather than on its settings.
_NO_SETTINGS = frozenset(("source", "relationship", "evaluated_at"))
_SETTINGS_OF_RESULTS = re.compile(
    r"(?:^|[_.])(?:rank|ranking|costs?|price|usd|pareto|confidence_interval|latency|seconds|duration"
    r"|elapsed|runtime)(?:$|[_.])"
)
#: The text for a side that does not state a setting.
NOT_STATED = "not stated"


def settings_of(row: ResultRow) -> dict[str, str]:
    """Every setting of a result, and how it came about.

    A nested setting has the last part of its path as its name, and more if that is not enough.
    """
    settings = dict(_parsed(row.settings))
    for name in STATED:
        value = getattr(row, name)
        if value is not None:
            settings[name] = _text(value)
    return settings


@lru_cache(maxsize=4096)
def _parsed(text: str | None) -> tuple[tuple[str, str], ...]:
    try:
        data = json.loads(text) if text else {}
    except ValueError:
        data = {"settings": text}
    flat = _flat(data if isinstance(data, dict) else {"settings": data})
    last = Counter(path[-1] for path, _ in flat)
    return tuple(
        (path[-1] if last[path[-1]] == 1 and path[-1] not in STATED else ".".join(path), value)
        for path, value in flat
    )


def differing(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Names of the settings that not all of several results have, or have alike, in order."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({row.get(name) for row in rows}) > 1]


def conditions_of(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings under which a number came about: no sources and dates, no ranks and costs."""
    return {
        name: value
        for name, value in settings.items()
        if name not in _NO_SETTINGS and not _SETTINGS_OF_RESULTS.search(name.casefold())
    }


def _flat(data: Mapping[str, Any], before: _Path = ()) -> list[tuple[_Path, str]]:
    leaves: list[tuple[_Path, str]] = []
    for name, value in data.items():
        if isinstance(value, dict) and value:
            leaves += _flat(value, (*before, name))
        elif value is not None:
            leaves.append(((*before, name), _text(value)))
    return leaves


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )


#: Settings that the sentence names, and characters of the value of each.
_NAMED, _LONGEST = 5, 40


def sentence(usual: Mapping[str, str]) -> str:
    """The number that represents a model, where the settings of most models are these."""
    texts = [f"{n}={v if len(v) <= _LONGEST else v[:_LONGEST] + '…'}" for n, v in usual.items()]
    if more := len(texts) - _NAMED:
        texts = [*texts[:_NAMED], f"{more} more"] if more > 0 else texts
    named = f" ({', '.join(texts)})" if texts else ""
    return (
        "of several numbers of a model, the one represents it whose settings most models of the "
        f"benchmark have{named}; of these a third party's, then that of the larger sample, then "
        "the newest; never the best"
    )


def represent(
    models: Mapping[str, Sequence[ResultRow]],
) -> tuple[dict[str, list[ResultRow]], dict[str, str]]:
    """The results of each model of a benchmark, that one first which represents the model.

    Out of bounds a number represents a model only if it has no other. Else a number yields for each
    setting that it states and most models have otherwise; then third parties come first, larger
    samples, newer results, and in the end whatever is first by its names. What has no number says
    nothing about what is usual. With the results come the settings that decided, as most models
    have them.
    """
    numbers = [
        [row for row in results if row.score is not None and math.isfinite(row.score)]
        for results in models.values()
    ]
    usual: dict[str, str] = {}
    if any(len(results) > 1 for results in numbers):
        usual = _usual([[_deciding(row) for row in results] for results in numbers])

    def place(row: ResultRow) -> tuple[Any, ...]:
        settings = _deciding(row) if usual else {}
        return (
            not row.is_ranked,
            row.score is None,
            sum(settings.get(name, value) != value for name, value in usual.items()),
            row.relationship != "third_party",
            -(row.samples or 0),
            row.when is None,
            -(row.when or 0),
            *(row.record or "", row.file, row.pointer),
        )

    return {model: sorted(rows, key=place) for model, rows in models.items()}, usual


def _deciding(row: ResultRow) -> dict[str, str]:
    """The settings of a result; the size of its sample is not one here."""
    return conditions_of(settings_of(row._replace(samples=None)))


def _usual(models: list[list[dict[str, str]]]) -> dict[str, str]:
    """The settings that most models have, of those in which results differ.

    One after the other, that of most models first: more than half of the models that state it
    together with those before have it, and two at least.
    """
    usual: dict[str, str] = {}
    while True:
        states: Counter[str] = Counter()
        has: Counter[tuple[str, str]] = Counter()
        for results in models:
            pairs = {pair for settings in results for pair in settings.items()}
            has.update(pairs)
            states.update({name for name, _ in pairs})
        values = Counter(name for name, _ in has)
        most = [
            (-count, name, value)
            for (name, value), count in has.items()
            if name not in usual and values[name] > 1 and count > max(1, states[name] / 2)
        ]
        if not most:
            return usual
        _, name, value = min(most)
        usual[name] = value
        models = [[s for s in results if s.get(name, value) == value] for results in models]


#: The kinds of conflicts: different numbers under the same settings, or under several.
CONTRADICTION, SEVERAL = "contradiction", "several settings"
#: Decimals beyond which doubles are not told apart.
_MOST_DECIMALS = 12


def width_of(models: Mapping[str, Sequence[ResultRow]]) -> float | None:
    """The width of the scale of a benchmark, if its results state one."""
    for rows in models.values():
        for row in rows:
            if row.min_score is not None and row.max_score is not None:
                return row.max_score - row.min_score
    return None


def conflict_of(rows: Sequence[ResultRow], width: float | None) -> str | None:
    """The kind of conflict between the results of a model on a benchmark; None if they agree.

    It is a contradiction if two results disagree of which no stated setting differs, else there are
    several settings: models are run with several precisions and efforts on purpose. Sources, dates,
    ranks and costs are not settings.

    Two numbers agree if one is the other rounded: to its own number of decimals, but never more
    coarsely than 0.5 % of the scale, so that 1 does not agree with 0.6.
    """
    numbers = [(row.score, row) for row in rows if row.score is not None]
    finite = [(score, row) for score, row in numbers if math.isfinite(score)]
    scores = {score for score, _ in finite}
    if len(scores) < 2:
        return None
    if width is None or not 0 < width < math.inf:
        width = 10.0 ** math.ceil(math.log10(max(map(abs, scores))))
    fewest = max(0, math.ceil(2 - math.log10(width)))
    decimals = {score: _decimals(score, fewest) for score in scores}
    if not any(_disagree(pair, decimals) for pair in combinations(scores, 2)):
        return None
    stated = [(score, conditions_of(settings_of(row))) for score, row in finite]
    different = {(score, *sorted(own.items())): (score, own) for score, own in stated}
    for (score, ours), (other, theirs) in combinations(different.values(), 2):
        if _are_alike(ours, theirs) and _disagree((score, other), decimals):
            return CONTRADICTION
    return SEVERAL


def _disagree(scores: tuple[float, float], decimals: Mapping[float, int]) -> bool:
    """True if neither of two scores is the other, rounded to its decimals."""
    one, other = scores
    return abs(one - other) > 0.5000001 * 10.0 ** -min(decimals[one], decimals[other])


def _are_alike(ours: Mapping[str, str], theirs: Mapping[str, str]) -> bool:
    """True if no setting differs of those that both state."""
    return all(theirs.get(name, value) == value for name, value in ours.items())


def _decimals(score: float, fewest: int) -> int:
    """The decimals to which a number is given, as far as they count."""
    exponent = Decimal(repr(score)).normalize().as_tuple().exponent
    return min(_MOST_DECIMALS, max(fewest, -int(exponent)))
