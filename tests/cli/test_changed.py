"""``check --changed BASE``: what a branch changes, compared with all files of the base."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_links
from evalmark.validator.batch import check_changed as base_index

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

GOOD = FIXTURES / "good"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
NOTHING = "No evaluation files have changed.\n"
#: The empty tree, which every repository has.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def git(*arguments, folder="."):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(message="change"):
    git("add", "-A")
    git("commit", "-qm", message)


def write(path, data):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    text = data if isinstance(data, str) else json.dumps(data, indent=2)
    Path(path).write_text(text, encoding="utf-8")


def record(number, **changes):
    """A record with an id and a score of its own."""
    data = json.loads((GOOD / "record.json").read_text(encoding="utf-8"))
    data["evaluation_id"] = f"agreement/example/model-1/{1760000000 + number}"
    data["retrieved_timestamp"] = str(1760000000 + number)
    data["evaluation_results"][0]["score_details"]["score"] = number / 10_000
    return {**data, **changes}


def rescored(number):
    """The record with another score."""
    data = record(number)
    data["evaluation_results"][0]["score_details"]["score"] = 0.5
    return data


def sampled(number, name):
    """A record with its sample file, as a text."""
    data = json.loads((GOOD / "with_samples.json").read_text(encoding="utf-8"))
    rows = (GOOD / "with_samples_samples.jsonl").read_text(encoding="utf-8")
    new = f"agreement-samples/example/model-1/{1760000000 + number}"
    rows = rows.replace(data["evaluation_id"], new)
    data |= {"evaluation_id": new, "retrieved_timestamp": str(1760000000 + number)}
    checksum = hashlib.sha256(rows.encode()).hexdigest()
    data["detailed_evaluation_results"] |= {"file_path": name, "checksum": checksum}
    return data, rows


def suite(name):
    data = json.loads((GOOD / "suite.json").read_text(encoding="utf-8"))
    data["meta"]["name"] = name
    return data


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Ten records, a suite and a record with samples on main; the branch is new."""
    root = tmp_path_factory.mktemp("template")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            patch.delenv(name, raising=False)
        patch.chdir(root)
        git("init", "-q", "-b", "main")
        for number in range(10):
            write(f"records/{number}.json", record(number))
        write("suites/agreement.json", suite("agreement"))
        data, rows = sampled(100, "s_samples.jsonl")
        write("samples/s.json", data)
        write("samples/s_samples.jsonl", rows)
        write("package.json", {"name": "agreement"})
        commit("base")
        git("checkout", "-qb", "branch")
    return root


@pytest.fixture
def repository(template, tmp_path, monkeypatch):
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repository"
    shutil.copytree(template, root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def check(run):
    """``check("main", …)`` → the code, and (path, code of the rule) of each finding."""

    def checker(base="main", *arguments):
        done = run("evalmark", "check", "--changed", base, "--format", "json", *arguments)
        assert done.out, done.err
        found = json.loads(done.out)["findings"]
        return done.code, sorted((finding["path"], finding["code"]) for finding in found)

    return checker


def on_main(change):
    """Something happens on main after the branch was made."""
    git("checkout", "-q", "main")
    change()
    commit("meanwhile")
    git("checkout", "-q", "branch")


# What has changed


def test_nothing_has_changed(repository, run):
    done = run("evalmark", "check", "--changed", "main")
    assert done == (0, "", NOTHING)
    write("package.json", {"name": "other"})
    write("notes.txt", "changed")
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING)
    assert json.loads(run("evalmark", "check", "--changed", "main", "--format", "json").out)


@pytest.mark.parametrize("how", ["committed", "staged", "unstaged", "untracked"])
def test_a_change_counts_wherever_it_is(repository, check, how):
    path = "new.json" if how == "untracked" else "records/1.json"
    write(path, {**record(99), "evaluation_results": []})
    if how == "staged":
        git("add", "-A")
    if how == "committed":
        commit()
    assert check() == (0, [(path, "EE232")])


