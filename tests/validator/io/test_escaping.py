"""The edge for text that is shown: no file, name or reply acts on a terminal or on GitHub."""

import json
import os
import subprocess
import sys
import tracemalloc
from xml.etree import ElementTree as ET

import pytest
from conftest import data_at
from evalmark.validator.io.escaping import json_text, shown, shown_line
from evalmark.validator.outputs.rendering import REPORTS
from looping import loops_over

FORMATS = tuple(REPORTS)
COMMAND = "\n::set-env name=A::b"
ESC, OVERRIDE, SURROGATE = "\x1b[31m", "\u202e", "\udc80"
SUITE = data_at("good/suite.json")

#: What must never reach a reader raw; a line feed ends a line of ours.
ACTING = {
    *map(chr, (*range(0x0A), *range(0x0B, 0x20), *range(0x7F, 0xA0))),
    *map(chr, (0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))),
    *map(chr, range(0xD800, 0xE000)),
}


def test_every_acting_character_is_escaped_visibly():
    for character in sorted(ACTING | {"\n"}):
        text = shown(f"a{character}b")
        assert text.isprintable()
        assert text.startswith("a\\")
        assert text.endswith("b")


@pytest.mark.parametrize("text", ["plain", "Grüße, 世界 🙂", "e\u0301 \u00a0 \u200d", "a\\nb", ""])
def test_other_text_stays_as_it_is(text):
    assert shown(text) == text


@pytest.mark.parametrize("line", ["::error::x", "  ::set-env name=A::b", "a ##[add-mask]b"])
def test_no_line_is_a_command_of_github(line):
    safe = shown_line(line)
    assert not safe.lstrip().startswith("::")
    assert "##[" not in safe


@pytest.mark.parametrize("indent", [None, 2])
def test_json_holds_the_same_data_and_nothing_that_acts(indent):
    text = " ".join(sorted(ACTING))  # apart, since two surrogates in a row are one character
    data = {text: ["世界", {"a": f"\n{text}"}]}
    written = json_text(data, indent=indent)
    assert not ACTING & set(written)
    assert "世界" in written
    assert json.loads(written) == data


def test_a_long_report_takes_little_more_memory_than_its_text():
    entries = [{"path": f"data/{n}.json", "notes": ["one\u2028", "two"]} for n in range(20_000)]
    tracemalloc.start()
    text = json_text({"files": entries}, indent=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * len(text)


def hostile_suite(text: str) -> str:
    """A suite with a condition name and an unknown key that hold a text, both with findings."""
    suite = json.loads(json.dumps(SUITE))
    suite[f"key {text}"] = text
    suite["items"][0]["conditions"][0]["condition_name"] = f"name{text}"
    suite["predictions"].append({"type": "formula", "formula": f"(2;%no{text}%) > (2;%x%)"})
    return json.dumps(suite, ensure_ascii=False).encode("utf-8", "replace").decode()


def assert_harmless(text: str) -> None:
    assert not ACTING & set(text)
    assert not any(line.lstrip().startswith("::set-env") for line in text.splitlines())


def assert_well_formed(output: str, form: str) -> None:
    if form in ("json", "sarif"):
        json.loads(output)
    elif form == "jsonl":
        assert [json.loads(line) for line in output.splitlines()]
    elif form == "junit":
        ET.fromstring(output)
    else:
        assert output


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("escaped", [False, True])
@loops_over("text", [COMMAND, ESC, OVERRIDE, "\u2028::set-env name=A::b", "\x85", "\r"])
def test_text_of_a_file_does_nothing_in_any_format(run, tmp_path, form, escaped, text):
    path = tmp_path / "suite.json"
    raw = hostile_suite(text)
    if escaped:
        raw = json.dumps(json.loads(raw))
    path.write_bytes(raw.encode())
    done = run("evalmark", "check", path, "--format", form, "-v", code=1)
    assert_harmless(done.out)
    assert_harmless(done.err)
    assert_well_formed(done.out, form)


@pytest.mark.parametrize("form", FORMATS)
def test_a_lone_surrogate_in_a_file_is_shown(run, tmp_path, form):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({**SUITE, f"key{SURROGATE}": 1}))
    done = run("evalmark", "check", path, "--format", form, code=1)
    assert_harmless(done.out + done.err)
    assert_well_formed(done.out, form)


