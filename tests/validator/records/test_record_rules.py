"""Rules on records and rows, each by documents that come near: legal ones, and wrong ones.

Every document is tried in every version that has its field.
"""

import copy
import hashlib
import json

import pytest
from conftest import data_at, file_at, rows_at
from evalmark.schemas.versions import find, names
from evalmark.validator.check import check_data, check_file, check_text
from evalmark.validator.formats.records.rules.name_matching import MOST, names_model
from looping import loops_over
from pointers import changed
from test_versions import WITH_SAMPLES, in_version

RECORD = data_at("good/record.json")
TIME = RECORD["retrieved_timestamp"]


@pytest.mark.parametrize(
    ("score", "share"), [(100, "1"), (87.5, "0.875"), (1.5, "0.015"), (100.5, None)]
)
def test_a_percentage_is_written_as_a_share(score, share):
    record = copy.deepcopy(RECORD)
    result = record["evaluation_results"][0]
    result["metric_config"] |= {"min_score": 0, "max_score": 1}
    result["score_details"] = {"score": score}
    (finding,) = (f for f in check_data(record).findings if f.code == "EE201")
    assert finding.helps == ((f"if it is a percentage, write {share}",) if share else ())


def found(data, code):
    """Suggestions of each finding of a rule; any other finding is a surprise."""
    findings = check_data(data).findings
    assert {finding.code for finding in findings} <= {code}
    return [finding.helps for finding in findings]


# EE231: splits


def with_split(split, source="hf_dataset"):
    repository = {"hf_repo": "example/npi"} if source == "hf_dataset" else {}
    data = {"dataset_name": "npi", "source_type": source, **repository, **split}
    return changed(RECORD, {"/evaluation_results/0/source_data": data})


@loops_over("version", names("record"))
@pytest.mark.parametrize(
    "split",
    [
        "train", "val", "test", "validation", "dev", "training", "testmini", "test.clean",
        "validation_matched", "trainval", "train+validation", "2024_12",
    ],
)  # fmt: skip
def test_a_split_of_the_format_or_of_a_dataset(split, version):
    assert found(in_version(with_split({"hf_split": split}), version), "EE231") == []
    assert found(in_version(with_split({}), version), "EE231") == []


@pytest.mark.parametrize("version", names("record")[2:])
def test_other_sources_have_no_split(version):
    record = with_split({"additional_details": {"hf_split": "validation"}}, "other")
    assert found(in_version(record, version), "EE231") == []


@loops_over("version", names("record"))
@pytest.mark.parametrize(
    ("split", "meant"),
    [
        ("Test", "test"), ("VALIDATION", "validation"), (" training ", "training"),
        ("test set", "test"), ("tset", "test"), ("test-split", "test"),
        ("", None), ("the hard half", None), ("test.jsonl", None), ("test/main", None),
        ("test[:x]", None), ("Test[:100]", None),
    ],
)  # fmt: skip
def test_a_text_that_no_split_has_as_its_name(split, meant, version):
    helps = (f'write "{meant}"',) if meant else ()
    assert found(in_version(with_split({"hf_split": split}), version), "EE231") == [helps]


def test_each_other_split_is_a_finding_of_its_own():
    record = with_split({"hf_split": "Dev"})
    other = with_split({"hf_split": "Training"})["evaluation_results"][0]
    record["evaluation_results"].append({**other, "evaluation_name": "other"})
    assert len({finding.fold for finding in check_data(record).findings}) == 2


# EE232: no results


@loops_over("version", names("record"))
def test_a_record_has_results(version):
    record = in_version(RECORD, version)
    assert found(record, "EE232") == []
    for count in (0, 1, 3):
        results = [
            {**record["evaluation_results"][0], "evaluation_name": f"{n}"} for n in range(count)
        ]
        assert len(found({**record, "evaluation_results": results}, "EE232")) == (count == 0)


# EE233: the model of the evaluation id


