"""Sets in the general form are run: parts of a history, workers, costs, files."""

import json
from uuid import uuid4

import pytest
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.pages.conversation_folder import read_conversations
from evalmark.memory.pages.conversation_page import conversation_page
from evalmark.memory.running.memory_record import run_of_sets
from evalmark.memory.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError
from evalmark.validator.check import check_data
from test_set_runs import US, Killed, Notes, Saving, cut_after, ran, replies, scored
from test_set_workers import Reader, Searcher


def a_set(name: str = "harbour", *histories: str) -> dict[str, object]:
    """Questions after a session, within one, and at the end; options, a rubric, an abstention."""

    def history(who: str) -> dict[str, object]:
        turns = ["I live in Leiden.", "I have a cat called Nimbus.", "My door has the code 1234."]
        later = ["I moved to Porto.", "My sister is called Jun.", "It rains."]
        return {
            "id": who,
            "sessions": [
                {
                    "id": f"s{n}",
                    "date": f"2024-0{n}-01",
                    "turns": [
                        {"id": f"s{n}:{m}", "role": "user", "content": f"{text} {who} {n}"}
                        for m, text in enumerate(texts, 1)
                    ],
                }
                for n, texts in enumerate((turns, later, turns, later), 1)
            ],
            "questions": [
                {"id": f"{who}/{number}", **question}
                for number, question in enumerate(
                    (
                        {"question": "Where do I live?", "type": "facts", "answer": "Leiden",
                         "evidence": ["s1:1"], "after": "s1"},
                        {"question": "My cat?", "type": "facts", "answer": "Nimbus", "after": "s1"},
                        {"question": "Where now?", "type": "updates", "answer": "Porto",
                         "wrong_answers": ["Leiden"], "evidence": ["s2:1"], "after": "s3:2"},
                        {"question": "Which town?", "type": "facts", "answer": "Porto",
                         "options": ["Leiden", "Porto", "Gera"]},
                        {"question": "My dog?", "type": "unknown", "abstention": True},
                    ),
                    1,
                )
            ],
        }  # fmt: skip

    return {
        "memory_set": "1",
        "name": name,
        "types": {"facts": "facts", "updates": "updates", "unknown": "never told"},
        "histories": [history(who) for who in histories or ("ines", "tomas")],
    }


@pytest.fixture
def path(tmp_path):
    data = a_set()
    assert [finding.message for finding in check_data(data).findings] == []
    place = tmp_path / "harbour.json"
    place.write_text(json.dumps(data), encoding="utf-8")
    return place


def counting(kind, **members):
    """A class, and the turns that its objects have heard."""
    heard: list[str] = []

    def ingest(self, turns):
        heard.extend(turn["content"] for turn in turns)
        return kind.ingest(self, turns)

    return type("Counts", (kind,), {"ingest": ingest, **members}), heard


class Store:
    """Its memories are elsewhere, and its state is their name."""

    reads_only = True
    stores: dict[str, list[str]] = {}  # noqa: RUF012

    def __init__(self):
        self.name = uuid4().hex
        self.stores[self.name] = []

    def ingest(self, turns):
        self.stores[self.name] += [turn["content"] for turn in turns]

    def reply(self, text):
        return f"{len(self.stores[self.name])} {text}"

    def reset(self):
        self.__init__()

    def save(self):
        return self.name

    def load(self, state):
        self.name = state


# questions at several places of a history


@pytest.mark.parametrize("concurrent", [False, True])
@pytest.mark.parametrize("kind", [Saving, Reader, Searcher, Store])
def test_a_history_with_questions_at_several_places_is_told_once(path, tmp_path, kind, concurrent):
    agent, heard = counting(kind, concurrent=concurrent)
    finished = ran([path], OwnAgent(agent), tmp_path / "run", workers=3)
    assert len(heard) == len({*heard}) == 2 * 12
    assert finished.costs.steps["ingest"].count == 2 * 5  # a session is told in two parts


def test_it_has_the_answers_of_an_agent_that_is_told_again_for_each_question(path, tmp_path):
    expected = replies(ran([path], OwnAgent(Notes), tmp_path / "again"))
    assert [reply.split()[0] for reply in expected] == 2 * ["4", "4", "9", "13", "13"]
    assert replies(ran([path], OwnAgent(Saving), tmp_path / "once")) == expected


