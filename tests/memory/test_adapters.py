"""The adapters of memory systems, each with a fake of its client, and the model that answers."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest
from conftest import ROOT
from evalmark.memory.agents.agent import Completion
from evalmark.memory.agents.answerer import Answerer
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.schemas.errors import ScoringError
from test_agents import Words
from test_set_runs import LOCOMO, Notes, ran
from test_set_workers import Searcher

EXAMPLES = "evalmark.memory.agents.examples"
FOLDER = ROOT / "memory/agents/examples"


class Store:
    """Texts of several users; a search finds those that share words, the most of them first."""

    def __init__(self):
        self.texts = {}

    def add(self, user, text):
        self.texts.setdefault(user, []).append(text)

    def find(self, user, query, most):
        words = set(query.lower().split())
        found = self.texts[user]
        return sorted(found, key=lambda text: -len(words & set(text.lower().split())))[:most]


def mem0(store):
    class Memory:
        def add(self, messages, *, user_id, metadata):
            for message in messages:
                store.add(user_id, f"{message['content']} ({metadata['date']})")

        def search(self, query, *, filters, top_k):
            found = store.find(filters["user_id"], query, top_k)
            return {"results": [{"memory": text, "metadata": None} for text in found]}

    return {"mem0": {"Memory": Memory}}


def letta(store):
    class Letta:
        def __init__(self, base_url):
            made = []
            self.agents = SimpleNamespace(
                create=lambda model, embedding: (
                    made.append(model) or SimpleNamespace(id=f"agent-{len(made)}")
                ),
                passages=SimpleNamespace(
                    create=lambda agent, text: store.add(agent, text),
                    search=lambda agent, query, top_k: SimpleNamespace(
                        results=[
                            SimpleNamespace(content=text)
                            for text in store.find(agent, query, top_k)
                        ]
                    ),
                ),
            )

    return {"letta_client": {"Letta": Letta}}


#: Module and class of an adapter, and the fake of its client.
ADAPTERS = {
    ("mem0_memory", "Mem0"): mem0,
    ("letta_memory", "Letta"): letta,
}
ENVIRONMENT = {"LETTA_MODEL": "m", "LETTA_EMBEDDING": "e"}


class Echo(Words):
    """Answers with the prompt."""

    concurrent = True

    def __init__(self):
        super().__init__(window=None)

    def complete(self, messages, **rest):
        return Completion(messages[-1]["content"], 10, 1)


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter[1])
def test_an_adapter_finds_what_its_client_was_told(tmp_path, monkeypatch, adapter):
    module, name = adapter
    store = Store()
    for package, members in ADAPTERS[adapter](store).items():
        fake = ModuleType(package)
        vars(fake).update(members)
        monkeypatch.setitem(sys.modules, package, fake)
    for key, value in ENVIRONMENT.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delitem(sys.modules, f"{EXAMPLES}.{module}", raising=False)
    kind = getattr(import_module(f"{EXAMPLES}.{module}"), name)
    agent = OwnAgent(kind, f"{EXAMPLES}.{module}:{name}", Answerer(Echo()))
    finished = ran([LOCOMO], agent, tmp_path, workers=4)
    assert [answer.error for answer in finished.answered] == [""] * 5
    (cat,) = [a.reply for a in finished.answered if "name of" in a.question.text]
    memories, _, question = cat.partition("\n\nQuestion: ")
    assert "Nimbus" in memories
    assert question.startswith("What is the name of")
    assert finished.costs.steps["search"].count == 5
    assert finished.costs.context_tokens
    monkeypatch.delitem(sys.modules, f"{EXAMPLES}.{module}")


@pytest.mark.parametrize("module", [module for module, _ in ADAPTERS])
def test_an_adapter_has_at_most_fifteen_lines(module):
    """Without imports, descriptions and empty lines."""
    source = (FOLDER / f"{module}.py").read_text("utf-8")
    lines = [line.strip() for line in source.split("\n")]
    said = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
    texts = sum(isinstance(node, ast.Constant) for node in said)
    code = [line for line in lines if line and not line.startswith(("import ", "from "))]
    assert len(code) - texts <= 15 + 2  # the client, and the name of the class


def test_a_model_answers_for_classes_that_only_search():
    with pytest.raises(
        ScoringError,
        match=r"Notes cannot .* only answers for a class with `search` and no `answer`",
    ):
        OwnAgent(Notes, "", Answerer(Echo()))
    with pytest.raises(ScoringError, match="Searcher cannot be used: a model only answers"):
        OwnAgent(Searcher, "", Answerer(Echo()))
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
