"""Judging the tests of a run that began without a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from evalmark.conversations.interface.dataset_interface import DynamicExample, TestExample
from evalmark.conversations.running.dialogue import Dialogue
from evalmark.conversations.running.evaluation import evaluated, without_score
from evalmark.conversations.running.outcome import SCORED, UNJUDGED, Outcome
from evalmark.conversations.running.run_log import END
from evalmark.conversations.running.runner import Runner
from evalmark.schemas.errors import AgentRefused, OtherRun


def judge_later(
    outcomes: Sequence[Outcome],
    session: Dialogue,
    load: Callable[[], Sequence[TestExample]],
    runner: Callable[[Sequence[TestExample]], Runner],
) -> list[Outcome]:
    """The outcomes of a run, with those that lacked a judge judged.

    A script has ended, so only its replies are judged. A test that asks the judge while it runs
    (a dynamic one, or one with a callback) runs again, after all others.

    Args:
        outcomes: The outcomes without a judge.
        session: The conversation so far, with the judge.
        load: Loads the tests as they were before they ran.
        runner: Makes the runner of some tests.
    """
    waiting = [outcome.example for outcome in outcomes if outcome.state == UNJUDGED]
    again = {test.unique_id for test in waiting if _asks_while_it_runs(test)}
    found = {
        outcome.example.unique_id: _judged(outcome, session)
        for outcome in outcomes
        if outcome.state == UNJUDGED and outcome.example.unique_id not in again
    }
    if again:
        tests = [test for test in load() if test.unique_id in again]
        found |= {outcome.example.unique_id: outcome for outcome in runner(tests).run()}
    return _replaced(outcomes, found)


def _replaced(outcomes: Sequence[Outcome], found: Mapping[str, Outcome]) -> list[Outcome]:
    return [found.get(outcome.example.unique_id, outcome) for outcome in outcomes]


def _asks_while_it_runs(test: TestExample) -> bool:
    return isinstance(test, DynamicExample) or bool(test.uses_callback)


def _judged(outcome: Outcome, session: Dialogue) -> Outcome:
    """A test whose script has ended, judged."""
    example = outcome.example
    session.current = (example.unique_id, example.dataset_name)
    state, score, reasons = SCORED, None, list[str]()
    try:
        score, reasons = evaluated(example, outcome.questions, outcome.responses)
    except (OtherRun, AgentRefused):
        raise
    except (Exception, SystemExit) as error:  # code of users
        state, reasons = without_score(error)
    finally:
        session.current = ("", "")
    session.log.event(END, test=example.unique_id, state=state, score=score, reasons=reasons)
    return replace(outcome, state=state, score=score, reasons=reasons)
