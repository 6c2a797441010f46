"""Models behind an HTTP endpoint with OpenAI's chat completions API."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from evalmark.conversations.agents.agents import Completion, Message, about_tokens
from evalmark.schemas.errors import AgentError, ScoringError
from evalmark.schemas.extras import require

if TYPE_CHECKING:
    import httpx

#: Status codes after which a request is repeated.
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Seconds before the second attempt; doubled after each attempt.
PAUSE = 1.0
LONGEST_PAUSE = 30.0
KEY = "OPENAI_API_KEY"


class HttpCompleter:
    """A model behind an endpoint.

    The key is read from the environment for each request. No message, log or record holds it.

    Args:
        url: URL up to ``/v1``; ``/chat/completions`` is added.
        model: The endpoint's name of the model.
        key: Name of the environment variable that holds the key; it may be unset.
        window: Context window of the model in tokens.
        timeout: Seconds for one attempt.
        attempts: Maximum number of attempts.
        prices: US dollars per million tokens, input and output.

    Raises:
        ScoringError: The URL holds a name or a password, or it is not one.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = KEY,
        window: int | None = None,
        timeout: float = 120.0,
        attempts: int = 5,
        prices: tuple[float, float] = (0.0, 0.0),
        pause: float = PAUSE,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ScoringError(f"{url!r} is not the URL of an endpoint")
        if parts.username or parts.password or parts.query:
            raise ScoringError("a key belongs in the environment, not in the URL")
        require("httpx")
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._host = parts.hostname
        self._model = model
        self._key = key
        self._window = window
        self._timeout = timeout
        self._attempts = attempts
        self._prices = prices
        self._pause = pause
        self._client: httpx.Client | None = None

    @property
    def about(self) -> Mapping[str, str]:
        """The model and the host; no key."""
        return {"kind": "HttpChat", "model": self._model, "host": self._host}

    @property
    def window(self) -> int | None:
        """The window that was given."""
        return self._window

    def count(self, text: str) -> int:
        """An estimate: the endpoint's tokenizer is not known."""
        return about_tokens(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """Ask the endpoint; repeat the request where that can help.

        Raises:
            AgentError: There is no answer, or it holds no reply.
        """
        body = {
            "model": self._model,
            "messages": list(messages),
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        data = self._posted(body)
        try:
            text = data["choices"][0]["message"]["content"]
            usage = data.get("usage") or {}
            read, written = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
            cost = (read * self._prices[0] + written * self._prices[1]) / 1e6
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
            self._client = httpx.Client(timeout=self._timeout)
        key = os.environ.get(self._key)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        pause, said = self._pause, ""
        for attempt in range(1, self._attempts + 1):
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
            if attempt < self._attempts:
                time.sleep(min(wait, LONGEST_PAUSE))
                pause *= 2
        raise AgentError(f"{self._host} does not reply: {said}")


def _retry_after(header: str | None, otherwise: float) -> float:
    try:
        return max(float(header or ""), 0.0)
    except ValueError:
        return otherwise
