"""Runs that a page asks for: the numbers of `evalmark score`, stopped and resumed."""

import json
import shutil
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, file_at
from evalmark.schemas.errors import RequestRefused, UnknownNameError
from evalmark.workbench.runs import scoring_runs
from evalmark.workbench.runs.item_surprisals import ModelKeeper
from evalmark.workbench.runs.run_results import LISTED, report, result
from evalmark.workbench.runs.scoring_runs import ENDED, ScoringRequest, ScoringRuns
from evalmark.workbench.runs.served_models import known_models
from evalmark.workbench.served_folder import ServedFolder
from killing import files_in
from run_data import suites_of, table, view_of

STUBS = Path(__file__).parent / "stubs"
SUITE = FIXTURES / "good/suite.json"


@pytest.fixture
def place(tmp_path):
    folder = ServedFolder(tmp_path / "served")
    folder.root.mkdir()
    shutil.copy(SUITE, folder.root / "suite.json")
    (folder.root / "evalmark.toml").write_text(
        '[record]\norganization = "us"\nrelationship = "other"\n[score]\npack-tokens = 16\n'
    )
    return folder


def until(runs, name, states):
    """The state of a run once it is one of these. Nothing is said about how long that takes."""
    while (found := runs.state(name))["state"] not in states:
        assert found["state"] not in ENDED, found
        time.sleep(0.01)
    return found


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(STUBS))
    monkeypatch.setattr(scoring_runs, "MODULE", "stub_of_scoring")


@pytest.fixture
def runs(place):
    found = ScoringRuns(place)
    yield found
    found.close()


def begin(runs, model, content=None):
    return runs.start(ScoringRequest(model, "suite.json", "core", content))["id"]


def ended(runs, name):
    """Wait until the process of a run has ended."""
    while runs._run(name).child is not None:
        time.sleep(0.01)


def test_a_run_says_how_far_it_is(stub, runs, place):
    name = begin(runs, "quick")
    found = until(runs, name, {"done"})
    assert (found["done"], found["total"]) == (10, 10)
    assert found["result"] == f"results/{name}"
    ended(runs, name)


def test_runs_go_on_where_what_was_asked_for_cannot_be_removed(stub, runs, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(scoring_runs, "remove_superseded", refused)
    for name in [begin(runs, "quick"), begin(runs, "quick")]:
        until(runs, name, {"done"})
        ended(runs, name)


def test_a_run_stops_and_resumes(stub, runs, place):
    name = begin(runs, "slow")
    assert until(runs, name, {"running"})["done"] == 1
    assert runs.stop(name)["state"] == "stopped"
    ended(runs, name)
    assert runs.state(name)["state"] == "stopped"
    assert runs.resume(name)["state"] == "waiting"
    until(runs, name, {"done"})
    assert (place.root / "results" / name / "begun").read_text() == "xx"


def test_one_run_at_a_time(stub, runs):
    first, second = begin(runs, "slow"), begin(runs, "quick")
    until(runs, first, {"running"})
    assert runs.state(second)["state"] == "waiting"
    assert [run["id"] for run in runs.listing()] == sorted([first, second])
    runs.stop(first)
    until(runs, second, {"done"})


def test_a_waiting_run_can_be_stopped(stub, runs):
    first, second = begin(runs, "slow"), begin(runs, "slow")
    until(runs, first, {"running"})
    assert runs.stop(second)["state"] == "stopped"
    runs.stop(first)
    ended(runs, first)
    assert runs.state(second)["state"] == "stopped"


@pytest.mark.parametrize(
    ("model", "reason"),
    [("crash", "the process ended with exit code 3"), ("refuse", "s.json: SG414 no text")],
)
def test_a_run_that_fails_says_why(stub, runs, model, reason):
    assert until(runs, begin(runs, model), {"failed"})["message"] == reason


def test_a_new_server_resumes_what_the_old_one_left(stub, runs, place):
    name = begin(runs, "slow")
    until(runs, name, {"running"})
    runs.close()
    later = ScoringRuns(place)
    (found,) = later.listing()
    assert (found["id"], found["state"], found["model"]) == (name, "stopped", "slow")
    later.resume(name)
    until(later, name, {"done"})
    ended(later, name)
    later.close()


@pytest.fixture
def left(place):
    """The file of a run that an earlier server may have left, or anybody else."""
    (place.root / "results").mkdir()

    def put(content):
        if isinstance(content, dict):
            whole = {"model": "demo", "path": "suite.json", "join": "core", **content}
            content = json.dumps(whole)
        (place.root / "results/x.run.json").write_text(content)
        return ScoringRuns(place)

    return put


#: What the file of a run may not say -> what it is told.
REFUSED = [
    ("{", "not JSON"), ("[]", "not a JSON object"), ("[" * 100_000, "not JSON"),
    ("{}", "`model` is missing"),
    ({"path": "../x"}, "not a path"), ({"path": "/etc/passwd"}, "not a path"),
    ({"path": 5}, "`path` is not a text"), ({"path": None}, "`path` is missing"),
    ({"path": ""}, "a path is missing"), ({"path": "none.json"}, "does not exist"),
    ({"path": ".git/config"}, "hidden"),
    ({"model": "../../a"}, "not a path"), ({"model": "/etc"}, "not a path"),
    ({"model": 5}, "`model` is not a text"), ({"model": "a b"}, "neither a folder"),
    ({"model": "x" * 1000}, "too long"),
    ({"join": "x"}, "join"), ({"join": 5}, "`join` is not a text"),
    ({"content": {}}, "`content` is not a text"),
    ({"trust_remote_code": True}, "not a key"), ({"folder": "../.."}, "not a key"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "why"), REFUSED)
def test_the_file_of_a_run_is_read_as_a_request_is(left, content, why):
    runs = left(content)
    (found,) = runs.listing()
    assert (found["id"], found["state"], found["path"]) == ("x", "refused", "")
    assert found["message"].startswith("cannot be resumed: ")
    assert why in found["message"]
    assert runs.problems() == [{"path": "results/x.run.json", "message": found["message"]}]
    with pytest.raises(RequestRefused) as refused:
        runs.resume("x")
    assert str(refused.value) == found["message"]
    assert runs.stop("x")["state"] == "refused"


def test_a_file_of_a_run_that_was_refused_is_read_again(left):
    runs = left({"join": "x"})
    assert runs.state("x")["state"] == "refused"
    left({"join": "hf"})
    found = runs.state("x")
    assert (found["state"], found["model"]) == ("stopped", "demo")


def test_listing_an_interrupted_run_loads_nothing(left, monkeypatch):
    """A name on the hub is looked up when somebody resumes the run, and not before."""
    monkeypatch.setattr(scoring_runs, "Child", None)
    runs = left({"model": "stranger/model"})
    assert [(run["state"], run["model"]) for run in runs.listing()] == [
        ("stopped", "stranger/model")
    ]
    assert runs.problems() == []


def test_what_has_changed_since_is_refused_when_a_run_resumes(left, place):
    runs = left({})
    assert runs.state("x")["state"] == "stopped"
    (place.root / "suite.json").unlink()
    with pytest.raises(RequestRefused, match=r"suite\.json does not exist"):
        runs.resume("x")


def test_a_request_is_whole_in_the_file_of_its_run(runs, place):
    """What the route accepts, a new server accepts."""
    request = ScoringRequest("demo", "new.json", "hf", '{"a": "\\"\u00e9"}')
    name = runs.start(request)["id"]
    runs.stop(name)
    assert ScoringRuns(place)._left_run(name).request == request


@pytest.mark.parametrize("name", ["a b", "é", "x" * 150])
def test_a_file_that_is_not_named_as_that_of_a_run_is_a_line(place, name):
    (place.root / "results").mkdir()
    (place.root / f"results/{name}.run.json").write_text("{}")
    (line,) = ScoringRuns(place).problems()
    assert "is not the name of a run" in line["message"]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "\0", "x" * 200, "none"])
