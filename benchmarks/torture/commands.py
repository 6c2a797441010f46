"""Every command on a file, and what its end must look like."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evalmark.validator.findings.rule import FILE_CODES

from benchmarks.torture.calls import FIXTURES, Call, Ended, call
from benchmarks.torture.hostile import SUITE, Hostile

FORMATS = ("full", "concise", "jsonl", "sarif", "junit", "github", "auto")
TARGETS = (
    "suite", "suite-legacy", "table", "rows", "sentences", "record-0.2.0", "record-0.3.0",
    "sample-0.3.0", "ltm-definition-3", "ltm-definition-1", "json", "yaml",
)  # fmt: skip
#: Codes of files that could not be checked, and of those that are of no known kind.
NOT_CHECKED, UNKNOWN = {"F011", "F099"}, {"F012"}
UNREADABLE = FILE_CODES.keys() - NOT_CHECKED - UNKNOWN - {"F013"}
SCRIPT = FIXTURES.parent / "benchmarks/torture/script.json"


class Judged(NamedTuple):
    """A call, and what is wrong with its end; nothing if it is as it must be."""

    ended: Ended
    wrong: tuple[str, ...]


def judged(ended: Ended, codes: set[int], wrong: tuple[str, ...] = ()) -> Judged:
    """A call whose exit code must be one of these."""
    found = list(wrong)
    if ended.hung:
        found.append("hang")
    elif ended.traceback:
        found.append("traceback")
    elif ended.internal:
        found.append("internal error")
    elif ended.code not in codes:
        found.append(f"exit code {ended.code}, expected {sorted(codes)}")
    elif ended.code == 2 and not ended.err and not ended.out:
        found.append("exit code 2 without a word")
    found += _acting(ended)
    return Judged(ended, tuple(found))


def _acting(ended: Ended) -> list[str]:
    """What the output would do to a terminal or to GitHub's runner."""
    text = ended.out + ended.err
    found = []
    if b"\x1b" in text:
        found.append("an escape reaches the terminal")
    lines = text.replace(b"\r", b"\n").split(b"\n")
    ours = (
        b"::error file=", b"::warning file=", b"::notice file=", b"::error title=",
        b"::warning title=", b"::error::", b"::warning::", b"::notice::",
    )  # fmt: skip
    for line in lines:
        line = line.lstrip()
        if line.startswith(b"::") and (
            line.startswith(b"::error file=x::") or not line.startswith(ours)
        ):
            found.append("a line is a command of GitHub's runner")
            break
    return found


def of_file(entry: Hostile, path: Path, work: Path) -> Iterator[Judged]:
    """All commands on a file, one after the other; ``work`` is an empty folder for outputs."""
    checks = path.suffix in (".json", ".jsonl", ".yaml", ".yml")
    if checks:
        yield from _checks(entry, path, work)
    yield from _conversions(path, work)
    yield from _others(path, work)


def _checks(entry: Hostile, path: Path, work: Path) -> Iterator[Judged]:
    first = call(Call(("check", "--format", "json", str(path))))
    try:
        found = {(f["code"], f["severity"]) for f in json.loads(first.out)["findings"]}
    except ValueError:
        yield judged(first, {0, 1, 2}, () if first.hung or first.traceback else ("no JSON",))
        return
    codes = {code for code, _ in found}
    code = _code(codes, {severity for _, severity in found})
    missed = entry.codes and not codes & entry.codes
    wrong = (f"found {sorted(codes)}, not {sorted(entry.codes)}",) if missed else ()
    yield judged(first, {code}, wrong)
    for name in FORMATS:
        ended = call(Call(("check", "--format", name, str(path))))
        yield judged(ended, {code}, _unparsable(name, ended))
    folder = call(Call(("check", "--format", "concise", "-v", str(path.parent))))
    yield judged(folder, {0, 1, 2})
    # Of files that cannot be read, the hook skips those of other programs.
    hook = {0} if codes & UNKNOWN else {0, code} if codes & UNREADABLE else {code}
    yield judged(call(Call((str(path),), "evalmark-hook")), hook)
    name = ("check", "--stdin-filename", path.name, "-")
    if path.stat().st_size < 20_000_000:
        yield judged(call(Call(name, stdin=path.read_bytes())), {0, 1, 2})
    for words in (
        ("--schema-only",), ("--profile", "eee"), ("--kind", "suite"), ("--kind", "record"),
        ("--select", "ALL"), ("--diff", "--unsafe-fixes"),
    ):  # fmt: skip
        yield judged(call(Call(("check", *words, str(path)))), {0, 1, 2})
    copy = _copied(path, work / "fix")
    yield judged(call(Call(("check", "--fix", "--unsafe-fixes", str(copy)))), {0, 1, code})
    yield judged(call(Call(("check", "--fix", "--unsafe-fixes", str(copy)))), {0, 1, code})


def _code(codes: set[str], severities: set[str]) -> int:
    if codes & NOT_CHECKED:
        return 2
    return 1 if "error" in severities else 0


