"""Rules on what a result is about: its benchmark, language and subject, said in two places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache, lru_cache
from typing import Any

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.records.record_view import RecordResult, RecordView

#: Benchmarks whose names mean nothing else, and their repositories on the Hub. Names that are
#: words, such as DROP, are not here.
_BENCHMARKS: dict[str, tuple[str, ...]] = {
    "gsm8k": ("openai/gsm8k", "gsm8k"),
    "arc-challenge": ("allenai/ai2_arc",),
    "arc-easy": ("allenai/ai2_arc",),
    "humaneval": ("openai/openai_humaneval", "openai_humaneval"),
    "mbpp": ("google-research-datasets/mbpp", "mbpp"),
    "boolq": ("google/boolq", "boolq"),
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
    "natural-questions": ("google-research-datasets/natural_questions",),
    "social-iqa": ("allenai/social_i_qa",),
    "hotpotqa": ("hotpotqa/hotpot_qa",),
    "narrativeqa": ("deepmind/narrativeqa",),
    "mgsm": ("juletxara/mgsm",),
    "xnli": ("facebook/xnli",),
    "anli": ("facebook/anli",),
    "wikitext": ("salesforce/wikitext", "wikitext"),
    "pubmedqa": ("qiaojin/pubmedqa",),
    "alpacaeval": ("tatsu-lab/alpaca_eval",),
    "swe-bench": ("princeton-nlp/swe-bench", "princeton-nlp/swe-bench_verified"),
    "livecodebench": ("livecodebench/code_generation_lite",),
    "simpleqa": ("basicv8vc/simpleqa",),
    "musr": ("taur-lab/musr",),
}
#: Words of a description that may be about other data than that of the score.
_OF_OTHER_DATA = re.compile(
    r"(?i)style|format|like|based|deriv|from|adapt|train|tun|contamin|transl|variant|similar|follow"
    r"|than|versus|\bvs\b|compar|few-shot|prompt|harder|easier|language|inspired|extend|beyond|unlike|also"
)
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
#: The subjects of MMLU, whose keys are those of many records.
_SUBJECTS = frozenset(
    re.split(
        r"\s+",
        """abstract_algebra anatomy astronomy business_ethics clinical_knowledge college_biology
college_chemistry college_computer_science college_mathematics college_medicine college_physics
computer_security conceptual_physics econometrics electrical_engineering elementary_mathematics
formal_logic global_facts high_school_biology high_school_chemistry high_school_computer_science
high_school_european_history high_school_geography high_school_government_and_politics
high_school_macroeconomics high_school_mathematics high_school_microeconomics high_school_physics
high_school_psychology high_school_statistics high_school_us_history high_school_world_history
human_aging human_sexuality international_law jurisprudence logical_fallacies machine_learning
management marketing medical_genetics miscellaneous moral_disputes moral_scenarios nutrition
philosophy prehistory professional_accounting professional_law professional_medicine
professional_psychology public_relations security_studies sociology us_foreign_policy virology
world_religions""",
    )
)
#: Keys of details that say what a result is about.
_KEYS = frozenset(("language", "subject", "subset", "topic"))
_HOLDERS = ("details", "more_settings", "about_data")


def topic_contradicts(record: RecordView) -> Iterator[Mistake]:
    """A result is about two benchmarks, languages or subjects.

    The repository of one benchmark, or its description, was left in the entry of another one; the
    language or the subject in the details is not the one that the name has. Benchmarks are known
    by their names and repositories, languages by their names and codes, and subjects are those of
    MMLU.

    Bad: `"dataset_name": "GSM8K", "hf_repo": "google/boolq"`
    Good: `"dataset_name": "GSM8K", "hf_repo": "openai/gsm8k"`
    """
    for result in record.results:
        texts = result.dataset, result.name, result.hf_repo, result.description
        field, problem = _other_benchmark(*texts)
        if field:
            yield Mistake(
                problem,
                At(result.at(field)),
                labels=((At(result.at("name")), "its name"),),
                fold=problem,
            )
        values = result.details, result.more_settings, result.get("about_data")
        for holder, details in zip(_HOLDERS, values, strict=True):
            if details and type(details) is dict and not _KEYS.isdisjoint(details):
                yield from _other_details(result, holder, details)


def _other_details(
    result: RecordResult, field: str, details: Mapping[str, Any]
) -> Iterator[Mistake]:
    for key in sorted(_KEYS & details.keys()):
        value, name = details[key], result.name or ""
        if not isinstance(value, str):
            continue
        # The language of settings is that of the prompt.
        if key == "language" and field != "more_settings":
            is_other = _is_other_language(value, name)
        else:
            texts = name, result.description or "", result.dataset or ""
            is_other = key != "language" and _is_other_subject(value, " ".join(texts))
        if is_other:
            yield Mistake(
                f"`{key}` is {cited(value)}, but the evaluation is called {cited(name)}",
                At(f"{result.at(field)}/{key}"),
                labels=((At(result.at("name")), "its name"),),
                fold=f"{key} {value}",
            )


@lru_cache(8192)  # the records of a call are of few benchmarks
def _other_benchmark(
    dataset: str | None, name: str | None, repo: str | None, description: str | None
) -> tuple[str, str]:
    """The field that is about another benchmark than the data and the name, and the words."""
    own = benchmarks_in(dataset or "") | benchmarks_in(name or "")
    if not own:
        return "", ""  # nearly always
    of_repo = _repositories().get((repo or "").casefold(), frozenset())
    if of_repo and not _have_common(own, of_repo):
        of = f"{cited(repo)} is the repository of {min(of_repo)}"
        return "hf_repo", f"{of}, but the result is of {min(own)}"
    said = benchmarks_in(description or "")
    if len(said) != 1 or _have_common(said, own | of_repo):
        return "", ""
    if _OF_OTHER_DATA.search(description or ""):
        return "", ""
    return "description", f"the description is about {min(said)}, but the result is of {min(own)}"


def _have_common(names: Set[str], others: Set[str]) -> bool:
    """True if benchmarks are of one family, as MMLU and MMLU-Pro are."""
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
    stated = _LANGUAGES.get(re.split("[-_]", language.strip().casefold())[0])
    named = {_LANGUAGES[word.casefold()] for word in re.findall(_LANGUAGE_NAMES, name)}
    if stated is None or len(named) != 1 or stated in named:
        return False
    return re.search(_OF_DATA, name) is not None and not _OF_TWO_LANGUAGES.search(name)


@lru_cache(8192)
def _is_other_subject(subject: str, text: str) -> bool:
    stated = re.sub(r"[\s-]+", "_", subject.strip().casefold())
    if stated not in _SUBJECTS or "mmlu" not in text.casefold():
        return False
    words = re.sub(r"[^a-z0-9]+", "_", text.casefold()).join("__")
    named = {name for name in _SUBJECTS if f"_{name}_" in words}
    return bool(named) and f"_{stated}_" not in words
