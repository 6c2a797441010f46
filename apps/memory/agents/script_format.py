"""Scripts of agents: how their files are recognized."""

from __future__ import annotations

from typing import Any

from evalmark.schemas.files import Schema, read
from evalmark.validator.formats.shared.json_format import JsonFormat

_SCHEMA = __file__.replace("script_format.py", "agent-script.schema.json")


class ScriptFormat(JsonFormat):
    """Scripts of agents."""

    def schema(self) -> Schema:
        """The schema, which lies next to this module."""
        return read(_SCHEMA)

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
