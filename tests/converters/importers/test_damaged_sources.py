"""Whatever place of an old suite is damaged, what a conversion writes has no new error."""

import copy
import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at
from evalmark.converters import graph
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.convert_files import convert_file, convert_files
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data, check_file, check_text
from evalmark.validator.findings.finding import Severity
from pointers import places, put

OLD = sorted((FIXTURES / "legacy").glob("*.old.json"))
ODD = [
    ..., None, "", "x", "2", 0, -1, 1.5, True, [], {}, ["x"], "long " * 400, float("nan"),
    float("inf"),
]  # fmt: skip


def mutants(document):
    """The document with one value deleted, or replaced by an odd one, for each value."""
    for _, _, pointer in places(document):
        for odd in ODD:
            yield put(document, pointer, copy.deepcopy(odd))


def errors(report):
    return {f.code for f in report.findings if f.severity is Severity.ERROR}


def stated_errors(mutant):
    """The errors of an old suite; no rule looks at formulas that are in `meta`, or bare."""
    meta = {"metric": "sum", **mutant["meta"]}
    formulas = meta.get("string_predictions") or mutant.get("predictions", [])
    wrapped = [{"type": "formula", "formula": f} if isinstance(f, str) else f for f in formulas]
    return errors(check_data({**mutant, "meta": meta, "predictions": wrapped}))


def by_data(mutant, folder):
    """The errors of what the library makes of parsed data."""
    return errors(check_data(convert_data(mutant).data))


def by_file(mutant, folder):
    """The errors of what the library makes of a file."""
    path = folder / "suite.json"
    path.write_text(json.dumps(mutant), encoding="utf-8")
    return errors(check_text(convert_file(path).text, path="suite.json"))


def by_command(mutant, folder):
    """The errors of the file that `evalmark convert -o` writes."""
    path, new = folder / "suite.json", folder / "new.json"
    path.write_text(json.dumps(mutant), encoding="utf-8")
    (done,) = convert_files([path], output=new)
    if done.refused is not None:
        assert not new.exists()
        raise done.refused
    assert done.failed is None, done.failed
    codes = errors(check_file(new))
    new.unlink()
    return codes


def damage(convert, folder, every):
    """How many mutants of all old suites are converted and refused; any error fails."""
    counts = Counter()
    for path in OLD:
        document = json.loads(path.read_text(encoding="utf-8"))
        for number, mutant in enumerate(mutants(document)):
            if number % every:
                continue
            try:
                outcome = convert(mutant, folder)
            except ConversionError:
                counts["refused"] += 1
            else:
                assert outcome <= stated_errors(mutant), (path.name, number, outcome)
                counts["converted"] += 1
    return counts


#: Of the mutants one of so many is converted: a few, and in the slow tier all of them by data.
@pytest.mark.parametrize(
    ("convert", "every"),
    [
        *((convert, 36) for convert in (by_data, by_file, by_command)),
        pytest.param(by_data, 1, marks=pytest.mark.slow),
        pytest.param(by_command, 5, marks=pytest.mark.slow),
    ],
)
def test_what_becomes_of_a_damaged_suite_has_no_new_error(convert, every, tmp_path):
    counts = damage(convert, tmp_path, every)
    # None crashes, and none is written with a new error: both would fail above.
    assert counts.total() > 5400 / every
    assert counts["converted"] > 540 / every


DAMAGE = {
    "content": ("content", None, "SG112 `content` must be a string, got null at "),
    "region_meta": ("region_meta", [], "SG112 `region_meta` must be an object, got an array at "),
    "name": ("name", ["x"], "SG112 `name` must be a string, got an array at "),
    "region_number": ("region_number", "2", "SG112 `region_number` must be a whole number, got a "),
    "true": ("region_number", True, "SG112 `region_number` must be a whole number, got true at "),
}


def with_value(key, value):
    """The legacy suite with another value of the first key of this name."""
    data = data_at("legacy/triples.old.json")
    holders = [data, data["meta"], data["items"][0]["conditions"][0]["regions"][0]]
    next(holder for holder in holders if key in holder)[key] = value
    return data


