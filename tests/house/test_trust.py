"""A folder is data: the table of trust is complete, and every entry holds against hostile values.

Each attack puts a hostile value where the entry is read from, runs the commands that read it, and
sees that its sink was not reached. What is opened, imported, connected to and started is observed
by an audit hook of Python, whichever way evalmark goes.
"""

from __future__ import annotations

import ast
import base64
import inspect
import json
import pickle
import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT, needs_links
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.datasets.ltm_configuration import Configuration, ConfiguredDataset
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.score_settings import Settings
from evalmark.validator.settings import trust
from evalmark.validator.settings.config import SETTINGS
from evalmark.validator.settings.trust import TRUST, Sink, TrustRule, trusted

sys.path.insert(0, str(ROOT / "tests/conversations"))
from endpoint import Endpoint, forever

SUITE = FIXTURES / "good/suite.json"
#: Entries whose attacks are in ``test_trust_elsewhere.py``.
ELSEWHERE = {
    (trust.SERVED_RUN, "model"), (trust.SERVED_RUN, "paths"), (trust.SERVED_RUN, "settings.bos"),
    (trust.SERVED_RUN, "loading.trust_remote_code"), (trust.SERVED_RUN, "loading.allow_pickle"),
    (trust.RUN, "files"), (trust.MODEL, "auto_map"), (trust.MODEL, "*.bin"),
    (trust.MODEL, "weight_map"), (trust.MODEL, "tokenizer_class"),
    (trust.MODEL, "adapter_config.json"), (trust.MODEL, "other paths in configurations"),
    (trust.MODEL, "tokenizer.json"),
}  # fmt: skip


# the table is complete


def events_of_logs():
    """The events that runs write and read again."""
    found = {"run"}
    for path in (ROOT / "memory").rglob("*.py"):
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
                if node.func.attr in ("event", "answered", "add") and owner.endswith("log"):
                    first = node.args[0]
                    name = first.value if isinstance(first, ast.Constant) else ast.unparse(first)
                    found.add(constants.get(name, name))
    names = {"LLM": "llm", "MESSAGE": "message", "JUDGE": "judge", "TOLD": "told",
             "ASKED": "asked", "JUDGED": "judged", "TESTS": "tests", "END": "end"}  # fmt: skip
    return {names.get(name, name) for name in found}


def named_in_records():
    """The fields of records, of any version, that name a place or a program."""
    found = set()

    def walk(node):
        if isinstance(node, dict):
            found.update(node.get("properties", {}))
            for child in node.values():
                walk(child)
        elif isinstance(node, list):
            for child in node:
                walk(child)

    for path in (ROOT / "schemas").glob("record-*.schema.json"):
        walk(json.loads(path.read_text(encoding="utf-8")))
    return {name for name in found if re.search("path|url|uri|repo|command", name)}


def read_from_folders():
    """Source -> the names of everything that is read from there, as the code has them."""
    aliases = pytest.importorskip("evalmark.leaderboard.identity")
    from evalmark.leaderboard.identity import NAMES
    from evalmark.leaderboard.ingest.manifest import KnownFile
    from evalmark.leaderboard.open_store import SAMPLE_PARTS
    from evalmark.workbench.runs.scoring_runs import ScoringRequest

    asked = {field.name for field in fields(ScoringRequest)} - {"settings", "loading"}
    loading = [name for name in inspect.signature(load_model).parameters if name != "name"]
    configured = {field.name for field in fields(Configuration)} - {"path", "datasets"}
    dataset = {field.name.replace("key", "name") for field in fields(ConfiguredDataset)}
    script = json.loads((ROOT / "schemas/agent-script.schema.json").read_text(encoding="utf-8"))
    return {
        trust.SETTINGS: {
            f"{t}.{key}".lstrip(".") for t, names in SETTINGS.items() for key in names
        },
        trust.SERVED_RUN: asked
        | {f"settings.{field.name}" for field in fields(Settings)}
        | {f"loading.{name}" for name in loading},
        trust.LOG: events_of_logs() | {"states of your own agent"},
        trust.STORE: {*KnownFile._fields, NAMES, SAMPLE_PARTS},
        trust.ALIASES: set(aliases.Aliases._fields),
        trust.RECORD: named_in_records(),
        trust.LTM: configured | {f"datasets.{name}" for name in dataset},
        trust.SCRIPT: set(script["properties"]),
    }