def test_ignored_files_do_not_count(repository, check):
    write(".gitignore", "run/\n")
    write("run/new.json", record(1))
    assert check() == (0, [])


def test_only_changed_files_are_checked(repository, check):
    write("records/old.json", record(50, evaluation_results=[]))
    commit()
    write("records/new.json", "{")
    assert check("branch") == (1, [("records/new.json", "F001")])
    assert check() == (1, [("records/new.json", "F001"), ("records/old.json", "EE232")])


def test_a_pull_request_that_only_deletes(repository, check, run):
    git("rm", "-q", "records/1.json")
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING)
    assert run("evalmark", "check", "--changed", "main", "records/1.json").code == 0
    shutil.rmtree("records")
    assert run("evalmark", "check", "--changed", "main", "records") == (0, "", NOTHING)


def test_a_mode_is_not_a_change(repository, run):
    git("update-index", "--chmod=+x", "records/1.json")
    git("config", "core.fileMode", "false")
    commit()
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING)


def test_a_file_that_git_was_told_to_forget_is_still_there(repository, check):
    git("rm", "-q", "--cached", "records/1.json")
    assert check() == (0, [])
    write("records/1.json", record(2))
    assert check() == (1, [("records/1.json", "EE230")])


def test_a_conflict_is_a_change(repository, check):
    write("records/1.json", record(50))
    commit()
    on_main(lambda: write("records/1.json", record(51)))
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "main")
    assert check() == (1, [("records/1.json", "F001")])


@pytest.mark.parametrize("folder", ["records/", "records/1.json", "records/1.json records/2.json"])
def test_paths_limit_what_is_checked(repository, check, folder):
    write("records/1.json", "{")
    write("other/2.json", "{")
    assert check("main", *folder.split()) == (1, [("records/1.json", "F001")])


def test_a_path_that_does_not_exist_is_a_mistake(repository, run):
    done = run("evalmark", "check", "--changed", "main", "recrods")
    assert done.code == 2
    assert done.err == (
        "evalmark: recrods: no such file or folder, and nothing in it has changed\n"
    )
    outside = run("evalmark", "check", "--changed", "main", "..")
    assert (outside.code, outside.err.count("is outside the git repository")) == (2, 1)


def test_a_subfolder_stands_for_itself(repository, check, monkeypatch):
    write("records/1.json", "{")
    write("suites/agreement.json", "{")
    write("records/new.json", rescored(3))
    monkeypatch.chdir("records")
    assert check() == (1, [("1.json", "F001"), ("new.json", "EE230")])
    assert check("main", "../suites") == (
        1,
        [("../suites/agreement.json".replace("/", os.sep), "F001")],
    )


def test_hidden_and_excluded_files_are_skipped_as_in_folders(repository, check):
    for path in (".github/new.json", "build/new.json", "records/.new.json", "drafts/new.json"):
        write(path, "{")
    write("evalmark.toml", 'exclude = ["drafts/*"]')
    assert check() == (0, [])
    assert check("main", ".github") == (1, [(".github/new.json", "F001")])


def test_ignored_rules_are_ignored(repository, check):
    write("records/new.json", record(1))
    assert check("main", "--ignore", "EE230") == (0, [])


@needs_links
def test_links(repository, check, tmp_path):
    (tmp_path / "secret").write_text("TOKEN=hunter2\n")
    Path("out.json").symlink_to(tmp_path / "secret")
    Path("inside.json").symlink_to("records/1.json")
    Path("broken.json").symlink_to("nowhere.json")
    assert check() == (2, [("broken.json", "F011"), ("out.json", "F011")])
    commit()
    assert check() == (2, [("broken.json", "F011"), ("out.json", "F011")])


