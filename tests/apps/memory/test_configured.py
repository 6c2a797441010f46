"""``memory`` runs a configuration of the LTM benchmark."""

import json
import shutil

import pytest
from conftest import FIXTURES
from evalmark.memory.datasets.dataset_registry import DATASETS
from evalmark.memory.datasets.ltm_configuration import is_configuration, read_configuration
from evalmark.memory.running.conversation import Conversation
from evalmark.schemas.errors import BrokenFile, UsageError
from evalmark.validator.formats.ltm.ltm_run import DATASET_NAMES

GENERATED = """
config:
  run_name: mine
  incompatibilities: [[colours, prospective_memory]]
datasets:
  args: {dataset_examples: 2, memory_span: 800, seed: 5}
  datasets:
    - {name: colours, args: {colour_changes: 5, dataset_examples: 1, max_message_size: 64}}
    - {name: prospective_memory, args: {memory_span: 600, seed: 9}}
"""
FILLED = """
config: {run_name: old}
datasets:
  args: {dataset_examples: 1, filler_tokens_low: 100, filler_tokens_high: 200,
         pre_question_filler: 300}
  datasets: [{name: colours}]
"""
UNABLE = """
config: {run_name: unable}
datasets:
  args: {dataset_examples: 1, memory_span: 500}
  datasets:
    - {name: colours}
    - {name: how_to_think}
    - {name: sallyanne, args: {question_type: world_model}}
    - {name: restaurant}
"""


@pytest.fixture
def talk(run, here):
    (here / "s.json").write_text('{"default": "Blue."}')
    (here / "evalmark.toml").write_text('[record]\norganization = "Us"\nrelationship = "other"\n')

    def talked(*words, text=None):
        if text is not None:
            (here / "config.yml").write_text(text)
        return run("evalmark", "memory", "config.yml", "--agent", "s.json", "--out", "run",
                   *words)  # fmt: skip

    return talked


def about(folder):
    (path,) = folder.glob("run/results/*/run.json")
    return json.loads(path.read_text())


def definition(folder, dataset, number=0):
    path = folder / "run/definitions" / dataset / f"{number}.def.json"
    return json.loads(path.read_text())


def test_datasets_have_the_examples_spans_seeds_and_arguments_that_it_states(talk, tmp_path):
    done = talk(text=GENERATED)
    assert done.code == 0, done.err
    own = about(tmp_path)
    stated = {key: own[key] for key in ("mode", "examples", "memory_span", "seed", "tests")}
    assert stated == {
        "mode": "interleaved", "examples": 2, "memory_span": 800, "seed": 5,
        "tests": ["config.yml"],
    }  # fmt: skip
    counts = {p.name: len(list(p.iterdir())) for p in (tmp_path / "run/definitions").glob("*/")}
    assert counts == {"Colours": 1, "Prospective Memory": 2}
    assert len(definition(tmp_path, "Colours")["script"]) == 6
    assert done.err.splitlines()[:2] == [
        "note: evalmark's own tests, not the benchmark's: Colours, Prospective Memory",
        "note: definitions next to the configuration (<dataset>/*.def.json) are run instead",
    ]
    settings = Conversation.for_targets(["config.yml"])
    assert settings.incompatible == (frozenset({"Colours", "Prospective Memory"}),)


def test_its_seeds_decide_the_tests(talk, tmp_path):
    talk(text=GENERATED)
    first = definition(tmp_path, "Colours"), definition(tmp_path, "Prospective Memory")
    shutil.rmtree(tmp_path / "run")
    talk(text=GENERATED.replace("seed: 5", "seed: 6"))
    second = definition(tmp_path, "Colours"), definition(tmp_path, "Prospective Memory")
    assert (first[0] == second[0], first[1] == second[1]) == (False, True)


def test_options_that_are_given_hold_instead(talk, tmp_path):
    talk("--mode", "filled", "--memory-span", "900", "--examples", "1", text=GENERATED)
    own = about(tmp_path)
    assert (own["mode"], own["memory_span"], own["examples"]) == ("filled", 900, 1)
    assert len(list((tmp_path / "run/definitions/Prospective Memory").iterdir())) == 1


def test_definitions_beside_it_are_run_as_they_are(talk, tmp_path):
    shutil.copytree(FIXTURES / "good/ltm/definitions", tmp_path, dirs_exist_ok=True)
    done = talk()
    assert done.code == 1, "some need a judge"
    for path in (tmp_path / "Colours").iterdir():
        assert (
            definition(tmp_path, "Colours", path.name[0])["script"]
            == (json.loads(path.read_text())["script"])
        )
    assert "note: evalmark's own tests, not the benchmark's: Restaurant\n" in done.err
    assert "definitions beside" not in done.err


