"""From a suite and a model to numbers one can cite, and the record that says how they came about.

All surprisals are in bits. Importing this package loads neither torch nor transformers.
"""

from typing import TYPE_CHECKING, Any

from . import models
from ._boundaries import boundary_tokens, corrected, edges
from ._chance import chance
from ._compare import Comparison, compare, mcnemar
from ._compute import TOLERANCE, Computed, Store, compute
from ._errors import ScoringError, SurprisalFileError, UndefinedValue
from ._groups import Group, groups
from ._masked import pseudo_surprisals
from ._outcomes import PredictionResult, SuiteResult, judge
from ._output import Output, prepare_folder, record_run, run_time, scores_data, write_output
from ._packs import PACK_TOKENS, End, Pack, Plan, Target, Values, packs, plan
from ._prefixes import BATCH_TOKENS, PrefixTree, batches, fill
from ._reading import token_values, tokenize
from ._recorded import score_evaluated
from ._regions import (
    METRICS,
    assign_tokens,
    condition_values,
    region_surprisals,
    region_value,
)
from ._run import ScoredSuite, Scores, score_recorded, score_suites
from ._settings import Settings
from ._store import PARTIAL, FolderStore, plan_digest
from ._suites import LoadedSuite, load_suite, prepare
from ._surprisal_file import FileToken, align, read_surprisals
from ._table import tidy_csv, tidy_parquet, tidy_rows, unique_names, write_table
from .models import (
    DEMO,
    DEMO_FOLDER,
    KINDS,
    AnyModel,
    LanguageModel,
    MaskedLanguageModel,
    ModelInfo,
    Tokenized,
    decoded_spans,
    load_chat_model,
    load_model,
)

if TYPE_CHECKING:
    from .models import CausalModel, MaskedModel

__all__ = [
    "BATCH_TOKENS",
    "DEMO",
    "DEMO_FOLDER",
    "KINDS",
    "METRICS",
    "PACK_TOKENS",
    "PARTIAL",
    "TOLERANCE",
    "AnyModel",
    "CausalModel",
    "Comparison",
    "Computed",
    "End",
    "FileToken",
    "FolderStore",
    "Group",
    "LanguageModel",
    "LoadedSuite",
    "MaskedLanguageModel",
    "MaskedModel",
    "ModelInfo",
    "Output",
    "Pack",
    "Plan",
    "PredictionResult",
    "PrefixTree",
    "ScoredSuite",
    "Scores",
    "ScoringError",
    "Settings",
    "Store",
    "SuiteResult",
    "SurprisalFileError",
    "Target",
    "Tokenized",
    "UndefinedValue",
    "Values",
    "align",
    "assign_tokens",
    "batches",
    "boundary_tokens",
    "chance",
    "compare",
    "compute",
    "condition_values",
    "corrected",
    "decoded_spans",
    "edges",
    "fill",
    "groups",
    "judge",
    "load_chat_model",
    "load_model",
    "load_suite",
    "mcnemar",
    "packs",
    "plan",
    "plan_digest",
    "prepare",
    "prepare_folder",
    "pseudo_surprisals",
    "read_surprisals",
    "record_run",
    "region_surprisals",
    "region_value",
    "run_time",
    "score_evaluated",
    "score_recorded",
    "score_suites",
    "scores_data",
    "tidy_csv",
    "tidy_parquet",
    "tidy_rows",
    "token_values",
    "tokenize",
    "unique_names",
    "write_output",
    "write_table",
]


def __getattr__(name: str) -> Any:
    """The classes that need torch, once they are asked for."""
    if name in ("CausalModel", "MaskedModel"):
        return getattr(models, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
