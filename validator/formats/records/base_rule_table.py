"""The rules on what a branch changes, compared with its base: codes, names, severities, pages."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule

_WARNING = Severity.WARNING

SAME_CONTENT = Rule(
    "EE234",
    "duplicate-record",
    _WARNING,
    """A new record does not repeat another one under another id.

    Two records are duplicates if only their ids, their `retrieved_timestamp` and their sample files
    differ: an evaluation that was submitted twice. A new run has another `evaluation_timestamp`.
    This is checked with `--changed`, for the records that a branch adds.

    Bad: the record of the base, retrieved again a month later
    Good: the record of a new run, or no new record
    """,
)
NEAR_DUPLICATE = Rule(
    "EE235",
    "near-duplicate",
    _WARNING,
    """A new record does not repeat the results of another one with rounded scores.

    The two have the same model, the same `evaluation_timestamp`, the same benchmarks with the same
    settings, and scores that are equal when both are rounded as the coarser of them is, to at least
    three digits. This is checked with `--changed`, for the records that a branch adds.

    Bad: `"score": 0.852` of a paper, where the base has 0.8523 of the leaderboard
    Good: one of the two, or a new run with an `evaluation_timestamp` of its own
    """,
)
SAME_SCORES = Rule(
    "EE236",
    "scores-of-another-model",
    _WARNING,
    """All scores of a record differ from those of every other model.

    Two or more scores with many digits are not the same for two models by chance: results were
    copied, or one model has two names. This is checked with `--changed`, for the records that a
    branch adds or changes.

    Bad: `example/model-2` with the eight scores of `example/model-1`
    Good: the scores of each model
    """,
)
OTHER_SCALE = Rule(
    "EE237",
    "scale-differs",
    _WARNING,
    """The scores of a benchmark have one scale.

    Averages and rankings of scores from 0 to 1 and from 0 to 100 are wrong. All records of the base
    with this evaluation, dataset and metric have the same `min_score` and `max_score`, and the new
    one has others. This is checked with `--changed`.

    Bad: `"max_score": 100` where the base has `"max_score": 1`
    Good: the score and its bounds divided by 100
    """,
)
OTHER_DIRECTION = Rule(
    "EE238",
    "direction-differs",
    _WARNING,
    """The scores of a benchmark have one direction.

    All records of the base with this evaluation, dataset and metric have one `lower_is_better`,
    and the new one has the other. This is checked with `--changed`.

    Bad: `"lower_is_better": true` for the accuracy that the base has with `false`
    Good: `"lower_is_better": false`
    """,
)
OTHER_DEVELOPER = Rule(
    "EE239",
    "developer-differs",
    _WARNING,
    """A model has one developer.

    Under two, a leaderboard lists it twice. The base has models of this name, all of other
    developers. Models of different developers may share a name; then this can be ignored. This is
    checked with `--changed`.

    Bad: `"id": "meta/llama-9"` where the base has `meta-llama/llama-9`
    Good: `"id": "meta-llama/llama-9"`
    """,
)

BASE_RULES = (
    SAME_CONTENT,
    NEAR_DUPLICATE,
    SAME_SCORES,
    OTHER_SCALE,
    OTHER_DIRECTION,
    OTHER_DEVELOPER,
)
