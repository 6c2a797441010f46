"""Every choice that a score depends on, explicit and with its default."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.validator.formats.suites.suite import JOINS

FIRST_TOKENS = ("undefined", "zero", "excluded")
#: Values of ``bos`` by which the tokenizer decides what is put before a text.
BOS_RULES = ("auto", "tokenizer", "bos-or-eos")
#: Ways to mask a token of a masked model: with the rest of its word, or alone.
WITHIN_WORD, ORIGINAL = "within-word", "original"
MASKED_METHODS = (WITHIN_WORD, ORIGINAL)
UNDEFINED = ("refuse", "false")
BOUNDARIES = ("none", "corrected")
REGIONS = ("all", "predicted")
DTYPES = ("float32", "float64", "bfloat16", "float16")
DEVICES = ("cpu", "cuda", "mps")
#: How accelerate shares a model among devices.
DEVICE_MAPS = ("auto", "balanced", "sequential")
#: ``mntp`` (masked next-token prediction): a masked model that predicts a token at the one before.
MODEL_KINDS = ("causal", "masked", "mntp")
STRATEGIES = ("packed", "padded")

#: Tokens of one pack: larger packs read fewer prefixes twice, but attention grows with the square.
PACK_TOKENS = 256
#: The same on CUDA, whose matrix products are fast.
CUDA_PACK_TOKENS = 2048
#: Tokens, padding included, of one padded batch.
BATCH_TOKENS = 2048


def require_known(argument: str, name: str, names: tuple[str, ...]) -> None:
    """Accept only known values."""
    if name not in names:
        raise UnknownNameError(argument, name, names)


#: Settings that a record lists only if they are others -> what they are else.
USUAL = {"like": "evalmark", "leading_space": "none", "masked_method": WITHIN_WORD}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that turn sentences into numbers.

    Attributes:
        bos: ``auto`` prepends the tokenizer's BOS if it has one, ``bos-or-eos`` else its EOS;
            ``tokenizer`` prepends what the tokenizer itself puts before a text; ``none`` does not;
            anything else is the token to prepend.
        first_token: Without BOS the first token's surprisal is ``undefined``; ``zero`` counts it
            as 0 bits, as older tools did; ``excluded`` leaves it out of sums and means (of minimal
            pairs only).
        join: How regions become sentences: ``core``, ``hf``, ``brainscore`` or ``none``.
        undefined: How to treat a prediction that needs an undefined value: ``refuse`` the
            suite, or count the prediction as ``false``.
        boundary: ``none``, or ``corrected`` for the probability of whole words (``boundaries``).
        masked_method: How a masked model gives the surprisal of a token: with the rest of its word
            masked (``within-word``), or only the token itself (``original``).
        like: The name of the settings that decide the others, with what overrides it; or empty.
        regions: ``all``, or ``predicted`` to compute only the regions that predictions refer to.
        eos: The end of a sentence is never scored; records say so.

    Raises:
        UnknownNameError: A value is not one of these.
    """

    bos: str = "auto"
    first_token: str = "undefined"
    join: str = "core"
    undefined: str = "refuse"
    boundary: str = "none"
    regions: str = "all"
    masked_method: str = WITHIN_WORD
    like: str = ""
    eos: str = field(default="not scored", init=False)

    def __post_init__(self) -> None:
        require_known("first_token", self.first_token, FIRST_TOKENS)
        require_known("join", self.join, tuple(JOINS))
        require_known("undefined", self.undefined, UNDEFINED)
        require_known("boundary", self.boundary, BOUNDARIES)
        require_known("regions", self.regions, REGIONS)
        require_known("masked_method", self.masked_method, MASKED_METHODS)

    def strings(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        strings = {"unit": "bits", **asdict(self)}
        del strings["masked_method"], strings["like"]
        return {**strings, **self.named_strings()}

    def named_strings(self) -> dict[str, str]:
        """Settings that are listed only where they are not as usual: see ``USUAL``."""
        strings = {"masked_method": self.masked_method, "like": self.like}
        return {key: value for key, value in strings.items() if value and value != USUAL[key]}


@dataclass(frozen=True, slots=True)
class Computing:
    """The strategy and sizes of computing. Apart from rounding, numbers do not depend on it.

    Attributes:
        strategy: ``packed`` reads packs of prefixes, and falls back to the model's cache or to
            padded batches where a model cannot; ``padded`` starts with the last.
        pack_tokens: Tokens of one pack of prefixes; None for 2,048 on CUDA, and 256 elsewhere.
        batch_tokens: Tokens of one padded batch, padding included.

    Raises:
        UnknownNameError: There is no such strategy.
        ScoringError: A pack or a batch would be empty.
    """

    strategy: str = "packed"
    pack_tokens: int | None = None
    batch_tokens: int = BATCH_TOKENS

    def __post_init__(self) -> None:
        require_known("strategy", self.strategy, STRATEGIES)
        if min(self.pack_size, self.batch_tokens) < 1:
            raise ScoringError("packs and batches have at least one token")

    @property
    def pack_size(self) -> int:
        """Tokens of one pack, if the device does not matter."""
        return PACK_TOKENS if self.pack_tokens is None else self.pack_tokens


DEFAULT_COMPUTING = Computing()
