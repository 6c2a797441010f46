"""Files that a branch adds under names that go wrong: by case, by their ending, as links."""

from __future__ import annotations

import os
import re
import shlex
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from evalmark.validator.batch.changes.changed_files import IN_PLACE, ChangedFile
from evalmark.validator.batch.walking import FOLDER_LINK, OTHER_ENDING, TWICE
from evalmark.validator.findings.finding import At, Finding, Mistake, locate
from evalmark.validator.findings.rule import BEGINNING, CASE_ONLY, NOT_READ
from evalmark.validator.formats.unrecognized import signs_of_ours
from evalmark.validator.io.opening import open_regular

#: Bytes of a file from which it is told whether it may be one of ours.
_ENOUGH = 1 << 20
_ENDING = re.compile(r"\.(?:(jsonl?|ya?ml)\b|(ndjson|json5|jsonc)$)", re.IGNORECASE)
#: Endings of others -> ours for the same content.
_OURS = {"ndjson": "jsonl", "json5": "json", "jsonc": "json"}


class _Conflict(NamedTuple):
    change: ChangedFile
    name: str
    other: str


class CaseConflicts:
    """Names that a branch adds, compared with each other and with those of the base."""

    def __init__(self, added: Sequence[ChangedFile]) -> None:
        self._added = added
        self._folders: dict[str, dict[str, ChangedFile]] = {}
        self._base: dict[str, set[str]] = {}
        self._conflicts: list[_Conflict] = []
        self._last = ""
        for change in added:
            if (above := _folder(change.place)) != self._last:
                self._last = above
                for folder in _folders(change.place):
                    self._folders.setdefault(folder.casefold(), {}).setdefault(folder, change)
        self._last = ""  # the base begins again
        # Numbers, and not names: there may be many.
        self._files = array("q", sorted(hash(change.place.casefold()) for change in added))
        if any(first == second for first, second in pairwise(self._files)):
            for first, *others in self._by_folded.values():
                self._keep(first.place, others)

    def compare(self, place: str) -> None:
        """Compare with a file of the base."""
        folder = _folder(place)
        if folder != self._last:  # git lists the files of a folder together
            self._last = folder
            for above in _folders(place):
                if (folded := above.casefold()) in self._folders:
                    self._base.setdefault(folded, set()).add(above)
        number = hash(place.casefold())
        at = bisect_left(self._files, number)
        if at < len(self._files) and self._files[at] == number:
            self._keep(place, self._by_folded.get(place.casefold(), ()))

    @cached_property
    def _by_folded(self) -> dict[str, list[ChangedFile]]:
        by_folded: dict[str, list[ChangedFile]] = {}
        for change in self._added:
            by_folded.setdefault(change.place.casefold(), []).append(change)
        return by_folded

    def _keep(self, other: str, changes: Iterable[ChangedFile]) -> None:
        for change in changes:
            if other != change.place and _folder(other) == _folder(change.place):
                self._conflicts.append(_Conflict(change, change.place, other))

    def findings(self) -> Iterator[Finding]:
        """One finding for each pair; what lies in a folder of a pair is not named again."""
        for folded, names in self._folders.items():
            base = self._base.get(folded, set())
            _, *others = sorted(base | names.keys(), key=lambda name: (name not in base, name))
            first = min(base, default=min(names))
            for name in others:
                # A folder is named where it begins to differ.
                if name not in base and _folder(name) == _folder(first):
                    yield _case_finding(_Conflict(names[name], f"{name}/", f"{first}/"))
        yield from map(_case_finding, self._conflicts)


def _folder(place: str) -> str:
    return place.rpartition("/")[0]


def _folders(place: str) -> Iterator[str]:
    """The folders above a place, from the deepest."""
    while place := _folder(place):
        yield place


def _case_finding(conflict: _Conflict) -> Finding:
    change, name, other = conflict
    mistake = Mistake(
        f"{name} differs from {other} in case only",
        At(""),
        notes=("file systems of Windows and macOS have one file for both names",),
        helps=(f"use {other}, if it is the same",),
        fold=other,
    )
    return replace(locate(mistake, CASE_ONLY, change.path, None), span=BEGINNING)


def not_read(skipped: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """The findings for new files that were skipped (path and reason), but look like ours."""
    for path, why in skipped:
        if why in (TWICE, FOLDER_LINK):
            noun = "file" if why is TWICE else "folder"
            helps: tuple[str, ...] = (f"commit the {noun} itself",)
        elif why is IN_PLACE:
            helps = ("check it in its own repository, or commit the files themselves",)
        elif os.path.islink(path) or not _could_be_ours(path):
            continue
        else:
            helps = _way_to_be_read(path, why)
        finding = locate(Mistake(f"not checked: {why}", At(""), helps=helps), NOT_READ, path, None)
        yield replace(finding, span=BEGINNING)


def _way_to_be_read(path: str, why: str) -> tuple[str, ...]:
    name = os.path.basename(path)
    if why != OTHER_ENDING:
        return ("move it, if it is one of the evaluation files",)
    if name.lower().endswith(".gz"):
        return (f"unpack it: `gunzip {shlex.quote(name)}`",)
    *_, match = _ENDING.finditer(name)
    ending = (match[1] or _OURS[match[2].lower()]).lower()
    return (f"rename it to `{name[: match.start()]}.{ending}`",)


def _could_be_ours(path: str) -> bool:
    """True if the beginning of a file, unpacked if it is a gzip file, has the keys of a format."""
    try:
        with open_regular(path) as file:
            raw = file.read(_ENOUGH)
    except OSError:
        return False
    if raw.startswith(b"\x1f\x8b"):
        try:
            raw = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(raw, _ENOUGH)
        except zlib.error:
            return True  # broken, and named like one of ours
    return signs_of_ours(raw, path) is True
