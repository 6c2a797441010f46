"""The tokenizer of a model, in a process of its own: what never ends there is ended.

A tokenizer is a program that comes with a model: its regular expressions, its tables and its chat
template can take any time and any memory, and the library that runs it can end its process. No
thread can stop it, because it may hold the interpreter. So it is loaded and asked in a child
process with limits, and only plain values come back.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import weakref
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from evalmark.schemas.errors import (
    PLEASE_REPORT,
    EvalmarkError,
    ModelFailed,
    brief,
    failure,
    is_ours,
)
from evalmark.validator.io.processes import (
    START,
    end_after,
    leave_parent,
    limit_memory,
    nothing_of_the_caller,
)

Value = TypeVar("Value")

#: Seconds that a tokenizer has to load, and to answer each time that it is asked.
LIMIT = 60
#: Bytes of memory that it may take, and bytes of one answer.
MEMORY, ANSWER = 8 << 30, 1 << 30
#: Seconds after which a process that is not asked looks whether its parent has ended.
_LOOKS = 5


class TokenizerProcess:
    """A tokenizer that loads while the caller does something else, and is then asked.

    ``load`` gives a tokenizer of ``transformers``: a function of a module, or a partial of one.
    """

    def __init__(self, model: str, load: Callable[[], Any]) -> None:
        context: Any = multiprocessing.get_context(START)
        self._model = model
        self._failed: ModelFailed | None = None
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, load, LIMIT, MEMORY, os.getpid()), daemon=True
        )
        with nothing_of_the_caller(context):
            self._process.start()
        theirs.close()
        self.end = weakref.finalize(self, _end_process, self._process, self._pipe)

    def loaded(self) -> None:
        """Wait until the tokenizer is loaded.

        A ModelFailed if that takes too long, or ends the process; else the error of loading.
        """
        self._answer("loading its tokenizer")

    def run(self, doing: str, function: Callable[..., Value], *arguments: Any) -> Value:
        """The result of a function of a module, whose first argument is the tokenizer.

        ``doing`` is its work, for errors: a ModelFailed if it fails, takes too long or ends the
        process.
        """
        if self._failed is not None:
            raise self._failed
        with suppress(OSError):  # if the process has ended, there is no answer
            self._pipe.send_bytes(pickle.dumps((function, arguments)))
        try:
            value: Value = self._answer(doing)
        except EvalmarkError:
            raise
        except Exception as error:
            raise self._error(f"{doing} failed: {error}") from error
        return value

    def _answer(self, doing: str) -> Any:
        try:
            if not self._pipe.poll(LIMIT):
                raise self._lost(f"{doing} takes longer than {LIMIT} seconds")
            done, value = pickle.loads(self._pipe.recv_bytes(ANSWER))  # noqa: S301 - of our own
        except (EOFError, OSError) as error:
            self._process.join(_LOOKS)
            raise self._lost(
                f"{doing} ended the process{_signal_text(self._process.exitcode)}"
            ) from error
        except BaseException:
            self.end()
            raise
        if done:
            return value
        raise value

    def _lost(self, why: str) -> ModelFailed:
        self._failed = self._error(why)
        self.end()
        return self._failed

    def _error(self, why: str) -> ModelFailed:
        return ModelFailed(f"model {self._model!r} cannot be used: {why}")


def ask(
    tokenizer: Any, function: Callable[..., Value], *arguments: Any, doing: str = "tokenizing"
) -> Value:
    """The result of a function of a tokenizer, wherever the tokenizer is; see ``run``."""
    if isinstance(tokenizer, TokenizerProcess):
        return tokenizer.run(doing, function, *arguments)
    return function(tokenizer, *arguments)


def _end_process(process: Any, pipe: Connection) -> None:
    pipe.close()
    process.kill()
    process.join()


def _signal_text(code: int | None) -> str:
    if code is None or code >= 0:
        return ""
    return f" (signal {-code}; memory may have been short)"


def _serve(pipe: Connection, load: Callable[[], Any], limit: int, memory: int, parent: int) -> None:
    leave_parent(pipe.fileno())
    limit_memory(memory)
    tokenizer: Any = None

    def loads() -> None:
        nonlocal tokenizer
        tokenizer = load()

    pipe.send_bytes(_answer_bytes(loads, limit))
    while True:
        while not pipe.poll(_LOOKS):
            if os.getppid() != parent:
                return
        try:
            function, arguments = pickle.loads(pipe.recv_bytes())  # noqa: S301 - of our own
        except EOFError:
            return
        pipe.send_bytes(_answer_bytes(lambda: function(tokenizer, *arguments), limit))  # noqa: B023


def _answer_bytes(work: Callable[[], object], limit: int) -> bytes:
    """The result of work, or its error, as bytes. The process ends if it takes too long."""
    end_after(limit + _LOOKS)  # of use if the parent was killed
    try:
        return pickle.dumps((True, work()))
    except EvalmarkError as error:
        return pickle.dumps((False, error))
    except BaseException as error:  # that of a library in Rust is no Exception
        return pickle.dumps((False, _portable(error)))
    finally:
        end_after(0)


def _portable(error: BaseException) -> Exception:
    """An error whose class every process knows."""
    if isinstance(error, Exception) and is_ours(error):
        return ModelFailed(f"F099 {failure(error)}; {PLEASE_REPORT}")
    if isinstance(error, OSError):
        return OSError(str(error))
    return ValueError(str(error) if isinstance(error, ValueError) else brief(error))
