"""``compare`` for two runs of conversations."""

import json
import re
import shutil

from conftest import FIXTURES
from evalmark.converters.records.run import Producer
from evalmark.memory.agents.agent import Completion
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.scoring.comparison.run_comparison import compare
from memory_runs import Echo, conversation, ours
from scripted import Judge
from written_definitions import jokes, names


def accepting(name):
    """A judge that accepts everything."""
    judge = Judge()
    judge.name = name
    return judge


def talked(folder, targets, *, agent=None, **rest):
    return conversation(targets, folder, agent or Echo(), **rest)


def test_one_agent_at_two_memory_spans_is_told_apart(run, tmp_path):
    for span in (400, 900):
        targets = ["colours", names(tmp_path / "of")]
        talked(tmp_path / f"{span}", targets, mode="filled", memory_span=span)
    done = run("evalmark", "compare", tmp_path / "400", tmp_path / "900", "--pooled", code=0)
    first, second, differ, *_ = done.out.splitlines()
    assert first.endswith("400, evalmark/scripted (memory span 400)")
    assert second.endswith("900, evalmark/scripted (memory span 900)")
    assert differ == "The runs differ in: memory span 400 / 900."
    lines = [line.split() for line in done.out.splitlines()]
    assert ["dataset", "tests", "first", "second", "difference"] in [line[:5] for line in lines]
    assert ["mean", "(2", "datasets)"] in [line[:3] for line in lines]
    assert ["pooled", "(6", "tests)", "6"] in [line[:4] for line in lines]
    for of, same in (
        ("mean over 2 datasets", "dataset"),
        ("these 6 tests alone", "test"),
    ):
        assert f"{of}: no difference is claimed: both score the same on every {same}" in done.out
    assert "suite" not in done.out + done.err
    assert "item" not in done.out + done.err


def test_tests_are_matched_by_definition_though_their_questions_name_another_time(tmp_path):
    """Which joke did I tell you an hour ago? Two hours ago, for a slow agent."""
    judge = accepting("yes")
    for name, took in (("a", 1.0), ("b", 500.0)):
        talked(tmp_path / name, [jokes(tmp_path / "of")], took=took, mode="filled", judge=judge)
    questions = {
        json.loads(next((tmp_path / name / "results").rglob("Jokes/0_0.json")).read_text())[
            "task_log"][-2].partition("): ")[2]
        for name in ("a", "b")
    }  # fmt: skip
    assert len(questions) == 2
    (row,) = compare(tmp_path / "a", tmp_path / "b").predictions
    assert (row.items, row.other_texts) == (3, 0)


def test_tests_of_another_seed_are_other_tests(tmp_path):
    for seed in (0, 1):
        talked(tmp_path / f"{seed}", ["colours"], seed=seed)
    found = compare(tmp_path / "0", tmp_path / "1")
    assert ("text of tests", "3 of 3 tests of Colours") in [d[:2] for d in found.differences]
    assert found.predictions[0].claim == (
        "Colours: no difference is claimed: 3 of 3 tests have another text in either run"
    )


def test_what_cannot_be_paired_is_named(run, tmp_path):
    talked(tmp_path / "a", ["colours", jokes(tmp_path / "3")], agent=Amnesic())
    more = [names(tmp_path / "2", 2), jokes(tmp_path / "2", 2)]
    talked(tmp_path / "b", ["colours", *more], agent=Amnesic(), examples=2)
    done = run("evalmark", "compare", tmp_path / "a", tmp_path / "b", code=0)
    notes = done.err.replace(f"{tmp_path}/", "").splitlines()
    assert notes == [
        "note: only in b, not compared: Names",
        "note: without a score in a, not compared: Jokes - 0 (not judged), Jokes - 1 (not judged), "
        "Jokes - 2 (not judged)",
        "note: without a score in b, not compared: Jokes - 0 (not judged), Jokes - 1 (not judged)",
        "note: Colours: 1 test is only in a, not compared",
    ]
    data = json.loads(
        run("evalmark", "compare", tmp_path / "a", tmp_path / "b", "--format", "json").out
    )
    assert data["without_score"]["second"] == {"Jokes - 0": "not judged", "Jokes - 1": "not judged"}