def test_names_of_runs_lead_nowhere(place, name):
    with pytest.raises(RequestRefused) as refused:
        ScoringRuns(place).state(name)
    assert refused.value.status == 404


def test_what_cannot_be_run_is_refused_at_once(runs):
    for asked, error in (
        (ScoringRequest("demo", "none.json", "core"), RequestRefused),
        (ScoringRequest("/etc", "suite.json", "core"), RequestRefused),
        (ScoringRequest("demo", "suite.json", "x"), UnknownNameError),
    ):
        with pytest.raises(error):
            runs.start(asked)
    assert runs.listing() == []


def test_modules_of_the_folder_are_not_imported(stub, runs, place):
    (place.root / "json.py").write_text("raise SystemExit('hijacked')")
    until(runs, begin(runs, "quick"), {"done"})


def test_models_at_hand_are_listed(place):
    folder = place.root / "models/mine"
    file_at(folder / "config.json", "{}")
    assert "models/mine" not in [model["id"] for model in known_models(place)]
    (folder / "model.safetensors").write_bytes(b"")
    assert "models/mine" in [model["id"] for model in known_models(place)]
    assert {"The", "laughs"} <= set(known_models(place)[0]["words"])  # of the demo model


def score(run, folder, monkeypatch, *words):
    monkeypatch.chdir(folder)
    run("evalmark", "score", *words, "--model", "demo", "-q", code=0)