@pytest.mark.parametrize("source", [
    trust.SETTINGS, trust.SERVED_RUN, trust.LOG, trust.STORE, trust.ALIASES, trust.RECORD,
    trust.LTM, trust.SCRIPT,
])  # fmt: skip
def test_everything_that_is_read_from_a_folder_has_an_entry_and_nothing_else_has(source):
    listed = {name for entry in TRUST if entry.source == source for name in entry.names}
    assert read_from_folders()[source] == listed


def test_no_value_has_two_entries():
    named = [(entry.source, name) for entry in TRUST for name in entry.names]
    assert len(named) == len(set(named))


def test_what_sends_a_key_is_never_taken():
    for entry in TRUST:
        if Sink.KEY in entry.sinks:
            assert entry.rule is TrustRule.REFUSED, entry


def test_what_the_user_gives_instead_exists():
    from evalmark.validator.settings.user_config import VARIABLES
    from parameters import FLAGS

    assert {entry.option for entry in TRUST if entry.option} <= FLAGS
    documents = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").glob("*.md"))
    for names in VARIABLES.values():
        assert all(name in documents for name in names), names


# what is observed


class Watched:
    """What Python has opened, connected to and started, and whether planted code has run."""

    def __init__(self, folder):
        self.folder = folder
        self.outside = folder / "outside"
        self.here = folder / "cloned"
        self.opened, self.hosts = [], []
        self.is_active = False

    def see(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes):
            self.opened.append(str(Path(arguments[0] if isinstance(arguments[0], str) else
                                        arguments[0].decode()).absolute().resolve()))  # fmt: skip
        elif event in ("socket.connect", "socket.getaddrinfo"):
            self.hosts.append(arguments)

    def require_nothing_reached(self):
        reached = [path for path in self.opened if path.startswith(str(self.outside))]
        assert reached == [], "files outside were opened"
        assert self.hosts == [], "somebody was called"
        assert list(self.folder.rglob("EVIL")) == [], "planted code has run"


WATCHED: list[Watched] = []


def _hook(event, arguments):
    for watched in WATCHED:
        if watched.is_active and event in ("open", "socket.connect", "socket.getaddrinfo"):
            watched.see(event, arguments)


