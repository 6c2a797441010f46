"""Rules on the results of a record against each other: copies, exchanges, other scales."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice, pairwise, starmap
from typing import Any, TypeVar

from evalmark.validator.findings.finding import Action, At, Mistake
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.metric_rules import described, is_share_of_samples
from evalmark.validator.formats.records.rules.name_matching import plain
from evalmark.validator.formats.records.rules.number_relations import FEW, ROUNDING, half_unit
from evalmark.validator.formats.shared.json_values import mapping

#: Names of a result that sums up the others.
_AVERAGES = frozenset((
    "average", "avg", "mean", "overall average", "macro average", "macro avg", "mean score",
    "average score",
))  # fmt: skip
#: A description that says that it is the mean of the other results.
_OF_OTHERS = re.compile(
    r"(?i)(?!.*(?:(?<!un)weighted|micro|geometric|harmonic|\b(?:runs|seeds|orders|trials)\b))"
    r"(?:.*\b(?:mean|average) of (?:the )?.*\b(?:all|other)\b"
    r"|(?:(?:unweighted|arithmetic|macro) )?(?:mean|average) of (?:the )?"
    r"(?P<number>\w+) (?:\w+ ){0,2}"
    r"(?:below|above|listed here|(?P<here>in this record))\W*$)"
)
#: So much of a description is read for what an average is of.
_MOST = 500
#: Numbers as descriptions have them.
_NUMBERS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)  # noqa: SIM905
}
#: Metrics of the same answers of which one is at most the other: their words in a name, and what
#: else is in the names of results of which that is known.
_ORDERED = (
    (r"strict", r"loose", r"ifeval|instruction[ _-]?following"),
    (
        r"exact[ _-]?match|\bem\b", r"(?:token[ _-]?)?\bf1\b",
        r"squad|quac|\bdrop\b|coqa|hotpot|trivia|natural[ _-]?q|musique",
    ),
)  # fmt: skip
#: Words for an F1 of something else than the answers.
_NO_ANSWERS = re.compile("(?i)joint|support|macro|class|answerab")
#: Words by which a description says what an exact match or an F1 is, and not of which answers.
_DEFINING = re.compile(
    r"(?i)\b(?:averaged over (?:the )?questions|the|an?|of|between|and|to|with|that|which|is|are|in"
    r"|shares?|fraction|proportion|percentage|scores?|tokens?|words?|level|overlap"
    r"|answers?|predictions?|questions?|references?|gold|equals?|match(?:es|ing)?|identical"
    r"|exact(?:ly)?)\b"
)
#: An F1, or one of the two numbers that it is of, and how it was averaged.
_OF_F1 = re.compile(
    r"(?i)(?<![^\W_])((?:(?:micro|macro|weighted|binary|samples)(?:[-_ ]av(?:g|eraged?))?[-_ ])?)"
    r"(precision|recall|f1)(?:[-_ ]score)?((?:[-_ ](?:micro|macro|weighted|binary|samples))?)"
    r"(?![^\W_])"
)
#: A share over parts of its data, of which there are so many.
_OF_PARTS = re.compile(
    r"(?i) (?:over|across|on) (?:all )?(?:[a-z]+s (?:of|in|from) )?(?:all |the )*"
    r"(?P<number>\w+) (?:[a-z]+ )?(?:subsets|subtasks|tasks|parts|categories|subjects|levels"
    r"|languages|domains|topics|groups|sections|sets)\W*"
)
#: An error rate that is the rest of the accuracy.
_REST = re.compile(
    r"(?i)\b(?:1|one|100 ?%?) ?(?:-|\u2212|\u2013|minus) ?(?:the )?acc(?:uracy)?\W*$"
)
_ERROR_RATE = r"(?i)\b(?:classification )?error(?:[ _-]rate)?\b"
_ACCURACY = r"(?i)\bacc(?:uracy)?\b"
#: Digits that two results do not share by chance, and numbers of them that say so together.
_LONG, _TOGETHER = 3, 4
_SAME = 4  # where nothing but the score is the same
#: How far apart equal tries may be, on any scale of shares.
NOISE = 0.05
#: Results from which one is unlike the others.
_SOME = 3


def duplicate_result(record: RecordView) -> Iterator[Mistake]:
    """A record has duplicate results.

    Averages count a duplicate twice, and samples cannot tell which of the two they belong to.

    Bad: two results that are equal in everything or in all but their score, or share an
    `evaluation_result_id`
    Good: results that differ in name, data, metric, settings or details
    """
    results = record.results
    named = [result.identity for result in results if result.identity is not None]
    if len({result.name for result in results}) == len(results) and len(set(named)) == len(named):
        return  # nearly always
    yield from _of_two_scores(record)
    keys = [(result.name, result.score, result.description) for result in results]
    alike = Counter(keys)
    seen: dict[str, RecordResult] = {}
    ids: dict[str, RecordResult] = {}
    repeated: list[Mistake] = []
    for result, key in zip(results, keys, strict=True):
        first, field, identity = result, "name", result.identity
        if alike[key] > 1:
            first = seen.setdefault(result.canonical, result)
            if first is result and identity is not None:
                first = seen.setdefault(result.without_id, result)
        if first is result and identity is not None:
            first, field = ids.setdefault(identity, result), "identity"
        if first is not result:
            problem = f"the id {cited(identity)} is that of another result"
            mistake = Mistake(
                "duplicate result" if field == "name" else problem,
                At(result.at(field)),
                labels=((At(first.at(field)), "first occurrence"),),
                helps=("remove this entry",) if field == "name" else (),
                pointer=result.pointer,
                fold="duplicate",
            )
            if field == "name":
                repeated.append(mistake)
            else:
                yield mistake
    if len(repeated) > 1 and 2 * len(repeated) == len(results) and {*alike.values()} == {2}:
        others = tuple(each.pointer or "" for each in repeated[1:])
        note = "each of the other results is there twice too"
        yield replace(repeated[0], notes=(note,), helps=("remove them",), also=others)
    else:
        yield from repeated


def _of_two_scores(record: RecordView) -> Iterator[Mistake]:
    """Results that are equal in everything but their score."""
    seen: dict[str, RecordResult] = {}
    keys = [(result.name, result.description, result.metric_name) for result in record.results]
    alike = Counter(keys)
    for result, key in zip(record.results, keys, strict=True):
        if alike[key] == 1:
            continue
        first = seen.setdefault(result.without_score, result)
        if first is not result and first.score != result.score:
            yield Mistake(
                f"two results with the scores {cited(first.get('score'))} and "
                f"{cited(result.get('score'))} are equal in all else",
                At(result.at("score")),
                labels=((At(first.at("score")), "the other one"),),
                pointer=result.pointer,
                fold="two scores",
            )


def scale_unlike_siblings(record: RecordView) -> Iterator[Mistake]:
    """A score or an error is a share where its bounds, and the other results, are percentages.

    Of at least four scores with bounds of 0 and 100, most are above 1 and a few are not; or all of
    at least three are between 0 and 1. Of at least three errors, one is a hundredth of the others.

    Bad: `"score": 0.713` beside 68.2, 75.1 and 70.4, all with `"max_score": 100`
    Good: `"score": 71.3`
    """
    groups: dict[object, list[RecordResult]] = defaultdict(list)
    for result in record.results:
        if result.high == 100 and result.low == 0 and result.score:
            key = result.metric_id, result.metric_name, str(result.lower_is_better)
            groups[key].append(result)
    for group in groups.values():
        small = [r for r in group if r.score is not None and 0 < r.score <= 1]
        others = sorted(r.score for r in group if r not in small and r.score is not None)
        is_all = len(small) == len(group) >= _SOME
        is_few = 0 < len(small) <= len(others) / 3 and others[len(others) // 2] > 10
        if not is_all and not is_few:
            yield from _small_errors(group)
            continue
        first, *more = small
        many = f"{len(small):,} scores are" if more else f"score {cited(first.get('score'))} is"
        rest = "" if is_all else f", and other results of this metric reach {others[-1]:g}"
        yield Mistake(
            f"{many} between 0 and 1, but the bounds are 0 and 100{rest}",
            At(first.at("score")),
            labels=((At(first.at("high")), "the bound"),),
            helps=("write percentages, or bounds of 0 and 1",)
            if is_all
            else (f"if it is a share, write {round((first.score or 0) * 100, 10):.12g}",),
            also=tuple(r.at("score") for r in more),
        )


def _small_errors(group: list[RecordResult]) -> Iterator[Mistake]:
    """Errors of percentages that are shares, where no number of samples says so already."""
    errors = [
        (result, result.numbers.standard_error)
        for result in group
        if result.numbers and result.numbers.standard_error and result.numbers.num_samples is None
    ]
    if len(errors) <= _SOME:
        return
    from statistics import median  # slow to import, and few records need it

    usual = median(error for _, error in errors)
    for result, error in errors if usual >= 0.1 else ():
        if usual / 300 < error < usual / 30:
            yield Mistake(
                f"standard error {error:g} is a hundredth of the others",
                At(result.at("standard_error")),
                helps=(f"if it is a share, write {error * 100:.6g}",),
                fold="small error",
            )


def neighbours_contradict(record: RecordView) -> Iterator[Mistake]:
    """A result has what belongs to the result next to it.

    Copied entries keep the repository, the name, the id, the description, the error or the numbers
    of another one. An average is between the numbers that it is of, and their mean if it says so.
    It is of as many as it says, and an error rate is what the accuracy leaves, if it says so.
    More tries solve no less: pass@10 is at least pass@1, and equal to it at temperature 0. The
    same holds for hits@k, top-k accuracy and percentiles of times. An exact match is at most the F1
    of the same answers, a strict score of IFEval at most the loose one, and an F1 at most the mean
    of its precision and recall. A share of all samples is between those of its parts.

    Bad: `"dataset_name": "mmlu"` with `"hf_repo": "example/npi"`, which the result of npi has too
    Good: the repository of mmlu
    """
    yield from _repositories(record)
    exchanged = list(_exchanged_names(record))
    yield from exchanged or _shifted_ids(record)
    yield from _name_of_other(record)
    yield from _fewer_with_more_tries(record)
    yield from _disordered(record)
    yield from _f1_above_mean(record)
    yield from _no_rest(record)
    yield from _other_descriptions(record)
    yield from _same_numbers(record)
    yield from _same_errors(record)
    yield from _same_scores(record)
    yield from _odd_averages(record)
    yield from _beyond_parts(record)


def _repositories(record: RecordView) -> Iterator[Mistake]:
    homes: dict[str, list[RecordResult]] = defaultdict(list)
    for source in record.sources:
        if source.hf_repo is not None:
            homes[source.hf_repo] += source.results
    owners = Counter(repository.partition("/")[0] for repository in homes)
    for repository, results in homes.items() if len(homes) > 1 else ():
        # Elsewhere one repository may hold several data: cais/mmlu has anatomy.
        if owners[repository.partition("/")[0]] == 1:
            continue
        tail = plain(repository.rpartition("/")[2])
        names = [plain(result.dataset or "") for result in results]
        fits = [name in (tail, "") for name in names]
        has_own = any(fits)
        for result, name, is_own in zip(results, names, fits, strict=True):
            # Other data of this record are in repositories of their names.
            if not is_own and has_own and tail not in name and name not in tail:
                yield Mistake(
                    f"{cited(repository)} is the repository of a different result, "
                    f"{cited(results[fits.index(True)].dataset)}",
                    At(result.at("hf_repo")),
                    labels=((At(result.at("dataset")), "the data of this one"),),
                    fold=f"repository {repository}",
                )


def _exchanged_names(record: RecordView) -> Iterator[Mistake]:
    """Results that are named after each other's data, in a record that names by data."""
    by_data: dict[str, list[RecordResult]] = defaultdict(list)
    for result in record.results:
        if result.dataset is not None and result.name is not None:
            by_data[result.dataset].append(result)
    single = {data: r for data, (r, *more) in by_data.items() if not more and r.name != data}
    while single:
        data, result = single.popitem()
        circle = [result]
        while other := single.pop(circle[-1].name or "", None):
            circle.append(other)
        if len(circle) == 1 or circle[-1].name != data:
            continue  # one whose name is that of no other data
        result, *others = sorted(circle, key=lambda r: r.index)
        data = result.dataset or ""
        if len(circle) > 2:
            yield Mistake(
                f"{len(circle)} results have each other's data: {cited(result.name)} has "
                f"{cited(data)}",
                At(result.at("dataset")),
                also=tuple(r.at("dataset") for r in others),
                fold="data of others",
            )
        else:
            yield Mistake(
                f"{cited(result.name)} and {cited(data)} have each other's names",
                At(result.at("name")),
                labels=((At(others[0].at("name")), "the other one"),),
                helps=(Action.WRITE(quoted(data)),),
            )


