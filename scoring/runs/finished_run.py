"""Runs in notebooks: their tables as data frames, one run or many, and contrasts of regions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import FormulaSyntaxError, ScoringError, require, require_known
from evalmark.scoring.runs.pair_views import PairRunView
from evalmark.scoring.runs.run_origin import series_of
from evalmark.scoring.runs.run_sources import run_at, runs_below
from evalmark.scoring.runs.run_tables import (
    AnyView,
    Columns,
    OptionalInt,
    arrow_schema,
    require_tokens,
    tables_of,
    view_of_run,
)
from evalmark.scoring.runs.score_rows import score_rows
from evalmark.scoring.runs.suite_views import SuiteView
from evalmark.scoring.suites.effects import EQUALITY, kind_of, margin, sides_of
from evalmark.scoring.suites.prediction_results import RegionValues
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    nodes_of,
    read_formula,
    references,
    unparse,
)
from evalmark.validator.io.escaping import html_table, text_table

#: The libraries of frames, in the order of preference.
FRAMES = ("pandas", "pyarrow")
#: The columns that tell runs apart, which come first in a frame of several.
RUN_COLUMNS = ("run", "model", "revision")
#: The column of the steps of checkpoints.
STEP = "step"
#: Type -> its name in pandas.
_PANDAS = {str: "object", int: "int64", OptionalInt: "Int64", float: "float64", bool: "bool"}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A contrast of regions in the items of a suite."""

    suite: str  # the name of the suite
    formula: str  # the comparison whose margin is the contrast
    kind: str  # ``interaction`` for the interaction of a 2 × 2 design, else ``difference``
    #: Number of the item -> the contrast in bits; None if a value is undefined.
    margins: Mapping[int, float | None]
    #: The mean over items (bits) with its interval and tests; None without a defined margin.
    size: EffectSize | None

    def __str__(self) -> str:
        """One line: kind, mean, interval and p values."""
        size, text = self.size, f"{self.kind} in {self.suite}:"
        if size is None:
            return f"{text} undefined in every item"
        parts = [f"mean {size.mean:.2f} bits"]
        if size.interval is not None:
            low, high = size.interval
            parts.append(f"95 % interval {low:.2f} to {high:.2f}")
        if size.t is not None:
            parts.append(f"t({size.items - 1}) = {size.t:.2f}, p = {size.t_test:.3g}")
        if size.sign_flip is not None:
            parts.append(f"p of sign flips = {size.sign_flip.value:.3g}")
        return f"{text} {', '.join(parts)}, {size.items} items"


