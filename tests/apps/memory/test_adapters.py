"""The adapters of memory systems with their clients, and the model that answers."""

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from endpoint import Endpoint, said
from evalmark.memory.agents.agent import Answerer, Completion
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.interface.dataset_interface import DynamicExample
from evalmark.schemas.errors import ScoringError
from memory_runs import examples_of, run_tests
from test_agents import Words

EXAMPLES = "evalmark.memory.agents.examples"


def of_mem0(path, body):
    """A model that extracts each message as a memory, and equal vectors for all texts."""
    if path.endswith("/embeddings"):
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        vectors = [{"object": "embedding", "index": n, "embedding": [0.1] * 1536}
                   for n, _ in enumerate(texts)]  # fmt: skip
        return 200, {"object": "list", "model": "e", "data": vectors, "usage": {}}
    told = body["messages"][-1]["content"].partition("## New Messages\n")[2].partition("\n\n")[0]
    memories = [{"id": str(n), "text": line} for n, line in enumerate(told.splitlines())]
    return 200, said(json.dumps({"memory": memories}))


def of_letta(agents):
    """A server with the passages of its agents, all of which a search finds."""

    def answer(path, body):
        parts = path.partition("?")[0].strip("/").split("/")
        if len(parts) == 2:
            agents[f"agent-{len(agents)}"] = []
            return 200, {"id": [*agents][-1], **body}
        passages = agents[parts[2]]
        if parts[-1] != "search":
            passages.append(body["text"])
            return 200, [{"text": body["text"]}]
        found = [{"id": "p", "content": text, "timestamp": ""} for text in passages]
        return 200, {"count": len(found), "results": found}

    return answer


def sent_to_mem0(seen):
    """The messages from which memories are extracted, which a model is asked for in one text."""
    chats = [body["messages"][-1]["content"] for path, _, body in seen if "chat" in path]
    return [text.partition("## New Messages\n")[2].partition("\n\n")[0] for text in chats]


def sent_to_letta(seen):
    return [body["text"] for path, _, body in seen if path.endswith("/archival-memory")]


#: Package, module and class of an adapter; what its endpoint says, and what it was sent.
ADAPTERS = [
    ("mem0", "mem0_memory", "Mem0", of_mem0, sent_to_mem0),
    ("letta_client", "letta_memory", "Letta", of_letta({}), sent_to_letta),
]


class Echo(Words):
    """Answers with the prompt."""

    def __init__(self):
        super().__init__(window=None)

    def complete(self, messages, **rest):
        return Completion(messages[-1]["content"], 10, 1)


TOLD = [
    ("Our cat is called Nimbus.", "A fine name.", "2023-05-20T14:30:00"),
    ("She moved to Porto.", "Far away!", "2023-06-01T09:00:00"),
]


class Talk(DynamicExample):
    """A history with replies and dates, then a question."""

    def action_iter(self):
        for message, reply, date in TOLD:
            yield self.say(message, filler_response=reply, date=date)
        yield self.say("What is the name of the cat?", question=True)
        self.score = 1


@pytest.mark.parametrize(("package", "module", "name", "says", "sent"), ADAPTERS)
def test_a_client_sends_dates_speakers_and_texts_and_answers_get_texts(
    tmp_path, monkeypatch, package, module, name, says, sent
):
    """The extra `adapters`: the clients themselves, with a fake endpoint on this machine."""
    if find_spec(package) is None:  # an import would read the environment too early
        pytest.skip(f"{package} is not installed")
    store = {"vector_store": {"config": {"path": str(tmp_path / "vectors")}}}
    monkeypatch.delitem(sys.modules, f"{EXAMPLES}.{module}", raising=False)
    with Endpoint(says) as endpoint:
        for key, value in {
            "LETTA_URL": endpoint.url.removesuffix("/v1"), "LETTA_MODEL": "m",
            "LETTA_EMBEDDING": "e", "OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "k",
            "MEM0_DIR": str(tmp_path), "MEM0_CONFIG": json.dumps(store),
        }.items():  # fmt: skip
            monkeypatch.setenv(key, value)
        kind = getattr(import_module(f"{EXAMPLES}.{module}"), name)
        agent = OwnAgent(kind, f"{EXAMPLES}.{module}:{name}", Answerer(Echo()))
        (outcome,), _ = run_tests(examples_of(Talk), tmp_path, agent)
    assert outcome.state == "scored", outcome.reasons
    told = "\n".join(sent(endpoint.seen))
    for message, reply, date in TOLD:
        for text in (message, reply):
            first = next(line for line in told.splitlines() if text in line)
            assert date in first
    memories, _, question = outcome.responses[0].partition("\n\nQuestion: ")
    assert question.startswith("What is the name of")
    assert re.search(r"- (user: )?(\d{4}-\d\d-\d\dT[\d:]+ )?(user: )?Our cat .*Nimbus", memories)
    assert "{" not in memories
    assert package != "mem0" or not import_module("mem0.memory.telemetry").MEM0_TELEMETRY
    monkeypatch.delitem(sys.modules, f"{EXAMPLES}.{module}")


def test_a_model_answers_for_classes_that_only_search():
    notes = type("Notes", (), {"reply": lambda self, text: text})
    answers = {"search": lambda self, text: [text], "answer": lambda self, text, memories: text}
    for kind in (notes, type("Searcher", (), answers)):
        with pytest.raises(ScoringError, match=r"only answers for a class with `search` and no"):
            OwnAgent(kind, "", Answerer(Echo()))
    only = type("Only", (), {"search": lambda self, text: [text]})
    with pytest.raises(ScoringError, match="a model has to answer from its `search`"):
        OwnAgent(only)
    about = OwnAgent(only, "", Answerer(Echo(), system="Be short.")).about
    assert about["answer_system"] == "Be short."
    assert "{memories}" in about["answer_prompt"]
    assert about["model"] == "local/Only"


def test_braces_in_memories_and_questions_stay():
    reply = Answerer(Echo()).answer("{memories}?", ["{question}", "{}"])
    assert "- {question}\n- {}" in reply.text
    assert "Question: {memories}?" in reply.text
