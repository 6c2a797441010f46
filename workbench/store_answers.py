"""Questions of the page to the stores of the folder; each answer is a table as JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.leaderboard.open_store import ALIASES_FILE, RESULTS_FILE, SAMPLES_FOLDER, Store
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.coverage import missing
from evalmark.leaderboard.questions.integrity import bounds, duplicates
from evalmark.leaderboard.questions.model_comparison import compare_models
from evalmark.leaderboard.questions.query import notes_of, sql
from evalmark.leaderboard.questions.ranking import show, top
from evalmark.leaderboard.questions.store_differences import diff
from evalmark.pages.question_output import LAYOUTS, AnswerLayout, json_cell, shown_columns
from evalmark.schemas.errors import (
    AmbiguousNameError,
    EvalmarkError,
    RequestRefused,
    UnknownNameError,
)
from evalmark.validator.config import load_config
from evalmark.validator.io.paths import leads_out
from evalmark.workbench.request_values import RequestValues
from evalmark.workbench.served_folder import ServedFolder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyarrow import Table

#: Rows of an answer if the page asks for no number, and the most that it gets.
SHOWN_ROWS, MOST_ROWS = 50, 1000
#: Seconds after which a question is given up.
PATIENCE = 60.0
#: Seconds until it is interrupted again, if that had no effect.
_AGAIN = 0.1
#: The most names that an ambiguous name is answered with.
_MOST_CANDIDATES = 50
#: The path of the folder that is served, if it is a store itself.
_HERE = "."
#: Whole numbers beyond which a page reads another number than the one that is sent.
_EXACT = 2**53


class StoreQuestion(NamedTuple):
    """A question that the page can ask.

    Attributes:
        ask: Gives the table for a store, arguments, and the most rows, which may be ignored.
        arguments: The names of its arguments.
        second_store: The argument that names another store to open; empty if none does.
    """

    ask: Callable[[Store, RequestValues, int], Any]
    arguments: tuple[str, ...] = ()
    second_store: str = ""


def _top(store: Store, request: RequestValues, _: int) -> Any:
    return top(store, request.text("benchmark"), every_result=request.flag("all"))


def _missing(store: Store, request: RequestValues, most: int) -> Any:
    return missing(
        store,
        by=request.text("by", "cell"),
        models=request.texts("models", ()),
        benchmarks=request.texts("benchmarks", ()),
        limit=most,
    )


def _compare(store: Store, request: RequestValues, _: int) -> Any:
    return compare_models(store, request.text("first"), request.text("second"))


#: Name on the command line -> question.
QUESTIONS: dict[str, StoreQuestion] = {
    "top": StoreQuestion(_top, ("benchmark", "all")),
    "show": StoreQuestion(lambda store, request, _: show(store, request.text("model")), ("model",)),
    "compare": StoreQuestion(_compare, ("first", "second")),
    "conflicts": StoreQuestion(lambda store, _, most: conflicts(store, limit=most)),
    "duplicates": StoreQuestion(lambda store, *_: duplicates(store)),
    "bounds": StoreQuestion(lambda store, *_: bounds(store)),
    "diff": StoreQuestion(
        lambda store, request, _: diff(store, request.any("after")),
        ("after",),
        second_store="after",
    ),
    "missing": StoreQuestion(_missing, ("by", "models", "benchmarks")),
    "sql": StoreQuestion(
        lambda store, request, most: sql(store, request.text("query"), limit=most), ("query",)
    ),
}
#: Questions that count no further than the rows that are asked for.
_CUT = ("conflicts", "missing", "sql")


@dataclass(frozen=True)
class _StoppableStore(Store):
    """A store whose connections can be interrupted; ``notes`` go into every answer."""

    connections: list[DuckDBPyConnection] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    def connect(self) -> DuckDBPyConnection:
        """See ``Store.connect``."""
        connection = Store.connect(self)
        self.connections.append(connection)
        return connection

    def interrupt(self) -> None:
        """End what is being asked, with an error."""
        for connection in self.connections:
            with suppress(Exception):  # closed meanwhile
                connection.interrupt()


class FolderStores:
    """Answers questions, no longer than ``PATIENCE``, and never with a file out of the folder."""

    def __init__(self, folder: ServedFolder) -> None:
        self.folder = folder
        self._busy: set[Event] = set()
        self._stopping = Event()

    def answer(
        self, path: str, question: str, arguments: Mapping[str, Any], limit: int
    ) -> dict[str, Any]:
        """The answer to a question.

        Args:
            path: The store: its folder, relative to the folder that is served.
            question: A key of ``QUESTIONS``.
            arguments: The arguments of the question by name.
            limit: The most rows.

        Raises:
            RequestRefused: The question cannot be answered; the message says why.
            UnknownNameError: There is no such question or argument.
        """
        if question not in QUESTIONS:
            raise UnknownNameError("question", question, QUESTIONS)
        definition = QUESTIONS[question]
        for name in arguments:
            if name not in definition.arguments:
                raise UnknownNameError(f"argument of {question}", name, definition.arguments)
        most = min(max(limit, 1), MOST_ROWS)
        store = self._store(path)
        values = dict(arguments)
        if definition.second_store:
            # Both are interrupted together.
            second = self._store(RequestValues(arguments).text(definition.second_store))
            values[definition.second_store] = replace(second, connections=store.connections)
        with self._bounded(store), self._explained():
            # One more row than is wanted says that there are more.
            table = definition.ask(store, RequestValues(values), most + 1)
        is_cut = question in _CUT and table.num_rows > most
        layout = LAYOUTS.get(question, AnswerLayout())
        answer = _as_data(table, most, layout) | {"total": None if is_cut else table.num_rows}
        answer["notes"] += store.notes
        return answer

    def stop(self) -> None:
        """End what is being asked."""
        self._stopping.set()
        for due in tuple(self._busy):
            due.set()

    def _store(self, name: str) -> _StoppableStore:
        """The store in a folder; none of its files is a link out of the folder that is served."""
        root = self.folder.root
        place = root if name == _HERE else self.folder.path(name)
        for path in _files(place):
            if leads_out(str(path), str(root)):
                raise RequestRefused(f"{self.folder.name(path)!r} leads out of the folder")
        config = load_config(str(root))
        aliases = () if config.aliases is None else (Path(config.aliases),)
        refused = (setting.line for setting in config.refused if setting.setting == "store.aliases")
        notes = tuple(map(self._without_root, refused))
        return _StoppableStore(place, aliases, notes=notes)

    @contextmanager
    def _bounded(self, store: _StoppableStore) -> Iterator[None]:
        """A time in which a question has to be answered."""
        due, done, is_late = Event(), Event(), Event()

        def watch() -> None:
            due.wait(PATIENCE)
            while not done.is_set():
                is_late.set()
                store.interrupt()
                done.wait(_AGAIN)  # nothing was being asked at this moment

        self._busy.add(due)
        Thread(target=watch, daemon=True).start()
        try:
            if self._stopping.is_set():
                raise RequestRefused("the server is stopping", status=503)
            yield
        except EvalmarkError as error:
            if self._stopping.is_set():
                raise RequestRefused("the server is stopping", status=503) from error
            if is_late.is_set():
                raise RequestRefused(
                    f"no answer within {PATIENCE:.0f} seconds: ask `evalmark store` in a terminal",
                    status=503,
                ) from error
            raise
        finally:
            done.set()
            due.set()
            self._busy.discard(due)

    def _without_root(self, text: str) -> str:
        """A sentence without the path of the folder that is served."""
        root = str(self.folder.root)
        return text.replace(root + os.sep, "").replace(root, _HERE)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors without the path of the folder that is served, and with what a name can mean."""
        try:
            yield
        except RequestRefused:
            raise
        except EvalmarkError as error:
            text = self._without_root(str(error))
            if not isinstance(error, AmbiguousNameError):
                raise RequestRefused(text, status=422) from error
            candidates = error.candidates[:_MOST_CANDIDATES]
            raise RequestRefused(
                text,
                status=422,
                what=error.what,
                given=error.given,
                candidates=list(candidates),
            ) from error


