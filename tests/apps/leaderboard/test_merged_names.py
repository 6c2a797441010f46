"""What is one model, one developer and one benchmark."""

import pytest
from evalmark.leaderboard.names import MergedNames, is_benchmark_key, read_names
from evalmark.schemas.errors import ConfigError
from hypothesis import given
from hypothesis import strategies as st
from result_rows import rows_of


def key_of(row, names=None):
    return rows_of(row, names=names or MergedNames())[0].benchmark_key


def test_a_key_says_all_that_makes_a_benchmark():
    row = {"metric_parameters": '{"k":1}', "split": "test"}
    assert key_of(row) == 'board/mmlu | algebra | test | accuracy {"k":1} | higher | 0 to 1'


@pytest.mark.parametrize(
    "change",
    [{"dataset": "other"}, {"subset": "other"}, {"split": "dev"}, {"metric": "f1"},
     {"metric_parameters": '{"k":2}'}, {"lower_is_better": True}, {"lower_is_better": None},
     {"min_score": -1.0}, {"max_score": 100.0}, {"max_score": None}, {"collection": "elsewhere"}],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_results_that_differ_in_any_part_are_of_two_benchmarks(change):
    assert key_of({}) != key_of(change)


def test_no_name_can_look_like_two_parts():
    pairs = ("a | b", "c"), ("a", "b | c"), ("a", "-"), ("a", "")
    assert len({key_of({"dataset": data, "subset": subset}) for data, subset in pairs}) == 4


@given(
    st.lists(
        st.tuples(*[st.none() | st.text("-|\\a ", max_size=3)] * 3),
        min_size=2,
        max_size=2,
        unique=True,
    )
)
def test_different_names_have_different_keys(names):
    """The marks that separate the parts of a key do not make two names one."""
    told = [tuple(part or None for part in name) for name in names]
    columns = "collection", "dataset", "subset"
    keys = {key_of(dict(zip(columns, name, strict=True))) for name in told}
    assert len(keys) == len(set(told))
    assert all(map(is_benchmark_key, keys))


@pytest.mark.parametrize(
    ("bounds", "scale"),
    [((0.0, 1.0), "0 to 1"), ((None, 100.0), "open to 100"), ((0.5, 1e16), "0.5 to 1e+16"),
     ((-0.0, 7.0), "0 to 7")],
)  # fmt: skip
def test_bounds_are_written_as_short_as_they_are(bounds, scale):
    low, high = bounds
    assert key_of({"min_score": low, "max_score": high}).endswith(f" | {scale}")


def test_a_developer_has_another_name_and_a_model_brings_its_own():
    names = MergedNames({"Lab/One": "lab/one"}, {"Lab AI": "lab"})
    rows = rows_of(
        {"developer": "Lab AI"}, {"model": "Lab/One", "developer": "Lab"}, {"model": None},
        names=names,
    )  # fmt: skip
    assert [(row.model_key, row.developer_key) for row in rows] == [
        ("lab/one", "lab"), ("lab/one", "lab"), ("One", "lab"),
    ]  # fmt: skip


def test_benchmarks_have_other_names_by_data_and_by_subset():
    names = MergedNames(benchmarks={"board/old": "board/new", "board/x | y": "board/z | w"})
    keys = [key_of(row, names) for row in (
        {"dataset": "new"}, {"dataset": "old"}, {"dataset": "x", "subset": "y"},
        {"dataset": "x", "subset": "w"}, {"dataset": "old", "max_score": 100.0},
    )]  # fmt: skip
    assert [key.split(" | ")[:2] for key in keys] == [
        ["board/new", "algebra"], ["board/new", "algebra"], ["board/z", "w"], ["board/x", "w"],
        ["board/new", "algebra"],
    ]  # fmt: skip
    assert keys[0] == keys[1] != keys[4]  # never of two scales


def test_a_file_has_names_of_three_kinds(tmp_path):
    path = tmp_path / "names.toml"
    path.write_text('[models]\n"a" = "b"\n[developers]\nc = "d"\n[benchmarks]\n"e/f" = "g/h"\n')
    assert read_names(path) == MergedNames({"a": "b"}, {"c": "d"}, {"e/f": "g/h"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[models]\na = "b"\n\n"b" = "c"\n', r'toml:2: "b" is itself a name to merge; write'),
        ('[models]\na = "b"\nb = "a"\n', r'toml:2: .*a circle: "a" = "b" = "a"; remove one'),
        ("[models]\n'a' = 'a'\n", r'toml:2: "a" is already the name to use; remove the line'),
        (
            '[benchmarks]\n"c/a | s" = "c/b | s"\n"c/b" = "c/d"\n',
            r'"c/b \| s" is itself a name',
        ),
        ('[benchmarks]\n"c/a" = "c/b | s"\n', r"toml:2: .* both must be the first part"),
        ("[models] # ours\na = 1\n", r"toml:2: expected two names"),
        ("[models]\na = 1\n", r"toml:2: expected two names as strings, \"a\" = \"name\""),
        ('[models]\na.b = "c"\n', r"as strings, \"a\" = \"name\"; put names with dots in q"),
        ('[model]\na = "b"\n', r"unknown table `model`; known are \[models\], \[developers\], "),
        ('models = "a"\n', r"`models` must be a table"),
        ("[models\n", r"names.toml: "),
        (b"\xff", r"names.toml: is not UTF-8"),
    ],
)
def test_names_that_cannot_be_used_are_named_with_their_place(tmp_path, text, message):
    path = tmp_path / "names.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError, match=message):
        read_names(path)
