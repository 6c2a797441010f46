"""LongMemEval questions as rules and scoring see them: each has a history of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from evalmark.memory.formats.history import (
    History,
    HistoryQuestion,
    HistoryTurn,
    MemorySet,
    Session,
)
from evalmark.memory.formats.memory_dates import LONGMEMEVAL_DATES

QUESTION_TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "temporal-reasoning",
    "knowledge-update",
    "multi-session",
)
ROLES = ("user", "assistant")
#: Lists with one entry for each session.
LISTS = ("haystack_session_ids", "haystack_dates", "haystack_sessions")
#: The end of the ids of questions that the history does not answer.
ABSTENTION = "_abs"


class Haystack(History):
    """A question and its sessions."""

    dates = LONGMEMEVAL_DATES
    text_key = "content"
    speaker_key = "role"

    @property
    def question(self) -> HistoryQuestion:
        """Its only question."""
        return self.questions[0]

    @property
    def lengths(self) -> dict[str, int]:
        """The lengths of the lists that have an entry for each session."""
        return {key: len(self.data[key]) for key in LISTS}

    @property
    def is_complete(self) -> bool:
        """True if each session has an id and a date."""
        return len(set(self.lengths.values())) == 1

    @property
    def ids(self) -> list[str]:
        """The ids of its sessions."""
        ids: list[str] = self.data["haystack_session_ids"]
        return ids

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """See ``History``; as far as all lists reach."""
        lists = (self.data[key] for key in LISTS)
        return tuple(
            Session(
                f"{self.at}/haystack_sessions/{index}",
                name,
                date,
                f"{self.at}/haystack_dates/{index}",
                self._turns(index, turns),
            )
            for index, (name, date, turns) in enumerate(zip(*lists, strict=False))
        )

    @cached_property
    def other_duplicates(self) -> tuple[int, ...]:
        """The positions of sessions that have the id of an earlier one, and other turns."""
        first: dict[str, int] = {}
        return tuple(
            index
            for index, session in enumerate(self.sessions)
            if first.setdefault(session.id, index) != index
            and not self.has_equal_sessions(first[session.id], index)
        )

    @property
    def overwritten(self) -> tuple[str, ...]:
        """The ids of evidence that a duplicate may have had; none if there are more of them."""
        ids = self.evidence_ids
        lost = tuple(dict.fromkeys(n for _, n in self.question.evidence if n not in ids))
        return lost if len(lost) <= len(self.other_duplicates) else ()

    def has_equal_sessions(self, left: int, right: int) -> bool:
        """True if two sessions, by their positions, exist and have the same turns."""
        sessions = self.data["haystack_sessions"]
        return max(left, right) < len(sessions) and sessions[left] == sessions[right]

    def _turns(self, session: int, turns: list[dict[str, Any]]) -> tuple[HistoryTurn, ...]:
        at = f"{self.at}/haystack_sessions/{session}"
        return tuple(
            HistoryTurn(
                f"{at}/{index}",
                "",
                turn["role"],
                turn["content"],
                is_marked=bool(turn.get("has_answer")),
            )
            for index, turn in enumerate(turns)
        )

    @cached_property
    def questions(self) -> tuple[HistoryQuestion, ...]:
        """See ``History``; there is one."""
        data, at = self.data, f"{self.at}/answer_session_ids"
        evidence = enumerate(data["answer_session_ids"])
        question = HistoryQuestion(
            self.at,
            data["question_id"],
            data["question"],
            str(data["answer"]),
            data["question_type"],
            tuple((f"{at}/{index}", name) for index, name in evidence),
            not data["question_id"].endswith(ABSTENTION),
            data["question_date"],
            f"{self.at}/question_date",
        )
        return (question,)

    def evidence_of(self, question: HistoryQuestion) -> tuple[HistoryTurn, ...]:
        """See ``History``: the turns of its sessions."""
        ids = {name for _, name in question.evidence}
        return tuple(turn for each in self.sessions if each.id in ids for turn in each.turns)

    @property
    def evidence_ids(self) -> frozenset[str]:
        """See ``History``."""
        return frozenset(self.ids)

    @property
    def speakers(self) -> tuple[str, ...]:
        """See ``History``."""
        return ROLES


class LongMemEval(MemorySet[Haystack]):
    """The questions of a file, each with its history."""

    @property
    def shared_ids(self) -> frozenset[str]:
        """The ids that several questions have."""
        counts = Counter(history.question.id for history in self.histories)
        return frozenset(name for name, count in counts.items() if count > 1)


def longmemeval_view(items: Sequence[tuple[str, Any]]) -> LongMemEval:
    """The view of questions that the schema accepts, each with its pointer."""
    return LongMemEval(tuple(Haystack(at, data) for at, data in items))