NAMED = [
    # evaluation id without its time, id of the model, name of the model
    ("agreement/example/qwen-1", "example/qwen-1", "Qwen"),
    ("helm/openai_gpt-4o", "openai/gpt-4o:free", "GPT-4o"),
    ("agent/x/claude-3-7-sonnet-february-2025", "anthropic/claude-3-7-sonnet-20250219", ""),
    ("mmlu/llama-8b", "meta-llama/Llama-3.1-8B", "llama"),
    ("open_v2/org_mistral-tiny", "org/mistral-tiny-v0.1", "Mistral"),
    ("mmlu/MistralSmallInstruct", "mistralai/mistral-small-24b-instruct-v0.1", "Small"),
    ("helm/Jurassic-2_Grande", "ai21/j2-grande", "Jurassic-2 Grande (17B)"),
    ("mmlu/gpt-4/gpt-5", "openai/gpt-5", "GPT-5"),
    ("eval/Mode\u0301le", "org/Mod\u00e9le", "x"),
    ("eval/\u4f8b_\u6a21\u578b-1", "\u4f8b/\u6a21\u578b-1", "x"),
]  # fmt: skip
#: The last one is the suggestion, without its time.
MISNAMED = [
    ("agreement/example/llama-9", "example/qwen-1", "Qwen", "agreement/example/qwen-1"),
    ("helm/openai_gpt-4-0314", "openai/gpt-5-2025-08-07", "GPT-5", "helm/openai_gpt-5-2025-08-07"),
    ("mmlu/meta/llama-2-7b", "meta/llama-3-70b", "Llama 3 70B", "mmlu/meta/llama-3-70b"),
    ("anthropic/mmlu", "anthropic/claude-4", "Claude 4", "mmlu/anthropic/claude-4"),
    ("helm/a_claude-v1.3", "a/claude-sonnet-4", "Claude Sonnet 4", "helm/a_claude-sonnet-4"),
    ("eval/\u4f8b/\u6a21\u578b-1", "\u4f8b/\u5176\u4ed6-2", "x", "eval/\u4f8b/\u5176\u4ed6-2"),
    ("eval/org", "org/7", "", "eval/org/7"),
]  # fmt: skip


def of_model(place, model, name):
    known_by = {"/model_info/id": model, "/model_info/name": name or model}
    return changed(RECORD, {"/evaluation_id": f"{place}/{TIME}", **known_by})


@loops_over("version", names("record"))
@pytest.mark.parametrize(("place", "model", "name"), NAMED)
def test_an_id_that_names_the_model(place, model, name, version):
    assert found(in_version(of_model(place, model, name), version), "EE233") == []


@loops_over("version", names("record"))
@pytest.mark.parametrize(("place", "model", "name", "meant"), MISNAMED)
def test_an_id_that_names_another_model(place, model, name, meant, version):
    record = in_version(of_model(place, model, name), version)
    assert found(record, "EE233") == [(f'write "{meant}/{TIME}"',)]
    record["evaluation_id"] = f"{meant}/{TIME}"
    assert found(record, "EE233") == []


def test_a_name_of_a_million_words_is_compared_by_its_first_words():
    many = "x-1 y " * 200_000
    assert names_model(f"a/{many}", f"o/{many[: 10 * MOST]}{many}z")
    assert not names_model(f"a/{many}", "o/" + "z-1 " * 200_000)


# rows


def row(version, kind):
    """A good row of a version of samples."""
    is_single = kind == "single"
    rows = rows_at(version)
    return next(row for row in rows if (row["interaction_type"] == "single_turn") is is_single)


ATTRIBUTION = {"source": "x", "extracted_value": "2", "extraction_method": "x", "is_terminal": True}


def in_row(data, code):
    """The same for a row."""
    findings = check_text(json.dumps(data) + "\n", path="rows.jsonl").findings
    assert {finding.code for finding in findings} <= {code}
    return [finding.helps for finding in findings]


def turns_of(row):
    return row.get("messages") or row["interactions"]


