"""Models behind an HTTP endpoint with OpenAI's chat completions API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any
from weakref import finalize

from evalmark.conversations.agents.agents import Completion, Message
from evalmark.conversations.agents.endpoint_answers import (
    Complaint,
    HttpAnswer,
    complaint_of,
    reply_of,
    retry_after,
)
from evalmark.conversations.agents.keys import endpoint_parts, host_of, is_here, key_of
from evalmark.conversations.evaluation.texts import about_tokens
from evalmark.schemas.errors import AgentError, AgentRefused, ScoringError, require

if TYPE_CHECKING:
    import httpx

#: Seconds: the longest pause that an endpoint can ask for, and the longest of ours.
LONGEST_PAUSE = 60.0
#: Bytes of an answer.
MAX_ANSWER = 16 << 20
#: Requests that may run out of time before the reply is given up.
TIMEOUTS = 2
#: The field that limits the tokens of a reply, unless the endpoint wants another.
MAX_TOKENS = "max_tokens"
#: Fields that cannot be set: the reply would not be that of the run.
OWN_FIELDS = ("model", "messages", "stream", "n")


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
    prices: tuple[float, float] = (0.0, 0.0)  # US dollars per million tokens, read and written
    max_tokens_field: str | None = MAX_TOKENS  # the field of the limit; None: send no limit
    body: Mapping[str, Any] = field(default_factory=dict)  # more fields; None removes one
    timeout: float = 120.0  # seconds for one attempt, from the connection to the last byte
    attempts: int = 5
    pause: float = 1.0  # seconds before the second attempt; doubled after each attempt

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
        self._client: httpx.Client | None = None
        self._refused = ""  # why every request is refused
        self._too_long: tuple[int, str] | None = None  # characters that did not fit, and the error

    @property
    def about(self) -> Mapping[str, str]:
        """The model, the host, and fields of requests that are not the usual ones; no key."""
        named = self.max_tokens_field
        limit = {} if named == MAX_TOKENS else {"max_tokens_field": named or "none"}
        more = {"body": json.dumps(self.body, sort_keys=True)} if self.body else {}
        return {"kind": "HttpChat", "model": self.model, "host": self._host, **limit, **more}

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
        if self.max_tokens_field:
            body[self.max_tokens_field] = max_tokens
        body = {key: value for key, value in {**body, **self.body}.items() if value is not None}
        data = self._posted(body, size)
        try:
            usage = data.get("usage") or {} if isinstance(data, dict) else {}
            read, written = (
                int(usage.get("prompt_tokens", 0)),
                int(usage.get("completion_tokens", 0)),
            )
            cost = (read * self.prices[0] + written * self.prices[1]) / 1e6
            text, thoughts = reply_of(data)
            return Completion(text, read, written, cost, thoughts)
        except AgentError as error:
            raise AgentError(f"{self._host} {error}") from error
        except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise AgentError(f"{self._host} answered without a reply: {error!r}") from error

    def _posted(self, body: Mapping[str, Any], size: int) -> Any:
        import httpx

        pause, said, timeouts = self.pause, "", 0
        for attempt in range(1, self.attempts + 1):
            wait = pause
            try:
                answer = self._attempt(body)
                if answer.code == httpx.codes.OK:
                    return json.loads(answer.content)
                found = complaint_of(answer, self._key.value)
                said = found.text
                self._give_up(found, size)
                if not found.repeat:
                    break
                wait = retry_after(answer.retry_after, pause)
                if wait > LONGEST_PAUSE and answer.retry_after:
                    self._refuse(f"{self._host}: {said}: it asks to wait {wait:g} seconds")
            except httpx.TimeoutException:
                timeouts += 1
                said = f"no complete answer in {self.timeout:g} seconds"
                if timeouts == TIMEOUTS:
                    break
            except httpx.HTTPError as error:
                said = type(error).__name__
            except AgentError:
                raise
            except (ValueError, RecursionError):
                raise AgentError(f"{self._host} answered without JSON") from None
            if attempt < self.attempts:
                sleep(min(wait, LONGEST_PAUSE))
                pause *= 2
        raise AgentError(f"{self._host} does not reply: {said}")

    def _give_up(self, found: Complaint, size: int) -> None:
        """Remember what would be asked in vain.

        Raises:
            AgentError: The messages are too long.
            AgentRefused: Every request is refused.
        """
        if found.too_long:
            self._too_long = (size, f"{self._host}: {found.text}")
            raise AgentError(self._too_long[1])
        if found.always:
            self._refuse(f"{self._host} refuses: {found.text}")

    def _refuse(self, why: str) -> None:
        self._refused = why
        raise AgentRefused(why)

    def _attempt(self, body: Mapping[str, Any]) -> HttpAnswer:
        """One request. In a thread, since httpx limits the time of each read, not of all of them.

        Raises:
            HTTPError: There is no answer, or not in time.
            AgentError: The answer is too large.
        """
        import httpx

        if self._client is None:  # one for all replies: connections are kept
            # No proxy of the environment between this machine and itself: it would read the key.
            direct = httpx.HTTPTransport() if is_here(host_of(self.url)) else None
            self._client = httpx.Client(
                timeout=self.timeout, follow_redirects=False, transport=direct
            )
            finalize(self, self._client.close)
        client, done = self._client, SimpleQueue[HttpAnswer | Exception]()

        def ask() -> None:
            try:
                done.put(self._asked(client, body))
            except Exception as error:
                done.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            found = done.get(timeout=self.timeout)
        except Empty:
            client.close()
            self._client = None
            raise httpx.ReadTimeout("not in time") from None
        if isinstance(found, Exception):
            raise found
        return found

    def _asked(self, client: httpx.Client, body: Mapping[str, Any]) -> HttpAnswer:
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


def _number(header: str | None) -> int:
    return int(header) if header and header.isascii() and header.isdigit() else 0
