"""Help in an editor: formulas, names, keys and values, sentences."""

import json
import random
from contextlib import suppress

import pytest
import pytest_lsp
from conftest import FIXTURES
from editor import CONFIG, NEOVIM, Editor, applied, begin, place_of
from evalmark.lsp.assistance import Assistance
from evalmark.lsp.cursor import Part, cursor_in, read_loosely
from evalmark.lsp.live_text import LiveText
from evalmark.schemas.errors import UsageError
from evalmark.validator.format import CheckContext
from evalmark.validator.reading.reading import read
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pytest_lsp import LanguageClient

SUITE = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
SUITE_YAML = (FIXTURES / "good/suite.yaml").read_text(encoding="utf-8")
RECORD = (FIXTURES / "good/record.json").read_text(encoding="utf-8")
in_module = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(client: LanguageClient):
    client.announced = await begin(client, NEOVIM)
    yield
    await client.shutdown_session()


@pytest.fixture
def editor(client):
    editor = Editor(client)
    yield editor
    editor.close_all()


async def hover(editor, path, text, part, into=0):
    at = editor.at(path, *place_of(text, part, into))
    answer = await editor.client.text_document_hover_async(types.HoverParams(**at))
    return answer.contents.value if answer else ""


async def choices(editor, path, text):
    """What is offered at the ``|`` of a text: labels, and the text after each is chosen."""
    plain = text.replace("|", "", 1)
    editor.put(path, plain)
    at = editor.at(path, *place_of(text, "|"))
    answer = await editor.client.text_document_completion_async(types.CompletionParams(**at))
    return {item.label: applied(plain, [item.text_edit]) for item in answer}


@in_module
async def test_diagnostics_are_pulled_and_not_sent_again_if_nothing_changes(editor, tmp_path):
    path = tmp_path / "suite.json"
    editor.put(path, SUITE.replace("%mismatch%", "%mis%"))
    params = types.DocumentDiagnosticParams(editor.id(path))
    report = await editor.client.text_document_diagnostic_async(params)
    assert [item.code for item in report.items] == ["SG204"]
    params.previous_result_id = report.result_id
    same = await editor.client.text_document_diagnostic_async(params)
    assert same.kind == "unchanged"
    text = SUITE.replace("%mismatch%", "%mis%")
    said = await hover(editor, path, text, "%mis%", 1)
    assert "unknown-condition" in said
    assert "There is no condition `mis`. There are: `match`, `mismatch`." in said


@in_module
async def test_positions_are_those_of_the_encoding_that_the_editor_prefers(editor, tmp_path):
    path = tmp_path / "suite.json"
    text = SUITE.replace('"The woman"', '"😀 "', 1)
    editor.put(path, text)
    params = types.DocumentDiagnosticParams(editor.id(path))
    report = await editor.client.text_document_diagnostic_async(params)
    space = next(item for item in report.items if item.code == "SG301")
    line = next(line for line in text.split("\n") if "😀" in line)
    assert space.range.start.character == len(line.partition("😀")[0]) + len("😀".encode())


@in_module
async def test_a_formula_is_said_in_words_with_what_is_proved_and_its_texts(editor, tmp_path):
    path = tmp_path / "suite.json"
    editor.put(path, SUITE)
    said = await hover(editor, path, SUITE, "(2;%mismatch%)", 2)
    assert "| item | match | mismatch |" in said
    assert "Region 2 (Verb) of mismatch is more surprising" in said
    assert "for a left-to-right model, it can be true or false" in said
    always = SUITE.replace("(2;%mismatch%) > (2;%match%)", "(1;%mismatch%) = (1;%match%)")
    editor.put(path, always)
    assert "Proved: true in every item" in await hover(editor, path, always, ") = (", 2)


@in_module
@pytest.mark.parametrize(
    ("typed", "label", "result"),
    [("(|", "2;%", "(2;%"), ("(2;%mis|", "mismatch%)", "(2;%mismatch%)"),
     ("(2;%match%)|", ">", "(2;%match%) > "), ("|", "(3;%", "(3;%")],
)  # fmt: skip
async def test_formulas_are_completed(editor, tmp_path, typed, label, result):
    path = tmp_path / "suite.json"
    text = SUITE.replace("(2;%mismatch%) > (2;%match%)", typed)
    assert (await choices(editor, path, text))[label] == SUITE.replace(
        "(2;%mismatch%) > (2;%match%)", result
    )


@in_module
async def test_a_condition_is_renamed_everywhere_and_only_to_a_free_and_legal_name(
    editor, tmp_path
):
    path = tmp_path / "suite.json"
    editor.put(path, SUITE)
    at = editor.at(path, *place_of(SUITE, "%mismatch%", 3))
    rename = editor.client.text_document_rename_async
    edits = (await rename(types.RenameParams(new_name="wrong", **at))).changes[path.as_uri()]
    assert applied(SUITE, edits) == SUITE.replace("mismatch", "wrong")
    for name in ("match", "two words"):
        with pytest.raises(JsonRpcInvalidParams):
            await rename(types.RenameParams(new_name=name, **at))
    defined = await editor.client.text_document_definition_async(types.DefinitionParams(**at))
    assert [place.range.start.line for place in defined] == [
        place_of(SUITE, '"condition_name": "mismatch"')[0]
    ]
    region = editor.at(path, *place_of(SUITE, '"2": "Verb"', 1))
    every = types.ReferenceParams(context=types.ReferenceContext(True), **region)
    found = await editor.client.text_document_references_async(every)
    assert len(found) == 1 + SUITE.count('"region_number": 2') + SUITE.count("(2;%")


