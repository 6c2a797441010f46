"""Results that state no time: it is supplied, or that of a commit, and never called another's."""

import json
import shutil
import time

import pytest
from branch import git
from evalmark.validator.io.git import Repository
from test_results import SOURCES

OLD = SOURCES["lm_eval_0_3"]
METRIC = "--set=/evaluation_results/*/metric_config/lower_is_better=false"
COMMITTED = 1_700_000_000


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{COMMITTED} +0000")
    folder = tmp_path / "repository"
    folder.mkdir()
    shutil.copy(OLD, folder / "colours.json")
    git("init", "-q", folder=folder)
    git("add", "-A", folder=folder)
    git("commit", "-qm", "results", folder=folder)
    return folder


@pytest.fixture
def tokyo(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs tzset")
def test_a_time_without_a_zone_is_in_utc(run, tmp_path, tokyo):
    """Else the record would depend on the machine that makes it."""
    _, (record,) = converted(run, SOURCES["lighteval"], tmp_path)
    assert record["evaluation_timestamp"] == "1795338157"


def converted(run, path, folder, *options):
    outcome = run("evalmark", "convert", path, "-o", folder, METRIC, *options)
    records = [json.loads(file.read_text("utf-8")) for file in folder.rglob("*.json")]
    return outcome, records


def test_a_time_of_retrieval_is_not_one_of_an_evaluation(run, tmp_path):
    outcome, records = converted(run, OLD, tmp_path, f"--set=/retrieved_timestamp={COMMITTED}")
    assert "retrieved_timestamp is as supplied" in outcome.err
    assert [record["retrieved_timestamp"] for record in records] == [str(COMMITTED)] * 2
    assert not any("evaluation_timestamp" in record for record in records)


def test_committed_results_have_the_time_of_their_commit(repository, run, tmp_path):
    outcome, records = converted(run, repository / "colours.json", tmp_path / "out")
    commit = git("rev-parse", "HEAD", folder=repository)[:10]
    assert "retrieved_timestamp is the time of their newest commit" in outcome.err
    for record in records:
        assert record["retrieved_timestamp"] == str(COMMITTED)
        assert "evaluation_timestamp" not in record
        assert record["source_metadata"]["additional_details"]["retrieved"] == f"commit {commit}"


@pytest.mark.parametrize("change", ["edited", "shallow", "untracked"])
def test_a_commit_that_may_not_be_that_of_the_results_says_nothing(
    change, repository, run, tmp_path
):
    path = repository / "colours.json"
    if change == "edited":
        path.write_text(path.read_text("utf-8").replace("12.5", "12.6"), encoding="utf-8")
    elif change == "untracked":
        path = path.rename(repository / "others.json")
    else:
        git("clone", "-q", "--depth=1", f"file://{repository}", "clone", folder=tmp_path)
        path = tmp_path / "clone/colours.json"
    outcome, records = converted(run, path, tmp_path / "out")
    assert outcome.code == 1
    assert "once for all of them, with --set /evaluation_timestamp=VALUE" in outcome.err
    assert records == []


def test_a_time_that_results_state_is_not_replaced(run, tmp_path):
    _, records = converted(run, SOURCES["inspect"], tmp_path, "--set=/evaluation_timestamp=1")
    (record,) = records
    assert record["evaluation_timestamp"] == "1767323046"


def test_results_that_are_a_whole_repository_have_a_newest_commit(repository):
    commit = Repository(str(repository)).newest(str(repository))
    assert commit is not None
    assert commit.time == COMMITTED
    (repository / "untracked.json").touch()
    assert Repository(str(repository)).newest(str(repository)) is None
