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

    Args:
        name: A folder or hub name of a chat model; with ``url``, what the endpoint calls it.
        url: An endpoint that speaks chat completions, up to ``/v1``.
        key: Environment variable that holds the endpoint's key.
        window: Tokens that the endpoint's model can read and write together.
        prices: US dollars for a million tokens that the endpoint read, and wrote.
        model_id: What a record calls a model on this machine.
        device: Where a model on this machine runs.
        seed: Seed of sampled replies of a model on this machine.

    Raises:
        ScoringError: The model cannot be loaded, or a package is missing.
    """
    if url is not None:
        return HttpCompleter(url, name, key=key, window=window, prices=prices)
    return LocalCompleter(load_chat_model(name, model_id=model_id, device=device, seed=seed))
