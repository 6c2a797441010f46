"""The folder of a run of conversations: what is deleted in it, and where its links lead."""

import json

import pytest
from conftest import edited, file_at, needs_links
from evalmark.validator.io.writing import lock_folder, manifest
from killing import files_in
from leading_elsewhere import links

pytest_plugins = ["leading_elsewhere"]


@pytest.fixture
def talk(run, here, epoch):
    """Converse about one definition into ``run``, with replies from a script."""
    (here / "agent.json").write_text(json.dumps({}))

    def talked(organization: str = "Us"):
        (here / "evalmark.toml").write_text(f'[record]\norganization = "{organization}"\n')
        return run(
            "evalmark", "memory", "colours", "--agent", "agent.json", "--out", "run",
            "--examples", "1",
        )  # fmt: skip

    return talked


def test_conversing_again_deletes_only_what_the_run_has_written(talk, tmp_path):
    first = talk("One")
    assert first.code == 0, first.err
    (agent,) = (tmp_path / "run/results").iterdir()
    records = tmp_path / "run/records" / agent.name
    own = {*files_in(records)}
    theirs = [
        records / "theirs.json",
        records / "sub/theirs.jsonl",
        agent / "Notes/note.json",
        agent / "unscored/Notes/note.json",
    ]
    for path in theirs:
        file_at(path, "{}")
    theirs[2].unlink()  # of results, only those with a definition make a record
    home = tmp_path / "run"  # a manifest may name whatever its writer likes
    with edited(agent / "run.json") as data:
        others = [path for path in home.rglob("*") if path.is_file() and path.name not in own]
        data["files"] |= manifest(home, others)
    others.remove(agent / "run.json")
    again = talk("Two")
    assert again.code == 0, again.err
    assert [path for path in others if not path.exists()] == []
    assert [path.exists() for path in theirs] == [True, True, False, True]
    assert not own & {*files_in(records)}
    assert len({*files_in(records)}) == len(own) + 2


@needs_links
@pytest.mark.parametrize("name", ["results", "definitions", "records"])
def test_conversations_are_not_written_where_links_in_their_folder_lead(
    talk, tmp_path, elsewhere, name
):
    links(tmp_path / "run", elsewhere, {name: "."})
    done = talk()
    assert (done.code, "a symbolic link leads out of " in done.err) == (2, True)
    assert [*elsewhere.rglob("*")] == [elsewhere / "precious"]


def test_two_runs_do_not_write_to_one_folder(tmp_path, talk):
    assert talk().code == 0
    (agent,) = (tmp_path / "run/results").iterdir()
    log = (agent / "conversation.jsonl").read_bytes()
    with lock_folder(agent):
        assert "another run is writing to" in talk().err
    assert (agent / "conversation.jsonl").read_bytes() == log
