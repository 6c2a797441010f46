"""Pages and plots: what a run found, for those who would rather look than read.

Needs the extra ``report``; nothing of it is loaded on import.
"""

from ._plots import plot
from ._run_folder import Cell, Curve, ItemView, Point, PredictionView, RunView, SuiteView, read_run
from ._run_page import ITEMS, run_page

__all__ = [
    "ITEMS",
    "Cell",
    "Curve",
    "ItemView",
    "Point",
    "PredictionView",
    "RunView",
    "SuiteView",
    "plot",
    "read_run",
    "run_page",
]