@dataclass(frozen=True, repr=False)
class FinishedRun:
    """The results of a run: a record and its samples, with tables as data frames.

    Attributes:
        run: The record and its samples.
        frame: The library of frames: ``pandas`` or ``pyarrow``.
    """

    run: Run
    frame: str

    @cached_property
    def view(self) -> AnyView:
        """The run as tables and pages have it."""
        return view_of_run(self.run)

    def to_frame(self) -> Any:
        """The scores as a frame of pandas: ``predictions``, or of minimal pairs ``uids``.

        Raises:
            ScoringError: pandas is not installed.
        """
        return replace(self, frame=_chosen("pandas")).table(next(iter(tables_of(self.view))))

    @cached_property
    def predictions(self) -> Any:
        """A row for each prediction of each suite, and for all predictions of a suite (``all``).

        ``lower`` and ``upper`` are the 95 % interval of the accuracy. A suite with one prediction
        has one row, ``all``.
        """
        return self.table("predictions")

    @cached_property
    def items(self) -> Any:
        """A row for each item and prediction, with ``all`` as well: whether it holds.

        ``tie`` says that rounding decides it.
        """
        return self.table("items")

    @cached_property
    def regions(self) -> Any:
        """A row for each region of each sentence that was computed, in bits."""
        return self.table("regions")

    @cached_property
    def tokens(self) -> Any:
        """A row for each token of each sentence, or of each text, in bits.

        Raises:
            ScoringError: The run has none: only the values of regions were recorded, or minimal
                pairs were scored without their tokens.
        """
        require_tokens(self.view)
        return self.table("tokens")

    @cached_property
    def effects(self) -> Any:
        """A row for each comparison of each prediction and item, in bits.

        Of minimal pairs, a row for each contest: the surprisals of both texts, and their
        difference.
        """
        return self.table("effects")

    @cached_property
    def effect_sizes(self) -> Any:
        """A row for each comparison of each prediction: its mean margin over items, in bits.

        ``lower`` and ``upper`` are its 95 % interval, ``p_t`` and ``p_sign_flip`` the p values of
        the paired t test and of the sign-flip test; ``=`` has neither test. ``kind`` is
        ``difference``, ``interaction`` or ``equality``. Items with an undefined margin do not
        count.

        Of minimal pairs, a row for each UID, of the differences of surprisal between wrong and
        right texts. Pairs of identical texts and sets without a right text do not count.
        """
        return self.table("effect_sizes")

    @cached_property
    def uids(self) -> Any:
        """For minimal pairs, a row for each UID: its accuracy, or its correlation, as ``score``."""
        return self.table("uids")

    @cached_property
    def pairs(self) -> Any:
        """For minimal pairs, a row for each text of each contest, in bits."""
        return self.table("pairs")

    def contrast(self, formula: str, *, suite: str | None = None) -> Contrast:
        """The contrast that a formula describes, in each item of a suite and on average, in bits.

        The suite needs no such prediction. The interaction of a 2 × 2 design is a difference of
        differences, ``((5;%a%) - (5;%b%)) - ((5;%c%) - (5;%d%))``.

        Args:
            formula: A sum or difference of regions, or a comparison by ``<`` or ``>``, whose margin
                is then the contrast: by how many bits it holds.
            suite: The name of the suite; may be left out if only one has these regions.

        Raises:
            ScoringError: The formula is none of these, or it does not say which suite is meant.
            UnknownNameError: The run has no such suite.
            OSError: A file of the run cannot be read.
        """
        suites = () if isinstance(self.view, PairRunView) else self.view.suites
        return contrast_in(suites, formula, suite, self._name)

    def table(self, name: str) -> Any:
        """A table of the run as a frame.

        Raises:
            UnknownNameError: The run has no such table.
        """
        tables = tables_of(self.view)
        require_known("table", name, tuple(tables))
        return frame_of(self.frame, tables[name].columns, tables[name].rows(self.view))

    @property
    def is_of_pairs(self) -> bool:
        """True for a run over minimal pairs."""
        return isinstance(self.view, PairRunView)

    @property
    def _name(self) -> str:
        return str(self.run.path or self.run.id)

    def __repr__(self) -> str:
        view = self.view
        of_pairs = isinstance(view, PairRunView)
        count = len(view.uids if isinstance(view, PairRunView) else view.suites)
        name = f"{'UID' if of_pairs else 'suite'}{'s'[: count != 1]}"
        return f"<run of {view.model!r} in {self._name!r}: {count} {name}>"

    def __str__(self) -> str:
        """The table of accuracies."""
        return text_table(*self._shown)

    def _repr_html_(self) -> str:
        return html_table(*self._shown)

    @property
    def _shown(self) -> tuple[str, Sequence[str], Sequence[Sequence[object]]]:
        headers, rows = score_rows(self.view)
        short = [(*cells, last.split(" (")[0]) for *cells, last in rows]
        return f"Scores of {self.view.model}", headers, short


def finished(run: Run, frame: str | None = None) -> FinishedRun:
    """A run with its tables; errors on ``frame`` are those of ``read_run``."""
    return FinishedRun(run, _chosen(frame))


def read_run(folder: str | Path, *, frame: str | None = None) -> FinishedRun:
    """Read a run over suites or minimal pairs: its folder, or its record.

    Args:
        folder: The folder that ``score`` wrote, or a record with its samples.
        frame: The library of its frames: ``pandas``, or ``pyarrow`` (tables, which polars reads).
            By default the first that is installed; without any, a frame is an error.

    Raises:
        ScoringError: It is not such a run, or ``frame`` is not installed.
        UnknownNameError: ``frame`` is none of these.
        OSError: A file cannot be read.
    """
    run = finished(run_at(Path(folder)), frame)
    assert run.view  # all that the frames need is there
    return run


def read_runs(
    folders: str | Path | Iterable[str | Path], table: str | None = None
) -> Any:  # a frame of pandas, which may not be installed
    """One frame of pandas with a table of many runs, each once and one after the other.

    Its first columns are ``run`` (the folder), ``model`` and ``revision`` (empty if unknown), and
    for checkpoints ``step``, the number in their names, by which learning curves are drawn; the
    others are those of the table.

    Args:
        folders: Folders of runs, or folders with runs somewhere below.
        table: The table, as ``read_run`` names it: ``predictions`` (default), ``items``,
            ``regions``, ``tokens``, ``effects`` or ``effect_sizes``; of minimal pairs ``uids``
            (default), ``pairs``, ``tokens``, ``effects`` or ``effect_sizes``.

    Raises:
        ScoringError: pandas is not installed, a folder has no run, or suites and minimal pairs are
            mixed.
        UnknownNameError: The runs have no such table.
        OSError: A file cannot be read.
    """
    paths = [folders] if isinstance(folders, str | Path) else list(folders)
    places = list(dict.fromkeys(path for top in paths for path in runs_below(Path(top))))
    runs = [read_run(path, frame="pandas") for path in places]
    if not runs:
        raise ScoringError("no folders of runs")
    for place, run in zip(places, runs, strict=True):
        if run.is_of_pairs != runs[0].is_of_pairs:
            raise ScoringError(
                f"{places[0]} and {place} are runs over suites and over minimal pairs: read them "
                "one after the other"
            )
    chosen = table or next(iter(tables_of(runs[0].view)))
    has_steps = any(series_of(run.run)[0] for run in runs)
    frames = [
        _labelled(run, place, chosen, has_steps=has_steps)
        for run, place in zip(runs, places, strict=True)
    ]
    pandas: Any = import_module("pandas")
    return pandas.concat(frames, ignore_index=True)


