"""The version of records: chosen in one way by everything that writes them."""

import io
import json
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_apps
from evalmark.cli.main import commands
from evalmark.schemas.versions import DEFAULT_WRITTEN, GATES
from evalmark.validator.settings.config import Config, load_config

SUITE = FIXTURES / "suites/garden_path.json"
PAIRS = FIXTURES / "good/pairs/comps.jsonl"
TAKEN = GATES["eee"]
#: Settings -> the version that is written where no option says it.
SETTINGS = {
    "": DEFAULT_WRITTEN,
    f'[record]\nversion = "{TAKEN}"\n': TAKEN,
    'profile = "eee"\n': TAKEN,
    'profile = "eee"\n[record]\nversion = "0.2.0"\n': "0.2.0",
}


@pytest.fixture
def here(here):
    Path("yes.json").write_text(json.dumps({"default": "yes"}))
    return here


def version_of(folder):
    (record,) = (p for p in Path(folder).rglob("*-*.json") if p.with_name(p.stem).suffix == "")
    return json.loads(record.read_text())["schema_version"]


def score(run, out, what):
    pytest.importorskip("torch")
    return run("evalmark", "score", what, "--model", "demo", "--device", "cpu", "--limit", "4",
               "--out", out)  # fmt: skip


def talk(run, out, what):
    return run("evalmark", "memory", what, "--agent", "yes.json", "--out", out)


PRODUCERS = {"suites": (score, SUITE), "pairs": (score, PAIRS)}
if "memory" in commands():
    PRODUCERS |= {"conversations": (talk, "colours")}


# which


@pytest.mark.parametrize(("text", "version"), SETTINGS.items())
def test_an_option_comes_before_the_settings_and_these_before_the_gate(here, text, version):
    Path("evalmark.toml").write_text(text)
    config = load_config()
    assert config.version_of_records(None) == version
    assert config.version_of_records("0.2.0") == "0.2.0"
    assert config.version_of_records("0.3.0") == "0.3.0"


def test_the_default_is_the_last_resort():
    assert Config().version_of_records(None, "0.3.0") == "0.3.0"
    assert Config(record_version="0.2.0").version_of_records(None, "0.3.0") == "0.2.0"


@pytest.mark.parametrize(("produce", "what"), PRODUCERS.values(), ids=list(PRODUCERS))
@pytest.mark.parametrize(("text", "version"), SETTINGS.items(), ids=("none", "own", "gate", "both"))
def test_everything_that_writes_records_follows_the_settings(
    run, here, produce, what, text, version
):
    Path("evalmark.toml").write_text(text)
    produce(run, "r", what)
    assert version_of("r") == version


@pytest.mark.parametrize(
    ("text", "version"),
    [("", "0.3.0"), ('[record]\nversion = "0.2.0"\n', "0.2.0"), ('profile = "eee"\n', "0.3.0")],
)
def test_imported_results_keep_the_newest_version_unless_the_settings_say_another(
    run, here, text, version
):
    results = min((FIXTURES / "results").rglob("results*.json"))  # in no order
    Path("evalmark.toml").write_text(text)
    run("evalmark", "convert", results, "-o", "store", code=0)
    assert version_of("store") == version
    assert run("evalmark", "convert", results, "-o", "new", "--to", "record-0.3.0").code == 0
    assert version_of("new") == "0.3.0"


# the gate


@pytest.mark.parametrize(("produce", "what"), PRODUCERS.values(), ids=list(PRODUCERS))
def test_the_gate_takes_what_is_written_for_it(run, here, produce, what):
    Path("evalmark.toml").write_text('[record]\nversion = "0.3.0"\n')
    produce(run, "r", what)
    # Suites are scored with a limit, which is a warning.
    done = run("evalmark", "check", "r", "--profile", "eee", "--ignore", "partial-run")
    assert (done.code, done.out) == (0, "")
    assert "2 of 2 pass Every Eval Ever's checks." in done.err


@pytest.mark.parametrize(("produce", "what"), PRODUCERS.values(), ids=list(PRODUCERS))
def test_a_profile_in_the_settings_is_that_of_the_check(run, here, produce, what):
    produce(run, "old", what)
    assert run("evalmark", "check", "old").code == 0
    Path("evalmark.toml").write_text('profile = "eee"\n')
    done = run("evalmark", "check", "old")
    assert (done.code, "Every Eval Ever's checks; 2 have findings" in done.err) == (1, True)
    assert run("evalmark-hook", *map(str, Path("old").rglob("*-*.json"))).code == 1


# init


class Terminal(io.StringIO):
    """What somebody types, or sees."""

    def isatty(self):
        return True


def started(run, *options):
    assert run("evalmark", "init", *options).code == 0
    return load_config().record_version


def test_init_writes_the_version_that_is_given(run, here):
    assert started(run, "--record-version", "0.3.0") == "0.3.0"
    done = run("evalmark", "init", "--record-version", "0.2.0", code=2)
    assert 'evalmark.toml exists: write `version = "0.2.0"` under `[record]` in it' in done.err


def test_init_writes_the_version_of_the_leaderboard_where_nobody_can_answer(run, here):
    assert started(run) == TAKEN
    assert '\nversion = "0.3.0"\n' in Path("evalmark.toml").read_text()


@pytest.mark.parametrize(("typed", "version", "publisher"), [
    ("0.3.0\n\n", "0.3.0", (None, None)),
    ("\nThe \"lab\"\n\n", "0.3.0", ('The "lab"', "other")),
    ("0.2.1\n0.3.0\nUs\nthird\nthird_party\n", "0.3.0", ("Us", "third_party")),
])  # fmt: skip
def test_init_asks_at_a_terminal(here, monkeypatch, typed, version, publisher):
    from evalmark.cli import init

    seen = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    monkeypatch.setattr("sys.stderr", seen)
    init.init.function(init.InitOptions(name="first"))
    config = load_config()
    assert (config.record_version, config.organization, config.relationship) == (
        version, *publisher
    )  # fmt: skip
    assert "Every Eval Ever's validator takes 0.3.0" in seen.getvalue()
    # The settings are there: there is nothing to ask.
    init.init.function(init.InitOptions(name="second"))
    assert seen.getvalue().count("takes") == 1 + typed.count("0.2.1")


# the workbench


@needs_apps
def test_a_run_of_the_workbench_follows_the_settings(here, monkeypatch, torch):
    from evalmark.workbench.runs import scoring_process

    Path("evalmark.toml").write_text('profile = "eee"\n')
    monkeypatch.setattr(scoring_process, "tell_parent", lambda _: None)
    job = {"model": "demo", "path": str(SUITE), "folder": "r", "join": "core", "content": None}
    told = scoring_process._scored(job)
    assert (told["done"], version_of("r")) == (True, TAKEN)
