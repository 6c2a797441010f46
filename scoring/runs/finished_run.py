"""The folder of a finished run as data frames, for notebooks, and contrasts of its regions."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError, ScoringError, require
from evalmark.scoring.pairs.pair_results import IMPOSSIBLE
from evalmark.scoring.runs.run_files import any_scores_of, is_of_pairs, reading_folder, region_rows
from evalmark.scoring.runs.run_tables import (
    CONTEST_COLUMNS,
    EFFECT_COLUMNS,
    EFFECTS,
    PAIR_COLUMNS,
    PAIR_TOKEN_COLUMNS,
    PAIRS,
    REGION_COLUMNS,
    REGIONS,
    TOKEN_COLUMNS,
    TOKENS,
    Columns,
    OptionalInt,
    table_rows,
)
from evalmark.scoring.score_settings import require_known
from evalmark.scoring.suites.effects import (
    EQUALITY,
    comparisons,
    kind_of,
    margin,
    sides_of,
    tree_of,
)
from evalmark.scoring.suites.predictions import RegionValues
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.stats.proportions import wilson_interval
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    read,
    references,
    unparse,
    walk,
)
from evalmark.validator.io.escaping import html_table, text_table

#: The libraries of frames, in the order of preference.
FRAMES = ("pandas", "pyarrow")
#: Column -> its type, for each frame.
_ITEMS: dict[str, type] = {
    "model": str, "suite": str, "metric": str, "item": int, "prediction": str, "holds": bool,
    "tie": bool,
}  # fmt: skip
_PREDICTIONS: dict[str, type] = {
    "model": str, "suite": str, "metric": str, "prediction": str, "formula": str, "items": int,
    "correct": int, "accuracy": float, "lower": float, "upper": float, "chance": float, "ties": int,
}  # fmt: skip
_UIDS: dict[str, type] = {
    "model": str, "set": str, "uid": str, "method": str, "items": int, "score": float,
    "lower": float, "upper": float, "chance": float, "ties": int, "impossible": int,
}  # fmt: skip
_SIZES: dict[str, type] = {
    "items": int, "mean": float, "lower": float, "upper": float, "t": float, "p_t": float,
    "p_sign_flip": float,
}  # fmt: skip
_EFFECT_SIZES: dict[str, type] = {
    "suite": str, "prediction": str, "comparison": int, "formula": str, "kind": str, **_SIZES,
}  # fmt: skip
_UID_SIZES: dict[str, type] = {"set": str, "uid": str, **_SIZES}
#: Type -> its name in pandas and pyarrow.
_TYPES = {
    str: ("object", "string"),
    int: ("int64", "int64"),
    OptionalInt: ("Int64", "int64"),
    float: ("float64", "float64"),
    bool: ("bool", "bool_"),
}

#: Types whose values can be missing.
_MISSING = (float, OptionalInt)

_Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Contrast:
    """A contrast of regions in the items of a suite.

    Attributes:
        suite: The name of the suite.
        formula: The comparison whose margin is the contrast.
        kind: ``interaction`` for the interaction of a 2 × 2 design, else ``difference``.
        margins: Number of the item -> the contrast in bits; None if a value is undefined.
        size: The mean over items (bits) with its interval and tests; None without a defined margin.
    """

    suite: str
    formula: str
    kind: str
    margins: Mapping[int, float | None]
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
    """The results of a run, from its folder.

    Attributes:
        folder: The folder.
        data: ``scores.json``.
        frame: The library of frames: ``pandas`` or ``pyarrow``.
    """

    folder: Path
    data: Mapping[str, Any]
    frame: str

    def to_frame(self) -> Any:
        """The scores as a frame of pandas: ``predictions``, or of minimal pairs ``uids``.

        Raises:
            ScoringError: pandas is not installed.
        """
        run = replace(self, frame=_chosen("pandas"))
        return run.uids if self.is_of_pairs else run.predictions

    @cached_property
    def predictions(self) -> Any:
        """A row for each prediction of each suite, and for all predictions of a suite (``all``).

        ``lower`` and ``upper`` are the 95 % interval of the accuracy.
        """
        return frame_of(self.frame, _PREDICTIONS, _prediction_rows(self.data))

    @cached_property
    def items(self) -> Any:
        """A row for each item and prediction, with ``all`` as well: whether it holds.

        ``tie`` says that rounding decides it.
        """
        return frame_of(self.frame, _ITEMS, _item_rows(self.data))

    @cached_property
    def regions(self) -> Any:
        """A row for each region of each sentence that was computed: ``regions.csv``, in bits."""
        return self._table(REGIONS, REGION_COLUMNS)

    @cached_property
    def tokens(self) -> Any:
        """A row for each token of each sentence, or of each text: ``tokens.csv``, in bits.

        Raises:
            ScoringError: The run has none: only the values of regions were recorded, or minimal
                pairs were scored without their tokens.
        """
        columns = PAIR_TOKEN_COLUMNS if self.is_of_pairs else TOKEN_COLUMNS
        return self._table(TOKENS, columns)

    @cached_property
    def effects(self) -> Any:
        """A row for each comparison of each prediction and item: ``effects.csv``, in bits.

        Of minimal pairs, a row for each contest: the surprisals of both texts, and their
        difference.
        """
        columns = CONTEST_COLUMNS if self.is_of_pairs else EFFECT_COLUMNS
        return self._table(EFFECTS, columns)

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
        if self.is_of_pairs:
            pairs = _typed_rows(self.folder / EFFECTS, CONTEST_COLUMNS)
            return frame_of(self.frame, _UID_SIZES, _uid_size_rows(pairs, self.data))
        rows = _size_rows(_typed_rows(self.folder / EFFECTS, EFFECT_COLUMNS), self.data)
        return frame_of(self.frame, _EFFECT_SIZES, rows)

    @cached_property
    def uids(self) -> Any:
        """For minimal pairs, a row for each UID: its accuracy, or its correlation, as ``score``."""
        return frame_of(self.frame, _UIDS, _uid_rows(self.data))

    @cached_property
    def pairs(self) -> Any:
        """For minimal pairs, a row for each text of each contest: ``pairs.csv``, in bits."""
        return self._table(PAIRS, PAIR_COLUMNS)

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
        is_whole = self.data.get("settings", {}).get("regions") != "predicted"
        return contrast_in(self.folder, formula, suite, is_whole=is_whole)

    def _table(self, name: str, columns: Columns) -> Any:
        return frame_of(self.frame, columns, _typed_rows(self.folder / name, columns))

    @property
    def is_of_pairs(self) -> bool:
        """True for a run over minimal pairs."""
        return is_of_pairs(self.data)

    def __repr__(self) -> str:
        key, name = ("uids", "UID") if self.is_of_pairs else ("suites", "suite")
        count, model = len(self.data[key]), self.data["model"]["id"]
        return f"<run of {str(model)!r} in {str(self.folder)!r}: {count} {name}{'s'[: count != 1]}>"

    def __str__(self) -> str:
        """The table of accuracies."""
        return text_table(*self._shown)

    def _repr_html_(self) -> str:
        """A table of accuracies, for notebooks."""
        return html_table(*self._shown)

    @property
    def _shown(self) -> tuple[str, Sequence[str], list[Sequence[object]]]:
        """The title, the headers and the rows of a table of accuracies."""
        title = f"Scores of {self.data['model']['id']}"
        cells: list[Sequence[object]]
        if self.is_of_pairs:
            cells = [
                (uid, method, items, "" if score is None else f"{score:.3f}", f"{chance:.3f}")
                for _, _, uid, method, items, score, _, _, chance, *_ in _uid_rows(self.data)
            ]
            names = ("UID", "method", "pairs", "score", "chance")
            return title, names, cells
        cells = [
            (suite, prediction, items, correct, f"{share:.3f}", f"{lower:.2f} to {upper:.2f}",
             f"{chance:.3f}")
            for _, suite, _, prediction, _, items, correct, share, lower, upper, chance, _
            in _prediction_rows(self.data)
        ]  # fmt: skip
        headers = (
            "suite", "prediction", "items", "correct", "accuracy", "95 % interval", "chance",
        )  # fmt: skip
        return title, headers, cells


def read_run(folder: str | Path, *, frame: str | None = None) -> FinishedRun:
    """Read the folder that a run was written to.

    Args:
        folder: The folder, which has ``scores.json``, and ``regions.csv`` or ``pairs.csv``.
        frame: The library of its frames: ``pandas``, or ``pyarrow`` (tables, which polars reads).
            By default the first that is installed; without any, a frame is an error.

    Raises:
        ScoringError: It is not the folder of a run, or ``frame`` is not installed.
        UnknownNameError: ``frame`` is none of these.
        OSError: A file cannot be read.
    """
    path = Path(folder)
    chosen = _chosen(frame)
    with reading_folder(path):
        data = any_scores_of(path)
        uids = _uid_rows(data) if is_of_pairs(data) else iter(())
        for rows in (_prediction_rows(data), _item_rows(data), uids):
            list(rows)  # all that the frames need is there
    return FinishedRun(path, data, chosen)


def _chosen(frame: str | None) -> str:
    if frame is None:
        return next(filter(find_spec, FRAMES), FRAMES[-1])
    require_known("frame", frame, FRAMES)
    if not find_spec(frame):
        raise ScoringError(f"{frame} is not installed: pip install {frame}")
    return frame


def _suites(data: Mapping[str, Any]) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    """Each suite with the model, its unique name and its metric."""
    model = str(data["model"]["id"])
    for suite in data["suites"]:
        yield [model, str(suite["label"]), str(suite["metric"])], suite


def _prediction_rows(data: Mapping[str, Any]) -> Iterator[_Row]:
    for named, suite in _suites(data):
        for label, prediction in _columns(suite):
            correct, items = prediction["correct"], prediction["items"]
            share = correct / items
            yield (
                *named, label, prediction.get("formula", ""), items, correct, share,
                *wilson_interval(share, items), prediction["chance"], len(prediction["ties"]),
            )  # fmt: skip


def _item_rows(data: Mapping[str, Any]) -> Iterator[_Row]:
    for named, suite in _suites(data):
        for label, prediction in _columns(suite):
            tied = set(prediction["ties"])
            rows = zip(suite["item_numbers"], prediction["outcomes"], strict=True)
            for number, holds in rows:
                yield *named, number, label, holds, number in tied


def _uid_rows(data: Mapping[str, Any]) -> Iterator[_Row]:
    model = str(data["model"]["id"])
    for uid in data.get("uids", ()):
        low, high = uid["interval"] or (None, None)
        score = uid["correlation"] if "correlation" in uid else uid["accuracy"]
        yield (
            model, uid["set"], uid["label"], uid["method"], uid["items"], score, low, high,
            uid.get("chance", 0.0), len(uid.get("ties", ())), len(uid.get("impossible", ())),
        )  # fmt: skip


def _size_rows(effects: Iterator[_Row], data: Mapping[str, Any]) -> Iterator[_Row]:
    trees = {
        (named[1], label): tree_of(str(prediction.get("formula", "")))
        for named, suite in _suites(data)
        for label, prediction in _columns(suite)
    }
    margins: dict[tuple[str, str, int], list[float]] = {}
    for suite, prediction, comparison, *_, bits in effects:
        of_comparison = margins.setdefault((suite, prediction, comparison), [])
        of_comparison += [] if bits is None else [bits]
    for (suite, label, place), values in margins.items():
        tree = trees.get((suite, label))
        parts = [] if tree is None else comparisons(tree)
        formula, kind = "", ""
        if place <= len(parts):
            formula, kind = unparse(parts[place - 1]), kind_of(parts[place - 1])
        size = effect_size(values, is_directed=kind != EQUALITY)
        yield suite, label, place, formula, kind, *_size_cells(size)


def _uid_size_rows(contests: Iterator[_Row], data: Mapping[str, Any]) -> Iterator[_Row]:
    directed = {uid["label"] for uid in data["uids"] if "correlation" not in uid}
    place = {name: number for number, name in enumerate(CONTEST_COLUMNS)}
    differences: dict[tuple[str, str], list[float]] = {}
    for row in contests:
        if row[place["uid"]] in directed and row[place["outcome"]] != IMPOSSIBLE:
            bits = row[place["difference"]]
            of_uid = differences.setdefault((row[place["set"]], row[place["uid"]]), [])
            of_uid += [] if bits is None else [bits]
    for (of, uid), values in differences.items():
        yield of, uid, *_size_cells(effect_size(values))


def _size_cells(size: EffectSize | None) -> _Row:
    if size is None:
        return 0, *[None] * 6
    low, high = size.interval or (None, None)
    flipped = None if size.sign_flip is None else size.sign_flip.value
    return size.items, size.mean, low, high, size.t, size.t_test, flipped


def _columns(suite: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The predictions of a suite, and the conjunction of all, if there are any."""
    predictions = suite["predictions"]
    for number, prediction in enumerate(predictions, 1):
        yield str(number), prediction
    if predictions:
        whole = [all(row) for row in zip(*(p["outcomes"] for p in predictions), strict=True)]
        ties = sorted({tie for prediction in predictions for tie in prediction["ties"]})
        yield "all", {**suite["conjunction"], "outcomes": whole, "ties": ties}


