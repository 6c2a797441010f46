"""Conversations: tests of long-term memory, run with an agent, scored and recorded.

The names of the interface are those of the LTM benchmark: a dataset that is written against its
description runs here. See docs/conversations.md.
"""

from ._actions import (
    SendAndRegisterAction,
    SendMessageAction,
    TestAction,
    TestFinishedAction,
    WaitAction,
    WaitCreator,
)
from ._agents import (
    Agent,
    ChatAgent,
    Completer,
    Completion,
    ScriptedAgent,
    about_tokens,
    scripted_agent,
)
from ._clock import Clock
from ._converse import Conversation, Finished, converse
from ._errors import AgentError, NotJudged
from ._examples import CallBackTestExample, DynamicExample, TestExample, spoken
from ._filler import Filler
from ._http import KEY, HttpCompleter
from ._interface import DatasetInterface, DynamicDataset, GPTGenerated
from ._lenient_json import lenient_json
from ._lines import Line, read_line
from ._local import LocalCompleter
from ._outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from ._registry import DATASETS, GENERATED, Choice, load_tests
from ._rescore import Rescored, rescore, rescored_data
from ._run_folder import agents_of, load_object
from ._run_log import LOG, OtherRun, RunLog, read_log
from ._runner import MODES, Runner, SchedulerView
from ._scorers import (
    EVALUATOR,
    GENERATIONS,
    SCORERS,
    Replies,
    approximate,
    rouge_l,
    score_replies,
)
from ._session import Exchange, Session

__all__ = [
    "DATASETS",
    "EVALUATOR",
    "FAILED",
    "GENERATED",
    "GENERATIONS",
    "KEY",
    "LOG",
    "MODES",
    "SCORED",
    "SCORERS",
    "UNJUDGED",
    "Agent",
    "AgentError",
    "CallBackTestExample",
    "ChatAgent",
    "Choice",
    "Clock",
    "Completer",
    "Completion",
    "Conversation",
    "DatasetInterface",
    "DynamicDataset",
    "DynamicExample",
    "Exchange",
    "Filler",
    "Finished",
    "GPTGenerated",
    "HttpCompleter",
    "Line",
    "LocalCompleter",
    "NotJudged",
    "OtherRun",
    "Outcome",
    "Replies",
    "Rescored",
    "RunLog",
    "Runner",
    "SchedulerView",
    "ScriptedAgent",
    "SendAndRegisterAction",
    "SendMessageAction",
    "Session",
    "TestAction",
    "TestExample",
    "TestFinishedAction",
    "Totals",
    "WaitAction",
    "WaitCreator",
    "about_tokens",
    "agents_of",
    "approximate",
    "converse",
    "lenient_json",
    "load_object",
    "load_tests",
    "read_line",
    "read_log",
    "rescore",
    "rescored_data",
    "rouge_l",
    "score_replies",
    "scripted_agent",
    "spoken",
]
