"""Advice is a command that works: each is run on the file it was given for, and cures it."""

import json
import re
import shlex
from pathlib import Path

from conftest import FIXTURES, data_at, file_at
from evalmark.validator.check import check_file
from found import codes_of

BAD = sorted(p for p in (FIXTURES / "bad").iterdir() if p.suffix != ".out")
ADVISED = re.compile(r"`(evalmark [^`]+)`")
#: Advice to look, or for some of the files with the finding: the command runs.
LOOKS = {"EE103", "F012"}
LEGACY = data_at("legacy/triples.old.json")


def advised(path):
    """Code and command of each advice in the findings of a file, and if it is to look."""
    for finding in check_file(path).findings:
        for text in (*finding.helps, *finding.notes):
            for command in ADVISED.findall(text):
                looks = finding.code in LOOKS
                yield finding.code, command, looks


def renamed(name, metric="mean"):
    """A legacy suite with another name of a condition."""
    data = json.loads(json.dumps(LEGACY).replace('"match"', json.dumps(name)))
    return {**data, "meta": {**data["meta"], "metric": metric}}


def test_every_advised_command_works(tmp_path, run, monkeypatch):
    files = {path.name: path.read_bytes() for path in BAD}
    names = ("mis%match", "a;b", "no gap", "a$b", 'a"b', "é!", "a=b", "it's", "-x")
    for number, name in enumerate(names):
        files[f"name_{number}.json"] = json.dumps(renamed(name), ensure_ascii=False).encode()
    files["metrics.json"] = json.dumps(renamed("a;b", ["sum", "mean"])).encode()
    for dialect in ("bare_strings", "brackets", "string_predictions"):
        old = (FIXTURES / f"legacy/{dialect}.old.json").read_text(encoding="utf-8")
        files[f"{dialect}.json"] = old.encode()
        files[f"{dialect}_spaced.json"] = re.sub(r"\bmatch\b", "no gap", old).encode()
    ran = 0
    for name, content in files.items():
        home = file_at(tmp_path / str(ran) / name, content)
        monkeypatch.chdir(home.parent)
        for code, command, looks in list(advised(name)):
            home.write_bytes(content)
            ran += 1
            words = shlex.split(command)
            condition = "a" if b"\n1,a," in content else "match"
            Path("FORMULAS").write_text(f"(1;%{condition}%) > 0\n", encoding="utf-8")
            done = run(*[name if word == "FILE" else word for word in words])
            where = f"{name}: {command}\n{done.err}"
            if looks:
                assert done.code in (0, 1), where
                continue
            assert done.code == 0, where
            place = Path(words[words.index("-o") + 1]) if "-o" in words else home
            assert code not in codes_of(place), where
    assert ran > 30
