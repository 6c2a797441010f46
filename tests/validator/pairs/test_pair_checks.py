"""Files of minimal pairs are checked: every form of file, every set, alone and together."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES, data_at, file_at
from evalmark.schemas.backend import Backend, accepts, native_is_installed
from evalmark.validator.batch.workers import in_processes
from evalmark.validator.check import check_data, check_file, check_one, check_text
from evalmark.validator.checker import check_files
from evalmark.validator.findings.rule import Rule, found_by, grouped
from evalmark.validator.formats.builtin import detect
from evalmark.validator.formats.pairs import pair_rows as _pairs
from evalmark.validator.formats.pairs.nearest_keys import nearest
from evalmark.validator.formats.pairs.ordinary_rows import RowForms
from evalmark.validator.formats.pairs.pair_items import item_of
from evalmark.validator.formats.pairs.pair_rule_table import PAIR_GROUPS, PAIR_RULES
from evalmark.validator.formats.shared import row_findings as _ranges
from evalmark.validator.settings.check_options import CheckOptions, context_of
from found import codes_of, places_of
from hypothesis import given
from hypothesis import strategies as st
from pairs import pair
from strategies import examples

PAIR = pair("The cats sleep.", "The cats sleeps.")
OTHER = pair("A boat sinks.", "A boat sink.")
ODD = pair("It  rains.", "It rain.")


def found(report: Any) -> list[tuple[str, int | None, str]]:
    return [(f.code, f.span and f.span.line, f.pointer) for f in report.findings]


# What rows are


@pytest.mark.parametrize("path", sorted((FIXTURES / "good/pairs").iterdir()), ids=lambda p: p.name)
@pytest.mark.parametrize("backend", list(Backend))
def test_every_set_is_recognized(path: Path, backend: Backend) -> None:
    if backend is Backend.NATIVE and not native_is_installed():
        pytest.skip("needs the extra fast")
    report = check_file(path, backend=backend)
    assert (report.kind, report.findings) == ("pairs", ())


@pytest.mark.parametrize(
    "data",
    [
        {"sentences": ["One.", "Two."], "ratio": 0.5},
        {"sentences": "One.", "ratio": 0.5},
        {"input_prefix": ">", "options": {"color": True}},
        {"options": ["a", "b"], "question": "Which?"},
        {"sentence_good": "A boat sinks."},
        [1, 2],
        [],
        [[PAIR]],
        [{"evaluation_name": "a", "interaction_type": "single_turn"}],
    ],
)
def test_other_files_are_not_taken_for_pairs(data: Any) -> None:
    assert detect(data) is None or not isinstance(data, list)
    assert detect(data) != "pairs"


def test_other_kinds_keep_their_files() -> None:
    record = data_at("good/record.json")
    assert detect({**record, **PAIR}) == "record"
    sample = {"evaluation_name": "a", "interaction_type": "single_turn", **PAIR}
    assert detect(sample) == "sample"


def test_folders_are_searched_for_pairs_but_not_for_tables(tmp_path: Path) -> None:
    file_at(tmp_path / "a.jsonl", [ODD])
    (tmp_path / "b.csv").write_text("sen,wrong_sen\na  b,c\n")
    (tmp_path / "c.json").write_text(json.dumps([ODD]))
    (tmp_path / "d.json").write_text('{"sentence_Good": "a", "sentence_Bad": "b"}')
    checked = check_files([tmp_path])
    names = [Path(f.path).name for f in checked.findings if f.code == "MP301"]
    assert names == ["a.jsonl", "c.json"]
    assert set(codes_of(checked)) == {"MP301", "MP404"}


# Where findings are


def test_a_finding_has_its_line_and_column_in_every_form(tmp_path: Path) -> None:
    lines = check_text(f"{json.dumps(PAIR)}\n\n{json.dumps(ODD)}\n", path="a.jsonl")
    assert found(lines) == [("MP301", 3, "/sentence_good")]
    assert lines.findings[0].span[1] == json.dumps(ODD).index("  r") + 1
    text = json.dumps([PAIR, ODD], indent=1)
    in_list = check_text(text, path="a.json")
    assert found(in_list) == [("MP301", 7, "/1/sentence_good")]
    alone = check_text(json.dumps(ODD), path="a.json")
    assert found(alone) == [("MP301", 1, "/sentence_good")]
    table = check_text('sen,wrong_sen\n"a\nb",c d e\n"""It""  rains.",x.\n', path="a.csv")
    assert found(table) == [("MP301", 2, "/sen"), ("MP301", 4, "/sen")]
    last = table.findings[1]
    assert last.span[:2] == (4, len('"""It""') + 1)
    tabs = check_text("sen\twrong_sen\na b.\tc  d.\n", path="a.tsv")
    assert (tabs.findings[0].span[:2], tabs.findings[0].pointer) == ((2, 7), "/wrong_sen")


