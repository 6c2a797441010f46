"""LangMem (``pip install langmem langchain-openai``), with a store in this process."""

from os import environ
from uuid import uuid4

from langgraph.store.memory import InMemoryStore
from langmem import create_memory_store_manager

store = InMemoryStore(index={"dims": 1536, "embed": "openai:text-embedding-3-small"})
model = environ.get("LANGMEM_MODEL", "openai:gpt-4o-mini")


class LangMem:
    """Its memories of a history are a namespace of the store; questions do not change them."""

    concurrent = reads_only = True

    def reset(self):
        self.place = ("memories", uuid4().hex)
        self.manager = create_memory_store_manager(model, namespace=self.place, store=store)

    async def ingest(self, turns):
        messages = [{"role": turn["role"], "content": turn["content"]} for turn in turns]
        await self.manager.ainvoke({"messages": messages})

    def search(self, text):
        return [str(item.value) for item in store.search(self.place, query=text, limit=20)]
