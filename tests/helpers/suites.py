"""Suites, written with what a test is about: sentences of conditions, and formulas."""

from typing import Any


def suite_of(
    items: Any, formulas: Any, metric: str = "sum", *, regions: Any = None, first: int = 1,
    **meta: Any,
) -> dict[str, Any]:  # fmt: skip
    """The data of a suite.

    An item is ``{condition: texts of its regions}``; the texts are a list, or a string that is
    split at ``|``, and None is a region that is not there. ``regions`` are the names of regions,
    ``first`` is the number of the first item, and what else is given is in ``meta``.
    """
    written = items_of(items, first)
    if regions is None:
        regions = [""] * len(_texts(next(iter(items[0].values()))))
    return {
        "meta": {"name": "s", "metric": metric, **meta},
        "region_meta": {str(number): name for number, name in enumerate(regions, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
        "items": written,
    }


def items_of(items: Any, first: int = 1) -> list[dict[str, Any]]:
    """The items of a suite."""
    return [
        {
            "item_number": number,
            "conditions": [
                {
                    "condition_name": name,
                    "regions": [
                        {"region_number": i, "content": content}
                        for i, content in enumerate(_texts(texts), 1)
                        if content is not None
                    ],
                }
                for name, texts in item.items()
            ],
        }
        for number, item in enumerate(items, first)
    ]


def contrast(rows: Any, regions: Any, *, at: int = 2, **others: Any) -> dict[str, Any]:
    """A suite of rows, each a good sentence and a bad one, that are about one region."""
    items = [{"good": good, "bad": bad} for good, bad in rows]
    return suite_of(items, [f"({at};%bad%) > ({at};%good%)"], regions=regions, **others)


def formulas_in(suite: Any) -> list[str]:
    return [prediction["formula"] for prediction in suite["predictions"]]


def sentences_in(suite: Any) -> list[list[dict[str, Any]]]:
    """The regions of each sentence: of all conditions, item by item."""
    return [one["regions"] for item in suite["items"] for one in item["conditions"]]


def regions_in(suite: Any) -> list[dict[str, Any]]:
    """All regions, sentence by sentence."""
    return [region for regions in sentences_in(suite) for region in regions]


def texts_in(suite: Any) -> list[list[str]]:
    """The texts of the regions of each sentence."""
    return [[region["content"] for region in regions] for regions in sentences_in(suite)]


def _texts(texts: Any) -> Any:
    return texts.split("|") if isinstance(texts, str) else texts
