"""Conversational memory tests: run them with an agent, score them, and write a record.

The names of the interface are those of the LTM benchmark: a dataset written against its
description runs here. See docs/conversations.md.
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Agent": "evalmark.conversations.agents.agent",
    "AgentError": "evalmark.schemas.errors",
    "CallBackTestExample": "evalmark.conversations.interface.dataset_interface",
    "ChatAgent": "evalmark.conversations.agents.agent",
    "Completer": "evalmark.conversations.agents.agent",
    "Completion": "evalmark.conversations.agents.agent",
    "Conversation": "evalmark.conversations.conversation",
    "DatasetInterface": "evalmark.conversations.interface.dataset_interface",
    "DynamicDataset": "evalmark.conversations.interface.dataset_interface",
    "DynamicExample": "evalmark.conversations.interface.dataset_interface",
    "Finished": "evalmark.conversations.conversation",
    "GPTGenerated": "evalmark.conversations.interface.gpt_generated",
    "MemorySystem": "evalmark.conversations.agents.memory_system",
    "NotJudged": "evalmark.schemas.errors",
    "Rescored": "evalmark.conversations.rescoring",
    "ScriptedAgent": "evalmark.conversations.agents.agent",
    "SendAndRegisterAction": "evalmark.conversations.interface.actions",
    "SendMessageAction": "evalmark.conversations.interface.actions",
    "TestAction": "evalmark.conversations.interface.actions",
    "TestExample": "evalmark.conversations.interface.dataset_interface",
    "TestFinishedAction": "evalmark.conversations.interface.actions",
    "WaitAction": "evalmark.conversations.interface.actions",
    "WaitCreator": "evalmark.conversations.interface.actions",
    "converse": "evalmark.conversations.conversation",
    "rescore": "evalmark.conversations.rescoring",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
