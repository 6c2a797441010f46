"""``evalmark memory run gate``: a small generated set, and floors that its scores must reach."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

from evalmark.memory.agents.agent import Agent
from evalmark.memory.commands.score_tables import print_costs, print_scores
from evalmark.memory.running.memory_record import write_answers
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.memory.running.run_log import ASKED, read_log
from evalmark.memory.sets.floors import scores_of
from evalmark.memory.sets.gate import GATE, ability_scores, below, gate_set
from evalmark.memory.sets.set_files import load_sets, narrowed
from evalmark.memory.sets.set_run import run_sets
from evalmark.memory.sets.set_scores import scores_data
from evalmark.schemas.errors import OtherRun
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.terminal import CLEAN, FOUND, counting, put, say, tell
from evalmark.validator.io.writing import write_atomically


class GateCall(NamedTuple):
    """A call of the gate.

    Attributes:
        floors: Ability -> the least score; that of "" is for the mean.
        types: The abilities to test; all if empty.
        most: At most so many questions of each ability; None for all.
        seed: The seed of the set.
        out: The folder that keeps the run; None for none.
        workers: Maximum number of requests at the same time.
        retry: Whether to ask again what failed in the run that the folder has.
        thoughts: What becomes of thoughts before an answer.
    """

    floors: dict[str, float]
    types: tuple[str, ...]
    most: int | None
    seed: int
    out: Path | None
    workers: int
    retry: bool
    thoughts: str


def run_gate(call: GateCall, agent: Agent, *, as_json: bool) -> int:
    """Run the set, and print its scores and costs; the exit code is 1 below a floor.

    Raises:
        UnknownNameError: There is no such ability.
        OtherRun: The folder has a set of another seed.
        OSError: A file cannot be written.
    """
    with tempfile.TemporaryDirectory() as place:
        home = call.out or Path(place)
        home.mkdir(parents=True, exist_ok=True)
        path = home / f"{GATE}.json"
        _write_set(path, (json.dumps(gate_set(call.seed), indent=1) + "\n").encode())
        _say_earlier(ConversationFolder(home, agent.about).log)
        sets = narrowed(load_sets([str(path)]), call.types, call.most)
        with counting("asking", "questions", patience=2) as progress:
            finished = run_sets(
                sets,
                agent,
                home,
                retry=call.retry,
                thoughts=call.thoughts,
                progress=progress,
                workers=call.workers,
            )
        if call.out:
            write_answers(finished)
    (scores,) = scores_of(finished.sets, finished.answered)
    by_ability = ability_scores(scores)
    failed = list(below(by_ability, call.floors))
    if as_json:
        low = [{"ability": name or "mean", "floor": floor} for name, floor in failed]
        means = {name or "mean": score for name, score in by_ability.items()}
        costs = finished.costs.data()
        put({"sets": [scores_data(scores)], "scores": means, "below": low, "costs": costs})
    else:
        print_scores(scores, "accuracy")
        tell("")
        print_costs(finished.costs)
    for name, floor in failed:
        of = name or "mean over abilities"
        say(f"below the floor: {of} {by_ability[name]:.3f}, at least {floor:g} is required")
    if not failed and not as_json:
        count = len(by_ability) - 1
        over = f"on average over {count} abilities" if count > 1 else f"in {next(iter(by_ability))}"
        tell(f"passed: {by_ability['']:.3f} {over}")
    return FOUND if failed else CLEAN


def _write_set(path: Path, raw: bytes) -> None:
    if path.exists() and read_whole(path) != raw:
        raise OtherRun(f"{path} is the set of another seed or version")
    write_atomically(path, raw)


def _say_earlier(log: Path) -> None:
    count = sum(event.get("event") == ASKED for event in read_log(log))
    if count:
        say(f"note: {count} answers are those of the earlier run in this folder, not asked again")
