"""Fixtures speak: a good file has no finding, a bad one exactly those beside it.

To accept new output, run ``EVALMARK_ACCEPT=1 pytest tests/validator/test_fixtures.py`` and
read the diff. ``corpus/files.json`` says the same for programs in any language.
"""

import json
import os
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT
from evalmark.schemas.backend import accepts
from evalmark.schemas.files import FILES
from evalmark.validator.check import check_file
from evalmark.validator.findings.rule import SHAPES
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.rule_registry import RULES
from looping import loops_over

#: Files of samples are checked with their records.
BAD = sorted(
    path
    for path in (FIXTURES / "bad").iterdir()
    if path.suffix != ".out" and not path.name.endswith("_samples.jsonl")
)
GOOD = sorted(
    path
    for folder in ("good", "suites", "versions")
    for path in (FIXTURES / folder).rglob("*.*")
    if path.is_file()
)
#: Folders in which rules are broken that need to know where a file lies, or what a gate says.
TREES = sorted(path for path in (FIXTURES / "trees").iterdir() if path.is_dir())
TREE_OPTIONS = ("--select", "LT310", "--datastore", "--profile", "eee")


CORPUS = FIXTURES / "corpus/files.json"


def described(path):
    """The line of the corpus on a file: the verdict of its schema, and codes and pointers."""
    rule = RULES.get(path.name.partition("_")[0])
    select = [rule.code] if rule and rule.optional else []
    report = check_file(path, select=select)
    line = {"file": path.relative_to(FIXTURES).as_posix(), "kind": report.kind}
    schema = "-".join(filter(None, (report.kind, report.version)))
    is_read = path.suffix == ".json" and not any(f.code[0] == "F" for f in report.findings)
    if is_read and schema in FILES:
        data = json.loads(path.read_text(encoding="utf-8"))
        line |= {"schema": schema, "valid": accepts(schema, data)}
    if select:
        line["select"] = select
    findings = [
        {"code": found.code, "severity": str(found.severity), "pointer": found.pointer}
        | ({} if found.path == str(path) else {"file": Path(found.path).name})
        for found in report.findings
    ]  # fmt: skip
    return line | {"findings": findings}


def test_the_corpus_says_what_is_found_in_every_file():
    found = [described(path) for path in (*GOOD, *BAD)]
    if os.environ.get("EVALMARK_ACCEPT"):
        lines = [json.dumps(line, ensure_ascii=False) for line in found]
        CORPUS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    here = {line["file"] for line in found}
    corpus = json.loads(CORPUS.read_text(encoding="utf-8"))
    # The files of an application go with it.
    assert found == [line for line in corpus if line["file"] in here or (ROOT / "apps").is_dir()]


@loops_over("path", GOOD)
def test_good_file_has_no_finding(path):
    assert check_file(path).findings == ()


@loops_over("path", BAD)
def test_bad_file_has_the_findings_beside_it(path, run, monkeypatch):
    monkeypatch.chdir(path.parent)
    rule = RULES[path.name.partition("_")[0]]
    select = ("--select", rule.code) if rule.optional else ()
    outcome = run("evalmark", "check", "--format", "full", *select, path.name)
    expected = path.with_suffix(".out")
    if os.environ.get("EVALMARK_ACCEPT"):
        expected.write_text(outcome.out, encoding="utf-8")
    assert outcome.out == expected.read_text(encoding="utf-8")
    assert path.name.partition("_")[0] in outcome.out, "a fixture is named after its rule"
    assert outcome.code == (1 if "error[" in outcome.out else 0)


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.name)
def test_bad_tree_has_the_findings_beside_it(path, run, monkeypatch):
    if (path / "evalmark.toml").exists():  # a repository with rules of its own
        monkeypatch.chdir(path)
        outcome = run("evalmark", "check", "--format", "full", ".")
    else:
        monkeypatch.chdir(path.parent)
        outcome = run("evalmark", "check", "--format", "full", *TREE_OPTIONS, path.name)
    expected = path.with_name(f"{path.name}.out")
    if os.environ.get("EVALMARK_ACCEPT"):
        expected.write_text(outcome.out, encoding="utf-8")
    written = expected.read_text(encoding="utf-8")
    assert outcome.out.replace(os.sep, "/") == written.replace(os.sep, "/")


def test_every_rule_has_a_bad_fixture():
    named = {path.name.partition("_")[0] for path in BAD}
    trees = " ".join(path.with_name(f"{path.name}.out").read_text("utf-8") for path in TREES)
    named |= {code for code in RULES if f"[{code}]" in trees}
    shape = {"SG101", "SG114", "SG115", "SG116", "SG119", "EE119"}  # as EE101 and so on
    shape |= {f"{family}117" for family in ("SG", "EE")} | {"LT113", "LT115", "LT120"}
    shape |= {"MP113", "MP114", "MP116", "MP119"}  # the schema of pairs breaks none of them
    # A new family has the rules of schemas of the others.
    shown = {"SG", "EE", "LT", "MP"}
    shape |= {
        code
        for code, rule in RULES.items()
        if rule.name in SHAPES.values() and code[:-3] not in shown
    }
    by_path = {"LT303"}  # see test_ltm
    unreadable = {"F011", "F018", "F099"}  # no small file can show it
    listing = set() if "agent-script" in KINDS else {"F012"}  # its findings list all formats
    # No single file can show it.
    several = {"EE243", "EE323", "F022", "F023", "F024", "SG418", "MP404"}
    several |= {"EE237", "EE238", "EE239", "EE244", "EE245"}  # of a branch and its base
    assert set(RULES) - named <= shape | unreadable | several | by_path | listing
