"""An agent and a judge that say what a test gives them, and remember what they were asked."""

from itertools import repeat

from evalmark.memory.agents.agent import Completion, ScriptedAgent

#: A judge's answer that accepts a reply.
ACCEPTED = '{"contains": "yes", "contradicts": "no", "beside_the_point": "no"}'


class Listener(ScriptedAgent):
    """Replies the same to everything, or what a function of the message returns."""

    def __init__(self, default="yes", choose=None):
        super().__init__({}, default, choose)
        self.asked = []

    def reply(self, message):
        self.asked.append(message)
        return super().reply(message)


class Judge(ScriptedAgent):
    """Says the given texts in turn, or always one, at 0.25 USD each."""

    window = None

    def __init__(self, *texts, always=ACCEPTED):
        super().__init__({})
        self.texts = iter(texts) if texts else repeat(always)
        self.asked, self.calls = [], []

    def complete(self, messages, *, temperature, max_tokens):
        self.asked.append(messages[-1]["content"])
        self.calls.append((messages, temperature, max_tokens))
        return Completion(next(self.texts), cost=0.25)
