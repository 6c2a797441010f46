"""What a conversion may need and a file does not state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from evalmark.converters.overrides.defaults import NO_DEFAULTS
from evalmark.converters.overrides.table_keys import generalized
from evalmark.validator.reading.pair_columns import NO_TABLES, PairTables

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Defaults
    from evalmark.converters.overrides.table_mapping import TableMapping
    from evalmark.schemas.errors import ConversionError
    from evalmark.validator.checker import Checker


@dataclass(frozen=True, slots=True)
class Question:
    """A value that a conversion needs, and that neither the file nor the caller states.

    Attributes:
        pointer: Where it belongs, with the index of each result.
        otherwise: What is written if nobody knows it; None if the conversion is then refused.
    """

    pointer: str
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Supplied:
    """Values that a conversion may need and the file does not state.

    Attributes:
        metric: Which of several metrics a suite keeps, or that of a suite without one.
        renames: Old condition name -> new one.
        name: Name of a suite whose format has none, such as a table.
        predictions: Formulas of a suite whose format has none; None if nothing is supplied.
        predictions_of: Name of a suite -> its formulas, and its metric if that is known.
        unusable: Files of predictions that cannot be used, and why.
        values: Pointer within a record (``*`` is any index) -> value that the record lacks.
            ``@name`` takes the value of a sibling.
        defaults: Values by collection, model, metric and file; ``values`` come before them.
        mapping: What the columns of a table of scores are.
        columns: Name or number of a column of any table -> what it is; else its name says it.
        checker: The settings of a folder: files are checked under them, and they say the columns of
            tables of minimal pairs, and the version of new records.
        ask: Called with each value that is missing. The conversion continues without it, to find
            the others, and its result is of no use.
        used: What files took of it: names of these attributes, and pointers of ``values``.
    """

    metric: str | None = None
    renames: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    predictions: tuple[str, ...] | None = None
    predictions_of: Mapping[str, tuple[tuple[str, ...], str | None]] = field(default_factory=dict)
    unusable: Mapping[str, ConversionError] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    defaults: Defaults = NO_DEFAULTS
    mapping: TableMapping | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    checker: Checker | None = None
    ask: Callable[[Question], None] | None = None
    used: set[str] = field(default_factory=set, compare=False)

    @property
    def pairs(self) -> PairTables:
        """The declared columns of tables of minimal pairs."""
        return self.checker.context.pairs if self.checker else NO_TABLES

    def about(self, record: dict[str, Any], path: str) -> Supplied:
        """The same with the values for one record, by pointer."""
        defaults = self.defaults.values_for(record, path)
        kept = {p: v for p, v in defaults.items() if generalized(p) not in self.values}
        return replace(self, values={**kept, **self.values})

    def use(self, *names: str) -> None:
        """Note that a file takes attributes, if they are supplied."""
        self.used.update(name for name in names if getattr(self, name) is not None)

    def for_suite(self, name: str | None) -> Supplied:
        """The same with the name of a suite that states none, and the predictions of that name."""
        name = self.name or name
        predictions = self.predictions_of.get(name or "")
        if predictions is None:
            return replace(self, name=name)
        formulas, metric = predictions
        return replace(self, name=name, predictions=formulas, metric=self.metric or metric)

    def value(self, pointer: str, *, takes: bool = True) -> Any:
        """The value supplied for a pointer, whose indices may be ``*``; None if there is none."""
        for place in (pointer, generalized(pointer)):
            if self.values.get(place) is not None:
                self.used.update([place] if takes else [])
                return self.values[place]
        return None


#: Nothing is supplied.
NOTHING = Supplied()
