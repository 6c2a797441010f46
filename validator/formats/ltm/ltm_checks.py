"""Files of the LTM benchmark: how they are checked; a log in one pass, by its earlier events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

from evalmark.schemas.backend import Backend, accepts, backend_for
from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.phrasing import quoted, similar
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import (
    Advice,
    CheckContext,
    CheckResult,
    Checks,
    Document,
    Format,
    JsonPath,
)
from evalmark.validator.formats.ltm.ltm_rule_table import (
    CONFIG_RULES,
    DEFINITION_RULES,
    LOG_RULES,
    RESULT_RULES,
)
from evalmark.validator.formats.ltm.ltm_run import RunPlace
from evalmark.validator.formats.ltm.ltm_view import (
    CONFIG,
    DEFINITION,
    RESULT,
    ConfigView,
    DefinitionView,
    LtmView,
    ResultView,
)
from evalmark.validator.formats.shared.field_layout import Layout
from evalmark.validator.formats.shared.json_checks import (
    JsonChecks,
    json_rows,
    misspelt_key_findings,
    schema_findings,
)
from evalmark.validator.formats.shared.row_findings import RowFindings
from evalmark.validator.reading.lines import Progress, file_size
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

#: Types of events; the numbers are the benchmark's.
SEND, BEGIN, END, FILL, ANSWER, FILL_ANSWER = range(6)
_ANSWER_TO = {ANSWER: SEND, FILL_ANSWER: FILL}


def check_log(form: Format, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
    """Read a log to its end; an event is checked against those before it."""
    backend = context.backend or backend_for([file_size(file)])
    log = _LogPass(form, path, backend, context.schema_only)
    return CheckResult(log.run(file, context.progress))


class _LogPass:
    def __init__(self, form: Format, path: str, backend: Backend, schema_only: bool) -> None:
        self.path = path
        self._format = form
        self.backend = backend
        self._schema_only = schema_only
        self.findings = RowFindings(path)
        #: Times of the last event and the one before it, and the line of the last.
        self._times = (float("-inf"), float("-inf"))
        self._last = 0
        #: The unanswered message: type, test and line.
        self._open_message: tuple[int, str, int] | None = None
        #: Test → lines of its begins, while it runs.
        self._begun: dict[str, list[int]] = {}
        self._tests: set[str] = set()  # tests that have begun
        #: Test that never began → line of its first event, whether that is an end, how many events.
        self._unknown: dict[str, tuple[int, bool, int]] = {}
        #: Test that runs → line and time of its last event.
        self._latest: dict[str, tuple[int, float]] = {}
        #: Type and test of a message without an answer → its line.
        self._waiting: dict[tuple[int, str], int] = {}
        #: Lines with events that are older than the ones before them.
        self._older: set[int] = set()
        #: Events that could not be read: as many events seem to be missing.
        self._unread = 0

    def run(self, file: BinaryIO, progress: Progress | None) -> list[Finding]:
        for number, reading in json_rows(file, self.findings, self.backend, progress):
            if reading is None:
                self._unread += 1
            else:
                self._line(number, reading)
        self._finish()
        return [finding for finding in self.findings.close() if not self._is_order(finding)]

    def _line(self, number: int, reading: Reading) -> None:
        document = Document(reading.data, self._format)
        if accepts(self._format.name, reading.data, self.backend):
            if not self._schema_only:
                self._event(reading.data, number, reading.source)
                found = misspelt_key_findings(document, self.path, lambda: reading.source)
                self.findings.add(found, number)
        else:
            self.findings.add(
                schema_findings(document, self.path, reading.source, self.backend), number
            )
            self._unread += 1

    def _event(self, event: dict[str, Any], number: int, source: Source | None) -> None:
        kind, test, time = event["type"], event["test_id"], event["timestamp"]
        before, last = self._times
        if time < last:
            message = f"event is {last - time:.6g} seconds earlier than the previous one"
            helps = (_time_meant(time, before, last, self._last),)
            rule = LOG_RULES["log-times"]
            self.findings.say(rule, message, number, source, "/timestamp", "older", helps)
            self._older.add(number)
        self._times, self._last = (last, time), number
        if kind in (SEND, FILL):
            self._unanswered()
            self._open_message = (kind, test, number)
        elif kind in _ANSWER_TO:
            if not self._is_answer(_ANSWER_TO[kind], test):
                message = "answer without a message"
                message_line = self._waiting.pop((_ANSWER_TO[kind], test), None)
                help_text = (
                    f"move this line to after line {message_line}, whose message has no answer"
                    if message_line
                    else "add the message that it answers before it, or remove this line"
                )
                helps = (help_text,)
                self._missing("answers-in-pairs", message, number, source, "/type", helps=helps)
            self._open_message = None
        if kind == BEGIN:
            self._begun.setdefault(test, []).append(number)
            self._tests.add(test)
        elif test and test not in self._tests:
            first, is_end, count = self._unknown.get(test, (number, kind == END, 0))
            self._unknown[test] = (first, is_end, count + 1)
        elif kind == END:
            self._end_test(test, number, source)
        if test in self._begun:
            self._latest[test] = (number, time)
        else:
            self._latest.pop(test, None)

    def _is_answer(self, to: int, test: str) -> bool:
        """True if an answer is to the message before it; a misspelt test is reported as such."""
        if self._open_message is None or self._open_message[0] != to:
            return False
        return self._open_message[1] == test or not {self._open_message[1], test} <= self._tests

    def _end_test(self, test: str, number: int, source: Source | None) -> None:
        began = self._begun.pop(test, None)
        if began is None:
            message = "test ends again without beginning again"
            helps = ("remove this line, or add the begin of the test before it",)
            self._missing("test-without-end", message, number, source, "/type", helps=helps)
        elif len(began) > 1:
            message = f"test was resumed: it began on line {began[0]}, and again here"
            help_text = (
                f"remove lines {began[0]} to {began[-1] - 1} of this test, if it was restarted"
            )
            helps = (f"nothing to do, if it continued here; {help_text}",)
            rule = LOG_RULES["test-without-end"]
            self.findings.say(rule, message, began[-1], fold="resumed", helps=helps)

    def _unanswered(self) -> None:
        if self._open_message is not None:
            kind, test, line = self._open_message
            self._waiting[kind, test] = line
            answer = next(answer for answer, to in _ANSWER_TO.items() if to == kind)
            whose = f" and test_id {quoted(test)}" if test else ""
            helps = (f"add its answer after it: an event with type {answer}{whose}",)
            self._missing("answers-in-pairs", "no answer follows this message", line, helps=helps)

    def _finish(self) -> None:
        if self._open_message is not None and self._open_message[1] not in self._begun:
            self._unanswered()
        for test, (number, is_end, count) in self._unknown.items():
            message = f'test "{test}" never began'
            if near := _near(test, self._begun):
                began = self._begun.pop(near[0])[-1]
                message += f'; "{near[0]}", which begins on line {began}, never ends'
            elif is_end:
                message += ", but ends"
            helps = _test_meant(near or _near(test, self._tests), count)
            self._missing("test-without-begin", message, number, None, "/test_id", helps=helps)
        for test, (*earlier, last) in self._begun.items():
            message = f'test "{test}" begins but never ends'
            if earlier:
                before = f"it began on line {earlier[0]}"
                message = f'test "{test}" was resumed but never ends; {before}'
            self._missing("test-without-end", message, last, helps=self._end_of(test))

    def _end_of(self, test: str) -> tuple[str, ...]:
        if self._open_message is not None and self._open_message[1] == test:
            return ("resume the run: the last message of the test was never answered",)
        line, time = self._latest[test]
        event = {"type": END, "timestamp": time, "test_id": test, "data": {}}
        return (
            f"resume the run; if the test did end, add the line `{quoted(event)}` after {line}",
        )

    def _missing(
        self,
        rule: str,
        message: str,
        line: int,
        source: Source | None = None,
        pointer: str = "",
        *,
        helps: tuple[str, ...],
    ) -> None:
        """A finding about an event that is missing; none if it may be one that cannot be read."""
        if self._unread:
            self._unread -= 1
        else:
            self.findings.say(LOG_RULES[rule], message, line, source, pointer, helps=helps)

    def _is_order(self, finding: Finding) -> bool:
        """True if a finding only follows from events in the wrong order, which is reported."""
        if finding.name not in ("answers-in-pairs", "test-without-end", "test-without-begin"):
            return False
        line = finding.span.line if finding.span else 0
        return not self._older.isdisjoint((line, line + 1))


def _time_meant(time: float, before: float, last: float, line: int) -> str:
    if -time >= last:
        return Action.WRITE(quoted(-time))
    if time >= before:
        first = f"from {quoted(before)} " if before != float("-inf") else ""
        return (
            f"say which is wrong: this one is at least {quoted(last)}, "
            f"or that on line {line} is {first}up to {quoted(time)}"
        )
    return f"say when it was: {quoted(last)} or later"


def _test_meant(near: tuple[str, ...], count: int) -> tuple[str, ...]:
    if not near:
        return ("add its begin before it: an event with the type 1 and this test_id",)
    if count > 1:
        return (f"replace the test_id of its {count} events with {quoted(near[0])}",)
    return (Action.WRITE(quoted(near[0])),)


def _near(test: str, tests: Iterable[str]) -> tuple[str, ...]:
    tests = sorted(tests)
    same = (name for name in tests if name.casefold() == test.casefold())
    return tuple(same) or similar(test, tests)


#: Name of a format -> the rules on its files, their view, and where that finds values.
_RULES: dict[str, tuple[tuple[Rule, ...], type[LtmView], Layout]] = {
    "ltm-definition": (DEFINITION_RULES, DefinitionView, DEFINITION),
    "ltm-result": (RESULT_RULES, ResultView, RESULT),
    "ltm-config": (CONFIG_RULES, ConfigView, CONFIG),
}


class LtmChecks(JsonChecks):
    """Files on which there are rules."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on files of this format."""
        return _RULES[self.format.name][0]

    def view(self, document: Document, reading: Reading, context: CheckContext) -> object:
        """The content and its place in a run."""
        del context
        _, view, layout = _RULES[self.format.name]
        return view(document.data, "", layout, RunPlace(reading.path))


class ResultAdvice(Advice):
    """Advice on the score of a test."""

    def suggest_default(self, data: object, path: JsonPath) -> tuple[str, ...]:
        """The usual bound of the score."""
        del data
        is_bound = path[-1:] == ("max_score",)
        return ("write 1, if that is the highest possible score",) if is_bound else ()


class ResultChecks(LtmChecks):
    """Results of tests."""

    def advice(self) -> Advice:
        """The pattern of log lines in words, and the usual bound."""
        line_head = (
            r"^(Test|Agent|System) \([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
            r"(\.[0-9]{6})?\): "
        )
        words = '"Test", "Agent" or "System", and a time, as in "Test (2024-01-31 09:30:00): Hello"'
        return ResultAdvice(forms={line_head: words})


class LogChecks(JsonChecks):
    """Logs of runs."""

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check the events of a log."""
        return check_log(self.format, file, path, context)


#: Name of a format -> its class.
CHECKS: dict[str, type[Checks]] = {
    "ltm-definition": LtmChecks,
    "ltm-result": ResultChecks,
    "ltm-config": LtmChecks,
    "ltm-log": LogChecks,
}
