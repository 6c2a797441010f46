"""Calls of the commands, in groups: what users see of evalmark."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

#: Files that no command reads: expected outputs and descriptions.
NOT_READ = {".md", ".out", ".py"}
COMMANDS = (
    "check", "convert", "score", "compare", "memory", "memory run", "memory rescore",
    "memory judge", "report", "table", "publish", "serve", "site", "explain",
    "rules", "schema", "init",
)  # fmt: skip
OUTPUTS = ("json", "jsonl", "sarif", "junit", "github", "markdown", "concise")
SCRIPT = "fixtures/good/agent-script.json"
TABLE = "out/table/parquet/results.parquet"


@dataclass(frozen=True)
class Call:
    """A command, run in the folder of its side.

    Attributes:
        group: The process that it is run in; also the kind that a difference is listed under.
        name: The folder of its products below ``out/<group>/``, which ``{out}`` stands for.
        words: Its arguments.
        program: The entry point: ``main``, ``hook``, or ``names`` for the public names.
        copies: What is copied into its folder before it runs, so that it may be changed.
    """

    group: str
    name: str
    words: tuple[str, ...]
    program: str = "main"
    copies: tuple[str, ...] = field(default=())

    @property
    def out(self) -> str:
        return f"out/{self.group}/{self.name}"

    @property
    def arguments(self) -> list[str]:
        return [word.replace("{out}", self.out) for word in self.words]

    @property
    def shown(self) -> str:
        return " ".join((f"evalmark-{self.program}".replace("-main", ""), *self.arguments))


@dataclass(frozen=True)
class Known:
    """What the calls are made of: inputs, and names that the old installation lists.

    Attributes:
        files: The input files, as paths in the folder of a side.
        targets: Formats that ``convert`` writes.
        codes: Codes of rules.
        schemas: Names of schemas.
    """

    files: tuple[str, ...]
    targets: tuple[str, ...]
    codes: tuple[str, ...]
    schemas: tuple[str, ...]

    @classmethod
    def of(cls, side: Path, ask: Callable[..., str], sample: int) -> Known:
        """Ask an installation; of the files, targets and codes take one in ``sample``."""
        tops = [p for p in side.iterdir() if p.name not in ("demo_model", "home", "out")]
        files = [p for top in tops for p in top.rglob("*") if p.is_file()]
        names = [p.relative_to(side).as_posix() for p in files if p.suffix not in NOT_READ]
        formats = json.loads(ask("formats", "--format", "json"))["conversions"]["formats"]
        rules = json.loads(ask("rules", "--format", "json"))["rules"]
        return cls(
            tuple(sorted(names)[::sample]),
            tuple([f["name"] for f in formats][::sample]),
            tuple([r["code"] for r in rules][::sample]),
            tuple(json.loads(ask("schema", "--format", "json"))["schemas"][::sample]),
        )

    @property
    def folders(self) -> list[str]:
        """Folders of two levels, which are given to a command as a whole."""
        return sorted({"/".join(name.split("/")[:2]) for name in self.files if name.count("/") > 1})


def slug(text: str) -> str:
    return "".join(c if c.isalnum() or c in ".-_" else "_" for c in text)


def checks(known: Known) -> Iterator[Call]:
    for name in known.files:
        reports = [w for f in OUTPUTS for w in ("--out", f"{f}={{out}}/report.{f}")]
        yield Call("check", slug(name), ("check", "--format", "full", *reports, name))
    for folder in known.folders:
        yield Call("check", f"all_{slug(folder)}", ("check", "--format", "json", folder))
        for words in (("--select", "ALL"), ("--schema-only",), ("-v",)):
            name = slug("".join((*words, folder)))
            yield Call("check", name, ("check", "--format", "full", "--jobs", "1", *words, folder))


def gates(known: Known) -> Iterator[Call]:
    for name in known.files:
        if name.endswith((".json", ".jsonl")):
            words = ("check", "--profile", "eee", "--format", "json", name)
            yield Call("check --profile eee", slug(name), words)


def hooks(known: Known) -> Iterator[Call]:
    for name in known.files:
        yield Call("hook", slug(name), (name,), "hook")


def fixes(known: Known) -> Iterator[Call]:
    for folder in known.folders:
        make = partial(Call, "fix", copies=(folder,))
        copy = f"{{out}}/{folder.rpartition('/')[2]}"
        words = ("check", "--jobs", "1", "--fix")
        yield make(f"safe_{slug(folder)}", (*words, copy))
        yield make(f"unsafe_{slug(folder)}", (*words, "--unsafe-fixes", copy))
        yield make(f"hook_{slug(folder)}", ("--fix", copy), program="hook")
        diff = ("check", "--jobs", "1", "--diff", "--unsafe-fixes", folder)
        yield Call("fix", f"diff_{slug(folder)}", diff)


def conversions(known: Known) -> Iterator[Call]:
    for name in known.files:
        words = ("convert", name, "-o", "{out}/made", "--report", "{out}/report.json")
        yield Call("convert", slug(name), words)
    for folder in known.folders:
        rest = ("--skip-unknown", folder, "-o", "{out}/made", "--report", "{out}/report.json")
        for target in known.targets:
            command = ("convert", "--to", target, *rest)
            yield Call(f"convert --to {target}", slug(folder), command)
        for option in ("needs", "check"):
            yield Call("convert", f"{option}_{slug(folder)}", ("convert", f"--{option}", folder))
        yield Call("convert", f"split_{slug(folder)}", ("convert", "--split-conjunctions", *rest))


def scores(_: Known) -> Iterator[Call]:
    model = ("--model", "demo_model", "--out", "{out}/run")
    pairs = tuple(f"fixtures/good/pairs/{p}" for p in ("agreement.jsonl", "multiblimp.tsv"))
    for name, words in {
        "suites": ("fixtures/suites", *model),
        "suites_joined": ("fixtures/suites", *model, "--join", "hf", "--record-version", "0.3.0"),
        "suites_predicted": ("fixtures/suites", *model, "--regions", "predicted", "--limit", "5"),
        "suites_zero": ("fixtures/suites", *model, "--bos", "none", "--first-token", "zero"),
        "suites_undefined": ("fixtures/suites", *model, "--bos", "none"),
        "pairs": (*pairs, *model),
        "pairs_mean": (*pairs, *model, "--method", "mean", "--record-version", "0.3.0"),
        "recorded": (
            "fixtures/legacy/evaluated.old.json",
            "--surprisals=recorded",
            "--out",
            "{out}/run",
        ),
        "json": ("fixtures/good/suite.json", *model, "--format", "json"),
        "plan": ("fixtures/suites", "--model", "demo_model", "--dry-run"),
        "no_suites": ("fixtures/bad/SG204_unknown_condition.json", *model),
    }.items():
        yield Call("score", name, ("score", *words))
    runs = ("out/score/suites/run", "out/score/suites_zero/run")
    for form in ("table", "json", "markdown"):
        yield Call("score", f"compare_{form}", ("compare", *runs, "--format", form))


def conversations(_: Known) -> Iterator[Call]:
    tests = {
        "all": ("all", "--examples", "1"),
        "filled": ("colours", "--mode", "filled", "--examples", "2"),
        "interleaved": ("names", "colours", "--mode", "interleaved", "--examples", "1"),
        "definitions": ("fixtures/good/ltm/definitions",),
        "locomo": ("fixtures/good/memory/locomo.json", "--judge", SCRIPT),
        "longmemeval": ("fixtures/good/memory/longmemeval.json",),
    }
    script = ("--agent", SCRIPT, "--out", "{out}/run")
    for name, which in tests.items():
        yield Call("converse", name, ("memory", "run", *which, *script))
    for name in tests:
        options = ("--rules", "ltm-3", "--format", "json")
        words = ("memory", "rescore", f"out/converse/{name}/run", *options)
        yield Call("converse", f"rescore_{name}", words)


def tables(known: Known) -> Iterator[Call]:
    top = sorted({name.split("/")[0] for name in known.files})
    for ending in ("parquet", "csv"):
        files = ("-o", f"{{out}}/results.{ending}", "--samples", f"{{out}}/samples.{ending}")
        yield Call("table", ending, ("table", *top, *files, "--include-errors"))
    yield Call("table", "left_out", ("table", *top, "-o", "{out}/results.csv"))


def pages(_: Known) -> Iterator[Call]:
    for name, sources in {
        "suites": ("out/score/suites/run",),
        "two": ("out/score/suites/run", "out/score/suites_zero/run"),
        "pairs": ("out/score/pairs/run",),
        "talks": ("out/converse/all/run",),
        "set_run": ("out/converse/locomo/run",),
    }.items():
        yield Call("report", name, ("report", *sources, "--out", "{out}/page.html"))
    yield Call("publish", "site", ("publish", TABLE, "-o", "{out}/site"))


def references(known: Known) -> Iterator[Call]:
    yield Call("help", "evalmark", ("--help",))
    yield Call("help", "hook", ("--help",), "hook")
    yield Call("help", "names", (), "names")
    for command in COMMANDS:
        yield Call("help", slug(command), (*command.split(), "--help"))
    for number, words in enumerate(
        (("chek",), ("check", "--formt", "x"), ("check", "--format", "x", "a"), ("explain", "X1"),
         ("schema", "x"), ("convert", "a", "--to", "x"), ("check", "not-there.json"), ("score",))
    ):  # fmt: skip
        yield Call("help", f"mistake_{number}", words)
    for form in ("table", "json"):
        yield Call("rules", form, ("rules", "--format", form))
        yield Call("help", f"formats_{form}", ("formats", "--format", form))
        for code in known.codes:
            yield Call("explain", f"{code}_{form}", ("explain", code, "--format", form))
    yield Call("schema", "all", ("schema",))
    for name in known.schemas:
        yield Call("schema", name, ("schema", name))
    yield Call("init", "plain", ("init", "{out}/made"))
    words = ("init", "{out}/made", "--name", "agreement", "--record-version", "0.3.0")
    yield Call("init", "named", words)


PARTS = (
    references, checks, gates, hooks, fixes, conversions, scores, conversations, tables, pages,
)  # fmt: skip


def planned(known: Known, only: list[str], first: int | None) -> list[Call]:
    """The calls, group by group; with ``only``, of these groups; at most ``first`` of each."""
    groups: dict[str, list[Call]] = {}
    for part in PARTS:
        for call in part(known):
            groups.setdefault(call.group, []).append(call)
    chosen = [g for g in groups if not only or any(g.startswith(word) for word in only)]
    return [call for group in chosen for call in groups[group][:first]]
