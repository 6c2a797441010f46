"""Saving: nobody's edits are lost, and only the bytes of what was edited change."""

import copy
import json
import re
import signal
import subprocess
import sys
import time
from difflib import SequenceMatcher

import pytest
from conftest import needs_modes
from evalmark.schemas.errors import RequestRefused
from evalmark.validator.reading.reading import read
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.file_saving import save
from evalmark.workbench.served_folder import ServedFolder
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from suites import regions_in, suite_of

SUITE = suite_of(
    [
        {"a": ["The dog", "", "barks."], "b": ["The dogs", "that é 😀", "bark."]},
        {"a": ['A "cat"', "x", "sleeps."], "b": ["Cats", "x", "sleep\\."]},
        {"a": ["One", "two", "three"], "b": ["four", "five", "six"]},
    ],
    ["(3;%a%) > (3;%b%)", "(2;%a%) = (2;%b%)"],
)

YAML = """\
# A suite about agreement.
meta:
  name: agreement   # the name of it
  metric: sum
region_meta: {"1": subject, "2": 'the middle', "3": verb}

predictions:
  # It barks.
  - {type: formula, formula: "(3;%a%) > (3;%b%)"}
items:
  - item_number: 1   # first
    conditions:
      - condition_name: a
        regions:
          - {region_number: 1, content: The dog}
          - region_number: 2
            content: "that   sees"  # two spaces
          - region_number: 3
            content: 'barks.'
      - condition_name: b
        regions:
          - {region_number: 1, content: The dogs}
          - region_number: 2
            content: it's
          - region_number: 3
            content: 'bark.'
  # the second item
  - item_number: 2
    conditions:
      - condition_name: a
        regions:
          - {region_number: 1, content: u}
          - {region_number: 2, content: v}
          - {region_number: 3, content: w}
      - condition_name: b
        regions:
          - {region_number: 1, content: u}
          - {region_number: 2, content: v}
          - {region_number: 3, content: w}
"""


def written(style: str) -> bytes:
    """The suite in several ways that people write JSON."""
    if style == "tabs":
        text = json.dumps(SUITE, indent="\t") + "\n"
    elif style == "CRLF":
        text = json.dumps(SUITE, indent=2, ensure_ascii=False).replace("\n", "\r\n")
    elif style == "one line":
        text = json.dumps(SUITE, separators=(",", ":"))
    elif style == "regions on a line":
        text = json.dumps(SUITE, indent=4, ensure_ascii=False)
        text = re.sub(r"\{\s+(\"region_number\": \d+),\s+(\"content\": .*)\s+\}", r"{\1, \2}", text)
    else:
        text = json.dumps(SUITE, indent=2)
    return text.encode()


STYLES = ("plain", "tabs", "CRLF", "one line", "regions on a line")


@pytest.fixture
def place(tmp_path):
    return ServedFolder(tmp_path)


def put(place, name, content: bytes | str):
    raw = content if isinstance(content, bytes) else content.encode()
    (place.root / name).write_bytes(raw)
    return open_file(place, name)


def held(place, name):
    reading = read((place.root / name).read_bytes(), name)
    assert reading.readable
    return reading.data


