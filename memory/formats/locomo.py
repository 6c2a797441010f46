"""LoCoMo conversations as rules and scoring see them, the same in both layouts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

from evalmark.memory.formats.history import (
    History,
    HistoryQuestion,
    HistoryTurn,
    MemorySet,
    Session,
)
from evalmark.memory.formats.memory_dates import LOCOMO_DATES
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key

#: The category of questions that the conversation does not answer.
ADVERSARIAL = 5
CATEGORIES = range(1, 6)

_SESSION = re.compile(r"session_([1-9][0-9]*)")
_DATE = re.compile(r"session_([1-9][0-9]*)_date_time")
#: The ``dia_id`` of a turn: the numbers of its session and of itself.
TURN_ID = re.compile(r"D([1-9][0-9]*):([1-9][0-9]*)")
_SPEAKERS = ("speaker_a", "speaker_b")
_SHOWN = ("blip_caption", "query")


class LocomoHistory(History):
    """A conversation of two people."""

    dates = LOCOMO_DATES
    text_key = "text"
    speaker_key = "speaker"

    @cached_property
    def conversation(self) -> tuple[str, dict[str, Any]]:
        """Pointer and object that hold the sessions: the whole, or ``conversation``."""
        if "conversation" in self.data:
            return f"{self.at}/conversation", self.data["conversation"]
        return self.at, self.data

    @cached_property
    def dated(self) -> dict[int, str]:
        """Number -> date of each session that has one, and of those that do not exist."""
        return self._numbered(_DATE)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its sessions, in order."""
        return tuple(sorted(self._numbered(_SESSION)))

    @cached_property
    def lost(self) -> tuple[int, ...]:
        """The numbers of dates without a session, in order."""
        return tuple(sorted(self.dated.keys() - set(self.numbers)))

    def _numbered(self, key: re.Pattern[str]) -> dict[int, Any]:
        _, conversation = self.conversation
        matches = ((key.fullmatch(name), value) for name, value in conversation.items())
        return {int(match[1]): value for match, value in matches if match}

    def at_session(self, number: int) -> str:
        """The pointer of a session."""
        return f"{self.conversation[0]}/session_{number}"

    def at_date(self, number: int) -> str:
        """The pointer of the date of a session."""
        return f"{self.conversation[0]}/session_{number}_date_time"

    def misspelt(self, key: str) -> str | None:
        """The key beside the sessions that is nearly a key of theirs, if there is one."""
        kind = str if _DATE.fullmatch(key) else list
        others = (
            name
            for name, value in self.conversation[1].items()
            if isinstance(value, kind) and not (_SESSION.fullmatch(name) or _DATE.fullmatch(name))
        )
        return next((name for name in others if nearest_key(name, (key,), ())), None)

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """See ``History``."""
        return tuple(
            Session(
                self.at_session(number),
                f"session_{number}",
                self.dated.get(number),
                self.at_date(number),
                self._turns(number),
            )
            for number in self.numbers
        )

    @cached_property
    def by_number(self) -> dict[int, Session]:
        """The session of each number, in order."""
        return dict(zip(self.numbers, self.sessions, strict=True))

    def _turns(self, number: int) -> tuple[HistoryTurn, ...]:
        at = self.at_session(number)
        return tuple(
            HistoryTurn(
                f"{at}/{index}",
                turn["dia_id"],
                turn["speaker"],
                turn["text"],
                " ".join(str(turn[key]) for key in _SHOWN if key in turn),
                caption=str(turn.get("blip_caption") or ""),
            )
            for index, turn in enumerate(self.conversation[1][f"session_{number}"])
        )

    @cached_property
    def by_id(self) -> dict[str, HistoryTurn]:
        """The turn that each ``dia_id`` names, also where the turn has a wrong one."""
        turns = {turn.at: turn for turn in self.turns}
        meant = {name: turns[at] for at, name in self.misnumbered.items() if name}
        return {**meant, **{name: turns[at] for name, at in self.right.items()}}

    @cached_property
    def questions(self) -> tuple[HistoryQuestion, ...]:
        """See ``History``."""
        return tuple(self._question(index, qa) for index, qa in enumerate(self.data["qa"]))

    def _question(self, index: int, qa: dict[str, Any]) -> HistoryQuestion:
        at, answer = f"{self.at}/qa/{index}", qa.get("answer")
        return HistoryQuestion(
            at,
            "",
            qa["question"],
            None if answer is None else str(answer),
            str(int(qa["category"])),  # 4.0 is a whole number too
            tuple((f"{at}/evidence/{i}", name) for i, name in enumerate(qa["evidence"])),
            is_answerable=qa["category"] != ADVERSARIAL,
        )

    def evidence_of(self, question: HistoryQuestion) -> tuple[HistoryTurn, ...]:
        """See ``History``."""
        return tuple(self.by_id[name] for _, name in question.evidence if name in self.by_id)

    def adversarial_answer(self, question: HistoryQuestion) -> str | None:
        """The wrong answer that an adversarial question leads to."""
        answer = self.data["qa"][int(question.at.rpartition("/")[2])].get("adversarial_answer")
        return None if answer is None else str(answer)

    @property
    def misnumbered(self) -> dict[str, str | None]:
        """Pointers of turns whose ``dia_id`` is wrong -> the one that they should have, if known.

        It is wrong if it is of another session, or of two turns. Of two, the one is right that has
        the number of its place.
        """
        return self._numbering[0]

    @property
    def right(self) -> dict[str, str]:
        """``dia_id`` -> the pointer of the turn that has it by right."""
        return self._numbering[1]

    @cached_property
    def _numbering(self) -> tuple[dict[str, str | None], dict[str, str]]:
        ids = {turn.id for turn in self.turns}
        meant: dict[str, str] = {}
        right: dict[str, str] = {}
        for number, session in self.by_number.items():
            for place, turn in enumerate(session.turns, 1):
                match, expected = TURN_ID.fullmatch(turn.id), f"D{number}:{place}"
                is_of_session = match is not None and int(match[1]) == number
                before = right.get(turn.id)
                if is_of_session and before is None:
                    right[turn.id] = turn.at
                elif is_of_session and before and turn.id == expected:
                    meant[before] = f"D{number}:{int(before.rpartition('/')[2]) + 1}"
                    right[turn.id] = turn.at
                else:
                    meant[turn.at] = expected
        return {at: None if name in ids else name for at, name in meant.items()}, right

    @cached_property
    def evidence_ids(self) -> frozenset[str]:
        """See ``History``."""
        return frozenset(self.by_id)

    @property
    def speakers(self) -> tuple[str, ...]:
        """See ``History``."""
        return tuple(self.declared.values()) if len(self.declared) == len(_SPEAKERS) else ()

    @property
    def declared(self) -> dict[str, str]:
        """See ``History``."""
        names = {}
        for key in _SPEAKERS:
            for at, where in (self.conversation, (self.at, self.data)):
                if key in where:
                    names[f"{at}/{key}"] = where[key]
                    break
        return names


#: The conversations of a file.
Locomo: TypeAlias = MemorySet[LocomoHistory]


def locomo_view(items: Sequence[tuple[str, Any]]) -> Locomo:
    """The view of conversations that the schema accepts, each with its pointer."""
    return Locomo(tuple(LocomoHistory(at, data) for at, data in items))
