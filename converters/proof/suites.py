"""The proof of a suite: sentences and predictions before and after a conversion are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NoReturn
from unicodedata import normalize

from evalmark.converters.proof.draws import Regions
from evalmark.converters.proof.old_languages import Key, Place
from evalmark.converters.proof.predictions import Comparing
from evalmark.converters.proof.texts import Sentence, meta_of, sentences_of
from evalmark.converters.step import SuiteEdit, Supplied
from evalmark.converters.suites.edits import split_conjunctions
from evalmark.converters.tables.sheets import Sheets
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError


def place_of(renames: Mapping[str, str], asked: Sequence[Mapping[str, Any]]) -> Place | None:
    """What regions and conditions of a source are called in the result, as the caller wants it.

    ``asked`` is what each edit is for: other ``numbers`` for regions, or a new one with a
    ``number``. None if nothing is called otherwise.
    """
    names = {normalize("NFC", old): normalize("NFC", new) for old, new in renames.items()}

    def place(key: Key) -> Key:
        number, condition = key
        for words in asked if isinstance(number, int) else ():
            number = words.get("numbers", {}).get(number, number)
            number += number >= words.get("number", number + 1)
        return number, names.get(condition, condition)

    return place if names or asked else None


def same_verdicts(
    source: Any, result: Any, supplied: Supplied, edits: Sequence[SuiteEdit]
) -> Counter[str]:
    """How many sentences are equal and predictions lost, and the numbers of their verdicts.

    Raises:
        ConversionError: A sentence, a metric or a verdict would be another.
    """
    asked = [edit.keywords for edit in edits if isinstance(edit, partial)]
    place = place_of(supplied.renames, asked)
    before, after = predictions_in(source), predictions_in(result)
    if place is None and _have_same_items(source, result):
        count = sum(len(item["conditions"]) for item in source["items"])
        old = new = sentences_of({**source, "items": source["items"][:1]})
    else:
        old, new = sentences_of(source, place), []
        count = len(old)
        if isinstance(result, list) and result and isinstance(result[0], str):
            if [one.sentence().text for _, one in old] != result:
                refuse("a sentence would be another, or missing")
        else:
            new = sentences_of(result)
            _require_sentences(old, new, sum("number" in words for words in asked))
    _require_metric(meta_of(source), meta_of(result), supplied)
    if supplied.predictions is not None and not isinstance(source, dict):
        before = [{"formula": text} for text in supplied.predictions]
    if after is None or before is None:
        return Counter(sentences=count, lost=len(before or ()))
    there = old if meta_of(result).get("metric") == "sum" else new  # an empty region adds nothing
    item, are_split = old[0][0] if old else 0, split_conjunctions in edits
    comparing = Comparing(place, _regions(old), _regions(there), item, are_split)
    return sum(comparing.numbers(before, after), Counter(sentences=count))


def predictions_in(data: Any) -> list[Any] | None:
    """The predictions of a suite in any format, as objects; None if the format has none."""
    if isinstance(data, Sheets):
        return data.predictions and [*data.predictions]
    if isinstance(data, dict) and "items" in data:
        return data.get("predictions") or data["meta"].get("string_predictions") or []
    first = next(iter(data), None) if isinstance(data, list) else data
    stated = first.get("predictions") if isinstance(first, dict) else None
    return [{"formula": text} for text in stated] if isinstance(stated, list) else None


def _have_same_items(source: Any, result: Any) -> bool:
    """True if two suites have the same regions, which are joined in the same way."""
    if not (isinstance(source, dict) and isinstance(result, dict)):
        return False
    joined = [data.get("meta", {}).get("no_space_before") for data in (source, result)]
    return joined[0] == joined[1] and bool(source.get("items", ...) == result.get("items"))


def _regions(sentences: Sequence[Sentence]) -> Regions:
    """The regions of each condition in its first item, whose values are those that ``*`` adds."""
    return {one.name: [part.number for part in one.regions] for _, one in reversed(sentences)}


def _require_sentences(old: list[Sentence], new: list[Sentence], inserted: int) -> None:
    """Refuse other sentences and other regions than those before and the inserted, empty ones."""
    if len(old) != len(new):
        refuse(f"the source has {len(old)} sentences, and the result would have {len(new)}")
    for (item, before), (number, after) in zip(old, new, strict=True):
        numbers = {region.number for region in before.regions}
        kept = after.regions
        if inserted:
            kept = tuple(r for r in kept if r.content or r.number in numbers)
        is_same = before == after._replace(regions=kept)
        is_same &= len(kept) + inserted == len(after.regions) and item == number
        if not is_same or (inserted and before.sentence().text != after.sentence().text):
            shown = [
                " | ".join(f"{r.number}: {r.content}" for r in c.regions) for c in (before, after)
            ]
            refuse(f"a sentence of item {item} would be another: {' becomes '.join(shown)}")


def _require_metric(old: Mapping[str, Any], new: Mapping[str, Any], supplied: Supplied) -> None:
    """Refuse another metric: it is the stated one, or that of several which the caller chooses."""
    stated, metric = old.get("metric") or [], new.get("metric")
    offered = stated if isinstance(stated, list) else [stated]
    chosen = supplied.metric or (offered[0] if offered else "sum")
    is_chosen = metric == chosen and (not offered or "all" in offered or metric in offered)
    if new and metric != old.get("metric") and not is_chosen:
        refuse(f"the metric is {stated or 'not stated'}, and would be {metric}")


def refuse(reason: str) -> NoReturn:
    """Refuse a conversion that is wrong.

    Raises:
        ConversionError: Always.
    """
    raise ConversionError(reason, PLEASE_REPORT)
