"""One file, one verdict: whoever is asked about a fixture, under the settings of a folder."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import evalmark
import pytest
from conftest import FIXTURES
from evalmark import Checker
from evalmark.converters.convert_files import convert_files
from evalmark.converters.supplied import Supplied
from evalmark.leaderboard.names import MergedNames
from evalmark.leaderboard.record_files import take_file, verdict_of
from evalmark.lsp.checking import EditorChecks
from evalmark.schemas.versions import RECORD
from evalmark.scoring.suites.suite_loading import STOP, load_suites
from evalmark.validator.formats.unrecognized import is_unrecognized
from evalmark.validator.reading.reading import read
from evalmark.workbench import page_check

ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv", ".txt")
SAMPLES = "detailed_evaluation_results"
SETTINGS = {
    "none": "",
    "ignored": """ignore = ["SG302", "SG201", "EE101", "EE222", "MP201", "LT112", "F005"]
[[per-file-ignores]]
files = "bad/*"
rules = ["SG204", "SG412", "EE231", "MP101", "F001"]
reason = "as published"
[[per-file-ignores]]
files = "good/with_samples*"
rules = ["EE101"]
reason = "nothing"
""",
    "any model": 'models = "any"\n',
}
NAMED = set(re.findall(r'"([A-Z]+\d{3})"', SETTINGS["ignored"]))
#: The reports of files for which these settings may change something.
CONCERNED = {
    "ignored": lambda report: any(finding.code in NAMED for finding in report.findings),
    "any model": lambda report: "suite" in (report.kind or ""),
}
#: More than so many files are asked of each surface, and in all.
AT_LEAST = {"none": (50, 500), "ignored": (5, 70), "any model": (50, 100)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    root = tmp_path_factory.mktemp("fixtures") / "copy"
    shutil.copytree(FIXTURES, root)
    for nested in root.rglob("evalmark.toml"):
        nested.unlink()
    return root


def told(findings, path):
    """Findings as they can be compared; those on the samples of a record have their own path."""
    return Counter(
        (f.code, f.severity.value, f.pointer, f.span and f.span.line, Path(path).samefile(f.path))
        for f in findings
    )


def on_page(answer, keys):
    return Counter(tuple(finding[key] for key in keys) for finding in answer["findings"])


def answers(path, raw, checker, editor, root):
    """Surface, what it says of a file, and what it has to say."""
    context = checker.context
    hook = context._replace(picked=True, hook=True)
    here, text = os.path.relpath(path), raw.decode("utf-8", "replace")
    report = checker.file(here)
    wanted, in_file = told(report.findings, path), told(report.in_file, path)
    is_unknown = is_unrecognized(report, raw)  # nobody has named it to a hook or an editor
    yield "check", told(checker.files([here]).findings, path), wanted
    yield "hook", told(checker.files([here], hook).findings, path), wanted if not is_unknown else {}
    if not (context.ignore or context.per_file_ignores):
        found = evalmark.check_file(here, models=context.models).findings
        yield "Python", told(found, path), wanted
    yield "bytes", told(checker.text(raw, path, is_file=True).findings, path), wanted
    if text.encode() == raw:  # editors and pages have text
        found = editor.check(path, text, "").findings
        yield "editor", told(found, path), in_file if not is_unknown else {}
        page = page_check.check_text(text, os.path.relpath(path, root), root)
        keys = ("code", "severity", "pointer", "line")
        yield "page", on_page(page, keys), Counter(key[:4] for key in in_file.elements())
    reading = read(raw, path)
    is_document = not path.endswith((".jsonl", ".csv", ".tsv", ".txt"))
    if reading.readable and not reading.findings and is_document:
        found = page_check.check(reading.data, os.path.relpath(path, root), root)
        plain = Counter((f.code, f.severity.value) for f in report.findings)
        yield "table", on_page(found, ("code", "severity")), plain
        if not isinstance(reading.data, dict) or SAMPLES not in reading.data:
            found = checker.data(reading.data, path).findings  # data has no lines
            placed = Counter((f.code, f.severity.value, f.pointer) for f in report.findings)
            yield "data", Counter((f.code, f.severity.value, f.pointer) for f in found), placed
    if report.kind == RECORD:
        codes = tuple(sorted({finding.code for finding in report.findings}))
        taken = take_file(checker, MergedNames(), path)
        yield "records", (taken.codes, taken.verdict), (codes, verdict_of(report.findings))
    if report.kind in ("suite", "suite-legacy") and not STOP.among(report.findings):
        failed = []
        if not context.ignore:  # what is ignored may be what cannot be computed
            load_suites([here], failed=lambda *why: failed.append(why))
        # A legacy formula may name a condition that a current one cannot: the advice renames it.
        advised = [words for f in report.findings for action, words in f.actions if words]
        is_renamed = any(words[0].startswith("--rename") for words in advised)
        yield "score", bool(failed), is_renamed and bool(failed)
    supplied = Supplied("sum", predictions=(), checker=checker)
    refused = [str(o.refused or "") for o in convert_files([here], supplied=supplied, write=False)]
    yield "convert", [why for why in refused if "would have an error" in why], []


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_surface_finds_the_same(copy, settings, monkeypatch):
    (copy / "evalmark.toml").write_text(SETTINGS[settings], encoding="utf-8")
    monkeypatch.chdir(copy / "bad")
    checker, editor = Checker.of(copy), EditorChecks()
    asked, differing = Counter(), []
    for file in sorted(copy.rglob("*")):
        if file.suffix not in ENDINGS or not file.is_file():
            continue
        if settings == "none" or CONCERNED[settings](Checker().file(str(file))):
            for surface, found, wanted in answers(
                str(file), file.read_bytes(), checker, editor, copy
            ):
                asked[surface] += 1
                if found != wanted:
                    differing.append((surface, file.relative_to(copy).as_posix(), found, wanted))
    assert differing == []
    few, files = AT_LEAST[settings]
    assert min(asked.values()) > few, asked
    assert asked["check"] > files


@contextmanager
def page_of(folder):
    """What asks the page of a folder, which a process of its own serves."""
    command = [sys.executable, "-m", "evalmark", "serve", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        base, _, token = process.stdout.readline().strip().partition("/?token=")

        def ask(path, text):
            headers = {"X-Evalmark-Token": token, "Content-Type": "application/json"}
            body = json.dumps({"path": path, "text": text}).encode()
            with urlopen(Request(f"{base}/api/text/check", body, headers), timeout=600) as answer:
                return json.load(answer)

        try:
            yield ask
        finally:
            process.kill()


@pytest.mark.slow
def test_commands_and_page_find_the_same(copy, run, monkeypatch):
    """The server of editors: ``test_edits_end_with_what_the_command_says``."""
    (copy / "evalmark.toml").write_text(SETTINGS["ignored"], encoding="utf-8")
    monkeypatch.chdir(copy / "bad")
    files = [path for path in sorted(copy.rglob("*.*")) if path.suffix in ENDINGS[:4]]
    hidden = 0
    with page_of(copy) as ask:
        for file in files[:: len(files) // 50]:
            here, name = os.path.relpath(file), file.relative_to(copy).as_posix()
            report = Checker.of(copy).file(here)
            hidden += len(Checker().file(here).findings) > len(report.findings)
            codes = sorted(finding.code for finding in report.findings)
            checked = run("evalmark", "check", "--format", "json", here).out
            assert sorted(f["code"] for f in json.loads(checked)["findings"]) == codes, name
            hooked = run("evalmark-hook", here)
            found = re.findall(r"(?:error|warning)\[([A-Z]+\d+)\]", hooked.out)
            # Of files of other programs the hook only names those.
            is_skipped = report.kind is None and "Skipped 1 unrecognized" in hooked.err
            assert set(found) == (set() if is_skipped else set(codes)), name
            is_text = not file.read_bytes().startswith((b"\x1f\x8b", b"\xff\xfe"))  # UTF-16
            if "/." not in name and is_text:  # others are not served
                page = ask(name, file.read_text(encoding="utf-8"))
                assert sorted(f["code"] for f in page["findings"]) == codes, name
    assert hidden
