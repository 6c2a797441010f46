"""Thoughts before an answer are no answer: neither scored nor remembered, and never lost."""

import json
from dataclasses import replace

import pytest
from evalmark.converters.records.run import Producer
from evalmark.memory.agents.agent import ChatAgent, ScriptedAgent
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED
from evalmark.memory.running.run_log import read_log
from evalmark.schemas.errors import AgentError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models.load_models import load_chat_model
from evalmark.scoring.models.thoughts import opening_of, thought_of
from memory_runs import Plain, conversation, run_tests
from scripted import ACCEPTED, Judge
from test_agents import Words
from test_endpoints import reply, serving
from test_ltm_bugs import defined

DOUBT = "I do not know."


class Judged(Plain):
    """Plain, by a judge."""

    def evaluate_correct(self, questions, responses, expected_answers):
        return self.evaluate_correct_gpt(questions, responses, expected_answers)


# what thoughts are


@pytest.mark.parametrize(
    "thoughts",
    [
        "<think>Ivory?</think>",
        "\n<think>\nIvory? Or <think> that?\n</think>\n\n",
        "<think>a <think>b</think> Ivory</think>",
        "<think>one</think>\n<think>Ivory</think>",
        "<thinking>Ivory</thinking>",
        "<thought>Ivory</thought>",
        "<reasoning>Ivory</reasoning>",
        "<seed:think>Ivory</seed:think>",
        "[THINK]Ivory[/THINK]",
        "◁think▷Ivory◁/think▷",
        "<|START_THINKING|>Ivory<|END_THINKING|><|START_RESPONSE|>",
        "<|channel|>analysis<|message|>Ivory<|end|><|start|>assistant<|channel|>final<|message|>",
        "<|channel>thought\nIvory<channel|>",
        "analysisIvory, I think.assistantfinal",
        # The chat template has written the opening.
        "Ivory, I think.</think>",
        "Ivory, I think.[/THINK]",
    ],
)
@pytest.mark.parametrize("end", ["", "<|return|>", "<|END_RESPONSE|>"])
def test_leading_thoughts_are_not_the_answer(thoughts, end):
    found = thought_of(f"{thoughts}{DOUBT}{end}")
    assert (found.answer, found.missing) == (DOUBT, "")
    assert "Ivory" in found.thoughts


@pytest.mark.parametrize(
    "text",
    [
        DOUBT, "", "Write <think>Ivory</think> before the answer.", "<thinker>Ivory</thinker>",
        "<b>Ivory</b>", "The analysis is final.",
    ],
)  # fmt: skip
def test_anything_else_is_the_answer_to_the_letter(text):
    assert thought_of(text).answer == text
    assert thought_of(text).thoughts == ""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("<think>It was Ivory, or", "the reply is only thoughts, which never end"),
        ("[THINK]It was Ivory", "the reply is only thoughts, which never end"),
        ("<think>a</think><think>b", "the reply is only thoughts, which never end"),
        ("<think>Ivory</think>\n", "the reply has thoughts, and no answer after them"),
    ],
)
def test_a_reply_can_lack_its_answer(text, missing):
    found = thought_of(text)
    assert (found.answer, found.missing) == ("", missing)
    assert found.thoughts


@pytest.mark.parametrize("text", ["<think>Ivory</think>", "Say <think>", "</think> ends it"])
def test_a_tag_that_is_expected_is_a_part_of_the_answer(text):
    assert thought_of(text, ["Begin with <think>.", "End with </think>"]).answer == text
    assert thought_of(f"<thinking>x</thinking>{text}", ["<think>"]).answer == text


# what becomes of them in a run


def ran_with(agent, home, thoughts="cut", name="0"):
    defined(home.parent, name=name)
    return conversation(str(home.parent / "definitions"), home, agent, thoughts=thoughts)


def saying(text):
    return ScriptedAgent({}, text)


def test_a_colour_that_was_only_thought_of_is_not_right(tmp_path):
    text = f"<think>Red, or red.</think> {DOUBT}"
    (cut,) = ran_with(saying(text), tmp_path / "cut").outcomes
    (kept,) = ran_with(saying(text), tmp_path / "keep", "keep").outcomes
    assert (cut.score, cut.responses) == (0, [DOUBT])
    assert (kept.score, kept.responses) == (1, [text])


def test_thoughts_are_in_the_log_and_the_run_and_its_record_say_so(tmp_path):
    text = f"<think>Red.</think>{DOUBT}"
    for thoughts, said in (
        ("cut", "cut off before scoring and memory in 2 replies"),
        ("keep", "kept as a part of the replies"),
    ):
        finished = ran_with(saying(text), tmp_path / thoughts, thoughts)
        log = read_log(finished.folder / "conversation.jsonl")
        messages = [event for event in log if event.get("kind") == "test"]
        assert {event.get("thoughts") for event in messages} == {
            "<think>Red.</think>" if thoughts == "cut" else None
        }
        assert json.loads((finished.folder / "run.json").read_text())["thoughts"] == said
        written = write_conversation_record(finished, Producer("Us", "other"))
        assert said in written.record.read_text()
        assert (f"thoughts: {said}" in finished.notes) == (thoughts == "cut")
        # A run is resumed with the same policy only.
        assert (log[0]["plan"].get("thoughts") == "keep") == (thoughts == "keep")


def test_a_run_without_thoughts_says_nothing_of_them(tmp_path):
    finished = ran_with(saying("Red"), tmp_path / "run")
    assert finished.notes == []
    assert "thoughts" not in (finished.folder / "run.json").read_text()


