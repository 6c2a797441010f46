"""Names that are spelt in several ways: of models, of their versions, and of organizations."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise

_SEPARATORS = re.compile(r"[\W_]+")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
#: Letters after a number that make it a size, as in 70b, 8x7b and 32k.
_UNITS = frozenset("bkmtx")
#: Letters beside a number, which say little.
_BESIDE = _UNITS | {"v"}
#: Words of a name that are looked for: a file may have a name of a million.
MOST = 50
#: Names of companies and their accounts that have nothing in common, as ``plain`` has them.
_COMPANIES = tuple(
    frozenset(line.split())
    for line in """
alibaba alibabacloud aliyun qwen tongyi
zhipu zhipuai zai zaiorg thudm tsinghua
01ai yi zeroone
baidu paddlepaddle ernie
moonshot moonshotai kimi
shanghaiailab shanghaiailaboratory internlm opengvlab
technologyinnovationinstitute tii tiiuae
google deepmind googledeepmind
meta metaai facebook facebookresearch fair
lgairesearch lgai lgaiexaone
databricks mosaicml mosaic
xiaomi xiaomimimo mimo
xai xaiorg grok
ai2 allenai alleninstituteforai
bytedance seed doubao
""".splitlines()
    if line
)
#: Makers whose names, as ``plain`` has them, begin as those of their accounts do.
_OTHER_MAKERS = frozenset(
    ("openai", "anthropic", "metallama", "mistral", "mistralai", "deepseek", "deepseekai", "cohere",
     "coherelabs", "microsoft", "nvidia", "ibm", "ibmgranite", "eleutherai")
)  # fmt: skip
#: Letters with which the names of one organization begin.
_SHARED = 4

#: Programs that evaluate models, and that run them: each line has the names of one, as ``plain``
#: has them, after its kind.
_PROGRAMS = {
    name: (kind, names[0])
    for kind, *names in (line.split() for line in """
