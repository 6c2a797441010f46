"""Folders, tables, archives and patterns of somebody hostile, and what commands do with them.

Each try puts something hostile into a folder and runs a command there, which an audit hook of
Python watches. It is hit if the command met it, and has failed if code of the folder ran, a host
was called, a program was started, the key was written, a file outside was opened, changed or made,
a cell of a table is a formula, or the time is out of proportion.
"""

from __future__ import annotations

import csv
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.torture.calls import FIXTURES, ROOT
from benchmarks.torture.kills import Tried
from benchmarks.torture.probed import Outcome, Probed, probed

KEY = "sk-torture-0123456789abcdef"
_EVIL = "open({!r}, 'w').close()\nclass J:\n    def complete(self, *_, **__):\n        return ''\n"
_SUITE = FIXTURES / "good/suite.json"
#: What a spreadsheet takes for a formula.
_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_FORMULA = 'HYPERLINK("http://127.0.0.1:9/")'
#: Seconds of processors that a command may take for a small file.
_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that somebody has made, and what lies outside of it."""

    home: Path

    @property
    def here(self) -> Path:
        return self.home / "cloned"

    @property
    def outside(self) -> Path:
        return self.home / "outside"

    @property
    def marker(self) -> Path:
        return self.home / "EVIL"

    def put(self, name: str, content: str | bytes | dict[str, object]) -> Path:
        """A file in the folder."""
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            content = json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


@dataclass(frozen=True, slots=True)
class Attack:
    """Something hostile in a folder, and the command that meets it."""

    put: Callable[[Place], object]
    words: tuple[str, ...]
    #: Whether the command met it; then what is wrong with its files.
    met: Callable[[Place, Outcome], bool] = lambda _, done: done.code == 2
    wrong: Callable[[Place, Outcome], list[str]] = lambda *_: []
    seconds: float = _SECONDS


def attacked() -> list[str]:
    """Try everything, print the table; what was wrong."""
    wrong = []
    print("\n| | tried | hit | failed |\n|---|---|---|---|")
    os.environ["OPENAI_API_KEY"] = KEY
    with probed() as process:
        for group, attacks in GROUPS.items():
            found = Tried()
            for number, attack in enumerate(attacks()):
                found.tried += 1
                hit, failed = _tried(process, attack)
                found.hit += hit
                shown = f"{group}, {number}, {' '.join(attack.words)[:80]}"
                found.wrong += [f"{shown}: {what}" for what in failed]
                if not hit:
                    print(f"not met: {shown}", file=sys.stderr)
            print(f"| {group} | {found.tried} | {found.hit} | {len(found.wrong)} |", flush=True)
            wrong += found.wrong
    print(f"attacks: failed {len(wrong)}")
    return wrong


def _tried(process: Probed, attack: Attack) -> tuple[bool, list[str]]:
    with tempfile.TemporaryDirectory(prefix="torture-") as home:
        place = Place(Path(home).resolve())
        place.here.mkdir()
        place.outside.mkdir()
        for name in ("evil.py", "httpx.py", "evalmark_evil.py"):
            place.put(name, _EVIL.format(str(place.marker)))
        shutil.copy(_SUITE, place.here / "suite.json")
        attack.put(place)
        kept = _files(place.outside)
        done = _run(process, place, attack.words)
        failed = [f"reached {what}" for what in done.reached]
        failed += ["code of the folder ran"] if place.marker.exists() else []
        if _files(place.outside) != kept or {p.name for p in place.home.iterdir()} - {
            "cloned", "outside", "EVIL",
        }:  # fmt: skip
            failed.append("a file outside was changed or made")
        said = done.said + done.out
        if "Traceback" in said or "internal error: " in said or done.code < 0:
            failed.append(f"no sentence: {said[-200:]!r}")
        if KEY in said or any(KEY.encode() in raw for raw in _files(place.here).values()):
            failed.append("the key was written")
        if done.seconds > attack.seconds:
            failed.append(f"{done.seconds:.1f} s")
        return attack.met(place, done), [*failed, *attack.wrong(place, done)]


def _run(process: Probed, place: Place, words: tuple[str, ...]) -> Outcome:
    if words[0] != "installed":
        return process.run(place.here, words)
    # Modules of the current folder: Python looks for them before anything is imported.
    command = str(Path(sys.executable).parent / "evalmark")
    done = subprocess.run([command, *words[1:]], cwd=place.here, capture_output=True, text=True)
    return Outcome(done.returncode, 0, done.stderr, done.stdout, 0, [])


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if not path.is_symlink())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b"a folder"
        for path in paths
    }


def _ended(_: Place, done: Outcome) -> bool:
    return done.code in (0, 1, 2)


def _refused_link(_: Place, done: Outcome) -> bool:
    return done.code == 2 and "link" in done.said


def _settings() -> Iterator[Attack]:
    """Keys, hosts, code and paths in the settings of a folder."""
    talk = ("memory", "colours", "--agent", "agent.json", "--examples", "1", "--out", "out")
    check = ("check", "suite.json")
    for lines, words, name in (
        ('[ray]\naddress = "127.0.0.1:9"', (*check, "--jobs", "ray"), "ray.address"),
        ('[ray]\naddress = "127.0.0.1:9"', check, "ray.address"),
        ('[memory]\njudge = "evil:J"', talk, "memory.judge"),
        ('[memory]\njudge = "evil.py:J"', talk, "memory.judge"),
        ('[memory]\njudge = "../outside/judge.json"', talk, "memory.judge"),
        ('[memory]\njudge-url = "http://127.0.0.1:9/v1"', talk, "memory.judge-url"),
        ('[keys]\n"127.0.0.1:9" = "OPENAI_API_KEY"', check, "keys"),
        ('[memory]\nurl = "http://127.0.0.1:9/v1"', talk, "url"),
        ('[memory]\nkey-env = "OPENAI_API_KEY"', talk, "key-env"),
        ('[score]\ntrust-remote-code = true', check, "trust-remote-code"),
        ('[score]\nallow-pickle = true', check, "allow-pickle"),
        ('models = ["evil:J"]', check, ""),
        ('words = "../outside/words.txt"', check, "words"),
        ('extend = "../outside/evalmark.toml"', check, "extend"),
        ('plugins = ["evil"]', check, "plugins"),
        ('exclude = ["../outside/**"]', check, ""),
    ):  # fmt: skip

        def put(place: Place, lines: str = lines) -> None:
            place.put("evalmark.toml", lines + "\n")
            place.put("agent.json", '{"replies": {}, "default": "Mauve"}')
            (place.outside / "judge.json").write_text('{"default": "yes"}')
            (place.outside / "words.txt").write_text("secret\n")
            (place.outside / "evalmark.toml").write_text('select = ["ALL"]\n')

        def met(_: Place, done: Outcome, name: str = name) -> bool:
            return name in done.said + done.out

        yield Attack(put, words, met)


def _plugins() -> Iterator[Attack]:
    """Modules and packages in the current folder, which Python could import."""

    def put(place: Place) -> None:
        evil = _EVIL.format(str(place.marker))
        for name in (
            "sitecustomize.py", "usercustomize.py", "evalmark/__init__.py", "typer.py", "json.py",
            "evalmark_plugin.py", "conftest.py", "yaml.py", "torch.py",
        ):  # fmt: skip
            place.put(name, evil)
        points = "[evalmark.plugins]\nevil = evil\n\n[evalmark]\nevil = evil\n"
        place.put("evil-1.0.dist-info/entry_points.txt", points)
        place.put(
            "evil-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n"
        )

    for words in (
        ("check", "."), ("explain",), ("convert", "suite.json", "-o", "out.json"), ("--help",),
        ("score", "suite.json", "--dry-run"), ("table", ".", "-o", "out.csv"),
        ("check", ".", "-j", "2"),
    ):  # fmt: skip
        yield Attack(put, ("installed", *words), _ended)


class _Bomb:
    def __init__(self, marker: str) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return open, (self.marker, "w")


def _models() -> Iterator[Attack]:
    """Model folders with code, pickles, and names of what lies elsewhere."""
    if not find_spec("torch"):
        return
    words = ("score", "suite.json", "--model", "./model", "--device", "cpu")

    def changed(name: str, **values: object) -> Callable[[Place], None]:
        def put(place: Place) -> None:
            _model(place)
            path = place.here / "model" / name
            old = json.loads(path.read_bytes()) if path.exists() else {}
            filled = json.dumps(values).replace("OUTSIDE", str(place.outside))
            path.write_text(json.dumps({**old, **json.loads(filled)}))

        return put

    auto = {"AutoConfig": "evil.J", "AutoModelForCausalLM": "evil.J", "AutoTokenizer": "evil.J"}
    for put in (
        changed("config.json", auto_map=auto, model_type="evil"),
        changed("tokenizer_config.json", auto_map=auto, tokenizer_class="EvilTokenizer"),
        changed("tokenizer_config.json", tokenizer_class="AutoModelForCausalLM"),
        changed("adapter_config.json", base_model_name_or_path="OUTSIDE/model", peft_type="LORA"),
        changed("config.json", configuration_files=["config.4.0.json"]),
        changed("config.json", gguf_file="OUTSIDE/x.gguf"),
        changed("config.json", attn_implementation="evil/kernel"),
        changed("config.json", num_hidden_layers=10**9, n_layer=10**9),
        changed("tokenizer_config.json", init_inputs=["OUTSIDE"]),
        changed("tokenizer_config.json", fast_tokenizer_files=["OUTSIDE/tokenizer.json"]),
        changed("tokenizer_config.json", vocab_file="OUTSIDE/vocab.json"),
        _pickled, _mapped("x.bin"), _mapped("../../outside/weights.safetensors"),
        _mapped("linked.safetensors"),
    ):  # fmt: skip
        yield Attack(put, words, _ended)  # refused, or what is hostile is not used


def _model(place: Place) -> Path:
    folder = place.here / "model"
    shutil.copytree(ROOT / "scoring/demo_model", folder)
    shutil.copytree(folder, place.outside / "model")
    (place.outside / "vocab.json").write_text("{}")
    (folder / "evil.py").write_text(_EVIL.format(str(place.marker)))
    return folder


def _pickled(place: Place) -> None:
    folder = _model(place)
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(_Bomb(str(place.marker))))


def _mapped(name: str) -> Callable[[Place], None]:
    def put(place: Place) -> None:
        from safetensors import safe_open

        folder = _model(place)
        with safe_open(folder / "model.safetensors", "pt") as file:
            names = list(file.keys())
        (folder / "model.safetensors").rename(place.outside / "weights.safetensors")
        (folder / "x.bin").write_bytes(pickle.dumps(_Bomb(str(place.marker))))
        (folder / "linked.safetensors").symlink_to(place.outside / "weights.safetensors")
        index = {"metadata": {}, "weight_map": dict.fromkeys(names, name)}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))

    return put


def _runs() -> Iterator[Attack]:
    """Runs with manifests, links and names that lead elsewhere."""
    words = ("score", "suite.json", "--surprisals=recorded", "--out", "out", "--overwrite")
    recorded = FIXTURES / "legacy/evaluated.old.json"
    digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"  # of {}

    def listed(name: str) -> Callable[[Place], None]:
        def put(place: Place) -> None:
            shutil.copy(recorded, place.here / "suite.json")
            (place.outside / "keep.json").write_text("{}")
            place.put("keep.json", "{}")
            place.put("out/notes.json", "{}")
            path = name.replace("OUTSIDE", str(place.outside))
            place.put("out/run.json", {"files": {path: digest}})

        return put

    def kept(place: Place, _: Outcome) -> list[str]:
        names = ("keep.json", "out/notes.json")
        return [f"{name} was deleted" for name in names if not (place.here / name).exists()]

    done = lambda _, done: done.code in (0, 1)  # noqa: E731
    for name in (
        "../keep.json",
        "OUTSIDE/keep.json",
        "notes.json",
        "./notes.json",
        "x/../notes.json",
    ):
        yield Attack(listed(name), words, done, kept)


def _links() -> Iterator[Attack]:
    """Links in the folders of runs, sites and outputs, which lead out of them."""
    words = ("score", "suite.json", "--surprisals=recorded", "--out", "out", "--overwrite")
    recorded = FIXTURES / "legacy/evaluated.old.json"

    def linked(name: str) -> Callable[[Place], None]:
        def put(place: Place) -> None:
            shutil.copy(recorded, place.here / "suite.json")
            (place.outside / "keep.json").write_text("{}")
            place.put("out/x", "")
            (place.here / "out" / name).symlink_to(place.outside / "keep.json")

        return put

    yield Attack(linked("run.json"), words, _refused_link)
    talk = ("memory", "colours", "--agent", "agent.json", "--examples", "1", "--out", "out")
    for name in ("definitions", "results"):

        def put(place: Place, name: str = name) -> None:
            place.put("agent.json", '{"replies": {}, "default": "Mauve"}')
            place.put("out/x", "")
            (place.here / "out" / name).symlink_to(place.outside, target_is_directory=True)

        yield Attack(put, talk, _refused_link)
    version = ("--record-version", "0.3.0", "--model-id", "a/b")
    for name, command in (
        ("out/data", (*words, *version)),
        ("out/sub", ("convert", "in", "--to", "table", "-o", "out")),
    ):

        def put(place: Place, name: str = name) -> None:
            shutil.copy(recorded, place.here / "suite.json")
            place.put("in/sub/deep/suite.json", _SUITE.read_bytes())
            place.put("out/x", "")
            (place.here / name).symlink_to(place.outside, target_is_directory=True)

        yield Attack(put, command, _refused_link)
    for name in ("site/index.html", "site/.evalmark-site"):

        def put(place: Place, name: str = name) -> None:
            place.put("site/x", "")
            shutil.copy(FIXTURES / "good/record.json", place.here / "record.json")
            (place.here / name).symlink_to(place.outside / "keep.json")

        yield Attack(put, ("publish", "record.json", "-o", "site"))


def _record(sign: str) -> bytes:
    text = json.dumps(json.loads((FIXTURES / "good/record.json").read_bytes()))
    evil = json.dumps(sign + _FORMULA)[1:-1]
    names = ("Example leaderboard", "Example Lab")
    for name in names:
        text = text.replace(f'"{name}"', f'"{evil}"')
    data = json.loads(text)
    data["model_info"]["name"] = sign + _FORMULA
    data["evaluation_results"][0]["evaluation_name"] = sign + _FORMULA
    return json.dumps(data).encode()


def _tables() -> Iterator[Attack]:
    """Cells that a spreadsheet would compute."""

    def checked(place: Place, _: Outcome) -> list[str]:
        return [
            f"{path.name}: {cell!r}"
            for path in place.here.rglob("*.csv") for cell in _cells(path)
            if cell.startswith(_SIGNS) and not _is_number(cell)
        ][:3]  # fmt: skip

    def met(place: Place, _: Outcome) -> bool:
        return any(
            "HYPERLINK" in cell for path in place.here.rglob("*.csv") for cell in _cells(path)
        )

    for sign in _SIGNS:

        def put(place: Place, sign: str = sign) -> None:
            place.put("in/record.json", _record(sign))

        every = ("--include-errors",)
        yield Attack(
            put, ("table", "in", "-o", "out.csv", "--samples", "s.csv", *every), met, checked
        )
        yield Attack(put, ("publish", "in", "-o", "site", *every), met, checked)

    for sign in _SIGNS[:4]:

        def put(place: Place, sign: str = sign) -> None:
            suite = json.loads((FIXTURES / "legacy/evaluated.old.json").read_bytes())
            suite["meta"]["name"] = sign + _FORMULA
            for item in suite["items"]:
                item["conditions"][0]["regions"][0]["content"] = sign + _FORMULA
            place.put("suite.json", suite)

        also = ("--also", "regions", "--also", "effects", "--format", "json")
        words = ("score", "suite.json", "--surprisals=recorded", "--out", "out", *also)
        yield Attack(put, words, met, checked)


def _cells(path: Path) -> Iterator[str]:
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            yield from row


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _archives() -> Iterator[Attack]:
    """Archives whose members lead out of the folder, are links, or are far too large."""
    header = FIXTURES / "results/inspect/log.json"

    def zipped(
        name: str, member: str, *, link: bool = False, size: int = 0
    ) -> Callable[[Place], None]:
        def put(place: Place) -> None:
            log = json.loads(header.read_bytes())
            with zipfile.ZipFile(place.here / name, "w", zipfile.ZIP_DEFLATED) as file:
                info = zipfile.ZipInfo(member.replace("OUTSIDE", str(place.outside)))
                if link:
                    info.external_attr = 0o120777 << 16
                content = str(place.outside / "keep.json").encode() if link else b"x" + bytes(size)
                file.writestr(info, content, zipfile.ZIP_DEFLATED)
                file.writestr("header.json", json.dumps(log))
                file.writestr("[Content_Types].xml", "<Types/>")
            (place.outside / "keep.json").write_text('{"secret": 1}')

        return put

    for name, target in (
        ("log.eval", "record-0.3.0"),
        ("table.xlsx", "suite"),
        ("log.zip", "suite"),
    ):
        for member in (
            "../../evil.json", "OUTSIDE/evil.json", "samples/../../../evil.json", "..\\evil.json",
            "xl/worksheets/../../../../evil.xml",
        ):  # fmt: skip
            words = ("convert", name, "--to", target, "-o", "out")
            yield Attack(zipped(name, member), words, _ended)
        yield Attack(zipped(name, "header.json", link=True), words, _ended)
        yield Attack(zipped(name, "samples/1.json", size=3 << 28), words, _ended)


def _patterns() -> Iterator[Attack]:
    """Patterns and texts on which a search that goes back takes forever."""
    long = 3000
    stars, classes = "**/" * 40 + "x", "[a-z]*" * 40 + "x"
    deep = "/".join("a" * 60) + "/suite.json"
    for glob in (stars, classes, "*a" * 60 + "b", "{a,b}" * 30, "?" * 300 + "*" * 300):
        for key in ("exclude = [{0}]", "[[per-file-ignores]]\nfiles = {0}\nrules = ['SG301']"):

            def put(place: Place, line: str = key.format(json.dumps(glob))) -> None:
                place.put("evalmark.toml", line + "\n")
                place.put(deep, _SUITE.read_bytes())
                place.put("a" * 200 + ".json", _SUITE.read_bytes())

            yield Attack(put, ("check", "."), _ended)
        yield Attack(put, ("check", ".", "--exclude", glob), _ended)

        def pairs(place: Place, glob: str = glob) -> None:
            lines = f"[[pairs]]\nfiles = {json.dumps(glob)}\ngood = 'a'\nbad = 'b'\n"
            place.put("evalmark.toml", lines)
            place.put("a" * 200 + ".tsv", "a\tb\nx\ty\n")

        yield Attack(pairs, ("score", "a" * 200 + ".tsv", "--dry-run"), _ended)
    for text in (
        "(" * long, "((1;%a%)" * long, "%" * long, "(1;%" + "a" * long, " " * long + "x",
        "1+" * long,
        '"' + "\\" * long, "a@" * long, "-" * long, "http://" * long, "\u0301" * long, "A." * long,
    ):  # fmt: skip

        def put(place: Place, text: str = text) -> None:
            suite = json.loads(_SUITE.read_bytes())
            suite["meta"]["name"] = text
            suite["predictions"][0]["formula"] = text
            for item in suite["items"]:
                item["conditions"][0]["regions"][0]["content"] = text
            place.put("suite.json", suite)
            record = json.loads((FIXTURES / "good/record.json").read_bytes())
            record["evaluation_id"] = record["retrieved_timestamp"] = text
            record["model_info"]["id"] = record["schema_version"] = text
            place.put("record.json", record)

        for words in (
            ("check", "suite.json", "record.json"), ("check", "--select", "ALL", "."),
            ("convert", "suite.json", "--to", "table", "-o", "out.csv"),
            ("convert", "record.json", "--to", "record-0.3.0", "-o", "new.json"),
        ):  # fmt: skip
            yield Attack(put, words, _ended)


GROUPS: dict[str, Callable[[], Iterator[Attack]]] = {
    "settings": _settings,
    "plug-ins": _plugins,
    "model folders": _models,
    "run files": _runs,
    "links in outputs": _links,
    "cells of tables": _tables,
    "archives": _archives,
    "patterns": _patterns,
}
