"""The rules of records: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import RECORD_SHAPES, Rule, checked_rules
from evalmark.validator.formats.records.rules import identity_rules as identity
from evalmark.validator.formats.records.rules import party_rules as parties
from evalmark.validator.formats.records.rules import source_rules as sources
from evalmark.validator.formats.records.rules import text_rules as texts

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: The rules that look at every record. Those that ask the same are together.
RECORD_RULES: tuple[Rule, ...] = (
    *checked_rules(
        ("EE255", "placeholder-name", _WARNING, texts.placeholder_name),
        ("EE229", "secret", _ERROR, texts.secret),
        ("EE242", "developer-not-owner", _WARNING, parties.developer_owner),
        ("EE261", "relationship-contradicts-parties", _WARNING,
         parties.relationship_contradicts_parties),
        ("EE262", "model-name-contradicts-id", _WARNING, parties.model_name_contradicts_id),
    ),
    *checked_rules(
        ("EE222", "evaluation-id-form", _WARNING, identity.evaluation_id_form),
        ("EE233", "evaluation-id-model", _WARNING, identity.evaluation_id_model),
        asks=identity.has_odd_id,
    ),
    *checked_rules(
        ("EE227", "not-a-url", _WARNING, sources.not_a_url),
        ("EE256", "url-of-nowhere", _WARNING, sources.url_of_nowhere),
        asks=sources.has_odd_urls,
    ),
    *checked_rules(
        ("EE228", "hf-repo-missing", _WARNING, sources.hf_repo_missing),
        ("EE231", "unknown-split", _WARNING, sources.unknown_split),
        ("EE240", "hf-repo-form", _WARNING, sources.hf_repo_form),
        ("EE254", "count-contradicts-list", _WARNING, sources.count_contradicts_list),
        asks=lambda record: record.has_hub_data,
    ),
    *checked_rules(
        ("EE232", "no-results", _WARNING, identity.no_results),
        asks=lambda record: not record.results,
    ),
    *checked_rules(
        ("EE264", "deployment-contradicts", _WARNING, parties.deployment_contradicts),
        asks=lambda record: (
            record.availability or record.platform or record.engine or record.with_judges
        ),
    ),
    *checked_rules(
        ("EE270", "version-of-other-program", _WARNING, parties.version_of_other_program),
        asks=lambda record: record.library_version or record.engine,
    ),
    *checked_rules(
        ("EE221", "empty-identifier", _ERROR, texts.empty_identifier),
        ("EE241", "surrounding-space", _WARNING, texts.surrounding_space),
        asks=texts.has_odd_identifiers,
    ),
    *checked_rules(
        ("EE223", "not-a-timestamp", _WARNING, identity.not_a_timestamp),
        ("EE224", "future-timestamp", _WARNING, identity.future_timestamp),
        ("EE225", "timestamps-backwards", _WARNING, identity.timestamps_backwards),
        asks=identity.has_odd_times,
    ),
    *checked_rules(
        ("EE266", "samples-file-contradicts", _WARNING, sources.samples_file_contradicts),
        asks=lambda record: record.samples,
    ),
)  # fmt: skip

#: Checked over all files of a call. Only the first degree is an error.
REPEATED = Rule(
    "EE243",
    "repeated-record",
    _ERROR,
    """A record repeats another one.

    Records of different evaluations have different ids: all files of one call are compared; with
    `--changed`, the changed files and those of the base. The hook does not check this, because it
    sees only some of the files.

    With `--changed`, the records that a branch adds are also compared by value, with each other and
    with the base. These are warnings: all scores of the same model are equal, and so are its
    set-up, its settings and `evaluation_timestamp`; they are equal after rounding to the digits of
    one of the two; most of them, with many digits, are those of another model; or all of at least
    four are the same, or the best possible ones.

    Bad: two records with `"evaluation_id": "npi/example/model-1/1760000000"`
    Bad: `"score": 0.852` of a paper, where the base has 0.8523 of the leaderboard
    Good: ids that differ in name, model or time, and scores that were measured
    """,
)
#: Pages of the rules of the schemas that only records have.
_SHAPE_PAGES: dict[str, str] = {
    "wrong-version": """`schema_version` is not the version of the record.

    The record is valid under a different version of the format; only the label is wrong.

    Bad: `"schema_version": "0.0.1"` in a record of version 0.1.0
    Good: `"schema_version": "0.1.0"`
    """,
    "unfit-old-record": """A record of version 0.0.1 does not fit its schema.

    Five writers used this version for five different layouts. A record with another layout is one
    finding, not one for each difference: it needs to be converted, not repaired.

    Bad: a record of 2025 whose keys are in no released schema
    Good: the record as its source would write it today
    """,
    "unknown-source-type": """`source_type` is not a value that the format lists.

    The other keys of `source_data` depend on it.

    Bad: `"source_type": "hf"`
    Good: `"source_type": "hf_dataset"`
    """,
    "levels-need-names": """A score of type "levels" lacks `level_names` or `has_unknown_level`.

    Versions before July 2026 also require them if `score_type` is missing, because in JSON Schema a
    condition on a missing key is true.

    Bad: `"score_type": "levels"`
    Good: `"score_type": "levels", "level_names": ["low", "high"], "has_unknown_level": false`
    """,
    "bounds-missing": """A score of type "continuous" has no bounds.

    Bad: `"score_type": "continuous"`
    Good: `"score_type": "continuous", "min_score": 0, "max_score": 1`
    """,
    "interaction-needs": """A sample lacks a key that its interaction type requires.

    A single turn has an `output`; a conversation has turns instead.

    Bad: `"interaction_type": "single_turn"` without `output`
    Good: `"interaction_type": "single_turn", "output": {"raw": ["yes"]}`
    """,
}

RECORD_SHAPE_RULES: tuple[Rule, ...] = tuple(
    Rule(code, name, _ERROR, _SHAPE_PAGES[name]) for code, name in RECORD_SHAPES.items()
)
