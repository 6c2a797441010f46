"""The judge of the LTM benchmark, where nobody names one: asked with the user's own key only."""

import json

import pytest
from conftest import file_at
from endpoint import Endpoint, forever
from evalmark.memory.agents import endpoint_keys
from evalmark.memory.agents.endpoint_keys import openai_with_key

VERDICT = json.dumps({"contains": "yes", "contradicts": "no", "beside_the_point": "no"})
TESTS = """
from evalmark.memory import DatasetInterface

class Judged(DatasetInterface):
    name = "Judged"
    description = "A model decides."

    def generate_examples(self, num_examples):
        self.ask_llm("What shall I ask?")
        return [
            self.create_example(
                script=["It is red.", "What is it?"], is_question=[False, True],
                expected_responses=["red"],
            )
        ]

    def evaluate_correct(self, questions, responses, expected_answers):
        return self.evaluate_correct_gpt(questions, responses, expected_answers)
"""
WORDS = ("evalmark", "memory", "--agent", "agent.json", "--out", "run")


@pytest.fixture
def openai(here, monkeypatch):
    """Something in the place of OpenAI's endpoint, which would judge."""
    pytest.importorskip("httpx")
    file_at("mine.py", TESTS.replace("self.ask_llm", "# self.ask_llm"))
    file_at("asks.py", TESTS)
    file_at("agent.json", {"default": "red"})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here / "home"))
    with Endpoint(forever(VERDICT)) as endpoint:
        monkeypatch.setattr(endpoint_keys, "_OPENAI_URL", endpoint.url)
        yield endpoint


def models(endpoint):
    return [body["model"] for _, _, body in endpoint.seen]


def test_gpt_4_judges_replies_and_gpt_3_5_answers_other_questions(openai, run, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    done = run(*WORDS, "asks.py:Judged", code=0)
    assert models(openai) == ["gpt-3.5-turbo", "gpt-4-turbo"]
    assert {key for _, key, _ in openai.seen} == {"Bearer sk-mine"}
    assert (
        "note: no judge is named: replies are judged by gpt-4-turbo of 127.0.0.1, with the key in "
        "OPENAI_API_KEY, and `ask_llm` asks gpt-3.5-turbo; --judge names another\n"
    ) in done.err
    assert "sk-mine" not in done.err + done.out


def test_without_a_key_nothing_is_sent_and_the_test_is_not_judged(openai, run):
    done = run(*WORDS, "mine.py:Judged", code=1)
    assert "not judged" in done.out
    assert (models(openai), "no judge is named" in done.err) == ([], False)


def test_a_run_that_began_without_a_key_is_judged_with_one(openai, run, monkeypatch):
    run(*WORDS, "mine.py:Judged", code=1)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    run(*WORDS, "mine.py:Judged", code=0)
    assert models(openai) == ["gpt-4-turbo"]


def test_tests_that_rules_score_have_no_judge(openai, run, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    done = run(*WORDS, "colours", "--examples", "1")
    assert (models(openai), "judge" in done.err) == ([], False)


def test_a_named_judge_is_asked_for_everything(openai, run, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    file_at("judge.json", {"default": VERDICT})
    done = run(*WORDS, "asks.py:Judged", "--judge", "judge.json", code=0)
    assert (models(openai), "no judge is named" in done.err) == ([], False)


def test_a_key_beside_the_address_of_another_endpoint_is_not_for_openai(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-local")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert openai_with_key() is None
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    assert openai_with_key() == "https://api.openai.com/v1"