@pytest.mark.parametrize("style", STYLES)
def test_what_was_not_edited_is_not_written(place, style):
    found = put(place, "suite.json", written(style))
    before = (place.root / "suite.json").stat()
    told = save(place, "suite.json", found.data, found.digest)
    assert told["digest"] == found.digest
    assert not told["written"]
    after = (place.root / "suite.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("style", STYLES)
def test_an_edited_cell_changes_its_own_characters(place, style):
    raw = written(style)
    found = put(place, "suite.json", raw)
    regions_in(found.data)[-1]["content"] = "seven"
    save(place, "suite.json", found.data, found.digest)
    now = (place.root / "suite.json").read_bytes()
    assert now == raw.replace(b'"six"', b'"seven"')


def test_an_edited_cell_of_yaml_changes_its_own_characters(place):
    found = put(place, "suite.yaml", YAML)
    regions = regions_in(found.data)
    regions[0]["content"] = "The cat"
    regions[1]["content"] = 'that "sees"'
    regions[2]["content"] = "it's here"
    regions[4]["content"] = "yes"
    save(place, "suite.yaml", found.data, found.digest)
    expected = (
        YAML.replace("content: The dog}", "content: The cat}")
        .replace('"that   sees"', '"that \\"sees\\""')
        .replace("'barks.'", "'it''s here'")
        .replace("content: it's\n", 'content: "yes"\n')
    )
    assert (place.root / "suite.yaml").read_text() == expected
    assert held(place, "suite.yaml") == found.data


def test_comments_of_yaml_stay_where_items_come_and_go(place):
    found = put(place, "suite.yaml", YAML)
    data = copy.deepcopy(found.data)
    data["items"].insert(0, copy.deepcopy(data["items"][1]))
    for number, item in enumerate(data["items"], 1):
        item["item_number"] = number
    save(place, "suite.yaml", data, found.digest)
    assert held(place, "suite.yaml") == data
    text = (place.root / "suite.yaml").read_text()
    for comment in re.findall(r"#.*", YAML):
        assert comment in text
    data = held(place, "suite.yaml")
    del data["items"][0]
    save(place, "suite.yaml", data, open_file(place, "suite.yaml").digest)
    assert held(place, "suite.yaml") == data


@pytest.mark.parametrize(
    ("old", "sent"),
    [
        ("1.0", 1), ("-0.0", 0), ("12345678901234567890", 12345678901234567000), ("1e2", 100),
        ("0.1", 0.1), ("2", 2.0),
    ],
)  # fmt: skip
def test_numbers_that_a_browser_writes_otherwise_stay(place, old, sent):
    text = json.dumps({**SUITE, "more": "HERE"}, indent=2).replace('"HERE"', f'{{"sum": {old}}}')
    found = put(place, "suite.json", text)
    data = {**found.data, "more": {"sum": sent}}
    assert not save(place, "suite.json", data, found.digest)["written"]


def test_the_order_of_keys_is_that_of_the_file(place):
    """Browsers put keys that are whole numbers first, in ascending order."""
    data = {**SUITE, "region_meta": {"3": "c", "1": "a", "2": "b"}}
    found = put(place, "suite.json", json.dumps(data, indent=2))
    data["region_meta"] = {"1": "a", "2": "b", "3": "c"}
    assert not save(place, "suite.json", data, found.digest)["written"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


def insert_region(data, at):
    for item in data["items"]:
        for condition in item["conditions"]:
            regions = condition["regions"]
            regions.insert(at, {"region_number": 0, "content": ""})
            for number, region in enumerate(regions, 1):
                region["region_number"] = number
    data["region_meta"] = {str(n): "" for n in range(1, len(regions_in(data)) + 1)}


def edits(data, draw):
    """One edit of a person: of a cell, or of the structure."""
    kind = draw(st.sampled_from(["cell", "cell", "item", "condition", "region", "formula", "drop"]))
    items = data["items"]
    if kind == "cell":
        draw(st.sampled_from(regions_in(data)))["content"] = draw(TEXTS)
    elif kind == "item":
        items.insert(draw(st.integers(0, len(items))), copy.deepcopy(draw(st.sampled_from(items))))
        for number, item in enumerate(items, 1):
            item["item_number"] = number
    elif kind == "condition":
        name = draw(TEXTS)
        for item in items:
            new = copy.deepcopy(item["conditions"][0])
            item["conditions"].insert(1, {**new, "condition_name": name})
    elif kind == "region":
        insert_region(data, draw(st.integers(0, 2)))
    elif kind == "formula":
        data["predictions"].append({"type": "formula", "formula": draw(TEXTS)})
    elif len(items) > 1:
        del items[draw(st.integers(0, len(items) - 1))]


@pytest.mark.parametrize("style", STYLES)
@examples(30)
@given(choose=st.data())
def test_a_file_holds_what_was_edited(tmp_path_factory, style, choose):
    place = ServedFolder(tmp_path_factory.mktemp("edited"))
    found = put(place, "suite.json", written(style))
    data, digest = found.data, found.digest
    for _ in range(choose.draw(st.integers(1, 3))):
        edits(data, choose.draw)
        digest = save(place, "suite.json", data, digest)["digest"]
        assert held(place, "suite.json") == data
        assert digest == open_file(place, "suite.json").digest


@examples(30)
@given(choose=st.data())
def test_a_yaml_file_holds_what_was_edited(tmp_path_factory, choose):
    place = ServedFolder(tmp_path_factory.mktemp("edited"))
    found = put(place, "suite.yaml", YAML)
    data = found.data
    edits(data, choose.draw)
    try:
        save(place, "suite.yaml", data, found.digest)
    except RequestRefused:  # parsers do not agree on every character
        assert (place.root / "suite.yaml").read_text() == YAML
    else:
        assert held(place, "suite.yaml") == data


@pytest.mark.parametrize("style", STYLES)
@examples(30)
@given(choose=st.data())
def test_edited_cells_alone_change(tmp_path_factory, style, choose):
    """Without the strings that were edited, old and new bytes are the same."""
    place = ServedFolder(tmp_path_factory.mktemp("edited"))
    raw = written(style)
    found = put(place, "suite.json", raw)
    places = choose.draw(
        st.lists(st.integers(0, len(regions_in(SUITE)) - 1), min_size=1, max_size=4)
    )
    for at in places:
        regions_in(found.data)[at]["content"] = choose.draw(TEXTS)
    save(place, "suite.json", found.data, found.digest)
    now = (place.root / "suite.json").read_bytes()
    assert without_contents(now) == without_contents(raw)
    old, new = contents(raw), contents(now)
    assert all(old[at] == new[at] for at in set(range(len(old))) - set(places))


CONTENT = re.compile(rb'("content": ?)("(?:[^"\\]|\\.)*")')


def without_contents(raw: bytes) -> bytes:
    return CONTENT.sub(rb"\1", raw)


def contents(raw: bytes) -> list[bytes]:
    return [found[1] for found in CONTENT.findall(raw)]


def test_an_inserted_item_leaves_the_others_as_they_are(place):
    raw = written("regions on a line")
    found = put(place, "suite.json", raw)
    new = copy.deepcopy(found.data["items"][0])
    found.data["items"].insert(1, new)
    for number, item in enumerate(found.data["items"], 1):
        item["item_number"] = number
    save(place, "suite.json", found.data, found.digest)
    now = (place.root / "suite.json").read_text().splitlines()
    changed = [
        line
        for tag, a, b, _, _ in SequenceMatcher(None, raw.decode().splitlines(), now).get_opcodes()
        if tag in ("replace", "delete")
        for line in raw.decode().splitlines()[a:b]
    ]
    assert all('"item_number"' in line for line in changed), changed


def test_the_second_of_two_windows_is_asked(place):
    first = put(place, "suite.json", written("plain"))
    second = open_file(place, "suite.json")
    regions_in(first.data)[0]["content"] = "first"
    regions_in(second.data)[-1]["content"] = "second"
    save(place, "suite.json", first.data, first.digest)
    with pytest.raises(RequestRefused) as refused:
        save(place, "suite.json", second.data, second.digest)
    answer = refused.value.answer
    assert refused.value.status == 409
    assert answer["changed"]
    assert answer["data"] == first.data
    assert "first" in answer["difference"]
    assert "second" in answer["difference"]
    assert held(place, "suite.json") == first.data
    save(place, "suite.json", second.data, answer["digest"])
    assert held(place, "suite.json") == second.data


def test_a_deleted_file_and_one_that_appeared_are_asked_about(place):
    found = put(place, "suite.json", written("plain"))
    with pytest.raises(RequestRefused, match="has been changed") as refused:
        save(place, "suite.json", {**found.data, "x": 1}, None)
    assert refused.value.status == 409
    (place.root / "suite.json").unlink()
    with pytest.raises(RequestRefused, match="deleted or renamed") as refused:
        save(place, "suite.json", found.data, found.digest)
    assert refused.value.answer["digest"] is None
    save(place, "suite.json", found.data, None)
    assert held(place, "suite.json") == SUITE


def test_force_replaces_even_what_cannot_be_read(place):
    (place.root / "suite.json").write_text("{broken")
    with pytest.raises(RequestRefused):
        save(place, "suite.json", SUITE, "0" * 64)
    save(place, "suite.json", SUITE, "0" * 64, force=True)
    assert held(place, "suite.json") == SUITE


def test_a_table_is_saved_only_if_it_holds_everything(place):
    text = (
        "item_number,condition_name,region_number,region_name,content\n"
        "1,a,1,s,The dog\n1,a,2,v,barks\n1,b,1,s,The dogs\n1,b,2,v,bark\n"
    )
    found = put(place, "suite.csv", text)
    assert not save(place, "suite.csv", found.data, found.digest)["written"]
    regions_in(found.data)[0]["content"] = "A, dog"
    save(place, "suite.csv", found.data, found.digest)
    assert (place.root / "suite.csv").read_text() == text.replace("The dog\n1,a", '"A, dog"\n1,a')
    found = open_file(place, "suite.csv")
    found.data["predictions"].append({"type": "formula", "formula": "(1;%a%) > (1;%b%)"})
    with pytest.raises(RequestRefused, match="save the suite as"):
        save(place, "suite.csv", found.data, found.digest)
    told = save(place, "copy.csv", found.data, None, export=True)
    assert told["notes"]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a"])
def test_names_say_how_a_suite_is_written(place, name):
    with pytest.raises(RequestRefused, match="is saved as"):
        save(place, name, SUITE, None)


@needs_modes
def test_a_file_that_cannot_be_written_says_so(place):
    found = put(place, "suite.json", written("plain"))
    (place.root / "suite.json").chmod(0o444)
    with pytest.raises(RequestRefused, match="cannot be written: Permission denied") as refused:
        save(place, "suite.json", {**found.data, "x": 1}, found.digest)
    assert str(place.root) not in str(refused.value)
    assert (place.root / "suite.json").read_bytes() == written("plain")


SAVING = """
import json, sys
from evalmark.workbench.served_folder import ServedFolder
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.file_saving import save
place = ServedFolder(sys.argv[1])
while True:
    found = open_file(place, "suite.json")
    number = found.data["meta"].get("saved", 0) + 1
    found.data["meta"]["saved"] = number
    found.data["items"] = found.data["items"][:1] * (1 + number % 200)
    save(place, "suite.json", found.data, found.digest)
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL here")
@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_server_killed_while_it_saves_leaves_a_whole_file(place, number):
    put(place, "suite.json", written("plain"))
    with subprocess.Popen(
        [sys.executable, "-c", SAVING, place.root], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        for _ in range(number):
            saved = int(process.stdout.readline())
        time.sleep(0.003 * number)
        process.send_signal(signal.SIGKILL)
        later = [int(line) for line in process.stdout if line.endswith("\n")]
    now = held(place, "suite.json")
    last = max([saved, *later])
    assert now["meta"]["saved"] in (last, last + 1)
    assert len(now["items"]) == 1 + now["meta"]["saved"] % 200


def suites_at_hand(shared):
    return sorted(
        path
        for path in (shared / "data/suites").rglob("*")
        if path.suffix in (".json", ".csv") and path.is_file()
    )


@pytest.mark.slow
def test_published_suites_open_and_save_unchanged(shared, place):
    """Through a browser: numbers and the order of keys are those of JavaScript."""
    paths = suites_at_hand(shared)
    assert len(paths) > 30
    for path in paths:
        raw = path.read_bytes()
        found = put(place, path.name, raw)
        for metric in found.choices or ("",):
            found = open_file(place, path.name, {"metric": metric})
            assert not found.refused, path
            told = save(place, path.name, in_browser(found.data), found.digest)
            assert not told["written"], path
            assert (place.root / path.name).read_bytes() == raw


@pytest.mark.slow
def test_published_suites_are_saved_as_current_ones(shared, place):
    for path in suites_at_hand(shared):
        found = put(place, path.name, path.read_bytes())
        found = open_file(place, path.name, {"metric": next(iter(found.choices), "")})
        if found.converted and path.suffix == ".json":
            save(place, path.name, in_browser(found.data), found.digest, convert=True)
            again = open_file(place, path.name)
            assert not again.converted
            assert again.data == found.data


def in_browser(data):
    """Data after JSON.parse and JSON.stringify."""
    if isinstance(data, dict):
        whole = sorted((key for key in data if key.isdecimal()), key=int)
        return {key: in_browser(data[key]) for key in dict.fromkeys([*whole, *data])}
    if isinstance(data, list):
        return list(map(in_browser, data))
    if isinstance(data, float) and data.is_integer():
        return int(data)
    return data
