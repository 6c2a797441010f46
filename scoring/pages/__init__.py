"""Pages and plots: what a run found, for those who would rather look than read.

Needs the extra ``report``; nothing of it is loaded on import.
"""

from ._conversation_folder import (
    Asked,
    ConversationView,
    DatasetView,
    TestView,
    is_conversation,
    read_conversations,
)
from ._conversation_page import conversation_page
from ._plots import plot, plot_means
from ._run_folder import Cell, Curve, ItemView, Point, PredictionView, RunView, SuiteView, read_run
from ._run_page import ITEMS, run_page

__all__ = [
    "ITEMS",
    "Asked",
    "Cell",
    "ConversationView",
    "Curve",
    "DatasetView",
    "ItemView",
    "Point",
    "PredictionView",
    "RunView",
    "SuiteView",
    "TestView",
    "conversation_page",
    "is_conversation",
    "plot",
    "plot_means",
    "read_conversations",
    "read_run",
    "run_page",
]
