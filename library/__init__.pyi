# Made from the table of public names by `make generate`: do not edit.
from evalmark.validator.batch.check_files import Checked as Checked
from evalmark.validator.checker import Checker as Checker
from evalmark.validator.settings.config import Config as Config
from evalmark.schemas.errors import ConversionError as ConversionError
from evalmark.schemas.errors import EvalmarkError as EvalmarkError
from evalmark.validator.findings.finding import Finding as Finding
from evalmark.validator.findings.finding import Fixed as Fixed
from evalmark.schemas.errors import InvalidDocument as InvalidDocument
from evalmark.validator.findings.report import Report as Report
from evalmark.validator.findings.rule import Rule as Rule
from evalmark.validator.findings.finding import Severity as Severity
from evalmark.schemas.errors import UnknownNameError as UnknownNameError
from evalmark.version import __version__ as __version__
from evalmark.validator.findings.finding import apply_fixes as apply_fixes
from evalmark.validator.check import check_data as check_data
from evalmark.validator.check import check_file as check_file
from evalmark.validator.checker import check_files as check_files
from evalmark.validator.check import check_text as check_text
from evalmark.scoring.comparison.run_comparison import compare as compare
from evalmark.converters.convert_document import convert_data as convert_data
from evalmark.converters.convert_files import convert_file as convert_file
from evalmark.converters.convert_files import convert_files as convert_files
from evalmark.converters.convert_document import convert_text as convert_text
from evalmark.validator.formats.rule_registry import find_rules as find_rules
from evalmark.validator.settings.config import load_config as load_config
from evalmark.scoring.score_files import score as score

__all__ = [
    "Checked",
    "Checker",
    "Config",
    "ConversionError",
    "EvalmarkError",
    "Finding",
    "Fixed",
    "InvalidDocument",
    "Report",
    "Rule",
    "Severity",
    "UnknownNameError",
    "__version__",
    "apply_fixes",
    "check_data",
    "check_file",
    "check_files",
    "check_text",
    "compare",
    "convert_data",
    "convert_file",
    "convert_files",
    "convert_text",
    "find_rules",
    "load_config",
    "score",
]