class Amnesic(Echo):
    """Says nothing about what it was told."""

    def reply(self, message):
        return Completion("I do not know.")


def test_scores_of_two_judges_are_shown_but_nothing_is_claimed(tmp_path):
    for name in ("yes", "no"):
        talked(tmp_path / name, [jokes(tmp_path / "of", 8)], judge=accepting(name), agent=Amnesic())
    found = compare(tmp_path / "yes", tmp_path / "no")
    assert ("judge", "evalmark/yes", "evalmark/no") in found.differences
    (row,) = found.predictions
    assert row.claim == "Jokes: no difference is claimed: the runs have different judges"


def test_a_difference_of_scores_is_claimed(tmp_path):
    targets = ["colours", names(tmp_path / "of", 9)]
    talked(tmp_path / "a", targets, agent=Amnesic(), examples=9)
    talked(tmp_path / "b", targets, agent=Echo(), examples=9)
    found = compare(tmp_path / "a", tmp_path / "b", pooled=True)
    assert [row.better for row in found.predictions] == ["second", "second"]
    assert found.pooled.claim.startswith(
        "these 18 tests alone: evalmark/scripted (b) scores higher, 1.000 against 0.000"
    )
    assert found.pooled.test == "McNemar stratified by dataset, exact"


def test_records_say_the_same_as_folders(tmp_path):
    records = []
    for name, agent in (("a", Amnesic()), ("b", Echo())):
        finished = ours(tmp_path / name, agent)
        written = write_conversation_record(finished, Producer("Us", "other"))
        records.append(written.record)
    folders = compare(tmp_path / "a", tmp_path / "b", pooled=True)
    for first, second in (records, (tmp_path / "a", records[1]), (records[0], tmp_path / "b")):
        found = compare(first, second, pooled=True)
        assert found.words == folders.words
        assert found.predictions == folders.predictions
        assert found.pooled == folders.pooled
        assert found.headline == folders.headline
        assert found.not_compared == folders.not_compared


def test_published_runs_are_compared(run, shared):
    ltm = shared / "data/ltm"
    done = run("evalmark", "compare", ltm / "Benchmark 3 - 1k",
               ltm / "Benchmark 3 - 32k (isolated)", code=0)  # fmt: skip
    first, second, *_ = done.out.splitlines()
    assert first.endswith(", openai/gpt-4o")
    assert second.endswith(", openai/gpt-4-turbo")
    assert re.search(r"mean over 10 datasets: .* is better, 0.920 against 0.585", done.out)
    assert done.err.endswith("not compared: ChapterBreak\n")


def test_generations_with_other_tests_or_rules_claim_nothing(shared):
    ltm = shared / "data/ltm"
    pair = ltm / "Benchmark 1 - 1k Filler", ltm / "Benchmark 3 - 1k"
    found = compare(*pair, pooled=True)
    assert {row.better for row in (*found.predictions, found.headline, found.pooled)} == {None}
    assert "scoring rules" in {difference.name for difference in found.differences}


def test_conversations_are_compared_test_by_test(tmp_path, run):
    home = FIXTURES / "good/ltm"
    shutil.copytree(home, tmp_path / "b")
    (result,) = (tmp_path / "b/results").glob("*/Colours/0_0.json")
    data = json.loads(result.read_text())
    result.write_text(json.dumps({**data, "score": 0}))
    found = compare(home, tmp_path / "b/results/Example agent")
    (row,) = found.predictions
    assert (row.suite, row.items, row.difference, row.better) == ("Colours", 1, -1, None)
    shutil.copytree(tmp_path / "b/results/Example agent", tmp_path / "b/results/Other")
    done = run("evalmark", "compare", home, tmp_path / "b", code=2)
    assert "several agents; name one" in done.err
