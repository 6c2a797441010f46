# Made from the table of public names by `make generate`: do not edit.
from evalmark.scoring.settings import Computing as Computing
from evalmark.scoring.models.protocols import LanguageModel as LanguageModel
from evalmark.scoring.suites import LoadedSuite as LoadedSuite
from evalmark.scoring.models.protocols import MaskedLanguageModel as MaskedLanguageModel
from evalmark.scoring.models.protocols import ModelInfo as ModelInfo
from evalmark.scoring.jobs import ModelJob as ModelJob
from evalmark.scoring.output import Output as Output
from evalmark.scoring.jobs import RayShare as RayShare
from evalmark.scoring.comparison.compare import RunComparison as RunComparison
from evalmark.scoring.scores import Scores as Scores
from evalmark.scoring.jobs import ScoringTask as ScoringTask
from evalmark.scoring.settings import Settings as Settings
from evalmark.scoring.models.protocols import Tokenized as Tokenized
from evalmark.scoring.comparison.compare import compare as compare
from evalmark.scoring.models.loading import load_model as load_model
from evalmark.scoring.suites import load_suite as load_suite
from evalmark.scoring.suites import load_suites as load_suites
from evalmark.scoring.output import prepare_folder as prepare_folder
from evalmark.scoring.recorded import score_from_surprisals as score_from_surprisals
from evalmark.scoring.recorded import score_from_values as score_from_values
from evalmark.scoring.jobs import score_models as score_models
from evalmark.scoring.run import score_suites as score_suites
from evalmark.scoring.table import tidy_rows as tidy_rows
from evalmark.scoring.output import write_output as write_output
from evalmark.scoring.table import write_table as write_table

__all__ = [
    "Computing",
    "LanguageModel",
    "LoadedSuite",
    "MaskedLanguageModel",
    "ModelInfo",
    "ModelJob",
    "Output",
    "RayShare",
    "RunComparison",
    "Scores",
    "ScoringTask",
    "Settings",
    "Tokenized",
    "compare",
    "load_model",
    "load_suite",
    "load_suites",
    "prepare_folder",
    "score_from_surprisals",
    "score_from_values",
    "score_models",
    "score_suites",
    "tidy_rows",
    "write_output",
    "write_table",
]
