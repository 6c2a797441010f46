"""Commands with a probe under them, which acts at one of the changes that they make to files.

The probe (``probe.c``) needs Linux and a C compiler. Commands are forked from one process that has
imported everything: starting Python and torch takes longer than most commands.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.torture import calls

#: Seconds that a command may take.
_SECONDS = 300
#: Where programs lie that a folder cannot bring: git, and Python itself.
_SYSTEM = ("/usr/bin/", "/bin/", sys.executable)


@dataclass(frozen=True, slots=True)
class Act:
    """What the probe does, and at which change of a file; see ``probe.c``."""

    name: str = "count"
    at: int = 0
    target: str = ""  # the file that another program replaces
    new: str = ""  # by this one


COUNT = Act()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a probed command ended."""

    code: int  # negative for a signal
    changes: int  # of files in its folder, as far as it came
    said: str  # on stderr
    out: str
    seconds: float  # of processors
    reached: list[str]  # hosts that it called and programs that it started; files, if opened


class Probed:
    """The process that commands are forked from."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, folder: Path, words: tuple[str, ...], act: Act = COUNT) -> Outcome:
        """Run a command in a folder, and wait for its end."""
        assert self._process.stdin
        assert self._process.stdout
        line = json.dumps({"folder": str(folder), "words": words, "act": asdict(act)})
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return Outcome(**json.loads(self._process.stdout.readline()))


@contextmanager
def probed() -> Iterator[Probed]:
    """Make the probe, and start the process that commands are forked from."""
    with tempfile.TemporaryDirectory(prefix="torture-probe-") as home:
        library = str(Path(home, "probe.so"))
        source = Path(__file__).with_name("probe.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, str(source), "-ldl"], check=True)
        # One thread: threads do not survive a fork.
        own = {"LD_PRELOAD": library, "OMP_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "1760000000"}
        with subprocess.Popen(
            [sys.executable, "-m", "benchmarks.torture.probed"], cwd=calls.ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **own},
        ) as process:  # fmt: skip
            yield Probed(process)
            assert process.stdin
            process.stdin.close()


def _answer(line: str) -> Outcome:
    """Fork a process for a command, and wait for it."""
    wanted = json.loads(line)
    with (
        tempfile.NamedTemporaryFile() as counter, tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as seen,
    ):  # fmt: skip
        counter.write(bytes(8))
        counter.flush()
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            _become(wanted, counter.name, said.fileno(), seen.fileno())
        _, status, usage = os.wait4(child, 0)
        texts = []
        for file in (said, out, seen):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        changes = int.from_bytes(Path(counter.name).read_bytes()[:4], sys.byteorder)
        seconds = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        return Outcome(code, changes, texts[0], texts[1], seconds, texts[2].splitlines())


def _watch(seen: int, outside: str) -> None:
    """Note which hosts are called, which programs are started, and which files are opened there."""

    def follows(flags: object) -> bool:
        return not (isinstance(flags, int) and flags & os.O_NOFOLLOW)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "os.system"):
            os.write(seen, f"{event} {arguments!r}\n".encode("utf-8", "replace"))
        elif event == "subprocess.Popen" and not str(arguments[0]).startswith(_SYSTEM):
            os.write(seen, f"{event} {arguments[0]!r}\n".encode("utf-8", "replace"))
        elif event == "open" and isinstance(arguments[0], str) and follows(arguments[2]):
            path = os.path.realpath(arguments[0])
            if path.startswith(outside + os.sep):
                os.write(seen, f"open {path}\n".encode("utf-8", "replace"))

    sys.addaudithook(hook)


def _become(wanted: dict[str, object], counter: str, said: int, seen: int) -> None:
    """Be the command, in a group of processes that a kill ends together."""
    import signal

    code = 70
    try:
        os.setsid()
        signal.alarm(_SECONDS)
        null = os.open(os.devnull, os.O_RDWR)
        for handle, stream in ((null, 0), (said, 2)):
            os.dup2(handle, stream)
        act, folder = wanted["act"], str(wanted["folder"])
        words = wanted["words"]
        assert isinstance(act, dict)
        assert isinstance(words, list)
        os.chdir(folder)
        _watch(seen, str(Path(folder).parent / "outside"))
        os.environ |= {
            "PROBE_COUNTER": counter, "PROBE_AT": str(act["at"]), "PROBE_ACT": act["name"],
            "PROBE_TARGET": act["target"], "PROBE_NEW": act["new"], "PROBE_FOLDER": folder,
        }  # fmt: skip
        code = _save_page(words[1]) if words[0] == "page" else _command(words)
        sys.stderr.flush()
        sys.stdout.flush()
    finally:
        os._exit(code)


def _command(words: list[str]) -> int:
    main = sys.modules["evalmark.cli.main"].main
    try:
        return int(main(words))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1


def _save_page(name: str) -> int:
    """What the page of the workbench does: open a suite, and save it with other cells."""
    from evalmark.schemas.errors import RequestRefused
    from evalmark.workbench.file_opening import open_file
    from evalmark.workbench.file_saving import save
    from evalmark.workbench.served_folder import ServedFolder

    folder = ServedFolder(".")
    file = open_file(folder, name)
    for item in file.data["items"]:
        item["conditions"][0]["regions"][0]["content"] = "Every"
    try:
        save(folder, name, file.data, file.digest)
    except RequestRefused as refused:
        print(refused, file=sys.stderr)
        return 2
    return 0


def _main() -> None:
    calls.prepare()
    for name in (
        "torch",
        "transformers.models.gpt2.modeling_gpt2",
        "evalmark.workbench.file_saving",
    ):
        if find_spec(name.partition(".")[0]):
            __import__(name)
    for line in sys.stdin:
        print(json.dumps(asdict(_answer(line))), flush=True)


if __name__ == "__main__":
    _main()
