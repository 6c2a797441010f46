"""Results of other programs, read as runs that the one writer of records takes."""

from ._inspect import read_inspect
from ._lm_eval import read_lm_eval
from ._ltm import OVERRIDES, is_ltm_run, read_ltm_run
from ._readers import READERS, Reader, read_results

__all__ = [
    "OVERRIDES",
    "READERS",
    "Reader",
    "is_ltm_run",
    "read_inspect",
    "read_lm_eval",
    "read_ltm_run",
    "read_results",
]
