"""Files as text: findings at lines and columns, fixes, conversion, saving."""

import json

import pytest
from conftest import FIXTURES
from evalmark import check_file
from evalmark.schemas.errors import ConversionError, RequestRefused
from evalmark.workbench.file_opening import convert_text, digest_of, open_file
from evalmark.workbench.file_saving import save_text
from evalmark.workbench.page_check import check_text, fix_text
from evalmark.workbench.served_folder import ServedFolder
from looping import loops_over

BAD = sorted(p for p in (FIXTURES / "bad").glob("E*.json"))


@loops_over("path", BAD)
def test_findings_are_those_of_the_command(path):
    found = check_text(path.read_bytes().decode(), path.name)["findings"]
    expected = [f for f in check_file(path).findings if not f.code.startswith("EE3")]
    places = {
        (f.code, f.message, f.span and f.span.line, f.span and f.span.column) for f in expected
    }
    # Without their file, the path and the number of samples are judged by the record alone.
    alone = ("`total_rows` is", '"/home/me/samples.jsonl" is a path of the author')
    known = [f for f in found if not f["message"].startswith(alone)]
    assert {(f["code"], f["message"], f["line"], f["column"]) for f in known} <= places
    assert found or not expected or (FIXTURES / "bad" / f"{path.stem}_samples.jsonl").exists()


def test_offsets_count_as_browsers_do():
    text = '{"😀": "é",\r\n "😀": 2}'
    (finding,) = check_text(text, "a.json")["findings"][:1]
    units = text.encode("utf-16-le")
    shown = units[2 * finding["start"] : 2 * finding["end"]].decode("utf-16-le")
    assert (finding["code"], finding["line"], shown) == ("F005", 2, '"😀"')


def test_half_a_character_is_a_finding_and_is_not_saved(tmp_path):
    text = '{\n"a": "\ud800"}'
    assert [f["code"] for f in check_text(text, "a.json")["findings"]] == ["F002"]
    with pytest.raises(RequestRefused, match="line 2 has half of a character"):
        save_text(ServedFolder(tmp_path), "a.json", text, None)
    assert not list(tmp_path.iterdir())


def test_a_fix_changes_what_it_is_about():
    path = FIXTURES / "bad/SG302_leading_space.json"
    text = path.read_bytes().decode()
    finding = next(f for f in check_text(text, path.name)["findings"] if f["code"] == "SG302")
    fixed = fix_text(text, finding["fix"]["id"], path.name)
    assert fixed["applied"] == 1
    assert len(text) - len(fixed["text"]) == 1
    with pytest.raises(RequestRefused, match="has changed"):
        fix_text(fixed["text"], finding["fix"]["id"], path.name)
    assert fix_text(text, "safe", path.name)["applied"] >= 1


def test_a_record_becomes_the_current_version():
    path = FIXTURES / "bad/EE201_score_out_of_bounds.json"
    done = convert_text(path.read_bytes().decode(), path.name)
    assert done["format"] == "record-0.3.0"
    assert json.loads(done["text"])["schema_version"] == "0.3.0"
    with pytest.raises(ConversionError):
        convert_text('{"a": 1}', "a.json")


def test_opening_says_what_a_record_becomes(tmp_path):
    folder = ServedFolder(tmp_path)
    for name in ("bad/EE101_row.json", "good/suite.json"):
        source = FIXTURES / name
        (tmp_path / source.name).write_bytes(source.read_bytes())
    assert open_file(folder, "EE101_row.json").answer()["becomes"] == "record-0.3.0"
    assert open_file(folder, "suite.json").answer()["becomes"] is None


def test_a_text_is_saved_as_it_is(tmp_path):
    folder = ServedFolder(tmp_path)
    path = tmp_path / "a.json"
    path.write_bytes(b'{\r\n"a": 1}')
    old = digest_of(path.read_bytes())
    saved = save_text(folder, "a.json", '{\r\n"a": 2}', old)
    assert saved["written"]
    assert path.read_bytes() == b'{\r\n"a": 2}'
    assert not save_text(folder, "a.json", '{\r\n"a": 2}', old)["written"]
    with pytest.raises(RequestRefused) as refused:
        save_text(folder, "a.json", "{}", old)
    assert refused.value.status == 409
    assert "+{}" in refused.value.answer["difference"]
    assert save_text(folder, "a.json", "{}", old, force=True)["written"]


@pytest.mark.parametrize("name", ["Makefile", "evalmark.toml", "a.py", "../a.json", ".a.json"])
def test_other_files_are_not_written(tmp_path, name):
    with pytest.raises(RequestRefused):
        save_text(ServedFolder(tmp_path), name, "x", None)
    assert not list(tmp_path.iterdir())
