"""Scripts of agents: how their files are recognized."""

from __future__ import annotations

from functools import partial
from typing import Any

from evalmark.schemas.files import read_schema
from evalmark.validator.format import Format
from evalmark.validator.formats.shared.json_checks import JsonChecks

_SCHEMA = __file__.replace("script_format.py", "agent-script.schema.json")


def _has_script_keys_only(data: dict[str, Any]) -> bool:
    is_script = data.keys() <= {"replies", "default"}
    return is_script and ("replies" in data or isinstance(data["default"], str))  # no lone object


AGENT_SCRIPT = Format(
    "agent-script",
    "an object of just `replies`, which has a reply for each message, and `default`",
    "LT",
    (frozenset(("replies",)),),
    JsonChecks,
    schema=partial(read_schema, _SCHEMA),
    common_keys=(frozenset(("default",)),),
    values_match=_has_script_keys_only,
)
