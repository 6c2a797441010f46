"""From suites and a model to surprisals, scores and a record. All surprisals are in bits.

Importing this package loads neither torch nor transformers; ``load_model`` does.
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Computing": "evalmark.scoring.settings",
    "FinishedRun": "evalmark.scoring.finished_run",
    "LanguageModel": "evalmark.scoring.models.protocols",
    "LoadedSuite": "evalmark.scoring.suites",
    "MaskedLanguageModel": "evalmark.scoring.models.protocols",
    "ModelInfo": "evalmark.scoring.models.protocols",
    "ModelJob": "evalmark.scoring.jobs",
    "Output": "evalmark.scoring.output",
    "RayShare": "evalmark.scoring.jobs",
    "RunComparison": "evalmark.scoring.comparison.compare",
    "Scores": "evalmark.scoring.scores",
    "ScoringTask": "evalmark.scoring.jobs",
    "Settings": "evalmark.scoring.settings",
    "Tokenized": "evalmark.scoring.models.protocols",
    "compare": "evalmark.scoring.comparison.compare",
    "load_model": "evalmark.scoring.models.loading",
    "load_suite": "evalmark.scoring.suites",
    "load_suites": "evalmark.scoring.suites",
    "prepare_folder": "evalmark.scoring.output",
    "read_run": "evalmark.scoring.finished_run",
    "score_models": "evalmark.scoring.jobs",
    "score_recorded": "evalmark.scoring.recorded.scores",
    "score_suites": "evalmark.scoring.run",
    "write_output": "evalmark.scoring.output",
    "write_table": "evalmark.scoring.table",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