@pytest.mark.parametrize(("key", "value", "reason"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_source_is_refused_with_what_its_check_says(key, value, reason, tmp_path, run):
    path = tmp_path / "old.json"
    path.write_text(json.dumps(with_value(key, value), indent=2), encoding="utf-8")
    done = run("evalmark", "convert", path)
    assert (done.code, done.out) == (1, "")
    (first, *_) = [f for f in check_file(path).findings if f.severity is Severity.ERROR]
    assert f"refused: {reason}" in done.err
    assert f" at {first.span.line}:{first.span.column}" in done.err
    assert "".join(first.helps) in done.err
    with pytest.raises(ConversionError, match="SG112") as refused:
        convert_file(path)
    assert refused.value.findings[0] == first


def test_up_to_three_errors_of_one_file_are_shown_and_the_report_has_all(tmp_path, run):
    data = with_value("content", None)
    data["meta"] |= {"name": ["x"], "author": 7, "reference": None}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")
    shown = run("evalmark", "convert", path).err
    assert "(and 3 more)" in shown
    assert shown.count("SG112") == 3
    report = json.loads(run("evalmark", "convert", "--check", "--report", "-", path).out)
    (entry,) = report["files"]
    assert [finding["code"] for finding in entry["findings"]] == ["SG112"] * 4


OTHER_KINDS = {
    "suite to triples": ("good/suite.json", "suite-legacy", ["meta", "name"]),
    "old record": ("versions/record-0.2.0.json", None, ["evaluation_results"]),
    "old definition": ("versions/ltm-definition-1.json", None, ["script"]),
}


@pytest.mark.parametrize(("name", "to", "place"), OTHER_KINDS.values(), ids=OTHER_KINDS)
def test_no_kind_of_file_is_converted_with_a_value_of_the_wrong_type(name, to, place):
    data = data_at(name)
    data.pop("detailed_evaluation_results", None)
    text = json.dumps(data)
    supplied = Supplied(values={"/evaluation_results/*/source_data/dataset_name": "x"})
    convert_text(text, path="x.json", to=to, supplied=supplied)
    holder = data
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = 7
    with pytest.raises(ConversionError, match=f"112 `{place[-1]}` must be a.* at 1:") as refused:
        convert_text(json.dumps(data), path="x.json", to=to, supplied=supplied)
    assert refused.value.findings


def test_a_row_is_refused_with_its_line():
    row = (FIXTURES / "versions/sample-0.2.0.jsonl").read_text(encoding="utf-8").splitlines()[0]
    odd = json.dumps({**json.loads(row), "model_id": None})
    with pytest.raises(ConversionError, match=r"EE112 `model_id` must be a string.* at 2:"):
        convert_text(f"{row}\n{odd}\n", path="x.jsonl")


def test_pairs_are_refused_with_their_line():
    row = {"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps.", "UID": "a"}
    text = f"{json.dumps(row)}\n{json.dumps({**row, 'sentence_bad': 3})}\n"
    with pytest.raises(ConversionError, match=r"MP112 `sentence_bad` must be a string.* at 2:"):
        convert_text(text, path="x.jsonl")


def test_a_bug_fails_one_file_and_is_not_said_to_be_one_of_the_file(tmp_path, monkeypatch):
    def broken(*_):
        raise KeyError("x")

    odd = dataclasses.replace(graph.SUITE_STEPS[0], run=broken)
    monkeypatch.setattr(graph, "SUITE_STEPS", (odd, *graph.SUITE_STEPS[1:]))
    outcomes = {
        Path(outcome.path).name: outcome
        for outcome in convert_files([FIXTURES / "legacy"], output=tmp_path, write=False)
    }
    assert "F099 internal error: KeyError" in outcomes["triples.old.json"].failed
    assert outcomes["brackets.old.json"].failed is None


# what is not stated


@pytest.mark.conforms("L-7")
def test_a_suite_without_a_metric_asks_for_it(tmp_path, run):
    data = with_value("author", "A")
    del data["meta"]["metric"]
    path, new = tmp_path / "old.json", tmp_path / "new.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    refused = run("evalmark", "convert", path, "-o", new)
    assert (refused.code, new.exists()) == (1, False)
    assert "SG101 `metric` is missing at 1:" in refused.err
    assert "choose with --metric: sum, mean, median, range, max, min" in refused.err
    done = run("evalmark", "convert", path, "--metric", "mean", "-o", new)
    assert json.loads(new.read_text(encoding="utf-8"))["meta"]["metric"] == "mean"
    assert "the file names no metric: `mean` is written, as supplied" in done.err


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        *(("triples", metric) for metric in (..., None, [])),
        *(("string_predictions", metric) for metric in (..., None)),
        *(("brackets", metric) for metric in (..., None, [])),
    ],
)
def test_no_dialect_with_a_metric_is_given_one(name, metric):
    data = data_at(f"legacy/{name}.old.json")
    del data["meta"]["metric"]
    if metric is not ...:
        data["meta"]["metric"] = metric
    with pytest.raises(ConversionError, match="`metric`") as refused:
        convert_data(data)
    assert refused.value.needs == "metric"
    new = convert_data(data, supplied=Supplied(metric="max"))
    assert new.data["meta"]["metric"] == "max"
    assert "the file names no metric: `max` is written, as supplied" in new.notes


def test_bare_formulas_mean_sums_and_that_is_noted():
    data = data_at("legacy/bare_strings.old.json")
    done = convert_data(data)
    assert "the file names no metric; its format meant `sum`" in done.notes
    chosen = convert_data(data, supplied=Supplied(metric="mean"))
    assert chosen.data["meta"]["metric"] == "mean"


