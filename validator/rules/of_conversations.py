"""The rules of LTM files: codes, names, severities."""

from __future__ import annotations

from .._finding import Severity
from . import conversations as c
from ._rule import Rule, checked_rules

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

DEFINITION_RULES: tuple[Rule, ...] = checked_rules(
    ("LT201", "question-flags", _ERROR, c.question_flags),
    ("LT202", "wait-count", _ERROR, c.wait_count),
    ("LT203", "last-is-question", _ERROR, c.last_is_question),
    ("LT204", "default-waits", _WARNING, c.default_waits),
    ("LT205", "percentages-ascend", _ERROR, c.percentages_ascend),
    ("LT206", "joke-in-script", _ERROR, c.joke_in_script),
    ("LT207", "callback-dataset", _ERROR, c.callback_dataset),
    ("LT208", "last-wait", _WARNING, c.last_wait),
)

RESULT_RULES: tuple[Rule, ...] = checked_rules(
    ("LT301", "definition-missing", _WARNING, c.definition_missing),
    ("LT302", "stale-expected", _WARNING, c.stale_expected),
    ("LT303", "answer-count", _ERROR, c.answer_count),
    ("LT304", "answers-in-log", _WARNING, c.answers_in_log),
    ("LT305", "override-halves", _WARNING, c.override_halves),
    ("LT306", "log-alternates", _WARNING, c.log_alternates),
)
