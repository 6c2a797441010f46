"""Memory sets, answers to them, scripts of agents: how their files are recognized."""

from __future__ import annotations

from typing import Any

from evalmark.validator.format import Format, LightFormat
from evalmark.validator.formats.shared.json_format import JsonFormat


class MemoryFormat(LightFormat):
    """Sets of histories and questions, and answers."""

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.memory.formats.memory_checks import AnswersChecks, MemorySetChecks

        return AnswersChecks if self.has_rows else MemorySetChecks


class ScriptFormat(JsonFormat):
    """Scripts of agents."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object has no other keys than a script; a default alone is a text."""
        has_script_keys = data.keys() <= {"replies", "default"}
        return has_script_keys and ("replies" in data or isinstance(data["default"], str))


AGENT_SCRIPT = ScriptFormat(
    "agent-script",
    "an object of just `replies`, which has a reply for each message, and `default`",
    "LT",
    (frozenset(("replies",)),),
    common_signs=(frozenset(("default",)),),
)
MEMORY_SET = MemoryFormat(
    "memory-set",
    "an object with `memory_set` and `histories`",
    "MT",
    (frozenset(("memory_set", "histories")),),
    (frozenset(("memory_set",)), frozenset(("name", "histories"))),
)
LOCOMO = MemoryFormat(
    "locomo",
    "an object with `qa` and sessions (LoCoMo), or a list of them",
    "MT",
    (
        frozenset(("qa", "conversation")),
        frozenset(("qa", "speaker_a")),
        frozenset(("qa", "session_1")),
    ),
    in_lists=True,
)
LONGMEMEVAL = MemoryFormat(
    "longmemeval",
    "a list of objects with `question_id` and `haystack_sessions` (LongMemEval)",
    "MT",
    (
        frozenset(("question_id", "haystack_sessions")),
        frozenset(("question", "haystack_sessions")),
    ),
    in_lists=True,
)
ANSWERS = MemoryFormat(
    "longmemeval-answers",
    "an object with `question_id` and `hypothesis`; one per line in .jsonl",
    "MT",
    (frozenset(("question_id", "hypothesis")),),
    has_rows=True,
)
