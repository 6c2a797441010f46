"""mem0 in your process; ``MEM0_CONFIG`` has its configuration as JSON. Its telemetry is off."""

import json
from os import environ
from uuid import uuid4

environ["MEM0_TELEMETRY"] = "False"

from mem0 import Memory

client = Memory.from_config(json.loads(environ.get("MEM0_CONFIG", "{}")))


class Mem0:
    """Its memories of a history are those of a user."""

    def __init__(self):
        self.user = uuid4().hex

    def ingest(self, turns):
        """The date is in the text: what extracts memories sees no other, and assumes today."""
        texts = [
            {"role": t["role"], "content": f"{t.get('date', '')} {t['content']}"} for t in turns
        ]
        client.add(texts, user_id=self.user)

    def search(self, text):
        found = client.search(text, filters={"user_id": self.user}, top_k=20)["results"]
        return [memory["memory"] for memory in found]

    def save(self):
        return self.user

    def load(self, state):
        self.user = state
