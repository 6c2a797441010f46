"""Rules on the place of a record in a datastore, and on what Every Eval Ever's validator rejects.

They do not decide whether a record is valid. The validator ("the gate") is ``every_eval_ever
validate`` 0.3.0: it has models of its own, reads every record as one of 0.3.0 and ignores the
JSON schema.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.views.fields import mapping
from evalmark.validator.views.placed_record import LEVELS, PlacedRecord
from evalmark.validator.views.record import RecordView

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_FILE = re.compile(rf"{_UUID}(\.json|_samples\.jsonl)")
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]')
_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(\..*)?", re.IGNORECASE)


def datastore_path(place: PlacedRecord) -> Iterator[Hit]:
    """A record in a datastore is at `data/<collection>/<developer>/<model>/<uuid>.json`.

    Folder names must be valid on every operating system, and the file name is a lower-case UUID of
    version 4. Readers of the datastore do not find files elsewhere.

    Bad: `data/gsm8k/record.json`
    Good: `data/gsm8k/openai/gpt-4o/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json`
    """
    *folders, name = place.parts
    if len(folders) != len(LEVELS):
        yield Hit(
            f"expected three folders between `data` and the file, found {len(folders)}",
            At(""),
            notes=("expected data/<collection>/<developer>/<model>/<uuid>.json",),
        )
        return
    for level, folder in zip(LEVELS, folders, strict=True):
        if why := _unfit(folder):
            yield Hit(f'{level} folder "{folder}" {why}', At(""))
    if not _FILE.fullmatch(name):
        yield Hit(f'file name "{name}" is not a lower-case UUID of version 4', At(""))


def datastore_samples(place: PlacedRecord) -> Iterator[Hit]:
    """In a datastore, the sample file is next to its record and has the same name.

    `file_path` is relative to the folder that contains `data`.

    Bad: `"file_path": "samples.jsonl"`
    Good: `"file_path": "data/gsm8k/openai/gpt-4o/<uuid>_samples.jsonl"`
    """
    record = place.record
    stated = record.text("samples_path")
    beside = place.path.removesuffix(".json") + "_samples.jsonl"
    if not mapping(record.get("samples")):
        if os.path.isfile(beside):
            yield Hit(
                "there is a sample file next to this record, but the record does not name it",
                At(""),
                helps=(f'write "detailed_evaluation_results" with "file_path": "{place.samples}"',),
            )
    elif stated is not None and stated.strip() != place.samples:
        yield Hit(
            "`file_path` is not the sample file next to this record",
            At(record.at("samples_path")),
            helps=(f'write "{place.samples}"',),
        )


def datastore_model(place: PlacedRecord) -> Iterator[Hit]:
    """In a datastore, the folders of a record are the developer and the name of its model.

    They are the two sides of the first `/` in the model's id; any further `/` becomes `_`. If the
    id has no `/`, the developer is the one in the record.

    Bad: a record of `openai/gpt-4o` in `data/gsm8k/anthropic/gpt-4o`
    Good: the same record in `data/gsm8k/openai/gpt-4o`
    """
    record = place.record
    name = record.text("model_id")
    if len(place.parts) != len(LEVELS) + 1 or name is None:
        return
    developer, slash, rest = name.partition("/")
    if not slash:
        developer, rest = str(record.get("developer") or place.parts[1]), name
    wanted = (developer, rest.replace("/", "_"))
    # Characters that folder names cannot have are replaced.
    fit = tuple(_FORBIDDEN.sub("_", name) for name in wanted)
    if place.parts[1:3] not in (wanted, fit):
        yield Hit(
            f"the folder is {'/'.join(place.parts[1:3])}, but the model is {'/'.join(wanted)}",
            At(record.at("model_id")),
        )


def _unfit(folder: str) -> str | None:
    if folder == "data":
        return "has the name of the root folder"
    if _FORBIDDEN.search(folder):
        return "has characters that some operating systems do not allow in names"
    if folder != folder.rstrip(". "):
        return "ends in a dot or a space"
    return "is a reserved name on Windows" if _RESERVED.fullmatch(folder) else None


def gate_null_bounds(record: RecordView) -> Iterator[Hit]:
    """EEE's validator requires numbers as the bounds of a continuous score.

    The format allows `null` for an unknown bound, the validator does not.

    Bad: `"score_type": "continuous", "max_score": null`
    Good: `"max_score": "Infinity"`
    """
    for result in record.results:
        if result.get("score_type") != "continuous":
            continue
        for field in ("low", "high"):
            if result.has(field) and result.get(field) is None:
                yield Hit(
                    f"EEE's validator rejects null as `{result.key(field)}` of a continuous score",
                    At(result.at(field)),
                    helps=('write a number, "Infinity" or "-Infinity"',),
                )
