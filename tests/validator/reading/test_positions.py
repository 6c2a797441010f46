"""Where things are in a text, and how a text is changed without touching the rest."""

import json
import random

import pytest
from evalmark.validator.check import check_text
from evalmark.validator.reading.rewrite import rewrite
from evalmark.validator.reading.source import Source, json_members, root
from hypothesis import given
from hypothesis import strategies as st
from pointers import values
from strategies import JSON, examples


def spread(value, seed):
    """JSON text of a value with odd but legal white space and escapes."""
    r = random.Random(seed)

    def space():
        return "".join(r.choices(" \t\n\r", k=r.choice((0, 0, 1, 2))))

    def text(string):
        return json.dumps(string, ensure_ascii=r.random() < 0.5)

    def write(node):
        if isinstance(node, dict):
            members = (f"{space()}{text(k)}{space()}:{space()}{write(v)}" for k, v in node.items())
            return "{" + f"{space()},".join(members) + space() + "}"
        if isinstance(node, list):
            return "[" + f"{space()},".join(space() + write(v) for v in node) + space() + "]"
        return text(node) if isinstance(node, str) else json.dumps(node)

    return space() + write(value) + space()


@given(JSON, st.integers())
@examples(200)
def test_the_place_of_a_pointer_holds_its_value(value, seed):
    text = spread(value, seed)
    source = Source("x", text)
    for pointer, expected in values(value):
        place = source.place(pointer)
        assert json.loads(text[place.start : place.end]) == expected
        if place.key_start >= 0:
            key = json.loads(text[place.key_start : place.key_end])
            assert pointer.endswith("/" + key.replace("~", "~0").replace("/", "~1"))


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), st.booleans(), st.data())
def test_offsets_inside_a_string_see_through_escapes(string, ascii_only, data):
    text = "\n " + json.dumps({"k": string}, ensure_ascii=ascii_only)
    start = data.draw(st.integers(0, len(string) - 1))
    end = data.draw(st.integers(start, len(string)))
    edit = Source("x", text).string_edit("/k", start, end, "")
    assert json.loads(f'"{text[edit.start : edit.end]}"') == string[start:end]


def test_lines_end_at_line_feeds_only():
    source = Source("x", '{"a": "x\u2028y",\r\n "b": 1}')
    assert source.value_span("/b").line == 2
    assert source.line(1) == '{"a": "x\u2028y",'


def test_missing_pointers_have_no_place():
    source = Source("x", '{"a": [1]}')
    for pointer in ("/b", "/a/1", "/a/x", "/a/0/0"):
        assert source.place(pointer) is None


def test_columns_count_code_points():
    report = check_text('{"a": "😀", "a": 1}')
    assert report.findings[0].span.column == 12


def test_a_column_stays_the_same_however_often_it_is_looked_up():
    source = Source("x", '{"a": 1,\n "b": 2}')
    places = {source.line_column(offset) for _ in range(100) for offset in (0, 10)}
    assert places == {(1, 1), (2, 2)}


@given(JSON, JSON, st.integers())
@examples(200)
def test_a_rewritten_text_holds_the_new_data(old, new, seed):
    text = spread(old, seed)
    assert json.dumps(json.loads(rewrite(text, new))) == json.dumps(new)


@given(JSON, st.integers())
def test_the_same_data_is_the_same_text(value, seed):
    text = spread(value, seed)
    assert rewrite(text, value) == text


@given(st.lists(st.text(max_size=5), min_size=1, max_size=6, unique=True), st.data(), st.integers())
def test_elements_keep_their_text_where_others_come_and_go(names, data, seed):
    old = [{"name": name, "number": place} for place, name in enumerate(names)]
    text = spread(old, seed)
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(old))), min_size=1)))
    new = [old[place] for place in kept]
    for number in range(data.draw(st.integers(0, 3))):
        new.insert(data.draw(st.integers(0, len(new))), {"new": number})
    result = rewrite(text, new)
    assert json.loads(result) == new
    places = [place for _, place in json_members(text, root(text))]
    at = 0
    for place in kept:
        own = text[places[place].start : places[place].end]
        at = result.index(own, at) + len(own)


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ('[{"a": 1}, {"b": 1}]', [{"b": 1}], '[{"b": 1}]'),
        ('[{"a": 1}, {"b": 1}]', [{"a": 1}], '[{"a": 1}]'),
        ('["a",  "b"]', ["a", "c", "b"], '["a",  "c",  "b"]'),
        ('["a"]', ["b", "a"], '["b", "a"]'),
        (
            '[\r\n  {"n": 1, "c": "x"}\r\n]\r\n',
            [{"n": 1, "c": "w"}, {"n": 2, "c": "x"}],
            '[\r\n  {"n": 1, "c": "w"},\r\n  {"n": 2, "c": "x"}\r\n]\r\n',
        ),
        (
            '[\n {\n  "c": "x"\n }\n]',
            [{"c": "x"}, {"c": "y"}],
            '[\n {\n  "c": "x"\n },\n {\n  "c": "y"\n }\n]',
        ),
        ('[{"c":"x"},{"c":"y"}]', [{"c": "x"}, {"c": "z", "d": 1}, {"c": "y"}],
         '[{"c":"x"},{"c":"z","d":1},{"c":"y"}]'),
        ("[]", [1], "[1]"),
        ("[1]", [], "[]"),
    ],
)  # fmt: skip
def test_elements_come_and_go(text, new, expected):
    assert rewrite(text, new) == expected


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        ('{"a": 1,  "b" : [1, 2]}\n', {"b": [1, 3]}, '{"a": 1,  "b" : [1, 3]}\n'),
        (
            '{\r\n  "a": 1\r\n}',
            {"c": {"d": 2}},
            '{\r\n  "a": 1,\r\n  "c": {\r\n    "d": 2\r\n  }\r\n}',
        ),
        ('{\n\t"a": 1,\n\t"b": 2\n}', {"a": None}, '{\n\t"b": 2\n}'),
        ('{"a": 1, "b": 2}', {"b": None}, '{"a": 1}'),
        ('{"n": 100000000000000000001, "f": 1.50}', {"x": 1}, None),
        ('{"é": 1}', {"ü": "ß"}, '{"é": 1, "ü": "ß"}'),
    ],
)
def test_only_what_changed_changes(text, change, expected):
    new = {**json.loads(text), **change}
    new = {key: value for key, value in new.items() if value is not None}
    result = rewrite(text, new)
    if expected is None:  # numbers that are not touched keep their digits
        assert result.startswith(text[:-1])
    else:
        assert result == expected
