"""Scoring without a judge, by dataset and rules."""

from __future__ import annotations

import re

from evalmark.conversations.evaluation.benchmark_rules import BENCHMARK
from evalmark.conversations.evaluation.own_rules import OWN, said_phrase
from evalmark.conversations.evaluation.replies import EVALUATOR, Replies, Verdict


def score_replies(dataset: str, replies: Replies, rules: str = EVALUATOR) -> Verdict:
    """The score of a test, if it can be decided without a judge.

    Args:
        dataset: The name of the dataset.
        replies: What was asked, replied and expected.
        rules: One of ``RULES``.
    """
    scorer = (OWN if rules == EVALUATOR else BENCHMARK).get(dataset)
    if scorer is None:
        return None
    # A test that reacts has no replies where it ended at once, and expects nothing by itself.
    if not replies.judged and not (replies.responses and replies.expected):
        return None
    return scorer(replies, rules)


def approximate(dataset: str, replies: Replies) -> Verdict:
    """The score by rules alone where a judge would decide. Results must be called approximate.

    A joke or phrase that does not appear word for word counts as missing. Directions are matched by
    a pattern and followed.
    """
    if dataset == "Jokes":
        return score_replies(dataset, replies) or (
            0.0,
            ["the joke is not in the reply word for word"],
        )
    if dataset == "Trigger Response":
        pairs = zip(replies.expected, replies.responses, strict=True)
        hits = [said_phrase(str(phrase), response) for phrase, response in pairs]
        return sum(hits) / len(hits), [f"{sum(hits)} of {len(hits)} by rule"]
    if dataset == "Locations Directions":
        ends = [walked(text) for text in (str(replies.expected[0]), replies.responses[-1])]
        right = ends[0] == ends[1] and ends[0] is not None
        return float(right), [
            "arrives" if right else "the directions found in the reply do not arrive"
        ]
    return None


_STEP = re.compile(
    r"(\d+(?:\.\d+)?)\s*(?:km|kilomet(?:er|re)s?)\b[\s,]*(?:to the |towards? (?:the )?|due )?"
    r"(north|south|east|west)\b"
    r"|\b(north|south|east|west)\b[\s,]*(?:for|by)?\s*(\d+(?:\.\d+)?)\s*(?:km|kilomet)",
    re.IGNORECASE,
)
_WAYS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def walked(text: str) -> tuple[float, float] | None:
    """Where described steps lead, in kilometres east and north; None if there are no steps."""
    steps = [
        (float(match[1] or match[4]), _WAYS[(match[2] or match[3]).lower()])
        for match in _STEP.finditer(text)
    ]
    if not steps:
        return None
    return sum(far * x for far, (x, _) in steps), sum(far * y for far, (_, y) in steps)
