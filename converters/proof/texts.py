"""The sentences of a suite in every format, read without its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evalmark.converters.proof.old_languages import Place, key_of
from evalmark.converters.step import as_list
from evalmark.converters.tables.sheets import Sheets, value_of
from evalmark.validator.formats.suites.suite import (
    NO_SPACE_BEFORE,
    Condition,
    Region,
    is_spaced,
)

#: Item, and one of its sentences.
Sentence = tuple[int, Condition]


def sentences_of(data: Any, place: Place | None = None) -> list[Sentence]:
    """The sentences of a suite, of dataset rows, or of a long or wide table.

    Regions and conditions are called as in the result, if it calls them otherwise.
    """
    unspaced, sentences = meta_of(data).get(NO_SPACE_BEFORE), []
    for item, stated, parts in _parts(data):
        name = key_of("*", stated)[1]
        regions = []
        for number, content in parts:
            key = (int(number), name)
            called = int(place(key)[0]) if place else key[0]
            regions.append(Region(called, content, is_spaced(key[0], unspaced)))
        name = place(("*", name))[1] if place else name
        sentences.append((int(item), Condition(name, tuple(regions))))
    return sentences


def meta_of(data: Any) -> Mapping[str, Any]:
    """What a suite, or the tables of one, say of it as a whole."""
    if isinstance(data, Sheets):
        return {row["key"]: value_of(row["value"]) for row in data.meta or ()}
    return data.get("meta", {}) if isinstance(data, dict) else {}


def _parts(data: Any) -> Iterator[tuple[Any, str, Iterable[tuple[Any, str]]]]:
    """The item, condition and regions of each sentence."""
    if isinstance(data, dict) and "items" in data:
        for item in data["items"]:
            for condition in item["conditions"]:
                regions = ((r["region_number"], r["content"]) for r in condition["regions"])
                yield item["item_number"], condition["condition_name"], regions
        return
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    rows: list[Any] = data.items if isinstance(data, Sheets) else as_list(data)
    for row in rows:
        if "conditions" in row:
            columns = row["conditions"]
            for name, lists in zip(columns["condition_name"], columns["regions"], strict=True):
                both = zip(lists["region_number"], lists["content"], strict=True)
                yield row["item_number"], name, both
        elif "region_number" in row:
            name = key_of("*", row["condition_name"])[1]  # in any normal form
            parts = groups.setdefault((row["item_number"], name), [])
            parts.append((int(row["region_number"]), row["content"]))
        else:
            number, name, *texts = row.values()
            yield number, name, enumerate(texts, 1)
    for (number, name), parts in groups.items():
        yield number, name, sorted(parts)
