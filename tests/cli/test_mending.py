"""A datastore is repaired in one call: what is known is filled in, and nothing else changes."""

import hashlib
import json

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_file

TREE = FIXTURES / "results/ltm.out/data"
PLACE = "data/goodai-ltm/example/agent/0b6f1f0e-1111-4a6b-8f00-00000000000"
FACTS = """\
models:
  example/agent:
    deployment_type: externally_managed
    model_availability: open_weights
"""


@pytest.fixture
def store(here):
    """Three records: two lack what most published ones lack, the third has another mistake."""
    (source,) = TREE.rglob("*.json")
    samples = source.with_name(source.stem + "_samples.jsonl")
    (here / PLACE).parent.mkdir(parents=True)
    for number in (1, 2, 3):
        path = here / f"{PLACE}{number}.json"
        record = json.loads(source.read_text())
        old, new = record["evaluation_id"], f"{record['evaluation_id']}{number}"
        record["evaluation_id"] = new
        link = record["detailed_evaluation_results"]
        link["file_path"] = f"{PLACE}{number}_samples.jsonl"
        rows = samples.read_text().replace(json.dumps(old), json.dumps(new)).encode()
        (here / link["file_path"]).write_bytes(rows)
        link["checksum"] = hashlib.sha256(rows).hexdigest()
        if number < 3:
            del record["model_info"]["additional_details"]["deployment_type"]
            del record["model_info"]["additional_details"]["model_availability"]
            link["file_path"] = f"./{path.stem}_samples.jsonl"
        else:
            record["evaluation_results"][0]["score_details"]["score"] = 7
        path.write_text(json.dumps(record, indent=2) + "\n")
    (here / "facts.yaml").write_text(FACTS)
    return here


def changes(old, new):
    """Lines that one text has and the other has not, apart from their commas."""
    one, other = ({line.strip(" ,") for line in text.splitlines()} for text in (old, new))
    return sorted(one - other), sorted(other - one)


def test_one_call_mends_what_most_published_records_lack(run, store):
    paths = sorted(store.glob("data/**/*.json"))
    assert len(paths) == 3
    before = [path.read_text() for path in paths]
    found = [finding.code for path in paths for finding in check_file(path).findings]
    assert found.count("EE101") == 2
    assert found.count("EE117") == 2
    done = run("evalmark", "check", "--fix", "--defaults", "facts.yaml", "data", code=1)
    assert "EE201" in done.out
    assert "EE101" not in done.out + done.err
    assert "EE117" not in done.out
    assert done.err.splitlines()[:5] == [
        "Fixed 6 places in 2 files.",
        "  files  places",
        '      2       2  /model_info/additional_details/deployment_type = "externally_managed"',
        '      2       2  /model_info/additional_details/model_availability = "open_weights"',
        "      2       2  EE117 wrong-form",
    ]
    for number, (path, old) in enumerate(zip(paths, before, strict=True), start=1):
        assert changes(old, path.read_text()) == (
            (
                [f'"file_path": "./{path.stem}_samples.jsonl"'],
                [
                    '"deployment_type": "externally_managed"',
                    f'"file_path": "{PLACE}{number}_samples.jsonl"',
                    '"model_availability": "open_weights"',
                ],
            )
            if number < 3
            else ([], [])
        )
    assert "Fixed" not in run("evalmark", "check", "--fix", "--defaults", "facts.yaml", "data").err


def test_what_would_change_is_shown_and_not_written(run, store):
    before = {path: path.read_bytes() for path in store.rglob("*.json")}
    done = run("evalmark", "check", "--diff", "--defaults", "facts.yaml", "data", code=1)
    assert '+      "deployment_type": "externally_managed"' in done.out
    assert "Would fix 6 places in 2 files." in done.err
    assert {path: path.read_bytes() for path in store.rglob("*.json")} == before


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("models:\n  example/agent:\n    deployment_type: api\n", "self_deployed"),
        ("modles: {}\n", "did you mean models?"),
        ("- a\n", "expected an object"),
    ],
)
def test_a_wrong_file_of_facts_is_refused_before_anything_is_changed(run, store, facts, said):
    (store / "facts.yaml").write_text(facts)
    before = {path: path.read_bytes() for path in store.rglob("*.json")}
    done = run("evalmark", "check", "--fix", "--defaults", "facts.yaml", "data", code=2)
    assert said in done.err
    assert "Traceback" not in done.err
    assert {path: path.read_bytes() for path in store.rglob("*.json")} == before


def test_a_sample_file_that_is_elsewhere_is_not_renamed_by_guess(run, store):
    path = next(iter(sorted(store.glob("data/**/*.json"))))
    path.with_name(f"{path.stem}_samples.jsonl").unlink()
    old = path.read_text()
    run("evalmark", "check", "--fix", str(path))
    assert path.read_text() == old
