"""Does the time for a record grow with their number? From 10,000 to 1,000,000 records.

Records are made from the shapes of real ones (those of up to ``--largest`` bytes, so that a million
of them fit a disk), each with an id of its own, a thousand to a folder. Measured is
``evalmark check -q`` on all of them, in one process (user plus system CPU) and, with
``--engines local ray``, on a Ray cluster of this machine that is there already (wall time: its
processes are not our children). Start-up is the same call on one record, and taken off. Larger
corpora contain the smaller ones, and are on the disk before anything is measured.

Machines are faster at one moment than at another, by more than what is looked for. So the long call
and short ones on parts of the same corpus take turns: some twenty times it is stopped (SIGSTOP; on
Ray the whole cluster with it), and a part is checked in one process. What counts is the time for a
record beside theirs.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from benchmarks._measure import LAUNCHER, Took, measured, once
from benchmarks.check import shapes

#: Records of a part.
PART = 10_000
#: Seconds for each record of the corpus after which the long call is stopped.
PAUSE = 6e-6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="real files")
    parser.add_argument("--counts", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--largest", type=int, default=6000)
    engines = ("local", "ray")
    parser.add_argument("--engines", nargs="+", choices=engines, default=["local"])
    parser.add_argument("--home", type=Path, help="where the records go; several gigabytes")
    options = parser.parse_args()
    records = [
        text
        for data in shapes(options.folders)[0]
        if len(text := json.dumps(data, indent=2)) <= options.largest
    ]
    evalmark = [str(Path(sys.executable).parent / "evalmark"), "check", "-q"]
    ways = {"local": [*evalmark, "--jobs", "1"], "ray": [*evalmark, "--jobs", "ray"]}
    with tempfile.TemporaryDirectory(dir=options.home) as home:
        one = str(write(Path(home) / "one", records, 0, 1))
        folder, made = Path(home) / "all", 0
        for count in options.counts:
            write(folder, records, made, count)
            os.sync()  # or the system would still be writing while we measure
            made = count
            for name in options.engines:
                with ray_cluster() if name == "ray" else nullcontext(None) as session:
                    start = {each: median([*ways[each], one]) for each in ("local", name)}
                    long, short = in_turns(ways[name], ways["local"], folder, count, session)
                show(name, count, long, start[name])
                parts = sorted(share(t, start["local"], PART, "local") for t in short)
                ratio = share(long, start[name], count, name) / statistics.mean(parts)
                spread = f"{1e6 * parts[0]:.0f} to {1e6 * parts[-1]:.0f} µs"
                print(f"{ratio:.2f} of {PART} in one process ({len(parts)} times, {spread})")
    return 0


def in_turns(
    way: list[str], beside: list[str], folder: Path, count: int, session: int | None
) -> tuple[Took, list[Took]]:
    """A call on all records, and calls on parts of them between which it continues.

    A session of processes, if one is given, is stopped with the long call.
    """
    short: list[Took] = []
    stopped = 0.0
    with subprocess.Popen(
        [*LAUNCHER, *way, str(folder)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while True:
            try:
                said, _ = process.communicate(timeout=count * PAUSE)
                break
            except subprocess.TimeoutExpired:
                pass
            tell({process.pid, session}, signal.SIGSTOP)
            began = time.perf_counter()
            at = len(short) * 7919 % ((count - PART) // 1000 + 1)
            folders = [str(folder / f"{at + each:04}") for each in range(PART // 1000)]
            short.append(once([*beside, *folders]))
            stopped += time.perf_counter() - began
            tell({process.pid, session}, signal.SIGCONT)
    took = Took(*json.loads(said))
    return took._replace(wall=took.wall - stopped), short


def tell(sessions: set[int | None], what: signal.Signals) -> None:
    """Send a signal to all processes of some sessions."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and os.getsid(int(entry.name)) in sessions:
                os.kill(int(entry.name), what)


@contextmanager
def ray_cluster() -> Iterator[int]:
    """A Ray cluster of this machine, its address in the environment; the session it is."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ray = str(Path(sys.executable).parent / "ray")
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_ADDRESS=f"127.0.0.1:{port}")
    process = subprocess.Popen(
        [
            ray, "start", "--head", "--block", "--node-ip-address=127.0.0.1", f"--port={port}",
            "--include-dashboard=false", "--disable-usage-stats",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        time.sleep(5)  # until its processes are there
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        del os.environ["RAY_ADDRESS"]


def median(command: list[str]) -> Took:
    return measured({"": command}, 3, warm=False)[""]


def share(took: Took, start: Took, count: int, name: str) -> float:
    """Seconds for a record: of processors, or on Ray, whose processes are not ours, of the wall."""
    return (took.wall - start.wall if name == "ray" else took.cpu - start.cpu) / count


def show(name: str, count: int, took: Took, start: Took) -> None:
    each = 1e6 / count
    parts = {
        "user": (took.user - start.user) * each,
        "system": (took.system - start.system) * each,
        "wall": (took.wall - start.wall) * each,
    }
    text = ", ".join(f"{value:.1f} µs {part}" for part, value in parts.items())
    own = " of the command itself" if name == "ray" else ""
    line = f"{name:12} {count:9} records: {text} each{own}; {took.memory:.0f} MB; "
    print(line, end="", flush=True)


def write(folder: Path, records: list[str], start: int, end: int) -> Path:
    """Records ``start`` to ``end``; their ids are as long as each other."""
    for number in range(start, end):
        data = records[number % len(records)]
        place = folder / f"{number // 1000:04}"
        if number % 1000 == 0:
            place.mkdir(parents=True, exist_ok=True)
        text = data.replace('"evaluation_id": "', f'"evaluation_id": "{number:07}-', 1)
        (place / f"{number % 1000:03}.json").write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
