"""Kills of commands that write: nothing is lost, torn or left over, and the next call is complete.

A command is run once to count the changes that it makes to files, then killed amid them: before a
change or, of a write, after half of its bytes. After each kill every file must be as before or as
after, and the same command, run again, must end as if nothing had happened. SIGTERM must leave no
temporary file. What each command writes is compared with a run that nothing disturbed.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from benchmarks.torture.calls import FIXTURES
from benchmarks.torture.commands import SCRIPT
from benchmarks.torture.probed import Act, Outcome, Probed

#: What differs between two runs: the time that exchanges took, as it appears in logs and results.
_TIMES = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?|\"duration\": [0-9.e-]+"
    rb"|latency_ms\": [0-9.e-]+"
)
#: Names of records, and digests of what has times.
_NAMES = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DIGESTS = re.compile(rb'"(records/[^"]*|checksum|[^"]*ID\d+[^"]*)": "[^"]*"')
#: In `run.json`: it is written before the record, and again with the files of the record.
LISTED = re.compile(rb'"files": \{[^}]*\}')
#: Files of a run that is under way: what they have is kept for the next call.
GROWING = ("conversation.jsonl", "unfinished.jsonl")
#: The folder in which the files of a site are made.
STAGED = "/.evalmark-site/"
TEMPORARY = ".evalmark-"
OLD = FIXTURES / "legacy/brackets.old.json"
FIXABLE = FIXTURES / "bad/SG301_trailing_space.json"
RECORD = FIXTURES / "good/record.json"
OTHER = FIXTURES / "versions/record-0.3.0.json"
State = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Writing:
    """A command that writes: what it begins with, and its words.

    With ``then`` it has run once before, and something has changed since.
    """

    begin: Callable[[Path], object]
    words: tuple[str, ...]
    changed: str = ""  # the file that another program changes meanwhile
    then: Callable[[Path], object] | None = None


def _many(source: Path, count: int = 40) -> Callable[[Path], object]:
    def begin(folder: Path) -> None:
        (folder / "in").mkdir()
        for number in range(count):
            shutil.copy(source, folder / f"in/{number:03}.json")

    return begin


def _one(source: Path, name: str) -> Callable[[Path], object]:
    return lambda folder: shutil.copy(source, folder / name)


_SUITE = _one(FIXTURES / "suites/negative_polarity.json", "suite.json")
_DEFINED = _one(FIXTURES / "good/ltm/definitions/Colours/0.def.json", "colours.def.json")
_SCORED = ("--out", "out", "--overwrite", "--device", "cpu")

#: The file that is changed meanwhile is, of many, the one that is being written then.
WRITINGS: dict[str, Writing] = {
    "convert --in-place": Writing(_many(OLD), ("convert", "--in-place", "in"), "in/020.json"),
    "convert -o": Writing(_many(OLD), ("convert", "in", "-o", "out"), "in/020.json"),
    "check --fix": Writing(
        _many(FIXABLE), ("check", "--fix", "--unsafe-fixes", "in"), "in/020.json"
    ),
    "score": Writing(
        _one(FIXTURES / "legacy/evaluated.old.json", "suite.json"),
        ("score", "suite.json", "--surprisals=recorded", "--out", "out", "--overwrite"),
        "suite.json",
    ),
    "converse": Writing(
        _DEFINED,
        ("memory", "colours", "--agent", str(SCRIPT), "--out", "out", "--examples", "8"),
    ),
    "table": Writing(
        _many(RECORD, 3),
        ("table", "in", "-o", "out.csv", "--samples", "samples.csv"),
        "in/001.json",
    ),
    "publish": Writing(
        _many(RECORD, 3), ("publish", "in", "-o", "site"), "in/001.json"
    ),
    "init": Writing(lambda _: None, ("init", "new", "--name", "first")),
}  # fmt: skip


def all_writings(home: Path) -> dict[str, Writing]:
    """The commands, the page's save and, where torch is installed, runs of models."""
    found = {
        **WRITINGS,
        "table, again": Writing(
            _many(RECORD, 2), WRITINGS["table"].words, "in/001.json", _one(OTHER, "in/002.json")
        ),
        "publish, again": Writing(
            _many(RECORD, 2), WRITINGS["publish"].words, "in/001.json", _one(OTHER, "in/002.json")
        ),
        "memory, a definition": Writing(
            _DEFINED, ("memory", "colours.def.json", "--agent", str(SCRIPT), "--out", "out"),
            "colours.def.json",
        ),
        "the page's save": Writing(_SUITE, ("page", "suite.json"), "suite.json"),
    }  # fmt: skip
    if not find_spec("torch"):
        return found
    pairs = _one(FIXTURES / "good/pairs/multiblimp.tsv", "pairs.tsv")
    for model, name in (("packed", "demo"), ("padded", _padded(home))):
        for kind, begin, file in (("suite", _SUITE, "suite.json"), ("pairs", pairs, "pairs.tsv")):
            words = ("score", file, "--model", name, *_SCORED)
            found[f"score, {kind}, {model}"] = Writing(begin, words, file)
    return found


