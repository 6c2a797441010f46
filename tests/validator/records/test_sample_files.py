"""A file that is something else than the samples of a record: one finding says what it is."""

import bz2
import gzip
import hashlib
import json
import lzma

import pytest
from conftest import FIXTURES, data_at, edited
from evalmark.validator.check import check_bytes, check_file
from evalmark.validator.checker import check_files
from evalmark.validator.formats.shared import row_findings
from found import codes_of, findings_of
from records import sampled

RECORD = data_at("good/with_samples.json")
LINES = (FIXTURES / "good/with_samples_samples.jsonl").read_text().splitlines()
ROWS = [json.loads(line) for line in LINES]
TEXT = "\n".join(LINES)
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12345\n"
CONFLICT = f"<<<<<<< HEAD\n{LINES[0]}\n=======\n{LINES[1]}\n>>>>>>> branch\n"
JQ = "write each on one line: `jq -c "

#: What is in the place of the samples -> code, message and help of the one finding.
OTHERS = {
    "gzip": (gzip.compress(TEXT.encode()), "F004", "file is compressed with gzip", "gunzip"),
    "xz": (lzma.compress(TEXT.encode()), "F004", "file is compressed with xz", "unxz"),
    "bzip2": (bz2.compress(TEXT.encode()), "F004", "file is compressed with bzip2", "bunzip2"),
    "zip": (b"PK\x03\x04" + TEXT.encode(), "F004", "file is compressed with zip", "unzip"),
    "pretty-printed JSON": (
        "\n".join(json.dumps(row, indent=2) for row in ROWS), "F001",
        "JSON Lines needs one value on each line, but this one is on lines 1 to 25", f"{JQ}. ",
    ),
    "a JSON array": (
        json.dumps(ROWS, indent=2), "F001", "file is a JSON array of 4, not JSON Lines",
        f"{JQ}'.[]' FILE",
    ),
    "a JSON array on one line": (
        json.dumps(ROWS), "F001", "file is a JSON array of 4, not JSON Lines", f"{JQ}'.[]' FILE",
    ),
    "CSV": (
        "sample_id,score,is_correct\na,1,true\nb,0,false\n", "F001",
        "file is a table (CSV), not JSON Lines", "write each row as an object",
    ),
    "TSV": (
        "sample_id\tscore\na\t1\n", "F001", "file is a table (TSV), not JSON Lines",
        "write each row as an object",
    ),
    "nothing": ("", "F010", "file is empty: it has no rows", "write the rows, or remove"),
    "blank lines": ("\n \n", "F010", "file is empty: it has no rows", "write the rows, or remove"),
    "a Git LFS pointer": (
        POINTER, "F001", "file is a Git LFS pointer, not the file itself", "run `git lfs pull`",
    ),
    "a merge conflict": (CONFLICT, "F001", "file has a merge conflict", "keep one side"),
    "a merge conflict further down": (
        f"{TEXT}\n{CONFLICT}", "F001", "file has a merge conflict", "keep one side",
    ),
    "an HTML page": (
        "<!DOCTYPE html>\n<html><body>404</body></html>\n", "F001", "file is an HTML page",
        "download the file itself",
    ),
    "UTF-16": (TEXT.encode("utf-16"), "F004", "file is UTF-16, JSON files are UTF-8", "UTF-8"),
}  # fmt: skip


def is_one_finding(found, code, message, help_text):
    assert [each.code for each in found] == [code]
    assert found[0].message.startswith(message)
    assert help_text in found[0].helps[0]


@pytest.fixture
def datastore(tmp_path):
    """``datastore(content)`` puts a record with such a sample file into a datastore."""

    def made(content):
        folder = tmp_path / "data/agreement/example/model-1"
        name = "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a"
        with edited(FIXTURES / "good/record.json", folder / f"{name}.json") as record:
            folder.mkdir(parents=True)
            path = f"data/agreement/example/model-1/{name}_samples.jsonl"
            link = {**RECORD["detailed_evaluation_results"], "file_path": path}
            record["detailed_evaluation_results"] = link
        raw = content if isinstance(content, bytes) else content.encode()
        (folder / f"{name}_samples.jsonl").write_bytes(raw)
        return folder

    return made


@pytest.mark.parametrize("profile", [None, "eee"])
@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_a_sample_file_is_one_finding_that_says_what_it_is(datastore, name, profile):
    """Its record has none: no number of rows, no checksum, nothing of a leaderboard."""
    content, *expected = OTHERS[name]
    folder = datastore(content)
    whole = datastore_findings(folder, profile)
    (samples,) = folder.glob("*.jsonl")
    is_one_finding([each for each in whole if each.path == str(samples)], *expected)
    samples.write_text(TEXT)
    without = {each.code for each in datastore_findings(folder, profile)}
    of_the_record = {each.code for each in whole if each.path != str(samples)}
    assert of_the_record <= without - {"EE310", "EE312", "EE313"}


