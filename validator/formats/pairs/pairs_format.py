"""Minimal pairs: how their files are recognized."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from evalmark.validator.format import Format, LightFormat
from evalmark.validator.formats.pairs.pair_sets import SETS
from evalmark.validator.options.pair_columns import PRESETS, preset_of


class PairsFormat(LightFormat):
    """Files of minimal pairs: JSON lines, a JSON list, one object, or a table."""

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.validator.formats.pairs.pair_checks import PairsChecks

        return PairsChecks

    def holds(self, data: dict[str, Any]) -> bool:
        """True if a row is of a known set of pairs, or of a preset."""
        return any(s.holds(data) for s in SETS.values()) or preset_of(data) is not None

    def recognizes_columns(self, header: Collection[str]) -> bool:
        """True if a table has the columns of a set."""
        return any(signs.issubset(header) for signs in self.signs)

    def nearly_recognizes_columns(self, header: Collection[str]) -> bool:
        """True if the columns of a table are nearly those of a set."""
        from evalmark.validator.formats.pairs.nearest_keys import nearest

        near = nearest(header)
        return near is not None and not near.missing


#: The presets whose columns are the keys of objects too: no header lists them as numbers.
IN_OBJECTS = tuple(
    preset for preset in PRESETS.values() if preset.has_header and not preset.is_long
)

PAIRS = PairsFormat(
    "pairs",
    "an object with two texts, such as `sentence_good` and `sentence_bad`; one per line in "
    ".jsonl, in a list, or in the rows of a .csv or .tsv file",
    "MP",
    (
        *(pairs.signs for pairs in SETS.values()),
        *(frozenset(preset.needed) for preset in IN_OBJECTS),
    ),
    has_rows=True,
    has_tables=True,
    in_lists=True,
)