@loops_over("version", names("sample"))
@pytest.mark.parametrize(
    ("usage", "right"),
    [
        ({}, True),
        ({"total_tokens": 20, "reasoning_tokens": 3}, True),
        ({"total_tokens": 26, "input_tokens_cache_read": 9, "reasoning_tokens": 3}, True),
        ({"total_tokens": 17, "input_tokens_cache_read": None}, True),
        ({"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}, True),
        ({"total_tokens": 71}, False),
        ({"total_tokens": 12}, False),
        ({"total_tokens": 0}, False),
        ({"total_tokens": 27, "input_tokens_cache_read": 9}, False),
        ({"total_tokens": 18, "reasoning_tokens": 3}, False),
    ],
)
def test_the_total_of_tokens(usage, right, version):
    data = row(version, "single")
    data["token_usage"] = {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17, **usage}
    helps = [] if right else [('write "total_tokens": 17',)]
    assert in_row(data, "EE306") == helps


@loops_over("version", names("sample"))
def test_an_answer_comes_from_a_turn_that_exists(version):
    single, several = row(version, "single"), row(version, "several")
    count = len(turns_of(several))
    for data, turns, helps in ((single, (1, 7), ("write 0",)), (several, (count, 99), ())):
        last = max(0, count - 1) if data is several else 0
        for turn in {0, last}:
            data["answer_attribution"] = [{**ATTRIBUTION, "turn_idx": turn}]
            assert in_row(data, "EE307") == []
        data["answer_attribution"] = []
        assert in_row(data, "EE307") == []
        for turn in turns:
            data["answer_attribution"] = [{**ATTRIBUTION, "turn_idx": turn}]
            assert in_row(data, "EE307") == [helps]


@loops_over("version", names("sample"))
def test_turns_that_are_counted_from_1_are_one_mistake(version):
    """The answer refers to the last turn by the number that it has."""
    data = row(version, "several")
    for turn in turns_of(data):
        turn["turn_idx"] += 1
    last = turns_of(data)[-1]["turn_idx"]
    data["answer_attribution"] = [{**ATTRIBUTION, "turn_idx": last}]
    assert len(in_row(data, "EE303")) == 1


@loops_over("version", names("sample"))
@pytest.mark.parametrize(
    ("role", "meant"),
    [
        ("user", "fine"), ("developer", "fine"), ("environment", "fine"), ("user_2", "fine"),
        ("critic", "fine"), ("x" * 10_000, "fine"),
        ("human", "user"), ("Assistant", "assistant"), ("asistant", "assistant"),
        ("AI", "assistant"), (" tool", "tool"), ("", None),
    ],
)  # fmt: skip
def test_the_role_of_a_turn(role, meant, version):
    data = row(version, "several")
    first = next(turn for turn in turns_of(data) if turn["role"] == "user")
    first["role"] = role
    data["evaluation"]["num_turns"] = len(turns_of(data))
    helps = {"fine": [], None: [()]}.get(meant, [(f'write "{meant}"',)])
    assert in_row(data, "EE308") == helps


# rows beside their record


def pair(folder, version, change):
    """Findings of a good record and its samples, changed, in a version."""
    record = data_at("good/with_samples.json")
    record = in_version(record, version)
    rows = rows_at(find("sample", version).name)
    for line in rows:
        line["evaluation_id"], line["model_id"] = (
            record["evaluation_id"],
            record["model_info"]["id"],
        )
        line["evaluation_name"] = record["evaluation_results"][0]["evaluation_name"]
        line.pop("evaluation_result_id", None)
    scores = [line["evaluation"]["score"] for line in rows]
    record["evaluation_results"][0]["score_details"]["score"] = sum(scores) / len(scores)
    change(record, rows)
    link = record["detailed_evaluation_results"]
    raw = "".join(json.dumps(line) + "\n" for line in rows).encode()
    link.update(checksum=hashlib.sha256(raw).hexdigest(), total_rows=len(rows))
    samples = file_at(folder / link["file_path"], raw)
    path = samples.with_name(samples.name.replace("_samples.jsonl", ".json"))
    path.write_text(json.dumps(record), encoding="utf-8")
    return check_file(path).findings


def two_results(record, rows):
    """A second result of the same data; every row refers to the first by its id."""
    (first,) = record["evaluation_results"]
    first["evaluation_result_id"] = "a"
    record["evaluation_results"].append(
        {**copy.deepcopy(first), "evaluation_result_id": "b", "evaluation_name": "other"}
    )
    for line in rows:
        line["evaluation_result_id"] = "a"


WITH_IDS = [version for version in WITH_SAMPLES if version not in ("0.2.0", "0.2.1")]


@pytest.mark.parametrize("version", WITH_IDS)
@pytest.mark.parametrize(
    ("change", "count"),
    [
        (lambda record, rows: None, 0),
        (lambda record, rows: rows[0].pop("evaluation_result_id"), 0),
        (lambda record, rows: record["evaluation_results"].pop(), 0),
        (lambda record, rows: record["evaluation_results"].reverse(), 0),
        (lambda record, rows: rows[0].update(evaluation_result_id=""), 0),
        (lambda record, rows: rows[0].update(evaluation_name="agreement/9"), 1),
        (lambda record, rows: rows[0].update(evaluation_name="other"), 1),  # that is another result
        (lambda record, rows: rows[0].update(evaluation_name="a"), 1),  # that is an id
        (lambda record, rows: rows[0].update(evaluation_name="Agreement"), 1),
        (lambda record, rows: rows[0].update(evaluation_name=""), 1),
    ],
)  # fmt: skip
def test_a_row_has_the_name_of_its_result(change, count, version, tmp_path):
    def both(record, rows):
        two_results(record, rows)
        change(record, rows)

    findings = [finding for finding in pair(tmp_path, version, both) if finding.code != "EE226"]
    assert [(f.code, f.helps) for f in findings] == [("EE322", ('write "agreement"',))] * count


@pytest.mark.parametrize("version", WITH_SAMPLES)
@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(evaluation_results=[]),
        lambda record: record.update(evaluation_result=record.pop("evaluation_results")),
        lambda record: record.update(evaluation_results=record["evaluation_results"][0]),
        lambda record: record["evaluation_results"][0].pop("evaluation_name"),
        lambda record: record.pop("evaluation_id"),
        lambda record: record.update(evaluation_id=7),
        lambda record: record["model_info"].pop("id"),
    ],
)
def test_what_a_record_lacks_is_not_a_mistake_of_each_row(change, version, tmp_path):
    findings = pair(tmp_path, version, lambda record, rows: change(record))
    assert len(findings) == 1
    assert findings[0].path.endswith(".json")
