"""A test that loops over its cases: one test, which shows every case that failed."""

import inspect
import traceback
from collections.abc import Callable, Iterable
from functools import wraps

import pytest


def one_of(number: int, *, of_all: int = 1) -> pytest.MarkDecorator:
    """Give a test ``every``: a sample of one case of ``number``; slow, one of ``of_all``."""
    rest = pytest.param(of_all, marks=pytest.mark.slow, id="all")
    return pytest.mark.parametrize("every", [pytest.param(number, id="sample"), rest])


def _name(case: object) -> str:
    return str(getattr(case, "name", case))


def _failure(case: object, error: BaseException) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{_name(case)}: line {place.lineno}: {type(error).__name__}: {error}"


def loops_over(names: str, cases: Iterable, *, sample: int = 0) -> Callable[[Callable], Callable]:
    """Call a test with each case, as ``parametrize`` does, but in one test.

    Each case has a ``tmp_path`` of its own and leaves no patches behind. The test fails after the
    last case, with all failures; it is skipped if all cases were. With ``sample``, so many cases
    are one test, and the others are another, which is slow.
    """
    parameters = names.split(",")
    every = list(cases)
    step = len(every) // sample if sample else 1
    tiers = {"sample": every[::step], "rest": [c for n, c in enumerate(every) if n % step]}

    def decorate(test: Callable) -> Callable:
        signature = inspect.signature(test)
        left = [value for name, value in signature.parameters.items() if name not in parameters]

        @wraps(test)
        def looped(*, tier: str = "sample", **fixtures):
            failures, skipped = [], []
            for number, case in enumerate(tiers[tier]):
                values = (case,) if len(parameters) == 1 else case
                given = dict(fixtures, **dict(zip(parameters, values, strict=True)))
                try:
                    _call(test, given, number)
                except pytest.skip.Exception as reason:
                    skipped.append(str(reason))
                except (Exception, pytest.fail.Exception) as error:
                    failures.append(_failure(case, error))
            if failures:
                count = f"{len(failures)} of {len(tiers[tier])} cases failed:"
                pytest.fail("\n".join((count, *failures)), pytrace=False)
            if skipped and len(skipped) == len(tiers[tier]):
                pytest.skip(skipped[0])

        if sample:
            left.append(inspect.Parameter("tier", inspect.Parameter.KEYWORD_ONLY))
        looped.__signature__ = signature.replace(parameters=left)
        rest = pytest.param("rest", marks=pytest.mark.slow)
        return pytest.mark.parametrize("tier", ["sample", rest])(looped) if sample else looped

    return decorate


def _call(test: Callable, given: dict, number: int) -> None:
    if "tmp_path" in given:
        given["tmp_path"] = given["tmp_path"] / str(number)
        given["tmp_path"].mkdir()
    if "monkeypatch" not in given:
        test(**given)
        return
    with given["monkeypatch"].context() as patch:
        test(**given | {"monkeypatch": patch})
