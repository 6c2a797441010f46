"""Records and samples: the one writer of them, and their way from version to version."""

from ._form import (
    UNKNOWN,
    Answer,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
    Source,
    Turn,
)
from ._migrate import RECORD_STEPS
from ._migrate_rows import SAMPLE_STEPS
from ._statistics import (
    Uncertainty,
    accuracy,
    mean_uncertainty,
    proportion_uncertainty,
    wilson_interval,
)
from ._writer import (
    RECORD_VERSION,
    WRITTEN_VERSIONS,
    Written,
    evaluation_id,
    record_data,
    sample_hash,
    sample_row,
    write_record,
)

__all__ = [
    "RECORD_STEPS",
    "RECORD_VERSION",
    "SAMPLE_STEPS",
    "UNKNOWN",
    "WRITTEN_VERSIONS",
    "Answer",
    "Dataset",
    "Metric",
    "Model",
    "Result",
    "Run",
    "Sample",
    "Source",
    "Turn",
    "Uncertainty",
    "Written",
    "accuracy",
    "evaluation_id",
    "mean_uncertainty",
    "proportion_uncertainty",
    "record_data",
    "sample_hash",
    "sample_row",
    "wilson_interval",
    "write_record",
]
