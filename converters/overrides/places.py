"""Places of a record: its collection, its models, its path in a datastore."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.validator.formats.shared.json_values import mapping
from evalmark.validator.io.writing import portable_name

_INDEX = re.compile(r"/\d+(?=/|$)")
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
#: The end of a path within a datastore: collection, developer, model, and a UUID as the name.
_STORED = re.compile(rf"(?:^|/)(data/([^/]+)/[^/]+/[^/]+/{_UUID})\.json$")
#: The ends of a scale, as members of ``metric_config``.
BOUNDS = ("min_score", "max_score")
#: Keys in a table of metrics; they are members of ``metric_config``.
LOWER = "lower_is_better"
METRIC_KEYS = (*BOUNDS, LOWER)
#: Where the place of samples is stated.
SAMPLES = "/detailed_evaluation_results/file_path"
#: The format's word for what is not known; a value from a wider table replaces it.
UNKNOWN = "unknown"
#: The key by which a file of defaults says that somebody has read what it proposes.
REVIEWED = "reviewed"


def generalized(pointer: str) -> str:
    """A pointer with ``*`` for each index."""
    return _INDEX.sub("/*", pointer)


def collection_of(record: dict[str, Any], path: str = "") -> str:
    """The collection of a record: its folder in a datastore, else the first word of its id."""
    stored = _STORED.search(path.replace("\\", "/"))
    if stored:
        return stored[2]
    first, slash, _ = str(record.get("evaluation_id") or "").partition("/")
    return first if slash else ""


def models_of(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The pointer and the object of each model: the one that was evaluated, then the judges."""
    model = record.get("model_info")
    if isinstance(model, dict):
        yield "/model_info", model
    for index, result in results_of(record):
        judges = mapping(mapping(result.get("metric_config")).get("llm_scoring")).get("judges")
        for number, judge in enumerate(judges if isinstance(judges, list) else ()):
            if isinstance(judge, dict) and isinstance(judge.get("model_info"), dict):
                at = f"/evaluation_results/{index}/metric_config/llm_scoring/judges/{number}"
                yield f"{at}/model_info", judge["model_info"]


def model_key(model: Mapping[str, Any]) -> str:
    """The key of a model in a table of models: its id, or its name if it has none."""
    return str(model.get("id") or model.get("name") or "")


def results_of(record: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Index and object of each result."""
    results = record.get("evaluation_results")
    for index, result in enumerate(results if isinstance(results, list) else ()):
        if isinstance(result, dict):
            yield index, result


def stored_samples(path: str) -> str | None:
    """The name that a record in a datastore must have for its samples; None outside of one."""
    stored = _STORED.search(path.replace("\\", "/"))
    return f"{stored[1]}_samples.jsonl" if stored else None


def proposed_samples(record: dict[str, Any], path: str) -> str:
    """A place for the samples of a record that is in no datastore, from what it states."""
    model = mapping(record.get("model_info"))
    developer, slash, name = model_key(model).partition("/")
    if not slash:
        developer, name = str(model.get("developer") or "unknown"), developer
    parts = (collection_of(record) or "unknown", developer, name)
    named = re.findall(_UUID, path)
    digest = hashlib.sha256(f"{record.get('evaluation_id')}{path}".encode()).digest()
    stem = named[-1] if named else uuid.UUID(bytes=digest[:16], version=4)
    return f"data/{'/'.join(map(portable_name, parts))}/{stem}_samples.jsonl"


def lacks_owner(model: str) -> bool:
    """True if the id of a model does not say whose it is: it is a name, or that of a folder."""
    return "/" not in model or model.startswith("local/")
