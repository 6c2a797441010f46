"""Conversational memory tests: run them with an agent, score them, and write a record.

The names of the interface are those of the LTM benchmark: a dataset written against its
description runs here. See docs/conversations.md.
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Agent": "evalmark.memory.agents.agent",
    "AgentError": "evalmark.schemas.errors",
    "CallBackTestExample": "evalmark.memory.interface.dataset_interface",
    "ChatAgent": "evalmark.memory.agents.agent",
    "Completer": "evalmark.memory.agents.agent",
    "Completion": "evalmark.memory.agents.agent",
    "Conversation": "evalmark.memory.running.conversation",
    "DatasetInterface": "evalmark.memory.interface.dataset_interface",
    "DynamicDataset": "evalmark.memory.interface.dataset_interface",
    "DynamicExample": "evalmark.memory.interface.dataset_interface",
    "Finished": "evalmark.memory.running.conversation",
    "GPTGenerated": "evalmark.memory.datasets.builtin_datasets",
    "MemorySystem": "evalmark.memory.agents.memory_system",
    "NotJudged": "evalmark.schemas.errors",
    "ScriptedAgent": "evalmark.memory.agents.agent",
    "SendAndRegisterAction": "evalmark.memory.interface.dataset_interface",
    "SendMessageAction": "evalmark.memory.interface.dataset_interface",
    "TestAction": "evalmark.memory.interface.dataset_interface",
    "TestExample": "evalmark.memory.interface.dataset_interface",
    "TestFinishedAction": "evalmark.memory.interface.dataset_interface",
    "WaitAction": "evalmark.memory.interface.dataset_interface",
    "WaitCreator": "evalmark.memory.interface.dataset_interface",
    "converse": "evalmark.memory.running.conversation",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
