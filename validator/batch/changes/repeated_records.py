"""New records that repeat another one under another id: exactly, or with rounded scores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from evalmark.validator.batch.changes.base_results import RecordScores
from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.formats.records.compared_results import (
    ComparedResult,
    are_same_results,
    compared_results,
)
from evalmark.validator.formats.records.record_view import RECORD, RESULT
from evalmark.validator.formats.shared.fields import mapping
from evalmark.validator.reading.strict_json import is_shallow

#: What differs between two records of one evaluation, and its results, that was submitted twice.
#: The time of the evaluation itself does not: there may be two runs with the same scores.
_FREE = {RECORD[field][0] for field in ("evaluation_id", "retrieved", "samples")}
_FREE_OF_RESULTS = {RESULT["identity"][0]}
#: Keys of `model_info` with which a run differs from another one of the same model.
_SETUP = ("inference_platform", "inference_engine", "additional_details")
#: New records alike that are compared with each other; further ones are compared with the first.
_MOST_ALIKE = 8
#: New records of which the results are kept, for the next comparison.
_KEPT = 1000


class Twin(NamedTuple):
    """A new record, and another one: a file of the base, or a new one without a blob."""

    change: ChangedFile
    identity: str
    counterpart: str
    blob: str = ""


class NewRecord(Protocol):
    """A new record: its file and its id."""

    @property
    def change(self) -> ChangedFile:
        """The file."""

    @property
    def identity(self) -> str | None:
        """The evaluation id."""


class _Details(NamedTuple):
    """What tells records alike apart: a digest, how the model was run, the results."""

    digest: bytes
    setup: Any
    results: list[ComparedResult]


class Twins:
    """The new records, to be compared with each other and with those of the base.

    Attributes:
        exact: Pairs of records that are equal except for what differs between two submissions.
        near: Pairs with the same results, after rounding.
    """

    def __init__(self, load: Callable[[str], dict[str, Any] | None]) -> None:
        self.exact: list[Twin] = []
        self.near: list[Twin] = []
        self._first: dict[int, NewRecord] = {}
        self._alike: dict[int, list[NewRecord]] = {}
        self._models: set[str] = set()

        def details_at(path: str) -> _Details:
            return _details(load(path) or {})

        self._details_at = lru_cache(_KEPT)(details_at)

    def add(self, new: NewRecord, scores: RecordScores) -> None:
        """Take in a new record."""
        if likenesses := scores.likenesses():
            self._models.add(scores.model)
            # Most records are like no other: a list for each would take twice the memory.
            first = self._first.setdefault(likenesses[0], new)
            if first is not new:
                self._alike.setdefault(likenesses[0], [first]).append(new)

    def compare_new(self) -> None:
        """Compare the new records with each other."""
        for several in self._alike.values():
            for at, new in enumerate(several[1:], start=1):
                details = self._details_at(new.change.path)
                for other in several[: min(at, _MOST_ALIKE)]:
                    if other.identity != new.identity:
                        twin = Twin(new.change, new.identity or "", other.change.path)
                        if self._note(twin, details, self._details_at(other.change.path)):
                            break

    def compare(
        self, place: str, blob: str, identity: str | None, record: dict[str, Any],
        scores: RecordScores,
    ) -> None:  # fmt: skip
        """Compare with a record of the base: its place, its blob, its id, and what it holds."""
        details: _Details | None = None
        for likeness in scores.likenesses() if scores.model in self._models else ():
            first = self._first.get(likeness)
            if first is None:
                continue
            for new in self._alike.get(likeness, (first,)):
                if new.identity != identity:
                    details = details or _details(record)
                    twin = Twin(new.change, new.identity or "", place, blob)
                    self._note(twin, self._details_at(new.change.path), details)

    def _note(self, twin: Twin, new: _Details, other: _Details) -> bool:
        """Keep a pair if one repeats the other; whether it does."""
        if new.digest == other.digest:
            self.exact.append(twin)
            return True
        if new.setup == other.setup and are_same_results(new.results, other.results):
            self.near.append(twin)
            return True
        return False


def _details(record: dict[str, Any]) -> _Details:
    """The details of a record: a digest without its ids, its time of retrieval and its samples."""
    if not is_shallow(record):  # nested deeper than any record: like nothing else
        return _Details(os.urandom(16), None, [])
    text = json.dumps(_rest(record), sort_keys=True)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    about = mapping(record.get("model_info"))
    setup = [about.get(key) for key in _SETUP], record.get("eval_library")
    return _Details(digest, setup, list(compared_results(record)))


def _rest(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what may differ."""
    rest = {key: value for key, value in record.items() if key not in _FREE}
    rest["evaluation_results"] = [
        {key: value for key, value in mapping(result).items() if key not in _FREE_OF_RESULTS}
        for result in record.get("evaluation_results") or ()
    ]
    return rest