def datastore_findings(folder, profile):
    return check_files([folder], **({"profile": profile} if profile else {})).findings


@pytest.mark.parametrize("name", OTHERS)
def test_the_leaderboard_refuses_both(datastore, name):
    folder = datastore(OTHERS[name][0])
    verdicts = check_files([folder], profile="eee").verdicts
    assert [verdict for _, verdict in verdicts] == ["refuse", "refuse"]


@pytest.mark.parametrize("profile", [None, "eee"])
@pytest.mark.parametrize(
    "name", [name for name in OTHERS if name not in ("nothing", "blank lines")]
)
def test_the_same_without_a_record(name, profile, tmp_path):
    content, *expected = OTHERS[name]
    path = tmp_path / "x_samples.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = check_file(path, **({"profile": profile} if profile else {})).findings
    is_one_finding(found, *expected)


def test_a_record_that_says_that_it_has_no_rows_may_have_an_empty_file(datastore):
    folder = datastore("")
    (path,) = folder.glob("*.json")
    with edited(path) as record:
        record["detailed_evaluation_results"] |= {"total_rows": 0, "checksum": "0" * 64}
    codes = set(codes_of(check_files([folder])))
    assert "F010" not in codes
    assert "EE313" in codes


@pytest.mark.parametrize("path", ["x.json", "x.yaml", "x.csv", "x.jsonl"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (POINTER, "file is a Git LFS pointer, not the file itself"),
        ('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}\n', "file has a merge conflict"),
        ("<html>\n<body></body>\n</html>\n", "file is an HTML page, as servers send it for an err"),
    ],
)  # fmt: skip
def test_any_file_that_is_there_instead_of_another_says_so(path, text, message):
    if text.startswith("<html") and path.endswith("yaml"):
        pytest.skip("that is a text in YAML")
    (finding,) = check_bytes(text.encode(), path, kind="suite").findings
    assert finding.code == ("F014" if path.endswith("yaml") else "F001")
    assert finding.message.startswith(message)
    if "conflict" in message:
        assert finding.span.line == 2


def test_a_pointer_is_found_in_a_folder_whatever_its_ending(tmp_path):
    """A YAML file of no kind of ours is skipped there, but what the pointer is of nobody knows."""
    (tmp_path / "suite.yaml").write_text(POINTER)
    (tmp_path / "other.yaml").write_text("a: 1\n")
    found = check_files([tmp_path]).findings
    assert [(each.code, each.path) for each in found] == [("F014", str(tmp_path / "suite.yaml"))]


def test_a_table_of_pairs_is_renamed():
    text = "sentence_good,sentence_bad\nA cat sleeps.,A cat sleep.\n"
    (finding,) = check_bytes(text.encode(), "x.jsonl").findings
    assert finding.helps == ("rename the file to `x.csv`",)


@pytest.mark.parametrize("text", ["not, a table\n", "{'a': 1, 'b': 2}\n", "a,b\n1,2,3\n"])
def test_rows_with_a_mistake_are_no_table(text):
    found = check_bytes(text.encode(), "x.jsonl").findings
    assert all("table" not in each.message for each in found)


# What a row says twice, and what its record says of it


def found_in(tmp_path, changed, settings=None, ids=None):
    """The findings of a record and rows, each of which ``changed`` has changed."""

    def change(record, rows):
        for number, row in enumerate(rows):
            row.pop("sample_hash", None)
            changed(row, number)
        (result,) = record["evaluation_results"]
        if settings:
            result["generation_config"] = {"generation_args": settings}
        if ids:
            result["source_data"] = {
                "dataset_name": "npi", "source_type": "hf_dataset", "hf_repo": "example/npi",
                "sample_ids": ids,
            }  # fmt: skip

    return findings_of(sampled(tmp_path, change))


def tokens(written, **more):
    total = {"input_tokens": 12, "output_tokens": written, "total_tokens": 12 + written}
    return {"token_usage": {**total, **more}}


def answered(value, output="The answer is 1,204.", method="regex"):
    attribution = {
        "turn_idx": 0, "source": "output.raw", "extracted_value": value,
        "extraction_method": method, "is_terminal": True,
    }  # fmt: skip
    return {"output": {"raw": [output]}, "answer_attribution": [attribution]}


def asked(reference, choices):
    return {"input": {"raw": "Which?", "reference": reference, "choices": choices}}


