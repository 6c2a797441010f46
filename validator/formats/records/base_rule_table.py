"""The rules on what a branch changes, compared with its base: codes, names, severities, pages."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule

_WARNING = Severity.WARNING

OTHER_SCALE = Rule(
    "EE237",
    "scale-differs",
    _WARNING,
    """A score has another scale than its benchmark.

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
    """A score has another direction than its benchmark.

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
    """A model has two developers.

    Under two, a leaderboard lists it twice. The base has models of this name, all of other
    developers. Models of different developers may share a name; then this can be ignored. This is
    checked with `--changed`.

    Bad: `"id": "meta/llama-9"` where the base has `meta-llama/llama-9`
    Good: `"id": "meta-llama/llama-9"`
    """,
)

OTHERS_RECORD = Rule(
    "EE244",
    "record-of-others",
    _WARNING,
    """A branch changes or removes a record of others.

    It removes, changes or makes unreadable a record that somebody else has added to the base: git
    has none of the authors of the branch as the one who did. In a shallow clone nobody is known.
    Under a profile this is an error. Changes of the notation alone, and moves, do not count. The
    summary lists every removed and changed value. This is checked with `--changed`.

    Bad: a branch that adds a model, and deletes two results of another submitter
    Good: the two changes in branches of their own, the second one by who added the record
    """,
)
SPELLING = Rule(
    "EE245",
    "spelling-differs",
    _WARNING,
    """A model or a benchmark has two spellings.

    Tools compare names as strings. The base has this name with other capitals, hyphens, underscores
    or blanks, or with a letter of another alphabet that looks alike. This is checked with
    `--changed`.

    Bad: `"evaluation_name": "MMLU Pro"` where the base has `MMLU-Pro`
    Good: `"evaluation_name": "MMLU-Pro"`
    """,
)

BASE_RULES = (
    OTHERS_RECORD,
    SPELLING,
    OTHER_SCALE,
    OTHER_DIRECTION,
    OTHER_DEVELOPER,
)
