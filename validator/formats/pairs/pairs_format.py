"""Minimal pairs: how their files are recognized."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from evalmark.validator.format import Checks, Format
from evalmark.validator.formats.pairs.pair_sets import SETS
from evalmark.validator.reading.pair_columns import PRESETS, preset_of


def _checks(form: Format) -> Checks:
    from evalmark.validator.formats.pairs.pair_rows import PairsChecks

    return PairsChecks(form)


def _is_of_set_or_preset(row: dict[str, Any]) -> bool:
    return any(s.values_match(row) for s in SETS.values()) or preset_of(row) is not None


def _has_columns_of_set(header: Collection[str]) -> bool:
    return any(keys.issubset(header) for keys in PAIRS.keys)


def _nearly_has_columns_of_set(header: Collection[str]) -> bool:
    from evalmark.validator.formats.pairs.nearest_keys import nearest

    near = nearest(header)
    return near is not None and not near.missing


#: The presets whose columns are the keys of objects too: no header lists them as numbers.
IN_OBJECTS = tuple(
    preset for preset in PRESETS.values() if preset.has_header and not preset.is_long
)

PAIRS = Format(
    "pairs",
    "an object with two texts, such as `sentence_good` and `sentence_bad`; one per line in "
    ".jsonl, in a list, or in the rows of a .csv or .tsv file",
    "MP",
    (
        *(pairs.signs for pairs in SETS.values()),
        *(frozenset(preset.needed) for preset in IN_OBJECTS),
    ),
    _checks,
    values_match=_is_of_set_or_preset,
    columns_match=_has_columns_of_set,
    columns_nearly_match=_nearly_has_columns_of_set,
    has_rows=True,
    has_tables=True,
    in_lists=True,
)
