"""The rules of LTM files: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.ltm.rules import definition_rules as c
from evalmark.validator.formats.ltm.rules import result_rules as o
from evalmark.validator.formats.ltm.rules import run_rules as r

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
    ("LT209", "one-expected", _ERROR, c.one_expected),
    ("LT210", "expected-for-each-question", _ERROR, c.one_for_each_question),
    ("LT211", "name-for-each-statement", _ERROR, c.name_for_each_statement),
    ("LT212", "shopping-quantities", _ERROR, c.shopping_quantities),
    ("LT213", "keyword-lists", _ERROR, c.keyword_lists),
    ("LT214", "prospective-quote", _ERROR, c.prospective_quote),
    ("LT215", "chapter-option", _ERROR, c.chapter_option),
    ("LT216", "last-colour", _WARNING, c.last_colour),
    ("LT217", "script-in-span", _ERROR, r.script_in_span),
    ("LT218", "percentages-as-shares", _WARNING, c.percentages_as_shares),
    ("LT219", "answer-in-script", _ERROR, c.answer_in_script),
)

RESULT_RULES: tuple[Rule, ...] = checked_rules(
    ("LT301", "definition-missing", _WARNING, o.definition_missing),
    ("LT302", "stale-expected", _WARNING, o.stale_expected),
    ("LT303", "answer-count", _ERROR, o.answer_count),
    ("LT304", "answers-in-log", _WARNING, o.answers_in_log),
    ("LT305", "override-halves", _WARNING, o.override_halves),
    ("LT306", "log-alternates", _WARNING, o.log_alternates),
    ("LT307", "log-runs-backwards", _WARNING, r.log_runs_backwards),
    ("LT308", "script-in-log", _WARNING, r.script_in_log),
    ("LT309", "needles", _WARNING, r.needles),
    ("LT310", "overrun", _WARNING, r.overrun),
    ("LT311", "restaurant-fifths", _WARNING, r.restaurant_fifths),
    ("LT312", "impossible-share", _WARNING, r.impossible_share),
    ("LT313", "score-above-maximum", _ERROR, o.score_above_maximum),
    optional=("LT310",),
)

CONFIG_RULES: tuple[Rule, ...] = checked_rules(
    ("LT401", "run-name", _WARNING, r.run_name),
    ("LT402", "number-of-tests", _ERROR, r.number_of_tests),
    ("LT403", "script-lengths", _WARNING, r.script_lengths),
    ("LT404", "dataset-twice", _WARNING, r.dataset_twice),
)

#: Pages of the rules that are not functions: what, why, bad, good.
_LOG_PAGES: dict[str, str] = {
    "log-times": """The events of a log are not in the order of their times.

    A resumed run may log an event again with its old time. Otherwise the log was put together from
    several.

    Bad: an event ten hours older than the one before it
    Good: increasing times
    """,
    "answers-in-pairs": """A message in a log is not followed by its answer.

    Bad: two messages (type 0) in a row
    Good: types 0 and 4, or 3 and 5, in turn
    """,
    "test-without-end": """A test in a log does not begin and end once.

    A test that does not end has no score. A test that begins again before its end was resumed: the
    agent may have forgotten what was said before.

    Bad: `"type": 1` of a test, and no `"type": 2`
    Good: both
    """,
    "test-without-begin": """An event of a test in a log precedes the one that begins it.

    The name of a test that never began is usually misspelt.

    Bad: `"type": 1` of the test "Colours - 0", and a message of the test "Colour - 0"
    Good: the same name in both
    """,
}

#: Rules on a log, checked by ``ltm_checks``.
LOG_RULES: dict[str, Rule] = {
    name: Rule(code, name, _WARNING, _LOG_PAGES[name])
    for code, name in (
        ("LT411", "log-times"),
        ("LT412", "answers-in-pairs"),
        ("LT413", "test-without-end"),
        ("LT414", "test-without-begin"),
    )
}
