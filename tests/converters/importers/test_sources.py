"""Files of results are read piece by piece, and nothing of them is believed unread."""

import io
import json

import pytest
from evalmark.converters.sources import elements as room
from evalmark.converters.sources.documents import document
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.writing import Spool, write_atomically
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def read(path, member=None, others=None):
    return elements(path, member, Account(), {} if others is None else others)


@given(
    values=st.lists(VALUES, max_size=5), indent=st.sampled_from([None, 1]), size=st.integers(1, 9)
)
def test_elements_are_those_of_the_list_wherever_the_pieces_end(values, indent, size):
    text = json.dumps({"a": 1, "list": values, "z": [2]}, indent=indent, ensure_ascii=False)
    document = room._Document(io.BytesIO(text.encode()), "x.json", Account())
    others = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "_CHUNK", size)
        found = [node.value for node in document.elements("list", others)]
    assert found == values
    assert {key: node.value for key, node in others.items()} == {"a": 1, "z": [2]}


def test_a_file_that_is_cut_anywhere_is_refused_with_its_place(tmp_path):
    path = tmp_path / "x.json"
    text = json.dumps({"a": 1, "list": [{"b": [1, "two"]}, 3.5], "z": {}}, indent=1)
    for end in range(len(text)):
        path.write_text(text[:end])
        with pytest.raises(ConversionError, match=r"^x.json:\d+:\d+: "):
            list(read(path, "list"))
    path.write_text(text)
    assert len(list(read(path, "list"))) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[1, 2,]', "x.json:1:7: remove the comma before it"),
        ('[1 2]', "x.json:1:4: expected `,` or `]`"),
        ('[1]\n[2]', "x.json:2:1: unexpected text after the JSON value"),
        ('[1,\n {"a": NaN}]', "x.json:2:8: F006 NaN is not JSON"),
        ('[{"a": 1, "a": 2}]', "x.json:1:11: F005"),
        ('{"list": []}', "x.json:1:1: expected `[`"),
        ("", "x.json:1:1: expected `[`"),
        (b"[\"\xff\"]", "x.json:1:1: not UTF-8 text in what follows"),
    ],
)  # fmt: skip
def test_what_the_strict_parser_refuses_is_refused(text, message, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConversionError) as error:
        list(read(path))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"list": [], "list": []}', 'duplicate key "list"'),
        ('{"a": 1, "a": 2, "list": []}', 'duplicate key "a"'),
        ('{"a": 1}', "`list` is missing"),
        ("{1: 2}", "expected a key in double quotes"),
    ],
)
def test_keys_beside_the_list_are_checked(text, message, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ConversionError, match=message):
        list(read(path, "list"))


def test_an_element_that_does_not_end_is_not_read_to_the_end_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MAX_ELEMENT", 1 << 20)
    path = tmp_path / "x.json"
    path.write_text('[{"a": "' + "x" * (1 << 22))
    with pytest.raises(ConversionError, match="a value that does not end within 1 MiB"):
        list(read(path))


def test_elements_come_before_the_file_is_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("[" + ", ".join(["{}"] * 500_000))  # the end is missing
    elements_of_file = read(path)
    assert next(elements_of_file).value == {}


# values with their places


def node(data, **about):
    return Node(data, Piece("x.json", json.dumps(data, indent=1), **about))


def test_a_value_of_the_wrong_type_is_refused_with_line_and_pointer():
    with pytest.raises(ConversionError) as error:
        node({"a": [{"b": "c\n"}]}).each("a").__next__().number("b")
    assert str(error.value) == "x.json:4:9 /a/0/b: expected a number, found c\\n"
    for read in ("whole", "flag", "number"):
        with pytest.raises(ConversionError, match="expected"):
            getattr(node({"a": "1"}), read)("a")
    with pytest.raises(ConversionError, match="expected a string, found true"):
        node({"a": True}).text("a")
    with pytest.raises(ConversionError, match="expected an object, found 3"):
        node({"a": 3}).at("a").at("b")


def test_what_was_not_asked_for_is_left_and_what_is_skipped_is_counted():
    left_out = Account()
    value = node({"a": 1, "b": [None, {}], "c": {"d": [2, 3]}, "e": 4, "f": 5}, left_out=left_out)
    assert value.whole("a") == 1
    value.skip("c", why="it is long")
    value.skip("e", "f", why="they follow")
    assert value.rest() == {}  # b says nothing
    assert left_out == {"x.json /c: it is long": 2, "x.json /{e,f}: they follow": 2}


def test_numbers_that_json_does_not_have_are_texts_where_programs_write_them(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"a": NaN, "b": [-Infinity, "NaN \\" Infinity"]}')
    value = document(path, "x.json", Account(), infinite=True).value
    assert value == {"a": "NaN", "b": ["-Infinity", 'NaN " Infinity']}
    with pytest.raises(ConversionError, match=r"x.json:1:7: F006"):
        document(path, "x.json", Account())


# what is collected before it is written


def test_a_spool_holds_what_was_added_in_memory_or_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("evalmark.validator.io.writing._IN_MEMORY", 10)
    spool = Spool()
    for number in range(100):
        spool.add(b"%d," % number)
        assert spool.read(0, 2) == b"0,"
    expected = b"".join(b"%d," % number for number in range(100))
    assert (b"".join(spool), spool.size) == (expected, len(expected))
    write_atomically(tmp_path / "x", spool)
    assert (tmp_path / "x").read_bytes() == expected
