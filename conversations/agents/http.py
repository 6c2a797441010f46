"""Models behind an HTTP endpoint with OpenAI's chat completions API."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit
from weakref import finalize

from evalmark.conversations.agents.agents import Completion, Message
from evalmark.conversations.evaluation.texts import about_tokens
from evalmark.schemas.errors import AgentError, ScoringError
from evalmark.schemas.extras import require

if TYPE_CHECKING:
    import httpx

#: Status codes after which a request is repeated.
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Seconds.
LONGEST_PAUSE = 30.0
#: Bytes of an answer.
MAX_ANSWER = 16 << 20
KEY = "OPENAI_API_KEY"


@dataclass(eq=False)
class HttpCompleter:
    """A model behind an endpoint.

    The key is read from the environment for each request. No message, log or record holds it.

    Raises:
        ScoringError: The URL holds a name or a password, or it is not one.
    """

    url: str  # up to `/v1`; `/chat/completions` is added
    model: str  # the endpoint's name of the model
    key: str = KEY  # environment variable that holds the key; it may be unset
    window: int | None = None  # tokens that the model can read and write together
    prices: tuple[float, float] = (0.0, 0.0)  # US dollars per million tokens, read and written
    timeout: float = 120.0  # seconds for one attempt, from the connection to the last byte
    attempts: int = 5
    pause: float = 1.0  # seconds before the second attempt; doubled after each attempt

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ScoringError(f"{self.url!r} is not the URL of an endpoint")
        if parts.username or parts.password or parts.query:
            raise ScoringError("a key belongs in the environment, not in the URL")
        require("httpx")
        self._url = f"{self.url.rstrip('/')}/chat/completions"
        self._host = parts.hostname
        self._client: httpx.Client | None = None

    @property
    def about(self) -> Mapping[str, str]:
        """The model and the host; no key."""
        return {"kind": "HttpChat", "model": self.model, "host": self._host}

    def count(self, text: str) -> int:
        """An estimate: the endpoint's tokenizer is not known."""
        return about_tokens(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """Ask the endpoint; repeat the request where that can help."""
        body = {
            "model": self.model,
            "messages": list(messages),
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        data = self._posted(body)
        try:
            text = data["choices"][0]["message"]["content"]
            usage = data.get("usage") or {}
            read, written = (
                int(usage.get("prompt_tokens", 0)),
                int(usage.get("completion_tokens", 0)),
            )
            cost = (read * self.prices[0] + written * self.prices[1]) / 1e6
        except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise AgentError(f"{self._host} answered without a reply: {error!r}") from error
        if text is None:
            text = ""  # a model that was stopped before it said anything
        if not isinstance(text, str):
            raise AgentError(f"{self._host} answered with a reply that is not text")
        return Completion(_sound(text), read, written, cost)

    def _posted(self, body: Mapping[str, Any]) -> Any:
        import httpx

        pause, said = self.pause, ""
        for attempt in range(1, self.attempts + 1):
            wait = pause
            try:
                answer = self._attempt(body)
                if answer.code == httpx.codes.OK:
                    return json.loads(answer.content)
                said = f"{answer.code} {answer.reason}"
                if answer.code not in RETRIED:
                    break
                wait = retry_after(answer.retry_after, pause)
            except httpx.HTTPError as error:
                said = type(error).__name__
            except AgentError:
                raise
            except (ValueError, RecursionError):
                raise AgentError(f"{self._host} answered without JSON") from None
            if attempt < self.attempts:
                time.sleep(min(wait, LONGEST_PAUSE))
                pause *= 2
        raise AgentError(f"{self._host} does not reply: {said}")

    def _attempt(self, body: Mapping[str, Any]) -> _Answer:
        """One request. In a thread, since httpx limits the time of each read, not of all of them.

        Raises:
            HTTPError: There is no answer, or not in time.
            AgentError: The answer is too large.
        """
        import httpx

        if self._client is None:  # one for all replies: connections are kept
            self._client = httpx.Client(timeout=self.timeout)
            finalize(self, self._client.close)
        client, done = self._client, SimpleQueue[_Answer | Exception]()

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

    def _asked(self, client: httpx.Client, body: Mapping[str, Any]) -> _Answer:
        key = os.environ.get(self.key)
        # Nothing compressed: a small answer could then fill the memory.
        headers = {"Accept-Encoding": "identity"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        with client.stream("POST", self._url, json=body, headers=headers) as answer:
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise AgentError(f"{self._host} sent a compressed reply, which was not requested")
            content = bytearray()
            for part in answer.iter_raw():
                content += part
                if len(content) > MAX_ANSWER:
                    raise AgentError(
                        f"{self._host} sent a reply larger than {MAX_ANSWER >> 20} MiB"
                    )
        wait = answer.headers.get("retry-after")
        return _Answer(answer.status_code, answer.reason_phrase, wait, bytes(content))


class _Answer(NamedTuple):
    """What came back from an endpoint."""

    code: int
    reason: str
    retry_after: str | None
    content: bytes


def _sound(text: str) -> str:
    """A text that can be written as UTF-8: JSON can hold halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8")


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
