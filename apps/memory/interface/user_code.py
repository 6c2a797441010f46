"""Classes of users: loaded by name, whether evalmark can call them, and where they failed."""

from __future__ import annotations

import inspect
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Coroutine, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.escaping import shown

if TYPE_CHECKING:  # 4 MB, which only coroutines need
    import asyncio

#: Characters of an error that are shown.
SHOWN = 300
#: Where Python and its packages are: code that users call, but seldom write.
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def said_of(error: BaseException) -> str:
    """An error of code of users in one line: what it says, and where it is."""
    text = " ".join(str(error).split())
    line = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return at(shown(line[:SHOWN]), place_of(error))


def at(text: str, place: str) -> str:
    """A text with the place that it is about, if that is known."""
    return f"{text} ({place})" if place else text


def place_of(error: BaseException) -> str:
    """File, without its folder, and line of the innermost code of users in an error; or empty."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    places = list(_places(error.__traceback__))
    user_places = [place for place in places if not place[0].startswith(_LIBRARIES)] or places
    return f"{Path(user_places[-1][0]).name}:{user_places[-1][1]}" if user_places else ""


def _places(error: TracebackType | None) -> Iterator[tuple[str, int]]:
    for frame, line in traceback.walk_tb(error):
        name = str(frame.f_globals.get("__name__"))
        file = frame.f_code.co_filename
        if not (name.startswith(("evalmark.", "importlib.")) or file.startswith("<")):
            yield file, line


def short(value: object) -> str:
    """A value in one line, if need be not all of it."""
    text = shown(" ".join(repr(value).split()))
    return text if len(text) <= 60 else f"{text[:60]}…"


def defined_at(code: Any) -> str:
    """File and line where a function or class of a user is defined; empty if that is unknown."""
    try:
        _, line = inspect.getsourcelines(code)
        return f"{Path(inspect.getfile(code)).name}:{max(line, 1)}"
    except (OSError, TypeError):  # made without a file, or written in C
        return ""


def takes_arguments(method: Callable[..., Any], count: int) -> bool:
    """True if a method can be called with so many arguments, as far as that is known."""
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # written in C
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def require_signature(instance: object, like: Callable[..., Any], *counts: int) -> None:
    """Accept a method only if evalmark can call it as it calls that of the interface, ``like``.

    ``counts`` are the numbers of arguments with which it may be called; by default, only those of
    the interface. A ScoringError says where the method is and what to write.
    """
    method = getattr(instance, like.__name__)
    parameters = list(inspect.signature(like).parameters)
    title = f"{type(instance).__name__}.{like.__name__}"
    expected = f"expected `def {like.__name__}({', '.join(parameters)})`"
    if not callable(method):
        raise ScoringError(at(f"{title} is not a method; {expected}", defined_at(type(instance))))
    place = defined_at(inspect.unwrap(method))
    if inspect.iscoroutinefunction(method):
        raise ScoringError(at(f"{title} is `async`; {expected}", place))
    if not any(takes_arguments(method, count) for count in counts or (len(parameters) - 1,)):
        has = ", ".join(inspect.signature(method).parameters) or "none"
        raise ScoringError(at(f"the parameters of {title} are {has}; {expected}", place))


#: Classes that a message names.
LISTED = 5
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def look_in_current_folder(*targets: str | None) -> None:
    """Let ``module:Class`` on a command line name a module of the current folder.

    Standard and installed modules come first: no file of the folder takes the place of one.
    """
    named = [target for target in targets if target and _MODULE.fullmatch(target)]
    if any(not target.rpartition(":")[0].endswith(".py") for target in named):
        _append(str(Path.cwd()))


def _append(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)


def named_class(target: str) -> Any:
    """The object that a target names, whose module is run; raises ScoringError if there is none."""
    place, _, name = target.rpartition(":")
    if not (place and name.isidentifier()):
        raise ScoringError(f"{target!r} is not module:Class or path/to/file.py:Class")
    if place.endswith(".py") and not Path(place).is_file():
        raise ScoringError(f"{target}: there is no file {place}")
    try:
        module = _module_of_file(Path(place)) if place.endswith(".py") else import_module(place)
    except (Exception, SystemExit) as error:  # code of users
        raise ScoringError(f"{target}: {_not_imported(place, error)}") from error
    try:
        return getattr(module, name)
    except AttributeError:
        raise ScoringError(f"{target}: {_lacks(module, place, name)}") from None


def _not_imported(place: str, error: BaseException) -> str:
    missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    if missing and f"{place}.".startswith(f"{missing}."):
        return (
            f"no module {missing} in this folder or in the Python environment of evalmark; "
            "name its file as path/to/file.py:Class, or install it in that environment"
        )
    if missing:
        return (
            f"{place} imports {missing}, which is not in the Python environment of evalmark; "
            "install it there"
        )
    return f"{place} cannot be imported: {said_of(error)}"


def _lacks(module: ModuleType, place: str, name: str) -> str:
    classes = {key: value for key, value in vars(module).items() if isinstance(value, type)}
    names = [key for key, value in classes.items() if value.__module__ == module.__name__]
    names = names or list(classes)
    near = get_close_matches(name, names, 1, 0.6)
    listed = ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")
    has = f"its classes are {listed}" if names else "it defines no class"
    return f"{place} has no class {name}; " + (f"did you mean {near[0]}?" if near else has)


def _module_of_file(path: Path) -> ModuleType:
    name = f"named_file_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module")
    _append(str(path.absolute().parent))
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all coroutines: clients of users belong to one loop."""
    import asyncio

    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="evalmark-async", daemon=True).start()
    return loop


def awaited(value: Any) -> Any:
    """The result of a call, or of the coroutine that it returned.

    The coroutine runs on an event loop in another thread, so this also works in a notebook.
    """
    if not inspect.isawaitable(value):
        return value

    import asyncio

    async def result() -> Any:
        return await value

    coroutine: Coroutine[Any, Any, Any] = result()
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()
