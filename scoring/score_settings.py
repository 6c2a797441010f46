"""Every choice that a score depends on, each declared once, and those of other programs.

What the ``Setting`` of a field of ``Settings`` says decides which records list it, whether an
unfinished run is resumed, what ``verify`` scores with, whether recorded values can be scored under
it, and how comparisons and labels of runs call it: none of these name the fields one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Annotated, Any, NamedTuple, get_type_hints

from evalmark.schemas.errors import ScoringError, require_known
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
COMPUTED_REGIONS = ("all", "predicted")
DTYPES = ("float32", "float64", "bfloat16", "float16")
DEVICES = ("cpu", "cuda", "mps")
#: How accelerate shares a model among devices.
DEVICE_MAPS = ("auto", "balanced", "sequential")
#: ``mntp`` (masked next-token prediction): a masked model that predicts a token at the one before.
MODEL_KINDS = ("causal", "masked", "mntp")
STRATEGIES = ("packed", "padded")

#: The defaults of ``method``, ``like`` and ``leading_space``, and the latter in all sets.
OF_EACH_SET, OUR_OWN, NOWHERE = "of each set", "evalmark", "none"
EVERYWHERE = "all sets"
#: The value of a setting that a record does not know.
UNKNOWN = "unknown"

#: Tokens of one pack: larger packs read fewer prefixes twice, but attention grows with the square.
PACK_TOKENS = 256
#: The same on CUDA, whose matrix products are fast.
CUDA_PACK_TOKENS = 2048
#: Tokens, padding included, of one padded batch.
BATCH_TOKENS = 2048


class Decides(Enum):
    """What depends on a setting."""

    TEXTS = "the texts that a model reads"
    SURPRISALS = "the surprisals of their tokens"
    OUTCOMES = "what is right, given the surprisals"
    NOTHING = "no number"


class Setting(NamedTuple):
    """What is said of a setting beside its type."""

    words: str  # what comparisons and labels of runs call it; empty if they do not name it
    decides: Decides
    values: tuple[str, ...] = ()  # what it can be; empty if that is not known beforehand
    of_suites: bool = True  # whether records of suites list it
    of_pairs: bool = True  # whether records of minimal pairs list it
    #: Whether records list it only where it is not the default. A new one is rare: in records that
    #: are older than it, it was the default.
    is_rare: bool = False
    #: Whether an unfinished run starts over if this has changed, should it decide surprisals.
    in_digest: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that turn texts into numbers.

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
        regions: ``all``, or ``predicted`` to compute only the regions that predictions refer to.
        eos: The end of a sentence is never scored; records say so.
        method: How the texts of minimal pairs become scores, if not by the method of each set.
        ties: How equal scores of minimal pairs count.
        masked_method: How a masked model gives the surprisal of a token: with the rest of its word
            masked (``within-word``), or only the token itself (``original``).
        like: The name of the settings that decide the others, with what overrides it.
        leading_space: The sets of minimal pairs in which a space is put before a text without a
            context: ``none``, ``all sets``, or their names with commas between them.

    Raises:
        UnknownNameError: A value is not one of these.
    """

    # The model's own facts, which the digest has as well, say which tokens a rule of BOS gives.
    bos: Annotated[str, Setting("BOS", Decides.SURPRISALS, in_digest=False)] = "auto"
    # What the model computes is kept; the first token is changed when that is read.
    first_token: Annotated[
        str, Setting("first token", Decides.SURPRISALS, FIRST_TOKENS, in_digest=False)
    ] = "undefined"
    join: Annotated[str, Setting("joining", Decides.TEXTS, tuple(JOINS), of_pairs=False)] = "core"
    undefined: Annotated[str, Setting("undefined values", Decides.OUTCOMES, UNDEFINED)] = "refuse"
    boundary: Annotated[
        str, Setting("boundary", Decides.SURPRISALS, BOUNDARIES, of_pairs=False)
    ] = "none"
    regions: Annotated[str, Setting("", Decides.NOTHING, COMPUTED_REGIONS, of_pairs=False)] = "all"
    eos: Annotated[str, Setting("", Decides.SURPRISALS, in_digest=False)] = field(
        default="not scored", init=False
    )
    method: Annotated[str, Setting("method", Decides.OUTCOMES, of_suites=False)] = OF_EACH_SET
    ties: Annotated[str, Setting("ties count as", Decides.OUTCOMES, of_suites=False)] = NEVER_RIGHT
    masked_method: Annotated[
        str, Setting("masked tokens", Decides.SURPRISALS, MASKED_METHODS, is_rare=True)
    ] = WITHIN_WORD
    like: Annotated[str, Setting("settings of", Decides.NOTHING, of_suites=False, is_rare=True)] = (
        OUR_OWN
    )
    leading_space: Annotated[
        str, Setting("leading space", Decides.TEXTS, of_suites=False, is_rare=True)
    ] = NOWHERE

    def __post_init__(self) -> None:
        for name, setting in SCORE_SETTINGS.items():
            if setting.values:
                require_known(name, getattr(self, name), setting.values)

    def listed(self, *, of_pairs: bool) -> dict[str, str]:
        """The settings of suites, or of minimal pairs, by name, as a record lists them."""
        stated = self._stated(settings_that_are(of_pairs=of_pairs))
        rare = {name: stated.pop(name) for name in USUAL if name in stated}
        about_pairs = {"impossible": self.ties, COUNTED_TOKENS: "all that have a character of it"}
        return {"unit": "bits", **stated, **(about_pairs if of_pairs else {}), **rare}

    def for_digest(self) -> dict[str, str]:
        """The settings that what an unfinished run has computed depends on."""
        return self._stated(
            name
            for name, setting in SCORE_SETTINGS.items()
            if setting.in_digest and setting.decides is Decides.SURPRISALS
        )

    def changed(self, names: Iterable[str]) -> dict[str, str]:
        """Those of some settings that are not the default."""
        return {n: value for n in names if (value := getattr(self, n)) != _DEFAULTS[n]}

    def _stated(self, names: Iterable[str]) -> dict[str, str]:
        """Some settings by name, without the rare ones that are as usual."""
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value != USUAL.get(name)}

    @property
    def own_method(self) -> str | None:
        """The method of every set; None if each has its own."""
        return None if self.method == OF_EACH_SET else self.method

    @property
    def reading(self) -> PairReading:
        """The texts that the rows of minimal pairs are read as."""
        named = named_by(self.like)
        reading = named.reading if named else OUR_READING
        sets = {NOWHERE: frozenset[str](), EVERYWHERE: ALL_SETS}
        listed = frozenset(self.leading_space.split(", "))
        return reading._replace(spaced=sets.get(self.leading_space, listed))


