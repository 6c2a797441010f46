"""``check --changed BASE``: changed files, compared with all files of the base."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from branch import GOOD, commit, git, on_main, record, rescored, sampled, suite, write
from evalmark.validator.batch.changes import check_changed as base_index

pytest_plugins = ["branch"]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

# Ids


def test_an_id_of_the_base_is_found_and_the_difference_is_told(repository, run):
    write("records/new.json", rescored(3))
    done = run("evalmark", "check", "--changed", "main", "--format", "full", code=1)
    assert "duplicate evaluation id: also in main:records/3.json" in done.out
    assert "the two records differ in /evaluation_results/0/score_details/score" in done.out


def test_an_id_that_the_base_has_gained_since_is_found(repository, check):
    write("records/new.json", record(50))
    commit()
    assert check() == (0, [])
    on_main(lambda: write("records/theirs.json", record(50)))
    assert check() == (1, [("records/new.json", "EE243")])


def test_a_changed_record_keeps_its_id(repository, check):
    write("records/1.json", rescored(1))
    write("records/2.json", rescored(3))
    assert check() == (1, [("records/2.json", "EE243")])


def test_a_moved_record_is_not_a_duplicate_of_itself(repository, check):
    Path("records/1.json").rename("records/moved.json")
    assert check() == (0, [])
    assert check("main", "records/moved.json") == (0, [])
    commit()
    assert check() == (0, [])


def test_a_record_that_the_base_has_moved_is_not_a_duplicate_of_itself(repository, check):
    write("records/1.json", rescored(1))
    commit()
    on_main(lambda: Path("records/1.json").rename("records/moved.json"))
    assert check() == (0, [])


def test_a_record_that_the_base_has_already_is_not_a_duplicate(repository, check):
    write("records/new.json", record(50))
    commit()
    on_main(lambda: write("records/new.json", record(50)))
    assert check() == (0, [])


def test_two_changed_files_with_one_id(repository, check):
    write("records/new.json", record(50))
    write("records/other.json", rescored(50))
    assert check() == (1, [("records/other.json", "EE243")])
    # Also if only one of them is asked for.
    assert check("main", "records/new.json") == (1, [("records/new.json", "EE243")])


def test_names_of_suites(repository, check):
    write("suites/new.json", suite("agreement"))
    assert check() == (0, [("suites/new.json", "SG418")])
    write("suites/new.json", suite("other"))
    assert check() == (0, [])


def test_yaml(repository, check):
    def add():
        shutil.copy(GOOD / "suite.yaml", "suites/theirs.yaml")
        text = Path("suites/theirs.yaml").read_text(encoding="utf-8")
        write("suites/theirs.yaml", text.replace("name: agreement", 'name: "yaml suite"  # x', 1))

    assert "name: agreement" in (GOOD / "suite.yaml").read_text(encoding="utf-8")
    write("suites/new.json", suite("yaml suite"))
    commit()
    on_main(add)
    assert check() == (0, [("suites/new.json", "SG418")])


@pytest.mark.parametrize("is_fast", [True, False])
def test_files_of_the_base_that_cannot_be_parsed_have_no_id(
    repository, check, monkeypatch, is_fast
):
    loads = base_index.fastest_loads.__wrapped__
    if not is_fast:
        monkeypatch.setattr(base_index, "find_spec", lambda _: None)
    monkeypatch.setattr(base_index, "fastest_loads", loads)

    def add():
        write("records/broken.json", json.dumps(record(50))[:-1])
        write("records/deep.json", '{"evaluation_results": ' + "[" * 100_000)
        Path("records/latin.json").write_bytes(b'{"evaluation_results": "\xe9"}')

    write("records/new.json", record(50))
    commit()
    on_main(add)
    assert check() == (0, [])
    on_main(lambda: write("records/theirs.json", record(50)))
    assert check() == (1, [("records/new.json", "EE243")])


def test_a_file_in_git_lfs_is_read_in_the_working_tree(repository, check):
    """What ``git lfs`` does: git has a pointer, and the working tree has the file."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    write("pointer", pointer)
    write(".gitattributes", "large/*.json filter=large\n")
    git("config", "filter.large.clean", f"cat '{Path('pointer').absolute()}'")
    write("large/1.json", record(50))
    commit()
    git("checkout", "-qb", "later")
    write("records/new.json", rescored(50))
    assert check("branch") == (1, [("records/new.json", "EE243")])


def test_a_branch_cannot_exclude_files_of_the_base(repository, check):
    write("records/new.json", record(3))
    alone = check()
    assert alone[0] == 1
    write("evalmark.toml", 'exclude = ["records/3.json"]')
    assert check() == (1, [("evalmark.toml", "F022"), *alone[1]])


# Duplicates


def test_a_record_that_was_submitted_twice(repository, check, run):
    again = {**record(50), "evaluation_results": record(3)["evaluation_results"]}
    write("records/new.json", again)
    assert check() == (0, [("records/new.json", "EE243")])
    told = run("evalmark", "check", "--changed", "main", "--format", "concise").out
    assert "duplicate record: same model, benchmarks and scores as main:records/3.json" in told
    # Another run has another time, another set-up or another score.
    write("records/new.json", {**again, "evaluation_timestamp": "1760000000"})
    assert check() == (0, [])
    platform = {**again["model_info"], "inference_platform": "example"}
    write("records/new.json", {**again, "model_info": platform})
    assert check() == (0, [])


