"""A conversion keeps the errors of its source, with a note, and refuses those it would make."""

import copy
import dataclasses
import json
import re

import pytest
from conftest import FIXTURES
from evalmark.converters import graph
from evalmark.converters.conversion_formats import conversion_format_of
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.step import Stepped
from evalmark.converters.suites import edits, suite_dialects
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.checker import Checker
from evalmark.validator.formats.suites.suite import metrics_of
from evalmark.validator.settings.config import Config
from found import codes_of
from suites import formulas_in, suite_of

LEGACY = [
    json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((FIXTURES / "legacy").glob("*.old.json"))
]
STAYS = "the file has an error that stays: "
MADE = "the result has an error: "


def impossible(suite):
    """The suite with one more item, whose sentences are all that of its first condition."""
    item = {**copy.deepcopy(suite["items"][0]), "item_number": 999}
    for condition in item["conditions"]:
        condition["regions"] = item["conditions"][0]["regions"]
    return {**suite, "items": [*suite["items"], item]}


def supplied_from(suite, **others):
    formulas = tuple(formulas_in(suite))
    return Supplied(
        suite["meta"]["metric"], name=suite["meta"]["name"], predictions=formulas, **others
    )


def rewritten(old):
    """A suite with one more item in the current dialect, another syntax, tables and back.

    True if the item is proved to be impossible.
    """
    source = impossible(old)
    assert convert_text(json.dumps(source), to="yaml").data == source
    metrics = metrics_of(old["meta"].get("metric", "sum"))
    supplied = Supplied(metrics[0] if len(metrics) > 1 else None)
    done = convert_data(source, supplied=supplied, edits=(edits.strip_results,))
    never = f"{STAYS}SG206 never-holds: prediction can never hold for item 999"
    suite = done.data
    is_proved = "SG206" in codes_of(suite)
    assert any(note.startswith(never) for note in done.notes) is (is_proved and bool(done.steps))
    ignoring = supplied_from(suite, checker=Checker(ignore=["SG206"]))
    for name, supplied in (("wide-table", NOTHING), ("rows", NOTHING), ("table", ignoring)):
        back = convert_data(convert_data(suite, to=name).data, supplied=supplied)
        assert back.data["items"] == suite["items"]
        assert back.data["predictions"] == suite["predictions"]
        assert (back.data == suite) is (name == "wide-table") or name == "table"
        assert any(note.startswith(never) for note in back.notes) is (
            is_proved and supplied is NOTHING
        )
    if not is_proved:
        return False
    done = convert_data(convert_data(suite, to="table").data, supplied=supplied_from(suite))
    made = f"{MADE}SG206 never-holds: prediction can never hold for item 999"  # the table has none
    assert any(note.startswith(made) for note in done.notes)
    return True


@pytest.mark.parametrize("old", LEGACY, ids=lambda suite: "+".join(suite["meta"]))
def test_an_impossible_item_is_no_reason_to_refuse(old):
    assert rewritten(old)


@pytest.mark.slow
def test_nor_is_it_in_a_published_suite(shared):
    paths = sorted((shared / "data/suites").rglob("*.json"))
    assert sum(rewritten(json.loads(path.read_text(encoding="utf-8"))) for path in paths) >= 20


@pytest.mark.conforms("L-41")
@pytest.mark.parametrize("old", LEGACY, ids=lambda suite: "+".join(suite["meta"]))
def test_an_error_that_a_step_makes_is_refused(old, monkeypatch):
    """Also beside one that the source has, and whatever the settings ignore."""
    stray = {"type": "formula", "formula": "(1;%no%) > 0"}
    change = {"predictions": [stray]}

    def broken(step):
        return dataclasses.replace(step, run=lambda *a: Stepped(step.run(*a).data | change))

    monkeypatch.setattr(graph, "SUITE_STEPS", [*map(broken, suite_dialects.SUITE_STEPS)])
    checker = Checker(Config(ignore=("SG204",)))
    for source, supplied in ((old, NOTHING), (impossible(old), Supplied(checker=checker))):
        with pytest.raises(ConversionError, match="prediction 1 would be another"):
            convert_data(source, supplied=supplied)
    change = {"region_meta": []}
    with pytest.raises(ConversionError, match="/region_meta/1 would be lost"):
        convert_data(old)


