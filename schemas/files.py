"""The schema files: which ones exist, how to load them, and how to bundle one with its parts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

from evalmark.schemas.versions import RECORDS, SAMPLES

if TYPE_CHECKING:
    from referencing import Registry

Schema = dict[str, Any]

FOLDER = os.path.dirname(__file__)
#: Reads out of an archive as well; importlib.resources would take a tenth of a hook's time.
_READ: Callable[[str], bytes] = cast("Any", __spec__).loader.get_data
#: The edition of the code that ``compilation`` makes.
CODE = 3

#: Schema name → file, here if it has no folder. A schema is named after its kind, and its version
#: where there are several.
FILES: dict[str, str] = {
    "suite": "suite.schema.json",
    "suite-legacy": "suite-legacy.schema.json",
    **{version.schema: version.file for version in (*RECORDS, *SAMPLES)},
    "ltm-definition": "ltm-definition.schema.json",
    "ltm-result": "ltm-result.schema.json",
    "ltm-generation": "ltm-generation.schema.json",
    "ltm-stats": "ltm-stats.schema.json",
    "ltm-config": "ltm-config.schema.json",
    "ltm-log": "ltm-log.schema.json",
    "pairs": "pairs.schema.json",
}

#: Beginning of a schema's name -> where those who made the format describe it; other formats are
#: ours. The constraints are theirs; titles and descriptions are in our words.
ORIGINALS: dict[str, str] = {
    "suite": "SyntaxGym, https://github.com/cpllab/syntaxgym-core",
    "record": "Every Eval Ever, https://github.com/evaleval/every_eval_ever",
    "sample": "Every Eval Ever, https://github.com/evaleval/every_eval_ever",
    "ltm": "the LTM benchmark, https://github.com/GoodAI/goodai-ltm-benchmark",
    "pairs": "BLiMP, https://github.com/alexwarstadt/blimp, and of the sets that follow it",
}

#: Files that hold only definitions for others.
PARTS = ("suite-parts.schema.json",)


def load(name: str) -> Schema:
    """The schema ``name``, unbundled; raises KeyError if there is none."""
    return read_schema(FILES[name])


def with_origin(name: str) -> Schema:
    """A bundled schema that says whose constraints, and whose words, it has: for readers."""
    bundled = bundle(name)
    maker = ORIGINALS.get(name.partition("-")[0], "evalmark")
    text = f"The constraints are those of {maker}. Titles and descriptions are evalmark's words."
    comment = " ".join([text, *filter(None, [bundled.get("$comment")])])
    first = {"$schema": bundled["$schema"], "$comment": comment}
    return first | bundled | first


def registry() -> Registry[Any]:
    """All bundled schemas under their ``$id``."""
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT7

    documents = [read_schema(file) for file in (*FILES.values(), *PARTS)]
    return Registry().with_resources(
        (document["$id"], Resource.from_contents(document, DRAFT7)) for document in documents
    )


@cache
def bundle(name: str) -> Schema:
    """The schema ``name`` as one document, every ``$ref`` inside it; cached: do not modify it."""
    from copy import deepcopy

    document = load(name)
    schemas = registry()
    definitions: Schema = {}

    def take_in(node: Any, base: str) -> Any:
        if isinstance(node, list):
            return [take_in(child, base) for child in node]
        if not isinstance(node, dict):
            return node
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return {key: take_in(child, base) for key, child in node.items()}
        label = reference.rpartition("/")[2]
        if label not in definitions:
            resolved = schemas.resolver(base).lookup(reference)
            definitions[label] = {}  # ends the recursion of a recursive reference
            home = reference.partition("#")[0] or base
            definitions[label] = take_in(deepcopy(resolved.contents), home)
        return {"$ref": f"#/definitions/{label}"}

    schema = {key: value for key, value in document.items() if key != "definitions"}
    whole: Schema = take_in(schema, document["$id"])
    if definitions:
        whole["definitions"] = {key: definitions[key] for key in sorted(definitions)}
    return whole


def module_name(schema: str) -> str:
    """The name of the module that is made of a schema."""
    return schema.replace("-", "_").replace(".", "_")


def checksum(name: str) -> int:
    """The CRC-32 of a schema's files and of our code; KeyError if there is no such schema."""
    value = CODE
    for file in (FILES[name], *PARTS):
        value = crc32(_READ(os.path.join(FOLDER, file)), value)
    return value


def read_schema(file: str) -> Schema:
    """A schema file."""
    document: Schema = json.loads(_READ(os.path.join(FOLDER, file)))
    return document
