"""Fifty kills of one run: ``python -m benchmarks.torture.repeated_kills``.

``converse`` runs every dataset through an endpoint whose replies depend on all that it was told.
One run is never killed; the other one is killed by SIGKILL at random moments and started again,
until it ends. Logs and results must be the same except for the times that exchanges took; scores,
replies and their order must be the same altogether. In ``kills.py`` each run is killed once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.torture.kills import LISTED

#: What differs between two runs on the same machine: times, and what is counted in them.
TIMES = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?")
SPOKEN = re.compile(rb"Which joke did I tell you [^?]* ago")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    r = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as home:
        whole, cut = Path(home, "whole/run"), Path(home, "cut/run")
        started = time.perf_counter()
        assert start(whole, url).wait() in (0, 1)
        took = time.perf_counter() - started
        kills, wheres = 0, []
        while kills < options.kills:
            process = start(cut, url)
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
        assert start(cut, url).wait() in (0, 1)
        one, other = contents(whole), contents(cut)
        different = sorted(str(k) for k in {*one, *other} if one.get(k) != other.get(k))
        lines = sum(len(raw.splitlines()) for path, raw in one.items() if path.suffix == ".jsonl")
        print(f"{kills} kills, after {min(wheres)} to {max(wheres)} of {lines} lines of the log")
        print(f"{len(one)} files, {len(different)} different: {different[:5]}")
    return bool(different)


class Endpoint(BaseHTTPRequestHandler):
    """Says something that depends on all messages."""

    def do_POST(self) -> None:
        body: Any = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = SPOKEN.sub(b"", json.dumps(body["messages"]).encode())
        time.sleep(0.003)
        reply = f"{random.Random(said).random()}"
        raw = json.dumps({"choices": [{"message": {"content": reply}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        pass


def start(out: Path, url: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "evalmark.cli.main", "converse", "all", "--url", url, "--model",
        "m/m", "--out", str(out), "--mode", "interleaved", "--memory-span", "1500", "-q",
    ]  # fmt: skip
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1760000000"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def contents(folder: Path) -> dict[Path, bytes]:
    """Files without their times; the record and the statistics are made of them."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and inner.parts[0] != "records" and path.name != "runstats.json":
            raw = SPOKEN.sub(b"", TIMES.sub(b"", path.read_bytes()))
            found[inner] = LISTED.sub(b"", raw) if path.name == "run.json" else raw
    return found


if __name__ == "__main__":
    sys.exit(main())