def _unparsable(name: str, ended: Ended) -> tuple[str, ...]:
    """What is wrong with an output for programs."""
    try:
        if name == "jsonl":
            [json.loads(line) for line in ended.out.decode().split("\n")[:-1]]
        elif name == "sarif":
            json.loads(ended.out.decode())
        elif name == "junit":
            ET.fromstring(ended.out.decode())
    except (ValueError, ET.ParseError) as error:
        return (f"{name} cannot be parsed: {error}",) if not ended.traceback else ()
    return ()


def _conversions(path: Path, work: Path) -> Iterator[Judged]:
    for target in TARGETS:
        words = ("convert", "--to", target, str(path), "-o", str(work / f"to-{target}"))
        yield judged(call(Call(words)), {0, 1, 2})
    formulas = work / "formulas.txt"
    formulas.write_text(SUITE["predictions"][0]["formula"] + "\n")
    words = ("convert", str(path), "--predictions", str(formulas), "--metric", "sum")
    yield judged(call(Call((*words, "-o", str(work / "predicted.json")))), {0, 1, 2})
    yield judged(call(Call(("convert", "--diff", str(path)))), {0, 1, 2})
    copy = _copied(path, work / "in-place")
    before = copy.read_bytes()
    done = call(Call(("convert", "--in-place", str(copy))))
    wrong = ("a file was changed and refused",) if done.code and copy.read_bytes() != before else ()
    yield judged(done, {0, 1, 2}, wrong)
    yield judged(call(Call(("convert", "--check", str(copy.parent)))), {0, 1, 2})


def _others(path: Path, work: Path) -> Iterator[Judged]:
    """Commands that take the file as a suite, a script, a definition, defaults, a run."""
    out = ("-o", str(work / "other.json"))
    suite, record = FIXTURES / "good/suite.json", FIXTURES / "good/record.json"
    script, run = str(SCRIPT), work / "run"
    agent = run / "results/agent/Colours"
    _copied(path, agent).rename(agent / "0_0.json")
    shutil.copytree(FIXTURES / "good/ltm/definitions", run / "definitions", dirs_exist_ok=True)
    scores = work / "scores"
    _copied(path, scores).rename(scores / "run.json")
    for words in (
        ("score", str(path), "--dry-run"),
        ("score", str(path), "--surprisals=recorded", "--out", str(work / "recorded")),
        ("score", str(suite), "--surprisals", str(path)),
        ("convert", str(suite), "--predictions", str(path), *out),
        ("convert", str(record), "--to", "record-0.3.0", "--defaults", str(path), *out),
        ("memory", str(path), "--agent", script, "--out", str(work / "talk")),
        ("memory", "colours", "--agent", str(path), "--examples", "1", "--out", str(work / "said")),
        ("compare", str(run), str(run)),
        ("report", str(run), "--out", str(work / "talk.html")),
        ("report", str(scores), "--out", str(work / "scores.html")),
        ("compare", str(scores), str(scores)),
    ):  # fmt: skip
        yield judged(call(Call(words)), {0, 1, 2})
    log = run / "results/agent/conversation.jsonl"
    shutil.copy(path, log)
    good = FIXTURES / "good/ltm/results/Example agent/Colours/0_0.json"
    shutil.copy(good, agent / "0_0.json")
    again = ("memory", "colours", "--agent", script, "--out", str(run))
    yield judged(call(Call(again)), {0, 1, 2})
    shutil.copy(path, run / "results/agent/run.json")
    yield judged(call(Call(("report", str(run), "--out", str(work / "told.html")))), {0, 1, 2})
    settings = work / "settings"
    settings.mkdir()
    shutil.copy(path, settings / "evalmark.toml")
    shutil.copy(suite, settings)
    yield judged(call(Call(("check", "suite.json"), cwd=str(settings))), {0, 1, 2})


def _copied(path: Path, folder: Path) -> Path:
    """A copy with what lies next to it, which may be named in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in path.parent.iterdir():
        if entry.is_file() and entry.name.startswith(("with_samples", "samples")):
            shutil.copy(entry, folder)
    return Path(shutil.copy(path, folder))


def once() -> Iterator[Judged]:
    """Commands that take no file."""
    for words, code in (
        ((), 2), (("--version",), 0), (("--help",), 0), (("nonsense",), 2), (("\x1b[31m",), 2),
        (("check",), 2), (("check", "--format", "x\n::set-env"), 2),
        (("check", "--jobs", "0", "x"), 2),
        (("explain",), 0), (("explain", "--format", "json"), 0), (("explain", "SG204"), 0),
        (("explain", "\u202e"), 2), (("explain", "nothing"), 2), (("schema",), 0),
        (("schema", "suite"), 0), (("schema", "../../x"), 2),
        (("convert",), 2), (("score",), 2), (("memory", "x", "--agent", "y"), 2),
        (("check", "x" * 5000), 2), (("convert", "x" * 5000), 2),
        (("score", "x" * 5000, "--dry-run"), 2), (("report", "x" * 5000), 2),
        (("check", ""), 2), (("convert", ""), 2), (("convert", "", "--in-place"), 2),
        (("init", "--name", "../../x"), 2), (("init", "--name", ""), 2),
    ):  # fmt: skip
        yield judged(call(Call(words)), {code})
