"""Models behind an HTTP endpoint with OpenAI's chat completions API.

A request has the fields ``model``, ``messages``, ``temperature`` and ``max_tokens``. An endpoint
answers with a reply, an error of this reply, or a refusal of every request:

- 408, 409, 425, 429, 5xx, no connection: the request is repeated up to four times, with growing
  pauses, or after ``Retry-After`` (seconds or a date)
- 401, 402, 403, 404, a parameter that it does not accept, a redirect, no credit, a ``Retry-After``
  of more than a minute: the run stops with the endpoint's own words, and the same command resumes
- the messages are longer than the model's context: an error of this test; messages as long are not
  sent again. State the window, so that the oldest turns are left out
- no complete answer in ``timeout`` seconds, twice: an error of this reply
- an answer without JSON, or without choices: as a cut one, the request is repeated
- an answer above 16 MiB, a compressed one, an empty reply, ``content: null``,
  a refusal, a reply that was cut (``finish_reason`` ``length`` or ``content_filter``): an error of
  this reply, not an answer that scores 0
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

from evalmark.memory.agents.agent import Completion, Message
from evalmark.memory.agents.endpoint_keys import endpoint_parts, host_of, is_here, key_of
from evalmark.memory.evaluation.texts import about_tokens
from evalmark.schemas.errors import AgentError, AgentRefused, ScoringError, require
from evalmark.validator.io.escaping import shown

if TYPE_CHECKING:
    import httpx


#: Status codes after which a request is repeated.
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Status codes that stay the same whatever is asked.
REFUSED = frozenset({401, 402, 403, 404, 405, 407, 415, 451})
#: Codes of errors that stay the same whatever is asked.
REFUSED_CODES = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "invalid_api_key",
        "model_not_found",
        "unsupported_parameter",
        "unsupported_value",
    }
)
#: Characters of an endpoint's own words that are shown.
SHOWN = 300

_TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum context|prompt is too long|too many (input )?tokens",
    re.IGNORECASE,
)
_OF_CONTENT = re.compile(r"moderat|flagged|content.?(filter|policy|management)", re.IGNORECASE)


class HttpAnswer(NamedTuple):
    """The answer of an endpoint."""

    code: int
    reason: str
    retry_after: str | None
    location: str | None
    content: bytes


class Complaint(NamedTuple):
    """An answer that is not a reply."""

    text: str  # status, and the endpoint's own words
    repeat: bool  # whether the same request may succeed later
    too_long: bool  # whether the messages do not fit into the model's context
    always: bool  # whether every request will be refused


def complaint_of(answer: HttpAnswer, secret: str | None) -> Complaint:
    """The mistake in a request, in the endpoint's own words, without the key."""
    words, error = _own_words(answer.content)
    if secret:
        words = words.replace(secret, "…")
    status = shown(f"{answer.code} {answer.reason}".strip())
    if 300 <= answer.code < 400:
        where = shown(answer.location or "another URL")[:SHOWN]
        return Complaint(
            f"{status}: redirects to {where}, which is not followed; name that URL",
            repeat=False,
            too_long=False,
            always=True,
        )
    codes = {str(error.get(key)) for key in ("code", "type")}
    too_long = answer.code in (400, 413, 422) and (
        "context_length_exceeded" in codes or bool(_TOO_LONG.search(words))
    )
    always = _is_refused(answer.code, codes, error.get("param"))
    of_content = bool(_OF_CONTENT.search(words)) and answer.code not in (401, 402, 404)
    return Complaint(
        f"{status}: {words}" if words else status,
        repeat=answer.code in RETRIED and not always,
        too_long=too_long,
        always=always and not too_long and not of_content,
    )


def _is_refused(code: int, codes: set[str], parameter: object) -> bool:
    """True if all requests are refused: by status, by code, or for a parameter they all have."""
    if code in REFUSED or codes & REFUSED_CODES:
        return True
    is_common = isinstance(parameter, str) and not parameter.startswith("messages")
    return code in (400, 422) and is_common


def _own_words(content: bytes) -> tuple[str, Mapping[str, Any]]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _line(re.sub(rb"<[^>]*>", b" ", content[:20_000]).decode("utf-8", "replace")), {}
    if isinstance(data, list) and data:  # some endpoints put it into a list
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return _line(error if isinstance(error, str) else ""), {}
    text = next((error[k] for k in ("message", "detail", "msg") if error.get(k)), "")
    return _line(text if isinstance(text, str) else json.dumps(text)), error


