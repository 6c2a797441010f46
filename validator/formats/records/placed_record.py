"""A record together with its place in a datastore.

A datastore keeps a record at ``data/<collection>/<developer>/<model>/<uuid>.json`` and its samples
next to it, at ``<uuid>_samples.jsonl``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from evalmark.validator.fields import Fields

#: The folders below ``data`` that lead to a record.
LEVELS = ("collection", "developer", "model")


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A record in a datastore.

    Attributes:
        record: The fields of the record.
        path: Where its file lies.
        parts: The path from the last folder ``data`` on, that folder left out.
    """

    record: Fields
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
    return below if everywhere or len(below) == len(LEVELS) + 1 else None
