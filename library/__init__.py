"""evalmark: check, convert and score the files of language-model evaluation."""

from evalmark.schemas.lazy import lazy_names

#: Public name -> the module that defines it.
_HOMES = {
    "Finding": "evalmark.validator.findings.finding",
    "Report": "evalmark.validator.findings.report",
    "check_data": "evalmark.validator.check",
    "check_file": "evalmark.validator.check",
    "check_text": "evalmark.validator.check",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
