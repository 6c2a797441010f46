"""What is one model, one developer and one benchmark."""

import json
import re

import pytest
from conftest import FIXTURES
from evalmark.leaderboard import add_records, alias_report
from evalmark.leaderboard.identity import Aliases, benchmark_key
from evalmark.schemas.errors import ConfigError
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("duckdb")

KEYS = "model_key, developer_key, benchmark_key"


@pytest.fixture
def store_of(tmp_path):
    """A store of records that differ in some values: pointer -> value."""

    def made(*changes, aliases=""):
        text = (FIXTURES / "versions/record-0.3.0.json").read_text(encoding="utf-8")
        for number, values in enumerate(changes):
            data = json.loads(text)
            data["evaluation_id"] = f"board/example/model-1/{number}"
            data["evaluation_results"][0]["metric_config"]["max_score"] = 1
            for pointer, value in values.items():
                *path, last = pointer.split("/")
                node = data
                for key in path:
                    node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
                node[last] = value
            (tmp_path / f"{number}.json").write_text(json.dumps(data), encoding="utf-8")
        store = add_records([tmp_path], tmp_path / "store", include_errors=True).store
        (store.folder / "aliases.toml").write_text(aliases, encoding="utf-8")
        return store

    return made


def keys_of(store, columns=KEYS):
    with store.connect() as connection:
        return connection.execute(f"SELECT {columns} FROM results ORDER BY file").fetchall()


RESULT = "evaluation_results/0"
METRIC = f"{RESULT}/metric_config"
ID = "model_info/id"


def test_a_key_says_all_that_makes_a_benchmark(store_of):
    store = store_of({f"{RESULT}/source_data/hf_split": "test"})
    assert keys_of(store) == [
        (
            "example/model-1",
            "example",
            'board/agreement | agreement | test | accuracy {"k":1,"strict":true} | higher | 0 to 1',
        )
    ]


@pytest.mark.parametrize(
    "change",
    [
        {f"{RESULT}/source_data/dataset_name": "other"}, {f"{RESULT}/evaluation_name": "other"},
        {f"{RESULT}/source_data/hf_split": "test"}, {f"{METRIC}/metric_id": "f1"},
        {f"{METRIC}/metric_parameters": {"k": 2}}, {f"{METRIC}/lower_is_better": True},
        {f"{METRIC}/min_score": -1}, {f"{METRIC}/max_score": 100},
        {f"{METRIC}/max_score": "Infinity"}, {"evaluation_id": "elsewhere/example/model-1/1"},
    ],
    ids=lambda change: next(iter(change)).rpartition("/")[2],
)  # fmt: skip
def test_results_that_differ_in_any_part_are_of_two_benchmarks(store_of, change):
    assert len(set(keys_of(store_of({}, change), "benchmark_key"))) == 2


def test_a_metric_may_be_named_in_its_description_alone(store_of):
    unnamed = {f"{METRIC}/metric_id": None, f"{METRIC}/metric_name": None}
    texts = ("bleu_4", "exact_match", "Share of right answers.", "")
    store = store_of(*({**unnamed, f"{METRIC}/evaluation_description": text} for text in texts))
    assert keys_of(store, "metric") == [("bleu_4",), ("exact_match",), (None,), (None,)]


def test_no_name_can_look_like_two_parts(store_of):
    one = {f"{RESULT}/source_data/dataset_name": "a | b", f"{RESULT}/evaluation_name": "c"}
    two = {f"{RESULT}/source_data/dataset_name": "a", f"{RESULT}/evaluation_name": "b | c"}
    three = {f"{RESULT}/evaluation_name": "-"}
    four = {f"{RESULT}/evaluation_name": ""}
    assert len(set(keys_of(store_of(one, two, three, four), "benchmark_key"))) == 4


def test_aliases_count_without_reading_records_again(store_of):
    store = store_of({}, {ID: "Example-AI/Model_1", "model_info/developer": "Example AI"})
    assert [key for key, *_ in keys_of(store)] == ["example/model-1", "Example-AI/Model_1"]
    (store.folder / "aliases.toml").write_text(
        '[models]\n"Example-AI/Model_1" = "example/model-1"\n'
    )
    one, two = keys_of(store)
    assert one == two


