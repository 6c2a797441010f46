"""The sentences of a suite in every format, read without its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.converters.proof.old_languages import Place, key_of
from evalmark.converters.step import as_list
from evalmark.converters.tables.sheets import Sheets, value_of
from evalmark.validator.formats.suites.suite import (
    NO_SPACE_BEFORE,
    Condition,
    Region,
    is_spaced,
    suite_of,
)

#: Item, and one of its sentences.
Sentence = tuple[int, Condition]


def sentences_of(data: Any, place: Place | None = None) -> list[Sentence]:
    """The sentences of a suite, of dataset rows, or of a long or wide table.

    Regions and conditions are called as in the result, if it calls them otherwise.
    """
    if isinstance(data, dict) and "items" in data:
        meta = {"name": "", "metric": "", **data["meta"]}
        items = suite_of({**data, "predictions": [], "meta": meta}).items
        sentences = [(item.number, one) for item in items for one in item.conditions]
    else:
        rows = data.items if isinstance(data, Sheets) else as_list(data)
        sentences = list(_in_rows(rows, meta_of(data).get(NO_SPACE_BEFORE)))
    if place is None:
        return sentences
    return [(item, _placed(sentence, place)) for item, sentence in sentences]


def _placed(sentence: Condition, place: Place) -> Condition:
    name = place(key_of("*", sentence.name))[1]
    numbers = (place((region.number, sentence.name))[0] for region in sentence.regions)
    parts = (r._replace(number=int(n)) for r, n in zip(sentence.regions, numbers, strict=True))
    return Condition(name, tuple(parts))


def meta_of(data: Any) -> Mapping[str, Any]:
    """What a suite, or the tables of one, say of it as a whole."""
    if isinstance(data, Sheets):
        return {row["key"]: value_of(row["value"]) for row in data.meta or ()}
    return data.get("meta", {}) if isinstance(data, dict) else {}


def _in_rows(rows: list[Any], unspaced: object) -> Iterator[Sentence]:
    """The sentences of dataset rows, of a long or of a wide table."""
    groups: dict[tuple[str, str], list[Region]] = {}
    for row in rows:
        if "conditions" in row:
            columns = row["conditions"]
            for name, lists in zip(columns["condition_name"], columns["regions"], strict=True):
                both = zip(lists["region_number"], lists["content"], strict=True)
                groups[row["item_number"], name] = [Region(*part) for part in both]
        elif "region_number" in row:
            name = key_of("*", row["condition_name"])[1]  # in any normal form
            parts = groups.setdefault((row["item_number"], name), [])
            parts.append(Region(int(row["region_number"]), row["content"]))
            parts.sort()
        else:
            number, name, *texts = row.values()
            groups[number, name] = [Region(*part) for part in enumerate(texts, 1)]
    for (item, name), read in groups.items():
        regions = [one._replace(is_spaced=is_spaced(one.number, unspaced)) for one in read]
        yield int(item), Condition(key_of("*", name)[1], tuple(regions))
