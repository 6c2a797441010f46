"""Finished packs in the folder of a run: a run that is killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from evalmark.scoring.surprisals.compute import Store
from evalmark.scoring.surprisals.packs import Values
from evalmark.scoring.surprisals.prefixes import Ids

#: What the file of an unfinished run is called.
PARTIAL = "unfinished.jsonl"


class FolderStore(Store):
    """Packs as lines of a file: values as hexadecimal floats, so that no bit is lost.

    The first line says which plan the packs are of and when the run began; a file of another plan
    is not used, and written anew. A line that was cut by a kill is left out.

    Attributes:
        started: When the run began, in whole seconds since 1970.
        resumed: How many packs were found.
    """

    def __init__(self, folder: Path, plan: str, started: int) -> None:
        self.path = folder / PARTIAL
        self.started = started
        self._plan = plan
        self._known: dict[int, Values] = {}
        whole = self._read()
        if whole is None:
            self._write(json.dumps({"plan": plan, "started": started}) + "\n", "wb")
        else:
            self._write("", "r+b", whole)  # without the line that was cut
        self.resumed = len(self._known)

    def load(self) -> dict[int, Values]:
        """Index of a pack → its values."""
        return self._known

    def save(self, index: int, values: Values) -> None:
        """Append the values of a pack."""
        line = {"pack": index, **{key: _hex(of) for key, of in values._asdict().items()}}
        self._write(json.dumps(line) + "\n", "ab")

    def close(self) -> None:
        """The run is whole: nothing is left of the file."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> int | None:
        """Take over what is there of the same plan; how many bytes of the file are whole lines."""
        try:
            raw = self.path.read_bytes()
        except FileNotFoundError:
            return None
        whole = raw.rfind(b"\n") + 1
        lines = raw[:whole].splitlines()
        try:
            head = json.loads(lines[0])
            if head["plan"] != self._plan:
                return None
            self.started = int(head["started"])
            for line in lines[1:]:
                entry = json.loads(line)
                values = ([float.fromhex(v) for v in entry[key]] for key in Values._fields)
                self._known[entry["pack"]] = Values(*values)
        except (ValueError, KeyError, TypeError, IndexError):
            self._known.clear()
            return None
        return whole

    def _write(self, text: str, mode: str, size: int | None = None) -> None:
        with self.path.open(mode) as file:
            if size is not None:
                file.truncate(size)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())


def _hex(values: Iterable[float]) -> list[str]:
    return [value.hex() for value in values]


def plan_digest(sequences: Iterable[Ids], pack_tokens: int, choices: dict[str, str]) -> str:
    """A digest of everything that the values of packs depend on."""
    digest = hashlib.sha256(json.dumps([pack_tokens, choices], sort_keys=True).encode())
    for ids in sorted(set(sequences)):
        digest.update(f"{ids}\n".encode())
    return digest.hexdigest()
