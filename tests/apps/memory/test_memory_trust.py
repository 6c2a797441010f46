"""Runs, judges and agents: what a folder says of them is data, and does not reach its sink."""

import ast
import base64
import json
import pickle
from dataclasses import fields
from pathlib import Path

import pytest
from changed_models import changed, model_of
from conftest import ROOT, needs_links
from endpoint import Endpoint, forever
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.agents.script_format import AGENT_SCRIPT
from evalmark.memory.datasets.ltm_configuration import Configuration, ConfiguredDataset
from evalmark.validator.settings import trust
from evalmark.validator.settings.trust import TRUST
from observed import OF_MEMORY, place, says, watched

__all__ = ["place", "watched"]  # fixtures


def events_of_logs():
    """The events that runs write and read again."""
    found = {"run"}
    for path in (ROOT / "apps/memory").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                owner = ast.unparse(node.func.value)
                if node.func.attr in ("event", "answered") and owner.endswith("log"):
                    first = node.args[0]
                    name = first.value if isinstance(first, ast.Constant) else ast.unparse(first)
                    found.add(constants.get(name, name))
    names = {"LLM": "llm", "MESSAGE": "message", "JUDGE": "judge", "TESTS": "tests", "END": "end"}
    return {names.get(name, name) for name in found}


CONVERSE = ("evalmark", "memory", "colours", "--agent", "agent.json", "--examples", "1",
            "--out")  # fmt: skip


def attack_judge(place, watched):
    """A class, a script elsewhere, and a path that leads out are not taken as judges."""
    (place.here / "link.json").symlink_to(place.outside / "judge.json")
    (place.here / "llama3.py").write_text((place.here / "evil.py").read_text())
    hostile = ("evil.py:J", "evil:J", "sub/evil.py:J", "../outside/judge.json", "link.json",
               str(place.outside / "judge.json"), "llama3:J", ".hidden.json", "a b")  # fmt: skip
    (place.here / ".hidden.json").write_text('{"default": "yes"}')
    for number, value in enumerate(hostile):
        text = f"[memory]\njudge = {json.dumps(value)}\n"
        Path("evalmark.toml").write_text(text)
        for command in (("evalmark", "check", "suite.json"), ("evalmark-hook", "suite.json")):
            done = watched(*command)
            assert done.code == 0
            assert says(done, "memory.judge", "--judge")
        done = watched(*CONVERSE, f"run{number}")
        assert (done.code, done.out) == (2, "")
        assert says(done, "memory.judge", "give --judge, set EVALMARK_JUDGE")
        assert not Path(f"run{number}").exists(), "nothing is begun with another judge"
    done = watched(*CONVERSE, "run", "--judge", "agent.json")
    assert done.code in (0, 1), done.err
    assert says(done, "memory.judge", "--judge")


def attack_judge_url(place, watched):
    with pytest.MonkeyPatch.context() as patch, Endpoint(forever("yes")) as server:
        patch.setenv("OPENAI_API_KEY", "sk-secret")
        for url in (server.url, "https://evil.example/v1"):
            Path("evalmark.toml").write_text(f'[memory]\njudge = "m"\njudge-url = "{url}"\n')
            done = watched(*CONVERSE, "run")
            assert (done.code, done.out) == (2, "")
            assert says(done, "memory.judge-url", "give --judge-url, set EVALMARK_JUDGE_URL")
            assert watched("evalmark", "check", "suite.json").code == 0
    assert server.seen == []


def attack_states_of_agents(place, watched):
    """A state is JSON or bytes; nothing is unpickled, and the class gets what the file has."""
    got = []

    class Agent:
        def reply(self, text):
            return ""

        def save(self):
            return b""

        def load(self, state):
            got.append(state)

    class Bomb:
        def __reduce__(self):
            return Path.write_text, (place.folder / "EVIL", "x")

    bomb = pickle.dumps(Bomb())
    place.is_active = True
    OwnAgent(Agent).load({"bytes": base64.b64encode(bomb).decode()})
    place.is_active = False
    assert got == [bomb]


def attack_arguments_of_datasets(place, watched):
    """The schema knows every argument; no method, name or path of a class is replaced."""
    for argument in ("load_json: /x", "name: ../../outside", "generate_examples: 1", "ask: evil"):
        Path("config.yml").write_text(
            "config: {run_name: x, isolated: true}\n"
            "datasets:\n  args: {dataset_examples: 1, memory_span: 400}\n  datasets:\n"
            f"    - {{name: colours, args: {{colour_changes: 2, {argument}}}}}\n"
        )
        done = watched("evalmark", "memory", "config.yml", "--agent", "agent.json", "--out", "r")
        assert (done.code, done.out) == (2, "")
        assert f"`{argument.partition(':')[0]}` is not allowed" in done.err
        assert not Path("r").exists()


def test_what_is_observed_would_be_seen(place, watched):
    """The observer sees each of the three sinks, so that the tests above can fail."""
    (place.outside / "x.json").write_text("{}")
    watched("evalmark", "check", "../outside/x.json")
    assert str(place.outside / "x.json") in place.opened
    with Endpoint(forever("yes")) as server:
        watched("evalmark", "memory", "colours", "--model", "m", "--url", server.url, "--out", "r")
    assert place.hosts
    watched(*CONVERSE, "s", "--judge", "evil.py:J")
    assert list(place.folder.rglob("EVIL")), "a class that the user names is run"


def read_from_folders():
    """Source -> the names of everything that is read from there, as the code has them."""
    configured = {field.name for field in fields(Configuration)} - {"path", "datasets"}
    dataset = {field.name.replace("key", "name") for field in fields(ConfiguredDataset)}
    return {
        trust.LOG: events_of_logs() | {"states of your own agent"},
        trust.LTM: configured | {f"datasets.{name}" for name in dataset},
        trust.SCRIPT: set(AGENT_SCRIPT.schema()["properties"]),
    }


@pytest.mark.parametrize("source", [trust.LOG, trust.LTM, trust.SCRIPT])
def test_everything_that_is_read_from_a_run_has_an_entry_and_nothing_else_has(source):
    listed = {name for entry in TRUST if entry.source == source for name in entry.names}
    assert read_from_folders()[source] == listed


def attack_endless_tokenizers(place, watched):
    tokenizer_process = pytest.importorskip("evalmark.scoring.models.tokenizer_process")
    folder = model_of(place)
    template = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    changed(folder / "tokenizer_config.json", chat_template=template)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer_process, "LIMIT", 3)
        done = watched(
            "evalmark", "memory", "colours", "--model", "./model", "--examples", "1",
            "--device", "cpu", "--max-tokens", "8", "--out", "run",
        )  # fmt: skip
    assert done.code in (1, 2)
    assert "chat template" in done.err + done.out


ATTACKS = {
    (trust.SETTINGS, "memory.judge"): attack_judge,
    (trust.SETTINGS, "memory.judge-url"): attack_judge_url,
    (trust.LOG, "states of your own agent"): attack_states_of_agents,
    (trust.LTM, "datasets.arguments"): attack_arguments_of_datasets,
    (trust.MODEL, "tokenizer.json"): attack_endless_tokenizers,
}


def test_every_entry_of_memory_is_attacked():
    assert ATTACKS.keys() == OF_MEMORY


@needs_links
@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=[pytest.mark.slow] * (key[0] == trust.MODEL)) for key in ATTACKS],
    ids=lambda key: f"{key[1]} of {key[0].split()[0]}",
)
def test_a_hostile_value_does_not_reach_its_sink(place, watched, key):
    ATTACKS[key](place, watched)
    place.require_nothing_reached()