def test_data_has_pointers_only() -> None:
    assert found(check_data([PAIR, ODD])) == [("MP301", None, "/1/sentence_good")]
    assert found(check_data(ODD)) == [("MP301", None, "/sentence_good")]
    assert found(check_data([], kind="pairs")) == [("MP115", None, "")]
    assert found(check_data([3], kind="pairs"))[0][0] == "MP112"
    assert found(check_data({}, kind="pairs"))[0][0].startswith("MP1")


def test_the_schema_alone(tmp_path: Path) -> None:
    path = file_at(tmp_path / "a.jsonl", [ODD, ODD, pair("a", 1)])
    assert codes_of(path, schema_only=True) == ["MP112"]
    assert codes_of([ODD, ODD], schema_only=True) == []


@pytest.mark.parametrize("cell", ["wug\u0007ness\twugity", "wugness\twug\u0007ity"])
def test_a_character_is_removed_from_either_text_of_a_cell(cell):
    row = json.dumps({"sentences": cell, "ratio": 0.3})
    (finding,) = check_text(row, path="a.jsonl").findings
    assert finding.helps == ('write "wugness\\twugity"',)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('sen,wrong_sen\n"a,b\n', "F001", 2), ("sen,wrong_sen\na\nb,c\n", "MP117", 2),
        ("sen,wrong_sen\na,b,c\n", "MP117", 2), ("Sen,wrong sentence\na,b\n", "MP101", 1),
        ("sen,wrong_sen\n", "MP115", 1), ("sen,wrong_sen,sen\na,b,c\n", "F005", 1),
        ("item,condition,a,b\n1,x,a,b\n", "F001", 1),
    ],
)  # fmt: skip
def test_a_broken_table_is_one_finding(text: str, code: str, line: int) -> None:
    assert [f[:2] for f in found(check_text(text, path="a.csv"))] == [(code, line)]


def test_a_quote_that_is_never_closed_is_in_the_row_that_is_named() -> None:
    (finding,) = check_text('sen,wrong_sen\na,b\n"c,d\ne,f\n', path="a.csv").findings
    assert finding.message.endswith("in the row that begins on line 3")


def test_a_table_that_is_not_utf8_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"sen,wrong_sen\na b,c d\n\xe9t\xe9,b\n")
    assert codes_of(path) == ["F002"]


def test_a_wide_table_is_a_suite_to_convert() -> None:
    (finding,) = check_text("item,condition,a\n1,x,the cat\n", path="a.csv").findings
    assert "`evalmark convert a.csv --no-predictions -o a.json`" in finding.helps[0]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_rows_that_cannot_be_read_hide_no_others(name: str) -> None:
    rows = [pair("a.", "b."), {**PAIR, "sentence_bad": ""}, ODD]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    if name == "a.json":
        text = json.dumps(rows)
    if name == "a.csv":
        text = "sentence_good,sentence_bad\n"
        text += "".join(f"{row['sentence_good']},{row['sentence_bad']}\n" for row in rows)
    codes = codes_of(text, path=name)
    assert codes == ["MP117", "MP301"]


def test_a_first_row_that_cannot_be_read_does_not_decide_what_a_file_is() -> None:
    text = f"{json.dumps(PAIR)},\n{json.dumps(OTHER)}\n"
    assert [f[:2] for f in found(check_text(text, path="a.jsonl"))] == [("F001", 1)]


@pytest.mark.parametrize("key", ["sentences", "ratio"])
def test_long_texts_are_matched_in_one_pass(key: str) -> None:
    row = {"sentences": "a b\tc d", "ratio": "0.5", key: "1" * 300_000 + "x"}
    assert not accepts("pairs", row)
    assert nearest({f"{n}{'a' * 5000}": 1 for n in range(3000)}) is None