def test_what_is_told_later_is_in_no_earlier_answer_with_workers(path, tmp_path):
    for kind in (Saving, Reader, Store):
        agents = [OwnAgent(type("Own", (kind,), {"concurrent": True})) for _ in range(2)]
        first, second = (
            ran([path], agent, tmp_path / f"{kind.__name__} {workers}/run", workers=workers)
            for agent, workers in zip(agents, (1, 6), strict=True)
        )
        assert replies(first) == replies(second)


@pytest.mark.parametrize("kind", [Saving, Store])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_that_was_killed_between_parts_resumes_with_the_same_answers(
    path, tmp_path, kind, workers
):
    agent = type("Own", (kind,), {"concurrent": workers > 1})
    expected = replies(ran([path], OwnAgent(agent), tmp_path / "whole/run"))
    for cut in range(1, 22, 5):
        home = tmp_path / f"{cut}/run"
        with pytest.raises(Killed):
            ran([path], OwnAgent(cut_after(agent, cut)), home, workers=workers)
        assert replies(ran([path], OwnAgent(agent), home, workers=workers)) == expected


def test_a_part_that_cannot_be_told_costs_its_own_questions(path, tmp_path):
    class Fails(Saving):
        def ingest(self, turns):
            if turns[0]["id"] == "s2:1" and len(self.heard) == 3 and not self.failed:
                type(self).failed = True
                raise ValueError("no")
            super().ingest(turns)

        failed = False

    finished = ran([path], OwnAgent(Fails), tmp_path / "run")
    failed = [answer.question.id for answer in finished.answered if answer.error]
    assert failed == ["ines/3"]
    again = ran([path], OwnAgent(Fails), tmp_path / "run", retry=True)
    expected = replies(ran([path], OwnAgent(Saving), tmp_path / "whole"))
    assert replies(again) == expected


# workers, costs, files


def test_a_set_that_only_judges_score_says_so(path, tmp_path, run):
    data = a_set()
    for history in data["histories"]:
        for question in history["questions"]:
            question.pop("options", None)
            if "answer" in question:
                question["rubric"] = [question.pop("answer")]
    data["histories"][0]["questions"][-1].pop("abstention")  # nothing says what is right
    path.write_text(json.dumps(data), encoding="utf-8")
    script = tmp_path / "say.json"
    script.write_text('{"default": "Porto"}', encoding="utf-8")
    done = run("evalmark", "memory", "run", path, "--agent", script, "--out", tmp_path / "run")
    assert "for the accuracy that a judge gives, run the same command with --judge" in done.err


def test_two_histories_of_one_name_are_refused(path, tmp_path):
    other = tmp_path / "other.json"
    data = a_set("other", "ines")
    for number, question in enumerate(data["histories"][0]["questions"]):
        question["id"] = f"other/{number}"
    other.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ScoringError, match="2 histories have the id 'ines"):
        load_sets([str(path), str(other)])


def test_record_report_and_rescored_answers_say_the_same(path, tmp_path, run):
    finished = ran([path], OwnAgent(Searcher), tmp_path / "run")
    (scores,) = scored(finished)
    results = {result.name: result for result in run_of_sets(finished, US, None).results}
    names = [*results]  # comparisons pool the first score that a question has
    assert names.index("harbour: answer match/facts") < names.index("harbour: word F1/facts")
    total = results["harbour: answer match/answerable"]
    assert total.score == sum(scores.totals[0].exacts) / 8
    assert json.loads(run_of_sets(finished, US, None).settings["costs"]) == finished.costs.data()
    answers = finished.folder / "answers.jsonl"
    outcome = run("evalmark", "memory", "rescore", answers, "--set", path, "--format", "json")
    rows = json.loads(outcome.out)["files"][0]["sets"][0]["rows"]
    assert {row["name"]: row["exact_match"] for row in rows}["answerable"] == total.score


def test_a_run_is_checked_and_reported(path, tmp_path, run):
    script = tmp_path / "say.json"
    script.write_text('{"default": "(b) Porto"}', encoding="utf-8")
    out = tmp_path / "run"
    done = run("evalmark", "memory", "run", path, "--agent", script, "--out", out, "--workers", "4")
    assert done.code == 0, done.err
    assert run("evalmark", "check", out).code == 0
    (view,) = read_conversations(out)
    assert "harbour" in conversation_page([view])
    assert view.totals[0].part == "total"