def _name_of_other(record: RecordView) -> Iterator[Mistake]:
    """A name that two results have, of which one has other data, where results are named by it."""
    names = Counter(result.name for result in record.results if result.name)
    if len(names) == len(record.results):
        return  # nearly always
    odd = [r for r in record.results if r.name and plain(r.name) not in plain(r.dataset or "")]
    if len(odd) != 1 or len(record.results) < _SOME or names[odd[0].name or ""] != 2:
        return
    (result,) = odd
    own = next(other for other in record.results if other.name == result.name)
    if own is result:
        own = next(other for other in record.results[::-1] if other.name == result.name)
    words, others = plain(result.dataset or ""), plain(own.dataset or "")
    shared = _words(result.dataset or "") & _words(own.dataset or "")
    if plain(own.name or "") != others and not shared:
        return  # the name of a skill, of which there are several sets
    if words and words not in plain(result.name or "") and words != others:
        yield Mistake(
            f"two results are called {cited(result.name)}, and this one is of "
            f"{cited(result.dataset)}",
            At(result.at("name")),
            labels=((At(own.at("name")), "the other one"),),
            fold="name of another",
        )


#: What finds no less with a higher number, in the names of a metric or a result: tries of which one
#: has to pass, answers of which one has to be right, and a part of all times.
_TRIES = re.compile(
    r"(?i)(?<![^\W_])(?:pass(?:@|[ _-]?at[ _-]?)|hits?@"
    r"|top[ _-]?(?=\d+[ _-]acc)"
    r"|(?:latency|time|duration)[\W_]{1,2}p|p(?=\d+[ _-](?:latency|time|duration)))"
    r"(\d{1,9})(?![^\W_])"
)
_OF_TRIES = ("pass", "hit", "top")


