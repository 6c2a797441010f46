"""LTM definitions of the first two generations as current ones."""

from __future__ import annotations

from evalmark.converters.step import Data, Object, Step, Stepped
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError


def from_first(data: Data, _: Supplied) -> Stepped:
    """Token spacings and time jumps become waits; those after the last question are dropped.

    A wait of the first generation is the same as today: so many tokens of filler, so many seconds.
    """
    spacings, jumps = data["token_spacings"], data["time_jumps"]
    evaluation = data.get("evaluation_fn")
    if evaluation != "evaluate_correct":
        raise ConversionError(
            f"the test is evaluated by `{evaluation}`, and today each dataset has one evaluation"
        )
    if len(spacings) - len(jumps) not in (0, 1):  # nothing follows the last question
        raise ConversionError(
            f"there are {len(spacings)} token_spacings and {len(jumps)} time_jumps",
            "write one of each for each message",
        )
    waits: list[Object] = []
    for index, tokens in enumerate(spacings):
        time = jumps[index] if index < len(jumps) else 0
        waits.append({**({"tokens": tokens} if tokens else {}), **({"time": time} if time else {})})
    old = ("token_spacings", "time_jumps", "evaluation_fn")
    rest = {key: value for key, value in data.items() if key not in old}
    return _with_waits(rest, waits)


def from_second(data: Data, _: Supplied) -> Stepped:
    """Zeros are removed from waits.

    Raises:
        ConversionError: A wait is for a percentage, which has become something else: then of the
            tests of a benchmark that have ended, now of the memory span that has passed.
    """
    for index, wait in enumerate(data["waits"]):
        if wait["percentage_finished"]:
            raise ConversionError(
                f"wait {index + 1} is for {wait['percentage_finished']:g} % of the tests; in the "
                "current format a percentage refers to the memory span",
                "replace the percentage with tokens or a time",
            )
    waits = [{key: value for key, value in wait.items() if value} for wait in data["waits"]]
    return _with_waits(data, waits)


def _with_waits(data: Data, waits: list[Object]) -> Stepped:
    if not waits or not waits[-1]:
        return Stepped({**data, "waits": waits})
    note = "the wait after the last question is removed: nothing follows it"
    return Stepped({**data, "waits": [*waits[:-1], {}]}, (note,))


DEFINITION_STEPS = (
    Step("ltm-definition-1", "ltm-definition-3", from_first),
    Step(
        "ltm-definition-2",
        "ltm-definition-3",
        from_second,
        loses="nothing: percentages, whose meaning changed, are refused",
    ),
)
