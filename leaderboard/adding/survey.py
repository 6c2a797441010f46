"""What is at some paths, compared with what a store holds."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from evalmark.converters.formats import RECORD
from evalmark.leaderboard.adding.known_files import KnownFile, folder_of
from evalmark.leaderboard.names import encodable
from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.walking import entries


@dataclass(slots=True)
class Survey:
    """The files that a store will hold, and which of them have to be read.

    Attributes:
        before: What the store holds: path -> what is known of the file.
        check: Digest of how records are checked; what was checked otherwise is read again.
        paths: Files found now: path in the store -> path for this call.
        folders: Path in the store -> the folder that it starts from.
        to_read: Those that are new or have changed.
        kept: Files that stay as they are.
        unchanged: How many of the records that were found have not changed.
        removed: How many records are gone.
        skipped: Path and reason of what was skipped in folders.
    """

    before: dict[str, KnownFile]
    check: str
    paths: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str | None] = field(default_factory=dict)
    to_read: list[str] = field(default_factory=list)
    kept: dict[str, KnownFile] = field(default_factory=dict)
    unchanged: int = 0
    removed: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)

    def look(self, paths: Sequence[str], exclude: Sequence[str]) -> None:
        """Look at files, and search folders."""
        at_place = {row.place: row for row in self.before.values()}
        self._require_folders(paths, at_place)
        for entry in entries(paths, exclude, skipped=lambda *why: self.skipped.append(why)):
            path = entry.path
            if path == "-":
                raise UsageError("records cannot be added from standard input")
            if path.endswith(".jsonl"):
                continue  # sample files are checked with their records
            known = at_place.get(_place(path))
            row = known or self._moved(path)
            if row is not None and entry.named and not os.path.lexists(path):
                continue  # it was deleted
            file = row.file if row else _plain(path)
            if file not in self.paths:
                self.paths[file] = path
                self.folders[file] = known.folder if known else folder_of(file)
                self._compare(file, path, row)
        self._look_at_others(paths)

    def _require_folders(self, paths: Sequence[str], known: Collection[str]) -> None:
        """Refuse a folder that is gone: it may be on a disk that is not mounted."""
        for path in paths:
            place = _place(path)
            if os.path.lexists(path) or place in known:
                continue
            if count := sum(_is_below(other, place) for other in known):
                raise UsageError(
                    f"{path} does not exist, and the store has {count:,} "
                    f"{'file' if count == 1 else 'files'} of it; to remove them, add the folder "
                    "that it was in"
                )

    def _compare(self, file: str, path: str, row: KnownFile | None) -> None:
        now = row.is_unchanged(path, self.check) if row else None
        if now is None:
            self.to_read.append(file)
        else:
            self.unchanged += now.kind == RECORD
            folder = self.folders[file]
            self.kept[file] = now if now.folder == folder else now._replace(folder=folder)

    def _moved(self, path: str) -> KnownFile | None:
        """What is known of a file by its path, if the folder around it has moved."""
        row = self.before.get(_plain(path))
        if row is None or row.folder is None:
            return row
        if os.path.lexists(row.place):
            raise UsageError(
                f"{path}: the store holds another file of this path, {row.place}; run the command "
                f"in {row.folder}, or give absolute paths"
            )
        return row

    def _look_at_others(self, paths: Sequence[str]) -> None:
        """Keep the files of the store that are not below the paths."""
        roots = [_place(path) for path in paths]
        for file, row in self.before.items():
            if file in self.paths:
                continue
            places = [row.place]
            if row.folder is not None and not os.path.lexists(row.place):
                places.append(_place(file))
            if any(_is_below(place, root) for place in places for root in roots):
                self.removed += row.kind == RECORD
            else:
                self.kept[file] = row


def _plain(path: str) -> str:
    """A path as the store has it."""
    return encodable(os.path.normpath(path)).replace(os.sep, "/")


def _place(path: str) -> str:
    return encodable(os.path.abspath(path))


def _is_below(place: str, root: str) -> bool:
    return place == root or place.startswith(root.rstrip(os.sep) + os.sep)