@in_module
async def test_keys_and_values_of_the_schema_are_explained_and_completed(editor, tmp_path):
    path = tmp_path / "record.json"
    editor.put(path, RECORD)
    said = await hover(editor, path, RECORD, '"evaluator_relationship"', 3)
    assert said.startswith("**evaluator_relationship** · string · required\n\nHow the evaluator")
    assert '`"third_party"`' in said
    assert "In versions 0.0.1 to 0.3.0" in said
    data = json.loads(RECORD)
    relationship = data["source_metadata"]["evaluator_relationship"]
    opened = RECORD.replace(f'"{relationship}"', "|", 1)
    assert "third_party" in await choices(editor, path, opened)
    keys = await choices(editor, path, RECORD.replace('_metadata": {', '_metadata": {|', 1))
    assert "source_organization_url" in keys
    assert not keys.keys() & data["source_metadata"].keys()


@in_module
async def test_a_value_asks_for_the_keys_that_its_schema_asks_for_with_it(editor, tmp_path):
    path = tmp_path / "record.json"
    data = json.loads(RECORD)
    data["evaluation_results"] = [{"metric_config": {"score_type": "levels"}}]
    text = json.dumps(data).replace('"score_type": "levels"', '"score_type": "levels", "|"')
    editor.put(path, text.replace("|", ""))
    at = editor.at(path, *place_of(text, "|"))
    items = await editor.client.text_document_completion_async(types.CompletionParams(**at))
    assert {"level_names", "has_unknown_level"} <= {i.label for i in items if i.detail}


@in_module
async def test_features_are_announced_but_none_that_editors_have_for_json_and_yaml(editor):
    assert editor.client.announced == {
        "code_action", "code_lens", "completion", "definition", "diagnostic", "hover",
        "references", "rename", "execute_command",  # which pygls always announces
    }  # fmt: skip


@in_module
async def test_sentences_are_above_their_conditions_and_scoring_above_all(editor, tmp_path):
    path = tmp_path / "suite.json"
    editor.put(path, SUITE)
    client, document = editor.client, editor.id(path)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lenses[0].command.command == "evalmark.score"
    assert lenses[1].command.title == "The woman plays the guitar"


@pytest.mark.parametrize(
    ("text", "path", "part"),
    [('{"a": {"b": |', "a b", Part.VALUE), ('{"a": [1, |', "a 1", Part.VALUE),
     ('{"a": 1, "b|', "b", Part.KEY), ('{"a": 1, |}', "", Part.KEY), ('{"a": 1 |}', "a", Part.NONE),
     ('{"a": "x|\n, "b": 2}', "a", Part.VALUE), ('{"a": [{"b": 1}, {"c|', "a 1 c", Part.KEY)],
)  # fmt: skip
def test_a_cursor_in_an_unfinished_text(text, path, part):
    cursor = read_loosely(text.replace("|", ""), text.index("|"))[1]
    assert (" ".join(cursor.path), cursor.part) == (path, part)


@pytest.mark.parametrize("name", ["suite.json", "suite.yaml"])
def test_a_cursor_in_a_finished_text(name):
    text = "meta:\n  name: abc\nitems: []\n"
    if name.endswith("json"):
        text = '{"meta": {"name": "abc"}, "items": []}'
    source = read(text.encode(), name).source
    assert cursor_in(source, text.index("bc")).path == ("meta", "name")
    assert cursor_in(source, text.index("tems")).part is Part.KEY


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("metric: |\n", "median"),
        ("metric: m|\n", "median"),
        ("metric: sum\n  r|: x\n", "reference"),
    ],
)
def test_yaml_is_completed_without_quotes(typed, offered):
    text = SUITE_YAML.replace("metric: sum\n", typed)
    live = LiveText(text.replace("|", "", 1))
    known = Assistance("suite.yaml", live, CheckContext())
    items = known.completions(live.position(text.index("|")))
    assert offered in [item.text_edit.new_text.removesuffix(": ") for item in items]


def test_help_with_any_text_anywhere_is_no_exception():
    choice = random.Random(5)
    sources = [
        *FIXTURES.glob("bad/*.json"),
        *FIXTURES.glob("good/*.*"),
        *FIXTURES.glob("bad/*.yaml"),
    ]
    for source in choice.sample(sorted(sources), 60):
        text = LiveText(source.read_bytes().decode("utf-8", "replace"))
        for _ in range(choice.randrange(4)):
            at = choice.randrange(len(text.text) + 1)
            new = choice.choice(["", '"', "}", "x", ", ", ": ", "😀", "\n", '{"a": 1}'])
            text.edit(text.range(at, min(at + 1, len(text.text))), new)
        known = Assistance(str(source), text, CheckContext())
        position = text.position(choice.randrange(len(text.text) + 1))
        known.hover(position, ())
        known.completions(position)
        with suppress(UsageError):
            known.renamed(position, "other")
        known.lenses()
