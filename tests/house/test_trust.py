"""A folder is data: the table of trust is complete, and every entry holds against hostile values.

Each attack puts a hostile value where the entry is read from, runs the commands that read it, and
sees that its sink was not reached. What is opened, imported, connected to and started is observed
by an audit hook of Python, whichever way evalmark goes.
"""

import json
import re
import shutil
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT, edited, needs_links
from evalmark.validator.settings import trust
from evalmark.validator.settings.config import SETTINGS
from evalmark.validator.settings.trust import TRUST, Sink, TrustRule, trusted
from observed import ELSEWHERE, OF_MEMORY, place, says, watched
from pointers import objects

__all__ = ["place", "watched"]  # fixtures


# the table is complete


def named_in_records():
    """The fields of records, of any version, that name a place or a program."""
    schemas = (ROOT / "schemas").glob("record-*.schema.json")
    nodes = (node for path in schemas for node in objects(json.loads(path.read_bytes())).values())
    found = {name for node in nodes for name in node.get("properties", {})}
    return {name for name in found if re.search("path|url|uri|repo|command", name)}


def read_from_folders():
    """Source -> the names of everything that is read from there, as the code has them."""
    aliases = pytest.importorskip("evalmark.leaderboard.identity")
    from evalmark.leaderboard.identity import NAMES
    from evalmark.leaderboard.ingest.manifest import KnownFile
    from evalmark.leaderboard.open_store import SAMPLE_PARTS
    from evalmark.workbench.runs.scoring_runs import ScoringRequest

    return {
        trust.SETTINGS: {
            f"{t}.{key}".lstrip(".") for t, names in SETTINGS.items() for key in names
        },
        trust.SERVED_RUN: {field.name for field in fields(ScoringRequest)},
        trust.STORE: {*KnownFile._fields, NAMES, SAMPLE_PARTS},
        trust.ALIASES: set(aliases.Aliases._fields),
        trust.RECORD: named_in_records(),
    }


@pytest.mark.parametrize("source", [
    trust.SETTINGS, trust.SERVED_RUN, trust.STORE, trust.ALIASES, trust.RECORD,
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
    from parameters import FLAGS, GROUPS

    flags = FLAGS | ({"--judge", "--judge-url"} if "memory" not in GROUPS else set())
    assert {entry.option for entry in TRUST if entry.option} <= flags
    documents = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").glob("*.md"))
    for names in VARIABLES.values():
        assert all(name in documents for name in names), names


# the attacks: one for each entry


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
    from stores import result, store_of

    store_of(place.outside / "board", result())
    (place.here / "board").symlink_to(place.outside / "board")
    for value in ("../outside/board", "board", str(place.outside / "board")):
        Path("evalmark.toml").write_text(f"[store]\npath = {json.dumps(value)}\n")
        done = watched("evalmark", "store", "conflicts")
        assert (done.code, done.out) == (2, "")
        assert says(done, "store.path", "set EVALMARK_STORE")


def attack_store_aliases(place, watched):
    pytest.importorskip("duckdb")
    from stores import result, store_of

    store_of(place.here / "board", result())
    (place.outside / "aliases.toml").write_text('[models]\n"lab/a" = "lab/b"\n')
    (place.here / "link.toml").symlink_to(place.outside / "aliases.toml")
    for value in ("../outside/aliases.toml", "link.toml", str(place.outside / "aliases.toml")):
        Path("evalmark.toml").write_text(f"[store]\naliases = {json.dumps(value)}\n")
        done = watched("evalmark", "store", "aliases", "board", "--format", "json")
        assert done.code == 0
        assert json.loads(done.out)["merged"] == []
        assert says(done, "store.aliases", "set EVALMARK_ALIASES")


def attack_parts_of_stores(place, watched):
    pytest.importorskip("duckdb")
    import pyarrow as pa
    from evalmark.leaderboard.open_store import SAMPLE_PARTS
    from pyarrow import parquet
    from stores import result, store_of

    store_of(place.here / "board", result())
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
    with edited(FIXTURES / "versions/record-0.2.0.json", Path("record.json")) as record:
        record["source_metadata"]["source_organization_url"] = "http://127.0.0.1:9/"
        record["source_metadata"]["source_organization_logo_url"] = "http://127.0.0.1:9/"
        record["source_data"] = {
            "dataset_name": "x",
            "source_type": "url",
            "url": ["http://127.0.0.1:9/"],
        }
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


ATTACKS = {
    (trust.SETTINGS, "store.path"): attack_store_path,
    (trust.SETTINGS, "store.aliases"): attack_store_aliases,
    (trust.SETTINGS, "ray.address"): attack_ray_address,
    (trust.STORE, "evalmark.samples"): attack_parts_of_stores,
    (trust.STORE, "file"): attack_files_of_stores,
    (trust.STORE, "companion"): attack_companions_of_stores,
    (trust.RECORD, "file_path"): attack_file_path,
    (trust.RECORD, "url"): attack_urls,
}  # fmt: skip


def test_every_entry_that_leads_somewhere_is_attacked():
    named = ATTACKS.keys() | ELSEWHERE | OF_MEMORY
    for entry in TRUST:
        attacked = {(entry.source, name) for name in entry.names} & named
        assert bool(attacked) is bool(entry.sinks), entry
    assert all(trusted(*key) for key in named)


@needs_links
@pytest.mark.parametrize("key", ATTACKS, ids=lambda key: f"{key[1]} of {key[0].split()[0]}")
def test_a_hostile_value_does_not_reach_its_sink(place, watched, key):
    ATTACKS[key](place, watched)
    place.require_nothing_reached()


def test_what_is_opened_would_be_seen(place, watched):
    (place.outside / "x.json").write_text("{}")
    watched("evalmark", "check", "../outside/x.json")
    assert str(place.outside / "x.json") in place.opened