def test_developers_have_aliases(store_of):
    aliases = '[developers]\n"Example AI" = "example"\n'
    store = store_of({}, {"model_info/developer": "Example AI"}, aliases=aliases)
    assert keys_of(store, "developer_key, developer") == [
        ("example", "example"),
        ("example", "Example AI"),
    ]


def test_benchmarks_have_aliases_by_data_and_by_subset(store_of):
    aliases = '[benchmarks]\n"board/old" = "board/agreement"\n"board/x | y" = "board/z | w"\n'
    old = {f"{RESULT}/source_data/dataset_name": "old"}
    both = {f"{RESULT}/source_data/dataset_name": "x", f"{RESULT}/evaluation_name": "y"}
    other = {f"{RESULT}/source_data/dataset_name": "x", f"{RESULT}/evaluation_name": "w"}
    scale = {**old, f"{METRIC}/max_score": 100}
    found = keys_of(store_of({}, old, both, other, scale, aliases=aliases), "benchmark_key")
    names = [key.split(" | ")[:2] for (key,) in found]
    assert names == [
        ["board/agreement", "agreement"], ["board/agreement", "agreement"], ["board/z", "w"],
        ["board/x", "w"], ["board/agreement", "agreement"],
    ]  # fmt: skip
    assert found[0] == found[1] != found[4]  # never of two scales


def test_the_settings_name_further_aliases(store_of, run, here):
    store = store_of({})
    (here / "ours.toml").write_text('[models]\n"example/model-1" = "example/one"\n')
    (here / "pyproject.toml").write_text('[tool.evalmark.store]\naliases = "ours.toml"\n')
    done = run("evalmark", "store", "aliases", str(store.folder), "--format", "json")
    assert json.loads(done.out)["merged"] == [
        {"table": "models", "alias": "example/model-1", "target": "example/one", "rows": 1}
    ]


@pytest.mark.parametrize(
    ("aliases", "message"),
    [
        ('[models]\na = "b"\n\n"b" = "c"\n', r'toml:2: "b" is an alias itself; write "a" = "c"'),
        ('[models]\na = "b"\nb = "a"\n', r'toml:2: .*a circle: "a" = "b" = "a"; remove one'),
        ("[models]\n'a' = 'a'\n", r'toml:2: "a" is an alias of itself; remove the line'),
        ('[benchmarks]\n"c/a | s" = "c/b | s"\n"c/b" = "c/d"\n', r'toml:2: "c/b \| s" is an alias'),
        ('[benchmarks]\n"c/a" = "c/b | s"\n', r"toml:2: .* both must be the first part"),
        ("[models] # ours\na = 1\n", r"toml:2: expected two names"),
        ("[models]\na = 1\n", r"toml:2: expected two names as strings, \"a\" = \"name\""),
        ('[models]\na.b = "c"\n', r"as strings, \"a\" = \"name\"; put names with dots in q"),
        ('[model]\na = "b"\n', r"unknown table `model`; known are \[models\], \[developers\], "),
        ('models = "a"\n', r"`models` must be a table"),
        ("[models\n", r"aliases.toml: "),
    ],
)
def test_aliases_that_cannot_be_used_are_named_with_their_place(store_of, aliases, message):
    with pytest.raises(ConfigError, match=message):
        store_of({}, aliases=aliases).connect()


def test_two_files_of_aliases_must_agree(store_of, tmp_path):
    store = store_of({}, aliases='[models]\na = "b"\n')
    other = tmp_path / "other.toml"
    other.write_text('# ours\n[models]\na = "c"\n')
    with pytest.raises(ConfigError, match=r'other.toml:3: "a" stands for "b" in .*aliases.toml:2'):
        type(store)(store.folder, (other,)).connect()


