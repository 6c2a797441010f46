"""Evaluates schemas of a repository in a process of its own, which can be ended at any time.

It is for threads, as those of ``evalmark serve``, and for systems without timers that interrupt.
"""

from __future__ import annotations

import atexit
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from threading import Lock, Timer
from typing import Any

from evalmark.schemas.errors import TimeIsUp
from evalmark.schemas.files import Schema
from evalmark.schemas.ordered import OrderedValidator
from evalmark.validator.edge.processes import can_be_limited, limited
from evalmark.validator.explaining.explain import MAX_ERRORS, explain
from evalmark.validator.explaining.wording import broken, field_name
from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.format import Advice
from evalmark.validator.reading.source import make_pointer


def hits_of(text: str, data: Any, advice: Advice) -> list[Hit]:
    """What a schema rejects in data; the format of the data has an advice."""
    document, validator = _loaded(text)
    try:
        return [] if validator.is_valid(data) else list(_hits(data, document, validator, advice))
    except RecursionError:  # a recursive schema goes as deep as the data
        return [Hit("the file is nested too deep to be checked against this schema", At(""))]


@cache
def _loaded(text: str) -> tuple[Schema, Any]:
    document = json.loads(text)
    return document, OrderedValidator(document)


def _hits(data: Any, document: Schema, validator: Any, advice: Advice) -> Iterator[Hit]:
    try:
        explained = explain(data, document, advice=advice)
    except (LookupError, TypeError, ValueError, AttributeError):
        # Explaining knows how the schemas of formats are written; others can be any way.
        for error in islice(validator.iter_errors(data), MAX_ERRORS):
            name = field_name(error.absolute_path)
            keyword, wanted = error.validator, error.validator_value
            _, message, caret = broken(keyword, name, error.instance, wanted, advice.forms)
            yield Hit(message, At(make_pointer(error.absolute_path)), caret)
    else:
        yield from (one.hit for one in explained)


_CODE = "from evalmark.validator.repository.schema_process import answer; answer()"
#: Seconds until a process that does not interrupt itself is ended.
_LATER = 1.0
_LOCK = Lock()
_processes: list[subprocess.Popen[bytes]] = []


def hits_elsewhere(text: str, data: Any, advice: Advice, seconds: float) -> list[Hit]:
    """What a schema rejects in data; one call after the other.

    Raises:
        TimeIsUp: That takes longer.
    """
    if sys.platform == "emscripten":  # no processes; the page of a browser is checked without
        return hits_of(text, data, advice)
    with _LOCK:
        if not _processes:
            _processes.append(_started())
        process = _processes[0]
        timer = Timer(seconds + _LATER, process.kill)
        timer.start()
        try:
            assert process.stdin
            assert process.stdout
            pickle.dump((text, data, advice, seconds), process.stdin)
            process.stdin.flush()
            found = pickle.load(process.stdout)  # noqa: S301  # of our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            _end()
            raise TimeIsUp from None
        finally:
            timer.cancel()
    if isinstance(found, TimeIsUp):
        raise found
    return list(found)


def _started() -> subprocess.Popen[bytes]:
    """A process that answers; it ends with this one, whose pipe to it is closed then."""
    # -P: no module of the current folder takes the place of one of Python.
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-c", _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    process.stdout.read(1)  # it is ready: its start takes no time of a schema
    return process


@atexit.register
def _end() -> None:
    """End the process, if there is one."""
    while _processes:
        process = _processes.pop()
        process.kill()
        process.communicate()


def answer() -> None:
    """In the process: answer until there are no more questions."""
    sys.stdout.buffer.write(b"!")
    sys.stdout.buffer.flush()
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            text, data, advice, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own
            try:
                found: Any = (
                    limited(partial(hits_of, text, data, advice), seconds)
                    if can_be_limited()
                    else hits_of(text, data, advice)
                )
            except TimeIsUp as up:
                found = up
            pickle.dump(found, sys.stdout.buffer)
            sys.stdout.buffer.flush()
