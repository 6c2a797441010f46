"""Whole processes, measured: user plus system CPU, wall time, peak memory; contestants in turns."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import NamedTuple

#: Started for each command, since a process's peak counts what its parent held when it was forked:
#: this parent holds little. Children that the command waits for count as well.
LAUNCH = """
import os, sys, time
null = os.open(os.devnull, os.O_RDWR)
started = time.perf_counter()
actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
actions += [(os.POSIX_SPAWN_DUP2, null, 2)]
# Whoever uses a program has its modules compiled.
own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], own, file_actions=actions)
_, status, usage = os.wait4(process, 0)
wall = time.perf_counter() - started
code = os.waitstatus_to_exitcode(status)
print([usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss / 1024, code])
"""


LAUNCHER = [sys.executable, "-I", "-S", "-c", LAUNCH]


class Took(NamedTuple):
    """What one run of a command took, in seconds and megabytes, and how it ended."""

    user: float
    system: float
    wall: float
    memory: float
    code: int

    @property
    def cpu(self) -> float:
        """Seconds of processors, the system's work for it included."""
        return self.user + self.system


def once(command: list[str]) -> Took:
    done = subprocess.run([*LAUNCHER, *command], capture_output=True, text=True, check=True)
    return Took(*json.loads(done.stdout))


def measured(commands: dict[str, list[str]], rounds: int, warm: bool = True) -> dict[str, Took]:
    """Medians (of memory the greatest) over rounds in which each contestant runs once.

    With ``warm``, one round before them that is not counted brings the files into memory.
    """
    found: dict[str, list[Took]] = {name: [] for name in commands}
    for turn in range(rounds + warm):
        for name, command in commands.items():
            took = once(command)
            if turn >= warm:
                found[name].append(took)
    return {
        name: Took(
            *(statistics.median(one) for one in list(zip(*runs, strict=True))[:3]),
            max(t.memory for t in runs),
            max(t.code for t in runs),
        )
        for name, runs in found.items()
    }


def print_table(found: dict[str, Took], ours: str) -> None:
    """One line for each contestant, and what share of it ``ours`` takes."""
    for name, took in found.items():
        line = f"{name:26} {took.cpu:8.3f} s CPU {took.wall:8.3f} s wall {took.memory:6.0f} MB"
        if name != ours:
            share = found[ours].cpu / took.cpu, found[ours].wall / took.wall
            line += f"   {ours} takes {share[0]:5.2f} of its CPU, {share[1]:5.2f} of its wall time"
        print(line + (f"   exit code {took.code}" if took.code not in (0, 1) else ""))
