"""Answers to the questions of a set and the log of a judge; their set in the same call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from evalmark.memory.formats.history import History, MemorySet
from evalmark.memory.formats.memory_rule_table import ANSWER_RULES
from evalmark.schemas.backend import Backend, acceptor, backend_for
from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.phrasing import alike, listed, quoted
from evalmark.validator.findings.report import PathsOf, Report
from evalmark.validator.format import CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.shared.json_format import (
    misspelt_key_findings,
    read_rows,
    schema_findings,
)
from evalmark.validator.formats.shared.row_findings import RowFindings
from evalmark.validator.options.check_options import CheckOptions
from evalmark.validator.reading.lines import file_size
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

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
        unread: Answers to unknown questions.
    """

    ids: dict[str, int]
    is_set: bool = False
    unread: int = 0

    @classmethod
    def of_set(cls, view: MemorySet[History]) -> QuestionIds:
        """The questions of a set."""
        return cls({question.id: 0 for _, question in view.asked}, is_set=True)

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

    def reports(self, paths_of: PathsOf) -> Iterator[Report]:
        """The findings of answers that do not fit the set that shares most ids with them."""
        if not self._sets or not self._answers:
            return
        paths = paths_of({*self._sets, *self._answers})
        for number, answers in sorted(self._answers.items()):
            shared = {
                n: len(each.ids.keys() & answers.ids.keys()) for n, each in self._sets.items()
            }
            nearest = max(shared, key=lambda n: shared[n])
            if shared[nearest] or len(shared) == 1:
                findings = _compared(answers, self._sets[nearest], paths[number], paths[nearest])
                if findings:
                    yield Report(paths[number], _ANSWERS, None, tuple(findings))


def _compared(answers: QuestionIds, questions: QuestionIds, path: str, of: str) -> list[Finding]:
    """Answers to questions that a set does not have, and questions without an answer."""
    findings = RowFindings(path)
    missing = [name for name in questions.ids if name not in answers.ids]
    unknown = {name: line for name, line in answers.ids.items() if name not in questions.ids}
    for name, line in unknown.items():
        near = alike(name, missing, 0.8) if len(unknown) <= FEW else []
        if len(unknown) == len(missing) == 1:
            near = missing
        missing = [question for question in missing if question not in near]
        helps = (Action.WRITE(quoted(near[0])) if near else "remove this line",)
        message = f"{of} has no question {quoted(name)}"
        rule = ANSWER_RULES["unknown-question"]
        findings.say(rule, message, line, None, "/question_id", "unknown question", helps)
    # Lines of unknown questions may be their answers; other findings are about those.
    if len(missing) > answers.unread:
        count = f"{len(missing)} of the {len(questions.ids)} questions of {of}"
        message = f"{count} {'has' if len(missing) == 1 else 'have'} no answer: {listed(missing)}"
        help_text = "add the missing lines; a question without an answer is not scored"
        findings.say(ANSWER_RULES["missing-answer"], message, 1, helps=(help_text,))
    return findings.close()


def check_answers(form: Format, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
    """Read a file of answers to its end; an answer is compared with those before it."""
    options = context.options
    backend = options.backend or backend_for([file_size(file)])
    answers = _Answers(form, path, options, backend)
    for number, reading in read_rows(file, answers.findings, backend, context.progress):
        if reading is None:
            answers.unread += 1
        else:
            answers.line(number, reading)
    ids = answers.broken | {name: line for name, (line, _) in answers.first.items()}
    return CheckResult(answers.close(), compared=QuestionIds(ids, unread=answers.unread))


class _Answers:
    def __init__(self, form: Format, path: str, options: CheckOptions, backend: Backend) -> None:
        self.path = path
        self._format = form
        self.findings = RowFindings(path)
        #: Id of a question -> line of its first answer, and the answer.
        self.first: dict[str, tuple[int, dict[str, Any]]] = {}
        #: Id of a question -> line of an answer that the schema rejects.
        self.broken: dict[str, int] = {}
        #: Lines about unknown questions.
        self.unread = 0
        self._options = options
        self._backend = backend
        self._accepts = acceptor(form.name, backend)
        self._labelled: list[int] = []
        self._unlabelled: list[int] = []
        #: Judge -> line of its first label, and how many it has.
        self._judges: dict[str, tuple[int, int]] = {}

    def line(self, number: int, reading: Reading) -> None:
        document = Document(reading.data, self._format)
        if self._accepts(reading.data):
            if not self._options.schema_only:
                self._answer(reading.data, number, reading.source)
                found = misspelt_key_findings(document, self.path, lambda: reading.source)
                self.findings.add(found, number)
            return
        name = reading.data.get("question_id") if isinstance(reading.data, dict) else None
        if isinstance(name, str):
            self.broken.setdefault(name, number)
        else:
            self.unread += 1
        self.findings.add(
            schema_findings(document, self.path, reading.source, self._backend), number
        )

    def _answer(self, row: dict[str, Any], number: int, source: Source | None) -> None:
        name = row["question_id"]
        line, before = self.first.setdefault(name, (number, row))
        if line != number:
            same = before["hypothesis"] == row["hypothesis"]
            which = "the same answer" if same else "another answer"
            self.findings.say(
                ANSWER_RULES["duplicate-answer"],
                f"question {quoted(name)} has {which} on line {line}",
                number,
                source,
                "/question_id",
                helps=("remove this line" + ("" if same else f", or line {line}"),),
                fold="twice",
            )
        if not row["hypothesis"].strip():
            self.findings.say(
                ANSWER_RULES["empty-answer"],
                "the answer is empty",
                number,
                source,
                "/hypothesis",
                helps=("write the answer of the system, asked again",),
                fold="empty",
            )
        label = row.get("autoeval_label")
        (self._labelled if label else self._unlabelled).append(number)
        if label and "model" in label:
            first, count = self._judges.get(label["model"], (number, 0))
            self._judges[label["model"]] = first, count + 1

    def close(self) -> list[Finding]:
        """The findings, and what only several rows can show."""
        if self._labelled:
            for number in self._unlabelled:
                self.findings.say(
                    ANSWER_RULES["missing-label"],
                    f"the answer has no `autoeval_label`; {len(self._labelled)} others have",
                    number,
                    helps=("score again with the judge of the others",),
                    fold="no label",
                )
        most, *others = sorted(self._judges, key=lambda name: -self._judges[name][1]) or [""]
        for judge in others:
            line, count = self._judges[judge]
            self.findings.say(
                ANSWER_RULES["several-judges"],
                f"{count} label{'s are' if count > 1 else ' is'} by the judge {quoted(judge)}, "
                f"and {self._judges[most][1]} by {quoted(most)}",
                line,
                helps=(f"score again with one judge, for example {quoted(most)}",),
            )
        return sorted(self.findings.close(), key=lambda finding: finding.sort_key)
