"""An evening in a restaurant: a test that reacts to the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalmark.conversations.interface.actions import TestAction
from evalmark.conversations.interface.dataset_interface import DynamicDataset, DynamicExample

_MENU = {
    "drink": ("elderflower lemonade", "tomato juice", "mint tea", "ginger beer"),
    "starter": ("pumpkin soup", "beetroot salad", "olive bread"),
    "main": ("mushroom risotto", "baked trout", "lentil stew", "potato gnocchi"),
}


@dataclass(eq=False)
class RestaurantExample(DynamicExample):
    """A guest orders, learns that a dish has run out, and has to remember the order.

    There are five points, each a fifth of the score; the evening ends at the first mistake. The
    names of dishes decide, so no judge is needed.
    """

    def action_iter(self) -> Iterator[TestAction]:
        """The evening, course by course."""
        menu = "\n".join(f"{kind}: {', '.join(dishes)}" for kind, dishes in _MENU.items())
        yield from self._ask(
            "You are a guest in my restaurant, and I am the waiter. Here is the menu:\n"
            f"{menu}\nWhat would you like? One drink, one starter and one main, please.",
            "one drink, one starter and one main of the menu",
        )
        order = {kind: self._named(dishes) for kind, dishes in _MENU.items()}
        if not self._passed(
            all(len(named) == 1 for named in order.values()), f"ordered {order}", share=1
        ):
            return
        drink, starter, first = (order[kind][0] for kind in ("drink", "starter", "main"))
        yield self.wait(percentage_finished=25)
        yield from self._ask(
            f"I am sorry, we have just run out of {first}. Which other main may I bring?",
            f"a main other than {first}",
        )
        mains = [dish for dish in self._named(_MENU["main"]) if dish != first]
        if not self._passed(len(mains) == 1, f"chose {mains} instead of {first}", share=2):
            return
        yield self.wait(percentage_finished=50)
        wrong_drink = next(dish for dish in _MENU["drink"] if dish != drink)
        yield from self._ask(
            f"Here is your {wrong_drink}. Is that the drink you ordered? If not, which one was it?",
            drink,
        )
        if not self._passed(drink in self._reply(), f"the drink was {drink}", share=3):
            return
        yield self.wait(percentage_finished=75)
        yield from self._ask(
            "The kitchen asks which starter goes to your table. Could you remind me?", starter
        )
        if not self._passed(self._named(_MENU["starter"]) == [starter], starter, share=4):
            return
        yield self.wait(percentage_finished=90)
        yield from self._ask(
            "Before you go, for our statistics: which main did you ask for at first?", first
        )
        self._passed(self._named(_MENU["main"]) == [first], f"the first main was {first}", share=5)

    def _ask(self, message: str, expected: str) -> Iterator[TestAction]:
        self.expected_responses.append(expected)
        yield self.say(message, question=True)

    def _reply(self) -> str:
        assert self.action is not None
        return (self.action.reply or "").lower()

    def _named(self, dishes: tuple[str, ...]) -> list[str]:
        reply = self._reply()
        return [dish for dish in dishes if re.search(rf"\b{re.escape(dish)}\b", reply)]

    def _passed(self, holds: bool, reason: str, *, share: int) -> bool:
        self.score = share / 5 if holds else self.score
        self.reasoning.append(f"{'right' if holds else 'wrong'}: {reason}")
        return holds


@dataclass
class Restaurant(DynamicDataset):
    """An evening in a restaurant."""

    name: str = "Restaurant"
    description: str = "A guest orders and has to remember the order while the evening goes on."

    example_cls = RestaurantExample