FAILED = {"output": {"raw": [""]}, "error": "TimeoutError"}
RIGHT = {"evaluation": {"score": 1.0, "is_correct": True}}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"performance": {"latency_ms": 1.3, "generation_time_ms": 1200}}, "EE325"),
        ({"performance": {"latency_ms": 1300, "generation_time_ms": 1200}}, None),
        ({"performance": {"latency_ms": 1300, "generation_time_ms": None}}, None),
        (tokens(10, reasoning_tokens=30), "EE306"),
        (tokens(10, reasoning_tokens=30, total_tokens=52), None),
        (tokens(10, reasoning_tokens=4), None),
        (tokens(10, total_tokens=10), "EE306"),
        (asked(["Paris"], ["Rome", "Oslo"]), "EE310"),
        (asked([" paris."], ["Rome", "Paris"]), None),
        (asked(["B"], ["Rome", "Oslo"]), None),
        (asked(["12"], ["Rome", "Oslo"]), None),
        (asked(["B. Oslo"], ["Rome", "Oslo"]), None),
        (answered("1204"), None),
        (answered("1205"), "EE310"),
        (answered("1205", method="a judge"), None),
        (answered("[invalid]"), None),
        ({**FAILED, **RIGHT}, "EE301"),
        ({**FAILED, "evaluation": {"score": 0.0, "is_correct": False}}, None),
    ],
)
def test_a_mistake_of_every_row_is_one_finding(tmp_path, row, code):
    found = found_in(tmp_path, lambda each, _: each.update(row))
    found = [each for each in found if each.code != "EE318"]  # the mean is another one
    assert [each.code for each in found] == ([code] if code else [])
    assert all("the same in 3 other rows" in each.notes for each in found)


def test_a_mistake_of_some_rows_is_a_finding_each(tmp_path):
    found = found_in(
        tmp_path, lambda row, at: row.update(tokens(5, total_tokens=9) if at < 2 else {})
    )
    assert [each.code for each in found] == ["EE306", "EE306"]


def test_alike_rows_are_counted_by_what_is_wrong_with_them(tmp_path, monkeypatch):
    monkeypatch.setattr(row_findings, "MAX_FINDINGS", 3)
    rows = [{**ROWS[0], "sample_id": f"{n}"} for n in range(12)]
    for row in rows:  # as lm-eval does
        asked = {"raw": row["input"]["raw"], "reference": row["input"]["reference"][0]}
        text = json.dumps(asked, sort_keys=True)
        row["sample_hash"] = hashlib.sha256(text.encode()).hexdigest()
    rows[0]["sample_hash"] = "0" * 64
    path = tmp_path / "x_samples.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = [each for each in check_file(path).findings if "sample_hash" in each.message]
    assert [each.notes[-1:] for each in found] == [(), ("the same in 10 other rows",)]


def test_outputs_are_no_longer_than_the_settings_allow(tmp_path):
    (found,) = found_in(tmp_path, lambda row, _: row.update(tokens(70)), {"max_tokens": 16})
    assert (found.code, found.message) == (
        "EE326",
        "`max_tokens` is 16, and 4 rows have longer outputs",
    )


@pytest.mark.parametrize("more", [{}, {"reasoning_tokens": 60}])
def test_an_output_that_was_cut_is_as_long_as_allowed(tmp_path, more):
    written = 16 + more.get("reasoning_tokens", 0)
    found = found_in(
        tmp_path, lambda row, _: row.update(tokens(written, **more)), {"max_tokens": 16}
    )
    assert found == ()


def test_rows_are_of_the_samples_that_are_listed(tmp_path):
    assert found_in(tmp_path, lambda row, _: None, ids=["1", "2", "3", "4"]) == ()
    (found,) = found_in(tmp_path, lambda row, _: None, ids=["1", "2"])
    assert (found.code, found.message) == (
        "EE324",
        "2 of 4 rows are not of the 2 samples that it lists",
    )


@pytest.mark.parametrize(
    ("scored", "advice"),
    [
        (None, 'write "total_rows": 3, if the file is complete'),
        (4, "the scores are of 4 samples: add the rows that the file lacks"),
    ],
)
def test_a_file_that_was_cut_lacks_rows_if_scores_are_of_all_of_them(scored, advice, tmp_path):
    def change(record, rows):
        if scored:
            record["evaluation_results"][0]["score_details"]["uncertainty"] = {
                "num_samples": scored
            }

    path = sampled(tmp_path, change)
    record, rows = json.loads(path.read_text()), path.with_name("with_samples_samples.jsonl")
    lines = rows.read_bytes().splitlines(keepends=True)[:3]
    rows.write_bytes(b"".join(lines))
    checksum = hashlib.sha256(b"".join(lines)).hexdigest()
    record["detailed_evaluation_results"]["checksum"] = checksum
    path.write_text(json.dumps(record))
    (finding,) = check_file(path).findings
    assert (finding.code, finding.helps) == ("EE312", (advice,))
