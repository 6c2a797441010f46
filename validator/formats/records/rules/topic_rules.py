"""Rules on what a result is about: its benchmark and its language, said in two places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.source_rules import SPLITS, hub_name
from evalmark.validator.formats.shared.json_values import mapping

#: Benchmarks whose names mean nothing else, and their repositories on the Hub. Names that are
#: words, such as DROP, are not here.
_BENCHMARKS: dict[str, tuple[str, ...]] = {
    "gsm8k": ("openai/gsm8k", "gsm8k", "juletxara/mgsm"),
    "arc-challenge": ("allenai/ai2_arc",),
    "arc-easy": ("allenai/ai2_arc",),
    "humaneval": ("openai/openai_humaneval", "openai_humaneval"),
    "mbpp": ("google-research-datasets/mbpp", "mbpp"),
    "boolq": ("google/boolq", "boolq", "google-research-datasets/natural_questions"),
    "copa": ("nyu-mll/copa",),
    "openbookqa": ("allenai/openbookqa", "openbookqa"),
    "winogrande": ("allenai/winogrande", "winogrande"),
    "commonsenseqa": ("tau/commonsense_qa", "commonsense_qa"),
    "hellaswag": ("rowan/hellaswag", "hellaswag"),
    "piqa": ("ybisk/piqa", "piqa"),
    "mmlu": ("cais/mmlu",),
    "mmlu-pro": ("tiger-lab/mmlu-pro",),
    "truthfulqa": ("truthfulqa/truthful_qa", "truthful_qa"),
    "triviaqa": ("mandarjoshi/trivia_qa", "trivia_qa"),
    "squad": ("rajpurkar/squad", "rajpurkar/squad_v2", "squad"),
    "gpqa": ("idavidrein/gpqa",),
    "ifeval": ("google/ifeval",),
    "lambada": ("eleutherai/lambada_openai", "lambada"),
    "sciq": ("allenai/sciq", "sciq"),
    "quac": ("allenai/quac", "quac"),
    "coqa": ("stanfordnlp/coqa",),
    "natural-questions": ("google-research-datasets/natural_questions", "google/boolq"),
    "social-iqa": ("allenai/social_i_qa",),
    "hotpotqa": ("hotpotqa/hotpot_qa",),
    "narrativeqa": ("deepmind/narrativeqa",),
    "mgsm": ("juletxara/mgsm", "openai/gsm8k", "gsm8k"),  # its English problems are of gsm8k
    "xnli": ("facebook/xnli",),
    "anli": ("facebook/anli",),
    "wikitext": ("salesforce/wikitext", "wikitext"),
    "pubmedqa": ("qiaojin/pubmedqa",),
    "alpacaeval": ("tatsu-lab/alpaca_eval",),
    "swe-bench": ("princeton-nlp/swe-bench", "princeton-nlp/swe-bench_verified"),
    "livecodebench": ("livecodebench/code_generation_lite",),
    "simpleqa": ("basicv8vc/simpleqa",),
    "musr": ("taur-lab/musr",),
    "math-500": ("huggingfaceh4/math-500",),
    "aime-2024": ("huggingfaceh4/aime_2024", "maxwell-jia/aime_2024"),
    "aime-2025": ("opencompass/aime2025", "yentinglin/aime_2025"),
}
#: Languages by their names and codes.
_LANGUAGES = {
    word: line.split()[0]
    for line in """
