"""An entry of the table of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Bounds = tuple[float, float]


class Scale(NamedTuple):
    """The bounds of a metric, as some programs write it.

    Attributes:
        low: The least possible score.
        high: The greatest possible score.
        unit: The unit of its scores; "" if they have none.
        programs: The programs that use this scale; empty if it is not known which do.
    """

    low: float
    high: float
    unit: str = ""
    programs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """An entry of the table of metrics.

    Attributes:
        id: Its name in the table.
        names: Its names, normalized. ``program.name`` is a name in that program alone.
        kind: The kind of metric.
        lower_is_better: Whether a smaller score is a better one; None if it is neither, because it
            says how far scores are spread.
        scales: The scales on which programs write it. Several scales mean that the bounds are not
            known unless the program is.
        sources: Where this is documented.
        alike: Names of other metrics for which the same is true.
    """

    id: str
    names: tuple[str, ...]
    kind: str
    lower_is_better: bool | None
    scales: tuple[Scale, ...]
    sources: tuple[str, ...]
    alike: tuple[str, ...] = ()

    def bounds(self, program: str = "") -> Bounds | None:
        """Its bounds in a program; None if they are not known, or depend on who writes it."""
        ranges = {(scale.low, scale.high) for scale in self._scales_of(program)}
        return ranges.pop() if len(ranges) == 1 else None

    def unit(self, program: str = "") -> str | None:
        """Its unit in a program, in the same way."""
        units = {scale.unit for scale in self._scales_of(program)}
        return units.pop() or None if len(units) == 1 else None

    def _scales_of(self, program: str) -> tuple[Scale, ...]:
        specific = tuple(scale for scale in self.scales if program in scale.programs)
        return specific or self.scales

    @property
    def scale_words(self) -> str:
        """``0 to 1, or 0 to 100``."""
        words = (f"{scale.low:g} to {scale.high:g}" for scale in self.scales)
        return ", or ".join(dict.fromkeys(words)).replace("inf", "Infinity")

    @property
    def direction(self) -> str:
        """``lower``, ``higher`` or ``neither``, whichever scores are better."""
        return {True: "lower", False: "higher", None: "neither"}[self.lower_is_better]
