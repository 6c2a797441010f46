"""What files are known by: ids, names, results and sample files, found without checking them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from typing import Any, NamedTuple

from evalmark.validator.batch.changes import RepositoryPaths
from evalmark.validator.edge.git import Repository
from evalmark.validator.edge.opening import read_or_nothing
from evalmark.validator.fields import column, mapping
from evalmark.validator.format import Document
from evalmark.validator.formats.known import could_be_ours, format_of
from evalmark.validator.formats.records.record_view import RECORD, RESULT, fields_of
from evalmark.validator.reading.lines import LFS_POINTER
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import is_shallow

#: Endings of files of one document, which can have an id or a name.
DOCUMENTS = (".json", ".yaml", ".yml")
_YAML = (".yaml", ".yml")
#: What differs between two records of one evaluation, and its results, that was submitted twice.
#: The time of the evaluation itself does not: there may be two runs with the same scores.
_FREE = {RECORD[field][0] for field in ("evaluation_id", "retrieved", "samples")}
_FREE_OF_RESULTS = {RESULT["identity"][0]}
#: What a line of YAML can say that a file is known by.
_IN_YAML = re.compile(
    rb"""(?:evaluation_id|name|file_path)["']?\s*:\s*["']?([^\s"'].*?)["']?\s*(?:\s#.*)?$""",
    re.MULTILINE,
)
#: What git has of a file that is in Git LFS.
_LFS = LFS_POINTER.encode()


class KnownBy(NamedTuple):
    """What a file is known by.

    Attributes:
        data: Its data.
        kind: The name of its format.
        identity: The evaluation id of a record, or the name of a suite; see ``Report``.
        likeness: A number that is equal for records of the same model with the same scores.
        samples: The path of the sample file that a record names.
    """

    data: Any
    kind: str
    identity: str | None = None
    likeness: int | None = None
    samples: str | None = None


def known_by(raw: bytes, path: str) -> KnownBy | None:
    """What a file is known by; None if it is not one of ours, or cannot be parsed."""
    if not could_be_ours(raw):
        return None
    try:
        data = _yaml(raw, path) if path.endswith(_YAML) else fastest_loads()(raw)
    except (ValueError, RecursionError):
        return None
    form = format_of(data)
    if form is None or isinstance(data, list):
        return None
    declared = data.get("schema_version")
    document = Document(data, form, declared if isinstance(declared, str) else None)
    identity = form.identity(document)
    if not form.is_record:
        return KnownBy(data, form.name, identity) if identity else None
    record = fields_of(document)
    samples = record.text("samples_path")
    return KnownBy(data, form.name, identity, _likeness(data), samples)


@cache
def fastest_loads() -> Callable[[bytes], Any]:
    """What parses JSON: not as strictly as a check, and much faster."""
    if find_spec("orjson"):
        import orjson

        return orjson.loads
    return json.loads


def _yaml(raw: bytes, path: str) -> Any:
    reading = read(raw, path)
    return reading.data if reading.readable else None


def _likeness(data: dict[str, Any]) -> int | None:
    about = mapping(data.get("model_info"))
    model = about.get("id") or about.get("name")
    results = data.get("evaluation_results")
    if not isinstance(model, str) or not isinstance(results, list) or not results:
        return None
    names, scores = (column(results, field, RESULT) for field in ("name", "score"))
    try:
        return hash((model, *names, *scores))
    except TypeError:  # a list or an object where the format has none
        return None


def content_of(record: dict[str, Any]) -> bytes:
    """A digest of a record without its ids, its time of retrieval and its samples."""
    if not is_shallow(record):  # nested deeper than any record: like nothing else
        return os.urandom(16)
    text = json.dumps(_rest(record), sort_keys=True)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _rest(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what may differ."""
    rest = {key: value for key, value in record.items() if key not in _FREE}
    rest["evaluation_results"] = [
        {key: value for key, value in mapping(result).items() if key not in _FREE_OF_RESULTS}
        for result in record["evaluation_results"]
    ]
    return rest


class BaseFile(NamedTuple):
    """A file of the base: its path from the root, the id of its blob, and what it is known by."""

    place: str
    blob: str
    known: KnownBy


def base_files(
    repository: Repository,
    base: str,
    places: RepositoryPaths,
    replaced: Collection[str],
    is_wanted: Callable[[bytes], bool],
    told: Callable[[str], object],
    lacking: Callable[[str], object],
) -> Iterator[BaseFile]:
    """The files of the base that are known by something, one after the other.

    Args:
        repository: Where.
        base: The commit.
        places: What is looked at.
        replaced: RepositoryPaths of files that the branch changes or deletes, which are left out.
        is_wanted: Whether a name in a YAML file is worth reading it: that takes long.
        told: Called with the place of every file of our endings, those left out included.
        lacking: Called with the place of every file whose content this clone lacks.
    """

    def documents() -> Iterator[tuple[tuple[str, str], str]]:
        for mode, blob, place in repository.tree(base):
            if mode.startswith("100") and places.are_ours(place, DOCUMENTS):
                told(place)
                if place not in replaced:
                    yield (place, blob), blob

    for (place, blob), content in repository.blobs(documents()):
        if content is None:
            lacking(place)
            continue
        raw = content if not content.startswith(_LFS) else read_or_nothing(places.path_of(place))
        if place.endswith(_YAML) and not any(map(is_wanted, _IN_YAML.findall(raw))):
            continue
        known = known_by(raw, place)
        if known is not None:
            yield BaseFile(place, blob, known)
