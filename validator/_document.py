"""What a file is: its kind and version, found from its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Kind → what a file of it looks like, in words.
KINDS: dict[str, str] = {
    "suite": "an object with `items` and `predictions` or `region_meta`",
    "suite-legacy": "a suite whose predictions have `l_operand`, `relation` and `r_operand`",
    "record": "an object with `evaluation_results`, or `schema_version` and `model_info`",
}

#: Record versions that a schema is bundled for; the last is the default.
RECORD_VERSIONS = ("0.2.0",)


@dataclass(frozen=True, slots=True)
class Document:
    """Parsed data and what it is.

    Attributes:
        data: The parsed JSON.
        kind: A key of ``KINDS``, or None.
        version: Version of the format, where the kind has several.
    """

    data: Any
    kind: str | None
    version: str | None = None

    @property
    def schema(self) -> str | None:
        """Name of the schema it is checked against; None if there is none."""
        if self.kind != "record":
            return self.kind
        return f"record-{self.version}" if self.version in RECORD_VERSIONS else None


def identify(data: Any, kind: str | None = None, version: str | None = None) -> Document:
    """Decide what parsed JSON is; ``kind`` and ``version`` override what it says itself."""
    kind = kind or detect(data)
    if kind != "record":
        return Document(data, kind)
    declared = data.get("schema_version") if isinstance(data, dict) else None
    if version is None:
        # Without a usable declaration, the schema says what is wrong with it.
        version = declared if isinstance(declared, str) else RECORD_VERSIONS[-1]
    return Document(data, kind, version)


def detect(data: Any) -> str | None:
    """The kind of parsed JSON; None if it is none of ours."""
    if not isinstance(data, dict):
        return None
    if "evaluation_results" in data or ("schema_version" in data and "model_info" in data):
        return "record"
    if "items" in data and ("predictions" in data or "region_meta" in data):
        return "suite-legacy" if _is_legacy(data) else "suite"
    return None


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
