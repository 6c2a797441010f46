"""Minimal pairs of one set with the keys of another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from evalmark.converters.formats import PLAIN_SETS
from evalmark.converters.step import Data, Step, Stepped, Supplied
from evalmark.converters.steps.pair_rows import suite_to_pairs
from evalmark.converters.steps.pair_suites import pair_items, pairs_to_suite
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.pairs.pair_sets import SETS, PairSet


def to_set(data: Data, _: Supplied, *, target: str) -> Stepped:
    """The same rows with the keys of another set; keys that it does not have stay as they are."""
    items = pair_items(data, "")
    source = items[0].set
    if source.name == target:
        return Stepped(data)
    if source.name not in PLAIN_SETS:
        why = "correlates scores with ratios" if source.ratio else "compares texts after a context"
        raise ConversionError(
            f"{source.title} {why}, which the keys of {SETS[target].title} cannot say"
        )
    renames = _renames(source, SETS[target])
    rows = []
    for item in items:
        row = {renames.get(key, key): value for key, value in item.data.items()}
        if len(row) != len(item.data):
            both = next((old, new) for old, new in renames.items() if {old, new} <= {*item.data})
            raise ConversionError(
                f"row {item.number + 1} has both {both[0]} and {both[1]}, and {both[0]} "
                f"would become {both[1]}"
            )
        rows.append(row)
    return Stepped(rows, tuple(_notes(source, SETS[target], items[0].data)))


def _renames(source: PairSet, target: PairSet) -> dict[str, str]:
    """Key -> what the other set calls it: its first key for it, so that the way back is exact."""
    found = {}
    for old, new in zip(source.whole[0][1], target.whole[0][1], strict=True):
        found[old.text] = new.text
    groups = [(keys, target.labels.get(label, ())) for label, keys in source.labels.items()]
    for keys, others in (*groups, (source.identity, target.identity)):
        for key in keys:
            if others and (key == keys[0] or key not in others):
                found[key] = others[0]
    return found


def _notes(source: PairSet, target: PairSet, row: Mapping[str, Any]) -> list[str]:
    kept = [
        key
        for label, keys in source.labels.items()
        if label not in target.labels
        for key in keys
        if key in row
    ]
    return [f"{target.title} has no key for {', '.join(kept)}: kept as they are"] if kept else []


PAIR_STEPS = (
    Step("pairs", "suite", pairs_to_suite),
    Step("suite", "pairs", suite_to_pairs, loses="regions, meta; nothing if it was made of pairs"),
    *(Step("pairs", f"pairs-{name}", partial(to_set, target=name)) for name in PLAIN_SETS),
)
