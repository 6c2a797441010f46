"""Every choice that a score depends on, explicit, and the table of those of other programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple

from evalmark.schemas.errors import ScoringError, UnknownNameError, require_known
from evalmark.validator.formats.pairs.pair_sets import (
    FIRST_WINS,
    MEAN,
    NEVER_RIGHT,
    ONE_CONTEXT,
    OWN,
    SETS,
)
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

#: Every set of minimal pairs.
ALL_SETS = frozenset(SETS)


class PairReading(NamedTuple):
    """The texts that the rows of pairs are read as."""

    #: Sets in which a space is put before a text without a context.
    spaced: frozenset[str] = frozenset()
    #: Set -> the method by which its rows are compared, if not by the set's own.
    methods: Mapping[str, str] = {}
    #: Sets in which the space between a context and its text is not part of the text.
    bare: frozenset[str] = frozenset()


OUR_READING = PairReading()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings of a call that a name decides, where they are not given; None is not given."""

    bos: str | None = None  # ``Settings.bos``
    first_token: str | None = None  # ``Settings.first_token``
    leading_space: bool | None = None  # True for a space before every text without a context
    method: str | None = None  # the method for minimal pairs
    masked_method: str | None = None  # ``Settings.masked_method``


@dataclass(frozen=True, slots=True)
class NamedSettings:
    """The settings of another program."""

    name: str  # as users give it
    covers: frozenset[str]  # the sets of minimal pairs that the program scores
    chosen: Chosen  # its settings; a method of None is that of each set
    source: str  # where that is stated: a document, or files of the program
    reading: PairReading = field(default=OUR_READING)  # how it reads rows
    ties: str = NEVER_RIGHT  # how it counts equal scores
    note: str = ""  # how far it was compared, and what to give for other uses


#: Name -> settings.
NAMED: dict[str, NamedSettings] = {
    named.name: named
    for named in (
        NamedSettings(
            "babylm",
            frozenset({"blimp", "ewok", "comps", "entity-tracking", "wug"}),
            Chosen("tokenizer", "zero", masked_method=ORIGINAL),
            "evaluation-pipeline-2026, strict/evaluation_pipeline/sentence_zero_shot: dataset.py, "
            "read_files.py, compute_results.py (backends causal and mlm)",
            PairReading(methods={"ewok": ONE_CONTEXT}, bare=frozenset({"comps"})),
            FIRST_WINS,
            "Compared with it: all choices are equal",
        ),
        NamedSettings(
            "lm-eval",
            frozenset({"blimp", "multiblimp"}),
            Chosen(bos="bos-or-eos"),
            "lm-evaluation-harness 0.4.13: tasks/blimp/_template_yaml (target_delimiter is a "
            "space), api/model.py (loglikelihood), models/huggingface.py (prefix_token_id)",
            PairReading(spaced=frozenset({"blimp"})),
            FIRST_WINS,
            "Compared with it, on BLiMP. ZhoBLiMP, BLiMP-NL and TurBLiMP have no space there "
            "(leading space: no)",
        ),
        NamedSettings(
            "minicons",
            frozenset({"blimp", "multiblimp", "jblimp"}),
            Chosen("tokenizer", "excluded", method=MEAN, masked_method=ORIGINAL),
            "minicons 0.3.39, scorer.py: sequence_score and prepare_text of IncrementalLMScorer "
            "and MaskedLMScorer",
            note="Compared with it, on BLiMP. Its papers and examples often take sums "
            '(method: sum). Its `PLL_metric="within_word_l2r"` is the masked method within-word',
        ),
    )
}


@dataclass(frozen=True, slots=True)
class PairSettings:
    """The choices that results of minimal pairs depend on; suites have ``tokens`` alone."""

    tokens: Settings  # how texts become surprisals
    method: str | None = None  # how they become scores; the method of each set if None
    ties: str = NEVER_RIGHT  # how equal scores count
    reading: PairReading = OUR_READING  # how rows are read

    def strings(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        tokens = self.tokens
        return {
            "unit": "bits",
            "bos": tokens.bos,
            "first_token": tokens.first_token,
            "undefined": tokens.undefined,
            "eos": tokens.eos,
            "method": self.method or "of each set",
            "ties": self.ties,
            "impossible": self.ties,
            "tokens_of_a_text": "all that have a character of it",
            **tokens.named_strings(),
            **({"leading_space": _listed(self.reading.spaced)} if self.reading.spaced else {}),
        }


def _listed(sets: Collection[str]) -> str:
    return "all sets" if set(sets) == ALL_SETS else ", ".join(sorted(sets))


def settings_like(name: str | None, overrides: Chosen, **others: str) -> PairSettings:
    """The settings of a call; what is given overrides what a name decides.

    Args:
        name: The name of settings; None for those of evalmark.
        overrides: The options of the user.
        others: Further values of ``Settings``, which no name decides.

    Raises:
        UnknownNameError: There is no such name, or no such value.
    """
    if name is not None and name not in NAMED:
        raise UnknownNameError("like", name, tuple(NAMED))
    named, like = NAMED[name] if name else NamedSettings("", ALL_SETS, Chosen(), ""), name or ""
    stated = {key: value for key, value in asdict(overrides).items() if value is not None}
    usual = {**asdict(named.chosen), "leading_space": bool(named.reading.spaced)}
    other = {key: value for key, value in stated.items() if usual[key] != value}
    if like and other:
        differing = (f"{key.replace('_', ' ')} {_text(value)}" for key, value in other.items())
        like = f"{name}, except {', '.join(differing)}"
    chosen, reading = replace(named.chosen, **stated), named.reading
    if overrides.leading_space is not None:
        reading = reading._replace(spaced=ALL_SETS if overrides.leading_space else frozenset())
    names = ("bos", "first_token", "masked_method")
    decided = {key: value for key in names if (value := getattr(chosen, key)) is not None}
    tokens = Settings(**decided, **others, like=like)
    return PairSettings(tokens, chosen.method, named.ties, reading)


def require_covered(like: str, sets: Iterable[str]) -> None:
    """Refuse, with a ScoringError, sets of pairs that the settings named ``like`` do not cover."""
    named = NAMED.get(like.partition(",")[0])
    for name in sets if named else ():
        assert named is not None
        if name not in named.covers and not (name.startswith(OWN) and "blimp" in named.covers):
            raise ScoringError(
                f"like {named.name!r} covers {', '.join(sorted(named.covers))}, and not {name}"
            )


def _text(value: str | bool) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"