de german deu ger
fr french fra fre
es spanish spa
it italian ita
pt portuguese por
nl dutch nld dut
ru russian rus
uk ukrainian ukr
pl polish pol
cs czech ces cze
sv swedish swe
da danish dan
fi finnish fin
hu hungarian hun
ro romanian ron rum
el greek ell gre
tr turkish tur
ar arabic ara
he hebrew heb
fa persian fas per farsi
hi hindi hin
bn bengali ben
ta tamil tam
te telugu tel
mr marathi mar
ur urdu urd
ja japanese jpn
ko korean kor
zh chinese zho chi
vi vietnamese vie
th thai tha
id indonesian ind
sw swahili swa
yo yoruba yor
ha hausa hau
ig igbo ibo
en english eng
""".splitlines()
    for word in line.split()
}
#: A language at the end of a name, or in brackets. Japanese history may be asked in English.
_LANGUAGE_NAMES = rf"(?i)\b({'|'.join(word for word in _LANGUAGES if len(word) > 3)})\b"
_OF_DATA = rf"{_LANGUAGE_NAMES}(?=\s*(?:$|[)\]]))"
_OF_TWO_LANGUAGES = re.compile(
    r"(?i)transl|source|target|multi|cross|bilingual|lingual|dialect|creole|\bsign\b|speaker|[>→⇒]"
)
#: Benchmarks that are the same in many languages. A culture, too, has the name of a language.
_MULTILINGUAL = re.compile(
    r"(?i)mmlu|mgsm|belebele|xnli|xcopa|xquad|mlqa|tydi|paws-?x|xl-?sum|storycloze|xwinograd"
    r"|hellaswag|truthfulqa|gsm8k"
)


#: Words for data that was made of other data.
_DERIVED = re.compile(r"(?i)\b(?:from|based|style|like|of|via|prompts?|plus|and|with|in|by)\b|[+&]")


#: A description that is only a metric and a split: other words say what else was done with one.
_ON_SPLIT = (
    r"(?i)(?:accuracy|exact match|f1|pass@\d+|share of (?:right|correct) answers"
    r"|share of \w+ (?:answered|solved)(?: correctly)?)(?: on the |, | \((?:the )?)(\w+) split\W*"
)
#: Repositories of benchmarks whose only split has the name of another one.
_ONE_SPLIT = {
    repo
    for name in ("gpqa", "ifeval", "aime-2024", "aime-2025", "pubmedqa", "truthfulqa")
    for repo in _BENCHMARKS[name]
}


def topic_contradicts(record: RecordView) -> Iterator[Mistake]:
    """A result is about two benchmarks, two splits or two languages.

    The repository of one benchmark was left in the entry of another one; the language in the
    details is not the one that the name of a multilingual benchmark has; the description names
    another split of the data. Benchmarks are known by their names and repositories, languages by
    their names and codes.

    Bad: `"dataset_name": "GSM8K", "hf_repo": "google/boolq"`
    Good: `"dataset_name": "GSM8K", "hf_repo": "openai/gsm8k"`
    """
    of_others = {
        result.dataset
        for result in record.results
        if benchmarks_in(result.name or "") & benchmarks_in(result.dataset or "")
    }
    for result in record.results:
        name = At(result.at("name"))
        is_taken = result.dataset in of_others
        if problem := _other_data(result.name, result.dataset) if is_taken else "":
            yield Mistake(
                problem, At(result.at("dataset")), labels=((name, "its name"),), fold=problem
            )
        elif problem := _other_repository(result.dataset, result.name, result.hf_repo):
            is_of_name = _is_called_after(result.hf_repo or "", result.name or "")
            if is_of_name:
                problem = f"the data is {cited(result.dataset)}, but its repository is "
                problem += cited(result.hf_repo)
            at = At(result.at("dataset" if is_of_name else "hf_repo"))
            yield Mistake(problem, at, labels=((name, "its name"),), fold=problem)
        elif problem := _other_address(result):
            yield Mistake(
                problem, At(f"{result.at('urls')}/0"), labels=((name, "its name"),), fold=problem
            )
        elif " split" in (result.description or "") and (
            problem := _other_split(result.description, result.hf_split, result.hf_repo)
        ):
            at = At(result.at("hf_split"))
            label = At(result.at("description")), "the description"
            yield Mistake(problem, at, labels=(label,), fold=problem)
        for holder, details in (
            ("details", result.details), ("about_data", result.get("about_data")),
        ):  # fmt: skip
            is_one = type(details) is dict and sum("language" in key for key in details) == 1
            language = mapping(details).get("language") if is_one else None
            if isinstance(language, str) and _is_other_language(language, result.name or ""):
                yield Mistake(
                    f"`language` is {cited(language)}, but the evaluation is called "
                    f"{cited(result.name)}",
                    At(f"{result.at(holder)}/language"),
                    labels=((name, "its name"),),
                    fold=f"language {language}",
                )


@lru_cache(8192)
def _other_data(name: str | None, dataset: str | None) -> str:
    """What is wrong with the data of a result that is called after another benchmark."""
    if not name or not dataset or name == dataset:
        return ""  # nearly always
    called, own = benchmarks_in(name), benchmarks_in(dataset)
    if not called or not own or have_common(called, own) or _DERIVED.search(f"{name} {dataset}"):
        return ""
    return f"the data is {cited(dataset)}, but the result is called {cited(name)}"


@lru_cache(8192)  # the records of a call are of few benchmarks
def _other_repository(dataset: str | None, name: str | None, repo: str | None) -> str:
    """What is wrong with a repository that is that of another benchmark; else nothing."""
    of_repo = _repositories().get((repo or "").casefold())
    if not of_repo:
        return ""  # nearly always
    own = benchmarks_in(dataset or name or "")
    if not own or have_common(own, of_repo):
        return ""
    return f"{cited(repo)} is the repository of {min(of_repo)}, but the result is of {min(own)}"


def _is_called_after(repo: str, name: str) -> bool:
    """True if a result has the name of the benchmark in its repository."""
    return have_common(benchmarks_in(name), _repositories()[repo.casefold()])


def _other_address(result: RecordResult) -> str:
    """What is wrong with the only address of the data, if it is that of another benchmark."""
    urls = result.urls
    url = urls[0] if type(urls) is list and len(urls) == 1 else None
    repo = hub_name(url) if type(url) is str and "/datasets/" in url else ""
    return _other_repository(result.dataset, result.name, repo)


@lru_cache(8192)
def _other_split(description: str, split: str | None, repo: str | None) -> str:
    """What is wrong with the split of a result whose description names another one."""
    known = {word: name for name, words in SPLITS.items() for word in words}
    said = re.fullmatch(_ON_SPLIT, description)
    own, meant = known.get(split or ""), known.get(said[1].casefold()) if said else None
    if said is None or None in (own, meant) or own == meant:
        return ""
    # Who uploads data again calls it train, or test, whatever it is.
    if (repo or "").casefold() not in _repositories().keys() - _ONE_SPLIT:
        return ""
    return f"the split is {cited(split)}, but the description speaks of the {said[1]} split"


def are_of_other_benchmarks(results: Sequence[RecordResult], text: str) -> bool:
    """True if a text names a known benchmark, and all results are of other known ones."""
    named = benchmarks_in(text)
    for result in results if named else ():
        names = benchmarks_in(f"{result.name} {result.dataset} {result.hf_repo}")
        if not names or have_common(named, names):
            return False
    return bool(named and results)


@cache
def _repositories_of(name: str) -> frozenset[str]:
    return frozenset(_BENCHMARKS.get(name, ()))


def have_common(names: Set[str], others: Set[str]) -> bool:
    """True if benchmarks are of one family, as MMLU and MMLU-Pro are."""
    if any(_repositories_of(a) & _repositories_of(b) for a in names for b in others):
        return True  # MGSM in English is GSM8K, and the questions of BoolQ are natural ones
    families = ({name.partition("-")[0] for name in each} for each in (names, others))
    return not set.isdisjoint(*families)


@cache
def _repositories() -> dict[str, frozenset[str]]:
    """Repository -> the benchmarks that are in it."""
    found: dict[str, frozenset[str]] = {}
    for name, repositories in _BENCHMARKS.items():
        for repository in repositories:
            found[repository] = found.get(repository, frozenset()) | {name}
    return found


@cache
def _names() -> re.Pattern[str]:
    """A pattern of all names, however their words are joined; the longest one counts."""
    joined = (name.replace("-", "[-_ ]?") for name in sorted(_BENCHMARKS, key=len, reverse=True))
    split = (re.sub("(?<!^)(?=qa$|eval$|bench$)", "[-_ ]?", name) for name in joined)
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(f'({name})' for name in split)})(?![a-z0-9])")


@lru_cache(1024)
def benchmarks_in(text: str) -> frozenset[str]:
    """The benchmarks that a text names. One whose name is in a longer word is another one."""
    names = sorted(_BENCHMARKS, key=len, reverse=True)
    return frozenset(
        names[found.lastindex - 1]
        for found in _names().finditer(text.casefold())
        if found.lastindex
    )


@lru_cache(8192)
def _is_other_language(language: str, name: str) -> bool:
    if not _MULTILINGUAL.search(name):
        return False
    stated = _LANGUAGES.get(re.split("[-_]", language.strip().casefold())[0])
    named = {_LANGUAGES[word.casefold()] for word in re.findall(_LANGUAGE_NAMES, name)}
    if stated is None or len(named) != 1 or stated in named:
        return False
    return re.search(_OF_DATA, name) is not None and not _OF_TWO_LANGUAGES.search(name)
