"""What went wrong in the LTM benchmark's own code, by the numbers of our notes on it.

Each test is one of them, and our code passes it. Some are seen again in other files, from closer.
"""

import json
import re
from contextlib import closing
from datetime import UTC, datetime

import pytest
from conftest import file_at
from evalmark.converters.convert_document import convert_data
from evalmark.memory.datasets.dataset_registry import Choice
from evalmark.memory.interface.dataset_interface import TestExample
from evalmark.memory.running.dialogue import Clock
from evalmark.memory.running.run_log import RunLog, read_log
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data
from killing import files_in
from loaded_tests import load_tests
from memory_runs import Parrot, Plain, ours, run_tests

DEFINITION = {
    "script": ["My favourite colour is Red.", "What is my favourite colour?"],
    "is_question": [False, True],
    "waits": [{"percentage_finished": 50}, {}],
    "expected_responses": ["Red"],
    "can_be_interleaved": True,
    "is_temporal": False,
    "uses_callback": False,
}


def defined(tmp_path, dataset="Colours", name="0", **changes):
    return file_at(
        tmp_path / "definitions" / dataset / f"{name}.def.json", {**DEFINITION, **changes}
    )


def test_02_logs_say_their_version_and_waits_mean_one_thing(tmp_path):
    run_tests(Plain().generate_examples(1), tmp_path)
    first, *rest = read_log(tmp_path / "log.jsonl")
    assert first["version"] == 1
    wait = next(event for event in rest if event["event"] == "wait")
    assert isinstance(wait["tokens"], int)
    assert datetime.fromisoformat(wait["until"]).tzinfo is not None


def test_03_ids_are_texts(tmp_path):
    path = defined(tmp_path, name="12653258_1")
    (test,), _ = load_tests([str(path)], Choice())
    assert test.unique_id == "Colours - 12653258_1"


@pytest.mark.parametrize(
    "changes",
    [
        {"waits": [{}, {}, {}]}, {"script": "What is my favourite colour?"},
        {"waits": [{"percentage_finished": 250}, {}]}, {"waits": [{"tokens": -5}, {}]},
        {"finished": True}, {"is_question": [False, False]},
    ],
)  # fmt: skip
def test_05_a_definition_that_is_wrong_is_refused(tmp_path, changes):
    from evalmark.schemas.errors import ScoringError

    with pytest.raises(ScoringError):
        load_tests([str(defined(tmp_path, **changes))], Choice())


def test_05_one_message_is_a_test():
    test = TestExample(Plain(), ["only?"], ["x"], is_question=[True])
    test.default_waits(1000)
    assert test.waits == [{}]


def test_16_a_run_goes_on_after_token_waits_long_waits_and_a_judge_that_failed(tmp_path):
    """The judge fails after the question of a temporal test; the log holds that as well."""
    folder = tmp_path / "run"
    finished = ours(folder, Parrot(), mode="filled")
    events = read_log(finished.folder / "conversation.jsonl")
    assert any(event["event"] == "wait" and event["tokens"] > 1 for event in events)
    assert any(event["event"] == "jump" for event in events)
    before = files_in(folder)
    log = finished.folder / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    for at in [i for i, line in enumerate(lines) if b'"event": "wait"' in line][::5]:
        log.write_bytes(b"".join(lines[: at + 1]))
        ours(folder, Parrot(), mode="filled")
        assert files_in(folder) == before


def test_23_texts_are_sent_as_they_are_and_flags_have_an_effect(tmp_path):
    text = "Say 'it is <b>red</b> & warm'"
    tests = [Plain(name=n, memory_span=600).one(text, "x", example_id="0") for n in "AB"]
    tests[0].can_be_interleaved = False
    _, session = run_tests(tests, tmp_path, mode="interleaved")
    assert [e.message for e in session.exchanges].count(text) == 2
    kinds = [e["event"] for e in read_log(tmp_path / "log.jsonl") if e["event"] in ("begin", "end")]
    assert kinds == ["begin", "end", "begin", "end"]


def test_27_times_always_have_six_digits_and_means_are_not_cut(tmp_path):
    (outcome,), _ = run_tests(Plain().generate_examples(1), tmp_path)
    assert all(re.match(r"\w+ \(\S+ \d\d:\d\d:\d\d\.\d{6}\): ", line) for line in outcome.task_log)


def test_a_percentage_of_the_second_generation_is_refused_where_it_matters(tmp_path):
    from evalmark.schemas.errors import ScoringError

    full = {"tokens": 0, "time": 0, "percentage_finished": 50.0}
    none = {"tokens": 0, "time": 0, "percentage_finished": 0.0}
    path = defined(tmp_path, waits=[full, none])
    with pytest.raises(ConversionError):
        convert_data(json.loads(path.read_text()), to="ltm-definition-3")
    assert check_data(json.loads(path.read_text()), path=str(path)).findings == ()
    (test,), notes = load_tests([str(path)], Choice())
    assert len(notes) == 1
    assert test.waits == [{}, {}]
    with pytest.raises(ScoringError, match="memory span"):
        load_tests([str(path)], Choice(time_only=False))


def test_a_clock_never_runs_backwards():
    clock = Clock(datetime(2026, 1, 1, tzinfo=UTC))
    clock.set(datetime(2025, 1, 1, tzinfo=UTC))
    assert clock.now().year == 2026


def test_reading_a_log_leaves_it_as_it_is(tmp_path):
    """The log may be of a run that is running: only the run writes it."""
    path = tmp_path / "log"
    with closing(RunLog(path, {})) as log:
        log.event("x")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"event": "y", "da')
    assert [event["event"] for event in read_log(path)] == ["run", "x"]
    assert path.read_bytes() == whole + b'{"event": "y", "da'
    with closing(RunLog(path, {})) as log:
        log.event("x")
        log.event("z")
    assert [event["event"] for event in read_log(path)] == ["run", "x", "z"]


def test_percentages_of_the_second_generation_name_the_mode_that_needs_no_talk(run, tmp_path):
    (tmp_path / "agent.json").write_text("{}")
    waits = [{"tokens": 0, "time": 0, "percentage_finished": share} for share in (10, 0.0)]
    path = defined(tmp_path, waits=waits)
    how = ("--agent", tmp_path / "agent.json", "--out")
    done = run("evalmark", "memory", path, *how, tmp_path / "run", code=2)
    assert "; or make no talk of waits, with --mode isolated" in done.err
    run("evalmark", "memory", path, *how, tmp_path / "b", "--mode", "isolated", code=0)
