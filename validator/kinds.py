"""What a file is: the one table of kinds, and how the kind of a file is found from its content."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from evalmark.schemas import versions
from evalmark.schemas.accepting import accepts
from evalmark.validator.formats.hub.recognizing import is_benchmark, is_result
from evalmark.validator.formats.pairs.pair_sets import SETS
from evalmark.validator.kind import Kind
from evalmark.validator.reading.markers import LFS_POINTER


def has_triples(data: Mapping[str, Any]) -> bool:
    """Whether a suite is a legacy one: of triples of operand, relation, operand."""
    predictions = data.get("predictions")
    if isinstance(predictions, list):
        for prediction in predictions:
            if isinstance(prediction, dict):
                return "formula" not in prediction and bool(
                    {"l_operand", "r_operand", "relation"} & prediction.keys()
                )
    meta = data.get("meta")
    if isinstance(meta, dict):
        metric = meta.get("metric")
        return isinstance(metric, list) or metric == "all"
    return False


def _keys(*keys: str) -> frozenset[str]:
    return frozenset(keys)


def _is_script(data: dict[str, Any]) -> bool:
    """Whether an object has no other keys than a script; a default alone is a text."""
    known = data.keys() <= {"replies", "default"}
    return known and ("replies" in data or isinstance(data["default"], str))


_SUITE = (_keys("items", "predictions"), _keys("items", "region_meta"))
_SUITE_VIEW, _SUITE_RULES = (
    "formats.suites.suite_view:suite_view",
    "formats.suites.suite_rule_table:SUITE_RULES",
)

#: Kind -> what is known of it. The first one that fits an object is its kind.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "suite",
            "an object with `items` and `predictions` or `region_meta`",
            "SG",
            _SUITE,
            holds=lambda data: not has_triples(data),
            shapes="formats.suites.reshaping:in_shape",
            view=_SUITE_VIEW,
            rules=_SUITE_RULES,
            has_identity=True,
        ),
        Kind(
            "suite-legacy",
            "a suite whose predictions have `l_operand`, `relation` and `r_operand`",
            "SG",
            _SUITE,
            holds=has_triples,
            view=_SUITE_VIEW,
            rules=_SUITE_RULES,
            has_identity=True,
        ),
        Kind(
            "record",
            "an object with `evaluation_results`, or `schema_version` and `model_info`",
            "EE",
            (_keys("evaluation_results"), _keys("schema_version", "model_info")),
            is_versioned=True,
            is_relabelled=True,
            view="formats.records.record_view:record_view",
            rules="formats.records.record_rule_table:RECORD_RULES",
            has_identity=True,
            has_companions=True,
            has_place=True,
        ),
        Kind(
            "ltm-definition",
            "an object with `script` and `is_question`",
            "LT",
            (_keys("script", "is_question"),),
            view="formats.ltm.ltm_view:definition_view",
            rules="formats.ltm.ltm_rule_table:DEFINITION_RULES",
        ),
        Kind(
            "ltm-result",
            "an object with `task_log` and `actual_responses`",
            "LT",
            (_keys("task_log", "actual_responses"),),
            view="formats.ltm.ltm_view:result_view",
            rules="formats.ltm.ltm_rule_table:RESULT_RULES",
        ),
        Kind(
            "ltm-generation",
            "an object of just `content`, `question` and `answer`",
            "LT",
            (_keys("content", "question", "answer"),),
            has_no_other_keys=True,
        ),
        Kind(
            "ltm-stats",
            "an object with `managing_costs_usd` and `total_tokens`",
            "LT",
            (_keys("managing_costs_usd", "total_tokens"),),
        ),
        Kind(
            "ltm-config",
            "an object of `config` and `datasets`",
            "LT",
            (_keys("config", "datasets"),),
            view="formats.ltm.ltm_view:config_view",
            rules="formats.ltm.ltm_rule_table:CONFIG_RULES",
            configures_runs=True,
        ),
        Kind(
            "ltm-log",
            "an object of `type`, `timestamp`, `test_id` and `data`; one per line in .jsonl",
            "LT",
            (_keys("type", "timestamp", "test_id", "data"),),
            rows="formats.ltm.ltm_log:check_log",
        ),
        Kind(
            "agent-script",
            "an object of just `replies`, which has a reply for each message, and `default`",
            "LT",
            (_keys("replies"),),
            common_signs=(_keys("default"),),
            holds=_is_script,
        ),
        Kind(
            "sample",
            "an object with `evaluation_name` and `interaction_type`; one per line in .jsonl",
            "EE",
            (_keys("evaluation_name", "interaction_type"),),
            is_versioned=True,
            rows="formats.records.samples.check_samples:check_samples",
        ),
        Kind(
            "pairs",
            "an object with two texts, such as `sentence_good` and `sentence_bad`; one per line in "
            ".jsonl, in a list, or in the rows of a .csv or .tsv file",
            "MP",
            tuple(known.signs for known in SETS.values()),
            holds=lambda row: any(known.holds(row) for known in SETS.values()),
            rows="formats.pairs.check_pairs:check_pairs",
            in_lists="formats.pairs.check_pairs:check_list",
            in_tables=True,
            meant="formats.pairs.renaming:nearest",
            compared="rows.duplicates:Repeats",
            together="formats.pairs.shared_rows:SharedRows",
        ),
        Kind(
            "locomo",
            "an object with `qa` and sessions (LoCoMo), or a list of them",
            "MT",
            (_keys("qa", "conversation"), _keys("qa", "speaker_a"), _keys("qa", "session_1")),
            view="formats.memory_sets.locomo:locomo_view",
            rules="formats.memory_sets.memory_rule_table:LOCOMO_RULES",
            in_lists="rows.set_items:check_set",
        ),
        Kind(
            "longmemeval",
            "a list of objects with `question_id` and `haystack_sessions` (LongMemEval)",
            "MT",
            (_keys("question_id", "haystack_sessions"), _keys("question", "haystack_sessions")),
            view="formats.memory_sets.longmemeval:longmemeval_view",
            rules="formats.memory_sets.memory_rule_table:LONGMEMEVAL_RULES",
            in_lists="rows.set_items:check_set",
            compared="formats.memory_sets.same_call:QuestionIds",
            together="formats.memory_sets.same_call:SameCall",
        ),
        Kind(
            "longmemeval-answers",
            "an object with `question_id` and `hypothesis`; one per line in .jsonl",
            "MT",
            (_keys("question_id", "hypothesis"),),
            rows="formats.memory_sets.answers:check_answers",
            compared="formats.memory_sets.same_call:QuestionIds",
            together="formats.memory_sets.same_call:SameCall",
        ),
        Kind(
            "eval-results",
            "a list of objects with `dataset` and `value`, as in `.eval_results/*.yaml` of a model "
            "on the Hugging Face Hub",
            "HF",
            (_keys("dataset", "value"), _keys("dataset", "verifyToken")),
            common_signs=(_keys("dataset"),),
            holds=is_result,
            shapes="formats.hub.percentages:as_numbers",
            view="formats.hub.hub_entries:EntriesView",
            rules="formats.hub.hub_rule_table:ENTRY_RULES",
            in_lists="formats.hub.hub_files:check_entries",
            compared="formats.hub.same_model:HubFile",
            together="formats.hub.same_model:SameModel",
        ),
        Kind(
            "eval-yaml",
            "an object with `evaluation_framework` and `tasks`, as in `eval.yaml` of a data set on "
            "the Hugging Face Hub",
            "HF",
            (_keys("tasks", "evaluation_framework"),),
            common_signs=(_keys("tasks", "name"), _keys("tasks", "description")),
            holds=is_benchmark,
            ending="/eval.yaml",
            view="formats.hub.hub_entries:EvalYamlView",
            rules="formats.hub.hub_rule_table:BENCHMARK_RULES",
            in_lists="formats.hub.hub_files:check_benchmark",
            compared="formats.hub.same_model:HubFile",
            together="formats.hub.same_model:SameModel",
        ),
    )
}

#: Kinds of rows: a .jsonl file has one object of them on each line.
ROW_KINDS = tuple(kind.name for kind in KINDS.values() if kind.rows)

#: Elements of a list that may tell what it is.
FIRST = 100

_LFS = LFS_POINTER.encode()
_NO_KIND = Kind("", "", "LT", ())


class Document(NamedTuple):
    """Parsed data and what it is.

    Attributes:
        data: The parsed JSON.
        kind: A key of ``KINDS``, or None.
        version: Version of the format, where the kind has several: the one it is checked against,
            or the unknown one that it declares.
    """

    data: Any
    kind: str | None
    version: str | None = None

    @property
    def traits(self) -> Kind:
        """The entry of its kind; one without any abilities if the kind is unknown."""
        return KINDS.get(self.kind or "", _NO_KIND)

    @property
    def schema(self) -> str | None:
        """Name of the schema it is checked against; None if there is none."""
        if self.version is None:
            return self.kind
        version = versions.find(self.traits.name, self.version)
        return version.schema if version else None


def identify(data: Any, kind: str | None = None, version: str | None = None) -> Document:
    """Decide what parsed JSON is; ``kind`` and ``version`` override what it says itself."""
    kind = kind or detect(data)
    if kind is None or not Document(data, kind).traits.is_versioned:
        return Document(data, kind)
    if version is None:
        declared = data.get("schema_version") if isinstance(data, dict) else None
        if not isinstance(declared, str):
            fitting = fitting_version(data, kind) or versions.current(kind).name
            return Document(data, kind, fitting)
        return Document(data, kind, versions.named_by(kind, declared))
    found = versions.find(kind, version)
    return Document(data, kind, found.name if found else version)


def fitting_version(data: Any, kind: str) -> str | None:
    """The newest version under which the data would be valid if its label were right."""
    if not isinstance(data, dict):
        return None
    for version in reversed(versions.VERSIONS[kind]):
        if accepts(version.schema, {**data, "schema_version": version.name}):
            return version.name
    return None


def detect(data: Any) -> str | None:
    """The kind of parsed JSON; None if it is not one of ours."""
    if isinstance(data, list):
        kinds = (KINDS.get(detect(row) or "") for row in data[:FIRST] if isinstance(row, dict))
        return next((kind.name for kind in kinds if kind and kind.in_lists), None)
    if not isinstance(data, dict):
        return None
    return next((kind.name for kind in KINDS.values() if kind.fits(data)), None)


def kind_of_table(header: Collection[str]) -> str | None:
    """The kind whose rows a table with these columns has, perhaps under other names."""
    kinds = [kind for kind in KINDS.values() if kind.in_tables]
    for kind in kinds:
        if any(signs.issubset(header) for signs in kind.signs):
            return kind.name
    for kind in kinds:
        near = load(kind.meant)(header) if kind.meant else None
        if near is not None and not near.missing:
            return kind.name
    return None


def could_be_ours(raw: bytes, path: str = "") -> bool:
    """Whether a text contains the keys of some kind, or its path ends as one does.

    A pointer of Git LFS could be any file.

    For files that are slow to read.
    """
    if raw.startswith(_LFS):
        return True
    every = (signs for kind in KINDS.values() for signs in kind.signs)
    known = any(all(key.encode() in raw for key in signs) for signs in every)
    place = f"/{path}".replace("\\", "/")
    return known or any(kind.ending and place.endswith(kind.ending) for kind in KINDS.values())


@cache
def load(name: str) -> Any:
    """What an entry of the table names as ``module:name``."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"evalmark.validator.{module}"), attribute)
