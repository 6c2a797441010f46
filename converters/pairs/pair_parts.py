"""The rows of a file of minimal pairs that become one suite each: those of one UID."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from evalmark.converters.formats import FORMATS, PAIRS
from evalmark.converters.notes import Told
from evalmark.converters.pairs.pair_suites import by_uid, pair_items
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.writing import portable_name


def suites_of_pairs(
    parsed: ParsedText, to: str | None, *, has_folder: bool, own_folder: bool
) -> Iterator[ParsedText]:
    """The parts of a file of pairs that is to become suites; else the file itself.

    With ``own_folder``, several parts are in a folder that is named after the file.

    Raises:
        ConversionError: The rows cannot be told apart, or there is no folder for several suites.
    """
    target = FORMATS.get(to or "")
    if parsed.error or target is None or to == PAIRS:
        yield parsed
        return
    path = Path(parsed.path)
    stem = path.name.partition(".")[0]
    groups = by_uid(pair_items(parsed.data, stem), stem)
    if len(groups) == 1:
        yield parsed
        return
    if not has_folder:
        raise ConversionError(
            Told.UIDS(len(groups)),
            needs="output",
            subject="FOLDER",
        )
    names: set[str] = set()
    for uid, rows in groups.items():
        name = _name(uid, names)
        names.add(name.lower())
        folder = path.with_suffix("") if own_folder else path.parent
        place = folder / f"{name}{path.suffix or '.jsonl'}"
        yield replace(parsed, data=rows, lines=(), part=str(place))


def _name(uid: str, others: set[str]) -> str:
    """A name of a file that no other UID has, also where capitals do not count."""
    name = portable_name(re.sub(r"[^\w.-]+", "_", uid).strip("._") or "suite")
    numbered = (f"{name}-{number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free.lower() not in others)
