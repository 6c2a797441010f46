"""Data written as YAML is the same data for every parser."""

import json

import pytest
import yaml
from evalmark.converters import yaml_text as yaml_text_module
from evalmark.converters.yaml_text import yaml_text
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.reading import read
from hypothesis import given
from hypothesis import strategies as st
from looping import loops_over

#: Texts that YAML gives a meaning of its own somewhere.
ODD = [
    "yes", "~", "null", "0x1f", "1_000", "12:30", "1e3", ".inf", "- a", "? a", "a: b", "a:", "# a",
    "a #b", "---", "...", "%a", "@a", "*a", "&a", "!a", "|", ">", "[", "{", "'", '"', "", " ", "a ",
    " a", "\t", "a\nb", "a\nb\n", "a\n\nb", "a\n", "\n", "\na", "a\n\n", " a\nb", "a \nb", "=",
    "<<", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe", "\U0001f600", "\x00", "\x1b", "2026-01-01",
    "08",
]  # fmt: skip

texts = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"])))
scalars = st.one_of(
    texts, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)
)
data = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
)


def is_written_alike(value: object) -> None:
    text = yaml_text(value)
    assert json.dumps(read(text.encode(), "x.yaml").data) == json.dumps(value)
    assert json.dumps(yaml.safe_load(text)) == json.dumps(value)


@given(data)
def test_both_parsers_read_what_was_written(value):
    """ruamel.yaml reads YAML 1.2, PyYAML YAML 1.1."""
    is_written_alike(value)


@loops_over("text", ODD)
def test_odd_text_is_read_back_wherever_it_is(text):
    is_written_alike({"x": text, text: [text, [text], {text: text}]})
    is_written_alike(text)


#: What the forms that are not parsed consist of, and what else could be taken for them.
WORDS = st.one_of(
    st.text("aZ09_ .:/,()'\"%+=;!?&*<>$@^~|[]{}-#\\`\t", max_size=12),
    st.sampled_from(["y", "N", "On", "no", "Null", "1.50", "-0", "1e5", "a" * 600, "a b " * 150]),
    st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{0,22})?", fullmatch=True),
)


@given(st.dictionaries(WORDS, st.one_of(WORDS, scalars), min_size=1, max_size=4))
def test_words_and_numbers_are_written_as_if_each_was_parsed(value):
    def written():
        for cached in (yaml_text_module._key, yaml_text_module._scalar, yaml_text_module._literal):
            cached.cache_clear()
        return yaml_text(value)

    quick = written()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_text_module, "_is_read_as", lambda *_: None)
        assert written() == quick
    assert json.dumps(yaml.safe_load(quick)) == json.dumps(value)


def test_words_and_numbers_are_not_parsed_one_by_one(monkeypatch):
    value = {f"key{n}": [f"the value of {n}", str(n), n, n + 0.5, None] for n in range(50)}
    monkeypatch.setattr(yaml_text_module, "_reads_as", lambda text, _: text == "x: null\n")
    assert yaml.safe_load(yaml_text(value)) == value


def test_plain_text_stays_plain_and_nesting_is_compact():
    value = {"regions": [{"number": 1, "content": 'The author\'s "end"'}, []], "note": "a\n\nb"}
    assert yaml_text(value) == (
        'regions:\n  - number: 1\n    content: The author\'s "end"\n  - []\nnote: |-\n  a\n\n  b\n'
    )


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(ConversionError):
        yaml_text({"x": "\ud800"})
