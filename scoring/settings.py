"""Every choice that a score depends on, explicit and with its default."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How sentences become numbers.

    Attributes:
        bos: ``auto`` prepends the tokenizer's BOS if it has one; ``none`` does not; anything else
            is the token to prepend.
        first_token: Without a BOS the first token's surprisal is ``undefined``; ``zero`` takes it
            for 0 bits, as older tools did.
        join: How regions become sentences: ``core``, ``hf`` or ``brainscore``.
        undefined: What an undefined value does to a prediction that needs it: ``refuse`` the
            suite, or count it as ``false``.
        boundary: ``none``, or ``corrected`` for the probability of whole words (``_boundaries``).
        eos: Whether the end of the sentence is scored; it is not.
    """

    bos: str = "auto"
    first_token: str = "undefined"  # noqa: S105 - no password
    join: str = "core"
    undefined: str = "refuse"
    boundary: str = "none"
    eos: str = "not scored"

    def strings(self) -> dict[str, str]:
        """The settings by name, as a record keeps them."""
        return {"unit": "bits", **asdict(self)}