def _typed_rows(path: Path, types: Mapping[str, type]) -> Iterator[_Row]:
    try:
        for row in table_rows(path):
            yield [
                None if kind in _MISSING and not row[name] else kind(row[name])
                for name, kind in types.items()
            ]
    except FileNotFoundError as error:
        cure = "; the option `also` of `score` writes it" if path.name == TOKENS else ""
        raise ScoringError(f"{path} is missing: the run has no {path.stem}{cure}") from error
    except (ValueError, LookupError, TypeError, csv.Error) as error:
        raise ScoringError(f"{path} is not the table of a run: {error!r}") from error


def frame_of(name: str, types: Mapping[str, type], rows: Iterator[_Row]) -> Any:
    """A frame of some rows with columns of these types, also where there are no rows."""
    cells = list(rows)
    columns = {column: [row[place] for row in cells] for place, column in enumerate(types)}
    kinds = {column: _TYPES[kind][FRAMES.index(name)] for column, kind in types.items()}
    if not find_spec(name):
        require(name)
    module: Any = import_module(name)
    if name == "pandas":
        return module.DataFrame(columns).astype(kinds)
    fields = {column: getattr(module, kind) for column, kind in kinds.items()}
    return module.table(columns, schema=module.schema([(c, kind()) for c, kind in fields.items()]))


