"""What a file is: its kind and version, found from its content."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.schemas.accepting import accepts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Kind → what a file of it looks like, in words.
KINDS: dict[str, str] = {
    "suite": "an object with `items` and `predictions` or `region_meta`",
    "suite-legacy": "a suite whose predictions have `l_operand`, `relation` and `r_operand`",
    "record": "an object with `evaluation_results`, or `schema_version` and `model_info`",
    "ltm-definition": "an object with `script` and `is_question`",
    "ltm-result": "an object with `task_log` and `actual_responses`",
    "ltm-generation": "an object of just `content`, `question` and `answer`",
    "ltm-stats": "an object with `managing_costs_usd` and `total_tokens`",
    "ltm-config": "an object of `config` and `datasets`",
    "ltm-log": "an object of `type`, `timestamp`, `test_id` and `data`; one on each line of .jsonl",
    "sample": "an object with `evaluation_name` and `interaction_type`; one on each line of .jsonl",
}

#: Kind → keys by which it is known; the first that are all there decide.
_SIGNS: tuple[tuple[str, frozenset[str]], ...] = (
    ("record", frozenset({"evaluation_results"})),
    ("record", frozenset({"schema_version", "model_info"})),
    ("sample", frozenset({"evaluation_name", "interaction_type"})),
    ("ltm-definition", frozenset({"script", "is_question"})),
    ("ltm-result", frozenset({"task_log", "actual_responses"})),
    ("ltm-stats", frozenset({"managing_costs_usd", "total_tokens"})),
    ("ltm-log", frozenset({"type", "timestamp", "test_id", "data"})),
    ("ltm-config", frozenset({"config", "datasets"})),
    ("suite", frozenset({"items", "predictions"})),
    ("suite", frozenset({"items", "region_meta"})),
)
#: A generation file has nothing to know it by but that it has no more than these.
_GENERATION = frozenset({"content", "question", "answer"})

#: Kinds of rows: a .jsonl file has one object of them on each line.
ROW_KINDS = ("sample", "ltm-log")

#: Versions that a schema is bundled for, oldest first.
RECORD_VERSIONS = ("0.0.1", "0.1.0", "0.2.0", "0.2.1", "0.2.2", "0.3.0")
SAMPLE_VERSIONS = ("0.2.0", "0.2.1", "0.2.2", "0.3.0")

#: Labels of versions that share the constraints of another one.
SAME_AS = {"0.2.3": "0.3.0"}

#: What sample files put before the version until 0.3.0.
SAMPLE_LABEL = "instance_level_eval_"


@dataclass(frozen=True, slots=True)
class Document:
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
    def schema(self) -> str | None:
        """Name of the schema it is checked against; None if there is none."""
        if self.version is None:
            return self.kind
        known = RECORD_VERSIONS if self.kind == "record" else SAMPLE_VERSIONS
        return f"{self.kind}-{self.version}" if self.version in known else None


def identify(data: Any, kind: str | None = None, version: str | None = None) -> Document:
    """Decide what parsed JSON is; ``kind`` and ``version`` override what it says itself."""
    kind = kind or detect(data)
    if kind not in ("record", "sample"):
        return Document(data, kind)
    if version is None:
        declared = data.get("schema_version") if isinstance(data, dict) else None
        if isinstance(declared, str):
            version = declared.removeprefix(SAMPLE_LABEL) if kind == "sample" else declared
        else:
            version = fitting_version(data, kind) or _versions(kind)[-1]
    return Document(data, kind, SAME_AS.get(version, version))


def fitting_version(data: Any, kind: str) -> str | None:
    """The newest version under which the data would be valid, were its label right."""
    if not isinstance(data, dict):
        return None
    for version in reversed(_versions(kind)):
        if accepts(f"{kind}-{version}", {**data, "schema_version": version}):
            return version
    return None


def _versions(kind: str) -> tuple[str, ...]:
    return RECORD_VERSIONS if kind == "record" else SAMPLE_VERSIONS


def detect(data: Any) -> str | None:
    """The kind of parsed JSON; None if it is none of ours."""
    if not isinstance(data, dict):
        return None
    keys = data.keys()
    for kind, signs in _SIGNS:
        if signs <= keys:
            return "suite-legacy" if kind == "suite" and _is_legacy(data) else kind
    return "ltm-generation" if keys == _GENERATION else None


def could_be_ours(raw: bytes) -> bool:
    """Whether the keys of some kind stand in a text at all; for files that are slow to read."""
    signs = (*(keys for _, keys in _SIGNS), _GENERATION)
    return any(all(key.encode() in raw for key in keys) for keys in signs)


def _is_legacy(data: dict[str, Any]) -> bool:
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