evaluates lmeval lmevaluationharness lmevalharness lmharness
evaluates inspect inspectai
evaluates helm crfmhelm
evaluates lighteval
evaluates opencompass
runs vllm
runs transformers hftransformers huggingfacetransformers
runs sglang
runs ollama
runs llamacpp llamacpppython
runs tgi textgenerationinference
runs tensorrtllm trtllm
runs lmdeploy
""".splitlines() if line)
    for name in names
}  # fmt: skip
#: Programs of which one runs the other. Most have a backend that is transformers.
_ONE_INSIDE = (
    {"ollama", "llamacpp"},
    {"lighteval", "inspect"},
    {"tgi", "vllm"},
    {"tgi", "tensorrtllm"},
)
_WITH_VERSION = r"(.*?[A-Za-z])[ =:@_-]*(?: version ?)?(?<![A-Za-z])[vb]?\d[\w.+-]*"
#: The number of parameters of a model, as names have it: 8b, 0.5B.
_SIZE = r"(?<![\w.])(\d+(?:\.\d+)?)b(?![a-z\d])"


@lru_cache(1024)
def is_other_program(name: str, text: str) -> bool:
    """True if a text is one program with its version, or none, and the name is a different one."""
    versioned = re.fullmatch(_WITH_VERSION, text.strip()[:MOST])
    said = _PROGRAMS.get(plain(versioned[1] if versioned else text))
    own = _PROGRAMS.get(plain(name))
    if said is None or own is None or said == own:
        return False
    pair = {said[1], own[1]}
    return said[0] == own[0] and "transformers" not in pair and pair not in _ONE_INSIDE


def is_name_of(text: str, name: str, model: str) -> bool:
    """True for the id of a model, or the name of a known program: neither is a version."""
    is_program = plain(name) in _PROGRAMS and plain(text) == plain(name)
    return is_program or ("/" in text and text == model)


@lru_cache(1024)
def version_after(name: str, text: str) -> str:
    """The version in a text that begins with the name of the program; else nothing."""
    words = r"[-_ ]?".join(map(re.escape, _SEPARATORS.split(name.strip())))
    found = re.fullmatch(
        rf"(?i){words}(?:==|[\s:=@/-]\s*(?=v?\d+\.))\s*v?(\d[\w.+-]*)", text.strip()
    )
    return found[1] if words and found else ""


@lru_cache(1024)
def runs_models(name: str) -> bool:
    """True for a program that runs models."""
    return _PROGRAMS.get(plain(name), ("",))[0] == "runs"


def sizes_in(name: str) -> frozenset[float]:
    """The numbers of parameters, in billions, that a name has."""
    return frozenset(map(float, re.findall(_SIZE, name.casefold())))


def are_other_sizes(name: str, other: str) -> bool:
    """True if both names have a size, and no size in common."""
    sizes, others = sizes_in(name), sizes_in(other)
    return bool(sizes and others) and not sizes & others


#: Words for a model that follows instructions, and for one that only continues texts.
_TUNED, _BASE = {"instruct", "chat"}, {"base"}


def is_other_kind(name: str, model: str) -> bool:
    """True if all words of a name are in an id, but one of both is of a base model, and only one.

    Gemma calls them it and pt, which are languages elsewhere. Base is a size without a number.
    """
    words, others = (re.findall(r"[a-z]+|\d+", text.casefold()) for text in (name, model))
    is_gemma = "gemma" in others
    tuned, base = (_TUNED | {"it"}, _BASE | {"pt"}) if is_gemma else (_TUNED, _BASE)
    if not sizes_in(model) or not {*words} - tuned - base <= {*others}:
        return False
    kinds = [(not tuned.isdisjoint(each), not base.isdisjoint(each)) for each in (words, others)]
    return sorted(kinds) == [(False, True), (True, False)]


@lru_cache(8192)  # the records of a call have few names
def plain(text: str) -> str:
    """A name without what is spelt in several ways."""
    return _SEPARATORS.sub("", without_accents(text))


def without_accents(text: str) -> str:
    """A name without accents and capitals."""
    if not text.isascii():
        from unicodedata import combining, normalize  # few names need it

        text = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return text.casefold()


def names_model(text: str, model: str) -> bool:
    """True if a text has more than half of the words of a model's name, and no other version.

    The model's owner does not count, and words may be written together.
    """
    name = model.rpartition("/")[2]
    if name in text:
        return True
    text, name = without_accents(text), without_accents(name)
    here = plain(text)
    if plain(name) in here:
        return True
    tokens = _TOKEN.findall(name)[:MOST]
    words = [token for token in tokens if not token.isdecimal() and token not in _BESIDE]
    tokens_of_text = set(_TOKEN.findall(text))
    matches = [word for word in words if word in tokens_of_text or (len(word) > 2 and word in here)]
    # The name of an evaluation, which comes first, may have a version of its own.
    return 2 * len(matches) > len(words) and not is_other_version(name, text.partition("/")[2])


def is_other_version(name: str, text: str) -> bool:
    """True if a word of both has versions that differ, as in gpt-4 and gpt-5.

    No version agrees with any, and 3 agrees with 3.1.
    """
    mine, others = _versions(name.casefold()), _versions(text.casefold())
    return any(
        not any(a.startswith(b) or b.startswith(a) for a in mine[word] for b in others[word])
        for word in mine.keys() & others.keys()
    )


@lru_cache(8192)
def _versions(name: str) -> dict[str, set[str]]:
    """Word -> the versions that follow it, without dates and sizes; "" where there is none."""
    versions: dict[str, set[str]] = defaultdict(set)
    tokens = [*_TOKEN.findall(name), ""]
    word = version = ""
    for token, after in pairwise(tokens):
        if not token.isdecimal():
            versions[word].add(version)
            word, version = token, ""
        elif word and len(token) <= 2 and after not in _UNITS:
            version += token
        else:
            versions[word].add(version)
            word = ""
    versions[word].add(version)
    del versions[""]
    return versions


def is_one_organization(name: str, other: str) -> bool:
    """True if two names are the same, or those of a company and its account."""
    names = plain(name), plain(other)
    return names[0] == names[1] or any(names[0] in firm and names[1] in firm for firm in _COMPANIES)


@lru_cache(1024)
def are_related(developer: str, owner: str) -> bool:
    """True if two names of an organization share a beginning of four letters, or initials."""
    name, other = plain(developer), plain(owner)
    if name in other or other in name or is_one_organization(developer, owner):
        return True
    words = _TOKEN.findall(without_accents(developer))
    is_shared = any(word[:_SHARED] in other for word in words if len(word) >= _SHARED)
    is_of_firm = any(other in firm and not firm.isdisjoint(words) for firm in _COMPANIES)
    return is_shared or is_of_firm or "".join(word[0] for word in words) == other


@lru_cache(8192)
def is_known_maker(name: str) -> bool:
    """True for a known maker of models, or an account of one."""
    text = plain(name)
    return text in _OTHER_MAKERS or any(text in firm for firm in _COMPANIES)