@pytest.fixture
def one_thread(monkeypatch, torch):
    """Threads of several processes that share a machine wait for each other."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_a_run_writes_what_the_command_writes(one_thread, run, runs, place, monkeypatch):
    """The same bytes, and after an interruption too."""
    from evalmark.scoring.models.load_models import load_model
    from evalmark.scoring.score_settings import Computing, Settings
    from evalmark.scoring.suites.suite_loading import load_suites
    from evalmark.scoring.suites.suite_run import score_suites
    from evalmark.scoring.surprisals.surprisal_computation import PARTIAL

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    score(run, place.root, monkeypatch, "suite.json", "--out", "by-command")
    name = begin(runs, "demo")
    until(runs, name, {"done"})
    expected = files_in(place.root / "by-command")
    assert files_in(place.root / "results" / name) == expected
    assert len(expected) == 3

    # A run that was killed: its first pack is there.
    def cut(done, total):
        if len((killed / PARTIAL).read_text().splitlines()) > 1:
            raise KeyboardInterrupt

    killed = place.root / "results/killed"
    killed.mkdir()
    model, suites = load_model("demo"), load_suites(["suite.json"])
    with pytest.raises(KeyboardInterrupt):
        score_suites(
            suites, model, Settings(), computing=Computing(pack_tokens=16), folder=killed,
            started=1_700_000_000, progress=cut,
        )  # fmt: skip
    asked = {"model": "demo", "path": "suite.json", "join": "core"}
    (place.root / "results/killed.run.json").write_text(json.dumps(asked))
    assert runs.state("killed")["state"] == "stopped"
    runs.resume("killed")
    until(runs, "killed", {"done"})
    assert files_in(killed) == expected
    ended(runs, "killed")
    assert not (place.root / "results/killed.run.json").exists()
    of_run(place, name)


def of_run(place, name):
    """What pages show of a run."""
    found = result(place, f"results/{name}")
    (suite,) = found["suites"]
    (scores,) = suites_of(place.root / "results" / name)
    assert suite["notes"] == list(view_of(place.root / "results" / name).notes)
    assert [p["accuracy"] for p in suite["predictions"]] == [
        p["correct"] / p["items"] for p in scores["predictions"]
    ]
    for shown, scored in zip(suite["predictions"], scores["predictions"], strict=True):
        numbers = zip(scores["item_numbers"], scored["outcomes"], strict=True)
        assert shown["fails"] == [number for number, holds in numbers if not holds]
        assert [one["item"] for one in shown["failures"]] == shown["fails"][:LISTED]
        assert all(one["bits"] >= 0 and one["sentences"] for one in shown["failures"])
        assert shown["low"] <= shown["accuracy"] <= shown["high"]
    assert suite["chart"].startswith("<figure")
    assert "style=" not in suite["chart"]
    assert "<script" not in suite["chart"]
    both = report(place, [f"results/{name}", "by-command"])
    assert "Compared with" in both
    assert "did not read the same texts" not in both
    with pytest.raises(RequestRefused):
        result(place, "results")


@pytest.mark.slow
def test_unsaved_suites_are_scored_as_they_are(one_thread, runs, place):
    data = json.loads(SUITE.read_text())
    data["meta"]["name"] = "unsaved"
    name = begin(runs, "demo", json.dumps(data))
    until(runs, name, {"done"})
    assert [suite["name"] for suite in suites_of(place.root / "results" / name)] == ["unsaved"]
    broken = begin(runs, "demo", "{}")
    assert "suite.json" in until(runs, broken, {"failed"})["message"]


@pytest.mark.slow
def test_tokens_have_the_values_of_a_run(one_thread, run, place, monkeypatch):
    score(run, place.root, monkeypatch, "suite.json", "--out", "out")
    rows = table(place.root / "out", "regions")
    item = json.loads(SUITE.read_text())["items"][0]
    keeper = ModelKeeper(place)
    try:
        found = keeper.surprisals("demo", item, "core")["conditions"]
        assert keeper._child
        for condition, given in zip(found, item["conditions"], strict=True):
            assert condition["name"] == given["condition_name"]
            text = "".join(token["text"] for token in condition["tokens"])
            assert text == " ".join(region["content"] for region in given["regions"])
            for region in given["regions"]:
                bits = sum(
                    token["bits"]
                    for token in condition["tokens"]
                    if token["region"] == region["region_number"]
                )
                place_of = ("1", condition["name"], str(region["region_number"]))
                values = [
                    float(row["value"])
                    for row in rows
                    if (row["item"], row["condition"], row["region"]) == place_of
                ]
                assert values == [pytest.approx(bits, abs=1e-4)], rows[:3]
        unspaced = keeper.surprisals("demo", {**item, "no_space_before": "all"}, "core")[
            "conditions"
        ]
        for condition, given in zip(unspaced, item["conditions"], strict=True):
            text = "".join(token["text"] for token in condition["tokens"])
            assert text == "".join(region["content"] for region in given["regions"])
        with pytest.raises(RequestRefused, match="cannot be loaded"):
            keeper.surprisals("none-such", item, "core")
        empty = {"conditions": [{"condition_name": "a", "regions": []}]}
        assert keeper.surprisals("demo", empty, "core")["conditions"] == [
            {"name": "a", "tokens": []}
        ]
    finally:
        keeper.stop()
    assert not keeper._child


def test_an_idle_model_gives_its_memory_back(place, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(STUBS))
    monkeypatch.setattr("evalmark.workbench.runs.item_surprisals.MODULE", "stub_of_model")
    keeper = ModelKeeper(place, idle=0.0)
    found = keeper.surprisals("demo", {"conditions": []}, "core")
    assert found == {"conditions": []}
    while keeper._child:
        time.sleep(0.01)
    assert keeper.surprisals("demo", {"conditions": []}, "core") == {"conditions": []}
    with pytest.raises(RequestRefused, match="ended with exit code 3"):
        keeper.surprisals("crash", {"conditions": []}, "core")
    keeper.stop()
