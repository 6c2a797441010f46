"""From the name of a model to something that replies: here, or behind an endpoint."""

from __future__ import annotations

from evalmark.conversations.agents.agents import Completer
from evalmark.conversations.agents.http import KEY, HttpCompleter
from evalmark.conversations.agents.local import LocalCompleter
from evalmark.scoring.models.loading import load_chat_model


def completer(
    name: str,
    *,
    url: str | None = None,
    key: str = KEY,
    window: int | None = None,
    prices: tuple[float, float] = (0.0, 0.0),
    model_id: str | None = None,
    device: str = "auto",
    seed: int = 0,
) -> Completer:
    """A model that replies to messages.

    With ``url`` it is behind that endpoint, and ``key``, ``window`` and ``prices`` are those of
    ``HttpCompleter``. Otherwise ``name`` is a folder or a name on the hub, and ``model_id``,
    ``device`` and ``seed`` are those of ``load_chat_model``.
    """
    if url is not None:
        return HttpCompleter(url, name, key=key, window=window, prices=prices)
    return LocalCompleter(load_chat_model(name, model_id=model_id, device=device, seed=seed))
