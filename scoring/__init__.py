"""From suites and a model to surprisals, scores and a record. All surprisals are in bits.

Importing this package loads neither torch nor transformers; ``load_model`` does.
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Computing": "evalmark.scoring.score_settings",
    "FinishedRun": "evalmark.scoring.runs.finished_run",
    "LanguageModel": "evalmark.scoring.models.protocols",
    "LoadedSuite": "evalmark.scoring.suites.suite_loading",
    "MaskedLanguageModel": "evalmark.scoring.models.protocols",
    "ModelInfo": "evalmark.scoring.models.protocols",
    "Output": "evalmark.scoring.runs.run_files",
    "RunComparison": "evalmark.scoring.comparison.run_comparison",
    "Scores": "evalmark.scoring.suites.suite_run",
    "Settings": "evalmark.scoring.score_settings",
    "Tokenized": "evalmark.scoring.models.protocols",
    "compare": "evalmark.scoring.comparison.run_comparison",
    "load_model": "evalmark.scoring.models.load_models",
    "load_suite": "evalmark.scoring.suites.suite_loading",
    "load_suites": "evalmark.scoring.suites.suite_loading",
    "prepare_folder": "evalmark.scoring.runs.run_files",
    "read_run": "evalmark.scoring.runs.finished_run",
    "read_runs": "evalmark.scoring.runs.finished_run",
    "score_recorded": "evalmark.scoring.suites.recorded_scores",
    "score_suites": "evalmark.scoring.suites.suite_run",
    "write_output": "evalmark.scoring.suites.suite_output",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
