"""Turns of a history by the likeness of embeddings, of any endpoint with ``/embeddings``."""

from os import environ

import httpx

client = httpx.Client(headers={"Authorization": f"Bearer {environ.get('EMBEDDINGS_KEY', '')}"})


class Retrieval:
    """The ten turns that are most like a question."""

    def __init__(self):
        self.rows = []

    def ingest(self, turns):
        texts = [f"{turn.get('date', '')} {turn['role']}: {turn['content']}" for turn in turns]
        self.rows += zip(self.embedded(texts), texts, [turn["id"] for turn in turns], strict=True)

    def search(self, text):
        (query,) = self.embedded([text])
        best = sorted(self.rows, key=lambda row: -sum(map(float.__mul__, row[0], query)))[:10]
        self.retrieved = [name for _, _, name in best]
        return [text for _, text, _ in best]

    def embedded(self, texts):
        body = {"model": environ["EMBEDDINGS_MODEL"], "input": texts}
        reply = client.post(f"{environ['EMBEDDINGS_URL']}/embeddings", json=body, timeout=60)
        return [row["embedding"] for row in reply.raise_for_status().json()["data"]]
