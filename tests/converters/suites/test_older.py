"""To an older version: the same data, or a refusal that lists all that would be lost."""

import copy
import json
import shutil

import pytest
from conftest import FIXTURES, edited, rows_at
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_file
from hypothesis import given
from hypothesis import strategies as st
from records import plain_record
from strategies import examples

OLDER = ["0.2.0", "0.2.1", "0.2.2", "0.3.0"]
PAIRS = [(old, new) for index, old in enumerate(OLDER) for new in OLDER[index + 1 :]]
#: What 0.3.0 has and 0.2.0 has not, as a record of 0.3.0 may hold it.
NEW = {
    "/eval_library": ("/eval_library", {"name": "lm_eval", "version": "0.4.9"}),
    "metric_name": ("/evaluation_results/*/metric_config/metric_name", "acc"),
    "evaluation_result_id": ("/evaluation_results/*/evaluation_result_id", "other"),
    "max_score": ("an open /evaluation_results/*/metric_config/max_score", "Infinity"),
}


def record_0_3_0():
    return convert_data(plain_record("0.2.0"), to="record-0.3.0").data


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_up_and_down_gives_the_same_record(old, new):
    record = plain_record(old)
    up = convert_data(record, to=f"record-{new}")
    assert convert_data(up.data, to=f"record-{old}").data == record


TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
RESULTS = st.fixed_dictionaries(
    {
        "evaluation_name": TEXTS,
        "source_data": st.fixed_dictionaries(
            {"dataset_name": TEXTS, "source_type": st.just("other")},
            optional={"additional_details": st.dictionaries(TEXTS, TEXTS, max_size=2)},
        ),
        "metric_config": st.fixed_dictionaries(
            {
                "lower_is_better": st.booleans(),
                "score_type": st.just("continuous"),
                "min_score": st.integers(),
                "max_score": st.floats(allow_nan=False, allow_infinity=False),
            },
            optional={"evaluation_description": TEXTS},
        ),
        "score_details": st.fixed_dictionaries(
            {"score": st.integers() | st.floats(allow_nan=False, allow_infinity=False)},
            optional={"details": st.dictionaries(TEXTS, TEXTS, max_size=2)},
        ),
    },
    optional={
        "generation_config": st.fixed_dictionaries(
            {}, optional={"additional_details": st.dictionaries(TEXTS, TEXTS, max_size=2)}
        )
    },
)
DEPLOYMENT = {
    "deployment_type": st.sampled_from(["self_deployed", "externally_managed"]),
    "model_availability": st.sampled_from(["open_weights", "closed_weights"]),
}


@given(
    results=st.lists(RESULTS, max_size=3),
    details=st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=2),
    stated=st.fixed_dictionaries({}, optional=DEPLOYMENT),
    pair=st.sampled_from(PAIRS),
)
@examples(60)
def test_any_record_that_an_older_version_knows_comes_back(results, details, stated, pair):
    old, new = pair
    record = plain_record(old)
    record["evaluation_results"] = results
    # A record may have stated the values already, as free keys.
    record["model_info"]["additional_details"] = {**details, **stated}
    up = convert_data(record, to=f"record-{new}").data
    assert accepts(f"record-{new}", up)
    assert convert_data(up, to=f"record-{old}").data == record


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_up_and_down_gives_the_same_rows(old, new):
    for row in rows_at(old):
        up = convert_data(row, to=f"sample-{new}").data
        down = convert_data(up, to=f"sample-{old}").data
        if old == "0.2.0":  # where it may be a string as well, and becomes a list of one
            for turn in row.get("interactions", ()):
                if isinstance(turn.get("tool_call_id"), str):
                    turn["tool_call_id"] = [turn["tool_call_id"]]
        assert down == row


def test_a_conversation_is_named_as_its_version_names_it():
    (row,) = (row for row in rows_at("0.3.0") if "messages" in row)
    answer = {
        "turn_idx": 3, "source": "messages[3].content", "extracted_value": "5",
        "extraction_method": "exact", "is_terminal": True,
    }  # fmt: skip
    row["answer_attribution"] = [answer]
    old = convert_data(row, to="sample-0.2.0").data
    assert old["interactions"] == row["messages"]
    assert "messages" not in old
    assert old["answer_attribution"][0]["source"] == "interactions[3].content"
    assert old["schema_version"] == "instance_level_eval_0.2.0"
    assert convert_data(old, to="sample-0.3.0").data == row


def test_a_refusal_lists_all_that_would_be_lost():
    record = record_0_3_0()
    record["eval_library"] = NEW["/eval_library"][1]
    result = record["evaluation_results"][0]
    result["evaluation_result_id"] = "other"
    result["metric_config"] |= {"metric_name": "acc", "max_score": "Infinity"}
    with pytest.raises(ConversionError) as refused:
        convert_data(record, to="record-0.2.0")
    for words, _ in NEW.values():
        assert words in refused.value.reason
    with pytest.raises(ConversionError) as refused:
        convert_data(record, to="record-0.2.2")
    assert refused.value.lost == (
        "record-0.2.2",
        {"an open /evaluation_results/*/metric_config/max_score": 1},
    )


