"""``check --changed BASE``: what a branch changes is checked, with the settings of the base."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from branch import commit, git, on_main, record, rescored, sampled, write
from conftest import FIXTURES, needs_links
from looping import loops_over

IMPOSSIBLE = (FIXTURES / "bad/SG206_sums.json").read_text(encoding="utf-8")
NOTHING = "No evaluation files have changed.\n"

pytest_plugins = ["branch"]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

# What has changed


def test_nothing_has_changed(repository, run):
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING)
    write("package.json", {"name": "other"})
    write("notes.txt", "changed")
    skipped = "Skipped 1 unrecognized file: package.json.\n"
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING + skipped)
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
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "Results: 1 removed. 1 record deleted.\n"
        "  records removed\n    records/1.json: example/model-1, 1 result\n"
    )
    assert run("evalmark", "check", "--changed", "main", "records/1.json").code == 0
    shutil.rmtree("records")
    assert run("evalmark", "check", "--changed", "main", "records").code == 0


def test_a_mode_is_not_a_change(repository, run):
    git("update-index", "--chmod=+x", "records/1.json")
    git("config", "core.fileMode", "false")
    commit()
    assert run("evalmark", "check", "--changed", "main") == (0, "", NOTHING)


def test_a_file_that_git_was_told_to_forget_is_still_there(repository, check):
    git("rm", "-q", "--cached", "records/1.json")
    assert check() == (0, [])
    write("records/1.json", record(2))
    assert check() == (1, [("records/1.json", "EE243")])


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
    done = run("evalmark", "check", "--changed", "main", "recrods", code=2)
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
    assert check() == (1, [("1.json", "F001"), ("new.json", "EE243")])
    assert check("main", "../suites") == (
        1,
        [("../suites/agreement.json".replace("/", os.sep), "F001")],
    )


def test_hidden_and_excluded_files_are_skipped_as_in_folders(repository, check):
    for path in (".github/new.json", "build/new.json", "records/.new.json", "drafts/new.json"):
        write(path, "{")
    on_main(lambda: write("evalmark.toml", 'exclude = ["drafts/*"]'))
    git("merge", "-q", "main")
    assert check() == (0, [])
    write(".github/new.json", '{"items": [], "predictions": [')
    assert check("main", ".github") == (1, [(".github/new.json", "F001")])


def test_ignored_rules_are_ignored(repository, check):
    write("records/new.json", record(1))
    assert check("main", "--ignore", "EE243") == (0, [])


@needs_links
def test_links(repository, check, run, tmp_path):
    (tmp_path / "secret").write_text("TOKEN=hunter2\n")
    Path("out.json").symlink_to(tmp_path / "secret")
    Path("inside.json").symlink_to("records/1.json")
    Path("broken.json").symlink_to("nowhere.json")
    links = [("broken.json", "F011"), ("inside.json", "F024"), ("out.json", "F011")]
    assert check() == (2, links)
    Path("records/2.json").unlink()
    Path("records/2.json").symlink_to(tmp_path / "secret")
    commit()
    assert check() == (2, [*links, ("records/2.json", "F011")])
    assert (
        "records/2.json: example/model-1, 1 result"
        in run("evalmark", "check", "--changed", "main").err
    )


@needs_links
def test_samples_bring_no_record_that_leads_out(repository, run, tmp_path):
    secret = json.dumps(record(3, evaluation_results="TOKEN=hunter2"))
    (tmp_path / "secret").write_text(secret)
    Path("records/r.json").symlink_to(tmp_path / "secret")
    write("records/r_samples.jsonl", Path("samples/s_samples.jsonl").read_text())
    done = run("evalmark", "check", "--changed", "main", "--format", "full")
    assert "F011" in done.out
    assert "hunter2" not in done.out
    assert "EE243" not in done.out
    assert "hunter2" not in run("evalmark", "check", "--changed", "main", "records/1.json").out


@needs_links
def test_a_file_that_became_a_link_is_deleted(repository, check):
    Path("records/1.json").unlink()
    Path("records/1.json").symlink_to("2.json")
    write("records/moved.json", record(1))
    assert check() == (0, [("records/1.json", "F024")])


def test_submodules_are_skipped(repository, run):
    git("init", "-q", "other.json")
    git("commit", "-q", "--allow-empty", "-m", "x", folder="other.json")
    git("add", "other.json")
    commit()
    done = run("evalmark", "check", "--changed", "main", "-v")
    assert (done.code, done.out) == (0, "")
    assert "other.json: skipped: a submodule" in done.err


def test_a_submodule_in_place_of_records_is_named(repository, run, check):
    git("rm", "-rq", "records")
    git("init", "-q", "records")
    git("commit", "-q", "--allow-empty", "-m", "x", folder="records")
    git("add", "records")
    commit()
    assert ("records", "F024") in check()[1]
    git("branch", "-qf", "main")
    git("commit", "-q", "--allow-empty", "-m", "y", folder="records")
    git("add", "records")
    done = run("evalmark", "check", "--changed", "main")
    told = "Skipped records (a submodule; check it in its own repository).\n"
    assert (done.code, done.err) == (0, told)


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


# Settings


def on_base(**files):
    """Files of the base; the branch begins anew."""
    for name, text in files.items():
        write(f"{name}.toml", text)
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "settings")
    git("branch", "-qf", "main")


WHOLE = 'profile = "eee"\n'
#: The settings of the base, those of the branch, and what these would hide.
HIDING = {
    "ignored": ({}, {"evalmark": 'ignore = ["EE243"]'}, "EE243"),
    "ignored here": ({}, {"evalmark": """[[per-file-ignores]]
