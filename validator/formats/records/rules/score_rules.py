"""Rules on the scores of a record: bounds, levels, uncertainty, juries."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Change, Hit, Safety
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.records.record_view import JUDGE, RecordResult, RecordView


def direction_contradicts_metric(record: RecordView) -> Iterator[Hit]:
    """`lower_is_better` contradicts what is known of the metric.

    A leaderboard that goes by it ranks the worst model first. The metric is known by its
    id or name, if [the table of metrics](metrics.md) has it; the direction of other metrics is not
    checked.

    Bad: `"metric_name": "mae", "lower_is_better": false`
    Good: `"metric_name": "mae", "lower_is_better": true`
    """
    for result, metric in record.known_metrics():
        stated = result.get("lower_is_better")
        if not isinstance(stated, bool) or metric.lower_is_better in (None, stated):
            continue
        right = str(metric.lower_is_better).lower()
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
