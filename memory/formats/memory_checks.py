"""Memory sets and answers to them: how their files are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple

from evalmark.memory.formats.answers import QuestionIds, check_answers
from evalmark.memory.formats.general import general_view
from evalmark.memory.formats.history import History, MemorySet
from evalmark.memory.formats.locomo import locomo_view
from evalmark.memory.formats.longmemeval import longmemeval_view
from evalmark.memory.formats.memory_rule_table import (
    ANSWER_RULES,
    GENERAL_RULES,
    LOCOMO_RULES,
    LONGMEMEVAL_RULES,
)
from evalmark.schemas.backend import Backend
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.shared.json_format import JsonFormat, fitting_items, item_findings
from evalmark.validator.reading.reading import Reading


class _Set(NamedTuple):
    """A format of sets: the view of objects with their pointers, and the rules on it."""

    view: Callable[[Sequence[tuple[str, Any]]], MemorySet[History]]
    rules: tuple[Rule, ...]
    has_answers: bool = True  # whether there are files of answers to it


#: Name of a format -> what it is. A history is a conversation, or that of one question.
_SETS = {
    "memory-set": _Set(general_view, GENERAL_RULES),
    "locomo": _Set(locomo_view, LOCOMO_RULES, has_answers=False),
    "longmemeval": _Set(longmemeval_view, LONGMEMEVAL_RULES),
}


class MemorySetChecks(Format):
    """A file of one object, or of a list of them, each with histories and questions."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on sets of this format."""
        return _SETS[self.name].rules

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check each object against the schema, and those that it accepts by the rules."""
        findings, items = fitting_items(document, reading)
        checked = CheckResult(list(reading.findings))
        if not context.options.schema_only:
            view = _SETS[self.name].view(items)
            findings.add(item_findings(document, items, view, reading, context), None)
            if _SETS[self.name].has_answers:
                checked.compared = QuestionIds.of_set(view)
        checked.findings += findings.close()
        return checked


class AnswersChecks(JsonFormat):
    """Answers to the questions of LongMemEval."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on a file of answers."""
        return tuple(ANSWER_RULES.values())

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check the answers of a file."""
        return check_answers(self, file, path, context)


def set_view(document: Document) -> MemorySet[History]:
    """The histories of a file, without those that its schema rejects."""
    assert document.format is not None
    _, items = fitting_items(document, Reading("", backend=Backend.PURE), is_explained=False)
    return _SETS[document.format.name].view(items)
