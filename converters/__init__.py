"""From an old form to the current one, step by step; exact, or refused with the reason."""

from ._convert import Conversion, ConversionError, Converted, convert_data, convert_text, is_suite
from ._old_formulas import current_formula

__all__ = [
    "Conversion",
    "ConversionError",
    "Converted",
    "convert_data",
    "convert_text",
    "current_formula",
    "is_suite",
]
