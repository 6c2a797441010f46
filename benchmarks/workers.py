"""One worker and several over memory sets: equal files, and how much time they take.

``python -m benchmarks.workers SET... --workers 8 --delay 0.2`` asks a fake endpoint, which answers
after ``--delay`` seconds, with one worker and with several. It compares the folders of both runs
but for what is measured, and prints their times. ``--run A B`` only compares two runs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

from evalmark.converters.records.run import Producer
from evalmark.memory.agents.agent import ChatAgent
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.memory.judges.judge_prompt import SET_PROMPT
from evalmark.memory.running.memory_record import write_answers, write_conversation_record
from evalmark.memory.sets.set_files import load_sets
from evalmark.memory.sets.set_run import SetJudge, run_sets

#: The fields that hold seconds, tokens that were billed, dollars, and ids of requests and records;
#: by the name of a key, wherever it is.
MEASURED = frozenset(
    {
        "measured", "totals", "costs", "at",  # the log of a run, and run.json
        "seconds", "input_tokens", "output_tokens", "agent_cost", "judge_cost",  # settings
        "token_usage", "performance", "evaluation_id", "evaluation_timestamp",  # records
        "retrieved_timestamp", "files", "checksum", "file_path",
    }
)  # fmt: skip


def without_measurements(data: Any) -> Any:
    """JSON data without the fields of ``MEASURED``."""
    if isinstance(data, dict):
        kept = {key: value for key, value in data.items() if key not in MEASURED}
        return {key: without_measurements(value) for key, value in kept.items()}
    return [without_measurements(value) for value in data] if isinstance(data, list) else data


def contents(home: Path) -> dict[str, list[Any]]:
    """The files of a run, without what is measured; records are named by their ids."""
    files = {}
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        lines = path.suffix in (".jsonl", ".state")
        text = path.read_text("utf-8")
        values = [json.loads(line) for line in text.splitlines()] if lines else [json.loads(text)]
        name = "_samples" if path.stem.endswith("_samples") else "record"
        record = path.parent.parent.name == "records"
        key = f"{path.parent.name}/{name if record else path.name}"
        files[key] = [without_measurements(value) for value in values]
    return files


def differences(left: Path, right: Path) -> list[str]:
    """The files of two runs that differ in more than what is measured."""
    first, second = contents(left), contents(right)
    return [name for name in {**first, **second} if first.get(name) != second.get(name)]


@contextmanager
def endpoint(delay: float) -> Iterator[str]:
    """A fake endpoint; its replies depend on the last message, its ids and tokens on nothing."""
    numbers = count()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            time.sleep(delay)
            text = body["messages"][-1]["content"]
            words = text.split()
            reply = (
                "yes"
                if "yes or no" in text
                else words[int(sha256(text.encode()).hexdigest(), 16) % len(words)]
            )
            number = next(numbers)
            data = {
                "id": f"request-{number}",
                "choices": [{"message": {"content": reply}}],
                "usage": {"prompt_tokens": len(words) + number % 7, "completion_tokens": 1},
            }
            raw = json.dumps(data).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def run(paths: list[str], home: Path, url: str, workers: int) -> tuple[float, int]:
    """The seconds of a run, and the number of its questions."""
    began = time.monotonic()
    agent = ChatAgent(HttpCompleter(url, "fake", window=4000), joins=True)
    judge = SetJudge(HttpCompleter(url, "fake"), SET_PROMPT)
    finished = run_sets(load_sets(paths), agent, home, judge=judge, workers=workers)
    write_answers(finished)
    write_conversation_record(finished, Producer("Us", "other"))
    return time.monotonic() - began, len(finished.answered)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--run", nargs=2, type=Path)
    options = parser.parse_args()
    if options.run:
        left, right = options.run
    else:
        with tempfile.TemporaryDirectory() as folder, endpoint(options.delay) as url:
            left, right = Path(folder, "1/run"), Path(folder, "n/run")
            for home, workers in ((left, 1), (right, options.workers)):
                seconds, questions = run(options.sets, home, url, workers)
                print(f"{workers} workers: {questions} questions in {seconds:.1f} s", flush=True)
            return report(differences(left, right), len(contents(left)))
    return report(differences(left, right), len(contents(left)))


def report(names: list[str], number: int) -> int:
    """Print which files differ; the exit code."""
    print(f"{number} files, {len(names)} differ {' '.join(names)}".rstrip())
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