def _labelled(run: FinishedRun, place: Path, table: str, *, has_steps: bool) -> Any:
    model = run.run.model
    names = str(place), model.id, model.details.get("revision", "")
    rest = run.table(table).drop(columns="model", errors="ignore")
    for at, (column, name) in enumerate(zip(RUN_COLUMNS, names, strict=True)):
        rest.insert(at, column, name)
    if has_steps:
        pandas: Any = import_module("pandas")
        step = series_of(run.run)[1]
        rest.insert(len(RUN_COLUMNS), STEP, pandas.Series(step, index=rest.index, dtype="Int64"))
    return rest


def _chosen(frame: str | None) -> str:
    if frame is None:
        return next(filter(find_spec, FRAMES), FRAMES[-1])
    require_known("frame", frame, FRAMES)
    if not find_spec(frame):
        raise ScoringError(f"{frame} is not installed: pip install {frame}")
    return frame


def frame_of(name: str, types: Columns, rows: Iterator[Sequence[Any]]) -> Any:
    """A frame of some rows with columns of these types, also where there are no rows."""
    cells = list(rows)
    columns = {column: [row[place] for row in cells] for place, column in enumerate(types)}
    if not find_spec(name):
        require(name)
    module: Any = import_module(name)
    if name == "pandas":
        return module.DataFrame(columns).astype({c: _PANDAS[kind] for c, kind in types.items()})
    return module.table(columns, schema=arrow_schema(types))


def contrast_in(suites: Sequence[SuiteView], formula: str, suite: str | None, run: str) -> Contrast:
    """The contrast of a formula in some suites of a run; see ``FinishedRun.contrast``."""
    comparison = _contrast_of(formula)
    places = {(part.condition, part.region) for part in references(comparison)}
    if any(region is None for _, region in places) and any(s.is_partial for s in suites):
        raise ScoringError(f"{run} has predicted regions only: * is not known there")
    values = {view.name: {item.number: item.values for item in view.items} for view in suites}
    if suite is not None:
        require_known("suite", suite, tuple(values))
        values = {suite: values[suite]}
    fitting = {
        name: items
        for name, items in values.items()
        if places <= {place for of_item in items.values() for place in of_item}
    }
    if not fitting:
        known = _places_known(values)
        raise ScoringError(f"{run} has no suite with the regions of {formula}{known}")
    if len(fitting) > 1:
        names = ", ".join(map(repr, fitting))
        raise ScoringError(f"{len(fitting)} suites have these regions, name one: {names}")
    ((name, items),) = fitting.items()
    margins = {
        number: margin(comparison.operator, sides_of(comparison, values))
        for number, values in items.items()
    }
    defined = [bits for bits in margins.values() if bits is not None and math.isfinite(bits)]
    size = effect_size(defined)
    return Contrast(name, unparse(comparison), kind_of(comparison), margins, size)


def _places_known(suites: Mapping[str, Mapping[int, RegionValues]]) -> str:
    """Name the conditions and regions, to end a message; "" unless there is exactly one suite."""
    if len(suites) != 1:
        return ""
    (items,) = suites.values()
    places = {place for values in items.values() for place in values}
    conditions = ", ".join(f"%{name}%" for name in sorted({name for name, _ in places}))
    regions = ", ".join(map(str, sorted({number for _, number in places if number is not None})))
    return f": it has the conditions {conditions} and the regions {regions}"


def _contrast_of(formula: str) -> Comparison:
    """A formula as a comparison; a sum is compared with 0."""
    if not isinstance(formula, str):  # as a notebook may pass
        raise ScoringError(f"a formula is a text, not {formula!r}")
    try:
        tree: Node = read_formula(formula).tree
    except FormulaSyntaxError as error:
        raise ScoringError(f"{formula!r} is not a formula: {error}") from error
    if not isinstance(tree, Comparison):
        tree = Comparison(">", tree, Number(0.0))
    inner = [*nodes_of(tree.left), *nodes_of(tree.right)]
    is_sum = not any(isinstance(part, Comparison | Logic) for part in inner)
    if not is_sum or kind_of(tree) == EQUALITY or not [*references(tree)]:
        raise ScoringError(
            f"{formula!r} is not a difference of regions, nor one compared by < or >"
        )
    return tree