@lru_cache(8192)
def _tries(*names: str | None) -> tuple[int, str] | None:
    """The number in names, and the first of the words that have it."""
    found = [match for name in names for match in _TRIES.finditer(name or "")]
    numbers = {int(match[1]) for match in found}
    return (numbers.pop(), found[0][0]) if len(numbers) == 1 else None


#: Settings that may be those of a result that does not state them.
_MAY_BE_LEFT_OUT = frozenset(("max_tokens", "execution_command"))
K = TypeVar("K")
T = TypeVar("T")
#: What is compared -> settings -> results of a run, by what each of them is.
_Runs = dict[tuple[object, ...], dict[str, dict[K, T]]]


def _of_one_run(groups: _Runs[K, T]) -> Iterator[dict[K, T]]:
    """Results of the same settings; single ones are of one run if no setting has two values."""
    for runs in groups.values():
        joined = {key: entry for run in runs.values() for key, entry in run.items()}
        is_single = 1 < len(runs) == len(joined) == sum(map(len, runs.values())) < FEW
        if is_single and all(starmap(_may_be_same, combinations(map(json.loads, runs), 2))):
            yield joined
        else:
            yield from runs.values()


def _may_be_same(settings: Any, others: Any) -> bool:
    """True if two objects are equal but for what one does not say, and what changes few scores."""
    if not isinstance(settings, dict) or not isinstance(others, dict):
        return bool(settings == others)
    if not _MAY_BE_LEFT_OUT.issuperset(settings.keys() ^ others.keys()):
        return False  # what is off is often not said
    return all(_may_be_same(settings[key], others[key]) for key in settings.keys() & others.keys())


