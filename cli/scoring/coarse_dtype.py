"""The cost of a coarse dtype: outcomes that are not those of float32, and the time of both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from time import perf_counter
from typing import Any

from evalmark.schemas.errors import brief
from evalmark.scoring.contest_run import AnyTask
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.runs.run_files import AnyScores

#: The dtypes in which rounding decides outcomes.
COARSE = ("bfloat16", "float16")
#: How many items are scored again in both dtypes.
ITEMS = 100
_ROUNDS = 2
#: Seconds below which a time says nothing.
_LEAST = 0.2

#: Scores -> the outcome of each contest, by what tells it from the others.
Outcomes = Callable[[AnyScores], Mapping[Hashable, object]]


def cost_of(dtype: str, model: str, task: AnyTask[AnyScores], outcomes: Outcomes[AnyScores]) -> str:
    """The cost of a dtype in a sentence: the first items are scored in it and in float32.

    The models are loaded one after the other, and the shorter of two rounds by the wall clock
    counts. An error, of memory for example, is named: the run is valid without this.

    Args:
        dtype: The dtype of the run, of ``COARSE``.
        model: The name of the model.
        task: The work on the first items.
        outcomes: The outcomes in scores.
    """
    found: list[Mapping[Hashable, object]] = []
    seconds: list[float] = []
    loading: dict[str, Any] = {**task.loading}
    try:
        for each in (dtype, "float32"):
            loaded, rounds = load_model(model, **(loading | {"dtype": each})), list[float]()
            for _ in range(_ROUNDS):
                began = perf_counter()
                scores = task.score(loaded, None, None)
                rounds.append(perf_counter() - began)
            found.append(outcomes(scores))
            seconds.append(min(rounds))
            del loaded, scores  # memory may not hold two models
    except Exception as error:
        return f"{dtype} cannot be compared with float32 here: {brief(error)}"
    coarse, fine = found
    differing = sum(coarse.get(key) != value for key, value in fine.items())
    ratio = seconds[0] / seconds[1]
    time = f", {ratio:.2f} of the time" if seconds[1] >= _LEAST else ""
    return (
        f"{dtype} beside float32, on at most {ITEMS} items: {differing} of {len(fine)} outcomes "
        f"differ{time}"
    )
