"""Memory sets, answers to them, scripts of agents: how files are recognized and checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from evalmark.schemas.backend import Backend
from evalmark.validator.findings.report import Comparable
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.shared.json_format import JsonFormat, fitting_items, item_findings
from evalmark.validator.reading.reading import Reading

if TYPE_CHECKING:
    from evalmark.memory.formats.history import MemorySet


class MemorySetFormat(Format):
    """A file of one object, or of a list of them, each with histories and questions."""

    def histories(self, items: Sequence[tuple[str, Any]]) -> MemorySet:
        """The view of objects that the schema accepts, each with its pointer."""
        raise NotImplementedError

    def compared(self, view: MemorySet) -> Comparable | None:
        """The part of a set that the answers of the call are compared with."""
        del view
        return None

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check each object against the schema, and those that it accepts by the rules."""
        findings, items = fitting_items(document, reading)
        checked = CheckResult(list(reading.findings))
        if not context.options.schema_only:
            view = self.histories(items)
            findings.add(item_findings(document, items, view, reading, context), None)
            checked.compared = self.compared(view)
        checked.findings += findings.close()
        return checked


class LocomoFormat(MemorySetFormat):
    """LoCoMo."""

    def histories(self, items: Sequence[tuple[str, Any]]) -> MemorySet:
        """Each conversation is a history."""
        from evalmark.memory.formats.locomo import locomo_view

        return locomo_view(items)

    def rules(self) -> tuple[Rule, ...]:
        """The rules on LoCoMo."""
        from evalmark.memory.formats.memory_rule_table import LOCOMO_RULES

        return LOCOMO_RULES


class LongMemEvalFormat(MemorySetFormat):
    """LongMemEval."""

    def histories(self, items: Sequence[tuple[str, Any]]) -> MemorySet:
        """Each question has a history of its own."""
        from evalmark.memory.formats.longmemeval import longmemeval_view

        return longmemeval_view(items)

    def rules(self) -> tuple[Rule, ...]:
        """The rules on LongMemEval."""
        from evalmark.memory.formats.memory_rule_table import LONGMEMEVAL_RULES

        return LONGMEMEVAL_RULES

    def compared(self, view: MemorySet) -> Comparable | None:
        """The ids of the questions."""
        from evalmark.memory.formats.answers import QuestionIds

        return QuestionIds.of_set(view)


class GeneralFormat(MemorySetFormat):
    """Sets in a form of ours, for sets of one's own."""

    def histories(self, items: Sequence[tuple[str, Any]]) -> MemorySet:
        """The histories of each object."""
        from evalmark.memory.formats.general import general_view

        return general_view(items)

    def rules(self) -> tuple[Rule, ...]:
        """The rules on the general form."""
        from evalmark.memory.formats.memory_rule_table import GENERAL_RULES

        return GENERAL_RULES

    def compared(self, view: MemorySet) -> Comparable | None:
        """The ids of the questions."""
        from evalmark.memory.formats.answers import QuestionIds

        return QuestionIds.of_set(view)


class ScriptFormat(JsonFormat):
    """Scripts of agents."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object has no other keys than a script; a default alone is a text."""
        has_script_keys = data.keys() <= {"replies", "default"}
        return has_script_keys and ("replies" in data or isinstance(data["default"], str))


class AnswersFormat(JsonFormat):
    """Answers to the questions of LongMemEval."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on a file of answers."""
        from evalmark.memory.formats.memory_rule_table import ANSWER_RULES

        return tuple(ANSWER_RULES.values())

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check the answers of a file."""
        from evalmark.memory.formats.answers import check_answers

        return check_answers(self, file, path, context)


def set_view(document: Document, backend: Backend = Backend.PURE) -> MemorySet:
    """The histories of a file, without those that its schema rejects."""
    form = document.format
    assert isinstance(form, MemorySetFormat)
    _, items = fitting_items(document, Reading("", backend=backend), is_explained=False)
    return form.histories(items)


AGENT_SCRIPT = ScriptFormat(
    "agent-script",
    "an object of just `replies`, which has a reply for each message, and `default`",
    "LT",
    (frozenset(("replies",)),),
    common_signs=(frozenset(("default",)),),
)
MEMORY_SET = GeneralFormat(
    "memory-set",
    "an object with `memory_set` and `histories`",
    "MT",
    (frozenset(("memory_set", "histories")),),
    (frozenset(("memory_set",)), frozenset(("name", "histories"))),
)
LOCOMO = LocomoFormat(
    "locomo",
    "an object with `qa` and sessions (LoCoMo), or a list of them",
    "MT",
    (
        frozenset(("qa", "conversation")),
        frozenset(("qa", "speaker_a")),
        frozenset(("qa", "session_1")),
    ),
    in_lists=True,
)
LONGMEMEVAL = LongMemEvalFormat(
    "longmemeval",
    "a list of objects with `question_id` and `haystack_sessions` (LongMemEval)",
    "MT",
    (
        frozenset(("question_id", "haystack_sessions")),
        frozenset(("question", "haystack_sessions")),
    ),
    in_lists=True,
)
ANSWERS = AnswersFormat(
    "longmemeval-answers",
    "an object with `question_id` and `hypothesis`; one per line in .jsonl",
    "MT",
    (frozenset(("question_id", "hypothesis")),),
    has_rows=True,
)