@pytest.mark.parametrize(
    ("metric", "code", "help_text"),
    [
        ([], "SG115", 'name one or more of "sum", "mean", "median", "range", "max", "min"'),
        (["sum", "sum"], "SG119", 'write ["sum"]'),
        (["sum", "mean", "sum"], "SG119", 'write ["sum", "mean"]'),
    ],
)
def test_a_list_names_a_metric_and_each_once(metric, code, help_text):
    data = with_value("metric", metric)
    (finding,) = [f for f in check_data(data).findings if f.severity is Severity.ERROR]
    assert (finding.code, finding.pointer) == (code, "/meta/metric")
    assert finding.helps == (help_text,)
    with pytest.raises(ConversionError, match=code):
        convert_data(data)


TABLE = [
    {
        "item_number": "1", "condition_name": name, "region_number": "1", "region_name": "np",
        "content": name,
    }
    for name in ("a", "b")
]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "value", "reason"),
    [
        ("condition_name", "", "line 3: condition_name is empty"),
        ("content", None, "line 3: content is not a text: null"),
        ("region_number", 1, "line 3: region_number is not a text: 1"),
    ],
)
def test_a_table_is_read_as_it_is_written(cell, value, reason):
    supplied = Supplied(predictions=(), name="t")
    assert convert_data(TABLE, to="suite", supplied=supplied).data["meta"]["name"] == "t"
    with pytest.raises(ConversionError, match=reason):
        convert_data([TABLE[0], {**TABLE[1], cell: value}], to="suite", supplied=supplied)


def test_a_name_that_nobody_gave_is_noted():
    done = convert_data(TABLE, to="suite", supplied=Supplied(predictions=()))
    assert "this format names no suite: `suite` is written" in done.notes


ROW = convert_data(data_at("legacy/brackets.new.json"), to="rows").data[0]


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ({"item_number": "1"}, 'row 1: item_number cannot be "1"'),
        ({"item_number": True}, "row 1: item_number cannot be true"),
        ({"predictions": "(1;%a%) > 0"}, "row 1: predictions cannot be"),
        ({"suite_name": 7}, "row 1: suite_name cannot be 7"),
        ({"conditions": {**ROW["conditions"], "regions": []}}, "2 names of conditions and 0 lists"),
        (
            {"conditions": {**ROW["conditions"], "condition_name": "ab"}},
            'row 1: conditions/condition_name cannot be "ab"',
        ),
    ],
)
def test_a_dataset_row_is_refused_if_a_column_has_another_type(odd, reason):
    assert convert_data([ROW], to="suite").data
    with pytest.raises(ConversionError, match=reason):
        convert_data([{**ROW, **odd}], to="suite")


def test_dataset_rows_without_predictions_ask_for_them():
    without = {key: value for key, value in ROW.items() if key != "predictions"}
    with pytest.raises(ConversionError, match="the rows have no predictions") as refused:
        convert_data([without], to="suite")
    assert refused.value.needs == "predictions"


def test_time_jumps_are_neither_made_nor_left_out():
    data = data_at("versions/ltm-definition-1.json")
    count = len(data["token_spacings"])
    for jumps in ([0] * (count + 1), [0] * (count - 2)):
        reason = f"there are {count} token_spacings and {len(jumps)} time_jumps"
        with pytest.raises(ConversionError, match=reason):
            convert_data({**data, "time_jumps": jumps})


def test_string_predictions_need_no_other_predictions():
    data = data_at("legacy/string_predictions.old.json")
    del data["predictions"]
    new = data_at("legacy/string_predictions.new.json")
    assert convert_data(data).data == new


@pytest.mark.parametrize("strings", ["(1;%match%) > 0", 7, [None], {"a": 1}])
def test_string_predictions_are_a_list_of_formulas(strings):
    data = data_at("legacy/string_predictions.old.json")
    data["meta"]["string_predictions"] = strings
    with pytest.raises(ConversionError, match="string_predictions is not a list of formulas"):
        convert_data(data)


def test_a_suggestion_is_printed_as_it_is(run):
    done = run("evalmark", "convert", FIXTURES / "bad/SG112_other_shapes.json", code=1)
    assert 'write {"name": "agreement", "metric": "sum"}' in done.err


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_another_syntax_is_for_every_dialect_and_keeps_what_is_wrong(path):
    text = path.read_text(encoding="utf-8")
    done = convert_text(text, path="x.json", to="yaml")
    assert convert_text(done.text, path="x.yaml", to="json").data == json.loads(text)
    odd = json.loads(text)
    odd["items"][1]["item_number"] = 1
    assert convert_text(json.dumps(odd), path="x.json", to="yaml").data == odd