def test_bounds_that_are_not_stated_are_lost_as_well():
    record = record_0_3_0()
    record["evaluation_results"][0]["metric_config"] |= {"min_score": None, "max_score": None}
    with pytest.raises(ConversionError) as refused:
        convert_data(record, to="record-0.2.2")
    at = "an open /evaluation_results/*/metric_config"
    assert str(refused.value) == f"record-0.2.2 cannot hold: {at}/min_score; {at}/max_score"


def test_what_says_nothing_is_not_lost():
    record = record_0_3_0()
    assert record["eval_library"]["name"] == "unknown"
    result = record["evaluation_results"][0]
    result["evaluation_result_id"] = result["evaluation_name"]
    result["metric_config"] |= {"score_type": "binary", "min_score": None, "max_score": None}
    old = convert_data(record, to="record-0.2.0").data
    assert accepts("record-0.2.0", old)
    assert "eval_library" not in old
    assert "additional_details" not in old["model_info"]
    assert "max_score" not in old["evaluation_results"][0]["metric_config"]


def test_who_runs_a_model_stays_among_its_details():
    record = record_0_3_0()
    details = {"deployment_type": "self_deployed", "model_availability": "unknown"}
    record["model_info"]["additional_details"] = details
    old = convert_data(record, to="record-0.2.0").data
    assert old["model_info"]["additional_details"] == {"deployment_type": "self_deployed"}
    assert convert_data(old, to="record-0.3.0").data == record


def test_a_missing_score_type_is_refused():
    record = record_0_3_0()
    metric = record["evaluation_results"][0]["metric_config"]
    for key in ("score_type", "min_score", "max_score"):
        metric.pop(key, None)
    with pytest.raises(ConversionError, match="a score without score_type, which it takes for"):
        convert_data(record, to="record-0.2.2")


def test_rows_list_what_all_of_them_would_lose():
    lines = []
    for row in rows_at("0.3.0"):
        lines += [json.dumps({**row, "evaluation_result_id": "a"})] * 2
    with pytest.raises(ConversionError, match=r"hold: /evaluation_result_id \(4 times\)"):
        convert_text("\n".join(lines) + "\n", path="x.jsonl", to="sample-0.2.0")


@pytest.fixture
def pair(tmp_path, run):
    """A record of 0.3.0 with its samples, in a datastore."""
    home = tmp_path / "store/data/suite/example/model-1"
    home.mkdir(parents=True)
    stem = "0b6f1f0e-1111-4a6b-8f00-000000000001"
    shutil.copy(FIXTURES / "good/with_samples_samples.jsonl", home / f"{stem}_samples.jsonl")
    text = (FIXTURES / "good/with_samples.json").read_text("utf-8")
    record = home / f"{stem}.json"
    record.write_text(text.replace("with_samples_samples", f"{stem}_samples"), "utf-8")
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    done = run("evalmark", "convert", "--in-place", "--to", "record@0.3.0", tmp_path / "store")
    assert done.code == 0, done.err
    return record, before


def test_in_a_datastore_the_place_of_samples_is_known(pair):
    record, _ = pair
    data = json.loads(record.read_text("utf-8"))
    place = data["detailed_evaluation_results"]["file_path"]
    assert place == f"data/suite/example/model-1/{record.stem}_samples.jsonl"
    report = check_file(record)
    assert [f.code for f in report.findings if f.severity == "error"] == []
    assert report.companions


def test_a_pair_goes_back_where_it_is(pair, run):
    record, before = pair
    run("evalmark", "convert", "--in-place", "--to", "record@0.2.0", record, code=0)
    assert check_file(record).findings == ()
    rows = record.with_name(f"{record.stem}_samples.jsonl").read_bytes()
    assert json.loads(rows.splitlines()[0])["schema_version"] == "instance_level_eval_0.2.0"
    old, new = (json.loads(text) for text in (before[record.name], record.read_bytes()))
    old["detailed_evaluation_results"] = new["detailed_evaluation_results"]  # place, checksum
    assert new == old


def test_a_pair_lists_what_both_would_lose(pair, run):
    record, _ = pair
    with edited(record) as data:
        data["eval_library"] = {"name": "lm_eval", "version": "1"}
    rows = record.with_name(f"{record.stem}_samples.jsonl")
    lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    for line in lines:
        line["evaluation_result_id"] = "other"
    rows.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    both = copy.deepcopy([record.read_bytes(), rows.read_bytes()])
    done = run("evalmark", "convert", "--in-place", "--to", "record@0.2.0", record, code=1)
    assert "cannot hold: /eval_library; /evaluation_result_id (samples) (4 times)" in done.err
    assert both == [record.read_bytes(), rows.read_bytes()]
