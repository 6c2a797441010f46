"""Finished packs and batches in the folder of a run, so that an interrupted run can resume."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.score_settings import WITHIN_WORD, Computing, Settings
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.prefix_packs import PackValues
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import named_in_errors, open_to_append

#: The index of a pack, or a way to compute and the rows that are computed together.
Part = int | str
#: Name of the file of an unfinished run.
PARTIAL = "unfinished.jsonl"


class PackStore:
    """A store of what is finished; this one stores nothing."""

    def load(self) -> dict[Part, PackValues]:
        """A part of the run -> its values, as far as they are known."""
        return {}

    def save(self, part: Part, values: PackValues) -> None:
        """Store the values of a part."""


NO_STORE = PackStore()


class FolderStore(PackStore):
    """Parts as lines of a file: values as hexadecimal floats, so that no bit is lost.

    The first line says which plan they belong to and when the run began. A file of another
    plan is replaced. An incomplete last line is ignored.

    Attributes:
        started: When the run began, as a Unix timestamp.
    """

    def __init__(self, folder: Path, plan: str, started: int) -> None:
        self.path = folder / PARTIAL
        self.started = started
        self._plan = plan
        self._known: dict[Part, PackValues] = {}
        whole = self._read()
        if whole is None:
            self._append(json.dumps({"plan": plan, "started": started}) + "\n", keep=0)
        else:
            self._append("", keep=whole)  # without an incomplete last line

    def load(self) -> dict[Part, PackValues]:
        """A part of the run -> its values."""
        return self._known

    def save(self, part: Part, values: PackValues) -> None:
        """Append the values of a part."""
        hexed = {key: [v.hex() for v in of] for key, of in asdict(values).items()}
        line = {"pack": part, **hexed}
        self._append(json.dumps(line) + "\n")

    def _read(self) -> int | None:
        """Load the parts of the same plan; how many bytes of the file are complete lines."""
        try:
            raw = read_whole(self.path)
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
                values = (
                    [float.fromhex(v) for v in entry[key]] for key in ("surprisals", "bounds")
                )
                self._known[entry["pack"]] = PackValues(*values)
        except (ValueError, LookupError, TypeError, RecursionError):
            self._known.clear()
            return None
        return whole

    def _append(self, text: str, *, keep: int | None = None) -> None:
        with named_in_errors(self.path), open_to_append(self.path, keep=keep) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())


def plan_digest(
    texts: Texts,
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing,
) -> str:
    """A digest of everything that the values of packs and batches depend on."""
    size = computing.batch_tokens if model.kind == "masked" else computing.pack_size
    # Which rows a batch has is said beside its values.
    choices = {**model.info.details, "id": model.info.id, "boundary": settings.boundary}
    if settings.masked_method != WITHIN_WORD:
        choices["masked_method"] = settings.masked_method
    digest = hashlib.sha256(json.dumps([size, choices], sort_keys=True).encode())
    for ids in sorted({tokens.ids for tokens in texts.tokens.values()}):
        digest.update(f"{ids}\n".encode())
    if not texts.complete:
        rows = {(of.ids, *texts.places[text]) for text, of in texts.tokens.items()}
        digest.update(f"{sorted(rows)}\n".encode())
    return digest.hexdigest()