def _padded(home: Path) -> str:
    """A small model whose texts are not packed: a recurrent one."""
    import torch
    from evalmark.scoring.demo_files import DEMO_FOLDER
    from transformers import AutoTokenizer, MambaConfig, MambaForCausalLM

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(DEMO_FOLDER)
    config = MambaConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, state_size=4,
        bos_token_id=0, eos_token_id=0, pad_token_id=0,
    )  # fmt: skip
    folder = home / "mamba"
    MambaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@dataclass(slots=True)
class Tried:
    """Tries of a command: how many, how many met it amid its work, and what was wrong then."""

    tried: int = 0
    hit: int = 0
    wrong: list[str] = field(default_factory=list)


class Whole:
    """A command that nothing disturbs: its files before and after, and its number of changes."""

    def __init__(self, writing: Writing, probed: Probed, home: Path) -> None:
        self.writing = writing
        self.probed = probed
        folder = home / "whole"
        self.before = self.started(folder)
        outcome = self.run(folder)
        assert outcome.code in (0, 1), (writing.words, outcome)
        self.changes = outcome.changes
        self.after = state(folder)
        again = home / "again"
        self.started(again)
        self.run(again)
        different = differing(state(again), self.after)
        assert not different, f"{writing.words}: two runs differ in {different}"

    def started(self, folder: Path) -> State:
        """Make the folder of the command; its files."""
        folder.mkdir(parents=True)
        self.writing.begin(folder)
        if self.writing.then is not None:
            self.run(folder)
            self.writing.then(folder)
        return state(folder)

    def run(self, folder: Path, act: Act | None = None) -> Outcome:
        """Run the command in a folder, with an act of the probe."""
        if act is None:
            return self.probed.run(folder, self.writing.words)
        return self.probed.run(folder, self.writing.words, act)

    def torn(self, now: State, *, most: int) -> list[str]:
        """What an interruption lost, tore or left: of temporary files there are ``most``."""
        found = [
            f"{name} is gone" for name in self.before if name in self.after and name not in now
        ]
        temporary = []
        for name, content in now.items():
            base = name.rpartition("/")[2]
            if STAGED in name or base in GROWING:
                continue  # a site is moved to its place when it is complete
            if base.startswith(TEMPORARY):
                temporary.append(name)
            elif content not in (self.before.get(name), self.after.get(name)) and not (
                base == "run.json"
                and LISTED.sub(b"", content) == LISTED.sub(b"", self.after.get(name, b""))
            ):
                found.append(f"{name} is torn")
        if len(temporary) > most:
            found.append(f"left over: {temporary}")
        return found


def killed(whole: Whole, home: Path, count: int) -> Tried:
    """Kill a command at changes from the second to the last; each fifth by SIGTERM."""
    found = Tried()
    for number in range(count):
        name = "term" if number % 5 == 4 else "kill"
        at = 2 + number * max(whole.changes - 2, 0) // max(count - 1, 1)
        folder = home / f"kill{number}"
        whole.started(folder)
        outcome = whole.run(folder, Act(name, min(at, whole.changes)))
        found.tried += 1
        found.hit += outcome.code in (-9, -15, 143)
        where = f"{name} at change {at} of {whole.changes}: "
        said = [] if name == "kill" or "Traceback" not in outcome.said else ["a traceback"]
        wrong = said + whole.torn(state(folder), most=int(name == "kill"))
        again = whole.run(folder)
        different = differing(state(folder), whole.after)
        if different:
            wrong.append(f"the next run differs: {different[:3]} ({again.said[-200:]!r})")
        found.wrong += [where + what for what in wrong]
        shutil.rmtree(folder)
    return found


def differing(one: State, other: State) -> list[str]:
    """Names of files that differ."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def state(folder: Path) -> State:
    """Files and their contents, without times; records are numbered."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    known: dict[str, str] = {}
    for path in paths:
        for match in _NAMES.finditer(path.name):
            known.setdefault(match.group(), f"ID{len(known) + 1}")
    found: State = {}
    for path in paths:
        name = path.relative_to(folder).as_posix()
        content = _TIMES.sub(b"", path.read_bytes())
        for identity, number in known.items():
            name = name.replace(identity, number)
            content = content.replace(identity.encode(), number.encode())
        found[name] = _DIGESTS.sub(b"", content)
    return found