def test_definitions_have_the_memory_span_that_is_configured_beside_them(talk, run, tmp_path):
    shutil.copytree(FIXTURES / "good/ltm/definitions", tmp_path / "definitions")
    config = tmp_path / "definitions/config.yml"
    config.write_text(config.read_text().replace("colour_changes: 2", "memory_span: 700"))
    for target in ("definitions", "definitions/Colours", "definitions/Colours/0.def.json"):
        words = ("memory", target, "--agent", "s.json", "--out", "run")
        run("evalmark", *words)
        assert about(tmp_path)["memory_span"] == 1000, target
        shutil.rmtree(tmp_path / "run")
    other = shutil.copytree(tmp_path / "definitions", tmp_path / "other")
    (other / "config.yml").write_text(config.read_text().replace(": 1000", ": 900"))
    done = run("evalmark", "memory", "definitions", "other", "--agent", "s.json", "--out", "run")
    assert (done.code, "several memory spans: 1000 (" in done.err) == (2, True)
    config.write_text("config: [")
    done = run("evalmark", "memory", "definitions", "--agent", "s.json", "--out", "run")
    assert (done.code, "config.yml" in done.err) == (2, True)


def test_what_cannot_be_done_is_one_sentence_each(talk, tmp_path):
    done = talk(text=UNABLE)
    assert done.code == 2
    told = [line for line in done.err.splitlines() if not line.startswith("wrote")]
    assert told == [
        "note: evalmark's own tests, not the benchmark's: Colours, Restaurant",
        "note: definitions next to the configuration (<dataset>/*.def.json) are run instead",
        "evalmark: not run: how_to_think: evalmark does not make these tests; it runs definitions "
        "of them next to the configuration (How to Think/)",
        "evalmark: not run: sallyanne: evalmark does not make these tests; it runs definitions "
        "of them next to the configuration (SallyAnne/)",
        "note: after fixing them, repeat the command: run is resumed with their tests, after all "
        "others",
    ]


def test_talk_between_messages_is_that_of_benchmarks_without_a_memory_span(talk, tmp_path):
    done = talk(text=FILLED)
    assert done.code == 0, done.err
    *between, before, last = definition(tmp_path, "Colours")["waits"]
    assert all(100 <= wait["tokens"] <= 200 for wait in between)
    assert (before, last) == ({"tokens": 300}, {})
    assert "config.yml states no memory span; it is taken to be 2000 tokens" in done.err


def test_a_run_is_resumed_by_the_same_command_only(talk, tmp_path):
    talk(text=GENERATED)
    assert talk().code == 0
    changed = talk(text=GENERATED.replace("seed: 5", "seed: 6"))
    assert (changed.code, "is from another run: seed differ" in changed.err) == (2, True)


@pytest.mark.parametrize("text", [GENERATED.replace("colours, args", "colors, args"), "config: 3"])
def test_a_broken_configuration_is_a_finding(talk, tmp_path, text):
    done = talk(text=text)
    assert done.code == 2, done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "run").exists()


def test_a_configuration_is_the_only_target(talk, tmp_path):
    done = talk("colours", text=GENERATED)
    assert (done.code, done.err) == (
        2, "evalmark: config.yml is a configuration, which describes a whole run: name it alone\n"
    )  # fmt: skip
    with pytest.raises(UsageError):
        Conversation.for_targets(["colours", "config.yml"])


def test_only_configurations_are_configurations(tmp_path):
    assert not is_configuration("colours")
    assert not is_configuration(str(tmp_path))
    assert not is_configuration(str(FIXTURES / "good/suite.json"))
    (tmp_path / "broken.json").write_text("{")
    assert not is_configuration(str(tmp_path / "broken.json"))
    (tmp_path / "c.json").write_text('{"config": {}, "datasets": {}}')
    with pytest.raises(BrokenFile):
        read_configuration(tmp_path / "c.json")


def test_every_dataset_of_ours_has_the_name_that_paths_of_the_benchmark_have():
    assert {key: kind.name for key, kind in DATASETS.items()}.items() <= DATASET_NAMES.items()


def test_published_configurations_run(talk, shared, tmp_path):
    """All datasets of the four; one test has a wait that cannot be converted."""
    for number, folder in enumerate(sorted((shared / "data/ltm").glob("Benchmark*"))):
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        for path in tmp_path.glob("[A-Zc]*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(folder / "definitions", tmp_path, dirs_exist_ok=True)
        done = talk()
        left_out = [line for line in done.err.splitlines() if "not run: " in line]
        assert len(left_out) == (number == 1), done.err
        run = {path.name for path in (tmp_path / "run/definitions").glob("*/")}
        asked = read_configuration(folder / "definitions/config.yml")
        lacking = {entry.name for entry in asked.datasets} - run
        assert lacking <= {"Spy Meeting"}, lacking