def test_thoughts_that_never_end_are_an_error_of_the_answer_and_no_zero(tmp_path):
    text = "<think>Was it red? Or"
    (cut,) = ran_with(saying(text), tmp_path / "cut").outcomes
    assert (cut.state, cut.score) == (FAILED, None)
    assert cut.reasons == ["the reply is only thoughts, which never end"]
    (log,) = (tmp_path / "cut").rglob("conversation.jsonl")
    (event,) = [event for event in read_log(log) if event["event"] == "message"]
    assert (event["error"], event["thoughts"]) == (cut.reasons[0], text)
    assert event["written"] > 0, "it was paid for"
    (kept,) = ran_with(saying(text), tmp_path / "keep", "keep").outcomes
    assert (kept.state, kept.score) == (SCORED, 1)


class Thinks(Words):
    """A model that thinks before each reply, and keeps what it was asked."""

    def complete(self, messages, **rest):
        said = super().complete(messages, **rest)
        number = len(self.asked)
        return replace(said, text=f"<think>thought {number}</think>answer {number}")


def test_the_model_remembers_its_answers_and_not_its_thoughts(tmp_path):
    words = Thinks(window=None)
    ran_with(ChatAgent(words), tmp_path / "run")
    first, second = words.asked
    assert first == ["My favourite colour is Red."]
    assert second[:2] == [*first, "answer 1"]


def test_a_reply_without_an_answer_is_not_remembered():
    agent = ChatAgent(Words(window=None))
    agent.reply("one")
    agent.reply("two")
    agent.amend(None)
    agent.reply("three")
    assert "two" not in agent.completer.asked[-1]


def test_an_expected_tag_is_scored(tmp_path):
    defined(tmp_path, name="0", expected_responses=["<think>"])
    agent = saying("<think> is the tag, </think> ends it")
    done = conversation(str(tmp_path / "definitions"), tmp_path / "run", agent)
    assert done.outcomes[0].responses == ["<think> is the tag, </think> ends it"]
    assert "thoughts" not in (done.folder / "conversation.jsonl").read_text()


def test_the_command_has_the_choice(run, here):
    defined(here, name="0")
    (here / "agent.json").write_text(json.dumps({"default": f"<think>Red</think>{DOUBT}"}))
    for option, score in (((), "0.000"), (("--thoughts", "keep"), "1.000")):
        done = run("evalmark", "memory", "definitions", "--agent", "agent.json",
                   "--out", f"run{score}", *option, code=0)  # fmt: skip
        assert score in done.out
    assert (
        "note: thoughts: cut off before scoring and memory in 2 replies"
        in run("evalmark", "memory", "definitions", "--agent", "agent.json", "--out", "again").err
    )
    wrong = run("evalmark", "memory", "definitions", "--agent", "agent.json", "--out", "x",
                "--thoughts", "drop", code=2)  # fmt: skip
    assert "cut" in wrong.err


# endpoints send them beside the answer


@pytest.mark.parametrize(
    "sent",
    [
        reply(DOUBT, reasoning_content="Ivory?"),
        reply(DOUBT, reasoning="Ivory?"),
        reply(DOUBT, thinking="Ivory?"),
        reply([{"type": "thinking", "thinking": [{"type": "text", "text": "Ivory?"}]},
               {"type": "text", "text": DOUBT}]),
    ],
)  # fmt: skip
def test_thoughts_in_a_field_of_the_message_are_kept_apart(sent, tmp_path):
    with serving(sent) as server:
        completer = HttpCompleter(server.url, "m")
        said = completer.complete([{"role": "user", "content": "?"}], temperature=0, max_tokens=9)
        assert (said.text, said.thoughts) == (DOUBT, "Ivory?")
        (kept,) = ran_with(ChatAgent(completer), tmp_path / "keep", "keep").outcomes
        assert kept.responses == [f"<think>\nIvory?\n</think>\n\n{DOUBT}"]
        finished = ran_with(ChatAgent(completer), tmp_path / "cut")
    assert finished.outcomes[0].responses == [DOUBT]
    assert '"thoughts": "Ivory?"' in (finished.folder / "conversation.jsonl").read_text()


def test_an_endpoint_that_only_thinks_has_not_answered():
    with (
        serving(reply("", reasoning_content="Ivory?")) as server,
        pytest.raises(AgentError, match="an empty reply after thoughts"),
    ):
        HttpCompleter(server.url, "m").complete(
            [{"role": "user", "content": "?"}], temperature=0, max_tokens=9
        )


# models on this machine


@pytest.mark.parametrize(
    ("prompt", "opening"),
    [("<|assistant|><think>\n", "<think>"), ("<|assistant|>\n", ""), ("[THINK]", "[THINK]")],
)
def test_a_template_that_begins_the_thoughts_is_seen(prompt, opening):
    assert opening_of(prompt) == opening


def test_a_model_whose_template_begins_its_thoughts_says_so(transformers):
    model = load_chat_model("demo", device="cpu", dtype="float64")
    model.tokenizer = transformers.AutoTokenizer.from_pretrained(DEMO_FOLDER)
    model.tokenizer.chat_template = "{{ messages[0].content }}\n"
    plain = model.respond([{"role": "user", "content": "a"}], temperature=0, max_tokens=3)
    model.tokenizer.chat_template += "<think>\n"
    said = model.respond([{"role": "user", "content": "a"}], temperature=0, max_tokens=3)
    assert said.text.startswith("<think>")
    assert not plain.text.startswith("<think>")


def test_a_judge_may_think_too(tmp_path):
    replies = iter(["<think>No. Hmm.</think>" + ACCEPTED, "<think>yes, no"])
    states = []
    for number in range(2):
        tests = Judged(name="J").generate_examples(1)
        home = tmp_path / str(number)
        home.mkdir()
        (outcome,), _ = run_tests(tests, home, judge=Judge(always=next(replies)))
        states.append((outcome.state, outcome.score))
    assert states == [(SCORED, 1), (UNJUDGED, None)]
