"""From a suite and a model to surprisals, scores and a record. All surprisals are in bits.

Importing this package loads neither torch nor transformers; ``load_model`` does.
"""

from evalmark.schemas.lazy import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Comparison": "evalmark.scoring.comparison",
    "LanguageModel": "evalmark.scoring.models.protocols",
    "LoadedSuite": "evalmark.scoring.suites",
    "METRICS": "evalmark.scoring.regions",
    "MaskedLanguageModel": "evalmark.scoring.models.protocols",
    "ModelInfo": "evalmark.scoring.models.protocols",
    "Scores": "evalmark.scoring.run",
    "Settings": "evalmark.scoring.settings",
    "Tokenized": "evalmark.scoring.models.protocols",
    "chance": "evalmark.scoring.chance_level",
    "compare": "evalmark.scoring.comparison",
    "load_model": "evalmark.scoring.models.loading",
    "load_suite": "evalmark.scoring.suites",
    "prepare_folder": "evalmark.scoring.output",
    "read_surprisals": "evalmark.scoring.surprisal_file",
    "region_surprisals": "evalmark.scoring.regions",
    "score_evaluated": "evalmark.scoring.recorded",
    "score_recorded": "evalmark.scoring.run",
    "score_suites": "evalmark.scoring.run",
    "tidy_rows": "evalmark.scoring.table",
    "write_output": "evalmark.scoring.output",
    "write_table": "evalmark.scoring.table",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
