"""The one writer of records and samples, used by everything that produces them."""

from ._form import Model, Result, Run, Sample, Source
from ._migrate import RECORD_STEPS
from ._migrate_rows import SAMPLE_STEPS
from ._statistics import Uncertainty, proportion_uncertainty, wilson_interval
from ._writer import (
    RECORD_VERSION,
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
    "Model",
    "Result",
    "Run",
    "Sample",
    "Source",
    "Uncertainty",
    "Written",
    "evaluation_id",
    "proportion_uncertainty",
    "record_data",
    "sample_hash",
    "sample_row",
    "wilson_interval",
    "write_record",
]
