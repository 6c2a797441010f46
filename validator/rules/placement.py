"""Rules on where a record lies in a datastore. They say nothing on whether it is valid.

A datastore keeps a record at ``data/<collection>/<developer>/<model>/<uuid>.json`` and its samples
beside it, at ``<uuid>_samples.jsonl``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.views.record import mapping

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_FILE = re.compile(rf"{_UUID}(\.json|_samples\.jsonl)")
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]')
_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(\..*)?", re.IGNORECASE)
_LEVELS = ("collection", "developer", "model")


@dataclass(frozen=True)
class PlacementFacts:
    """A record or sample file of a datastore.

    Attributes:
        data: The record; empty for a sample file.
        path: Where the file lies.
        parts: The path from the last folder ``data`` on, that folder left out.
    """

    data: Mapping[str, Any]
    path: str
    parts: tuple[str, ...]

    @property
    def samples(self) -> str:
        """The path, within the datastore, of the samples that belong to the record."""
        stem = self.parts[-1].removesuffix(".json")
        return "/".join(("data", *self.parts[:-1], f"{stem}_samples.jsonl"))


def datastore_parts(path: str, *, everywhere: bool = False) -> tuple[str, ...] | None:
    """The path below the folder ``data``; None where no datastore is meant.

    Other folders are called ``data`` too. It is taken for the root of a datastore if the file lies
    three folders below it, or if the caller says that it is one (``everywhere``).
    """
    parts = os.path.abspath(path).split(os.sep)
    if "data" not in parts[:-1]:
        return tuple(parts[-1:]) if everywhere else None
    last = len(parts) - 2 - parts[-2::-1].index("data")
    below = tuple(parts[last + 1 :])
    return below if everywhere or len(below) == len(_LEVELS) + 1 else None


def datastore_path(facts: PlacementFacts) -> Iterator[Hit]:
    """A record of a datastore lies at `data/<collection>/<developer>/<model>/<uuid>.json`.

    The names of the folders must be good on every system, and the file is named by a UUID of
    version 4 in small letters. Other places are not found by those who read the datastore.

    Bad: `data/gsm8k/record.json`
    Good: `data/gsm8k/openai/gpt-4o/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json`
    """
    *folders, name = facts.parts
    if len(folders) != len(_LEVELS):
        yield Hit(
            f"file lies {len(folders)} folders below `data`, and not three",
            At(""),
            notes=("expected data/<collection>/<developer>/<model>/<uuid>.json",),
        )
        return
    for level, folder in zip(_LEVELS, folders, strict=True):
        why = _unfit(folder)
        if why:
            yield Hit(f'{level} folder "{folder}" {why}', At(""))
    if not _FILE.fullmatch(name):
        yield Hit(f'file name "{name}" is no UUID of version 4 in small letters', At(""))


def datastore_samples(facts: PlacementFacts) -> Iterator[Hit]:
    """In a datastore, samples lie beside their record, under its name.

    `file_path` is written as seen from the folder that holds `data`, wherever the check is run.

    Bad: `"file_path": "samples.jsonl"`
    Good: `"file_path": "data/gsm8k/openai/gpt-4o/<uuid>_samples.jsonl"`
    """
    link = mapping(facts.data.get("detailed_evaluation_results"))
    stated = link.get("file_path")
    beside = facts.path.removesuffix(".json") + "_samples.jsonl"
    if not link:
        if os.path.isfile(beside):
            yield Hit(
                "samples lie beside this record, and it does not name them",
                At(""),
                helps=(f'write "detailed_evaluation_results" with "file_path": "{facts.samples}"',),
            )
    elif isinstance(stated, str) and stated.strip() != facts.samples:
        yield Hit(
            "the samples of this record are not those beside it",
            At("/detailed_evaluation_results/file_path"),
            helps=(f'write "{facts.samples}"',),
        )


def datastore_model(facts: PlacementFacts) -> Iterator[Hit]:
    """In a datastore, the folders of a record say whose model it is about.

    They are the two sides of the first `/` of the model's id; a further `/` becomes `_`. For an id
    without one, the developer is that of the record.

    Bad: a record of `openai/gpt-4o` in `data/gsm8k/anthropic/gpt-4o`
    Good: the same record in `data/gsm8k/openai/gpt-4o`
    """
    model = mapping(facts.data.get("model_info"))
    name = model.get("id")
    if len(facts.parts) != len(_LEVELS) + 1 or not isinstance(name, str):
        return
    developer, slash, rest = name.partition("/")
    if not slash:
        developer, rest = str(model.get("developer") or facts.parts[1]), name
    wanted = (developer, rest.replace("/", "_"))
    # What no folder may be called is written otherwise there.
    fit = tuple(_FORBIDDEN.sub("_", name) for name in wanted)
    if facts.parts[1:3] not in (wanted, fit):
        yield Hit(
            f"folder is {'/'.join(facts.parts[1:3])}, the model is {'/'.join(wanted)}",
            At("/model_info/id"),
        )


def _unfit(folder: str) -> str | None:
    if folder == "data":
        return "is the name of the root"
    if _FORBIDDEN.search(folder):
        return "has characters that some systems forbid in names"
    if folder != folder.rstrip(". "):
        return "ends in a dot or a space"
    return "is a reserved name on Windows" if _RESERVED.fullmatch(folder) else None
