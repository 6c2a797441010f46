"""Models behind an HTTP endpoint with OpenAI's chat completions API."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from evalmark.conversations.agents.agents import Completion, Message, about_tokens
from evalmark.schemas.errors import AgentError, ScoringError
from evalmark.schemas.extras import require

if TYPE_CHECKING:
    import httpx

#: Status codes after which a request is repeated.
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Seconds.
LONGEST_PAUSE = 30.0
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
    timeout: float = 120.0  # seconds for one attempt
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
            read, written = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
            cost = (read * self.prices[0] + written * self.prices[1]) / 1e6
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise AgentError(f"{self._host} answered without a reply: {error!r}") from error
        if text is None:
            text = ""  # a model that was stopped before it said anything
        if not isinstance(text, str):
            raise AgentError(f"{self._host} answered with a reply that is not text")
        return Completion(text, int(read), int(written), float(cost))

    def _posted(self, body: Mapping[str, Any]) -> Any:
        import httpx

        if self._client is None:  # one for all replies: connections are kept
            self._client = httpx.Client(timeout=self.timeout)
        key = os.environ.get(self.key)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        pause, said = self.pause, ""
        for attempt in range(1, self.attempts + 1):
            wait = pause
            try:
                answer = self._client.post(self._url, json=body, headers=headers)
                if answer.status_code == httpx.codes.OK:
                    return answer.json()
                said = f"{answer.status_code} {answer.reason_phrase}"
                if answer.status_code not in RETRIED:
                    break
                wait = _retry_after(answer.headers.get("retry-after"), pause)
            except httpx.HTTPError as error:
                said = type(error).__name__
            except ValueError:
                raise AgentError(f"{self._host} answered without JSON") from None
            if attempt < self.attempts:
                time.sleep(min(wait, LONGEST_PAUSE))
                pause *= 2
        raise AgentError(f"{self._host} does not reply: {said}")


def _retry_after(header: str | None, otherwise: float) -> float:
    try:
        return max(float(header or ""), 0.0)
    except ValueError:
        return otherwise
