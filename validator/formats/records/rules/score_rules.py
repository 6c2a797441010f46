"""Rules on the scores of a record: bounds, levels, uncertainty, juries."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from evalmark.schemas.metrics.known_metrics import find_metric
from evalmark.validator.findings.finding import At, Change, Hit, Safety
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.records.record_view import JUDGE, RecordResult, RecordView
from evalmark.validator.formats.records.rules.identity_rules import plain
from evalmark.validator.formats.shared.fields import mapping, number


def direction_contradicts_metric(record: RecordView) -> Iterator[Hit]:
    """`lower_is_better` contradicts what is known of the metric.

    A leaderboard that goes by it ranks the worst model first. The metric is known by its
    id or name, if [the table of metrics](metrics.md) has it; of other metrics, the description is
    read, which may say "lower is better".

    Bad: `"metric_name": "mae", "lower_is_better": false`
    Good: `"metric_name": "mae", "lower_is_better": true`
    """
    found = []
    for result, metric in record.known_metrics():
        stated = result.get("lower_is_better")
        if not isinstance(stated, bool) or metric.lower_is_better in (None, stated):
            continue
        right = str(metric.lower_is_better).lower()
        found.append(result)
        yield Hit(
            f"`lower_is_better` is {str(stated).lower()}, but {metric.direction} scores of "
            f'"{metric.id}" are better',
            At(result.at("lower_is_better")),
            notes=(f"the table of metrics has it from {metric.sources[0]}",),
            helps=(f'write "lower_is_better": {right}',),
            changes=(Change(At(result.at("lower_is_better")), right),),
            safety=Safety.UNSAFE,
            fold=metric.id,
        )
    for result in record.results:
        words, stated = result.description, result.get("lower_is_better")
        if not isinstance(words, str) or not isinstance(stated, bool) or "better" not in words:
            continue
        said = {word.casefold() for word in _DIRECTION.findall(words)}
        if said == {"higher" if stated else "lower"} and result not in found:
            yield Hit(
                f"`lower_is_better` is {str(stated).lower()}, and the description says "
                f"that {said.pop()} is better",
                At(result.at("lower_is_better")),
                labels=((At(result.at("description")), "the description"),),
                fold="description",
            )


#: What a description says of a metric.
_DIRECTION = re.compile(r"(?i)\b(lower|higher)(?: scores?| values?)? (?:is|are) better\b")
#: Words of units for shares of a hundred, and of one.
_PERCENT = ("percent", "%", "percentage", "pct")
_SHARE = ("proportion", "fraction", "share", "ratio", "probability")


def bounds_contradict_metric(record: RecordView) -> Iterator[Hit]:
    """The bounds of a score contradict its metric or its unit.

    [The table of metrics](metrics.md) has the scales of known metrics; a unit of percent has bounds
    of 0 and 100. There is one finding a metric.

    Bad: `"metric_name": "accuracy", "min_score": 0, "max_score": 5`
    Good: `"metric_name": "accuracy", "min_score": 0, "max_score": 1`
    """
    seen: set[object] = set()
    for result in record.results:
        if result.metric_name is None and result.metric_id is None:
            continue  # most versions know no units
        unit = result.get("metric_unit")
        if not isinstance(unit, str) or result.high is None or unit in seen:
            continue
        word = unit.strip().casefold()
        other = 1 if word in _PERCENT else 100 if word in _SHARE else None
        if result.high == other:
            seen.add(unit)
            yield Hit(
                f"the unit is {shown(unit)}, and `{result.key('high')}` is {result.high:g}",
                At(result.at("high")),
                labels=((At(result.at("metric_unit")), "the unit"),),
                fold=f"unit {unit}",
            )
    for result, metric in record.known_metrics():
        low, high = result.low, result.high
        if not metric.scales or low is None or high is None or metric.id in seen:
            continue
        if not -math.inf < low < high < math.inf:
            continue  # an infinite bound is one that is not known
        if not any(_is_scale(low, high, scale.low, scale.high) for scale in metric.scales):
            seen.add(metric.id)
            yield Hit(
                f'the bounds are {low:g} to {high:g}, and "{metric.id}" ranges over '
                f"{metric.scale_words}",
                At(result.at("high")),
                labels=((At(result.at("low")), "the lower bound"),),
                notes=(f"the table of metrics has it from {metric.sources[0]}",),
                fold=metric.id,
            )


def _is_scale(low: float, high: float, least: float, most: float) -> bool:
    """True if bounds are those of a scale; a bound that is infinite there may have any value."""
    return (low == least or least == -math.inf) and (high == most or most == math.inf)


#: Units of what no share is: of time, of money, of text.
_QUANTITIES = (
    "s",
    "sec",
    "seconds",
    "ms",
    "minutes",
    "hours",
    "usd",
    "$",
    "dollars",
    "tokens",
    "bytes",
)
_OF_K = re.compile(r"@(\d+)\b")


def metric_contradicts_itself(record: RecordView) -> Iterator[Hit]:
    """The id, the name, the unit and the parameters of a metric are not of one metric.

    Metrics are known by [the table of metrics](metrics.md). A share has no unit of time, money or
    text; the k of pass@k is the parameter `k`.

    Bad: `"metric_id": "accuracy", "metric_name": "BLEU"`
    Good: `"metric_id": "bleu", "metric_name": "BLEU"`
    """
    for result in record.results:
        identity, name = result.metric_id, result.metric_name
        if not isinstance(identity, str) and not isinstance(name, str):
            continue
        names = [each for each in (identity, name) if isinstance(each, str)]
        entries = [entry for each in names if (entry := find_metric(each))]
        unit = result.get("metric_unit")
        word = unit.strip().casefold() if isinstance(unit, str) else ""
        ks = {float(k) for each in names for k in _OF_K.findall(each)}
        k = number(mapping(result.get("parameters")).get("k"))
        if len(entries) == 2 and entries[0].id != entries[1].id and not _is_part(*names):
            yield Hit(
                f"the id of the metric is {shown(identity)}, and its name {shown(name)}",
                At(result.at("metric_name")),
                labels=((At(result.at("metric_id")), "the id"),),
                fold=f"{identity} {name}",
            )
        elif word in _QUANTITIES and entries and entries[0].scales and result.high in (1, 100):
            yield Hit(
                f"the unit of {shown(names[0])} is {shown(unit)}",
                At(result.at("metric_unit")),
                labels=((At(result.at("high")), "the bound"),),
                fold=f"unit {unit}",
            )
        elif len(ks) == 1 and k is not None and k not in ks:
            yield Hit(
                f"the metric is {shown(names[0])}, and its parameter `k` is {k:g}",
                At(f"{result.at('parameters')}/k"),
                fold=f"k {k}",
            )


def _is_part(one: str, other: str) -> bool:
    """True if one name is a part of the other, which may say more."""
    names = plain(one), plain(other)
    return names[0] in names[1] or names[1] in names[0]


#: Letters of a digest in hexadecimal digits, and the digests of nothing.
_DIGITS = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}
_OF_NOTHING = ("e3b0c44298fc1c149afbf4c8996fb924", "d41d8cd98f00b204e9800998ecf8427e")
_FORMS = {"jsonl", "json", "csv", "parquet"}


def samples_file_contradicts(record: RecordView) -> Iterator[Hit]:
    """What a record says of its file of samples contradicts itself.

    A checksum is the digest in hexadecimal digits, 64 for SHA-256; it is not that of an empty file.
    The file's name ends in its form. It has a row for each sample of a result.

    Bad: `"hash_algorithm": "sha256", "checksum": "sha256:e3b0"`
    Good: a checksum of 64 digits
    """
    if not mapping(record.get("samples")):
        return
    rows = record.number("samples_rows")
    digest, algorithm = record.text("samples_checksum"), record.text("samples_algorithm")
    count = _DIGITS.get((algorithm or "sha256").casefold().replace("-", ""))
    if digest is not None and rows and digest.casefold().startswith(_OF_NOTHING):
        yield Hit("the checksum is that of an empty file", At(record.at("samples_checksum")))
    elif (
        digest is not None and count and not re.fullmatch(f"[0-9a-fA-F]{{{count}}}", digest.strip())
    ):
        yield Hit(
            f"{shown(digest)} is not a checksum of {algorithm or 'sha256'}",
            At(record.at("samples_checksum")),
            caret=f"expected {count} hexadecimal digits",
        )
    form, path = record.text("samples_format"), record.text("samples_path") or ""
    ending = path.strip().rpartition(".")[2].casefold()
    if form in _FORMS and ending in _FORMS - {form}:
        yield Hit(
            f"the form of the samples is {shown(form)}, and the file ends in .{ending}",
            At(record.at("samples_path")),
            labels=((At(record.at("samples_format")), "the form"),),
        )
    if rows is None:
        return
    counts = [number for each in record.results if (number := each.number("num_samples"))]
    if rows < 0:
        yield Hit(f"`total_rows` is {rows:g}", At(record.at("samples_rows")))
    elif counts and rows < min(counts):
        yield Hit(
            f"`total_rows` is {rows:g}, and each result is of {min(counts):g} samples or more",
            At(record.at("samples_rows")),
        )


def scale_unlike_siblings(record: RecordView) -> Iterator[Hit]:
    """A score is a share where its bounds, and the other scores of the metric, are percentages.

    Of at least four scores with bounds of 0 and 100, most are above 1 and a few are not; or all of
    at least three are between 0 and 1.

    Bad: `"score": 0.713` beside 68.2, 75.1 and 70.4, all with `"max_score": 100`
    Good: `"score": 71.3`
    """
    groups: dict[object, list[RecordResult]] = {}
    for result in record.results:
        if result.high == 100 and result.low == 0 and result.score:
            key = result.metric_id, result.metric_name, result.get("lower_is_better")
            groups.setdefault(repr(key), []).append(result)
    for group in groups.values():
        small = [one for one in group if one.score is not None and 0 < one.score <= 1]
        others = sorted(one.score for one in group if one not in small and one.score is not None)
        is_all = len(small) == len(group) >= 3
        is_few = 0 < len(small) <= len(others) / 3 and others[len(others) // 2] > 10
        if not is_all and not is_few:
            continue
        first, *more = small
        many = f"{len(small):,} scores are" if more else f"score {shown(first.get('score'))} is"
        rest = "" if is_all else f", and the others of the metric reach {others[-1]:g}"
        yield Hit(
            f"{many} between 0 and 1, with bounds of 0 and 100{rest}",
            At(first.at("score")),
            labels=((At(first.at("high")), "the bound"),),
            helps=("write percentages, or bounds of 0 and 1",)
            if is_all
            else (f"if it is a share, write {round((first.score or 0) * 100, 10):.12g}",),
            also=tuple(one.at("score") for one in more),
        )


#: Names of levels that are better or worse than all others.
_BEST = frozenset(("excellent", "very good", "very high", "high", "best", "perfect", "strong"))
_WORST = frozenset(("poor", "very poor", "bad", "very bad", "low", "very low", "worst", "weak"))


def levels_contradict(record: RecordView) -> Iterator[Hit]:
    """The names of levels contradict each other, or the bounds of the score.

    Levels have different names, there are at least two, and they are numbered from 0, the lowest
    score: the highest is one less than there are names.

    Bad: `"level_names": ["low", "low"]`
    Good: `"level_names": ["low", "high"]`
    """
    for result in record.with_levels:
        names = result.get("level_names")
        if not isinstance(names, list) or not names:
            continue
        words = [name.strip().casefold() for name in names if isinstance(name, str)]
        at = At(result.at("level_names"))
        if len(set(words)) < len(words):
            twice = next(name for name in names if words.count(str(name).strip().casefold()) > 1)
            yield Hit(f"two levels are called {shown(twice)}", at, fold="levels twice")
        elif "" in words:
            yield Hit("a level has no name", at, fold="levels blank")
        elif len(names) == 1:
            yield Hit("there is one level, so that all scores are equal", at, fold="one level")
        elif result.get("score_type") == "levels" and result.high not in (None, len(names) - 1):
            yield Hit(
                f"`{result.key('high')}` is {result.high:g}, and the highest of {len(names)} "
                f"levels is {len(names) - 1}",
                At(result.at("high")),
                labels=((at, "the levels"),),
                fold="levels and bound",
            )
        elif words[0] in _BEST and words[-1] in _WORST and result.get("lower_is_better") is False:
            yield Hit(
                f"{shown(names[0])} is level 0, and higher scores are better",
                at,
                caret="levels are numbered from 0 in this order",
                fold="levels turned",
            )


def not_a_level(record: RecordView) -> Iterator[Hit]:
    """A score of type "levels" is not the number of a level.

    Levels are numbered from 0 in the order of `level_names`.

    Bad: `"score": 3` with `"level_names": ["low", "high"]`
    Good: `"score": 1`
    """
    for result, names in _with_levels(record):
        score = result.score
        if score is not None and score != -1 and score not in range(len(names)):
            yield Hit(
                f"score {shown(result.get('score'))} is not the number of a level",
                At(result.at("score")),
                caret=f"expected a whole number from 0 to {len(names) - 1}",
                labels=((At(result.at("level_names")), "the levels"),),
            )


def unknown_level(record: RecordView) -> Iterator[Hit]:
    """A score is -1 ("unknown"), but `has_unknown_level` is not true.

    Bad: `"score": -1` with `"has_unknown_level": false`
    Good: `"score": -1` with `"has_unknown_level": true`
    """
    for result, _ in _with_levels(record):
        if result.score == -1 and result.get("has_unknown_level") is not True:
            yield Hit(
                "score -1 means an unknown level, but `has_unknown_level` is not true",
                At(result.at("score")),
                labels=((At(result.at("has_unknown_level")), "`has_unknown_level`"),),
            )


def _with_levels(record: RecordView) -> Iterator[tuple[RecordResult, list[object]]]:
    for result in record.with_levels:
        names = result.get("level_names")
        if result.get("score_type") == "levels" and isinstance(names, list):
            yield result, names


def level_metadata_length(record: RecordView) -> Iterator[Hit]:
    """`level_metadata` does not have one entry for each level.

    Bad: `"level_names": ["low", "high"], "level_metadata": ["below 10"]`
    Good: `"level_names": ["low", "high"], "level_metadata": ["below 10", "10 and above"]`
    """
    for result in record.with_levels:
        names, remarks = result.get("level_names"), result.get("level_metadata")
        if isinstance(names, list) and isinstance(remarks, list) and len(names) != len(remarks):
            yield Hit(
                f"`level_names` has {len(names)} entries, `level_metadata` has {len(remarks)}",
                At(result.at("level_metadata")),
                labels=((At(result.at("level_names")), "the levels"),),
            )


def jury_weights(record: RecordView) -> Iterator[Hit]:
    """A judge has a weight without weighted verdicts, or the reverse.

    Bad: `"aggregation_method": "weighted_average"` with a judge without `weight`
    Good: `"aggregation_method": "weighted_average"` with a `weight` for every judge
    """
    for result in record.with_judges:
        judges = list(result.each("judges", JUDGE))
        weighted = [judge.has("weight") for judge in judges]
        method = result.get("aggregation")
        if method == "weighted_average" and not all(weighted):
            yield Hit(
                f"verdicts are weighted, but {weighted.count(False)} of {len(judges)} judges "
                "have no `weight`",
                At(judges[weighted.index(False)].pointer),
                labels=((At(result.at("aggregation")), "requires weights"),),
            )
        elif method != "weighted_average" and any(weighted):
            weight = 'write "aggregation_method": "weighted_average"'
            yield Hit(
                "a judge has a `weight`, but the verdicts are not weighted",
                At(judges[weighted.index(True)].at("weight")),
                helps=(weight, "or, if they do not count, remove all weights")
                if all(weighted)
                else ("remove `weight`",)
                if weighted.count(True) == 1
                else ("remove all weights, or add those that are missing",),
            )


def partial_run(record: RecordView) -> Iterator[Hit]:
    """A score is one of the first items only.

    `evalmark score --limit` scores some items of each file, to try a set-up. Its record is valid,
    but its scores are not those of the suite.

    Bad: `"scored": "5 of 48 items"` in the details of a result that is published
    Good: a run without `--limit`
    """
    for result in record.results:
        if part := result.text("scored"):
            yield Hit(
                f"only {part} were scored",
                At(result.at("scored")),
                helps=("score again, without a limit, before you publish it",),
                fold=part,
            )
