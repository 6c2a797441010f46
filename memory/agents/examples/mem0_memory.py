"""mem0 in your process (``pip install mem0ai``); ``Memory`` is set up by its own configuration."""

from uuid import uuid4

from mem0 import Memory

client = Memory()


class Mem0:
    """Its memories of a history are those of a user."""

    def __init__(self):
        self.user = uuid4().hex

    def ingest(self, turns):
        messages = [{"role": turn["role"], "content": turn["content"]} for turn in turns]
        client.add(messages, user_id=self.user, metadata={"date": turns[0].get("date")})

    def search(self, text):
        found = client.search(text, filters={"user_id": self.user}, top_k=20)["results"]
        return [f"{(memory['metadata'] or {}).get('date')}: {memory['memory']}" for memory in found]

    def save(self):
        return self.user

    def load(self, state):
        self.user = state
