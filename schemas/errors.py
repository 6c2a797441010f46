"""Every exception that evalmark raises. ``EvalmarkError`` is the base of all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from evalmark.schemas.package import requirement

#: Known names that an error lists.
SHOWN = 18
PLEASE_REPORT = "this is a bug in evalmark: please report this line, with the file if you can"


def failure(error: Exception) -> str:
    """The failure, and its place in evalmark: the innermost of our lines that the error passed."""
    place, frame = "unknown place", error.__traceback__
    while frame is not None:
        module = str(frame.tb_frame.f_globals.get("__name__"))
        if module.startswith("evalmark."):
            place = f"{module}:{frame.tb_lineno}"
        frame = frame.tb_next
    return f"internal error: {type(error).__name__} in {place}"


def brief(error: BaseException) -> str:
    """The type of an error of a library, and the first line of its message."""
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"


def is_ours(error: Exception) -> bool:
    """True if an error was raised in evalmark itself, not in a library or code of users."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return frame is not None and str(frame.tb_frame.f_globals.get("__name__")).startswith(
        "evalmark."
    )


class EvalmarkError(Exception):
    """Base of all exceptions of evalmark. The message says what to do."""

    def __reduce__(self) -> tuple[Any, ...]:
        # As they are: other processes need not make the message again, of what it was made of.
        return Exception.__new__, (type(self), *self.args), self.__dict__


class UnknownNameError(EvalmarkError, ValueError):
    """An argument or an option names nothing that exists.

    Attributes:
        what: The kind of name, for example ``kind``.
        given: The name that was given.
        known: The names that exist.

    ``listed_by`` is the command that lists them, if they are too many for a message; ``retired``
    says why a name of an earlier edition is gone.
    """

    def __init__(
        self,
        what: str,
        given: str,
        known: Collection[str],
        listed_by: str = "",
        *,
        retired: str = "",
    ) -> None:
        from difflib import get_close_matches  # most calls name what exists

        self.what = what
        self.given = str(given)
        self.known = tuple(map(str, known))
        if retired:
            super().__init__(f"{what} {self.given!r} is retired: {retired}")
            return
        close = get_close_matches(self.given, self.known, n=1, cutoff=0.7)
        message = f"unknown {what} {self.given!r}"
        if close:
            message += f"; did you mean {close[0]!r}?"
        if len(self.known) > SHOWN:
            nearest = get_close_matches(self.given, self.known, n=1, cutoff=0)
            message += "" if close else f"; the nearest of {len(self.known)} is {nearest[0]!r}"
            message += f"; `{listed_by}` lists them" if listed_by and not close else ""
        elif not self.known:
            message += "; none is known"
        elif len(self.known) > 1 or not close:
            message += f"{'' if close else ';'} expected one of: {', '.join(self.known)}"
        super().__init__(message)


def require_known(noun: str, name: str | None, names: Collection[str]) -> None:
    """Refuse a name that does not exist, with an UnknownNameError; None is not a name."""
    if name is not None and name not in names:
        raise UnknownNameError(noun, name, tuple(names))


class UsageError(EvalmarkError, ValueError):
    """Arguments or options cannot be used, or not together."""


class ConfigError(EvalmarkError, ValueError):
    """The configuration cannot be used. The message names the file and the setting."""


class InvalidDocument(EvalmarkError, ValueError):  # noqa: N818 - the noun says what it is
    """A document has errors.

    Attributes:
        report: The ``evalmark.Report`` that holds them.
    """

    def __init__(self, message: str, report: Any) -> None:
        super().__init__(message)
        self.report = report


