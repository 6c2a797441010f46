"""Logs of LTM runs: one pass that checks each event against its schema and earlier events."""

from __future__ import annotations

from typing import Any, BinaryIO

from evalmark.schemas.accepting import accepts
from evalmark.schemas.engine import Engine, engine_for
from evalmark.validator.asked import Asked
from evalmark.validator.explaining.mistakes import mistakes
from evalmark.validator.findings.finding import Finding
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source
from evalmark.validator.rows.lines import Progress, RowFindings, Share, file_size, lines
from evalmark.validator.rules.of_conversations import LOG_RULES

#: Types of events; the numbers are the benchmark's.
SEND, BEGIN, END, FILL, ANSWER, FILL_ANSWER = range(6)
_ANSWER_TO = {ANSWER: SEND, FILL_ANSWER: FILL}


def check_log(
    file: BinaryIO,
    path: str,
    asked: Asked,
    *,
    progress: Progress | None = None,
    share: Share | None = None,
) -> list[Finding]:
    """Read a log to its end; the arguments are those of ``check_samples``."""
    del share  # an event is checked against those before it
    return _LogPass(path, asked.engine or engine_for([file_size(file)])).run(file, progress)


class _LogPass:
    def __init__(self, path: str, engine: Engine) -> None:
        self.path = path
        self.engine = engine
        self.findings = RowFindings(path)
        self._time = float("-inf")
        #: The unanswered message: type, test and line.
        self._asked: tuple[int, str, int] | None = None
        #: Test → line of its begin, while it runs.
        self._begun: dict[str, int] = {}

    def run(self, file: BinaryIO, progress: Progress | None) -> list[Finding]:
        """Read the log to its end."""
        for number, line, whole in lines(file, progress):
            if whole is False:
                self.findings.too_long(number)
            elif whole and line.strip():
                self._line(number, line.rstrip(b"\r\n"))
        for test, number in self._begun.items():
            self._say("test-without-end", f'test "{test}" begins but never ends', number)
        return self.findings.close()

    def _line(self, number: int, raw: bytes) -> None:
        reading = read(raw, self.path, self.engine)
        self.findings.add(reading.findings, number)
        if not reading.readable:
            return
        if accepts("ltm-log", reading.data, self.engine):
            self._event(reading.data, number, reading.source)
        else:
            document = Document(reading.data, "ltm-log")
            self.findings.add(mistakes(document, self.path, reading.source, self.engine), number)

    def _event(self, event: dict[str, Any], number: int, source: Source | None) -> None:
        kind, test, time = event["type"], event["test_id"], event["timestamp"]
        if time < self._time:
            message = f"event is {self._time - time:.6g} seconds earlier than the previous one"
            self._say("log-times", message, number, source, "/timestamp", fold="older")
        self._time = time
        if kind in (SEND, FILL):
            if self._asked is not None:
                self._say("answers-in-pairs", "message has no answer", self._asked[2])
            self._asked = (kind, test, number)
        elif kind in _ANSWER_TO:
            if self._asked is None or self._asked[:2] != (_ANSWER_TO[kind], test):
                message = "answer without a message"
                self._say("answers-in-pairs", message, number, source, "/type")
            self._asked = None
        elif kind == BEGIN:
            if test in self._begun:
                message = f"test begins again; it began on line {self._begun[test]}"
                self._say("test-without-end", message, number, source, "/type", fold="again")
            self._begun[test] = number
        elif kind == END and self._begun.pop(test, None) is None:
            self._say("test-without-end", "test ends but never began", number, source, "/type")

    def _say(self, rule: str, message: str, line: int, *where: Any, **more: Any) -> None:
        """See ``RowFindings.say``."""
        self.findings.say(LOG_RULES[rule], message, line, *where, **more)