def _fewer_with_more_tries(record: RecordView) -> Iterator[Mistake]:
    """A pass@k that is below one of fewer tries, or above it though all tries are the same."""
    groups: _Runs[int, tuple[RecordResult, str]] = defaultdict(lambda: defaultdict(dict))
    for result in record.results:
        tries = _tries(result.metric_id, result.metric_name, result.name, result.description)
        # What rises with a percentile is a time; how much is done within it falls.
        is_of_times = tries is not None and not tries[1].casefold().startswith(_OF_TRIES)
        if tries is None or result.score is None or (is_of_times and not result.lower_is_better):
            continue
        texts = result.name, result.metric_id, result.metric_name
        names = tuple(_TRIES.sub("", text or "") for text in texts)
        scale = result.lower_is_better, result.unit, *_measured(result, tries[0])
        said = _TRIES.sub("", result.description or "") if is_of_times else ""
        key = names, said, scale, result.dataset, result.hf_split
        groups[key][quoted(result.settings)].setdefault(tries[0], (result, tries[1]))
    for group in _of_one_run(groups):
        pairs = pairwise(entry for _, entry in sorted(group.items()))
        yield from islice(filter(None, starmap(_odd_tries, pairs)), 1)


def _odd_tries(fewer: tuple[RecordResult, str], more: tuple[RecordResult, str]) -> Mistake | None:
    """What is wrong of the scores of two numbers of tries, with the words for each."""
    (result, few), (other, many) = fewer, more
    low, high = result.score or 0, other.score or 0
    # Programs of agents, and of a busy server, differ even so.
    is_greedy = other.get("temperature") == 0 and not other.get("tools")
    is_greedy = is_greedy and few.casefold().startswith("pass")
    whole = 1 if other.low is None or other.high is None else other.high - other.low
    if high >= low and not (is_greedy and high - low > NOISE * whole):
        return None
    why = ", and at temperature 0 all tries are the same" if high > low else ""
    return Mistake(
        f"{many} is {high:g}, and {few} is {low:g}{why}",
        At(other.at("score")),
        labels=((At(result.at("score")), few),),
        fold="tries",
    )