def test_an_error_stays_beside_a_rename_without_which_nothing_is_converted():
    (triples,) = (suite for suite in LEGACY if "tags" in suite["meta"])
    odd = json.loads(json.dumps(impossible(triples)).replace('"match"', '"match+"'))
    with pytest.raises(ConversionError, match="cannot be named in a formula"):
        convert_data(odd)
    done = convert_data(odd, supplied=Supplied(renames={"match+": "match"}))
    assert any(note.startswith(f"{STAYS}SG206") for note in done.notes)


def test_a_wide_table_of_a_suite_with_an_error_is_read_back_or_not_written():
    equal, reasons = 0, []
    for path in sorted((FIXTURES / "bad").glob("SG[2-4]*.json")):
        suite = json.loads(path.read_text(encoding="utf-8"))
        if conversion_format_of(suite) != "suite":
            continue
        try:
            table = convert_data(suite, to="wide-table").data
        except ConversionError as refusal:
            reasons.append(refusal.reason)
            continue
        assert convert_data(table).data == suite, path
        equal += 1
    said = re.compile(r"cannot (hold|be read)|needs an item|twice$")
    assert [reason for reason in reasons if not said.search(reason)] == []
    assert equal > 2 * len(reasons) > 20


def test_the_settings_of_the_folder_hold(here, run):
    """Formulas of which one can hold for a masked model only, beside a table of two items."""
    table = "item,condition,np,verb,end\n1,a,The cat,sleeps,now\n1,b,The cat,sleeps,then\n"
    (here / "t.csv").write_text(table, encoding="utf-8")
    (here / "f.txt").write_text("(2;%a%) > (2;%b%)\n", encoding="utf-8")
    call = ("evalmark", "convert", "t.csv", "--predictions", "f.txt", "--out", "s.json")
    for settings, is_told in (("", True), ('models = "any"', False), ('ignore = ["SG206"]', False)):
        (here / "evalmark.toml").write_text(settings, encoding="utf-8")
        assert (f"{MADE}SG206 never-holds" in run(*call).err) is is_told
        assert run("evalmark", "check", "s.json", code=int(is_told)).code == is_told


def test_an_error_of_another_cause_is_none_that_stays():
    """A suite with one unknown region, and predictions supplied with another one."""
    source = suite_of([{"a": ["The", "dog"], "b": ["The", "dogs"]}] * 2, ["(9;%a%) > (2;%b%)"])
    table = convert_data(source, to="wide-table").data
    assert any(note.startswith(f"{STAYS}SG203") for note in convert_data(table).notes)
    with pytest.raises(ConversionError, match=r"would have an error: SG203 .* region 8"):
        convert_data(table, supplied=Supplied(predictions=("(8;%a%) > (2;%b%)",)))


def test_a_formula_that_cannot_be_read_is_not_current():
    source = suite_of([{"a": ["The", "dog"], "b": ["The", "dogs"]}] * 2, ["(2;%a%) > (2;%b%"])
    with pytest.raises(ConversionError, match="cannot be read"):
        convert_data(source)


@pytest.mark.parametrize("metric", ["all", ["sum", "mean"], ["mean"]])
def test_the_metric_of_several_is_chosen_also_in_a_suite_of_formulas(metric):
    source = suite_of([{"a": ["The", "dog"], "b": ["The", "dogs"]}] * 2, ["(2;%a%) > (2;%b%)"])
    source["meta"]["metric"] = metric
    done = convert_data(source, supplied=Supplied("mean"))
    assert (done.data["meta"]["metric"], conversion_format_of(done.data)) == ("mean", "suite")
    assert any("`mean` is kept" in note for note in done.notes) is (metric != ["mean"])
    with pytest.raises(ConversionError) as refusal:
        convert_data(source, supplied=Supplied("max" if metric != "all" else None))
    assert refusal.value.needs == "metric" or "max" in refusal.value.reason
