"""A conversion proves itself: what is wrong in a step is refused by the proof alone."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
from conftest import FIXTURES, data_at, record_at
from evalmark import convert_file, convert_files
from evalmark.converters import convert_document as way
from evalmark.converters import graph
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.proof.imported_values import Importing
from evalmark.converters.proof.leaves import LEFT_OUT, MOVED, Leaf, leaves_of
from evalmark.converters.proof.predictions import tree_of
from evalmark.converters.proof.proof import Proof
from evalmark.converters.proof.suites import NO_PLACE
from evalmark.converters.step import Stepped
from evalmark.converters.suites import suite_dialects
from evalmark.converters.suites.edits import split_conjunctions
from evalmark.converters.supplied import Supplied
from evalmark.converters.syntax import parse_text
from evalmark.schemas.errors import ConversionError
from suites import suite_of

ITEMS = [{"a": ["The", "dog", "runs"], "b": ["The", "dogs", "run"]}] * 2
A, B = "(2;%a%)", "(2;%b%)"


def triples(*relations, region=2):
    suite = suite_of(ITEMS, [])
    suite["meta"]["metric"] = "mean"
    suite["predictions"] = [
        {"region_number": region, "l_operand": "a", "relation": r, "r_operand": "b"}
        for r in relations
    ]
    return suite


def bare(*formulas):
    return {**suite_of(ITEMS, []), "predictions": list(formulas)}


def refused(source, wrong, monkeypatch, **options):
    """Why a conversion is refused whose result something changes, without any other check."""
    prove = way.prove

    def proof_of_wrong(parsed, target, data, *asked):
        return prove(parsed, target, wrong(json.loads(json.dumps(data))), *asked)

    monkeypatch.setattr(way, "prove", proof_of_wrong)
    with pytest.raises(ConversionError) as error:
        convert_data(source, **options)
    return error.value.reason


def with_formula(change):
    def wrong(suite):
        first = suite["predictions"][0]
        first["formula"] = change(first["formula"])
        return suite

    return wrong


def region(number, condition):
    return "region", number, condition


@pytest.mark.parametrize(
    ("stated", "tree"),
    [
        (f"[{A} > 1]", (">", region(2, "a"), 1.0)),
        ({"formula": f"({A}) > (1)"}, (">", region(2, "a"), 1.0)),
        # Python's: & binds tighter than |, both tighter than comparisons, and chains are real
        (
            f"[{A} > 1] | [{B} > 1] & [{B} > 2]",
            ("|", (">", region(2, "a"), 1.0),
             ("&", (">", region(2, "b"), 1.0), (">", region(2, "b"), 2.0))),
        ),
        (
            f"[{A} < {B} < 3]",
            ("&", ("<", region(2, "a"), region(2, "b")), ("<", region(2, "b"), 3.0)),
        ),
        (f"{A} & {B} > 1", (">", ("&", region(2, "a"), region(2, "b")), 1.0)),
        # today's: one level of logic, and no chains
        (
            {"formula": f"{A} > 1 | {B} > 1 & {B} > 2"},
            ("mixed", (">", region(2, "a"), 1.0), ("|", (">", region(2, "b"), 1.0)),
             ("&", (">", region(2, "b"), 2.0))),
        ),
        (
            {"formula": f"{A} < {B} < 3"},
            ("chain", ("<", region(2, "a"), region(2, "b")), ("<", region(2, "b"), 3.0)),
        ),
        ({"formula": "(*;% a %) -1 = -1e0"},
         ("=", ("mixed", region("*", "a"), ("-", 1.0)), -1.0)),
    ],
)  # fmt: skip
def test_every_language_is_read_with_its_own_levels(stated, tree):
    assert tree_of(stated) == tree


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "a.b", "2**3", f"({A} > 1", f"{A} >", f"({A} > 1]", f"- {A} > 1", ""],
)
def test_nothing_but_formulas_is_read(text):
    with pytest.raises(ValueError, match=r"expected|not closed"):
        tree_of(text)
    with pytest.raises(ValueError, match="too deep"):
        tree_of("(" * 100_000)


@pytest.mark.parametrize(
    ("source", "change"),
    [
        (triples("lessthan"), lambda f: f.replace("<", ">")),
        (triples("equals"), lambda f: f.replace("=", "<")),
        (triples("equals"), lambda _: f"{B} = {A}"),  # its tolerance is that of the right side
        (triples("greaterthan"), lambda _: f"{B} > {A}"),
        (triples("greaterthan"), lambda f: f.replace("2", "3")),
        (bare(f"[{A} > {B}] & [{A} > 3]"), lambda _: f"{A} > {B}"),
        (bare(f"[{A} > 1] | [{A} > 2] & [{B} > 3]"), lambda _: f"{A} > 1 | {A} > 2 & {B} > 3"),
        (bare(f"[{A} < {B} < 3]"), lambda _: f"{A} < {B}"),
        (bare(f"[{A} > {B}]"), lambda _: f"{A} - {B} > 0.001"),
        (bare(f"{A} > 700"), lambda _: f"{A} > 701"),
        (bare(f"[(*;%a%) > {B}]"), lambda f: f.replace("*", "1")),
    ],
)
def test_another_verdict_is_refused(source, change, monkeypatch):
    reason = refused(source, with_formula(change), monkeypatch, to="suite")
    assert reason.startswith("prediction 1 would be another: `")
    assert "` becomes `" in reason


def words(suite):
    suite["items"][1]["conditions"][0]["regions"][2]["content"] = "ran"
    return suite


def bare_again(suite):
    return {**suite, "predictions": [one["formula"] for one in suite["predictions"]]}


def exchanged(rows):
    rows[0]["conditions"]["content"].reverse()
    return rows


def dropped(key):
    return lambda suite: {**suite, key: suite[key][1:]}


def metric(new):
    return lambda suite: {**suite, "meta": {**suite["meta"], "metric": new}}


def named_otherwise(suite):
    suite["region_meta"]["1"] = "other"
    return suite


def with_meta(**others):
    return lambda suite: {**suite, "meta": {**suite["meta"], **others}}


def own_key(suite):
    suite["items"][0]["conditions"][0]["note"] = "x"
    return suite


def of_prediction(suite):
    suite["predictions"][0]["note"] = "x"
    return suite


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (exchanged, "a sentence would be another"),
        (bare_again, "a prediction would be `(2;%a%) < (2;%b%)`, which is of an older language"),
        (words, '/items/1/conditions/0/regions/2/content would be "ran", and not "runs"'),
        (dropped("items"), "/items/0/item_number would be 2, and not 1"),
        (dropped("predictions"), "the source has 2 predictions, and the result would have 1"),
        (with_formula(lambda f: f[1:]), "prediction 1 cannot be compared: "),
        (named_otherwise, '/region_meta/1 would be "other", and not ""'),
        (with_meta(author="x"), '/meta/author would be from nowhere: "x"'),
        (with_meta(name="x"), '/meta/name would be "x", and not '),
        (own_key, "/items/0/conditions/0/note would be from nowhere"),
        (of_prediction, "/predictions/0 would have "),
        (metric(None), "the metric is ['mean', 'sum'], and would be None"),
        (metric("max"), "the metric is ['mean', 'sum'], and would be max"),
        (metric("sum"), "the metric is ['mean', 'sum'], and would be sum"),
        (metric(["mean", "sum"]), "the metric is ['mean', 'sum'], and would be ['mean', 'sum']"),
    ],
)
def test_other_sentences_metrics_and_fewer_predictions_are_refused(wrong, reason, monkeypatch):
    source = triples("lessthan", "lessthan")
    source["meta"]["metric"] = ["mean", "sum"]
    asked = {"to": "rows" if wrong is exchanged else "suite", "supplied": Supplied(metric="mean")}
    assert refused(source, wrong, monkeypatch, **asked).startswith(reason)


def test_where_the_tolerance_of_equality_changes_it_is_counted():
    counts = convert_data(triples("equals", "lessthan"), to="suite").proof.counts
    assert (counts["predictions"], counts["tolerant"], counts["exact"]) == (2, 1, 0)
    assert convert_data(bare(f"[{A} = {B}]"), to="suite").proof.counts["tolerant"] == 1
    assert convert_data(triples("lessthan"), to="suite").proof.counts["tolerant"] == 0
    today = convert_data(suite_of(ITEMS, [f"{A} = {B}"]), to="suite-legacy").proof.counts
    assert (today["tolerant"], today["exact"]) == (0, 1)


def test_what_has_no_verdict_is_compared_as_well():
    for formula, options in (
        (f"({A} < {B}) & ({A} > {B}) & ({A} < {B}) < 3", {"edits": (split_conjunctions,)}),
        (f"{A} < {B} < 3", {"supplied": Supplied(renames={"a": "c"})}),
    ):
        counts = convert_data(suite_of(ITEMS, [formula]), **options).proof.counts
        assert counts["predictions"] == 1


def everything_of(suite):
    """A suite with keys of its own everywhere, and a region that no item has."""
    suite = json.loads(json.dumps(suite))
    suite["meta"] |= {"author": "me", "tags": ["x"]}
    suite["region_meta"]["9"] = "unused"
    item = suite["items"][0]
    condition = item["conditions"][0]
    for holder in (suite, item, condition, condition["regions"][0], suite["predictions"][0]):
        holder["note"] = {"why": 1}
    return suite


def test_keys_of_ones_own_stay_or_are_listed():
    source = everything_of(suite_of(ITEMS, [f"[{A} > {B}]"]))
    done = convert_data(source, to="suite")
    assert done.proof.leaves == ()
    assert done.data["predictions"][0]["note"] == {"why": 1}
    listed = {
        to: {leaf.source for leaf in convert_data(source, to=to).proof.leaves}
        for to in ("table", "rows", "sentences")
    }
    of_items = {
        "/items/*/note/why", "/items/*/conditions/*/note/why",
        "/items/*/conditions/*/regions/*/note/why",
    }  # fmt: skip
    of_meta = {"/meta/author", "/meta/tags/*", "/note/why"}
    assert listed["table"] == of_items | of_meta | {"/meta/name", "/region_meta/9"}
    assert listed["sentences"] >= of_meta
    assert listed["rows"] >= of_items | of_meta | {"/predictions/0/note", "/region_meta/1"}
    assert all(leaf.fate == NO_PLACE for leaf in convert_data(source, to="rows").proof.leaves)


SPLIT = suite_of(ITEMS, [f"{A} > {B} & (1;%a%) < 3", f"(*;%a%) > {B} + 2"])


def test_edits_are_proved_and_have_to_be_made(monkeypatch):
    edits, supplied = (split_conjunctions,), Supplied(renames={"a": "c"})
    proof = convert_data(SPLIT, edits=edits, supplied=supplied).proof
    assert proof.counts["predictions"] == 2
    assert proof.counts["sentences"] == 4
    monkeypatch.setattr(way, "_changes", lambda *_: ())
    with pytest.raises(ConversionError, match="prediction 1 would be another"):
        convert_data(SPLIT, edits=edits)
    with pytest.raises(ConversionError, match='would be "a", and not "c"'):
        convert_data(SPLIT, supplied=supplied)


def test_a_step_that_does_nothing_is_refused(monkeypatch):
    step = suite_dialects.SUITE_STEPS[0]
    idle = type(step)(step.source, step.target, lambda data, _: Stepped(data))
    monkeypatch.setattr(graph, "SUITE_STEPS", (idle,))
    with pytest.raises(ConversionError, match="nothing has been converted to suite"):
        convert_data(triples("lessthan"), to="suite")


def test_a_text_that_reads_as_something_else_is_refused(monkeypatch):
    text = json.dumps(triples("lessthan"))
    for written in (text, text.replace("dogs", "dog")):
        monkeypatch.setattr(way, "write_text", lambda *_, written=written: written)
        for syntax in ("json", "yaml"):
            with pytest.raises(ConversionError, match="is read as something else"):
                convert_text(text, to="suite", path="x.json", syntax=syntax)


def test_a_source_that_was_read_as_something_else_is_refused():
    """A row that the reader of JSON Lines lost, for one."""
    parsed = parse_text(json.dumps(triples("lessthan")), "x.json")
    less = {**parsed.data, "items": parsed.data["items"][1:]}
    with pytest.raises(ConversionError, match="is read as something else"):
        way.convert_parsed(replace(parsed, data=less), to="suite", supplied=Supplied())


def test_suites_of_json_lines_are_edited_too():
    text = f"{json.dumps(SPLIT)}\n" * 2
    done = convert_text(text, path="x.jsonl", edits=(split_conjunctions,))
    assert [len(suite["predictions"]) for suite in done.data] == [3, 3]
    assert done.proof.counts["sentences"] == 8
    assert done.proof.counts["predictions"] == 4


def record():
    """That of the fixtures, with another result."""
    record = record_at("0.2.2")
    (first,) = record["evaluation_results"]
    named = {"evaluation_name": "other", "evaluation_result_id": "other-1"}
    second = {**first, **named, "score_details": {"score": 0.5}}
    return {**record, "evaluation_results": [first, second]}


def test_pointers_of_rows_begin_with_their_index_whatever_else_stays():
    moved = Proof(traced=(Leaf(MOVED, "/a", "/b"),))
    assert Proof.of_rows([None, moved]).leaves == (Leaf(MOVED, "/1/a", "/1/b"),)


def test_every_value_of_a_record_is_accounted_for():
    source = record()
    done = convert_data(source, to="record-0.3.0")
    fates = done.proof.counts
    assert sum(fates.values()) - fates["added"] == sum(1 for _ in leaves_of(source))
    added = {leaf.result: leaf.why for leaf in done.proof.leaves if leaf.fate == "added"}
    place = "/model_info/additional_details/{}"
    assert added == dict.fromkeys(
        map(place.format, ("deployment_type", "model_availability")), "asked for, and not stated"
    )


def lost(record):
    del record["evaluation_results"][0]["score_details"]
    return record


def swapped(record):
    first, second = (one["score_details"] for one in record["evaluation_results"])
    first["score"], second["score"] = second["score"], first["score"]
    return record


def invented(record):
    record["model_info"]["developer"] = "somebody"
    return record


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lost, "/evaluation_results/0/score_details/score would be lost: 0.75"),
        (swapped, "/evaluation_results/0/score_details/score would be lost: 0.75"),
        (invented, '/model_info/developer would be from nowhere: "somebody"'),
    ],
)
def test_a_value_that_is_lost_or_invented_is_refused(wrong, reason, monkeypatch):
    assert refused(record(), wrong, monkeypatch, to="record-0.3.0") == reason


def test_the_last_line_says_it_and_the_report_has_it_in_full(tmp_path, run):
    file, report = tmp_path / "old.json", tmp_path / "report.json"
    file.write_text(json.dumps(triples("lessthan", "equals")), "utf-8")
    done = run("evalmark", "convert", file, "-o", tmp_path / "new.json", "--report", report)
    assert done.err.splitlines()[-1] == (
        "verified: 2 predictions are equivalent, but `=` in 1 of them now has a tolerance; "
        "4 sentences are identical"
    )
    (entry,) = json.loads(report.read_text("utf-8"))["files"]
    assert entry["proof"] == {"predictions": 2, "tolerant": 1, "sentences": 4}
    assert convert_file(file).proof.data() == entry["proof"]
    assert run(
        "evalmark", "convert", file, "--to", "sentences", "-o", tmp_path / "s.txt"
    ).err.endswith("; 2 predictions are left out\n")
    done = run("evalmark", "convert", file, "--to", "yaml", "-o", tmp_path / "old.yaml")
    assert done.err.endswith("verified: 1 text reads back unchanged\n")


def test_values_of_results_are_in_their_records_or_listed_in_one_order(tmp_path):
    report, source, texts = tmp_path / "report.json", FIXTURES / "results/inspect", set()
    for seed in ("1", "2"):  # strings of a set are in another order
        command = (sys.executable, "-m", "evalmark", "convert", source, "-o", tmp_path / "store",
                   "--report", report)  # fmt: skip
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, env=environment, check=True, capture_output=True)
        texts.add(report.read_text("utf-8"))
    (text,) = texts
    entries = json.loads(text)["files"]
    values = [one for entry in entries for one in entry.get("proof", {}).get("values", ())]
    assert values
    assert all(one["why"] for one in values if one["fate"] == LEFT_OUT)
    assert not [one for one in values if "nowhere" in one["why"]]


def test_of_equal_values_that_of_the_same_name_and_row_is_listed_or_how_many_there_are():
    read = {
        "r.json": {"spec": {"end": "", "start": ""}, "s": 12.5, "error": 0, "share": 0.25, "v": 3},
        "s.jsonl/1": {"id": 1, "arguments": {"stop": 0}},
        "log.json": {"rows": [{"role": "a"}, {"role": "a"}]},
    }
    row = {"schema": "new", "role": "a", "metadata": json.dumps({"stop": 0})}
    result = {"spec.start": "", "spec.end": "", "score": 0, "began": "12", "log.v": 3}
    made = {"R": result, "S": [row, row]}
    leaves = [*Importing(read, made, {"s.jsonl/1/id": "it is said"}).leaves()]
    several = "one of 3 places with this value"
    assert leaves[:11] == [
        Leaf(MOVED, "r.json/spec/end", "R/spec.end"),
        Leaf(MOVED, "r.json/spec/start", "R/spec.start"),
        Leaf("converted", "r.json/s", "R/began", "a time in another unit"),
        Leaf(MOVED, "r.json/error", "R/score", several),
        Leaf(LEFT_OUT, "r.json/share", why="it is nowhere in the record"),
        Leaf(MOVED, "r.json/v", "R/log.v"),
        Leaf(LEFT_OUT, "s.jsonl/1/id", why="it is said"),
        Leaf("converted", "s.jsonl/1/arguments/stop", "S/1/metadata/stop", "part of a JSON text"),
        *(Leaf(MOVED, f"log.json/rows/{row}/role", f"S/{row}/role") for row in (0, 1)),
        Leaf("added", "", "S/0/schema", "made by the importer"),
    ]
    assert [leaf.result for leaf in leaves[11:]] == ["S/1/schema"]


@pytest.mark.parametrize(
    ("place", "source", "changed"),
    [
        ("input", "q", "nobody"),
        ("score", "acc", 99),
        ("doc", "doc/x", '{"x": "nobody"}'),
        ("long", "part", "nobody"),
        ("began", "at", 99),
    ],
)
def test_a_value_of_one_row_that_is_lost_or_changed_is_listed(place, source, changed):
    read, rows = {}, []
    for row in range(30):
        question, hidden, part = (f"{word} {row + 70}?" for word in ("who", "where", "when"))
        acc, at = row + 0.125, row + 1000.5
        old = {"q": question, "acc": acc, "doc": {"x": hidden}, "part": part, "at": at}
        doc, long = json.dumps({"x": hidden}), f"Say {part} now"
        new = {"input": question, "score": acc, "doc": doc, "long": long, "began": row + 1000}
        read[f"s.jsonl/{row}"] = old
        rows.append(new)
    assert +Importing(read, {"s.jsonl": rows}, {}).counts == {MOVED: 60, "converted": 90}
    for new in (changed, "nothing"):
        rows[17][place] = new
        wrong = Importing(read, {"s.jsonl": rows}, {})
        listed = {(one.fate, one.source or one.result) for one in wrong.leaves()}
        assert {(LEFT_OUT, f"s.jsonl/17/{source}"), ("added", f"s.jsonl/17/{place}")} <= listed
        assert (wrong.counts[LEFT_OUT], wrong.counts["added"]) == (1, 1)


def test_a_list_of_fates_has_the_numbers_that_are_printed(tmp_path):
    for name in ("lm_eval", "helm", "inspect"):
        *_, done = convert_files([FIXTURES / "results" / name], output=tmp_path, write=False)
        fates = Counter(leaf.fate for leaf in done.proof.leaves)
        assert fates == +done.proof.counts


def test_of_equal_values_that_of_the_record_and_score_that_it_names_is_listed():
    read = {"r.json": {"results": {"sums": {"exact_match": 0.5}}}}
    made = {f"{name}/lab": {"max_score": 0.5, "score": 0.5} for name in ("colours", "sums")}
    (leaf, *_) = Importing(read, made, {}).leaves()
    assert (leaf.result, leaf.why) == ("sums/lab/score", "one of 4 places with this value")


def test_results_of_standard_input_and_cells_of_tables_are_accounted_for(tmp_path, run):
    log = (FIXTURES / "results/inspect/log.json").read_bytes()
    done = run("evalmark", "convert", "-", "-o", tmp_path / "store", stdin=log)
    assert "all 107 values of the source are accounted for, 56 moved, 42" in done.err
    scores = FIXTURES / "results/scores"
    call = ("evalmark", "convert", scores / "scores.csv", "--mapping", scores / "mapping.yaml")
    run(*call, "-o", tmp_path / "scores", "--report", report := tmp_path / "report.json")
    *_, entry = json.loads(report.read_text("utf-8"))["files"]
    become = {one["source"]: one["why"] for one in entry["proof"]["values"] if one["source"]}
    assert len(become) == 4 * 8
    assert [become[f"scores.csv:{cell}"] for cell in ("3/Score", "3/SE", "4/When", "5/Task")] == [
        "written as a number", "it says nothing", "a time in another unit", "the row has no score",
    ]  # fmt: skip
    assert not [why for why in become.values() if "nowhere" in why]


def test_an_empty_suite_and_an_edit_of_a_caller_are_no_bugs_of_ours():
    suite = data_at("good/suite.json")
    for to in ("table", "rows", "sentences"):
        with suppress(ConversionError):
            convert_data({**suite, "items": []}, to=to)

    def other_text(data):
        changed = json.loads(json.dumps(data))
        changed["items"][0]["conditions"][0]["regions"][0]["content"] = "Another text"
        return Stepped(changed)

    assert "Another text" in convert_text(json.dumps(suite), edits=(other_text,)).text


def test_samples_without_a_score_are_named_and_only_these_are_listed_as_left_out(tmp_path):
    (results,) = (FIXTURES / "results/lm_eval").glob("results_*.json")
    first, sums, last = convert_files([results], output=tmp_path)
    assert sums.notes == (
        "2 results, 2 samples",
        "left out: 12 values of samples_*.jsonl: the row has no numeric score that enters a result",
    )
    end = f"{results.stem.removeprefix('results')}.jsonl"
    name = f"samples_colours_cot{end}"
    assert f"left out: {name}: the results have no score for its task" in first.notes
    assert Leaf(LEFT_OUT, name, why="the results have no score for its task") in last.proof.leaves
    why = "the row has no numeric score that enters a result"
    left_out = [leaf.source for leaf in last.proof.leaves if leaf.why == why]
    assert {"/".join(source.split("/")[:2]) for source in left_out} == {f"samples_sums{end}/2"}