def _disordered(record: RecordView) -> Iterator[Mistake]:
    """A metric that is above one that it cannot exceed, on the same answers."""
    groups: _Runs[bool, RecordResult] = defaultdict(lambda: defaultdict(dict))
    for result in record.results:
        texts = result.name, result.metric_id, result.metric_name, result.description
        if _inside(result) is None or (side := _side(result.dataset, *texts)) is None:
            continue  # nearly always
        row, is_more, rest = side
        scale = *_measured(result), result.hf_split
        rest = *rest, str(mapping(result.details).get("language"))
        key = row, rest, result.dataset, scale
        groups[key][quoted(result.settings)].setdefault(is_more, result)
    for group in _of_one_run(groups):
        less, more = group.get(False), group.get(True)
        if less is None or more is None or less.score is None or more.score is None:
            continue
        digits = 2 * min(half_unit(less.score), half_unit(more.score))
        if less.score > more.score + digits + ROUNDING:
            one, other = less.name, more.name
            if one == other:
                one, other = less.metric_name or less.metric_id, more.metric_name or more.metric_id
            yield Mistake(
                f"{cited(one)} is {less.score:g}, above {cited(other)}, {more.score:g}, "
                "which is at least as high on the same answers",
                At(less.at("score")),
                labels=((At(more.at("score")), "the other one"),),
                fold="disordered",
            )


@lru_cache(8192)
def _side(data: str | None, *texts: str | None) -> tuple[int, bool, tuple[str, ...]] | None:
    """The row of a pair of ordered metrics, which of the two this is, and what else is said of it.

    The texts are the names of a result and its metric, and the description.
    """
    names, said = " ".join(filter(None, texts[:-1])), " ".join(filter(None, texts))
    for row, (less, more, where) in enumerate(_ORDERED):
        found = [re.search(f"(?i){words}", names) is not None for words in (less, more)]
        if sum(found) != 1 or not re.search(f"(?i){where}", f"{names} {data}"):
            continue
        words = more if found[1] else less
        *named, description = (re.sub(f"(?i){words}|accuracy", "", text or "") for text in texts)
        rest = *map(plain, named), plain(_DEFINING.sub("", description))
        return None if _NO_ANSWERS.search(said) else (row, found[1], rest)
    return None


def _f1_above_mean(record: RecordView) -> Iterator[Mistake]:
    """An F1 that is above the mean of its precision and recall: of one class, or averaged."""
    groups: _Runs[str, RecordResult] = defaultdict(lambda: defaultdict(dict))
    for result in record.results:
        names = result.metric_id, result.metric_name
        found = [_OF_F1.fullmatch(name) for name in names if name]
        roles = {match[2].casefold() if match else "" for match in found}
        if len(roles) != 1 or "" in roles or _inside(result) is None:
            continue  # nearly always
        texts = *names, result.name, result.description
        rest = tuple(_OF_F1.sub(r"\1\3", text or "").strip() for text in texts)
        scale = *_measured(result), result.dataset, result.hf_split, quoted(result.details)
        groups[rest, scale][quoted(result.settings)].setdefault(roles.pop(), result)
    for group in _of_one_run(groups):
        f1, p, r = (group.get(role) for role in ("f1", "precision", "recall"))
        if f1 is None or p is None or r is None:
            continue
        score, mean = f1.score or 0, ((p.score or 0) + (r.score or 0)) / 2
        slack = half_unit(score) + half_unit(p.score or 0) + half_unit(r.score or 0)
        if score > mean + slack + 0.01 * ((f1.high or 1) - (f1.low or 0)):
            yield Mistake(
                f"the F1 is {score:g}, above the mean of the precision, {p.score:g}, and the "
                f"recall, {r.score:g}",
                At(f1.at("score")),
                labels=((At(p.at("score")), "the precision"),),
                fold="f1",
            )


