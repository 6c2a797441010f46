"""States of memory systems at the ends of histories: a file for each, written once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.running.replaying_agent import read_state, write_state
from evalmark.conversations.running.run_folder import agents_of
from evalmark.conversations.running.run_log import MEASURED
from evalmark.conversations.sets.set_kinds import ToldHistory
from evalmark.schemas.errors import ScoringError

#: Name of the folder in that of an agent.
STATES = "states"


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The states that a run saves, and those of the run that it uses.

    Attributes:
        folder: The folder of the states.
        plan: A digest of the plan of the run; states of another plan are not used.
        class_name: The class of the agent; states of another class are not used.
        ingested: The states of an earlier run, whose plan may be another one.
    """

    folder: Path
    plan: str
    class_name: str
    ingested: Path | None = None

    def read(self, history: ToldHistory) -> tuple[str, dict[str, Any]] | None:
        """The state at the end of a history, as JSON, and what it cost; None if there is none."""
        state = read_state(
            _place(self.folder, history),
            lambda data: (data["plan"], data["class"]) == (self.plan, self.class_name),
        )
        if state is None:
            return None
        cost = state.get(MEASURED)
        return json.dumps(state["state"]), cost if isinstance(cost, dict) else {}

    def read_ingested(self, history: ToldHistory) -> str | None:
        """The state of the earlier run at the end of a history; None if none is used.

        Raises:
            ScoringError: It was saved by another class, or cannot be read.
        """
        if self.ingested is None:
            return None
        path = _place(self.ingested, history)
        state = read_state(path, lambda data: bool(data["class"] == self.class_name))
        if state is None:
            raise ScoringError(f"{path} is damaged, or was saved by another class")
        return json.dumps(state["state"])

    def write(self, history: ToldHistory, state: str, cost: Mapping[str, object]) -> None:
        """Save a state, which is JSON, and what it cost to get there."""
        self.folder.mkdir(exist_ok=True)
        head = {"plan": self.plan, "class": self.class_name, "history": history.id, MEASURED: cost}
        write_state(_place(self.folder, history), head, state)


def _place(folder: Path, history: ToldHistory) -> Path:
    """The file of a history: named by what is told."""
    told = hashlib.sha256(history.id.encode("utf-8", "surrogatepass"))
    for session in history.sessions():
        told.update(json.dumps(asdict(session), sort_keys=True).encode())
    return folder / f"{told.hexdigest()[:32]}.state"


def ingested_states(run: Path, histories: Sequence[ToldHistory]) -> Path:
    """The folder with the states of a run at the ends of all of these histories.

    Raises:
        ScoringError: There is no such folder, or it lacks a history.
    """
    folders = [agent / STATES for agent in agents_of(run) if (agent / STATES).is_dir()]
    if not folders:
        raise ScoringError(f"{run} has no states of histories: its agent has no `save` and `load`")
    if len(folders) > 1:
        raise ScoringError(f"{run} has the states of {len(folders)} agents; name a folder in it")
    missing = [history.id for history in histories if not _place(folders[0], history).exists()]
    if missing:
        raise ScoringError(
            f"{run} has no state of {len(missing)} of {len(histories)} histories, for example "
            f"{missing[0]}"
        )
    return folders[0]