def test_a_uid_can_be_absent_or_of_any_type() -> None:
    texts = {"prefix_acceptable": "A", "prefix_unacceptable": "B", "property_phrase": "C"}
    rows = [{**texts, "UID": uid} for uid in (None, 3, ["x"], {"a": 1})]
    rows = [{**row, "property_phrase": f"C {n}"} for n, row in enumerate(rows)]
    assert check_data(rows).findings == ()
    pairs = [{**PAIR, "UID": None}, {**OTHER, "UID": "other"}]
    text = "".join(f"{json.dumps(row)}\n" for row in pairs)
    assert [f[:2] for f in found(check_text(text, path="a.jsonl"))] == [("MP403", 2)]


def test_the_same_texts_under_two_types_of_comps_are_two_pairs() -> None:
    texts = {"prefix_acceptable": "A", "prefix_unacceptable": "B", "property_phrase": "C"}
    rows = [{**texts, "negative_sample_type": kind} for kind in ("random", "overlap", "random")]
    assert places_of(rows) == [("MP401", "/2")]


def test_a_flood_of_duplicates_is_cut_and_counted(tmp_path: Path) -> None:
    for name, text in (("a.jsonl", f"{json.dumps(PAIR)}\n" * 3000),
                       ("a.json", json.dumps([PAIR] * 3000))):  # fmt: skip
        (tmp_path / name).write_text(text)
        findings = check_file(tmp_path / name).findings
        assert {f.code for f in findings} == {"MP401"}
        assert len(findings) == 1000
        assert "2999 of these in total; only the first 1000 are reported" in findings[0].notes


# Ordinary rows

_LETTERS = st.sampled_from(
    ("a", "B", "é", "e\u0301", "犬", "。", ".", "?", '"', " ", "  ", "\xa0", "\u200b", "\t",
     "\ufffd", "n't", "the", "cats", "\u3000", "»", "क", "\u0958"),
)  # fmt: skip
_TEXT = st.lists(_LETTERS, min_size=1, max_size=6).map("".join).filter(lambda text: text.strip())
_WORDS = st.none() | st.sampled_from(["the", "a", " a", "the cats", "the ", "", "B", "犬"])
_ROW = st.one_of(
    st.fixed_dictionaries(
        pair(_TEXT, _TEXT),
        optional={
            "one_prefix_prefix": _WORDS,
            "one_prefix_word_good": _WORDS,
            "one_prefix_word_bad": _WORDS,
            "two_prefix_prefix_good": _WORDS,
            "two_prefix_prefix_bad": _WORDS,
            "two_prefix_word": _WORDS,
            "one_prefix_method": st.booleans(),
            "two_prefix_method": st.booleans(),
            "lexically_identical": st.booleans(),
            "UID": st.sampled_from(["u", None]),
            "uid": st.just("u"),
        },
    ),
    st.fixed_dictionaries({"sen": _TEXT, "wrong_sen": _TEXT}),
    st.fixed_dictionaries(
        dict.fromkeys(("prefix_acceptable", "prefix_unacceptable", "property_phrase"), _TEXT)
    ),
    st.fixed_dictionaries(dict.fromkeys(("Context1", "Context2", "Target1", "Target2"), _TEXT)),
    st.fixed_dictionaries(
        {"input_prefix": _TEXT, "options": st.lists(_TEXT, min_size=2, max_size=3)}
    ),
)


@examples(500)
@given(_ROW)
def test_rules_have_nothing_to_say_about_an_ordinary_row(row: dict[str, Any]) -> None:
    if not accepts("pairs", row):
        return
    form = RowForms().form_of(row)
    item = item_of(row)
    assert item is not None
    mistakes = found_by(PAIR_GROUPS, item, "rows.jsonl", lambda: None)
    if form is not None and form.is_ordinary(row):
        assert not mistakes


def test_a_text_that_is_null_is_absent() -> None:
    row = json.loads((FIXTURES / "good/pairs/agreement.jsonl").read_text().split("\n")[0])
    for key in ("one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad"):
        assert codes_of([{**row, key: None}]) == ["MP204"]