def _files(store: Path) -> Iterator[Path]:
    """The files that a question may open, as far as they could be links."""
    samples = store / SAMPLES_FOLDER
    yield from (store / RESULTS_FILE, store / ALIASES_FILE, samples)
    if samples.is_dir():
        yield from (path for path in samples.iterdir() if path.is_symlink())


def _as_data(table: Table, most: int, layout: AnswerLayout) -> dict[str, Any]:
    """An answer as JSON, with as many rows as are wanted; what people are shown is first."""
    rows = table.slice(0, most)
    shown = shown_columns(rows, layout)
    if layout.columns:
        rows = rows.select([*shown, *(name for name in table.column_names if name not in shown)])
    columns = [[_cell(cell) for cell in column.to_pylist()] for column in rows.columns]
    return {
        "columns": [
            {"name": field.name, "type": _type(field.type), "shown": field.name in shown}
            for field in rows.schema
        ],
        "rows": list(zip(*columns, strict=True)),
        "notes": notes_of(table),
    }


def _type(column: Any) -> str:
    """The kind of the cells of an Arrow column."""
    from pyarrow import types

    if types.is_boolean(column):
        return "boolean"
    if types.is_integer(column) or types.is_floating(column) or types.is_decimal(column):
        return "number"
    return "other" if types.is_nested(column) else "text"


def _cell(cell: Any) -> Any:
    """A cell as JSON can have it; a number that a page would change becomes a text."""
    is_exact = not isinstance(cell, Decimal) and (type(cell) is not int or abs(cell) <= _EXACT)
    return json_cell(cell) if is_exact else str(cell)