@needs_links
def test_samples_bring_no_record_that_leads_out(repository, run, tmp_path):
    secret = json.dumps(record(3, evaluation_results="TOKEN=hunter2"))
    (tmp_path / "secret").write_text(secret)
    Path("records/r.json").symlink_to(tmp_path / "secret")
    write("records/r_samples.jsonl", Path("samples/s_samples.jsonl").read_text())
    done = run("evalmark", "check", "--changed", "main", "--format", "full")
    assert "F011" in done.out
    assert "hunter2" not in done.out
    assert "EE230" not in done.out
    assert "hunter2" not in run("evalmark", "check", "--changed", "main", "records/1.json").out


@needs_links
def test_a_file_that_became_a_link_is_deleted(repository, check):
    Path("records/1.json").unlink()
    Path("records/1.json").symlink_to("2.json")
    write("records/moved.json", record(1))
    assert check() == (0, [])


def test_submodules_are_skipped(repository, run):
    git("init", "-q", "other.json")
    git("commit", "-q", "--allow-empty", "-m", "x", folder="other.json")
    git("add", "other.json")
    commit()
    done = run("evalmark", "check", "--changed", "main", "-v")
    assert (done.code, done.out) == (0, "")
    assert "other.json: skipped: a submodule" in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow these names")
def test_hostile_names(repository, check):
    names = ["a\nb.json", 'a"b.json', "-rf.json", "--output=x.json", ":(top)*.json", "a\tb.json"]
    names += [os.fsdecode(b"\xff\xfe.json")]
    for number, name in enumerate(names):
        write(Path("new") / name, {**record(20 + number), "evaluation_results": []})
    commit()
    code, found = check()
    assert code == 0
    shown = sorted(f"new/{name}" for name in names)
    assert [path.encode("utf-8", "surrogateescape") for path, _ in found] == [
        path.encode("utf-8", "surrogateescape") for path in shown
    ]
    assert check("main", "new/:(top)*.json")[1] == [("new/:(top)*.json", "EE232")]


# Ids


def test_an_id_of_the_base_is_found_and_the_difference_is_told(repository, run):
    write("records/new.json", rescored(3))
    done = run("evalmark", "check", "--changed", "main", "--format", "full")
    assert done.code == 1
    assert "duplicate evaluation id: also in main:records/3.json" in done.out
    assert "the two records differ in /evaluation_results/0/score_details/score" in done.out


def test_an_id_that_the_base_has_gained_since_is_found(repository, check):
    write("records/new.json", record(50))
    commit()
    assert check() == (0, [])
    on_main(lambda: write("records/theirs.json", record(50)))
    assert check() == (1, [("records/new.json", "EE230")])


def test_a_changed_record_keeps_its_id(repository, check):
    write("records/1.json", rescored(1))
    write("records/2.json", rescored(3))
    assert check() == (1, [("records/2.json", "EE230")])


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
    assert check() == (1, [("records/other.json", "EE230")])
    # Also if only one of them is asked for.
    assert check("main", "records/new.json") == (1, [("records/new.json", "EE230")])


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
    assert check() == (1, [("records/new.json", "EE230")])


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
    assert check("branch") == (1, [("records/new.json", "EE230")])


def test_excluded_files_of_the_base_have_no_id(repository, check):
    write("records/new.json", record(3))
    assert check()[0] == 1
    write("evalmark.toml", 'exclude = ["records/3.json"]')
    assert check() == (0, [])


# Settings


def test_a_branch_cannot_hide_that_it_changes_its_settings(repository, check, run):
    write("records/new.json", record(3))
    write("evalmark.toml", 'ignore = ["EE230", "F022"]\n')
    commit()
    assert check() == (0, [("evalmark.toml", "F022")])
    told = run("evalmark", "check", "--changed", "main", "--format", "markdown").out
    assert "this branch changes the settings that it is checked with" in told
    assert "git diff main... -- evalmark.toml" in told
    git("checkout", "-q", "-B", "main")
    git("rm", "-q", "evalmark.toml")
    assert ("evalmark.toml", "F022") in check()[1], "nor that it removes them"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("", "[tool.ruff]\nline-length = 99\n", []),
        ("[tool.evalmark]\n", "[tool.evalmark]\nignore = []\n", [("pyproject.toml", "F022")]),
        ("[tool.evalmark]\nignore = []\n", "", [("pyproject.toml", "F022")]),
        ("[", '[tool.evalmark]\nignore = []\n', [("pyproject.toml", "F022")]),
    ],
)  # fmt: skip
def test_a_pyproject_is_compared_by_its_settings(repository, check, before, after, found):
    write("pyproject.toml", before)
    commit()
    git("branch", "-qf", "main")
    write("pyproject.toml", after)
    write("records/new.json", record(77))
    commit()
    assert check() == (0, found)


