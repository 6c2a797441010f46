"""The rules of memory sets and of answers to them: codes, names, severities."""

from __future__ import annotations

from evalmark.memory.formats.rules import date_rules as d
from evalmark.memory.formats.rules import general_rules as g
from evalmark.memory.formats.rules import history_rules as h
from evalmark.memory.formats.rules import locomo_rules as c
from evalmark.memory.formats.rules import longmemeval_rules as m
from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: Rules on any set.
_SHARED: tuple[Rule, ...] = checked_rules(
    ("MT241", "unknown-speaker", _ERROR, h.unknown_speaker),
    ("MT242", "duplicate-question", _WARNING, h.duplicate_question),
    ("MT243", "answer-elsewhere", _WARNING, h.answer_elsewhere),
    ("MT301", "unreadable-date", _ERROR, d.unreadable_date),
    ("MT302", "date-form", _WARNING, d.date_form),
)

_QUESTION_DATE: tuple[Rule, ...] = checked_rules(
    ("MT305", "question-before-session", _WARNING, d.question_before_session)
)
_ORDER: tuple[Rule, ...] = checked_rules(
    ("MT304", "sessions-out-of-order", _ERROR, d.sessions_out_of_order)
)

GENERAL_RULES: tuple[Rule, ...] = (
    *_SHARED,
    *_ORDER,
    *_QUESTION_DATE,
    *checked_rules(
        ("MT261", "evidence-not-told", _ERROR, g.evidence_not_told),
        ("MT262", "repeated-entry", _WARNING, g.repeated_entry),
        ("MT263", "duplicate-id", _ERROR, g.duplicate_id),
        ("MT264", "answer-not-an-option", _ERROR, g.answer_not_an_option),
        ("MT265", "abstention-answer", _ERROR, g.abstention_answer),
        ("MT266", "nothing-to-score-by", _ERROR, g.nothing_to_score_by),
        ("MT267", "right-and-wrong", _ERROR, g.right_and_wrong),
        ("MT268", "empty-session", _WARNING, g.empty_session),
        ("MT269", "unknown-place", _ERROR, g.unknown_place),
        ("MT270", "evidence-after-question", _ERROR, g.evidence_after_question),
        ("MT271", "unlisted-type", _WARNING, g.unlisted_type),
        ("MT308", "date-missing", _WARNING, d.date_missing),
    ),
)

LOCOMO_RULES: tuple[Rule, ...] = (
    *_SHARED,
    *_ORDER,
    *checked_rules(
        ("MT201", "unknown-evidence", _ERROR, c.unknown_evidence),
        ("MT202", "malformed-evidence", _ERROR, c.malformed_evidence),
        ("MT203", "repeated-evidence", _WARNING, c.repeated_evidence),
        ("MT204", "duplicate-turn", _ERROR, c.duplicate_turn),
        ("MT205", "turn-of-session", _ERROR, c.turn_of_session),
        ("MT206", "category-range", _ERROR, c.category_range),
        ("MT207", "adversarial-answer", _ERROR, c.adversarial_answer),
        ("MT208", "two-answers", _WARNING, c.two_answers),
        ("MT209", "no-answer", _ERROR, c.no_answer),
        ("MT210", "no-evidence", _WARNING, c.no_evidence),
        ("MT211", "no-sessions", _ERROR, c.no_sessions),
        ("MT212", "other-speaker", _WARNING, c.other_speaker),
        ("MT306", "session-without-date", _ERROR, d.session_without_date),
        ("MT307", "date-without-session", _WARNING, d.date_without_session),
        optional=("MT210",),
    ),
)

#: The sessions of a history are in no order in the files with evidence only.
LONGMEMEVAL_RULES: tuple[Rule, ...] = (
    *_SHARED,
    *_QUESTION_DATE,
    *checked_rules(
        ("MT221", "answer-session-missing", _ERROR, m.answer_session_missing),
        ("MT222", "haystack-lengths", _ERROR, m.haystack_lengths),
        ("MT223", "duplicate-session", _WARNING, m.duplicate_session),
        ("MT224", "question-type", _ERROR, m.question_type),
        ("MT225", "abstention-evidence", _WARNING, m.abstention_evidence),
        ("MT226", "duplicate-question-id", _ERROR, m.duplicate_question_id),
        ("MT227", "unmarked-evidence", _WARNING, m.unmarked_evidence),
        ("MT228", "marked-elsewhere", _WARNING, m.marked_elsewhere),
        ("MT303", "weekday", _WARNING, d.weekday),
    ),
)

#: Rules on a file of answers, checked by ``answers``: what, why, bad, good.
_ANSWER_RULES = (
    Rule("MT401", "duplicate-answer", _ERROR, """A question has two answers.

    Programs score both answers, or one of them, and the number of questions is wrong.

    Bad: two lines with `"question_id": "q7"`
    Good: one
    """),
    Rule("MT402", "unknown-question", _ERROR, """The question of an answer is not in the set.

    This is checked if the set is checked in the same call. The programs of the benchmark skip such
    an answer, or stop.

    Bad: `"question_id": "q7_ab"` where the set has `q7_abs`
    Good: `"question_id": "q7_abs"`
    """),
    Rule("MT403", "missing-answer", _WARNING, """A question of the set has no answer.

    This is checked if the set is checked in the same call. The accuracy on some of the
    questions is not that on the set.

    Bad: 480 answers to 500 questions
    Good: 500 answers
    """),
    Rule("MT404", "empty-answer", _WARNING, """An answer is empty.

    An empty answer is usually a reply that was cut off or failed, and is scored as wrong.

    Bad: `"hypothesis": ""`
    Good: `"hypothesis": "I do not know."`
    """),
    Rule("MT405", "missing-label", _WARNING, """In the log of a judge, an answer has no label.

    The accuracy covers only some of the answers.

    Bad: 499 lines with `autoeval_label`, and one without
    Good: all with it
    """),
    Rule("MT406", "several-judges", _WARNING, """The labels of a log are from several judges.

    Judges can differ by more than systems do.

    Bad: `"model": "gpt-4o"` on some lines, and `"model": "gpt-4o-mini"` on others
    Good: one of them on all lines
    """),
)  # fmt: skip
ANSWER_RULES: dict[str, Rule] = {rule.name: rule for rule in _ANSWER_RULES}
