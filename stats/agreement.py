"""Agreement of two raters: Cohen's kappa and its interval."""

from __future__ import annotations

from evalmark.stats.proportions import wilson_interval


def chance_agreement(both: int, only_first: int, only_second: int, neither: int) -> float:
    """The agreement that the shares of "yes" of both raters give by chance."""
    total = both + only_first + only_second + neither
    first, second = (both + only_first) / total, (both + only_second) / total
    return first * second + (1 - first) * (1 - second)


def cohens_kappa(both: int, only_first: int, only_second: int, neither: int) -> float | None:
    """Agreement beyond chance (Cohen 1960): 1 is full agreement, 0 that of chance.

    None if it is not defined: both raters gave all answers the same one verdict.
    """
    chance = chance_agreement(both, only_first, only_second, neither)
    if chance == 1:
        return None
    agreement = (both + neither) / (both + only_first + only_second + neither)
    return (agreement - chance) / (1 - chance)


def kappa_interval(
    both: int, only_first: int, only_second: int, neither: int
) -> tuple[float, float] | None:
    """A 95 % interval of kappa; None where kappa is not defined.

    Wilson's interval of the agreement, at the observed agreement by chance, as in the standard
    error that Cohen gave. In contrast to intervals from a normal approximation, it does not shrink
    to a point if the raters always agree, and covers in small samples too. It is wide where one
    verdict is rare.
    """
    chance = chance_agreement(both, only_first, only_second, neither)
    if chance == 1:
        return None
    total = both + only_first + only_second + neither
    lower, upper = (
        (end - chance) / (1 - chance) for end in wilson_interval((both + neither) / total, total)
    )
    return max(-1.0, lower), upper
