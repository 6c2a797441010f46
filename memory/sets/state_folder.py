"""States of memory systems at the ends of histories: a file for each, written once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalmark.memory.running.replaying_agent import read_state, write_state
from evalmark.memory.running.run_log import MEASURED
from evalmark.memory.sets.set_kinds import ToldHistory

#: Name of the folder in that of an agent.
STATES = "states"


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The states that a run saves.

    Attributes:
        folder: The folder of the states.
        plan: A digest of the plan of the run; states of another plan are not used.
        class_name: The class of the agent; states of another class are not used.
    """

    folder: Path
    plan: str
    class_name: str

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
