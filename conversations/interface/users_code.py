"""What users wrote: whether evalmark can call it, and where it failed."""

from __future__ import annotations

import inspect
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.escaping import shown

#: Characters of an error that are shown.
SHOWN = 300
#: Where Python and its packages are: code that users call, but seldom write.
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def said_of(error: BaseException) -> str:
    """An error of code of users in one line: what it says, and where it is."""
    text = " ".join(str(error).split())
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return at(shown(said[:SHOWN]), place_of(error))


def at(text: str, place: str) -> str:
    """A text with the place that it is about, if that is known."""
    return f"{text} ({place})" if place else text


def place_of(error: BaseException) -> str:
    """File and line of the innermost code of users that an error passed; empty if it passed none.

    The file has no folder: what a run writes does not depend on where it was made.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    places = list(_places(error.__traceback__))
    own = [place for place in places if not place[0].startswith(_LIBRARIES)] or places
    return f"{Path(own[-1][0]).name}:{own[-1][1]}" if own else ""


def _places(error: TracebackType | None) -> Iterator[tuple[str, int]]:
    for frame, line in traceback.walk_tb(error):
        name = str(frame.f_globals.get("__name__"))
        file = frame.f_code.co_filename
        if not (name.startswith(("evalmark.", "importlib.")) or file.startswith("<")):
            yield file, line


def short(value: object) -> str:
    """A value in one line, if need be not all of it."""
    text = " ".join(repr(value).split())
    return shown(text if len(text) <= 60 else f"{text[:60]}…")


def defined_at(code: Any) -> str:
    """File and line where a function or class of a user is defined; empty if that is unknown."""
    try:
        _, line = inspect.getsourcelines(code)
        return f"{Path(inspect.getfile(code)).name}:{max(line, 1)}"
    except (OSError, TypeError):  # made without a file, or written in C
        return ""


def takes_arguments(method: Callable[..., Any], count: int) -> bool:
    """Whether a method can be called with so many arguments, as far as that is known."""
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # written in C
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def require_signature(own: object, like: Callable[..., Any], *counts: int) -> None:
    """Accept a method only if evalmark can call it as it calls that of the interface.

    Args:
        own: An object of a class of a user.
        like: The method of the interface.
        counts: The numbers of arguments with which it may be called. By default, only those of the
            interface.

    Raises:
        ScoringError: It cannot be called like this. The message says where it is and what to write.
    """
    method = getattr(own, like.__name__)
    known = list(inspect.signature(like).parameters)
    title = f"{type(own).__name__}.{like.__name__}"
    expected = f"expected `def {like.__name__}({', '.join(known)})`"
    if not callable(method):
        raise ScoringError(at(f"{title} is not a method; {expected}", defined_at(type(own))))
    place = defined_at(inspect.unwrap(method))
    if inspect.iscoroutinefunction(method):
        raise ScoringError(at(f"{title} is `async`; {expected}", place))
    if not any(takes_arguments(method, count) for count in counts or (len(known) - 1,)):
        has = ", ".join(inspect.signature(method).parameters) or "none"
        raise ScoringError(at(f"the parameters of {title} are {has}; {expected}", place))
