"""From an old form to the current one, step by step; exact, or refused with the reason."""

from ._convert import (
    Conversion,
    ConversionError,
    Converted,
    Edit,
    convert_data,
    convert_text,
)
from ._edits import canonical, insert_region, renumber, split_conjunctions, strip_results
from ._forms import CURRENT, FORMS, form_of
from ._graph import STEPS, route
from ._old_formulas import current_formula
from ._pairs import Pair, Samples, convert_pair
from ._step import Facts, Step, Stepped
from ._text import Syntax

__all__ = [
    "CURRENT",
    "FORMS",
    "STEPS",
    "Conversion",
    "ConversionError",
    "Converted",
    "Edit",
    "Facts",
    "Pair",
    "Samples",
    "Step",
    "Stepped",
    "Syntax",
    "canonical",
    "convert_data",
    "convert_pair",
    "convert_text",
    "current_formula",
    "form_of",
    "insert_region",
    "renumber",
    "route",
    "split_conjunctions",
    "strip_results",
]