def _no_rest(record: RecordView) -> Iterator[Mistake]:
    """An error rate that is said to be the rest of the accuracy, and is not."""
    errors = [r for r in record.results if "acc" in (r.description or "") and r.lower_is_better]
    errors = [error for error in errors if _REST.search(error.description or "")]
    accuracies = {
        _without(_ACCURACY, result): result
        for result in record.results
        if errors and re.search(_ACCURACY, result.name or "")
    }
    for error in errors:
        result, rate, whole = accuracies.get(_without(_ERROR_RATE, error)), error.score, error.high
        if result is None or result.score is None or rate is None or whole not in (1, 100):
            continue
        width = half_unit(result.score) + half_unit(rate) + ROUNDING
        if abs(result.score + rate - whole) > width:
            yield Mistake(
                f"the error rate is {rate:g}, and the accuracy {result.score:g}: together they "
                f"are not {whole:g}",
                At(error.at("score")),
                labels=((At(result.at("score")), "the accuracy"),),
                fold="rest",
            )


def _without(words: str, result: RecordResult) -> tuple[object, ...]:
    """The name of a result without some words, and what it is of."""
    names = [plain(re.sub(words, "", name or "")) for name in (result.name, result.metric_name)]
    return *names, result.high, result.dataset, result.hf_split, quoted(result.settings)


def _shifted_ids(record: RecordView) -> Iterator[Mistake]:
    named = {result.name: result for result in record.results if result.name and result.identity}
    other = [result for name, result in named.items() if name not in (result.identity or "")]
    if len(other) < 2 or len(named) < len(record.results):
        return  # nearly always
    words = [(_words(name or ""), result) for name, result in named.items()]
    meant = [_only_one_in(_words(result.identity or ""), words) for result in other]
    if None in meant or any(map(_is_called_by, meant, other)):
        return  # most ids that lack their names name nothing, or have their names in other words
    first, *others = other
    named_by = [result.name for result in meant if result]
    if len(set(named_by)) == len(other):
        yield Mistake(
            f"{len(other)} ids name other results: {cited(first.identity)} is that of "
            f"{cited(named_by[0])}",
            At(first.at("identity")),
            labels=((At(first.at("name")), "this one"),),
            also=tuple(result.at("identity") for result in others),
            fold="shifted ids",
        )


def _is_called_by(named: RecordResult | None, result: RecordResult) -> bool:
    """True for the result itself, and for one whose name is a part of the name of it."""
    name = (named and named.name) or ""
    return named is result or _words(name) <= _words(result.name or "")


def _only_one_in(
    text: frozenset[str], names: Sequence[tuple[frozenset[str], RecordResult]]
) -> RecordResult | None:
    """The result whose name is in a text, if there is one such result."""
    fits = [result for name, result in names if name <= text]
    return fits[0] if len(fits) == 1 else None


@lru_cache(8192)
def _words(text: str) -> frozenset[str]:
    """The words of a text; a hyphen or an underscore does not end one."""
    return frozenset(map(plain, re.findall(r"[\w-]+", text))) - {""}


def _other_descriptions(record: RecordView) -> Iterator[Mistake]:
    data = {plain(result.dataset): result.dataset for result in record.results if result.dataset}
    if len(data) < 2 or record.is_own:  # whose descriptions are one sentence for all
        return
    described = [result for result in record.results if result.description and result.dataset]
    used = Counter(word for result in described for word in _words(result.description or ""))
    # A word of many descriptions is not a name, even if data is called so.
    names = {name for name in data if len(name) > 2 and used[name] < _SOME}
    for result in described:
        if other := _described_instead(result, names):
            yield Mistake(
                f"the description is about {cited(data[other])}, which is a different result",
                At(result.at("description")),
                labels=((At(result.at("dataset")), "the data of this one"),),
                fold=f"description {other}",
            )


def _described_instead(result: RecordResult, names: Set[str]) -> str:
    """The one name of other data that a description has in place of its own; else nothing."""
    description = result.description or ""
    others = names & _words(description)
    if not others:
        return ""  # nearly always
    own = {plain(name) for name in (result.name, result.dataset) if name}
    # What the result is called may say more, or less, than its data.
    if len(others := others - own) != 1 or any(name in plain(description) for name in own):
        return ""
    (other,) = others
    return "" if any(other in name for name in own) else other


