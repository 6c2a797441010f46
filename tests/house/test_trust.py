"""A folder is data: the table of trust is complete, and every entry holds against hostile values.

Each attack puts a hostile value where the entry is read from, runs the commands that read it, and
sees that its sink was not reached. What is opened, imported, connected to and started is observed
by an audit hook of Python, whichever way evalmark goes.
"""

import hashlib
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT, data_at, edited, needs_apps, needs_links
from evalmark.validator.settings import trust
from evalmark.validator.settings.config import SETTINGS
from evalmark.validator.settings.trust import TRUST, Sink, TrustRule, trusted
from observed import ELSEWHERE, OF_MEMORY, place, says, watched
from pointers import objects

from scripts.pages.reference_tables import table, trust_rows

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
    from evalmark.leaderboard.names import TABLES
    from evalmark.workbench.runs.scoring_runs import ScoringRequest

    return {
        trust.SETTINGS: {
            f"{t}.{key}".lstrip(".") for t, names in SETTINGS.items() for key in names
        },
        trust.SERVED_RUN: {field.name for field in fields(ScoringRequest)},
        trust.NAMES: set(TABLES),
        trust.IN_RECORDS: named_in_records(),
    }


@needs_apps
@pytest.mark.parametrize("source", [
    trust.SETTINGS, trust.SERVED_RUN, trust.NAMES, trust.IN_RECORDS,
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
    pages = (path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    documents = "".join([*pages, table(trust_rows())])
    for names in VARIABLES.values():
        assert all(name in documents for name in names), names


# the attacks: one for each entry


def attack_ray_address(place, watched):
    Path("evalmark.toml").write_text('[ray]\naddress = "10.9.8.7:6379"\n')
    for command in (
        ("evalmark", "check", "suite.json", "--jobs", "ray"),
        ("evalmark", "table", "suite.json", "-o", "r.csv", "--jobs", "ray"),
        ("evalmark", "score", "suite.json", "--model", "x", "--jobs", "ray"),
    ):
        done = watched(*command)
        assert done.code == 2
        assert says(done, "ray.address", "set EVALMARK_RAY_ADDRESS")
    done = watched("evalmark", "check", "suite.json")
    assert done.code == 0
    assert says(done, "ray.address", "set EVALMARK_RAY_ADDRESS")


def attack_file_path(place, watched):
    (place.outside / "secret.jsonl").write_text('{"secret": 1}\n')
    record = data_at("good/with_samples.json")
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


def attack_files_of_tables(place, watched):
    """A site has copies of records: not of a file elsewhere whose digest somebody knows."""
    pytest.importorskip("pyarrow")
    from evalmark.leaderboard.result_columns import RESULTS
    from evalmark.leaderboard.table_output import write_table_file
    from result_rows import result, results_of

    secret = place.outside / "secret.json"
    secret.write_text("{}")
    digest = hashlib.sha256(b"{}").hexdigest()
    (place.here / "link.json").symlink_to(secret)
    for file in ("../outside/secret.json", str(secret), "link.json"):
        rows = results_of(result(file=file, digest=digest))
        write_table_file(place.here / "r.csv", RESULTS, rows)
        done = watched("evalmark", "publish", "r.csv", "-o", "site")
        assert (done.code, "1 of the records are not linked" in done.err) == (0, True)
        assert not (place.here / "site/records").exists()


ATTACKS = {
    (trust.SETTINGS, "ray.address"): attack_ray_address,
    (trust.TABLE, "file"): attack_files_of_tables,
    (trust.IN_RECORDS, "file_path"): attack_file_path,
    (trust.IN_RECORDS, "url"): attack_urls,
}  # fmt: skip


def test_every_entry_that_leads_somewhere_is_attacked():
    named = ATTACKS.keys() | ELSEWHERE | OF_MEMORY
    for entry in TRUST:
        attacked = {(entry.source, name) for name in entry.names} & named
        assert bool(attacked) is bool(entry.sinks), entry
    assert all(trusted(*key) for key in named)


@needs_apps
@needs_links
@pytest.mark.parametrize("key", ATTACKS, ids=lambda key: f"{key[1]} of {key[0].split()[0]}")
def test_a_hostile_value_does_not_reach_its_sink(place, watched, key):
    ATTACKS[key](place, watched)
    place.require_nothing_reached()


def test_what_is_opened_would_be_seen(place, watched):
    (place.outside / "x.json").write_text("{}")
    watched("evalmark", "check", "../outside/x.json")
    assert str(place.outside / "x.json") in place.opened
