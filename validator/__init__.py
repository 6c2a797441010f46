"""From a path to findings: what is wrong with an evaluation file, and where.

>>> from evalmark.validator import check_text
>>> check_text('{"meta": {}, "items": []').findings[0].code
'F001'

Names are loaded when they are first used, so that a hook pays for what it needs only.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._check import check_bytes as check_bytes
    from ._check import check_data as check_data
    from ._check import check_file as check_file
    from ._check import check_text as check_text
    from ._config import Config as Config
    from ._config import ConfigError as ConfigError
    from ._config import FileIgnore as FileIgnore
    from ._config import load_config as load_config
    from ._config import rule_codes as rule_codes
    from ._document import KINDS as KINDS
    from ._document import RECORD_VERSIONS as RECORD_VERSIONS
    from ._document import SAMPLE_VERSIONS as SAMPLE_VERSIONS
    from ._document import Document as Document
    from ._document import could_be_ours as could_be_ours
    from ._document import detect as detect
    from ._document import fitting_version as fitting_version
    from ._document import identify as identify
    from ._file_findings import file_finding as file_finding
    from ._file_findings import same_evaluation_id as same_evaluation_id
    from ._files import Candidate as Candidate
    from ._files import expand as expand
    from ._files import sweep as sweep
    from ._files import write_atomically as write_atomically
    from ._finding import Edit as Edit
    from ._finding import Finding as Finding
    from ._finding import Fix as Fix
    from ._finding import Label as Label
    from ._finding import Span as Span
    from ._fix import apply_fixes as apply_fixes
    from ._light import NamedTuple as NamedTuple
    from ._parse import BACKENDS as BACKENDS
    from ._parse import Rejected as Rejected
    from ._parse import chosen_backend as chosen_backend
    from ._parse import decode as decode
    from ._parse import expect_bytes as expect_bytes
    from ._parse import parse as parse
    from ._parse import use_backend as use_backend
    from ._read import Reading as Reading
    from ._read import read as read
    from ._record_link import companion as companion
    from ._repeats import Repeats as Repeats
    from ._report import InvalidDocument as InvalidDocument
    from ._report import Report as Report
    from ._rewrite import rewrite as rewrite
    from ._sentences import JOINS as JOINS
    from ._sentences import Sentence as Sentence
    from ._sentences import join_regions as join_regions
    from ._severity import Safety as Safety
    from ._severity import Severity as Severity
    from ._source import RowFile as RowFile
    from ._source import Source as Source
    from ._stages import is_measuring as is_measuring
    from ._stages import measure_stages as measure_stages
    from ._stages import taken_stages as taken_stages
    from ._suite import Condition as Condition
    from ._suite import Item as Item
    from ._suite import Region as Region
    from ._suite import Suite as Suite
    from ._suite import suite_view as suite_view
    from ._unknowns import Forms as Forms
    from ._unknowns import item_forms as item_forms
    from ._workers import Done as Done
    from ._workers import Share as Share
    from ._workers import all_done as all_done
    from ._workers import do_batch as do_batch
    from ._workers import in_processes as in_processes
    from .rules._page import rules_page as rules_page
    from .rules._registry import RULES as RULES
    from .rules._registry import find_rules as find_rules
    from .rules._rule import Rule as Rule

_HOMES = {
    "BACKENDS": "_parse",
    "JOINS": "_sentences",
    "KINDS": "_document",
    "RECORD_VERSIONS": "_document",
    "SAMPLE_VERSIONS": "_document",
    "RULES": "rules._registry",
    "Candidate": "_files",
    "Condition": "_suite",
    "Config": "_config",
    "ConfigError": "_config",
    "Document": "_document",
    "Done": "_workers",
    "Share": "_workers",
    "Edit": "_finding",
    "FileIgnore": "_config",
    "Finding": "_finding",
    "Fix": "_finding",
    "Forms": "_unknowns",
    "InvalidDocument": "_report",
    "Item": "_suite",
    "Label": "_finding",
    "NamedTuple": "_light",
    "Reading": "_read",
    "Region": "_suite",
    "Rejected": "_parse",
    "Repeats": "_repeats",
    "Report": "_report",
    "RowFile": "_source",
    "Rule": "rules._rule",
    "Safety": "_severity",
    "Sentence": "_sentences",
    "Severity": "_severity",
    "Source": "_source",
    "Span": "_finding",
    "Suite": "_suite",
    "all_done": "_workers",
    "apply_fixes": "_fix",
    "check_bytes": "_check",
    "check_data": "_check",
    "check_file": "_check",
    "check_text": "_check",
    "chosen_backend": "_parse",
    "companion": "_record_link",
    "could_be_ours": "_document",
    "decode": "_parse",
    "detect": "_document",
    "do_batch": "_workers",
    "expand": "_files",
    "expect_bytes": "_parse",
    "file_finding": "_file_findings",
    "find_rules": "rules._registry",
    "fitting_version": "_document",
    "identify": "_document",
    "in_processes": "_workers",
    "is_measuring": "_stages",
    "item_forms": "_unknowns",
    "join_regions": "_sentences",
    "load_config": "_config",
    "measure_stages": "_stages",
    "parse": "_parse",
    "read": "_read",
    "rewrite": "_rewrite",
    "rule_codes": "_config",
    "rules_page": "rules._page",
    "same_evaluation_id": "_file_findings",
    "suite_view": "_suite",
    "sweep": "_files",
    "taken_stages": "_stages",
    "use_backend": "_parse",
    "write_atomically": "_files",
}

__all__ = [
    "BACKENDS",
    "JOINS",
    "KINDS",
    "RECORD_VERSIONS",
    "RULES",
    "SAMPLE_VERSIONS",
    "Candidate",
    "Condition",
    "Config",
    "ConfigError",
    "Document",
    "Done",
    "Edit",
    "FileIgnore",
    "Finding",
    "Fix",
    "Forms",
    "InvalidDocument",
    "Item",
    "Label",
    "NamedTuple",
    "Reading",
    "Region",
    "Rejected",
    "Repeats",
    "Report",
    "RowFile",
    "Rule",
    "Safety",
    "Sentence",
    "Severity",
    "Share",
    "Source",
    "Span",
    "Suite",
    "all_done",
    "apply_fixes",
    "check_bytes",
    "check_data",
    "check_file",
    "check_text",
    "chosen_backend",
    "companion",
    "could_be_ours",
    "decode",
    "detect",
    "do_batch",
    "expand",
    "expect_bytes",
    "file_finding",
    "find_rules",
    "fitting_version",
    "identify",
    "in_processes",
    "is_measuring",
    "item_forms",
    "join_regions",
    "load_config",
    "measure_stages",
    "parse",
    "read",
    "rewrite",
    "rule_codes",
    "rules_page",
    "same_evaluation_id",
    "suite_view",
    "sweep",
    "taken_stages",
    "use_backend",
    "write_atomically",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
