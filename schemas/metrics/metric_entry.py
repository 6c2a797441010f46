"""An entry of the table of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Bounds = tuple[float, float]


class Scale(NamedTuple):
    """The bounds of a metric, as some programs write it."""

    low: float
    high: float
    unit: str = ""  # "" if its scores have none
    programs: tuple[str, ...] = ()  # that use this scale; empty if it is not known which do


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """An entry of the table of metrics."""

    id: str
    names: tuple[str, ...]  # normalized; ``program.name`` is a name in that program alone
    kind: str
    lower_is_better: bool | None  # None if it is neither: it says how far scores are spread
    scales: tuple[Scale, ...]  # with several, bounds are known only for a known program
    sources: tuple[str, ...]
    alike: tuple[str, ...] = ()  # names of other metrics for which the same is true

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
