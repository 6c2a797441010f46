# Made from the table of public names by `make generate`: do not edit.
from evalmark.conversations.agents.agent import Agent as Agent
from evalmark.schemas.errors import AgentError as AgentError
from evalmark.conversations.interface.dataset_interface import CallBackTestExample as CallBackTestExample
from evalmark.conversations.agents.agent import ChatAgent as ChatAgent
from evalmark.conversations.agents.agent import Completer as Completer
from evalmark.conversations.agents.agent import Completion as Completion
from evalmark.conversations.conversation import Conversation as Conversation
from evalmark.conversations.interface.dataset_interface import DatasetInterface as DatasetInterface
from evalmark.conversations.interface.dataset_interface import DynamicDataset as DynamicDataset
from evalmark.conversations.interface.dataset_interface import DynamicExample as DynamicExample
from evalmark.conversations.conversation import Finished as Finished
from evalmark.conversations.interface.gpt_generated import GPTGenerated as GPTGenerated
from evalmark.conversations.agents.memory_system import MemorySystem as MemorySystem
from evalmark.schemas.errors import NotJudged as NotJudged
from evalmark.conversations.rescoring import Rescored as Rescored
from evalmark.conversations.agents.agent import ScriptedAgent as ScriptedAgent
from evalmark.conversations.interface.actions import SendAndRegisterAction as SendAndRegisterAction
from evalmark.conversations.interface.actions import SendMessageAction as SendMessageAction
from evalmark.conversations.interface.actions import TestAction as TestAction
from evalmark.conversations.interface.dataset_interface import TestExample as TestExample
from evalmark.conversations.interface.actions import TestFinishedAction as TestFinishedAction
from evalmark.conversations.interface.actions import WaitAction as WaitAction
from evalmark.conversations.interface.actions import WaitCreator as WaitCreator
from evalmark.conversations.conversation import converse as converse
from evalmark.conversations.rescoring import rescore as rescore

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
    "Rescored",
    "ScriptedAgent",
    "SendAndRegisterAction",
    "SendMessageAction",
    "TestAction",
    "TestExample",
    "TestFinishedAction",
    "WaitAction",
    "WaitCreator",
    "converse",
    "rescore",
]
