"""Fifty kills of one run: ``python -m benchmarks.torture.repeated_kills``.

Every dataset is run with an agent whose replies depend on all that it was told: through an
endpoint, and as a class of a user that saves its state. One run is never killed; the other one is
killed by SIGKILL at random moments and started again, until it ends. With SOURCE_DATE_EPOCH both
folders must be the same byte for byte: log, state, results, ``run.json``, record and samples. In
``kills.py`` each run is killed once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

#: A memory system whose replies depend on its whole state, which ``reset`` does not clear.
SYSTEM = """\
import hashlib, time

class Chain:
    name = "chain"

    def __init__(self):
        self.told = ""

    def reply(self, text):
        self.ingest([{"content": text}])
        time.sleep(0.003)
        return self.told[:8]

    def ingest(self, turns):
        for turn in turns:
            self.told = hashlib.sha256((self.told + turn["content"]).encode()).hexdigest()

    def reset(self):
        self.ingest([{"content": "reset"}])

    def save(self):
        return self.told

    def load(self, state):
        self.told = state
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    failed = False
    with tempfile.TemporaryDirectory() as home:
        system = Path(home, "chain.py")
        system.write_text(SYSTEM)
        agents = {
            "endpoint": ("--url", url, "--model", "m/m"),
            "class": ("--agent", f"{system}:Chain"),
        }
        for name, agent in agents.items():
            different = killed(Path(home, name), agent, options.kills, options.seed)
            print(f"{name}: {different}" if different else f"{name}: no file differs", flush=True)
            failed = failed or bool(different)
    return failed


def killed(home: Path, agent: tuple[str, ...], times: int, seed: int) -> list[str]:
    """Kill one of two runs so many times; the files that differ between both at the end."""
    r = random.Random(seed)
    whole, cut = home / "whole/run", home / "cut/run"
    started = time.perf_counter()
    assert start(whole, agent).wait() in (0, 1)
    took = time.perf_counter() - started
    kills, wheres = 0, []
    while kills < times:
        process = start(cut, agent)
        time.sleep(r.uniform(0.3, took))
        if process.poll() is not None:
            for path in cut.rglob("*.jsonl"):  # it was over before: once more, from the start
                path.unlink()
            continue
        process.kill()
        process.wait()
        kills += 1
        logs = list(cut.rglob("conversation.jsonl"))
        wheres.append(len(logs[0].read_bytes().splitlines()) if logs else 0)
    assert start(cut, agent).wait() in (0, 1)
    one, other = contents(whole), contents(cut)
    lines = sum(len(raw.splitlines()) for path, raw in one.items() if path.suffix == ".jsonl")
    print(f"{kills} kills, after {min(wheres)} to {max(wheres)} of {lines} lines; {len(one)} files")
    return sorted(str(k) for k in {*one, *other} if one.get(k) != other.get(k))


class Endpoint(BaseHTTPRequestHandler):
    """Says something that depends on all messages."""

    def do_POST(self) -> None:
        body: Any = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps(body["messages"])
        time.sleep(0.003)
        reply = f"{random.Random(said).random()}"
        raw = json.dumps({"choices": [{"message": {"content": reply}}]}).encode()
        with suppress(BrokenPipeError):  # who asked was killed
            self.send_response(200)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        pass


def start(out: Path, agent: tuple[str, ...]) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "evalmark.cli.main", "memory", "run", "all", *agent,
        "--out", str(out), "--mode", "interleaved", "--memory-span", "1500",
    ]  # fmt: skip
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1760000000"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def contents(folder: Path) -> dict[Path, bytes]:
    """All files of a run."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in paths}


if __name__ == "__main__":
    sys.exit(main())
