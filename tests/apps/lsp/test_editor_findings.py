"""Findings in an editor: where, what with, and when; their fixes; settings that change."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_lsp
from conftest import FIXTURES
from editor import CONFIG, VSCODE, Editor, applied, begin
from evalmark.lsp.checking import EditorChecks
from evalmark.lsp.live_text import LiveText
from evalmark.validator.checker import Checker
from lsprotocol import types
from pytest_lsp import LanguageClient
from records import SAMPLES, sampled

SUITE = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
in_module = pytest.mark.asyncio(loop_scope="module")
ANYWHERE = types.Range(types.Position(0, 0), types.Position(9999, 0))


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(client: LanguageClient):
    await begin(client, VSCODE)
    yield
    await client.shutdown_session()


@pytest.fixture
def editor(client):
    editor = Editor(client)
    yield editor
    editor.close_all()


def codes(diagnostics):
    return [diagnostic.code for diagnostic in diagnostics]


@in_module
async def test_a_mistake_is_shown_where_it_is_typed_and_goes_when_it_is_mended(editor, tmp_path):
    path = tmp_path / "suite.json"
    path.write_text(SUITE)
    assert await editor.open(path) == []
    line = next(n for n, text in enumerate(SUITE.split("\n")) if "%mismatch%" in text)
    at = SUITE.split("\n")[line].index("%mismatch%") + 1
    (wrong,) = await editor.retold(path, (line, at, line, at + 3, "mas"))
    assert (wrong.code, wrong.source) == ("SG204", "evalmark")
    assert wrong.severity == types.DiagnosticSeverity.Error
    assert wrong.range == types.Range(types.Position(line, at), types.Position(line, at + 8))
    assert "masmatch" in wrong.message
    assert "mismatch" in wrong.message
    assert await editor.retold(path, (line, at, line, at + 3, "mis")) == []


@in_module
@pytest.mark.parametrize(
    ("name", "text", "code"),
    [("a.json", '{"items": [], "predictions": ', "F001"),
     ("a.yaml", "meta: [\npredictions: []\nitems:", "F014"),
     ("a.json", '{"items": ["\\ud800"], "predictions": []}', "F008"), ("package.json", "{}", None)],
)  # fmt: skip
async def test_text_that_cannot_be_read_is_a_finding_and_other_files_are_none(
    editor, tmp_path, name, text, code
):
    path = tmp_path / name
    assert codes(await editor.open(path, text)) == ([code] if code else [])


@in_module
async def test_labels_are_related_places_and_unused_things_are_faded(editor, tmp_path):
    path = tmp_path / "suite.json"
    data = json.loads(SUITE)
    data["items"].append(data["items"][0])
    data["region_meta"]["4"] = "nowhere"
    diagnostics = await editor.open(path, json.dumps(data, indent=1))
    twice = next(d for d in diagnostics if d.code == "SG404")
    assert twice.related_information[0].location.uri == path.as_uri()
    unused = next(d for d in diagnostics if d.code == "SG413")
    assert list(unused.tags) == [types.DiagnosticTag.Unnecessary]


@in_module
async def test_fixes_are_offered_and_the_safe_ones_together(editor, tmp_path):
    text = SUITE.replace('"content": "', '"content": " ')
    path = tmp_path / "suite.json"
    await editor.open(path, text)
    actions = await editor.actions(path, ANYWHERE)
    fix = next(action for action in actions if action.kind == "quickfix" and action.diagnostics)
    (change,) = fix.edit.document_changes
    assert change.text_document.version == 1
    assert applied(text, change.edits) == text.replace('" The', '"The', 1)
    (every,) = await editor.actions(path, ANYWHERE, "source.fixAll")
    assert every.kind == "source.fixAll.evalmark"
    done = applied(text, every.edit.document_changes[0].edits)
    path.write_text(text)
    command = [sys.executable, "-m", "evalmark", "check", "--fix", str(path)]
    subprocess.run(command, capture_output=True, check=False)
    assert done == path.read_text()


@in_module
async def test_a_rule_is_ignored_by_the_settings_that_an_action_writes(editor, tmp_path):
    data = json.loads(SUITE)
    data["region_meta"]["4"] = "nowhere"
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(data, indent=1))
    (unused,) = await editor.open(path)
    (ignore,) = [a for a in await editor.actions(path, unused.range) if "Ignore" in a.title]
    created, entry = ignore.edit.document_changes
    assert created.uri == (tmp_path / "evalmark.toml").as_uri()
    (tmp_path / "evalmark.toml").write_text(entry.edits[0].new_text)
    change = types.FileEvent(created.uri, types.FileChangeType.Created)
    params = types.DidChangeWatchedFilesParams([change])
    editor.client.workspace_did_change_watched_files(params)
    assert await editor.told(path) == []
    (tmp_path / "evalmark.toml").write_text("join = 3")
    (unusable,) = await editor.retold(path, (0, 0, 0, 0, ""))
    assert "evalmark.toml" in unusable.message


@in_module
async def test_two_open_files_with_one_name_are_told_apart_until_one_is_renamed(editor, tmp_path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(SUITE)
    await editor.open(second, SUITE)
    assert codes(await editor.told(second)) == ["SG418"]  # once the folder was read
    assert await editor.retold(second, SUITE.replace('"name": "', '"name": "other_')) == []
    (tmp_path / "evalmark.toml").write_text('ignore = ["SG418"]')
    assert await editor.retold(second, SUITE) == []


@in_module
async def test_mistakes_in_the_samples_of_a_record_are_shown_in_the_record(editor, tmp_path):
    record, samples = sampled(tmp_path), tmp_path / SAMPLES
    assert await editor.open(record) == []
    samples.write_text("{\n" + samples.read_text(encoding="utf-8"), encoding="utf-8")
    saved = types.DidSaveTextDocumentParams(editor.id(record))
    editor.client.text_document_did_save(saved)
    (broken, *_) = await editor.told(record)
    assert broken.range == types.Range(types.Position(0, 0), types.Position(0, 0))
    assert broken.message.startswith("with_samples_samples.jsonl:1:")


@in_module
async def test_only_the_last_of_many_edits_is_answered(editor, tmp_path):
    path = tmp_path / "suite.json"
    await editor.open(path, SUITE)
    for number in range(50):
        editor.edit(path, SUITE if number % 2 else "{")
    assert await editor.told(path) == []


def test_a_crash_of_a_check_is_a_finding_of_that_file(monkeypatch, here):
    def crash(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr("evalmark.lsp.checking._identity", crash)
    (finding,) = EditorChecks().check(str(here / "a.json"), SUITE, "").findings
    assert finding.code == "F099"


def test_nothing_of_a_folder_is_run(tmp_path):
    """The server starts in a folder with modules of its own names, and settings that name code."""
    marker = tmp_path / "was-run"
    for name in ("pygls", "lsprotocol", "evalmark", "memory", "judge", "sitecustomize", "json"):
        (tmp_path / f"{name}.py").write_text(f"open({str(marker)!r}, 'w')\n")
    (tmp_path / "evalmark.toml").write_text('[memory]\njudge = "judge.py:Judge"\n')
    path = tmp_path / "suite.json"
    text = '{"predictions": [], "items": ['
    document = {"uri": path.as_uri(), "languageId": "json", "version": 1, "text": text}
    messages = [
        {"id": 1, "method": "initialize",
         "params": {"capabilities": {}, "processId": None, "rootUri": tmp_path.as_uri()}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/diagnostic",
         "params": {"textDocument": {"uri": path.as_uri()}}},
    ]  # fmt: skip
    bodies = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    command = [Path(sys.executable).with_name("evalmark"), "lsp"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        for body in bodies:
            server.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        server.stdin.flush()
        said = b""
        while b'"kind": "full"' not in said:
            said += (more := server.stdout.read1())
            assert more
        server.stdin.close()
        assert server.wait(60) == 0
    assert b"F001" in said
    assert not marker.exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_count_what_the_editor_counts(encoding):
    text = LiveText("a😀é\r\nb\rc\u2028d\n", encoding)
    width = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]
    assert text.offset(types.Position(0, 1 + width)) == 2
    assert text.position(2) == types.Position(0, 1 + width)
    assert text.position(7) == types.Position(2, 0)  # after the lone carriage return
    text.edit(types.Range(types.Position(0, 1), types.Position(2, 1)), "-")
    assert text.text == "a-\u2028d\n"


def test_random_edits_leave_the_text_that_plain_slicing_leaves():
    choice = random.Random(7)
    plain, live = "", LiveText("")
    for _ in range(3000):
        start, end = sorted(choice.choices(range(len(plain) + 1), k=2))
        if plain[start - 1 : start + 1] == "\r\n" or plain[end - 1 : end + 1] == "\r\n":
            continue  # no editor is between these two
        end = min(end, start + 6)
        if plain[end - 1 : end + 1] == "\r\n":
            continue
        new = "".join(choice.choices("ab\n\r😀", k=choice.randrange(5)))
        live.edit(live.range(start, end), new)
        plain = plain[:start] + new + plain[end:]
        assert live.text == plain


@in_module
async def test_edits_end_with_what_the_command_says(editor, tmp_path):
    choice = random.Random(1)
    files = sorted(FIXTURES.glob("bad/SG*.json"))[::9] + sorted(FIXTURES.glob("bad/EE*.json"))[::12]
    for number, source in enumerate(files):
        path = tmp_path / str(number) / source.name
        path.parent.mkdir()
        text = source.read_text(encoding="utf-8")
        await editor.open(path, text)
        for _ in range(4):
            start = choice.randrange(len(text))
            new = choice.choice(["", '"', "}", "x", ", ", "[1]"])
            live = LiveText(text)
            where = live.range(start, min(start + choice.randrange(4), len(text)))
            live.edit(where, new)
            text = live.text
            place = (where.start.line, where.start.character, where.end.line, where.end.character)
            diagnostics = await editor.retold(path, (*place, new))
        findings = Checker().text(text, str(path), is_file=True).findings
        shown = [(f.code, live.range_of(f.span)) for f in findings if f.code != "F012"]
        assert [(d.code, d.range) for d in diagnostics] == shown, source
    assert files
