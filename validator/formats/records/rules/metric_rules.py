"""Rules on metrics: their name, unit, bounds, direction and levels; and scores of partial runs."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from evalmark.schemas.metrics.known_metrics import find_metric, known_metric
from evalmark.validator.findings.finding import At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.name_matching import plain, without_accents
from evalmark.validator.formats.shared.json_values import mapping, number

if TYPE_CHECKING:
    from evalmark.schemas.metrics.metric_entry import KnownMetric

#: What a description says of a metric.
_DIRECTION = re.compile(r"(?i)\b(lower|higher)(?: scores?| values?)? (?:is|are) better\b")
#: Units by what they measure. Those of shares are not units of another quantity.
_UNITS = {
    unit: quantity
    for quantity, units in {
        "percent": "percent % percentage pct",
        "shares": "proportion fraction share ratio probability",
        "seconds": "s sec secs second seconds",
        "milliseconds": "ms msec milliseconds",
        "minutes": "minutes",
        "hours": "hours",
        "dollars": "usd $ dollar dollars",
        "euros": "eur € euro euros",
        "tokens": "tokens",
        "bytes": "bytes",
    }.items()
    for unit in units.split()
}
_OF_SHARES = ("percent", "shares")
#: Units of one thing; and a description that says no more than of what, and in which unit, it is.
_COMPARABLE = (("seconds", "milliseconds", "minutes", "hours"), ("dollars", "euros"))
_IN_UNIT = re.compile(
    r"(?i)(?:(?:mean|median|average|total) )?(?:time|latency|duration|cost)"
    r"(?: (?:to|of|per|for) (?:(?:an?|the|each) )?(?:(?:complete|full|first|final) )?"
    r"(?:answer|response|request|sample|question))?"
    r"(?:,? in | \()([a-z]+|[$€])\)?\W*"
)
#: Metrics whose samples are right or wrong, as ``plain`` has them, and words for such a one.
_ACCURACIES = frozenset(("accuracy", "acc", "exactmatch", "em", "successrate", "solverate"))
_SHARE = re.compile(r"(?i)(?:the )?(?:share|fraction|proportion|percentage) of (?!.*\bmean\b)")
#: Words at the end of a name that say how something was summed up, and not what.
_SUMMED = frozenset(("mean", "avg", "average", "median", "total", "rate", "p50", "p90", "p99"))
#: Words for what is better the less there is of it, at the end of the name of a metric.
_COSTS = frozenset((
    "latency", "runtime", "cost", "costs", "price", "toxicity", "hallucination", "hallucinations",
))  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+|[%$€]")
#: How many answers count, or how long the sequences are, by the name of a metric, and the
#: parameters that say the same.
_CUT = re.compile(r"(?:@|_at_)(\d+)\b")
_ORDER = re.compile(r"(?i)\b(?:rouge|bleu)[-_ ]?(\d)\b")
_WITH_CUT = r"(?i)(?<![^\W_])([a-z]+)(?:@|_at_)(\d{1,9})(?![^\W_])"
#: Metrics whose names mean nothing else; an F1 may be that of words, and is so of ROUGE.
_NAMED = frozenset((
    "bleu", "rouge-1", "rouge-2", "rouge-l", "chrf", "meteor", "cider", "wer", "cer", "perplexity",
    "mean-reciprocal-rank", "ndcg",
))  # fmt: skip
_NO_SHARES = _NAMED - {"mean-reciprocal-rank", "ndcg"}  # whose descriptions may be of answers
_KNOWN = _NAMED | {"accuracy", "exact-match", "f1", "pass-rate"}
#: A share of what was answered, as all of a description; and words around the metric in one.
_ANSWERED = re.compile(
    r"(?i)(?:the )?(?:share|fraction|proportion|percentage) of (?:[a-z]+ ){1,3}"
    r"(?:that (?:are|were) )?(?:answered|solved) correctly\W*"
)
_OF_WHAT = re.compile(
    r"(?i)(?:corpus|sentence|word|token|byte|mean|average)(?:[- ]level)? (?!error)"
)
_BEHIND_WORDS = re.compile(r"[.]\s*$| as (?:computed|implemented|defined) (?:by|in) \S+$")
#: Metrics, and others that are no kind of them; "accuracy" may mean all that is not efficiency,
#: and the micro F1 of one label for each sample is the accuracy.
_ROUGES = ("rouge-1", "rouge-2", "rouge-l")
_KINDS = {
    **dict.fromkeys(("accuracy", "exact-match"), ("bleu", *_ROUGES)),
    "bleu": _ROUGES,
    **dict.fromkeys(_ROUGES, ("bleu",)),
}
_OF_CUT, _OF_ORDER = ("k", "top_k", "cutoff"), ("n", "order", "max_order", "ngram", "n_gram")


def _table_entry(result: RecordResult) -> KnownMetric | None:
    """The entry of the metric of a result in the table of metrics, by its id and its name.

    A record that has neither may have the name as its description; one that is also the name of the
    evaluation may be a topic.
    """
    identity, name = result.metric_id, result.metric_name
    if identity is None and name is None:
        identity = described(result.description or "")
        if not identity or identity == result.name:
            return None
    return known_metric(identity, name)


#: A perplexity, as ``plain`` has it; and words for another thing.
_PERPLEXITY = re.compile(r"(?:wikitext\d*|c4|ptb)?(?:word|token|byte)?(?:perplexity|ppl)")
_OF_LOGARITHM = re.compile(
    r"(?i)log|\b(?:nats?|bits?|bpb|bpc|nll)\b|ratio|differ|change|relative|normali|scaled|delta|Δ"
    r"|excess|gap|minus"
    r"|\b(?:vs|versus|against|over|than|with|from|by)\b"
)
#: What may follow a metric in a description: Accuracy on GSM8K (5-shot).
_BEHIND_METRIC = re.compile(r"[(,:;]| (?:on|of|over|for|in|at|by|across) ")


@lru_cache(8192)
def described(description: str) -> str:
    """The metric that a description begins with; all of it if it is one word."""
    return _BEHIND_METRIC.split(description, 1)[0].strip()


@lru_cache(8192)
def is_share_of_samples(identity: str | None, name: str | None, description: str | None) -> bool:
    """True if a metric is the share of samples that are right, by its id, name or description."""
    words = (identity, name) if identity or name else (described(description or ""),)
    if any(plain(word or "") in _ACCURACIES for word in words):
        return True
    return not (identity or name) and _SHARE.match(description or "") is not None


def direction_contradicts_metric(record: RecordView) -> Iterator[Mistake]:
    """`lower_is_better` contradicts what is known of the metric.

    A leaderboard that goes by it ranks the worst model first. The metric is known by its
    id or name, if [the table of metrics](metrics.md) has it; of other metrics, the description is
    read, which may say "lower is better", and the other results of the record.

    Bad: `"metric_name": "mae", "lower_is_better": false`
    Good: `"metric_name": "mae", "lower_is_better": true`
    """
    unknown: dict[str, list[RecordResult]] = defaultdict(list)
    for result in record.results:
        if not isinstance(result.lower_is_better, bool):
            continue
        metric, name = _table_entry(result), result.metric_id or result.metric_name or ""
        if mistake := _other_direction(result, metric, name):
            yield replace(mistake, helps=(), changes=()) if _is_copied(record, result) else mistake
        elif metric is None and name:
            unknown[name].append(result)
    for name, results in unknown.items():
        yield from _unlike_direction(name, results)


def _is_copied(record: RecordView, result: RecordResult) -> bool:
    """True if the description alone names the metric, and is that of one of another direction."""
    return not (result.metric_id or result.metric_name) and any(
        other.description == result.description and other.lower_is_better != result.lower_is_better
        for other in record.results
    )


def _other_direction(result: RecordResult, metric: KnownMetric | None, name: str) -> Mistake | None:
    """The direction of a metric that its table, its name or its description has otherwise."""
    stated = result.lower_is_better
    if metric is not None and metric.lower_is_better not in (None, stated):
        why = f'{metric.direction} scores of "{metric.id}" are better'
        return _direction_mistake(
            result, why, metric.id, (f"the table of metrics has it from {metric.sources[0]}",)
        )
    if metric is None and not stated and _is_cost(name):
        return _direction_mistake(
            result, f"lower scores of {cited(name)} are better", f"cost {name}"
        )
    if not stated and not name and _is_latency(result):
        why = f"lower scores of {cited(result.name)} are better"
        return replace(_direction_mistake(result, why, "latency"), changes=())
    is_known = any(find_metric(text) for text in (result.metric_id, result.metric_name) if text)
    if stated and not is_known and _is_of_solved(result, name):
        return _direction_mistake(result, "it is better if more is solved", "solved")
    better = "higher" if stated else "lower"
    if not result.description or _said_direction(result.description) != {better}:
        return None
    return Mistake(
        f"`lower_is_better` is {str(stated).lower()}, but the description says "
        f"that {better} is better",
        At(result.at("lower_is_better")),
        labels=((At(result.at("description")), "the description"),),
        fold="description",
    )


@lru_cache(8192)
def _said_direction(description: str) -> frozenset[str]:
    """The scores that a description calls better: higher, lower, or both of some metrics."""
    return frozenset(word.casefold() for word in _DIRECTION.findall(description))


def _unlike_direction(name: str, results: Sequence[RecordResult]) -> Iterator[Mistake]:
    """The few results of an unknown metric whose direction is not that of the others."""
    counts = Counter(result.lower_is_better for result in results).most_common()
    if len(counts) < 2:
        return
    (usual, times), (odd, few) = counts
    if few > times / 3:
        return
    why = f"the other {times} results of {cited(name)} have {str(usual).lower()}"
    for result in results:
        if result.lower_is_better is odd:
            yield _direction_mistake(result, why, f"siblings {name}")


def _direction_mistake(
    result: RecordResult, why: str, fold: str, notes: tuple[str, ...] = ()
) -> Mistake:
    stated, at = str(result.lower_is_better).lower(), At(result.at("lower_is_better"))
    right = str(not result.lower_is_better).lower()
    return Mistake(
        f"`lower_is_better` is {stated}, but {why}",
        at,
        notes=notes,
        helps=(f'write "lower_is_better": {right}',),
        changes=(Change(at, right),),
        safety=Safety.UNSAFE,
        fold=fold,
    )


@lru_cache(8192)
def _is_cost(name: str) -> bool:
    """True if the name of a metric ends in what is better the less there is of it."""
    words = [
        word
        for word in _TOKEN.findall(without_accents(name))
        if word not in _SUMMED | _UNITS.keys()
    ]
    is_ratio = "per" in words  # accuracy for each dollar
    return bool(words) and words[-1] in _COSTS and not is_ratio


def _is_latency(result: RecordResult) -> bool:
    """True for a result that is called a latency and described as a time, but on no scale."""
    words = _TOKEN.findall(described(result.name or "").casefold())
    found = _IN_UNIT.fullmatch(result.description or "") if words[-1:] == ["latency"] else None
    return found is not None and _quantity(found[1]) in _COMPARABLE[0] and result.high != 1


#: A share of what is solved; that of impossible, hidden or harmful tasks is better if it is less.
_SOLVED = re.compile(
    r"(?i)(?:the )?(?:share|fraction|proportion|percentage|percent|number|rate) of (?:all |the )?"
    r"(?:([\w.+-]+) )?(?:task|problem|issue|question|instance|puzzle|exercise)s? "
    r"(?:that (?:are|were) )?(?:re)?solved(?: by the model)?(?: \([\d., %-]+\))?\.?"
)
_OF_SOLVED = frozenset(
    ("the", "of", "share", "rate", "percent", "pct", "percentage", "fraction", "number", "tasks",
     "task", "issues", "issue", "problems", "problem", "instances", "questions")
)  # fmt: skip


def _is_of_solved(result: RecordResult, name: str) -> bool:
    """True if a metric counts what is solved, by its whole name and its whole description."""
    said = _SOLVED.fullmatch((result.description or "").strip())
    if result.description and (said is None or not _is_called(result, said[1])):
        return False
    words = [word for word in _TOKEN.findall(without_accents(name)) if word not in _SUMMED]
    is_named = words[-1:] in (["solved"], ["resolved"]) and _OF_SOLVED.issuperset(words[:-1])
    return is_named or (said is not None and not (result.metric_id or result.metric_name))


def _is_called(result: RecordResult, word: str | None) -> bool:
    """True for the name of a result or of its data, and for no word."""
    return not word or word.casefold() in f"{result.name} {result.dataset}".casefold()


_BOUND = {"low": "the lower bound", "high": "the upper bound"}


def bounds_contradict_metric(record: RecordView) -> Iterator[Mistake]:
    """The bounds of a score contradict its metric or its unit.

    [The table of metrics](metrics.md) has the scales of known metrics; a unit of percent has bounds
    of 0 and 100. No perplexity is below 1. There is one finding a metric.

    Bad: `"metric_name": "accuracy", "min_score": 0, "max_score": 5`
    Good: `"metric_name": "accuracy", "min_score": 0, "max_score": 1`
    """
    seen: set[object] = set()
    for result in record.results:
        low, high, unit = result.low, result.high, result.unit
        is_low = result.score is not None and result.score < 1 and high != 1  # or it is rescaled
        if is_low and _is_perplexity(result):
            yield Mistake(
                f"the perplexity is {result.score:g}, but none is below 1: this may be a loss",
                At(result.at("score")),
                fold="perplexity",
            )
            seen.add("perplexity")
        if high is None:
            continue
        is_named = result.metric_id is not None or result.metric_name is not None
        other = {"percent": 1, "shares": 100}.get(_quantity(unit)) if unit and is_named else None
        if high == other and unit not in seen:
            seen.add(unit)
            yield Mistake(
                f"the unit is {cited(unit)}, but `{result.key('high')}` is {high:g}",
                At(result.at("high")),
                labels=((At(result.at("unit")), "the unit"),),
                fold=f"unit {unit}",
            )
        metric = _table_entry(result)
        if low is None or metric is None or metric.id in seen:
            continue
        if not -math.inf < low < high < math.inf:
            continue  # an infinite bound is one that is not known
        if mistake := _other_scale(result, low, high, metric):
            seen.add(metric.id)
            yield mistake


def _other_scale(
    result: RecordResult, low: float, high: float, metric: KnownMetric
) -> Mistake | None:
    """Bounds that are those of no scale of a metric."""
    scales = metric.scales
    if not scales or any(_is_scale(low, high, scale.low, scale.high) for scale in scales):
        return None
    is_high_right = any(high == scale.high for scale in scales)
    wrong, right = ("low", "high") if is_high_right else ("high", "low")
    return Mistake(
        f'the bounds are {low:g} to {high:g}, but "{metric.id}" ranges over {metric.scale_words}',
        At(result.at(wrong)),
        labels=((At(result.at(right)), _BOUND[right]),),
        notes=(f"the table of metrics has it from {metric.sources[0]}",),
        fold=metric.id,
    )


def _is_perplexity(result: RecordResult) -> bool:
    """True if a score is a perplexity, and not its logarithm."""
    words = result.metric_id, result.metric_name, result.unit, result.description
    metric = result.metric_name or result.metric_id or described(result.description or "")
    return _PERPLEXITY.fullmatch(plain(metric)) is not None and not _OF_LOGARITHM.search(
        " ".join(filter(None, words))
    )


def _quantity(unit: str) -> str:
    return _UNITS.get(unit.strip().casefold(), "")


def _is_scale(low: float, high: float, least: float, most: float) -> bool:
    """True if bounds are those of a scale.

    A bound that is infinite there may have any value; the least score of such a scale may be lower.
    """
    if most == math.inf:
        return low <= least or least == -math.inf
    return (low == least or least == -math.inf) and high == most


def metric_contradicts_itself(record: RecordView) -> Iterator[Mistake]:
    """The id, the name, the kind, the unit and the parameters of a metric are not of one metric.

    Metrics are known by [the table of metrics](metrics.md). A share has no unit of time, money or
    text; a name that ends in a unit has that unit, and so has a description such as "time in
    seconds"; the k of pass@k is the parameter `k` and that of the name, the n of ROUGE-n the
    parameter `n`. A description does not begin with another metric, and BLEU is no kind of ROUGE.

    Bad: `"metric_id": "accuracy", "metric_name": "BLEU"`
    Good: `"metric_id": "bleu", "metric_name": "BLEU"`
    """
    for result in record.results:
        names = [name for name in (result.metric_id, result.metric_name) if name is not None]
        if other := _other_cut(result) or _other_cut_in_name(result):
            yield other
        mistake = _metric_fault(result, names) if names else None
        is_said = mistake and other and mistake.at.pointer.startswith(result.at("parameters"))
        if mistake and not is_said:
            yield mistake


def _metric_fault(result: RecordResult, names: list[str]) -> Mistake | None:
    """The first thing that contradicts the metric of a result, by its id and its name."""
    identity, name, unit = result.metric_id, result.metric_name, result.unit
    entries = [entry for candidate in names if (entry := find_metric(candidate))]
    kind, quantity = result.text("kind"), _quantity(unit) if unit else ""
    if len(entries) == 2 and entries[0].id != entries[1].id and not _one_contains_other(*names):
        return Mistake(
            f"the metric has the id {cited(identity)}, but the name {cited(name)}",
            At(result.at("metric_name")),
            labels=((At(result.at("metric_id")), "the id"),),
            fold=f"{identity} {name}",
        )
    if kind and entries and _is_other_kind(kind, names, entries[0]):
        return Mistake(
            f"the metric is {cited(names[0])}, but its kind is {cited(kind)}",
            At(result.at("kind")),
            labels=((At(result.at("metric_id" if identity else "metric_name")), "the metric"),),
            fold=f"kind {kind}",
        )
    if quantity and (said := _other_unit(result.description or "", quantity)):
        return Mistake(
            f"the unit is {cited(unit)}, but the description says {cited(said)}",
            At(result.at("unit")),
            labels=((At(result.at("description")), "the description"),),
            fold=f"said {said}",
        )
    if quantity and (fault := _unit_fault(names[0], quantity, entries, result.high)):
        return Mistake(
            f"the unit of {cited(names[0])} is {cited(unit)}{fault}",
            At(result.at("unit")),
            labels=((At(result.at("high")), "the bound"),),
            fold=f"unit {unit}",
        )
    if entries and (said := _described_instead(result.description or "", names, entries)):
        return Mistake(
            f"the metric is {cited(names[0])}, but the description is about {cited(said)}",
            At(result.at("description")),
            labels=((At(result.at("metric_id" if identity else "metric_name")), "the metric"),),
            fold=f"described {said}",
        )
    if parameter := _other_parameter(names, mapping(result.get("parameters"))):
        key, value = parameter
        return Mistake(
            f"the metric is {cited(names[0])}, but its parameter `{key}` is {value:g}",
            At(f"{result.at('parameters')}/{key}"),
            fold=f"{key} {value}",
        )
    return None


def _other_cut(result: RecordResult) -> Mistake | None:
    """A description that begins with another pass@k than the names have."""
    description = result.description or ""
    if "@" not in description and "_at_" not in description:
        return None  # nearly always
    found = re.fullmatch(_WITH_CUT, described(description))
    if not found or len(re.findall("@|_at_", description)) != 1:
        return None
    names = " ".join(filter(None, (result.name, result.metric_id, result.metric_name)))
    stated = {
        match[2] for match in re.finditer(_WITH_CUT, names) if plain(match[1]) == plain(found[1])
    }
    if len(stated) != 1 or found[2] in stated:
        return None
    return Mistake(
        f"the description is about {cited(found[0])}, but its names have {cited(stated.pop())}",
        At(result.at("description")),
        labels=((At(result.at("name")), "its name"),),
        fold=f"cut {found[0]}",
    )


def _other_cut_in_name(result: RecordResult) -> Mistake | None:
    """A name of the data and a pass@k, of another k than the metric."""
    name = result.name or ""
    if "@" not in name and "_at_" not in name:
        return None  # nearly always
    metric = " ".join(filter(None, (result.metric_id, result.metric_name)))
    found, known = re.findall(_WITH_CUT, name), {*re.findall(_WITH_CUT, metric)}
    rest = plain(re.sub(_WITH_CUT, "", name))
    if len(found) != 1 or len(known) != 1 or rest not in ("", plain(result.dataset or "")):
        return None
    ((word, cut),), ((other, right),) = found, known
    if plain(word) != plain(other) or cut == right:
        return None
    metric_field = "metric_id" if result.metric_id else "metric_name"
    places = [("name", "the name"), (metric_field, "the metric")]
    (field, _), (label, words) = reversed(places) if _says_cut(result, cut) else places
    return Mistake(
        f"the name has {cited(f'{word}@{cut}')}, but the metric is {cited(f'{other}@{right}')}",
        At(result.at(field)),
        labels=((At(result.at(label)), words),),
        fold=f"cut {word}@{cut}",
    )


def _says_cut(result: RecordResult, cut: str) -> bool:
    """True if the description, or a parameter, has the k of a name: then the metric is wrong."""
    parameters = mapping(result.get("parameters"))
    said = [match[2] for match in re.finditer(_WITH_CUT, described(result.description or ""))]
    return cut in said or int(cut) in [parameters.get(key) for key in _OF_CUT]


def _described_instead(description: str, names: list[str], entries: list[KnownMetric]) -> str:
    """The metric that a description begins with, if it is neither this one nor like it."""
    if entries[0].id in _NO_SHARES and _ANSWERED.fullmatch(description):
        return description
    # Which answer is chosen may be decided by the perplexity.
    is_accuracy = entries[0].id == "accuracy"
    text = described(description) if is_accuracy else _described_metric(description)
    entry = find_metric(text) if text else None
    found = {each.id for each in (entry, *entries) if each}
    if entry is None or len(found) == 1 or entry.id not in _NAMED or not found <= _KNOWN:
        return ""  # nearly always
    words, own = plain(description), [plain(name) for name in names]
    return "" if any(name in words or plain(text) in name for name in own) else text


@lru_cache(8192)
def _described_metric(description: str) -> str:
    """What a description begins with, without words around the metric: BLEU, for Corpus BLEU."""
    return _OF_WHAT.sub("", described(_BEHIND_WORDS.sub("", description, 1))).strip()


def _one_contains_other(name: str, other: str) -> bool:
    names = plain(name), plain(other)
    return names[0] in names[1] or names[1] in names[0]


def _is_other_kind(kind: str, names: list[str], metric: KnownMetric) -> bool:
    """True if a kind is that of metrics of another direction, or is another metric."""
    known = find_metric(kind)
    if known and known.id in _KINDS.get(metric.id, ()):
        return not any(_one_contains_other(kind, name) for name in names)
    lower = known.lower_is_better if known else (True if _is_cost(kind) else None)
    return None not in (lower, metric.lower_is_better) and lower != metric.lower_is_better


def _other_unit(description: str, quantity: str) -> str:
    """The unit in which a description says a score is, if it is another one of times or money."""
    alike = next((units for units in _COMPARABLE if quantity in units), ())
    found = _IN_UNIT.fullmatch(description) if alike else None
    said = _quantity(found[1]) if found else quantity
    return found[1] if found and said != quantity and said in alike else ""


def _unit_fault(name: str, quantity: str, entries: list[KnownMetric], high: float | None) -> str:
    """What else the unit of a metric is, in words that go on."""
    words = _TOKEN.findall(without_accents(name))
    of_name = _UNITS.get(words[-1], "") if len(words) > 1 else ""
    if of_name and of_name != quantity and not {of_name, quantity} <= {*_OF_SHARES}:
        return f", and its name says {of_name}"
    ends = {scale.high for entry in entries for scale in entry.scales}
    is_share = high in (1, 100) and 1 in ends
    return ", of which no share is" if is_share and quantity not in _OF_SHARES else ""


def _other_parameter(names: list[str], parameters: object) -> tuple[str, float] | None:
    stated = mapping(parameters)
    for pattern, keys in ((_CUT, _OF_CUT), (_ORDER, _OF_ORDER)) if stated else ():
        numbers = {float(found) for candidate in names for found in pattern.findall(candidate)}
        for key in keys if len(numbers) == 1 else ():
            value = number(stated.get(key))
            if value is not None and value not in numbers:
                return key, value
    return None


# Levels

#: Names of levels that are better or worse than all others, and of the one that is none.
_BEST = frozenset((
    "excellent", "very good", "very high", "high", "best", "perfect", "strong", "good", "great",
    "outstanding", "pass", "passed", "correct", "safe", "secure", "harmless",
))  # fmt: skip
_WORST = frozenset((
    "poor", "very poor", "bad", "very bad", "low", "very low", "worst", "weak", "terrible", "fail",
    "failed", "incorrect", "wrong", "unacceptable", "inadequate", "insufficient", "unsafe",
    "harmful", "dangerous", "insecure",
))  # fmt: skip
_UNKNOWN = frozenset(("unknown", "n/a", "na", "none", "not rated", "not applicable", "undefined"))
#: Levels beside which "none" is one too, the lowest.
_DEGREES = frozenset(("mild", "slight", "minor", "minimal", "some", "moderate", "partial"))
#: Details that name the level of a score.
_OF_LEVEL = ("level", "level_name", "label", "rating")


def levels_contradict(record: RecordView) -> Iterator[Mistake]:
    """The names of levels contradict each other, the score, or its bounds.

    Levels have different names, there are at least two, and they are numbered from 0, the lowest
    score: the highest is one less than there are names. An unknown level is not among them.

    Bad: `"level_names": ["low", "low"]`
    Good: `"level_names": ["low", "high"]`
    """
    for result in record.with_levels:
        names = result.level_names
        if not isinstance(names, list) or not names:
            continue
        words = [name.strip().casefold() for name in names if isinstance(name, str)]
        if len(words) < len(names):
            continue  # the schema reports it
        if mistake := _odd_levels(result, names, words) or _odd_level_scale(result, names, words):
            yield mistake


def _odd_levels(result: RecordResult, names: list[str], words: list[str]) -> Mistake | None:
    """What is wrong with the names of levels or with their order; ``words`` is their plain form."""
    at = At(result.at("level_names"))
    in_order = "levels are numbered from 0 in this order"
    if len(set(words)) < len(words):
        twice = next(name for name in names if words.count(name.strip().casefold()) > 1)
        return Mistake(f"two levels have the same name, {cited(twice)}", at, fold="levels twice")
    if "" in words:
        return Mistake("a level has no name", at, fold="levels blank")
    if len(names) == 1:
        return Mistake("there is only one level, so all scores are equal", at, fold="one level")
    is_turned = words[0] in _BEST and (words[-1] in _WORST or words[-1] == f"not {words[0]}")
    if is_turned and result.lower_is_better is False:
        problem = f"{cited(names[0])} is level 0, but higher scores are better"
        return Mistake(problem, at, caret=in_order, fold="levels turned")
    if _is_mixed(words):
        problem = "the levels are not in the order of their numbers"
        return Mistake(problem, at, caret=in_order, fold="levels mixed")
    return None


def _odd_level_scale(result: RecordResult, names: list[str], words: list[str]) -> Mistake | None:
    """What contradicts the levels: the bounds, the unknown level or the score."""
    unknown = [name for name, word in zip(names, words, strict=True) if word in _UNKNOWN]
    if words[0] == "none" or _DEGREES.intersection(words):
        unknown = [name for name in unknown if name.strip().casefold() != "none"]
    is_of_levels = result.get("score_type") == "levels"
    if is_of_levels and result.high not in (None, len(names) - 1):
        return Mistake(
            f"`{result.key('high')}` is {result.high:g}, but the highest of {len(names)} "
            f"levels is {len(names) - 1}",
            At(result.at("high")),
            labels=((At(result.at("level_names")), "the levels"),),
            fold="levels and bound",
        )
    if unknown and result.get("has_unknown_level") is True:
        return Mistake(
            f"{cited(unknown[0])} is listed as a level, but a score of -1 also means it",
            At(result.at("level_names")),
            labels=((At(result.at("has_unknown_level")), "`has_unknown_level`"),),
            fold="unknown listed",
        )
    return _other_level(result, words) if is_of_levels else None


def _is_mixed(words: list[str]) -> bool:
    """True if levels that are called by numbers neither rise nor fall."""
    numbers = [[float(text) for text in re.findall(r"\d+(?:\.\d+)?", word)][:1] for word in words]
    first = [found[0] for found in numbers if found]
    same = {re.sub(r"\d+(?:\.\d+)?|s\b", "", word) for word in words}
    is_numbered = len(first) == len(words) and len(same) == 1
    return is_numbered and first not in (sorted(first), sorted(first, reverse=True))


def _other_level(result: RecordResult, words: list[str]) -> Mistake | None:
    """The finding of a score whose details name another level than it is the number of."""
    details, score = mapping(result.details), result.score
    key = next((key for key in _OF_LEVEL if isinstance(details.get(key), str)), "")
    named = str(details.get(key)).strip().casefold()
    if not key or named not in words or score is None or score in (-1, words.index(named)):
        return None
    return Mistake(
        f"score {score:g} is not the level {cited(details[key])} of the details, which is "
        f"{words.index(named)}",
        At(result.at("score")),
        labels=((At(f"{result.at('details')}/{key}"), "the level"),),
        fold="other level",
    )


def not_a_level(record: RecordView) -> Iterator[Mistake]:
    """A score of type "levels" is not the number of a level.

    Levels are numbered from 0 in the order of `level_names`. The score of several samples may be
    a mean of levels.

    Bad: `"score": 3` with `"level_names": ["low", "high"]`
    Good: `"score": 1`
    """
    for result, names in _with_levels(record):
        score, samples = result.score, result.numbers and result.numbers.num_samples
        is_mean = samples is not None and samples > 1  # of the levels of the samples
        if is_mean and score is not None and 0 <= score <= len(names) - 1:
            continue
        if score is not None and score != -1 and score not in range(len(names)):
            yield Mistake(
                f"score {cited(result.get('score'))} is not the number of a level",
                At(result.at("score")),
                caret=f"expected a whole number from 0 to {len(names) - 1}",
                labels=((At(result.at("level_names")), "the levels"),),
            )


def unknown_level(record: RecordView) -> Iterator[Mistake]:
    """A score is -1 ("unknown"), but `has_unknown_level` is not true.

    Bad: `"score": -1` with `"has_unknown_level": false`
    Good: `"score": -1` with `"has_unknown_level": true`
    """
    for result, _ in _with_levels(record):
        if result.score == -1 and result.get("has_unknown_level") is not True:
            yield Mistake(
                "score -1 means an unknown level, but `has_unknown_level` is not true",
                At(result.at("score")),
                labels=((At(result.at("has_unknown_level")), "`has_unknown_level`"),),
            )


def _with_levels(record: RecordView) -> Iterator[tuple[RecordResult, list[object]]]:
    for result in record.with_levels:
        names = result.level_names
        if result.get("score_type") == "levels" and isinstance(names, list):
            yield result, names


def level_metadata_length(record: RecordView) -> Iterator[Mistake]:
    """`level_metadata` does not have one entry for each level.

    Bad: `"level_names": ["low", "high"], "level_metadata": ["below 10"]`
    Good: `"level_names": ["low", "high"], "level_metadata": ["below 10", "10 and above"]`
    """
    for result in record.with_levels:
        names, remarks = result.level_names, result.get("level_metadata")
        if isinstance(names, list) and isinstance(remarks, list) and len(names) != len(remarks):
            yield Mistake(
                f"`level_names` has {len(names)} entries, `level_metadata` has {len(remarks)}",
                At(result.at("level_metadata")),
                labels=((At(result.at("level_names")), "the levels"),),
            )


def partial_run(record: RecordView) -> Iterator[Mistake]:
    """A score is one of the first items only.

    `evalmark score --limit` scores some items of each file, to try a set-up. Its record is valid,
    but its scores are not those of the suite.

    Bad: `"scored": "5 of 48 items"` in the details of a result that is published
    Good: a run without `--limit`
    """
    for result in record.results:
        if part := result.text("scored"):
            yield Mistake(
                f"only {part} were scored",
                At(result.at("scored")),
                helps=("score all items before you publish the record",),
                fold=part,
            )
