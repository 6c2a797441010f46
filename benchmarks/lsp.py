"""How fast the language server answers a key, and that it says what ``evalmark check`` says.

``python -m benchmarks.lsp [--suite FILE] [--edits 10000]`` drives ``evalmark lsp`` over its pipes:

- from a key to the findings, on a suite and on a record of 5 MB;
- 50 edits a second: the last findings are those of the last text;
- memory after 1,000 edits;
- random edits of all fixtures, whose findings are compared with those of ``evalmark check``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from evalmark import check_files
from evalmark.lsp.live_text import LiveText
from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
#: Edits of a text between two comparisons.
ROUND = 20
PIECES = ("", "", '"', "}", "]", "x", ", ", "[1]", ": ", "é", "😀", "\n", '{"a": 1}', "null", "-3")


class Session:
    """A server, and the files that are open in it."""

    def __init__(self) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.versions: dict[str, int] = {}
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: list[str] = []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def note(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "evalmark", "lsp")
        params = types.InitializeParams(capabilities=types.ClientCapabilities())
        await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, path: Path, text: str) -> None:
        self.versions[path.as_uri()] = 1
        item = types.TextDocumentItem(path.as_uri(), "json", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, path: Path) -> None:
        params = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(path.as_uri()))
        self.client.text_document_did_close(params)

    def edit(self, path: Path, place: types.Range, text: str) -> None:
        uri = path.as_uri()
        self.versions[uri] += 1
        change = types.TextDocumentContentChangePartial(place, text)
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def findings(self, path: Path) -> list[types.Diagnostic]:
        """The findings on the newest text."""
        uri = path.as_uri()
        while True:
            params = await asyncio.wait_for(self.told.get(), 120)
            if (params.uri, params.version) == (uri, self.versions[uri]):
                return list(params.diagnostics)

    def memory(self) -> float:
        """Resident megabytes of the server."""
        server = self.client._server  # noqa: SLF001
        status = Path(f"/proc/{server.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def processor(session: Session) -> float:
    """Milliseconds of a processor that the server has used, whatever else runs."""
    server = session.client._server  # noqa: SLF001
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keys(text: str) -> list[types.Range]:
    """A place inside of a text of a region or a value, to write at."""
    at = text.rindex('"content": "') + 12 if '"content": "' in text else text.rindex('": "') + 4
    return [LiveText(text).range(at, at)]


async def latency(session: Session, path: Path, text: str, count: int) -> list[float]:
    """Milliseconds from a key to its findings."""
    session.open(path, text)
    await session.findings(path)
    (place,) = keys(text)
    behind = types.Range(place.start, types.Position(place.start.line, place.start.character + 1))
    times = []
    for number in range(count):
        began = time.perf_counter()
        session.edit(path, behind if number % 2 else place, "" if number % 2 else "x")
        await session.findings(path)
        times.append(1000 * (time.perf_counter() - began))
    return times


async def burst(session: Session, path: Path, text: str) -> tuple[int, float]:
    """Answers to 200 edits in 4 seconds, and milliseconds until the last one was answered."""
    (place,) = keys(text)
    answers = 0
    for number in range(200):
        session.edit(path, place, str(number % 10))
        await asyncio.sleep(0.02)
        while not session.told.empty():
            session.told.get_nowait()
            answers += 1
    began = time.perf_counter()
    await session.findings(path)
    return answers, 1000 * (time.perf_counter() - began)


async def random_edits(session: Session, edits: int, folder: Path) -> tuple[int, int]:
    """Comparisons with ``evalmark check``, and how many differed."""
    choice = random.Random(38)
    kinds = (FIXTURES / kind for kind in ("good", "bad", "legacy", "suites"))
    every = (path for kind in kinds for path in kind.rglob("*"))
    sources = sorted(path for path in every if path.suffix in (".json", ".yaml"))
    compared = different = made = 0
    while made < edits:
        source = choice.choice(sources)
        path = folder / str(compared) / source.name
        path.parent.mkdir()
        # An editor shows text; what is not UTF-8 is in none.
        live = LiveText(source.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff"))
        session.open(path, live.text)
        for _ in range(ROUND):
            text = live.text
            start = choice.randrange(len(text) + 1)
            width = choice.choice((0, 0, 1, 2, 9))
            place, new = live.range(start, min(start + width, len(text))), choice.choice(PIECES)
            live.edit(place, new)
            session.edit(path, place, new)
            made += 1
        said = await session.findings(path)
        session.close(path)
        path.write_text(live.text, encoding="utf-8", newline="")
        expected = [
            (f.code, f.message, live.range_of(f.span)) for f in check_files([path.parent]).findings
        ]
        shown = [(d.code, d.message.partition("\n")[0], d.range) for d in said]
        compared += 1
        same = len(shown) == len(expected) and all(
            s[0] == e[0] and s[1].startswith(e[1].partition("\n")[0]) and s[2] == e[2]
            for s, e in zip(shown, expected, strict=True)
        )
        if not same:
            different += 1
            print(f"DIFFERENT: {source.name}\n  server {shown}\n  check  {expected}")
    return compared, different


def large_record() -> str:
    """A record of 5 MB: one result, again and again."""
    data = json.loads((FIXTURES / "good/record.json").read_text(encoding="utf-8"))
    (first, *_) = data["evaluation_results"]
    size = len(json.dumps(first, indent=2))
    data["evaluation_results"] = [
        {**first, "evaluation_name": f"{first['evaluation_name']} {number}"}
        for number in range(5_000_000 // (size + size // 4))
    ]
    return json.dumps(data, indent=2)


async def speed(session: Session, folder: Path, suite: str) -> None:
    """Print times and memory."""
    for label, text in (("suite", suite), ("record", large_record())):
        path = folder / label / f"{label}.json"
        path.parent.mkdir()
        used = processor(session)
        times = await latency(session, path, text, 40)
        used = (processor(session) - used) / 41
        size, middle = len(text.encode()) / 1000, statistics.median(times)
        spent = f"median {middle:.0f} ms, worst {max(times):.0f}, of a processor {used:.0f}"
        print(f"{label}, {size:.0f} kB: key to findings: {spent}", flush=True)
        if label == "suite":
            answers, last = await burst(session, path, text)
            print(f"50 edits a second for 4 s: {answers} answers, the last after {last:.0f} ms")
        session.close(path)
    path = folder / "suite" / "suite.json"
    await latency(session, path, suite, 20)
    before = session.memory()
    await latency(session, path, suite, 1000)
    print(f"memory: {before:.0f} MB, after 1,000 edits {session.memory():.0f} MB")


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--suite", type=Path, default=FIXTURES / "good/suite.json")
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--only-edits", action="store_true", help="Measure no times.")
    arguments = parser.parse_args()
    session = Session()
    await session.start()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not arguments.only_edits:
            await speed(session, folder, arguments.suite.read_text(encoding="utf-8"))
        compared, different = await random_edits(session, arguments.edits, folder)
    await session.stop()
    print(f"{arguments.edits} random edits: {compared} comparisons with evalmark check, "
          f"{different} differ, {len(session.messages)} exceptions")  # fmt: skip
    for message in session.messages[:5]:
        print(message)
    return 1 if different or session.messages else 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