def _same_numbers(record: RecordView) -> Iterator[Mistake]:
    """Results of different data with the same score, error and interval, all of many digits."""
    seen: dict[tuple[float, ...], RecordResult] = {}
    for result in record.with_numbers:
        n = result.numbers
        assert n
        numbers = n.score, n.standard_error, n.standard_deviation, n.lower, n.upper
        known = tuple(value for value in numbers if value is not None and _is_long(value))
        if len(known) < _TOGETHER or _is_of_counts(result):
            continue
        first = seen.setdefault(known, result)
        if first is not result and first.dataset != result.dataset:
            yield Mistake(
                f"all numbers are equal to those of {cited(first.name)}, to the last digit",
                At(result.at("score")),
                labels=((At(first.at("score")), "the same"),),
                fold="the same numbers",
            )


def _is_of_counts(result: RecordResult) -> bool:
    """True if all numbers follow from a share, so that equal counts alone make them equal."""
    n = result.numbers
    assert n
    low, high = n.low or 0, 1 if n.high is None else n.high
    deviation = n.standard_deviation
    if deviation is None and n.standard_error is not None and n.num_samples:
        deviation = n.standard_error * math.sqrt(max(n.num_samples, 0))
    if deviation is None or n.score is None or not low <= n.score <= high or low == high:
        return True  # nobody knows
    share = (n.score - low) / (high - low)
    return math.isclose(deviation / (high - low), math.sqrt(share * (1 - share)), rel_tol=0.03)


def _is_long(value: float, least: int = _LONG) -> bool:
    """True if a number has digits that no count, bound or default has."""
    return len(f"{value!r}".partition("e")[0].replace(".", "").strip("0-")) >= least


def _same_errors(record: RecordView) -> Iterator[Mistake]:
    """One standard error of many digits in all results, whose scores and data differ."""
    errors = [result.numbers.standard_error for result in record.with_numbers if result.numbers]
    if len(errors) <= _SOME or len({*errors}) > 1 or (error := errors[0]) is None:
        return
    first, *others = record.with_numbers
    are_different = {(result.score, result.dataset) for result in record.with_numbers}
    if _is_long(error) and len(are_different) == len(errors):
        yield Mistake(
            f"all {len(errors)} results have the standard error {error:g}",
            At(first.at("standard_error")),
            also=tuple(result.at("standard_error") for result in others),
            fold="the same error",
        )


def _same_scores(record: RecordView) -> Iterator[Mistake]:
    """One score of many digits in all results, whose data differ."""
    score, results = record.results[0].score, record.results
    if score is None or len(results) < _SOME or any(r.score != score for r in results):
        return
    if not _is_long(score, _SAME):
        return
    if any(result.numbers and result.numbers.standard_error for result in results):
        return  # `_same_errors` and `_same_numbers` look at them
    share = score / (results[0].high or 1)
    width = half_unit(score) / (results[0].high or 1)
    is_of_few = any(abs(share * n - round(share * n)) <= n * width for n in range(1, 2 * FEW))
    if len({result.dataset for result in results}) == len(results) and not is_of_few:
        yield Mistake(
            f"all {len(results)} results have the score {score:.12g}, to the last digit",
            At(results[0].at("score")),
            also=tuple(result.at("score") for result in results[1:]),
            fold="the same score",
        )


def _odd_averages(record: RecordView) -> Iterator[Mistake]:
    """Averages that are beyond all results with their bounds."""
    averages = [result for result in record.results if _is_average(result.name, result.description)]
    if not averages:
        return
    of_averages = {result.index for result in averages}
    others = [result for result in record.results if result.index not in of_averages]
    scores: dict[tuple[float | None, float | None], list[float]] = defaultdict(list)
    for result in others:
        if result.score is not None:
            scores[result.low, result.high].append(result.score)
    for result in averages:
        known = scores.get((result.low, result.high), [])
        if result.score is None or len(known) < max(2, len(record.results) / 2):
            continue
        yield from _odd_average(result, known, others, is_only=len(averages) == 1)


