"""Places of a record: its collection, its models, its path in a datastore."""

from __future__ import annotations

import hashlib
import re
import uuid
from typing import Any

from evalmark.validator.formats.records.record_fields import fields_in
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.io.writing import portable_name

_INDEX = re.compile(r"/\d+(?=/|$)")
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
#: The end of a path within a datastore: collection, developer, model, and a UUID as the name.
_STORED = re.compile(rf"(?:^|/)(data/([^/]+)/[^/]+/[^/]+/{_UUID})\.json$")
#: The ends of a scale, and the direction: keys in a table of metrics.
BOUNDS, LOWER = ("min_score", "max_score"), "lower_is_better"
#: Key in a table of metrics, and in one of models -> its field in a record.
METRIC_KEYS = {"min_score": "low", "max_score": "high", LOWER: "lower_is_better"}
MODEL_KEYS = {
    "deployment_type": "deployment", "model_availability": "availability", "id": "model_id",
}  # fmt: skip
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
    first, slash, _ = str(fields_in(record).get("evaluation_id") or "").partition("/")
    return first if slash else ""


def model_key(holder: Fields) -> str:
    """The key of the model of a record or a judge in a table of models: its id, else its name."""
    return str(holder.get("model_id") or holder.get("model_name") or "")


def stored_samples(path: str) -> str | None:
    """The name that a record in a datastore must have for its samples; None outside of one."""
    stored = _STORED.search(path.replace("\\", "/"))
    return f"{stored[1]}_samples.jsonl" if stored else None


def proposed_samples(record: dict[str, Any], path: str) -> str:
    """A place for the samples of a record that is in no datastore, from what it states."""
    fields = fields_in(record)
    developer, slash, name = model_key(fields).partition("/")
    if not slash:
        developer, name = str(fields.get("developer") or "unknown"), developer
    parts = (collection_of(record) or "unknown", developer, name)
    named = re.findall(_UUID, path)
    digest = hashlib.sha256(f"{fields.get('evaluation_id')}{path}".encode()).digest()
    stem = named[-1] if named else uuid.UUID(bytes=digest[:16], version=4)
    return f"data/{'/'.join(map(portable_name, parts))}/{stem}_samples.jsonl"


def lacks_owner(model: str) -> bool:
    """True if the id of a model does not say whose it is: it is a name, or that of a folder."""
    return "/" not in model or model.startswith("local/")