def test_a_changed_schema_of_the_settings_and_settings_of_other_folders(repository, check):
    write("evalmark.toml", '[[schemas]]\nfiles = "records/*"\nschema = "own.schema.json"\n')
    draft = {"$schema": "http://json-schema.org/draft-07/schema#"}
    write("own.schema.json", draft | {"required": ["schema_version"]})
    commit()
    git("branch", "-qf", "main")
    write("own.schema.json", draft)
    write("other/evalmark.toml", 'ignore = ["EE201"]\n')
    write("records/new.json", record(77))
    commit()
    assert check() == (0, [("own.schema.json", "F022")])


# Duplicates


def test_a_record_that_was_submitted_twice(repository, check, run):
    again = {**record(50), "evaluation_results": record(3)["evaluation_results"]}
    write("records/new.json", again)
    assert check() == (0, [("records/new.json", "EE234")])
    told = run("evalmark", "check", "--changed", "main", "--format", "concise").out
    assert "duplicate record: equals main:records/3.json except for its ids" in told
    # Another run has another time, another set-up or another score.
    write("records/new.json", {**again, "evaluation_timestamp": "1760000000"})
    assert check() == (0, [])
    write("records/new.json", {**again, "model_info": {**again["model_info"], "name": "M"}})
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
    _, found = check("branch", "--show-all")
    assert [code for _, code in found if code in ("EE230", "EE234")] == ["EE234"] * wanted
    assert wanted >= 3


def test_two_new_records_of_one_evaluation(repository, check):
    write("records/new.json", record(50))
    write(
        "records/other.json", {**record(51), "evaluation_results": record(50)["evaluation_results"]}
    )
    assert check() == (0, [("records/other.json", "EE234")])


def test_new_records_with_equal_scores_are_told_apart(repository, check):
    """The second one repeats a record of the base; the first one is of another library."""
    results = record(3)["evaluation_results"]
    write("records/a.json", record(50, evaluation_results=results, eval_library={"name": "x"}))
    write("records/b.json", record(51, evaluation_results=results))
    _, found = check()
    assert ("records/b.json", "EE234") in found
    assert ("records/a.json", "EE234") not in found


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
    assert check() == (1, [("records/copy.json", "EE230")])


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


# Fixing


def test_only_changed_files_are_fixed(repository, run):
    for name in ("old", "new"):
        data, rows = sampled(60 if name == "old" else 61, f"{name}_samples.jsonl")
        data["source_metadata"]["source_organization_url"] = "www.example.org"
        write(f"samples/{name}.json", data)
        write(f"samples/{name}_samples.jsonl", rows)
        if name == "old":
            commit()
            git("checkout", "-qb", "later")
    write("samples/old_samples.jsonl", Path("samples/old_samples.jsonl").read_text() + "\n")
    done = run("evalmark", "check", "--changed", "branch", "--fix", "--unsafe-fixes")
    assert "www." in Path("samples/old.json").read_text()
    assert "https://www." in Path("samples/new.json").read_text()
    assert "samples/old.json" in done.out.replace(os.sep, "/")  # it is told


# What git cannot answer


