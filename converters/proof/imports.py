"""Every value of results of another program: where it is in their records, or why it is not.

A value is looked for by what it is, whatever the importer has read: as a text or number of its own,
inside a longer text, or as a time in another unit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evalmark.converters.proof.leaves import ADDED, CONVERTED, LEFT_OUT, MOVED, Leaf, leaves_of
from evalmark.converters.proof.proof import Proof
from evalmark.converters.records.writer import BuiltRecord
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.source import make_pointer

#: Bytes of results beyond which no value is looked for.
_LARGE = 1 << 25
#: Ends of pointers -> why what is there decides what is written, and is not written.
_DECIDES = {
    "/status": "a log that has not ended is refused",
    "/name/name": "a number of the run, whose name says which it is",
}


class Import:
    """Results of one file or folder, and the records that are made of them.

    Args:
        path: The file or folder.
        data: Its value, if it has been parsed.
    """

    def __init__(self, path: Path, data: Any) -> None:
        self.files = sorted(path.glob("*.json")) if path.is_dir() else []
        if path.name.startswith("results"):  # of the LM evaluation harness, with samples beside it
            date = path.stem.removeprefix("results")
            self.files += sorted(path.parent.glob(f"samples_*{date}.jsonl"))
        self.documents = [] if data is None else [(path.name, data)]
        self.is_large = sum(file.stat().st_size for file in (*self.files, path)) > _LARGE
        self.results: dict[str, Any] = {}
        self.left_out: list[str] = []

    def add(self, built: BuiltRecord, left_out: Iterable[str]) -> None:
        """Add a record, and what its importer says it does not carry."""
        if (self.files or self.documents) and not self.is_large:
            self.left_out += left_out
            self.results[built.paths.record.name] = json.loads(built.text)
            for index, row in enumerate(b"".join(built.rows).splitlines()):
                self.results[f"{built.paths.samples.name}/{index}"] = json.loads(row)

    def proof(self) -> Proof | None:
        """What has become of each value; None if the files are large, or not of JSON."""
        if not self.results:
            return None
        for file in self.files:
            text = read_whole(file).decode("utf-8-sig")
            rows = (
                [json.loads(row) for row in text.splitlines()] if file.suffix == ".jsonl" else None
            )
            self.documents.append((file.name, json.loads(text) if rows is None else rows))
        return Proof(leaves=tuple(account(self.documents, self.results, self.left_out)))


def account(
    documents: Iterable[tuple[str, Any]], results: Mapping[str, Any], left_out: Iterable[str]
) -> Iterator[Leaf]:
    """What has become of each value of results, and which of their records are in none of them.

    Args:
        documents: Names and values of the files of the results.
        results: Name of a record or of a row of samples -> its value.
        left_out: File, places and reason of each value that the importer says it does not carry.
    """
    places: dict[str, list[str]] = {}
    for name, value in results.items():
        for text, pointer in _texts(value, name):
            places.setdefault(text, []).append(pointer)
    whole = "\0".join(places)
    patterns = [_pattern(place) for place in left_out]
    known: set[str] = set()
    for name, value in documents:
        for path, leaf in leaves_of(value):
            source = f"{name}{make_pointer(path)}"
            text = _text(leaf)
            known.add(text)
            listed = next((why for pattern, why in patterns if pattern.match(source)), "")
            if leaf is None or leaf in ({}, []):
                yield Leaf(LEFT_OUT, source, why="it says nothing")
            elif listed:
                yield Leaf(LEFT_OUT, source, why=listed)
            elif text in places:
                same = (p for p in places[text] if p.rpartition("/")[2] == str(path[-1]))
                yield Leaf(MOVED, source, next(same, places[text][0]))
            elif isinstance(leaf, str) and text.strip() in whole:
                yield Leaf(CONVERTED, source, why="part of a text")
            elif isinstance(leaf, float) and (at := _time(leaf, places)):
                yield Leaf(CONVERTED, source, at, "a time in another unit")
            else:
                ends = (why for end, why in _DECIDES.items() if source.endswith(end))
                yield Leaf(LEFT_OUT, source, why=next(ends, "it is nowhere in the record"))
    for text, pointers in places.items():
        if text not in known:
            yield from (Leaf(ADDED, "", pointer, "made by the importer") for pointer in pointers)


def _text(leaf: Any) -> str:
    return leaf if isinstance(leaf, str) else json.dumps(leaf, ensure_ascii=False)


def _texts(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Each value of a result as text, with its pointer; and those inside of a JSON text."""
    for path, leaf in leaves_of(value):
        pointer = f"{at}{make_pointer(path)}"
        yield _text(leaf), pointer
        if isinstance(leaf, str) and leaf[:1] in ("[", "{"):
            try:
                yield from _texts(json.loads(leaf), pointer)
            except ValueError:
                continue


def _time(leaf: float, places: Mapping[str, list[str]]) -> str:
    """Where a time is in whole seconds, or in milliseconds; "" if nowhere."""
    units = (str(int(leaf)), _text(leaf * 1000), str(round(leaf * 1000)))
    return next((places[unit][0] for unit in units if unit in places), "")


def _pattern(listed: str) -> tuple[re.Pattern[str], str]:
    """What matches a place that an importer lists: ``name /a/*/{b,c}: reason``."""
    where, _, why = listed.partition(": ")
    name, _, pointer = where.partition(" ")
    text = re.escape(name).replace(r"\*", ".*")
    for part in pointer.split("/")[1:]:
        options = "|".join(map(re.escape, part.strip("{}").split(",")))
        text += "/[^/]+" if part == "*" else f"/(?:{options})"
    return re.compile(f"{text}(?:/|$)"), why