NAMES = [
    b"line\n::set-env name=A::b.json", b"::set-env name=A::b.json", b"esc\x1b[31m.json",
    b"override\xe2\x80\xae.json", b"bytes\xff\xfe.json", b"a##[add-mask]b.json",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
@loops_over("name", NAMES)
def test_the_name_of_a_file_does_nothing_in_any_format(run, tmp_path, monkeypatch, form, name):
    monkeypatch.chdir(tmp_path)
    try:
        broken = '{"items": [], "predictions": ['  # in a folder, others are skipped
        (tmp_path / os.fsdecode(name)).write_text(broken, encoding="utf-8")
    except (OSError, ValueError):
        pytest.skip("files cannot be called that here")
    for done in (
        run("evalmark", "check", os.fsdecode(name), "--format", form, "-v"),
        run("evalmark", "check", ".", "--format", form, "-v"),
    ):
        assert done.code == 1, done.err
        assert_harmless(done.out + done.err)
        if form in ("full", "concise", "github"):
            # An annotation is a command of ours: the runner reads no second one from its line.
            lines = [line for line in done.out.splitlines() if not line.startswith("::error ")]
            assert "##[" not in "".join(lines) + done.err
        assert_well_formed(done.out, form)


def test_annotations_keep_their_properties_apart(run, here):
    (here / "a,line=9::100%.json").write_text("{")
    done = run("evalmark", "check", "a,line=9::100%.json", "--format", "github")
    annotation = done.out.splitlines()[0]
    assert annotation.startswith("::error file=a%2Cline=9%3A%3A100%25.json,line=1,")


def test_carets_stay_below_their_place_in_an_escaped_line(run, tmp_path):
    path = tmp_path / "suite.json"
    path.write_text('{"a\u202e": \x7f nul}', encoding="utf-8")
    lines = run("evalmark", "check", path, "--format", "full").out.splitlines()
    source = next(line for line in lines if "nul" in line)
    caret = lines[lines.index(source) + 1]
    assert source.endswith('{"a\\u202e": \\x7f nul}')
    assert caret.index("^") == source.index("\\x7f")


@pytest.mark.parametrize(
    "command", [("check",), ("convert",), ("score", "--surprisals=recorded"), ("report",)]
)
def test_commands_complain_in_one_line(run, command):
    done = run("evalmark", *command, f"no{COMMAND}{ESC}\udcff", code=2)
    assert_harmless(done.out + done.err)


def test_a_table_of_scores_shows_names_as_they_are(run, tmp_path, numpy):
    from recorded_suites import surprisals_of

    path = tmp_path / "suite.json"
    name = f"[bold]x[/bold]{ESC}{OVERRIDE}"
    path.write_text(json.dumps({**SUITE, "meta": {**SUITE["meta"], "name": name}}))
    values = surprisals_of(tmp_path / "values.tsv", str(path))
    done = run("evalmark", "score", path, "--surprisals", values, code=0)
    assert_harmless(done.out)
    assert "[bold]x[/bold]\\x1b[31m\\u202e" in done.out


@loops_over("form", FORMATS)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8"])
def test_no_encoding_of_the_output_is_a_traceback(run, tmp_path, encoding, form):
    path = tmp_path / "suite.json"
    path.write_text(hostile_suite("世界 🙂 é"), encoding="utf-8")
    done = run("evalmark", "check", path, "--format", form, encoding=encoding, code=1)
    if form in ("json", "jsonl", "sarif", "junit"):
        assert_well_formed(done.out, form)
        assert "世界" in done.out


@pytest.mark.parametrize("form", ["full", "json"])
def test_a_process_whose_output_is_ascii_has_no_traceback(tmp_path, form):
    path = tmp_path / "suite.json"
    path.write_text(hostile_suite("世界 🙂 é"), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    environment.pop("GITHUB_ACTIONS", None)
    done = subprocess.run(
        [sys.executable, "-m", "evalmark.cli.main", "check", str(path), "--format", form],
        capture_output=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert b"Traceback" not in done.stderr
    assert ("世界" in done.stdout.decode("utf-8")) == (form == "json")
