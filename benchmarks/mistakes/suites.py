"""What people get wrong in suites: in the grid of texts and in what describes it."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

from benchmarks.mistakes.operators import (
    Operator,
    holders,
    key_missing,
    key_misspelt,
    misspelt,
    one,
    put,
)

_REFERENCE = re.compile(r"\(\s*(\d+)\s*;%\s*([^%]+?)\s*%\s*\)")


def sentences(suite: Any) -> list[dict[str, Any]]:
    return list(holders(suite, "condition_name", "regions"))


def referenced(suite: Any) -> set[tuple[int, str]]:
    """Region numbers and condition names that predictions read."""
    found = set()
    for prediction in suite.get("predictions", ()):
        if "formula" in prediction:
            found |= {(int(n), name) for n, name in _REFERENCE.findall(prediction["formula"])}
        elif "region_number" in prediction:
            for side in ("l_operand", "r_operand"):
                found.add((int(prediction["region_number"]), prediction[side]))
    return found


def region_missing(suite: Any, r: random.Random) -> bool:
    """A region is missing from one sentence."""
    regions = one((s["regions"] for s in sentences(suite) if len(s["regions"]) > 1), r)
    del regions[r.randrange(len(regions))]
    return True


def regions_swapped(suite: Any, r: random.Random) -> bool:
    """Two neighbouring regions of one sentence are in the wrong order."""
    regions = one((s["regions"] for s in sentences(suite) if len(s["regions"]) > 1), r)
    at = r.randrange(len(regions) - 1)
    regions[at], regions[at + 1] = regions[at + 1], regions[at]
    return True


def region_twice(suite: Any, r: random.Random) -> bool:
    """A region of one sentence was pasted twice."""
    regions = one(sentences(suite), r)["regions"]
    at = r.randrange(len(regions))
    regions.insert(at, copy.deepcopy(regions[at]))
    return True


def region_number_mistyped(suite: Any, r: random.Random) -> bool:
    """A region of one sentence has a number with a digit typed twice."""
    region = one(holders(suite, "region_number", "content"), r)
    return put(region, "region_number", region["region_number"] * 11)


def regions_from_zero(suite: Any, r: random.Random) -> bool:
    """The regions of one sentence are counted from 0."""
    for region in one(sentences(suite), r)["regions"]:
        region["region_number"] -= 1
    return True


def region_number_as_text(suite: Any, r: random.Random) -> bool:
    """A region number is text."""
    region = one(holders(suite, "region_number", "content"), r)
    return put(region, "region_number", str(region["region_number"]))


def condition_renamed(suite: Any, r: random.Random) -> bool:
    """A condition is misspelt in one of several items."""
    if len(suite["items"]) < 2:
        return False
    sentence = one(sentences(suite), r)
    return put(sentence, "condition_name", misspelt(sentence["condition_name"], r))


def condition_missing(suite: Any, r: random.Random) -> bool:
    """A condition is missing from one of several items."""
    item = one((i for i in suite["items"] if len(i["conditions"]) > 1), r)
    if item is None or len(suite["items"]) < 2:
        return False
    del item["conditions"][r.randrange(len(item["conditions"]))]
    return True


def condition_twice(suite: Any, r: random.Random) -> bool:
    """A sentence was copied for the next condition, its name left as it was."""
    conditions = one(suite["items"], r)["conditions"]
    at = r.randrange(len(conditions))
    conditions.insert(at, copy.deepcopy(conditions[at]))
    return True


def item_number_twice(suite: Any, r: random.Random) -> bool:
    """An item has the number of another."""
    if len(suite["items"]) < 2:
        return False
    first, second = r.sample(suite["items"], 2)
    return put(second, "item_number", first["item_number"])


def item_twice(suite: Any, r: random.Random) -> bool:
    """An item was pasted again under a number of its own."""
    item = copy.deepcopy(one(suite["items"], r))
    item["item_number"] = max(i["item_number"] for i in suite["items"]) + 1
    suite["items"].append(item)
    return True


def item_number_fraction(suite: Any, r: random.Random) -> bool:
    """An item number is 1.5 or text."""
    item = one(suite["items"], r)
    number = item["item_number"]
    return put(item, "item_number", r.choice([number + 0.5, str(number), None]))


def items_empty(suite: Any, r: random.Random) -> bool:
    """The list of items is empty."""
    return put(suite, "items", [])


def sentence_without_text(suite: Any, r: random.Random) -> bool:
    """A sentence has no text: all its regions are empty."""
    for region in one(sentences(suite), r)["regions"]:
        region["content"] = ""
    return True


def sentence_copied(suite: Any, r: random.Random) -> bool:
    """A sentence was copied from another condition of its item and left as it was."""
    pairs = [
        (i["conditions"][a], i["conditions"][b])
        for i in suite["items"]
        for a in range(len(i["conditions"]))
        for b in range(len(i["conditions"]))
        if i["conditions"][a]["regions"] != i["conditions"][b]["regions"]
    ]
    pair = one(pairs, r)
    if pair is None:
        return False
    pair[0]["regions"] = copy.deepcopy(pair[1]["regions"])
    return True


def text_moved(suite: Any, r: random.Random) -> bool:
    """The text of a region that a prediction reads moved into the next region of one sentence."""
    wanted = referenced(suite)
    places = [
        (sentence["regions"], at)
        for sentence in sentences(suite)
        for at, region in enumerate(sentence["regions"][:-1])
        if (region["region_number"], sentence["condition_name"]) in wanted and region["content"]
    ]
    if not places:
        return False
    regions, at = r.choice(places)
    following = regions[at + 1]
    following["content"] = f"{regions[at]['content']} {following['content']}".strip()
    regions[at]["content"] = ""
    return True


def content_null(suite: Any, r: random.Random) -> bool:
    """The text of a region is null or a number."""
    return put(one(holders(suite, "region_number", "content"), r), "content", r.choice([None, 7]))


def space_at_edge(suite: Any, r: random.Random) -> bool:
    """A space before or after the text of a region."""
    region = one((x for x in holders(suite, "region_number", "content") if x["content"]), r)
    text = region["content"]
    return put(region, "content", r.choice([f" {text}", f"{text} "]))


def odd_space(suite: Any, r: random.Random) -> bool:
    """Two spaces, a tab, a line break or a non-breaking space between two words."""
    region = one((x for x in holders(suite, "region_number", "content") if " " in x["content"]), r)
    if region is None:
        return False
    space = r.choice(["  ", "\t", "\n", "\u00a0"])
    return put(region, "content", region["content"].replace(" ", space, 1))


def encoded_text(suite: Any, r: random.Random) -> bool:
    """A character came through another encoding: an HTML entity, mojibake, a replacement."""
    region = one((x for x in holders(suite, "region_number", "content") if x["content"]), r)
    odd = r.choice(["&amp;", "&#x27;", "â€™", "Ã©", "\ufffd"])
    return put(region, "content", region["content"] + odd)


def curly_quote(suite: Any, r: random.Random) -> bool:
    """One straight apostrophe of several is curly."""
    found = [x for x in holders(suite, "region_number", "content") if "'" in x["content"]]
    if sum(x["content"].count("'") for x in found) < 2:
        return False
    region = r.choice(found)
    return put(region, "content", region["content"].replace("'", "\u2019", 1))


def region_meta_short(suite: Any, r: random.Random) -> bool:
    """A region of the sentences is missing from region_meta."""
    if "region_meta" not in suite:
        return False
    del suite["region_meta"][one(suite["region_meta"], r)]
    return True


def region_meta_long(suite: Any, r: random.Random) -> bool:
    """region_meta names a region that no sentence has."""
    if "region_meta" not in suite:
        return False
    suite["region_meta"][str(max(map(int, suite["region_meta"])) + 1)] = "End"
    return True


def region_meta_list(suite: Any, r: random.Random) -> bool:
    """region_meta is a list of names."""
    return "region_meta" in suite and put(suite, "region_meta", [*suite["region_meta"].values()])


def region_name_not_text(suite: Any, r: random.Random) -> bool:
    """A region name is null or a number."""
    if "region_meta" not in suite:
        return False
    return put(suite["region_meta"], one(suite["region_meta"], r), r.choice([None, 3]))


def name_empty(suite: Any, r: random.Random) -> bool:
    """The suite's name is empty, or blank."""
    return "name" in suite.get("meta", {}) and put(suite["meta"], "name", r.choice(["", " "]))


