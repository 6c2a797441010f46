# Made from the table of public names by `make generate`: do not edit.
from evalmark.memory.agents.agent import Agent as Agent
from evalmark.schemas.errors import AgentError as AgentError
from evalmark.memory.interface.dataset_interface import CallBackTestExample as CallBackTestExample
from evalmark.memory.agents.agent import ChatAgent as ChatAgent
from evalmark.memory.agents.agent import Completer as Completer
from evalmark.memory.agents.agent import Completion as Completion
from evalmark.memory.running.conversation import Conversation as Conversation
from evalmark.memory.interface.dataset_interface import DatasetInterface as DatasetInterface
from evalmark.memory.interface.dataset_interface import DynamicDataset as DynamicDataset
from evalmark.memory.interface.dataset_interface import DynamicExample as DynamicExample
from evalmark.memory.running.conversation import Finished as Finished
from evalmark.memory.datasets.builtin_datasets import GPTGenerated as GPTGenerated
from evalmark.memory.agents.memory_system import MemorySystem as MemorySystem
from evalmark.schemas.errors import NotJudged as NotJudged
from evalmark.memory.agents.agent import ScriptedAgent as ScriptedAgent
from evalmark.memory.interface.dataset_interface import SendAndRegisterAction as SendAndRegisterAction
from evalmark.memory.interface.dataset_interface import SendMessageAction as SendMessageAction
from evalmark.memory.interface.dataset_interface import TestAction as TestAction
from evalmark.memory.interface.dataset_interface import TestExample as TestExample
from evalmark.memory.interface.dataset_interface import TestFinishedAction as TestFinishedAction
from evalmark.memory.interface.dataset_interface import WaitAction as WaitAction
from evalmark.memory.interface.dataset_interface import WaitCreator as WaitCreator
from evalmark.memory.running.conversation import converse as converse

__all__ = [
    "Agent",
    "AgentError",
    "CallBackTestExample",
    "ChatAgent",
    "Completer",
    "Completion",
    "Conversation",
    "DatasetInterface",
    "DynamicDataset",
    "DynamicExample",
    "Finished",
    "GPTGenerated",
    "MemorySystem",
    "NotJudged",
    "ScriptedAgent",
    "SendAndRegisterAction",
    "SendMessageAction",
    "TestAction",
    "TestExample",
    "TestFinishedAction",
    "WaitAction",
    "WaitCreator",
    "converse",
]
