"""What an endpoint answered: a reply, an error of this reply, or a refusal of every request."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from evalmark.schemas.errors import AgentError
from evalmark.validator.edge.escaping import shown

#: Status codes after which a request is repeated.
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Status codes that stay the same whatever is asked.
REFUSED = frozenset({401, 402, 403, 404, 405, 407, 415, 451})
#: Codes of errors that stay the same whatever is asked.
REFUSED_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "invalid_api_key", "model_not_found",
     "unsupported_parameter", "unsupported_value"}
)  # fmt: skip
#: Characters of an endpoint's own words that are shown.
SHOWN = 300

_TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum context|prompt is too long|too many (input )?tokens",
    re.IGNORECASE,
)
_OF_CONTENT = re.compile(r"moderat|flagged|content.?(filter|policy|management)", re.IGNORECASE)


class HttpAnswer(NamedTuple):
    """What came back from an endpoint."""

    code: int
    reason: str
    retry_after: str | None
    location: str | None
    content: bytes


class Complaint(NamedTuple):
    """An answer that is not a reply.

    Attributes:
        text: Status, and the endpoint's own words.
        repeat: Whether the same request may succeed later.
        too_long: Whether the messages do not fit into the model's context.
        always: Whether every request will be refused.
    """

    text: str
    repeat: bool
    too_long: bool
    always: bool


def complaint_of(answer: HttpAnswer, secret: str | None) -> Complaint:
    """What is wrong with a request, in the endpoint's own words, without the key."""
    words, error = _own_words(answer.content)
    if secret:
        words = words.replace(secret, "…")
    status = shown(f"{answer.code} {answer.reason}".strip())
    if 300 <= answer.code < 400:
        where = shown((answer.location or "another URL")[:SHOWN])
        return Complaint(f"{status}: redirects to {where}, which is not followed; name that URL",
                         repeat=False, too_long=False, always=True)  # fmt: skip
    codes = {str(error.get(key)) for key in ("code", "type")}
    too_long = answer.code in (400, 413, 422) and (
        "context_length_exceeded" in codes or bool(_TOO_LONG.search(words))
    )
    parameter = error.get("param")
    names_parameter = isinstance(parameter, str) and not parameter.startswith("messages")
    always = (
        answer.code in REFUSED
        or bool(codes & REFUSED_CODES)
        or (answer.code in (400, 422) and names_parameter)
    )
    of_content = bool(_OF_CONTENT.search(words)) and answer.code not in (401, 402, 404)
    return Complaint(
        f"{status}: {words}" if words else status,
        repeat=answer.code in RETRIED and not always,
        too_long=too_long,
        always=always and not too_long and not of_content,
    )


def _own_words(content: bytes) -> tuple[str, Mapping[str, Any]]:
    """The message of an error, in one line, and the object that holds it."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _line(re.sub(rb"<[^>]*>", b" ", content[:20_000]).decode("utf-8", "replace")), {}
    if isinstance(data, list) and data:  # some endpoints put it into a list
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return _line(error if isinstance(error, str) else ""), {}
    said = next((error[k] for k in ("message", "detail", "msg") if error.get(k)), "")
    return _line(said if isinstance(said, str) else json.dumps(said)), error


def _line(text: str) -> str:
    line = " ".join(text.split())
    return shown(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")


def reply_of(data: Any) -> tuple[str, str]:
    """The text of a reply, and the thoughts that are sent beside it.

    Raises:
        AgentError: There is no reply, it is empty, or it was cut. The caller adds who answered.
    """
    try:
        choice = data["choices"][0]
        message = choice["message"]
        text, reason = message["content"], choice.get("finish_reason")
        refusal = message.get("refusal")
    except (LookupError, TypeError, AttributeError) as error:
        said, _ = _own_words(json.dumps(data).encode()) if isinstance(data, dict) else ("", {})
        raise AgentError(f"answered without a reply: {said or repr(error)}") from error
    because = f" (finish_reason {_line(str(reason))})" if reason else ""
    if reason == "length":
        raise AgentError(f"cut the reply at the maximum number of tokens{because}")
    if reason == "content_filter":
        raise AgentError(f"withheld the reply{because}")
    text, thoughts = _without_parts(text)
    beside = next((message[key] for key in _THOUGHTS if isinstance(message.get(key), str)), "")
    thoughts = beside or thoughts
    if text is not None and not isinstance(text, str):
        raise AgentError("answered with a reply that is not text")
    if not (text or "").strip():
        why = f": {_line(refusal)}" if isinstance(refusal, str) and refusal else because
        only = " after thoughts" if thoughts else ""
        raise AgentError(f"answered with an empty reply{only}{why}")
    # JSON can hold half a character.
    found = [part.encode("utf-8", "replace").decode("utf-8") for part in (str(text), thoughts)]
    return found[0], found[1]


#: The fields of a message in which servers send thoughts.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


def _without_parts(content: Any) -> tuple[Any, str]:
    """A content that comes in parts, as text and thoughts; any other content as it is."""
    if not (isinstance(content, list) and all(isinstance(part, dict) for part in content)):
        return content, ""
    texts: dict[bool, list[str]] = {False: [], True: []}
    for part in content:
        kind = str(part.get("type"))
        if kind not in ("text", "thinking", "reasoning"):
            return content, ""
        inner = part.get(kind, part.get("text"))
        whole, _ = _without_parts(inner) if isinstance(inner, list) else (inner, "")
        texts[kind != "text"].append(whole if isinstance(whole, str) else "")
    return "".join(texts[False]), "\n".join(texts[True])


def retry_after(header: str | None, otherwise: float) -> float:
    """Seconds to wait by a header that says how many, or until when."""
    try:
        seconds = float(header or "")
    except ValueError:
        try:
            at = parsedate_to_datetime(header or "")
            seconds = at.timestamp() - time.time()
        except (ValueError, OverflowError):
            return otherwise
    return max(seconds, 0.0) if math.isfinite(seconds) else otherwise