def _beyond_parts(record: RecordView) -> Iterator[Mistake]:
    """A share of all samples that is beyond the shares of all its parts."""
    wholes = [r for r in record.results if r.description and _number_of_parts(r.description)]
    for result in wholes[:FEW]:
        score = _inside(result)
        if score is None or not is_share_of_samples(*_said(result)):
            continue
        parts = [other for other in record.results if _is_part(other, result)]
        scores = [part.score for part in parts if part.score is not None]
        if len(scores) < 2 or len(scores) != _number_of_parts(result.description or ""):
            continue
        digits = half_unit(score) + max(map(half_unit, scores)) + ROUNDING
        if min(scores) - digits <= score <= max(scores) + digits:
            continue
        where = "above" if score > max(scores) else "below"
        yield Mistake(
            f"the score is {score:g}, {where} those of its {len(parts)} parts",
            At(result.at("score")),
            labels=((At(parts[0].at("score")), "the first part"),),
            fold="parts of a score",
        )


@lru_cache(8192)
def _number_of_parts(description: str) -> int | None:
    """Of how many parts a description says that its share is."""
    found = _OF_PARTS.fullmatch(description[:_MOST], len(described(description)))
    return _count(found["number"]) if found else None


def _said(result: RecordResult) -> tuple[str | None, str | None, str]:
    """What is said of a metric: its id, its name, and what the description begins with."""
    return result.metric_id, result.metric_name, described(result.description or "")


def _is_part(part: RecordResult, whole: RecordResult) -> bool:
    """True for a result of a part of the data of another: MMLU - STEM, of MMLU."""
    name = whole.name or ""
    behind = (part.name or "").removeprefix(name)
    if not name or behind == part.name or not re.match(r"(?: [-–—] |: | ?/ ?| \()", behind):
        return False  # nearly always; ARC-AGI is no part of ARC
    scales = [(r.lower_is_better, r.hf_split, *_said(r), *_measured(r)) for r in (part, whole)]
    return scales[0] == scales[1] and _may_be_same(part.settings, whole.settings)


def _measured(result: RecordResult, tries: int | None = None) -> tuple[object, ...]:
    """The bounds, and what is said of a metric besides the number of tries, and of the data."""
    parameters = mapping(result.get("parameters"))
    others = {key: value for key, value in parameters.items() if tries is None or value != tries}
    return result.low, result.high, quoted(others), quoted(result.get("about_data"))


def _inside(result: RecordResult) -> float | None:
    """The score of a result; None if it is beyond its bounds, which is reported as that."""
    low = -math.inf if result.low is None else result.low
    high = math.inf if result.high is None else result.high
    return result.score if result.score is not None and low <= result.score <= high else None


def _odd_average(
    result: RecordResult, known: Sequence[float], others: Sequence[RecordResult], *, is_only: bool
) -> Iterator[Mistake]:
    of_others, score = _OF_OTHERS.match((result.description or "")[:_MOST]), result.score or 0
    number = _count(of_others["number"]) if of_others else None
    if not min(known) <= score <= max(known):
        direction = "above" if score > max(known) else "below"
        yield Mistake(
            f"an average of {score:g} is {direction} all {len(known)} other results",
            At(result.at("score")),
        )
    elif of_others and of_others["here"] and (number or 0) > len(others) and is_only:
        yield Mistake(
            f"the description is about {number:g} results, but there are {len(others)} others",
            At(result.at("description")),
            fold="parts of an average",
        )
    elif of_others and len(known) == len(others) == (number or len(others)):
        yield from _other_average(result, known)


def _other_average(result: RecordResult, known: Sequence[float]) -> Iterator[Mistake]:
    mean, score = math.fsum(known) / len(known), result.score or 0
    width = half_unit(score) + math.fsum(map(half_unit, known)) / len(known)
    if abs(mean - score) > width + ROUNDING:
        yield Mistake(
            f"the average is {score:g}, and the mean of the {len(known)} other results is "
            f"{mean:.6g}",
            At(result.at("score")),
        )


def _count(word: str | None) -> int | None:
    """A number in digits or as a word; None if it is neither, or there is none."""
    text = (word or "").casefold()
    return int(text) if text.isdecimal() else _NUMBERS.get(text)


@lru_cache(8192)
def _is_average(name: str | None, description: str | None) -> bool:
    words = " ".join(re.split(r"[\s_-]+", (name or "").casefold().strip()))
    found = _OF_OTHERS.match((description or "")[:_MOST])
    return words in _AVERAGES or (
        words == "overall" and found is not None and found["here"] is not None
    )