def test_real_evaluations_that_were_submitted_twice(shared, repository, check):
    """Every pair of equal records is found, and no other."""
    wanted, seen = 0, {}
    for path in sorted(shared.glob("data/records/0.0.1/*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        results = json.dumps(
            {k: v for k, v in data.items() if k not in ("evaluation_id", "retrieved_timestamp")}
        )
        is_new = results not in seen
        seen.setdefault(results, set()).add(data["evaluation_id"])
        if is_new or len(seen[results]) > 1:
            wanted += not is_new
            shutil.copy(path, "records" if is_new else "suites")
    git("add", "records")
    git("commit", "-qm", "base")
    git("checkout", "-qb", "later")
    _, found = check("branch", "-v")
    assert [code for _, code in found if code in ("EE243", "EE243")] == ["EE243"] * wanted
    assert wanted >= 3


def test_two_new_records_of_one_evaluation(repository, check):
    write("records/new.json", record(50))
    write(
        "records/other.json", {**record(51), "evaluation_results": record(50)["evaluation_results"]}
    )
    assert check() == (0, [("records/other.json", "EE243")])


def test_new_records_with_equal_scores_are_told_apart(repository, check):
    """The second one repeats a record of the base; the first one is of another library."""
    results = record(3)["evaluation_results"]
    write("records/a.json", record(50, evaluation_results=results, eval_library={"name": "x"}))
    write("records/b.json", record(51, evaluation_results=results))
    _, found = check()
    assert ("records/b.json", "EE243") in found
    assert ("records/a.json", "EE243") not in found


@pytest.mark.parametrize("limit", [1000, 10_000])
def test_records_that_are_nested_too_deep_are_only_that(repository, check, limit):
    """Whatever the limit of recursion is: libraries raise it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    deep = json.dumps(record(50, evaluation_id="a")).replace(
        '"Example Lab"', "[" * 1000 + "]" * 1000
    )
    write("records/new.json", deep)
    write("records/other.json", deep.replace('"a"', '"b"'))
    try:
        assert check() == (1, [("records/new.json", "F009"), ("records/other.json", "F009")])
    finally:
        sys.setrecursionlimit(before)


def test_a_copy_is_one_finding(repository, check):
    shutil.copy("records/3.json", "records/copy.json")
    assert check() == (1, [("records/copy.json", "EE243")])


# Companions


def test_changed_samples_bring_their_record(repository, check):
    write("samples/s_samples.jsonl", Path("samples/s_samples.jsonl").read_text() + "\n")
    assert check() == (
        1, [("samples/s.json", "EE313"), ("samples/s_samples.jsonl", "EE320")]
    )  # fmt: skip


def test_samples_of_another_name_bring_their_record(repository, check):
    data, rows = sampled(60, "rows/of-another.name.jsonl")
    write("samples/r.json", data)
    write("samples/rows/of-another.name.jsonl", rows)
    commit()
    git("checkout", "-qb", "later")
    write("samples/rows/of-another.name.jsonl", rows + "\n")
    assert ("samples/r.json", "EE313") in check("branch")[1]


def test_deleted_samples_bring_their_record(repository, check):
    Path("samples/s_samples.jsonl").unlink()
    assert check() == (0, [("samples/s.json", "EE319")])
    Path("samples/s.json").unlink()
    assert check() == (0, [])


def test_moved_samples_bring_their_record(repository, check):
    Path("samples/s_samples.jsonl").rename("samples/t_samples.jsonl")
    commit()
    assert check() == (0, [("samples/s.json", "EE319")])


def test_a_deleted_record_leaves_its_samples(repository, check, run):
    Path("samples/s.json").unlink()
    assert check() == (0, [("samples/s_samples.jsonl", "EE323")])
    told = run("evalmark", "check", "--changed", "main", "--format", "github").out
    assert "file=samples/s_samples.jsonl" in told.replace(os.sep, "/")
    assert "samples/s.json was deleted" in told.replace(os.sep, "/")


def test_a_record_that_names_other_samples_leaves_the_old_ones(repository, check):
    data, rows = sampled(100, "new_samples.jsonl")
    write("samples/s.json", data)
    write("samples/new_samples.jsonl", rows)
    assert check() == (0, [("samples/s_samples.jsonl", "EE323")])


def test_a_moved_record_that_has_lost_its_samples_is_one_finding(repository, check):
    Path("elsewhere").mkdir()
    Path("samples/s.json").rename("elsewhere/s.json")
    assert check() == (0, [("elsewhere/s.json", "EE319")])
    Path("samples/s_samples.jsonl").rename("elsewhere/s_samples.jsonl")
    assert check() == (0, [])


def test_samples_that_another_record_names_are_not_left(repository, check):
    data, _ = sampled(100, "s_samples.jsonl")
    write("samples/t.json", data)
    Path("samples/s.json").unlink()
    assert check() == (0, [])


def test_samples_that_a_record_elsewhere_names_are_not_left(repository, check):
    data, rows = sampled(100, "data/s_samples.jsonl")
    write("data/a/s.json", data)
    write("data/s_samples.jsonl", rows)
    commit()
    git("checkout", "-qb", "later")
    Path("data/b").mkdir()
    Path("data/a/s.json").rename("data/b/s.json")
    assert check("branch", "data/a") == (0, [])
    Path("data/b/s.json").unlink()
    assert check("branch", "data/a") == (0, [("data/s_samples.jsonl", "EE323")])


def test_a_fact_of_the_place_is_checked_after_a_move(repository, check):
    place = "data/agreement/example/model-1/3f2a1c0d-4b2e-4c1a-9f6d-1b7e5a2c8d40.json"
    write(place, record(60))
    commit()
    git("checkout", "-qb", "later")
    Path("data/agreement/example/model-2").mkdir()
    Path(place).rename(place.replace("model-1", "model-2"))
    assert ("EE403", place.replace("model-1", "model-2")) in [
        (code, path) for path, code in check("branch")[1]
    ]
