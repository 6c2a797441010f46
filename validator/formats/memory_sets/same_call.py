"""Answers compared with the set that is checked in the same call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import CallFiles, Report
from evalmark.validator.findings.words import listed, quoted
from evalmark.validator.formats.memory_sets.history import MemorySet
from evalmark.validator.rows.lines import RowFindings

#: The kind of files of answers.
_ANSWERS = "longmemeval-answers"
#: Unknown ids for which similar ones are looked for; more are of another set.
FEW = 20


@dataclass(frozen=True, slots=True)
class QuestionIds:
    """The ids of the questions of a set, or of those that a file answers.

    Attributes:
        ids: Id -> line of its first answer; 0 in a set.
        is_set: Whether the file is a set.
        unread: Answers of which the question is not known.
    """

    ids: dict[str, int]
    is_set: bool = False
    unread: int = 0

    @classmethod
    def of_set(cls, view: MemorySet) -> QuestionIds:
        """The questions of a set."""
        ids = {question.id: 0 for each in view.histories for question in each.questions}
        return cls(ids, is_set=True)

    def comparison(self) -> SameCall:
        """Compares answers with sets."""
        return SameCall()


class SameCall:
    """The sets and the answers of a call."""

    def __init__(self) -> None:
        self._sets: dict[int, QuestionIds] = {}
        self._answers: dict[int, QuestionIds] = {}

    def add(self, number: int, file: QuestionIds) -> None:
        """Add the ids of a file with its number."""
        (self._sets if file.is_set else self._answers)[number] = file

    def reports(self, files: CallFiles) -> Iterator[Report]:
        """The findings of answers that do not fit the set that shares most ids with them."""
        if not self._sets or not self._answers:
            return
        paths = files.paths({*self._sets, *self._answers})
        for number, answers in sorted(self._answers.items()):
            shared = {n: len(one.ids.keys() & answers.ids.keys()) for n, one in self._sets.items()}
            nearest = max(shared, key=lambda n: shared[n])
            if shared[nearest] or len(shared) == 1:
                found = _compared(answers, self._sets[nearest], paths[number], paths[nearest])
                if found:
                    yield Report(paths[number], _ANSWERS, None, tuple(found))


def _compared(answers: QuestionIds, asked: QuestionIds, path: str, of: str) -> list[Finding]:
    """Answers to questions that a set does not have, and questions without an answer."""
    from evalmark.validator.formats.ltm.rules.intended import alike
    from evalmark.validator.formats.memory_sets.memory_rule_table import ANSWER_RULES

    findings = RowFindings(path)
    missing = [name for name in asked.ids if name not in answers.ids]
    unknown = {name: line for name, line in answers.ids.items() if name not in asked.ids}
    for name, line in unknown.items():
        near = alike(name, missing, 0.8) if len(unknown) <= FEW else []
        if len(unknown) == len(missing) == 1:
            near = missing
        missing = [one for one in missing if one not in near]
        helps = (f"write {quoted(near[0])}" if near else "remove this line",)
        message = f"{of} has no question {quoted(name)}"
        rule = ANSWER_RULES["unknown-question"]
        findings.say(rule, message, line, None, "/question_id", "unknown question", helps)
    # Lines of unknown questions may be their answers; other findings are about those.
    if len(missing) > answers.unread:
        count = f"{len(missing)} of the {len(asked.ids)} questions of {of}"
        message = f"{count} {'has' if len(missing) == 1 else 'have'} no answer: {listed(missing)}"
        help_text = "add the missing lines; a question without an answer is not scored"
        findings.say(ANSWER_RULES["missing-answer"], message, 1, helps=(help_text,))
    return findings.close()
