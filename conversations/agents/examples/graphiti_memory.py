"""Graphiti, the graph of Zep (``pip install graphiti-core``), over a Neo4j server."""

from datetime import UTC, datetime
from os import environ
from uuid import uuid4

from graphiti_core import Graphiti as Client

client = Client(environ["NEO4J_URI"], environ["NEO4J_USER"], environ["NEO4J_PASSWORD"])


class Graphiti:
    """Its memories of a history are a group of the graph."""

    concurrent = True

    def __init__(self):
        self.group = uuid4().hex

    async def ingest(self, turns):
        text = "\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
        when = datetime.fromisoformat(turns[0].get("date", "2000-01-01")).replace(tzinfo=UTC)
        await client.add_episode(turns[0]["session"], text, "chat", when, group_id=self.group)

    async def search(self, text):
        found = await client.search(text, group_ids=[self.group], num_results=20)
        return [edge.fact for edge in found]

    def save(self):
        return self.group

    def load(self, state):
        self.group = state