files = "records/*"
rules = ["EE243"]
reason = "x"
"""}, "EE243"),
    "excluded": ({}, {"evalmark": 'exclude = ["records/*"]'}, "EE243"),
    "shadowed": ({"pyproject": f"[tool.evalmark]\n{WHOLE}"}, {"evalmark": "ignore = []"}, "EE412"),
    "deleted": ({"evalmark": WHOLE}, {"evalmark": None}, "EE412"),
    "profile": ({"evalmark": WHOLE}, {"evalmark": ""}, "EE412"),
    "models": ({}, {"evalmark": 'models = "any"'}, "SG206"),
    "join": ({}, {"evalmark": 'join = "none"'}, "SG206"),
    "never fails": ({}, {"evalmark": 'fail-on = "never"'}, "EE243"),
    "unreadable": ({}, {"evalmark": "ignore = ["}, ""),
    "a link": ({}, {"evalmark": "../nowhere.toml"}, ""),
    "unknown": ({"evalmark": WHOLE}, {"evalmark": "ignroe = []"}, ""),
}  # fmt: skip


@loops_over("before,after,hidden", HIDING.values())
def test_the_settings_of_the_base_hold(before, after, hidden, template, tmp_path, monkeypatch, run):
    shutil.copytree(template, tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    on_base(**before)
    write("records/new.json", record(3))
    write("suites/impossible.json", IMPOSSIBLE)
    for name, text in after.items():
        Path(f"{name}.toml").unlink(missing_ok=True)
        if text is not None:
            write(f"{name}.toml", text)
    commit()
    found = json.loads(run("evalmark", "check", "--changed", "main", "--format", "json").out)
    by_code = {finding["code"]: finding for finding in found["findings"]}
    assert {"EE243", "SG206"} <= by_code.keys(), "what the base finds is found"
    assert (by_code["F022"]["path"], by_code["F022"]["severity"]) == ("evalmark.toml", "error")
    assert (hidden or "cannot be used") in by_code["F022"]["message"]
    assert not hidden or by_code[hidden]["severity"] == "error"


def test_settings_of_a_nearer_folder_do_not_hold_either(repository, check, monkeypatch):
    write("records/new.json", record(3))
    write("records/evalmark.toml", 'ignore = ["EE243"]')
    commit()
    monkeypatch.chdir("records")
    assert check() == (1, [("evalmark.toml", "F022"), ("new.json", "EE243")])


def test_settings_that_hide_no_error_are_a_warning_and_under_a_profile_an_error(repository, check):
    write("records/new.json", record(77))
    write("evalmark.toml", 'ignore = ["EE232", "F022"]\n')
    commit()
    assert check() == (0, [("evalmark.toml", "F022")])
    code, found = check("main", "--profile", "eee")
    assert (code, ("evalmark.toml", "F022") in found) == (1, True)


def test_a_change_of_settings_alone_passes_and_says_what_it_hides(repository, run, check):
    on_base(evalmark='fail-on = "warning"\n')
    write("records/again.json", record(3))
    commit()
    git("branch", "-qf", "main")
    write("evalmark.toml", 'ignore = ["EE243"]\n')
    line = "this branch changes settings only, which hide 1 error: EE243 (1), in 1 file"
    for more in ([], ["--profile", "eee"]):
        done = run("evalmark", "check", "--changed", "main", *more)
        assert (done.code, done.out) == (0, "")
        assert done.err == f"note: evalmark.toml: {line}\n{NOTHING}"
    commit()
    git("branch", "-qf", "main")
    write("records/third.json", record(3))
    assert check() == (0, []), "now they hold"
    Path("records/third.json").unlink()
    git("rm", "-q", "evalmark.toml")
    assert "which hide nothing" in run("evalmark", "check", "--changed", "main").err
    write("evalmark.toml", "[")
    assert check() == (1, [("evalmark.toml", "F022")]), "that would end every check"


@pytest.mark.parametrize("rule", ["EE503", "required-field", "MT201"])
def test_a_retired_rule_is_no_slip_of_another_one(repository, run, rule):
    write("evalmark.toml", f'ignore = ["{rule}"]\n')
    write("records/new.json", record(77))
    told = run("evalmark", "check", "--changed", "main", code=1).out
    assert f"rule '{rule}' is retired: " in told
    assert "no longer checked" in told
    assert "did you mean" not in told


def test_another_file_does_not_make_a_change_of_settings_look_harmless(repository, run, check):
    write("records/again.json", record(3))
    on_base(evalmark="")
    write("evalmark.toml", 'ignore = ["EE243"]\n')
    write("README.md", "# Records\n")
    assert check() == (1, [("evalmark.toml", "F022")])
    write("records/third.json", record(3))
    told = run("evalmark", "check", "--changed", "main", "--format", "concise").out
    assert "would hide 2 errors: EE243 (2), in 2 files" in told


def test_a_base_with_settings_that_cannot_be_used_can_be_mended(repository, run):
    on_base(evalmark="ignore = [")
    write("evalmark.toml", 'ignore = ["EE243"]')
    write("records/new.json", record(3))
    done = run("evalmark", "check", "--changed", "main", "--format", "concise")
    assert (done.code, "EE243" in done.out, "F022" in done.out) == (1, True, True)
    assert "note: the settings of main cannot be used, so none hold: " in done.err


@needs_links
def test_links_in_the_base_lead_to_its_settings(repository, check):
    write("conf/shared.toml", WHOLE)
    Path("evalmark.toml").symlink_to("conf/shared.toml")
    commit()
    git("branch", "-qf", "main")
    write("conf/shared.toml", "ignore = []")
    write("records/new.json", record(77))
    commit()
    new = [("records/new.json", code) for code in ("EE401", "EE412")]
    assert check() == (1, [("evalmark.toml", "F022"), *new])


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("", "[tool.ruff]\nline-length = 99\n", []),
        ("[tool.evalmark]\n", "[tool.evalmark]\nignore = []\n", []),
        ("", "[tool.evalmark]\nignore = ['SG418']\n", [("pyproject.toml", "F022")]),
        ("[tool.evalmark]\nignore = ['SG418']\n", "", [("pyproject.toml", "F022")]),
        ("[", "[tool.evalmark]\nignore = ['SG418']\n", [("pyproject.toml", "F022")]),
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


def test_settings_of_other_folders_do_not_count(repository, check):
    write("other/evalmark.toml", 'ignore = ["EE201"]\n')
    write("records/new.json", record(77))
    commit()
    assert check() == (0, [])


# Fixing


def test_only_changed_files_are_fixed(repository, run):
    for name in ("old", "new"):
        data, rows = sampled(60 if name == "old" else 61, f"{name}_samples.jsonl")
        data["source_metadata"]["source_organization_url"] = "www.lab.example"
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


# Options


def test_standard_input_has_no_history(repository, run):
    done = run("evalmark", "check", "--changed", "main", "-")
    assert done == (2, "", "evalmark: --changed compares files; it does not read standard input\n")


def test_nothing_is_asked(repository, refused):
    assert "give files or folders, --changed or --paths-from" in refused("evalmark", "check")


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