def metric_unknown(suite: Any, r: random.Random) -> bool:
    """The metric has a name that does not exist."""
    if "metric" not in suite.get("meta", {}):
        return False
    return put(suite["meta"], "metric", r.choice(["total", "Sum", "surprisal", "average"]))


def prediction_twice(suite: Any, r: random.Random) -> bool:
    """A prediction was pasted twice."""
    if not suite.get("predictions"):
        return False
    suite["predictions"].append(copy.deepcopy(one(suite["predictions"], r)))
    return True


def predictions_object(suite: Any, r: random.Random) -> bool:
    """The only prediction is not in a list."""
    return len(suite.get("predictions", ())) == 1 and put(
        suite, "predictions", suite["predictions"][0]
    )


GRID: tuple[Operator, ...] = (
    region_missing, regions_swapped, region_twice, region_number_mistyped, regions_from_zero,
    region_number_as_text, condition_renamed, condition_missing, condition_twice,
    item_number_twice, item_twice, item_number_fraction, items_empty, sentence_without_text,
    sentence_copied, text_moved, content_null, space_at_edge, odd_space, encoded_text,
    curly_quote, region_meta_short, region_meta_long, region_meta_list, region_name_not_text,
    name_empty, metric_unknown, prediction_twice, predictions_object,
    key_missing("items", "conditions", "regions", "content", "region_number", "condition_name"),
    key_misspelt(
        "items", "conditions", "regions", "content", "region_number", "condition_name",
        "item_number", "meta", "region_meta", "predictions",
    ),
)  # fmt: skip