def test_proposals_are_lines_to_paste(store_of):
    store = store_of(
        {},
        {},
        {ID: "example/Model_1"},
        {ID: "other/model-1"},
        {"model_info/developer": "Exam-ple"},
        {"model_info/developer": "Unlike"},
        {f"{RESULT}/source_data/dataset_name": "Agree-ment"},
        {f"{RESULT}/evaluation_name": "agree ment"},
    )
    report = alias_report(store)
    assert report.merged == ()
    spelling = "differ only in case or separators"
    assert [(one.table, one.why, *one.lines) for one in report.candidates] == [
        ("models", spelling, '"example/Model_1" = "example/model-1"'),
        ("developers", spelling, '"Exam-ple" = "example"'),
        ("benchmarks", spelling, '"board/Agree-ment" = "board/agreement"'),
        ("benchmarks", spelling, '"board/agreement | agree ment" = "board/agreement | agreement"'),
        ("models", "one name under several developers", '"other/model-1" = "example/model-1"'),
        ("developers", "developers of one model", '"Unlike" = "example"'),
    ]
    text = "".join(
        f"[{table}]\n"
        + "".join(
            f"{line}\n" for one in report.candidates if one.table == table for line in one.lines
        )
        for table in ("models", "developers", "benchmarks")
    )
    (store.folder / "aliases.toml").write_text(text, encoding="utf-8")
    after = alias_report(store)
    assert after.candidates == ()
    assert {one.alias for one in after.merged} >= {"example/Model_1", "Unlike"}
    assert {one.alias: one.rows for one in after.merged}["example/Model_1"] == 1


def test_a_benchmark_with_its_metric_is_proposed_if_its_scores_are_equal(store_of):
    name, score = f"{RESULT}/evaluation_name", f"{RESULT}/score_details/score"
    pairs = [("Math", 0.5, 0.5), ("Law", 0.5, 0.6)]
    rows = [
        {name: called, score: value}
        for title, value, other in pairs
        for called, value in ((title, value), (f"{title} - EM", other))
    ]
    (candidate,) = alias_report(store_of(*rows)).candidates
    assert candidate.lines == ('"board/agreement | Math - EM" = "board/agreement | Math"',)


def test_the_command_prints_what_can_be_pasted(store_of, run, refused):
    store = store_of({}, {ID: "example/Model_1"})
    done = run("evalmark", "store", "aliases", str(store.folder))
    assert done.out == (
        "no aliases\n\n# 1 proposal for aliases.toml; keep what is right\n[models]\n"
        "# differ only in case or separators: example/Model_1 (1), example/model-1 (1)\n"
        '"example/model-1" = "example/Model_1"\n'
    )
    pasted = done.out.partition("\n\n")[2]
    (store.folder / "aliases.toml").write_text(pasted, encoding="utf-8")
    shown = run("evalmark", "store", "aliases", str(store.folder)).out
    assert re.search(r"models +example/model-1 +example/Model_1 +1\n", shown)
    (store.folder / "aliases.toml").write_text('[models]\na = "a"\n', encoding="utf-8")
    assert "aliases.toml:2" in refused("evalmark", "store", "aliases", str(store.folder))


def test_a_connection_reads_nothing_else(store_of, tmp_path):
    import duckdb

    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    with store_of({}).connect() as connection:
        for statement in (
            f"SELECT * FROM '{other}'",
            f"COPY results TO '{other}'",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


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
    rest = ("test", "accuracy", None, False, "continuous", 0.0, 1.0)
    told = [tuple(part or None for part in name) for name in names]
    keys = {benchmark_key((*name, *rest), Aliases()) for name in told}
    assert len(keys) == len(set(told))


@pytest.mark.parametrize(
    ("bounds", "scale"),
    [((0.0, 1.0), "0 to 1"), ((None, 100.0), "open to 100"), ((0.5, 1e16), "0.5 to 1e+16"),
     ((-1.0, float("inf")), "-1 to inf"), ((0, 7), "0 to 7")],
)  # fmt: skip
def test_bounds_are_written_as_short_as_they_are(bounds, scale):
    name = ("board", "facts", None, None, "accuracy", "{}", None, "continuous", *bounds)
    assert benchmark_key(name, Aliases()) == f"board/facts | - | - | accuracy | - | {scale}"
