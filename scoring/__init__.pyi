# Made from the table of public names by `make generate`: do not edit.
from evalmark.scoring.score_settings import Computing as Computing
from evalmark.scoring.runs.finished_run import FinishedRun as FinishedRun
from evalmark.scoring.models.protocols import LanguageModel as LanguageModel
from evalmark.scoring.suites.suite_loading import LoadedSuite as LoadedSuite
from evalmark.scoring.models.protocols import MaskedLanguageModel as MaskedLanguageModel
from evalmark.scoring.models.protocols import ModelInfo as ModelInfo
from evalmark.scoring.runs.run_files import Output as Output
from evalmark.scoring.comparison.run_comparison import RunComparison as RunComparison
from evalmark.scoring.suites.suite_run import Scores as Scores
from evalmark.scoring.score_settings import Settings as Settings
from evalmark.scoring.models.protocols import Tokenized as Tokenized
from evalmark.scoring.comparison.run_comparison import compare as compare
from evalmark.scoring.models.load_models import load_model as load_model
from evalmark.scoring.suites.suite_loading import load_suite as load_suite
from evalmark.scoring.suites.suite_loading import load_suites as load_suites
from evalmark.scoring.runs.run_files import prepare_folder as prepare_folder
from evalmark.scoring.runs.finished_run import read_run as read_run
from evalmark.scoring.runs.finished_run import read_runs as read_runs
from evalmark.scoring.suites.recorded_scores import score_recorded as score_recorded
from evalmark.scoring.suites.suite_run import score_suites as score_suites
from evalmark.scoring.suites.suite_output import write_output as write_output

__all__ = [
    "Computing",
    "FinishedRun",
    "LanguageModel",
    "LoadedSuite",
    "MaskedLanguageModel",
    "ModelInfo",
    "Output",
    "RunComparison",
    "Scores",
    "Settings",
    "Tokenized",
    "compare",
    "load_model",
    "load_suite",
    "load_suites",
    "prepare_folder",
    "read_run",
    "read_runs",
    "score_recorded",
    "score_suites",
    "write_output",
]
