"""The proof of a suite: sentences and predictions before and after a conversion are the same.

The sentences of a suite in every format are read without its steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from evalmark.converters.proof.predictions import Comparing, refuse
from evalmark.converters.step import SuiteEdit, Supplied, as_list
from evalmark.converters.suites.edits import split_conjunctions
from evalmark.converters.tables.sheets import Sheets, value_of
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Condition, Region, is_spaced

#: Item, and one of its sentences.
Sentence = tuple[int, Condition]


def same_verdicts(
    source: Any, result: Any, supplied: Supplied, edits: Sequence[SuiteEdit]
) -> Counter[str]:
    """How many sentences are equal and predictions lost, and the numbers of their verdicts.

    Raises:
        ConversionError: A sentence, a metric or a verdict would be another.
    """
    names = {normalize("NFC", old): normalize("NFC", new) for old, new in supplied.renames.items()}
    entries, meta, before = _read(source)
    new_entries, new_meta, after = _read(result)
    count, spaces = sum(1 for _ in _parts(entries)), meta.get(NO_SPACE_BEFORE)
    if not names and entries == new_entries and spaces == new_meta.get(NO_SPACE_BEFORE):
        entries = new_entries = entries[:1]  # the rest need not be read
    old = _sentences(entries, spaces, names)
    new = _sentences(new_entries, new_meta.get(NO_SPACE_BEFORE), {})
    texts = [*_texts(new_entries)]
    if texts and texts != [one.sentence().text for _, one in old]:
        refuse("a sentence would be another, or missing")
    if not texts or new_entries[0] is not texts[0]:
        _require_sentences(old, new)
    has_formulas = any("formula" in one for one in after or ())
    _require_metric(meta, new_meta, supplied, has_formulas=has_formulas)
    if supplied.predictions is not None and not isinstance(source, dict):
        before = [{"formula": text} for text in supplied.predictions]
    if after is None or before is None:
        return Counter(sentences=count, lost=len(before or ()))
    # Those of the first item with a condition: ``*`` adds their values.
    regions = {one.name: [part.number for part in one.regions] for _, one in reversed(old)}
    item, are_split = old[0][0] if old else 0, split_conjunctions in edits
    comparing = Comparing(names, regions, item, are_split)
    return sum(comparing.numbers(before, after), Counter(sentences=count))


def _read(data: Any) -> tuple[list[Any], Mapping[str, Any], list[Any] | None]:
    """The items, rows or sentences of a suite in any format, its meta, and its predictions.

    These are objects; None if the format has none.
    """
    if isinstance(data, Sheets):
        meta = {row["key"]: value_of(row["value"]) for row in data.meta or ()}
        return data.items, meta, data.predictions and [*data.predictions]
    if isinstance(data, dict) and "items" in data:
        meta = {"metric": None, **data["meta"]}
        return data["items"], meta, data.get("predictions") or meta.get("string_predictions") or []
    entries = as_list(data)
    row = entries[0] if entries and isinstance(entries[0], dict) else {}
    stated = row.get("predictions")
    return entries, {}, None if stated is None else [{"formula": text} for text in stated]


def _sentences(entries: Iterable[Any], unspaced: Any, names: Mapping[str, str]) -> list[Sentence]:
    """Sentences, whose conditions are called as in the result."""
    sentences = []
    for item, stated, parts in _parts(entries):
        name = normalize("NFC", stated)
        regions = tuple(
            Region(number, content, is_spaced(number, unspaced)) for number, content in parts
        )
        sentences.append((int(item), Condition(names.get(name, name), regions)))
    return sentences


def _parts(entries: Iterable[Any]) -> Iterator[tuple[Any, str, Iterable[tuple[int, str]]]]:
    """The item, condition and regions of each sentence, in a list of them or in columns."""
    long: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for entry in entries:
        if isinstance(entry, str):  # it has no regions
            yield 0, "", ()
        elif isinstance(conditions := entry.get("conditions"), list):
            for one in conditions:
                regions = ((int(r["region_number"]), r["content"]) for r in one["regions"])
                yield entry["item_number"], one["condition_name"], regions
        elif conditions:
            names = conditions["condition_name"]
            for name, columns in zip(names, conditions["regions"], strict=True):
                both = zip(columns["region_number"], columns["content"], strict=True)
                yield entry["item_number"], name, both
        elif "region_number" in entry:
            name = normalize("NFC", entry["condition_name"])
            parts = long.setdefault((entry["item_number"], name), [])
            parts.append((int(entry["region_number"]), entry["content"]))
        else:
            number, name, *texts = entry.values()
            yield number, name.strip(), enumerate(texts, 1)
    for (number, name), parts in long.items():
        yield number, name, sorted(parts)


def _texts(entries: Iterable[Any]) -> Iterator[str]:
    """The sentences that are stated as a whole."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(conditions := entry.get("conditions"), dict):
            yield from conditions["content"]


def _require_sentences(old: list[Sentence], new: list[Sentence]) -> None:
    """Refuse other sentences and other regions than those before."""
    if len(old) != len(new):
        refuse(f"the source has {len(old)} sentences, and the result would have {len(new)}")
    for before, after in zip(old, new, strict=True):
        if before != after:
            shown = [
                " | ".join(f"{r.number}: {r.content}" for r in condition.regions)
                for _, condition in (before, after)
            ]
            refuse(f"a sentence of item {before[0]} would be another: {' becomes '.join(shown)}")


def _require_metric(
    old: Mapping[str, Any], new: Mapping[str, Any], supplied: Supplied, *, has_formulas: bool
) -> None:
    """Refuse another metric: it is the stated one, or that of several which the caller chooses.

    Only a suite without formulas, which is a legacy one, may keep several.
    """
    stated, metric = old.get("metric"), new.get("metric")
    is_one = not supplied.metric or (isinstance(stated, str) and stated != "all")
    chosen = next(iter(as_list(stated or "sum"))) if is_one else supplied.metric
    may_stay = bool(old) and (is_one or not has_formulas)
    if new and metric != chosen and not (may_stay and metric == stated):
        refuse(f"the metric is {stated or 'not stated'}, and would be {metric}")