def _line(text: str) -> str:
    line = " ".join(text.split())
    return shown(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")


def reply_of(data: Any) -> tuple[str, str]:
    """The text of a reply, and the thoughts that are sent beside it.

    An AgentError if there is no reply, it is empty, or it was cut; the caller adds who answered.
    """
    message, text, reason, refusal = _message_of(data)
    because = f" (finish_reason {_line(str(reason))})" if reason else ""
    if isinstance(reason, str) and reason in _UNFINISHED:
        raise AgentError(f"{_UNFINISHED[reason]}{because}")
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
    parts = [part.encode("utf-8", "replace").decode("utf-8") for part in (str(text), thoughts)]
    return parts[0], parts[1]


#: Reason for which a reply ended -> what is wrong with it.
_UNFINISHED = {
    "length": "cut the reply at the maximum number of tokens",
    "content_filter": "withheld the reply",
}


def _message_of(data: Any) -> tuple[Mapping[str, Any], object, object, object]:
    """The message of a response, its content, the reason for which it ended, and a refusal."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        return message, message["content"], choice.get("finish_reason"), message.get("refusal")
    except (LookupError, TypeError, AttributeError) as error:
        words, _ = _own_words(json.dumps(data).encode()) if isinstance(data, dict) else ("", {})
        raise AgentError(f"answered without a reply: {words or repr(error)}") from error


#: The fields of a message in which servers send thoughts.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


def _without_parts(content: object) -> tuple[object, str]:
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


#: Seconds: the longest pause that an endpoint can ask for, and the longest of ours.
LONGEST_PAUSE = 60.0
#: Bytes of an answer.
MAX_ANSWER = 16 << 20
#: Requests that may run out of time before the reply is given up.
TIMEOUTS = 2
#: Status codes of an endpoint that has too much to do.
BUSY = frozenset({429, 503, 529})
#: Pauses that an endpoint asks for before one reply is given up; other attempts are counted apart.
PAUSES = 50
#: The field that limits the tokens of a reply.
MAX_TOKENS = "max_tokens"
#: Fields that cannot be set: the reply would not be that of the run.
OWN_FIELDS = ("model", "messages", "stream", "n")


@dataclass(eq=False)
class Pace:
    """The pause that an endpoint has asked for, which all requests to it keep."""

    until: float = 0.0  # of the monotonic clock

    def hold(self, seconds: float) -> None:
        """Pause all requests for so many seconds from now."""
        self.until = max(self.until, monotonic() + seconds)

    @property
    def rest(self) -> float:
        """Seconds until the pause ends; 0 if there is none."""
        return max(self.until - monotonic(), 0.0)


@dataclass(eq=False)
class HttpCompleter:
    """A model behind an endpoint.

    The key is read from the environment for each request. No message, log or record holds it, and
    it is sent to the host that it was given for only; see ``key_of``.

    Raises:
        ScoringError: The URL holds a name or a password, or it is not one; a field of the body
            cannot be set; or a key would be sent unencrypted.
    """

    url: str  # up to `/v1`; `/chat/completions` is added
    model: str  # the endpoint's name of the model
    key: str | None = None  # environment variable that holds the key; it may be unset
    window: int | None = None  # tokens that the model can read and write together
    prices: tuple[float, float] | None = None  # US dollars per million tokens, read and written
    body: Mapping[str, object] = field(default_factory=dict)  # more fields; None removes one
    timeout: float = 120.0  # seconds for one attempt, from the connection to the last byte
    attempts: int = 5
    pause: float = 1.0  # seconds before the second attempt; doubled after each attempt
    pace: Pace = field(default_factory=Pace, repr=False)  # shared by all requests

    def __post_init__(self) -> None:
        parts = endpoint_parts(self.url)
        if parts.username or parts.password or parts.query:
            raise ScoringError("a key belongs in the environment, not in the URL")
        for name in OWN_FIELDS:
            if name in self.body:
                raise ScoringError(f"the field {name!r} of a request cannot be set")
        require("httpx")
        self._url = f"{self.url.rstrip('/')}/chat/completions"
        self._host = str(parts.hostname)
        self._key = key_of(self.url, self.key)
        self._client: httpx.Client | None = None  # its connection is kept
        self._refused = ""  # why every request is refused
        self._too_long: tuple[int, str] | None = None  # characters that did not fit, and the error

    @property
    def about(self) -> Mapping[str, str]:
        """The model, the host, and fields of requests that are not the usual ones; no key."""
        more = {"body": json.dumps(self.body, sort_keys=True)} if self.body else {}
        return {"kind": "HttpChat", "model": self.model, "host": self._host, **more}

    def count(self, text: str) -> int:
        """An estimate: the endpoint's tokenizer is not known."""
        return about_tokens(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """Ask the endpoint; repeat the request where that can help.

        Raises:
            AgentRefused: It refuses every request. It is asked once, and then never again.
            AgentError: There is no reply, or it is empty or was cut. Messages as long as those that
                did not fit into the model's context are not sent again.
        """
        if self._refused:
            raise AgentRefused(self._refused)
        size = sum(len(message["content"]) for message in messages)
        if self._too_long is not None and size >= self._too_long[0]:
            raise AgentError(self._too_long[1])
        body = {"model": self.model, "messages": list(messages), "temperature": temperature}
        body[MAX_TOKENS] = max_tokens
        body = {key: value for key, value in {**body, **self.body}.items() if value is not None}
        data = self._post(body, size)
        try:
            usage = data.get("usage") or {} if isinstance(data, dict) else {}
            read, written = (
                int(usage.get("prompt_tokens", 0)),
                int(usage.get("completion_tokens", 0)),
            )
            cost = None
            if self.prices is not None:
                cost = (read * self.prices[0] + written * self.prices[1]) / 1e6
            text, thoughts = reply_of(data)
            request = data.get("id")
            name = request if isinstance(request, str) else ""
            return Completion(text, read, written, cost, thoughts, request=name)
        except AgentError as error:
            raise AgentError(f"{self._host} {error}") from error
        except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise AgentError(f"{self._host} answered without a reply: {error!r}") from error

    def _post(self, body: Mapping[str, object], size: int) -> Any:
        import httpx

        pause, reason, timeouts, pauses, attempt = self.pause, "", 0, 0, 0
        if rest := self.pace.rest:
            sleep(rest)
        while attempt < self.attempts:
            attempt += 1
            wait = pause
            try:
                answer = self._attempt(body)
                if answer.code == httpx.codes.OK:
                    return _data_of(answer.content)
                complaint = complaint_of(answer, self._key.value)
                reason = complaint.text
                self._give_up(complaint, size)
                if not complaint.repeat:
                    break
                wait = retry_after(answer.retry_after, pause)
                if self._pauses(answer, wait, reason) and pauses < PAUSES:
                    # Busy with other requests: this attempt does not count.
                    attempt, pause, pauses = attempt - 1, pause / 2, pauses + 1
            except httpx.TimeoutException:
                timeouts += 1
                reason = f"no complete answer in {self.timeout:g} seconds"
                attempt = attempt if timeouts < TIMEOUTS else self.attempts  # that was the last
            except (httpx.HTTPError, ValueError) as error:
                if isinstance(error, AgentError):
                    raise
                reason = str(error) if isinstance(error, ValueError) else type(error).__name__
            if attempt < self.attempts:
                sleep(max(min(wait, LONGEST_PAUSE), self.pace.rest))
                pause *= 2
        raise AgentError(f"{self._host} does not reply: {reason}")

    def _give_up(self, complaint: Complaint, size: int) -> None:
        """Remember a request that will fail again; other complaints return.

        Raises AgentError if it is too long, an AgentRefused if all are refused.
        """
        if complaint.too_long:
            self._too_long = (size, f"{self._host}: {complaint.text}")
            raise AgentError(self._too_long[1])
        if complaint.always:
            self._refuse(f"{self._host} refuses: {complaint.text}")

    def _pauses(self, answer: HttpAnswer, wait: float, reason: str) -> bool:
        """Pause all requests, if the endpoint asks for that; True if it is busy.

        Raises AgentRefused if the pause is too long.
        """
        if not answer.retry_after:
            return False
        if wait > LONGEST_PAUSE:
            self._refuse(f"{self._host}: {reason}: it asks to wait {wait:g} seconds")
        self.pace.hold(wait)
        return wait > 0 and answer.code in BUSY

    def _refuse(self, why: str) -> None:
        self._refused = why
        raise AgentRefused(why)

    def _attempt(self, body: Mapping[str, object]) -> HttpAnswer:
        """One request, in a thread: httpx limits the time of each read, not of all of them."""
        import httpx

        if self._client is None:
            # No proxy of the environment between this machine and itself: it would read the key.
            direct = httpx.HTTPTransport() if is_here(host_of(self.url)) else None
            self._client = httpx.Client(
                timeout=self.timeout, follow_redirects=False, transport=direct
            )
            finalize(self, self._client.close)
        client, done = self._client, SimpleQueue[HttpAnswer | Exception]()

        def ask() -> None:
            try:
                done.put(self._request(client, body))
            except Exception as error:
                done.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            answer = done.get(timeout=self.timeout)
        except Empty:
            client.close()
            self._client = None
            raise httpx.ReadTimeout("not in time") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _request(self, client: httpx.Client, body: Mapping[str, object]) -> HttpAnswer:
        key = self._key.value
        # Nothing compressed: a small answer could then fill the memory.
        headers = {"Accept-Encoding": "identity"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        with client.stream("POST", self._url, json=body, headers=headers) as answer:
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise AgentError(f"{self._host} sent a compressed reply, which was not requested")
            content = bytearray()
            self._require_small(_number(answer.headers.get("content-length")))
            for part in answer.iter_raw():
                content += part
                self._require_small(len(content))
        wait, location = answer.headers.get("retry-after"), answer.headers.get("location")
        return HttpAnswer(answer.status_code, answer.reason_phrase, wait, location, bytes(content))

    def _require_small(self, size: int) -> None:
        if size > MAX_ANSWER:
            raise AgentError(f"{self._host} sent a reply larger than {MAX_ANSWER >> 20} MiB")


def _data_of(content: bytes) -> Any:
    """The data of an answer.

    Raises ValueError if it is not JSON (the page of a gateway, say) or has no choices.
    """
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        kind = "an HTML page" if content.lstrip()[:1] == b"<" else "an answer that is not JSON"
        raise ValueError(f"{kind}, with status 200") from None
    if isinstance(data, dict) and data.get("choices") == []:
        raise ValueError("an answer without choices, with status 200")
    return data


def _number(header: str | None) -> int:
    return int(header) if header and header.isascii() and header.isdigit() else 0