def test_good_rows_are_ordinary() -> None:
    for name in ("agreement.jsonl", "npi_question.jsonl", "ewok.jsonl", "comps.jsonl"):
        for line in (FIXTURES / "good/pairs" / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            form = RowForms().form_of(row)
            assert form is not None
            assert form.is_ordinary(row), row


# What only several rows show


def test_sentences_are_paired_in_a_large_file_with_one_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys of a preset, without a declaration: a range would begin between two sentences."""
    monkeypatch.setattr(_pairs, "ENOUGH", 0)
    monkeypatch.setattr(_ranges, "RANGE", 500)
    monkeypatch.setattr(_ranges, "BLOCK", 100)
    labels = {"Phenomenon": "Binding", "Paradigm": "a", "Number (paradigm)": "1"}
    rows: list[Any] = [
        {**labels, "Item": str(n // 2), "Sentence": f"Boot {n} zinkt.", "Grammaticality": n % 2}
        for n in range(61)
    ]
    path = tmp_path / "large.jsonl"
    path.write_text("\n" + "".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    context = context_of(CheckOptions(kind="pairs"))
    alone = check_one(str(path), context)
    assert [(f.code, f.span and f.span.line) for f in alone.findings] == [("MP405", 62)]
    several = context._replace(share=partial(in_processes, processes=2))
    assert check_one(str(path), several) == alone


def test_several_processes_find_what_one_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pairs, "ENOUGH", 0)
    monkeypatch.setattr(_ranges, "RANGE", 2000)
    monkeypatch.setattr(_ranges, "BLOCK", 500)
    rows: list[Any] = [pair(f"Boat {n % 70} sinks.", f"Boat {n % 70} sink.") for n in range(200)]
    rows[17] = pair("Un e\u0301te\u0301.", "Deux été.")
    rows[30] = pair("Un e\u0301te\u0301.", "Deux ete.")
    rows[60] = {**ODD, "UID": "b"}
    rows[90] = {**PAIR, "UID": "several"}
    rows[91] = pair(PAIR["sentence_bad"], "Nothing.")
    rows[92] = {"sentence_good": "A."}
    rows[93] = OTHER
    for number in (20, 100, 180):
        rows[number] = {**same(number, says=False), "pair-ID": number}
    path = file_at(tmp_path / "several.jsonl", rows)
    path.write_text(path.read_text("utf-8").replace('"Nothing."}', '"Nothing."'), encoding="utf-8")
    alone = check_file(path)
    codes = set(codes_of(alone))
    assert codes == {"MP301", "MP304", "MP401", "MP403", "MP101", "F001", "MP205", "MP120"}
    context = context_of(CheckOptions())._replace(share=partial(in_processes, processes=2))
    assert check_one(str(path), context) == alone


def test_a_text_is_good_or_bad(tmp_path: Path) -> None:
    swapped = pair(PAIR["sentence_bad"], PAIR["sentence_good"])
    path = file_at(tmp_path / "a.jsonl", [PAIR, swapped, OTHER])
    assert [f[:2] for f in found(check_file(path))] == [("MP402", 2)]
    same = pair("A.", "A.")
    path = file_at(tmp_path / "b.jsonl", [same, OTHER])
    assert codes_of(path) == ["MP201"], "not both as well"
    context = {"Context1": "A.", "Context2": "B.", "Target1": "C.", "Target2": "D."}
    other = {**context, "Context1": "B.", "Context2": "A."}
    assert check_data([context, other]).findings == ()


@pytest.mark.parametrize(
    ("name", "uids", "count"),
    [
        ("passive_1.jsonl", ["passive_1"], 0),
        ("blimp-passive_1.filtered.jsonl", ["passive_1"], 0),
        ("passive_1/train.jsonl", ["passive_1"], 0),
        ("passive_2.jsonl", ["passive_1"], 1),
        ("gap_long.jsonl", ["gap"], 1),
        ("all.jsonl", ["passive_1", "passive_2"], 0),
        ("passive_1.jsonl", ["passive_1", "passive_2", "passive_2"], 1),
    ],
)
def test_the_uid_of_a_file_is_its_name(
    tmp_path: Path, name: str, uids: list[str], count: int
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    rows = [pair(f"Boat {n} sinks.", f"Boat {n} sink.", UID=uid) for n, uid in enumerate(uids)]
    assert codes_of(file_at(path, rows)) == ["MP403"] * count


@pytest.mark.parametrize("jobs", [1, 2])
def test_pairs_of_another_file_are_found(here, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr("evalmark.validator.batch.check_files.ENOUGH", 0)
    file_at(Path("a.jsonl"), [PAIR, OTHER])
    Path("b.json").write_text(json.dumps([ODD, OTHER, OTHER], indent=0))
    file_at(Path("c.jsonl"), [ODD, PAIR])
    checked = check_files(["."], jobs=jobs, ignore=["MP301", "MP401"])
    messages = [(f.path, f.span and f.span.line, f.message) for f in checked.findings]
    assert messages == [
        ("./b.json", 6, "this pair is also in ./a.jsonl (line 2)"),
        ("./b.json", 10, "this pair is also in ./a.jsonl (line 2)"),
        ("./c.jsonl", 1, "this pair is also in ./b.json (entry 1)"),
        ("./c.jsonl", 2, "this pair is also in ./a.jsonl (line 1)"),
    ]
    assert check_files(["a.jsonl", "./a.jsonl"], jobs=jobs).findings == ()
    assert check_files(["."], jobs=jobs, schema_only=True).findings == ()


def test_the_hook_does_not_compare_files(run: Any, tmp_path: Path) -> None:
    paths = [file_at(tmp_path / name, [PAIR]) for name in ("a.jsonl", "b.jsonl")]
    assert run("evalmark-hook", *paths).code == 0
    assert "MP404" in run("evalmark", "check", *paths).out


# Real files


def test_real_pairs_have_the_findings_that_are_true(shared: Path) -> None:
    folder = shared / "data/pairs"
    checked = check_files([*sorted((folder / "blimp").iterdir()), folder / "jblimp/pairs.jsonl"])
    places = [(Path(f.path).name, f.span and f.span.line, f.code) for f in checked.findings]
    assert places == [("passive_1.jsonl", 325, "MP201"), ("passive_1.jsonl", 811, "MP201")]
    assert check_file(folder / "jblimp/pairs.csv").findings == ()
    both = check_files([folder / "jblimp/pairs.csv", folder / "jblimp/pairs.jsonl"])
    assert set(codes_of(both)) <= {"MP404"}
    for path in (folder / "wide-csv").iterdir():
        (finding,) = check_file(path).findings
        assert "evalmark convert" in finding.helps[0]


# What all rows of a file share


def same(number: int, *, says: bool, uid: str = "p", words: bool = True) -> dict[str, Any]:
    """A pair with the same words, or with different ones, that says which."""
    last = f"dogs {number}" if words else f"cats {number}"
    good, bad = f"Dogs see {number} dogs.", f"See {last} dogs."
    return pair(good, bad, UID=uid, lexically_identical=says)


def test_words_are_stated_of_a_paradigm_and_reported_once(tmp_path: Path) -> None:
    """BLiMP says of a paradigm whether its pairs have the same words; a row may differ."""
    right = [same(number, says=False, words=False) for number in range(30)]
    few = [*right, *(same(number, says=False) for number in range(30, 33))]
    assert found(check_file(file_at(tmp_path / "p.jsonl", few))) == []
    wrong = [*right[:2], *(same(number, says=False) for number in range(2, 30))]
    report = check_file(file_at(tmp_path / "p.jsonl", wrong))
    assert found(report) == [("MP205", 3, "/lexically_identical")]
    assert report.findings[0].notes[-1] == "so it is in 28 of the 30 rows"
    two = [*wrong, *({**row, "UID": "q"} for row in few)]
    assert [
        f.code for f in check_file(file_at(tmp_path / "p.jsonl", two)).findings if f.code < "MP3"
    ] == ["MP205"]  # of p, not of q


def test_a_rule_on_pairs_may_be_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def optional(rule: Rule) -> Rule:
        return rule._replace(optional=rule.code == "MP301")

    monkeypatch.setattr(_pairs, "PAIR_GROUPS", grouped(map(optional, PAIR_RULES)))
    path = file_at(tmp_path / "pairs.jsonl", [ODD])
    assert "MP301" not in codes_of(path)
    assert "MP301" in codes_of(path, select=["MP301"])


def test_rows_that_state_different_values_speak_for_themselves(tmp_path: Path) -> None:
    rows = [same(number, says=number % 5 != 0) for number in range(20)]
    lines = [line for _, line, _ in found(check_file(file_at(tmp_path / "p.jsonl", rows)))]
    assert lines == [1, 6, 11, 16]


def test_a_key_that_no_row_spells_right_is_one_finding(tmp_path: Path) -> None:
    rows = [{**PAIR, "sentence_good": f"The {n} cats sleep.", "pair-ID": n} for n in range(50)]
    report = check_file(file_at(tmp_path / "p.jsonl", rows))
    assert found(report) == [("MP120", 1, "/pair-ID")]
    assert report.findings[0].notes[-1] == "so it is in 50 rows"
    assert [f.pointer for f in check_data(rows, path="p.json").findings] == ["/0/pair-ID"]
