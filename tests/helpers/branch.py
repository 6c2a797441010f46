"""A branch in a git repository: what the tests of ``check --changed`` share, as a plugin."""

import hashlib
import json
import shutil
import subprocess

import pytest
from conftest import FIXTURES, file_at

GOOD = FIXTURES / "good"


def git(*arguments, folder="."):
    who = ("-c", "user.name=a", "-c", "user.email=a@lab.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(message="change"):
    git("add", "-A")
    git("commit", "-qm", message)


def write(path, data):
    file_at(path, data if isinstance(data, str) else json.dumps(data, indent=2))


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
        git("config", "user.email", "a@lab.example")
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