#: Each setting that a score depends on.
SCORE_SETTINGS: dict[str, Setting] = {
    name: setting
    for name, hint in get_type_hints(Settings, include_extras=True).items()
    for setting in hint.__metadata__
}
_DEFAULTS: dict[str, Any] = {each.name: each.default for each in fields(Settings)}
#: Settings that a record lists only if they are others -> what they are else.
USUAL = {name: _DEFAULTS[name] for name, setting in SCORE_SETTINGS.items() if setting.is_rare}
#: What records of minimal pairs, and no others, say of all their scores.
COUNTED_TOKENS = "tokens_of_a_text"


def settings_that_are(*, of_pairs: bool) -> list[str]:
    """The settings of suites, or those of minimal pairs."""
    return [
        name
        for name, setting in SCORE_SETTINGS.items()
        if (setting.of_pairs if of_pairs else setting.of_suites)
    ]


def settings_that_decide(*what: Decides) -> list[str]:
    """The settings that decide some of these."""
    return [name for name, setting in SCORE_SETTINGS.items() if setting.decides in what]


def unlisted(listed: Mapping[str, str]) -> dict[str, str]:
    """The rare settings that a run with these has where it does not list them."""
    if listed.get("eos", UNKNOWN) == UNKNOWN:  # the run is not one of ours, or of recorded numbers
        return {}
    of_kind = settings_that_are(of_pairs=COUNTED_TOKENS in listed)
    return {name: value for name, value in USUAL.items() if name in of_kind}


def bos_token(listed: Mapping[str, str], token: str | None) -> dict[str, str]:
    """BOS as what was put before texts, where these settings have a rule; ``token`` is that."""
    return {"bos": token} if token is not None and listed.get("bos") in BOS_RULES else {}


def settings_of_record(listed: Mapping[str, Any]) -> Settings | None:
    """The settings that decided the surprisals of a record; None if it does not list them."""
    found: dict[str, str] = {}
    for each in fields(Settings):
        setting = SCORE_SETTINGS[each.name]
        if setting.decides is Decides.SURPRISALS and each.init:
            in_all = setting.of_suites and setting.of_pairs and not setting.is_rare
            found[each.name] = str(listed.get(each.name, UNKNOWN if in_all else each.default))
    return None if UNKNOWN in found.values() else Settings(**found)