def contrast_in(folder: Path, formula: str, suite: str | None, *, is_whole: bool) -> Contrast:
    """The contrast of a formula in a run; see ``FinishedRun.contrast``.

    ``is_whole`` says that all regions were computed, so that ``*`` is known.
    """
    comparison = _contrast_of(formula)
    places = {(part.condition, part.region) for part in references(comparison)}
    if not is_whole and any(region is None for _, region in places):
        raise ScoringError(f"{folder} has predicted regions only: * is not known there")
    suites = _region_values(folder)
    if suite is not None:
        require_known("suite", suite, tuple(suites))
        suites = {suite: suites[suite]}
    fitting = {
        name: items
        for name, items in suites.items()
        if places <= {place for of in items.values() for place in of}
    }
    if not fitting:
        raise ScoringError(
            f"{folder} has no suite with the regions of {formula}{_places_known(suites)}"
        )
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
    """The conditions and regions of a suite in words, if there is one suite."""
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
        tree: Node = read(formula).tree
    except FormulaSyntaxError as error:
        raise ScoringError(f"{formula!r} is not a formula: {error}") from error
    if not isinstance(tree, Comparison):
        tree = Comparison(">", tree, Number(0.0))
    inner = [*walk(tree.left), *walk(tree.right)]
    is_sum = not any(isinstance(part, Comparison | Logic) for part in inner)
    if not is_sum or kind_of(tree) == EQUALITY or not [*references(tree)]:
        raise ScoringError(
            f"{formula!r} is not a difference of regions, nor one compared by < or >"
        )
    return tree


def _region_values(folder: Path) -> dict[str, dict[int, RegionValues]]:
    """Suite -> item -> condition and region -> bits; the sum of all regions is under None."""
    values: dict[str, dict[int, dict[tuple[str, int | None], float | None]]] = {}
    with reading_folder(folder):
        for row in region_rows(folder):
            item = values.setdefault(row["suite"], {}).setdefault(int(row["item"]), {})
            bits = float(row["value"]) if row["value"] else None
            item[row["condition"], int(row["region"])] = bits
    for items in values.values():
        for item in items.values():
            for name in {condition for condition, _ in item}:
                parts = [bits for (of, _), bits in item.items() if of == name]
                whole = [bits for bits in parts if bits is not None]
                item[name, None] = math.fsum(whole) if len(whole) == len(parts) else None
    return {name: dict(items) for name, items in values.items()}