class FormulaSyntaxError(EvalmarkError, ValueError):
    """A formula does not follow the grammar."""

    def __init__(
        self,
        message: str,
        source: str,
        span: tuple[int, int],
        help: str = "",  # noqa: A002 - the word that messages use
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source  # the formula
        self.span = span  # offsets of the place in the formula
        self.help = help  # what to write; may be empty


class ConversionError(EvalmarkError, ValueError):
    """The file cannot be converted exactly.

    Attributes:
        reason: Why.
        helps: What would make it possible; may be none.
        needs: The argument of the conversion that would make it possible, for example ``metric``;
            may be empty.
        subject: The thing that the argument has to name: a condition, a pointer.
        lost: The version that cannot hold all of it, and what would be lost with how often it is
            there; None if that is not the reason.
        findings: The errors of a file that is refused for them, each an ``evalmark.Finding``.
    """

    def __init__(
        self,
        reason: str,
        *helps: str,
        needs: str = "",
        subject: str = "",
        lost: tuple[str, dict[str, int]] | None = None,
        findings: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(reason, *helps)
        self.reason = reason
        self.helps = tuple(filter(None, helps))
        self.needs = needs
        self.subject = subject
        self.lost = lost
        self.findings = findings

    @property
    def help(self) -> str:
        """All helps as one text."""
        return "; ".join(self.helps)

    def __str__(self) -> str:
        return "; ".join((self.reason, *self.helps))


class TooMuchError(ConversionError):
    """The file is more work than a file of its size may be."""


class NotInstalledError(EvalmarkError, ImportError):
    """An optional library is not installed. The message says what to install."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed: pip install '{requirement(extra)}'")
        self.library = library
        self.extra = extra


class ExtensionError(EvalmarkError):
    """An extension cannot be loaded. The message names its package and the reason."""


class ScoringError(EvalmarkError, ValueError):
    """The job cannot be done as asked."""

    def __init__(self, message: str, *, argument: str = "") -> None:
        super().__init__(message)
        self.argument = argument  # the argument that would allow it; empty if there is none


class OptionsError(ScoringError):
    """Options cannot be used together, or not for these files."""

    def __init__(self, words: str, *options: str) -> None:
        super().__init__(words.format(*options))
        self.words = words  # with ``{}`` for each option
        self.options = options  # as Python names them


class ContradictionError(ScoringError):
    """A run states a number that is not that of its samples, or of its own details."""


@contextmanager
def missing_is_ours() -> Iterator[None]:
    """Turn the error of a file or a folder that does not exist into a ScoringError."""
    try:
        yield
    except FileNotFoundError as error:
        raise ScoringError(f"{error.filename} does not exist") from error


class ModelFailed(ScoringError):  # noqa: N818 - it says what became of the model
    """A model cannot be used, whatever it is given: its weights or its tokenizer are damaged."""


class BrokenFile(ScoringError):  # noqa: N818 - the noun says what it is
    """A file has errors and cannot be used, or a bug of evalmark stopped the work on it."""

    def __init__(self, message: str, findings: tuple[Any, ...]) -> None:
        super().__init__(message)
        self.findings = findings  # the errors, each an ``evalmark.Finding``


class UndefinedValue(ScoringError):  # noqa: N818 - the noun says what it is
    """A prediction needs a region value that is not defined."""


class SurprisalFileError(ScoringError):
    """A file of surprisals does not fit the sentences. The message names the line."""


class AgentError(ScoringError):
    """An agent did not answer. The message holds no key."""


class AgentRefused(AgentError):  # noqa: N818 - it says what the endpoint does
    """An endpoint refuses every request: to ask again would not help."""


class FolderInUse(EvalmarkError):  # noqa: N818 - it says what the folder is
    """Another run is writing to the folder."""


class OtherRun(ScoringError):  # noqa: N818 - it says what the log is of
    """The log is of another run."""


class NotJudged(EvalmarkError):  # noqa: N818 - nobody was there to judge
    """A test needs a judge, and the run has none.

    Attributes:
        argument: The argument that would allow it.
    """

    argument = "judge"


class ClusterError(EvalmarkError):
    """Ray is not installed, there is no cluster at the address, or it has no room."""


class ParseRejected(EvalmarkError, ValueError):  # noqa: N818 - a signal inside the validator
    """The bytes are not strict JSON. The reader that raised it does not know why."""


class Budget(EvalmarkError):  # noqa: N818 - a signal inside the validator
    """The formula is too large to analyse."""


class RequestRefused(EvalmarkError, ValueError):  # noqa: N818 - it says what became of the request
    """The workbench cannot do what its page asks. The message is a sentence for people."""

    def __init__(self, message: str, *, status: int = 400, **answer: Any) -> None:
        super().__init__(message)
        self.status = status  # the HTTP status of the answer
        self.answer = answer  # what the answer says besides


#: Library -> the extra of evalmark that installs it.
EXTRAS = {
    "accelerate": "device-map",
    "httpx": "scoring",
    "numpy": "scoring",
    "torch": "scoring",
    "transformers": "scoring",
    "jsonschema_rs": "fast",
    "orjson": "fast",
    "ray": "ray",
    "jinja2": "report",
    "pyarrow": "parquet",
    "openpyxl": "xlsx",
    "pygls": "lsp",
    "starlette": "serve",
    "uvicorn": "serve",
}


def require(*libraries: str) -> None:
    """Check that optional libraries are installed; a NotInstalledError says what to install."""
    for library in libraries:
        if find_spec(library) is None:
            raise NotInstalledError(library, EXTRAS[library])