def kind_of(details: Mapping[str, str]) -> str:
    """How a model was read (``MODEL_KINDS``), as the details of its record show it."""
    return "mntp" if "prediction" in details else "masked" if "around" in details else "causal"


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
class NamedSettings:
    """The settings of another program."""

    name: str  # as users give it
    covers: frozenset[str]  # the sets of minimal pairs that the program scores
    decides: Mapping[str, str]  # fields of ``Settings`` -> their values; the others are as usual
    source: str  # where that is stated: a document, or files of the program
    reading: PairReading = OUR_READING  # how it reads rows, apart from ``leading_space``
    note: str = ""  # how far it was compared, and what to give for other uses


#: Name -> settings.
NAMED_SETTINGS: dict[str, NamedSettings] = {
    named.name: named
    for named in (
        NamedSettings(
            "babylm",
            frozenset({"blimp", "ewok", "comps", "entity-tracking", "wug"}),
            {
                "bos": "tokenizer",
                "first_token": "zero",
                "masked_method": ORIGINAL,
                "ties": FIRST_WINS,
            },
            "evaluation-pipeline-2026, strict/evaluation_pipeline/sentence_zero_shot: dataset.py, "
            "read_files.py, compute_results.py (backends causal and mlm)",
            PairReading(methods={"ewok": ONE_CONTEXT}, bare=frozenset({"comps"})),
            "Compared with it: all choices are equal",
        ),
        NamedSettings(
            "lm-eval",
            frozenset({"blimp", "multiblimp"}),
            {"bos": "bos-or-eos", "leading_space": "blimp", "ties": FIRST_WINS},
            "lm-evaluation-harness 0.4.13: tasks/blimp/_template_yaml (target_delimiter is a "
            "space), api/model.py (loglikelihood), models/huggingface.py (prefix_token_id)",
            note="Compared with it, on BLiMP. ZhoBLiMP, BLiMP-NL and TurBLiMP have no space there "
            "(leading space: no)",
        ),
        NamedSettings(
            "minicons",
            frozenset({"blimp", "multiblimp", "jblimp"}),
            {
                "bos": "tokenizer",
                "first_token": "excluded",
                "method": MEAN,
                "masked_method": ORIGINAL,
            },
            "minicons 0.3.39, scorer.py: sequence_score and prepare_text of IncrementalLMScorer "
            "and MaskedLMScorer",
            note="Compared with it, on BLiMP. Its papers and examples often take sums "
            '(method: sum). Its `PLL_metric="within_word_l2r"` is the masked method within-word',
        ),
    )
}
#: The settings that some program decides.
NAMED_DECIDE = frozenset(name for named in NAMED_SETTINGS.values() for name in named.decides)


def named_by(like: str) -> NamedSettings | None:
    """The settings of another program that ``Settings.like`` names; None if it names ours."""
    return NAMED_SETTINGS.get(like.partition(",")[0])


def chosen_settings(given: Mapping[str, str]) -> Settings:
    """The settings of a call: as given, else as the program in ``like`` has them, else as usual.

    ``leading_space`` is given as ``yes`` or ``no``: a user says whether, a program in which sets.

    Raises:
        UnknownNameError: There is no such name, or no such value.
    """
    name, space = given.get("like"), given.get("leading_space")
    require_known("like", name, NAMED_SETTINGS)
    decided = NAMED_SETTINGS[name].decides if name else {}
    chosen = {**decided, **given}
    if space is not None:
        chosen["leading_space"] = EVERYWHERE if space == "yes" else NOWHERE
    if name:
        theirs = {**decided, "leading_space": "yes" if "leading_space" in decided else "no"}
        exceptions = [
            f"{key.replace('_', ' ')} {value}"
            for key, value in given.items()
            if key in NAMED_DECIDE and value != theirs.get(key)
        ]
        chosen["like"] = f"{name}, except {', '.join(exceptions)}" if exceptions else name
    return Settings(**chosen)


def require_covered(like: str, sets: Iterable[str]) -> None:
    """Refuse, with a ScoringError, sets of pairs that the settings named ``like`` do not cover."""
    if (named := named_by(like)) is None:
        return
    for name in sets:
        if name not in named.covers and not (name.startswith(OWN) and "blimp" in named.covers):
            raise ScoringError(
                f"like {named.name!r} covers {', '.join(sorted(named.covers))}, and not {name}"
            )


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
