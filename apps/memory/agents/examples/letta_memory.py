"""Letta: an agent of a server, which keeps what it is told."""

from os import environ

from letta_client import Letta as Client

client = Client(base_url=environ.get("LETTA_URL", "http://localhost:8283"))


class Letta:
    """Each history has an agent, whose archival memory has the turns."""

    agent = None

    def reset(self):
        names = {"model": environ["LETTA_MODEL"], "embedding": environ["LETTA_EMBEDDING"]}
        self.agent = client.agents.create(**names).id

    def ingest(self, turns):
        for turn in turns:
            text = f"{turn.get('date', '')} {turn['role']}: {turn['content']}"
            client.agents.passages.create(self.agent, text=text)

    def search(self, text):
        found = client.agents.passages.search(self.agent, query=text, top_k=20)
        return [passage.content for passage in found.results]