sys.addaudithook(_hook)
EVIL = """from pathlib import Path
Path({!r}).write_text("x")
class J:
    def complete(self, *_, **__):
        return ""
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A cloned folder with a suite and planted code, files outside of it, and a user without any
    configuration.
    """
    found = Watched(tmp_path.resolve())
    for folder in (found.here, found.outside):
        folder.mkdir()
    marker = str(found.folder / "EVIL")
    for name in ("evil.py", "httpx.py", "sub/evil.py"):
        path = found.here / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(EVIL.format(marker))
    shutil.copy(SUITE, found.here / "suite.json")
    (found.here / "agent.json").write_text('{"default": "Mauve"}')
    (found.here / "people.csv").write_text("answer,expected,verdict\nRed,red,yes\n")
    (found.outside / "judge.json").write_text('{"default": "yes"}')
    monkeypatch.chdir(found.here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(found.folder / "home"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    WATCHED.append(found)
    yield found
    WATCHED.remove(found)


@pytest.fixture
def watched(place, run):
    """``watched("evalmark", …)`` → the outcome, while everything is observed."""

    def runner(*words, **rest):
        place.is_active = True
        try:
            return run(*words, **rest)
        finally:
            place.is_active = False

    return runner


def says(done, setting, instead):
    """The one line about a value that is not used."""
    lines = [line for line in done.err.splitlines() if f"`{setting}`" in line]
    assert len(lines) == 1, done.err
    assert instead in lines[0]
    assert "Traceback" not in done.err
    return True


CONVERSE = ("evalmark", "memory", "run", "colours", "--agent", "agent.json", "--examples", "1",
            "--out")  # fmt: skip


# the attacks: one for each entry


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
        for command in ((*CONVERSE, f"run{number}"), ("evalmark", "memory", "judge", "people.csv")):
            done = watched(*command)
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
            for command in ((*CONVERSE, "run"), ("evalmark", "memory", "judge", "people.csv")):
                done = watched(*command)
                assert (done.code, done.out) == (2, "")
                assert says(done, "memory.judge-url", "give --judge-url, set EVALMARK_JUDGE_URL")
            assert watched("evalmark", "check", "suite.json").code == 0
    assert server.seen == []


def attack_ray_address(place, watched):
    Path("evalmark.toml").write_text('[ray]\naddress = "10.9.8.7:6379"\n')
    for command in (
        ("evalmark", "check", "suite.json", "--jobs", "ray"),
        ("evalmark", "store", "add", "board", "suite.json", "--jobs", "ray"),
        ("evalmark", "score", "suite.json", "--model", "x", "--jobs", "ray"),
    ):
        done = watched(*command)
        assert done.code == 2
        assert says(done, "ray.address", "set EVALMARK_RAY_ADDRESS")
    done = watched("evalmark", "check", "suite.json")
    assert done.code == 0
    assert says(done, "ray.address", "set EVALMARK_RAY_ADDRESS")


def attack_store_path(place, watched):
    pytest.importorskip("duckdb")
    from standin_store import result, store_of

    store_of(place.outside / "board", [result()])
    (place.here / "board").symlink_to(place.outside / "board")
    for value in ("../outside/board", "board", str(place.outside / "board")):
        Path("evalmark.toml").write_text(f"[store]\npath = {json.dumps(value)}\n")
        done = watched("evalmark", "store", "conflicts")
        assert (done.code, done.out) == (2, "")
        assert says(done, "store.path", "set EVALMARK_STORE")


def attack_store_aliases(place, watched):
    pytest.importorskip("duckdb")
    from standin_store import result, store_of

    store_of(place.here / "board", [result()])
    (place.outside / "aliases.toml").write_text('[models]\n"lab/a" = "lab/b"\n')
    (place.here / "link.toml").symlink_to(place.outside / "aliases.toml")
    for value in ("../outside/aliases.toml", "link.toml", str(place.outside / "aliases.toml")):
        Path("evalmark.toml").write_text(f"[store]\naliases = {json.dumps(value)}\n")
        done = watched("evalmark", "store", "aliases", "board", "--format", "json")
        assert done.code == 0
        assert json.loads(done.out)["merged"] == []
        assert says(done, "store.aliases", "set EVALMARK_ALIASES")


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


def attack_parts_of_stores(place, watched):
    pytest.importorskip("duckdb")
    import pyarrow as pa
    from evalmark.leaderboard.open_store import SAMPLE_PARTS
    from pyarrow import parquet
    from standin_store import result, store_of

    store_of(place.here / "board", [result()])
    parquet.write_table(pa.table({"x": ["secret"]}), place.outside / "secret.parquet")
    path = place.here / "board/results.parquet"
    table = parquet.read_table(path)
    for name in ("../../../outside/secret.parquet", str(place.outside / "secret.parquet")):
        own = {**table.schema.metadata, SAMPLE_PARTS: json.dumps([name])}
        parquet.write_table(table.replace_schema_metadata(own), path)
        done = watched("evalmark", "store", "sql", "board", "FROM samples")
        assert (done.code, done.out) == (2, "")
        assert "names samples outside of the store" in done.err


def attack_companions_of_stores(place, watched):
    pytest.importorskip("pyarrow")
    from evalmark.leaderboard.ingest.manifest import KnownFile

    secret = place.outside / "secret.jsonl"
    secret.write_text("x")
    shutil.copy(FIXTURES / "good/with_samples.json", "record.json")
    from evalmark.leaderboard.ingest.ingest_file import content_at

    now = content_at("record.json")
    for companion in ("../outside/secret.jsonl", str(secret)):
        row = KnownFile(
            "record.json", str(place.here), "record", "x", 1, "clean", (), "clean", now.digest,
            now.size, now.mtime, companion, "0" * 64, 1, 0, "c",
        )  # fmt: skip
        place.is_active = True
        assert row.is_unchanged("record.json", "c") is None
        place.is_active = False


def attack_file_path(place, watched):
    (place.outside / "secret.jsonl").write_text('{"secret": 1}\n')
    record = json.loads((FIXTURES / "good/with_samples.json").read_text())
    link = place.here / "link.jsonl"
    link.symlink_to(place.outside / "secret.jsonl")
    for path in ("../outside/secret.jsonl", str(place.outside / "secret.jsonl"), "link.jsonl"):
        record["detailed_evaluation_results"]["file_path"] = path
        Path("record.json").write_text(json.dumps(record))
        done = watched("evalmark", "check", "record.json")
        assert done.code == 1
        assert "secret" not in done.out.replace("outside/secret.jsonl", "")


def attack_urls(place, watched):
    """Addresses and commands of a record are shown, and nobody is called."""
    record = json.loads((FIXTURES / "versions/record-0.2.0.json").read_text())
    record["source_metadata"]["source_organization_url"] = "http://127.0.0.1:9/"
    record["source_metadata"]["source_organization_logo_url"] = "http://127.0.0.1:9/"
    record["source_data"] = {
        "dataset_name": "x",
        "source_type": "url",
        "url": ["http://127.0.0.1:9/"],
    }
    Path("record.json").write_text(json.dumps(record))
    watched("evalmark", "check", "record.json", "--profile", "eee")
    watched("evalmark", "convert", "record.json", "--to", "record-0.3.0", "-o", "new.json")


def attack_files_of_stores(place, watched):
    """Places in the table of files are compared; a file that nobody names is not opened."""
    pytest.importorskip("duckdb")
    import pyarrow as pa
    from pyarrow import parquet

    shutil.copy(FIXTURES / "versions/record-0.2.0.json", "record.json")
    (place.outside / "secret.json").write_text("{}")
    assert watched("evalmark", "store", "add", "board", "record.json").code == 0
    path = place.here / "board/files.parquet"
    table = parquet.read_table(path)
    rows = [{**row, "file": "../outside/secret.json"} for row in table.to_pylist()]
    parquet.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    assert watched("evalmark", "store", "add", "board", "record.json").code in (0, 2)


def attack_arguments_of_datasets(place, watched):
    """The schema knows every argument; no method, name or path of a class is replaced."""
    for argument in ("load_json: /x", "name: ../../outside", "generate_examples: 1", "ask: evil"):
        Path("config.yml").write_text(
            "config: {run_name: x, isolated: true}\n"
            "datasets:\n  args: {dataset_examples: 1, memory_span: 400}\n  datasets:\n"
            f"    - {{name: colours, args: {{colour_changes: 2, {argument}}}}}\n"
        )
        done = watched(
            "evalmark", "memory", "run", "config.yml", "--agent", "agent.json", "--out", "r"
        )
        assert (done.code, done.out) == (2, "")
        assert f"`{argument.partition(':')[0]}` is not allowed" in done.err
        assert not Path("r").exists()


ATTACKS = {
    (trust.SETTINGS, "memory.judge"): attack_judge,
    (trust.SETTINGS, "memory.judge-url"): attack_judge_url,
    (trust.SETTINGS, "store.path"): attack_store_path,
    (trust.SETTINGS, "store.aliases"): attack_store_aliases,
    (trust.SETTINGS, "ray.address"): attack_ray_address,
    (trust.LOG, "states of your own agent"): attack_states_of_agents,
    (trust.STORE, "evalmark.samples"): attack_parts_of_stores,
    (trust.STORE, "file"): attack_files_of_stores,
    (trust.STORE, "companion"): attack_companions_of_stores,
    (trust.RECORD, "file_path"): attack_file_path,
    (trust.RECORD, "url"): attack_urls,
    (trust.LTM, "datasets.arguments"): attack_arguments_of_datasets,
}  # fmt: skip


def test_every_entry_that_leads_somewhere_is_attacked():
    named = ATTACKS.keys() | ELSEWHERE
    for entry in TRUST:
        attacked = {(entry.source, name) for name in entry.names} & named
        assert bool(attacked) is bool(entry.sinks), entry
    assert all(trusted(*key) for key in named)


@needs_links
@pytest.mark.parametrize("key", ATTACKS, ids=lambda key: f"{key[1]} of {key[0].split()[0]}")
def test_a_hostile_value_does_not_reach_its_sink(place, watched, key):
    ATTACKS[key](place, watched)
    place.require_nothing_reached()


def test_what_is_observed_would_be_seen(place, watched):
    """The observer sees each of the three sinks, so that the tests above can fail."""
    (place.outside / "x.json").write_text("{}")
    watched("evalmark", "check", "../outside/x.json")
    assert str(place.outside / "x.json") in place.opened
    with Endpoint(forever("yes")) as server:
        watched("evalmark", "memory", "judge", "people.csv", "--judge-url", server.url)
    assert place.hosts
    watched("evalmark", "memory", "judge", "people.csv", "--judge", "evil.py:J")
    assert list(place.folder.rglob("EVIL")), "a class that the user names is run"


def test_security_shows_the_table():
    from scripts.trust_table import security_page

    page = (ROOT / "docs/SECURITY.md").read_text(encoding="utf-8")
    assert page == security_page(page)
