"""Changes of a branch: its files of our endings that differ from where it left its base."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.walking import (
    ENDINGS,
    FOLDER_LINK,
    HIDDEN,
    OTHER_ENDING,
    SKIPPED_FOLDERS,
    TWICE,
    UNSEARCHED,
    has_other_ending,
    matches,
)
from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import Glob
from evalmark.validator.io.git import REFETCH, Repository
from evalmark.validator.io.paths import leads_out

#: Modes of git. Those of files are 100644 and 100755.
_FILE, _LINK, _MODULE = "100", "120", "160"
SUBMODULE = "a submodule; check it in its own repository"
IN_PLACE = "a submodule in place of evaluation files"


class ChangedFile(NamedTuple):
    """A file that a branch adds, changes or deletes."""

    path: str  # as the caller would write it: relative to the current folder
    place: str  # from the root of the repository, as git writes it
    is_there: bool  # whether the branch has it; else it is deleted
    old: str = ""  # id of the blob that it had before; empty if it is new
    leads_out: bool = False  # whether it is a link out of the repository, or to a hidden file in it


class RepositoryPaths:
    """The files of a repository that are looked at, and their names here.

    A place is a path from the root of the repository, with `/`, as git writes it.
    """

    def __init__(self, root: str, paths: Sequence[str], exclude: Sequence[Glob]) -> None:
        self.root = root
        self._here = os.path.realpath(os.curdir)
        self._exclude = exclude
        self._targets = tuple(sorted(map(self.place_of, paths), key=len, reverse=True))
        for path, place in zip(paths, map(self.place_of, paths), strict=True):
            if place.partition("/")[0] == os.pardir:
                raise UsageError(f"{path} is outside the git repository {root}")

    def path_of(self, place: str) -> str:
        """The path of a place, relative to the current folder."""
        if self._here == self.root and os.sep == "/":
            return place
        return os.path.relpath(os.path.join(self.root, place), self._here)

    def place_of(self, path: str) -> str:
        """The place of a path; a link is not followed."""
        folder, name = os.path.split(os.path.normpath(path))
        real = os.path.normpath(os.path.join(self._here, os.path.realpath(folder), name))
        return os.path.relpath(real, self.root).replace(os.sep, "/")

    def are_targets(self, place: str) -> bool:
        """True if the caller has named a file, or a folder above it."""
        return any(_is_within(place, target) for target in self._targets)

    def are_ours(self, place: str, endings: tuple[str, ...] = ENDINGS) -> bool:
        """True if a search of folders would check a file: see ``walking``."""
        return place.endswith(endings) and self.why_skipped(place, endings) == ""

    def why_skipped(self, place: str, endings: tuple[str, ...] = ENDINGS) -> str | None:
        """The reason that a search of folders skips a file; empty if it does not.

        None if there is nothing to say: the file is excluded, or is named like none of ours.
        """
        if self._exclude and matches(self.path_of(place), self._exclude):
            return None
        if not place.endswith(endings):
            return OTHER_ENDING if has_other_ending(place) else None
        # Folders that the caller names are searched even if they are hidden.
        named = next((target for target in self._targets if _is_within(place, target)), os.curdir)
        below = place if named == os.curdir else place.removeprefix(named)
        *folders, name = below.split("/")
        hidden = [part for part in (*folders, name) if part.startswith(".")]
        if hidden:
            return "" if place == named else HIDDEN
        return "" if SKIPPED_FOLDERS.isdisjoint(folders) else UNSEARCHED


def _is_within(place: str, target: str) -> bool:
    return target == os.curdir or place == target or place.startswith(f"{target}/")


def changes(
    repository: Repository,
    start: str,
    places: RepositoryPaths,
    skipped: Callable[[str, str], object],
) -> list[ChangedFile]:
    """The changes of the working tree since a commit, in the order of the paths.

    What is committed, staged or neither counts alike, and so do new files that git does not ignore.
    A change of the mode alone does not count. ``skipped`` is called with the path of what is
    skipped, and why.

    Raises:
        UsageError: git fails.
    """
    by_place: dict[str, ChangedFile] = {}
    modules: list[str] = []

    def was(place: str) -> str:
        return by_place[place].old if place in by_place else ""

    for old_mode, new_mode, old, new, place in repository.differences(start):
        if places.are_ours(place) and not (old == new and int(old, 16)):
            # A conflict is listed twice.
            before = old if old_mode.startswith(_FILE) else was(place)
            by_place[place] = _change(places, place, new_mode, before, skipped)
        elif new_mode.startswith(_MODULE):
            modules.append(place)
        elif int(new_mode) and (not int(old_mode) or new_mode.startswith(_LINK)):
            _note_skipped(places, place, new_mode, skipped)
    for place in filter(places.are_targets, modules):
        is_in_place = any(_is_within(other, place) for other in by_place)
        skipped(places.path_of(place), IN_PLACE if is_in_place else SUBMODULE)
    for place in repository.untracked():
        if places.are_ours(place):  # git may have been told to forget it
            by_place[place] = _change(places, place, _FILE, was(place), skipped)
        else:
            _note_skipped(places, place, _FILE, skipped)
    return [change for _, change in sorted(by_place.items()) if change.is_there or change.old]


def _note_skipped(
    places: RepositoryPaths, place: str, mode: str, skipped: Callable[[str, str], object]
) -> None:
    path = places.path_of(place)
    if not places.are_targets(place):
        return
    if mode.startswith(_LINK) or os.path.islink(path):
        if os.path.isdir(path):
            skipped(path, FOLDER_LINK)
    elif mode.startswith(_FILE) and (why := places.why_skipped(place)):
        skipped(path, why)


def _change(
    places: RepositoryPaths, place: str, mode: str, old: str, skipped: Callable[[str, str], object]
) -> ChangedFile:
    """The state of a file now. A link to another file, or a submodule, is not a file of ours."""
    path = places.path_of(place)
    if mode.startswith(_MODULE):
        skipped(path, SUBMODULE)
        return ChangedFile(path, place, False, old)
    if not os.path.islink(path):
        return ChangedFile(path, place, os.path.lexists(path) and not mode.startswith(_LINK), old)
    if leads_out(path, places.root):
        return ChangedFile(path, place, True, old, leads_out=True)
    if os.path.exists(path):
        skipped(path, TWICE)
        return ChangedFile(path, place, False, old)
    return ChangedFile(path, place, True, old)  # a broken link becomes a finding


def require_paths(
    paths: Sequence[str], places: RepositoryPaths, changed: Iterable[ChangedFile]
) -> None:
    """Refuse paths that are not there and have not changed: somebody has mistyped them.

    Raises:
        UsageError: There is one.
    """
    for path in paths:
        if not os.path.lexists(path):
            target = places.place_of(path)
            if not any(_is_within(change.place, target) for change in changed):
                raise UsageError(f"{path}: no such file or folder, and nothing in it has changed")


def not_compared(path: str, base: str) -> Finding:
    """The finding for a file whose content on the base this clone lacks."""
    message = f"cannot be compared with its content on {base}, which this clone lacks"
    return file_finding("F011", path, message, helps=(Action.TERMINAL(f"fetch it: `{REFETCH}`"),))