def test_outside_a_repository(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    done = run("evalmark", "check", "--changed", "main")
    assert done == (2, "", "evalmark: the current folder is not in a git repository\n")


def test_without_git(repository, run, monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "evalmark: git is not installed, or not on the PATH; changes are found with it\n"
    )


def test_a_repository_of_somebody_else(repository, run, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "dubious ownership" in done.err
    assert "git config --global --add safe.directory" in done.err


def test_outside_a_working_tree(repository, run, monkeypatch):
    monkeypatch.chdir(".git")
    done = run("evalmark", "check", "--changed", "main")
    assert done == (
        2, "",
        "evalmark: the current folder is a git repository without a working tree, whose settings "
        "could run commands: change to a working tree\n",
    )  # fmt: skip


def test_git_in_the_repository_is_not_run(repository, run, monkeypatch):
    write("git", "#!/bin/sh\ntouch owned\n")
    Path("git").chmod(0o755)
    monkeypatch.setenv("PATH", str(repository))
    assert run("evalmark", "check", "--changed", "main").code == 2
    assert not Path("owned").exists()


@pytest.mark.parametrize(
    "base", ["nowhere", "--output=owned", "--upload-pack=touch owned", "", "a\nb", "main..branch"]
)
def test_a_base_that_does_not_exist(repository, run, base):
    done = run("evalmark", "check", f"--changed={base}")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("evalmark: git finds no commit ")
    assert done.err.count("\n") == 1
    assert not Path("owned").exists()


def test_the_empty_tree_is_a_base(repository, check, run):
    write("records/new.json", record(3))
    assert check(EMPTY_TREE) == (1, [("records/new.json", "EE230")])
    first = git("rev-list", "--max-parents=0", "HEAD")
    assert check(first) == (1, [("records/new.json", "EE230")])


def test_a_branch_without_a_commit(repository, check, run):
    git("checkout", "-q", "--orphan", "unborn")
    done = run("evalmark", "check", "--changed", "main")
    assert done == (2, "", "evalmark: the current branch has no commit yet: commit first\n")
    write("records/new.json", record(3))
    assert check(EMPTY_TREE) == (1, [("records/new.json", "EE230")])


def test_unrelated_histories(repository, run):
    git("checkout", "-q", "--orphan", "other")
    commit()
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, done.out) == (2, "")
    assert "'main' and HEAD have no commit in common: their histories are unrelated" in done.err


def test_a_shallow_clone(repository, run, tmp_path, monkeypatch):
    write("records/new.json", record(3))
    commit()
    write("records/newer.json", record(4))
    commit()
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth=1", "-b", "branch", repository.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    unknown = run("evalmark", "check", "--changed", "origin/main")
    assert (unknown.code, unknown.err.count("fetch it first")) == (2, 1)
    git("fetch", "-q", "--depth=1", "origin", "main")
    done = run("evalmark", "check", "--changed", "FETCH_HEAD")
    assert (done.code, done.out) == (2, "")
    assert "this clone is shallow; fetch the whole history with `git fetch --unshallow`" in done.err


def test_a_shallow_clone_of_a_merge_knows_the_parents_of_the_merge(
    repository, check, tmp_path, monkeypatch
):
    """What GitHub checks out: a merge of the base and the branch, without any history."""
    write("records/new.json", record(50))
    commit()
    on_main(lambda: write("records/theirs.json", record(50)))
    git("merge", "-q", "--no-edit", "main")
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth=1", "-b", "branch", repository.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    git("fetch", "-q", "--depth=1", "origin", "main")
    assert check("FETCH_HEAD") == (1, [("records/new.json", "EE230")])


def test_a_base_whose_files_are_missing(repository, run):
    write("records/new.json", record(50))
    commit()
    on_main(lambda: write("records/theirs.json", record(51)))
    blob = git("rev-parse", "main:records/theirs.json")
    path = Path(f".git/objects/{blob[:2]}/{blob[2:]}")
    path.chmod(0o644)
    path.unlink()
    done = run("evalmark", "check", "--changed", "main")
    assert done.code == 2
    assert done.out.startswith("records/theirs.json:1:1: error[F011] cannot be compared with")


# Options


def test_standard_input_has_no_history(repository, run):
    done = run("evalmark", "check", "--changed", "main", "-")
    assert done == (2, "", "evalmark: --changed compares files; it does not read standard input\n")


def test_nothing_is_asked(repository, run):
    done = run("evalmark", "check")
    assert (done.code, done.out) == (2, "")
    assert "give files or folders, --changed or --paths-from" in done.err


def test_workers_find_the_same(repository, check, monkeypatch):
    monkeypatch.setattr("evalmark.validator.batch.check_files.ENOUGH", 1)
    write("records/new.json", record(3))
    write("samples/s_samples.jsonl", Path("samples/s_samples.jsonl").read_text() + "\n")
    alone, together = (check("main", "--jobs", str(jobs)) for jobs in (1, 2))
    assert alone == together
    assert len(alone[1]) == 3


def test_the_verbose_check_says_what_was_compared(repository, run):
    write("records/new.json", record(50))
    done = run("evalmark", "check", "--changed", "main", "-v")
    assert f"1 files changed since {git('rev-parse', 'main')[:12]}\n" in done.err
    assert "compared with 13 files of main" in done.err


# --paths-from


@pytest.mark.parametrize("separator", ["\0", "\n", "\r\n"])
@pytest.mark.parametrize("ended", [True, False])
def test_a_list_of_paths(repository, run, separator, ended):
    names = ["records/1.json", "suites", "records/2.json"]
    text = separator.join(names) + (separator if ended else "")
    write("list", text)
    for listed, stdin in (("list", b""), ("-", text.encode())):
        done = run("evalmark", "check", "--paths-from", listed, stdin=stdin)
        assert (done.code, done.err) == (0, "Checked 3 files: no findings.\n")


def test_names_in_a_list_are_only_names(repository, run):
    names = ["-", "--fix", "-rf.json"]
    shutil.copy(WARNING, "-rf.json")
    done = run("evalmark", "check", "--paths-from", "-", stdin="\n".join(names).encode())
    assert done.code == 2
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["./-", "--fix", "-rf.json"]


def test_an_empty_list(repository, run):
    assert run("evalmark", "check", "--paths-from", "-", stdin=b"") == (
        0,
        "",
        "The list is empty.\n",
    )
    done = run("evalmark", "check", "--paths-from", "nowhere")
    assert (done.code, done.err) == (2, "evalmark: nowhere: No such file or directory\n")
    for more in (["records"], ["--changed", "main"]):
        done = run("evalmark", "check", "--paths-from", "list", *more)
        assert done == (2, "", "evalmark: --paths-from excludes arguments and --changed\n")


def test_results_in_the_repository_of_a_model_are_checked_although_they_are_hidden(
    tmp_path, monkeypatch, run
):
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    entry = "- dataset: {{id: cais/hle, task_id: hle}}\n  value: {}\n"
    write(".eval_results/hle.yaml", entry.format(3))
    write(".cache/hle.yaml", entry.format(3))
    commit()
    git("checkout", "-qb", "change")
    for folder in (".eval_results", ".cache"):
        write(f"{folder}/hle.yaml", entry.format(300))
    commit()
    for what in (["--changed", "main"], ["."]):
        done = run("evalmark", "check", "--format", "concise", *what)
        (line,) = done.out.splitlines()
        assert os.path.normpath(line.partition(":")[0]) == str(Path(".eval_results/hle.yaml"))


# Partial clones


@pytest.fixture
def partial(repository, tmp_path, monkeypatch):
    """A clone without the blobs that its checkout does not need, and where its remote lies."""
    git("config", "uploadpack.allowFilter", "true")

    def meanwhile():
        write("records/3.json", rescored(3))
        write("records/30.json", record(30))

    git("checkout", "-q", "main")
    write("evalmark.toml", 'ignore = ["SG302"]\n')
    commit("settings")
    git("checkout", "-qB", "branch")
    write("records/1.json", rescored(1))
    write("records/31.json", record(31))
    write("pyproject.toml", "[project]\n")
    write("evalmark.toml", 'ignore = ["F022"]\n')
    commit("branch")
    on_main(meanwhile)
    url = f"file://{repository}"
    git("clone", "-q", "--filter=blob:none", "-b", "branch", url, "clone", folder=tmp_path)
    monkeypatch.chdir(tmp_path / "clone")
    return repository


LACKS = "cannot be compared with its content on origin/main, which this clone lacks"


def test_what_a_partial_clone_lacks_is_a_finding_of_its_file_and_nothing_is_fetched(partial, run):
    """git would ask the remote for each of them; a file of the base is one finding."""
    before = sorted(Path(".git/objects").rglob("*"))
    log = partial.parent / "log"
    git("config", "remote.origin.uploadpack", f"touch {log}; git-upload-pack")
    git("config", "protocol.file.allow", "always")
    done = run("evalmark", "check", "--changed", "origin/main", "--format", "json")
    assert done.code == 2, done.err
    found = json.loads(done.out)["findings"]
    *records, settings = sorted(found, key=lambda one: one["code"])
    assert [(one["path"], one["code"]) for one in records] == [
        ("records/1.json", "F011"), ("records/3.json", "F011"), ("records/30.json", "F011"),
    ]  # fmt: skip
    assert {one["message"] for one in records} == {LACKS}
    assert all(one["helps"] == ["fetch it: `git fetch --refetch --no-filter`"] for one in records)
    # What settings cannot hide is not hidden by what is lacking either.
    assert (settings["path"], settings["code"]) == ("evalmark.toml", "F022")
    assert "may change the settings" in settings["message"]
    assert not log.exists()
    assert sorted(Path(".git/objects").rglob("*")) == before


def test_what_the_finding_says_to_fetch_is_all_that_is_needed(partial, check):
    git("fetch", "-q", "--refetch", "--no-filter")
    assert check("origin/main") == (0, [("evalmark.toml", "F022")])


def test_a_partial_clone_of_a_remote_that_is_gone_is_checked(partial, check):
    partial.rename(partial.parent / "gone")
    code, found = check("origin/main")
    assert code == 2
    assert [rule for _, rule in found].count("F011") == 3


def test_a_clone_without_trees_is_one_line_with_what_to_do(partial, run, tmp_path, monkeypatch):
    url = f"file://{partial}"
    git("clone", "-q", "--filter=tree:0", "-b", "branch", url, "bare", folder=tmp_path)
    monkeypatch.chdir(tmp_path / "bare")
    done = run("evalmark", "check", "--changed", "origin/main")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert (
        "this is a partial clone: fetch what it lacks: `git fetch --refetch --no-filter`"
        in done.err
    )


# git runs nothing that files of the folder, or the settings of a repository, name


@pytest.fixture
def command(tmp_path):
    """A command for a setting of git, and where it leaves its mark."""
    return f"touch '{(tmp_path / 'ran').as_posix()}'; false", tmp_path / "ran"


def test_a_bare_repository_among_the_files_is_none(repository, run, monkeypatch, command):
    """Any commit can bring one, and its settings: git itself would use them in this folder."""
    for name in ("HEAD", "index", "objects", "refs"):
        source = repository / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repository / "suites" / name)
    (repository / "suites/config").write_text(
        f'[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "{command[0]}"\n'
    )
    monkeypatch.chdir("suites")
    done = run("evalmark", "check", "--changed", "main")
    assert not command[1].exists()
    assert (done.code, done.out) == (2, "")
    assert "is a git repository without a working tree" in done.err


def test_the_file_system_monitor_of_a_repository_is_not_run(repository, check, command):
    git("config", "core.fsmonitor", command[0])
    write("suites/new.json", suite("new"))
    assert check() == (0, [])
    assert not command[1].exists()
