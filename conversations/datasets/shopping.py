"""A shopping list that grows and shrinks."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.dataset_interface import TestExample

#: No name of an item contains another one.
ITEMS = (
    "apple", "bread", "butter", "candle", "carrot", "cheese", "cucumber", "flour", "honey",
    "lemon", "lentil can", "milk", "mushroom", "noodle", "onion", "pear", "pepper", "rice",
    "salt", "soap", "spinach", "sugar", "tea", "tomato", "toothbrush", "yoghurt",
)  # fmt: skip
_ADDED = (
    "Please put {} of {} on my shopping list.",
    "Add to my shopping list: {} times {}.",
    "I need {} of {}; note it on the shopping list.",
)
_REMOVED = (
    "Take {} of {} off my shopping list again.",
    "I need {} less of {}; change the shopping list.",
)


@dataclass
class Shopping(Scripted):
    """Items are added to a list and removed; the rest is asked for."""

    name: str = "Shopping"
    description: str = "A shopping list is changed several times; what is on it is asked for."
    question: str = (
        "What is on my shopping list now? Answer with a JSON list of objects that have `item` and "
        "`quantity`, each item once."
    )
    item_changes: int = 6

    def made(self) -> TestExample:
        """Make one test; its list is never empty at the end."""
        basket: dict[str, int] = {}
        told = []
        for _ in range(self.item_changes):
            shrinkable = [item for item, count in basket.items() if count > 1]
            if shrinkable and self.random.random() < 0.3:
                item = self.random.choice(shrinkable)
                count = self.random.randrange(1, basket[item])
                basket[item] -= count
                told.append(self.random.choice(_REMOVED).format(count, item))
            else:
                item = self.random.choice(ITEMS)
                count = self.random.randrange(1, 5)
                basket[item] = basket.get(item, 0) + count
                told.append(self.random.choice(_ADDED).format(count, item))
        return self.example(told, [self.question], [list(entry) for entry in basket.items()])
