"""Rules on the identifiers, times and sources of a record."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any

from evalmark.validator.findings.finding import Action, At, Change, Hit, Safety
from evalmark.validator.findings.phrasing import quoted, shown
from evalmark.validator.formats.records.record_view import (
    RecordResult,
    RecordView,
    Time,
    evaluation_id,
)
from evalmark.validator.formats.shared.fields import (
    Fields,
    seconds_in,
    text,
    timestamp,
)

if TYPE_CHECKING:
    from datetime import datetime


_TOKEN = re.compile(r"[^\W\d_]+|\d+")
#: Letters after a number that make it a size, as in 70b, 8x7b and 32k.
_UNITS = frozenset("bkmtx")
#: Letters beside a number, which say little.
_BESIDE = _UNITS | {"v"}
#: Words of a name that are looked for: a file may have a name of a million.
MOST = 50


def names_model(text: str, model: str) -> bool:
    """True if a text has more than half of the words of a model's name, and no other version.

    The model's owner does not count, and words may be written together.
    """
    name = model.rpartition("/")[2]
    if name in text:
        return True
    text, name = _folded(text), _folded(name)
    here = plain(text)
    if plain(name) in here:
        return True
    tokens = _TOKEN.findall(name)[:MOST]
    words = [token for token in tokens if not token.isdecimal() and token not in _BESIDE]
    tokens_of_text = set(_TOKEN.findall(text))
    matches = [word for word in words if word in tokens_of_text or (len(word) > 2 and word in here)]
    # The name of an evaluation, which comes first, may have a version of its own.
    return 2 * len(matches) > len(words) and not is_other_version(name, text.partition("/")[2])


def plain(text: str) -> str:
    """A name without what is spelt in several ways."""
    return re.sub(r"[\W_]+", "", _folded(text))


def _folded(text: str) -> str:
    if not text.isascii():
        from unicodedata import combining, normalize  # few names need it

        text = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return text.casefold()


def is_other_version(name: str, text: str) -> bool:
    """True if a word of both has versions that differ, as in gpt-4 and gpt-5.

    No version agrees with any, and 3 agrees with 3.1.
    """
    mine, others = _versions(name), _versions(text)
    return any(
        not any(a.startswith(b) or b.startswith(a) for a in mine[word] for b in others[word])
        for word in mine.keys() & others.keys()
    )


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
#: Letters with which the names of one organization begin.
_SHARED = 4
#: A URL of a repository of the Hugging Face Hub.
_OF_HUB = (  # no pattern of few records is compiled before one needs it
    r"(?i)(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:datasets/)?"
    # Neither a data set without an owner, nor a page of one, is an owner and a name.
    r"(?!(?:datasets|spaces)/)([\w.-]+/(?!(?:blob|resolve|tree|viewer)(?:/|$))[\w.-]+)"
)
#: The name of a server, with what may follow it.
_NAME = r"(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?$"
#: The name of a file, which looks like that of a server.
_FILE = r"(?i)[\w.-]+\.(png|svg|jpe?g|gif|webp|pdf|html?|md|txt|csv|tsv|jsonl?|ya?ml|py)$"
#: What a template has in an evaluation id.
_UNFILLED = re.compile(r"[{}<>$]|\b(?:eval_name|model_id|model_name|retrieved_timestamp)\b")
#: Clocks differ: up to a day ahead is not a mistake.
DAY = 86_400
#: The format's words for the parts of a dataset, and what others call them.
SPLITS = {
    "train": ("train", "training"),
    "val": ("val", "valid", "validation", "dev", "development"),
    "test": ("test", "testing"),
}


def _odd_identifiers(record: RecordView) -> Iterator[tuple[Fields, str, str]]:
    """The identifiers that begin or end in space, or are blank: the part, its field, its value."""
    of_record = (
        ("evaluation_id", record.evaluation_id),
        ("model_id", record.model_id),
        ("model_name", record.model_name),
    )
    of_results = ((result, "name", result.name) for result in record.results)
    for part, field, value in *((record, *each) for each in of_record), *of_results:
        if isinstance(value, str) and (value != value.strip() or not value):
            yield part, field, value


def empty_identifier(record: RecordView) -> Iterator[Hit]:
    """An identifier is blank.

    Bad: `"id": ""`
    Good: `"id": "example/model-1"`
    """
    for part, field, identifier in _odd_identifiers(record):
        if not identifier.strip():
            name = record.results[0].name if record.results else None
            is_id = field == "evaluation_id"
            meant = evaluation_id(name, record.model_id, record.retrieved) if is_id else ""
            yield Hit(
                f"`{part.key(field)}` is blank",
                At(part.at(field)),
                helps=(Action.WRITE(meant),) if meant else (),
                changes=(Change(At(part.at(field)), meant),) if meant else (),
                fold="blank",
            )


def surrounding_space(record: RecordView) -> Iterator[Hit]:
    """An identifier begins or ends with a space.

    Tools compare them as strings, so `"example/model-1 "` and `"example/model-1"` are two models.

    Bad: `"id": "example/model-1 "`
    Good: `"id": "example/model-1"`
    """
    for part, field, identifier in _odd_identifiers(record):
        if trimmed := identifier.strip():
            at = At(part.at(field))
            yield Hit(
                f"`{part.key(field)}` begins or ends in space: {shown(identifier)}",
                at,
                helps=(Action.WRITE(quoted(trimmed)),),
                changes=(Change(at, quoted(trimmed)),),
                fold=f"space {field}",
            )


def developer_owner(record: RecordView) -> Iterator[Hit]:
    """The developer of a model is not the owner that its id names.

    One of the two may be an organization's account and the other its name; they then share a word.

    Bad: `"id": "meta-llama/llama-9", "developer": "Mistral AI"`
    Good: `"id": "meta-llama/llama-9", "developer": "Meta"`
    """
    developer, (owner, slash, _) = record.text("developer"), (record.model_id or "").partition("/")
    if not slash or developer is None or not developer.strip() or not owner.strip(" .~"):
        return
    if "://" in (record.model_id or "") or hub_name(record.model_id):
        return  # an address, which another rule reports
    if not are_related(developer, owner):
        yield Hit(
            f"the developer, {shown(developer)}, is not the owner in the id of the model, "
            f"{shown(owner)}",
            At(record.at("developer")),
            labels=((At(record.at("model_id")), "the model"),),
            helps=(f"write {quoted(owner)}, if the id is right",),
            fold="developer",
        )


def hub_name(value: object) -> str:
    """The owner and name in the URL of a repository of the Hugging Face Hub; else empty."""
    if not isinstance(value, str) or value.count("/") < 2:
        return ""  # nearly always
    match = re.match(_OF_HUB, value)
    return match[1] if match else ""


def is_one_organization(one: str, other: str) -> bool:
    """True if two names are the same, or those of a company and its account."""
    names = plain(one), plain(other)
    return names[0] == names[1] or any(names[0] in of and names[1] in of for of in _COMPANIES)


@lru_cache(100)  # the records of a call have few developers
def are_related(developer: str, owner: str) -> bool:
    """True if two names of an organization share a beginning of four letters, or initials."""
    one, other = plain(developer), plain(owner)
    if one in other or other in one or is_one_organization(developer, owner):
        return True
    words = {word[:_SHARED] for word in _TOKEN.findall(_folded(developer)) if len(word) >= _SHARED}
    initials = "".join(word[0] for word in _TOKEN.findall(_folded(developer)))
    return any(word in other for word in words) or initials == other


def evaluation_id_form(record: RecordView) -> Iterator[Hit]:
    """An evaluation id is not name/model/time.

    The parts are the name of the evaluation, the id of the model and `retrieved_timestamp`, or the
    time of the evaluation. Tools use the id to find other records of the same evaluation.

    Bad: `"evaluation_id": "run-17"`
    Good: `"evaluation_id": "agreement/example/model-1/1760000000"`
    """
    value, time = record.evaluation_id, record.retrieved
    if value is None or not value.strip():
        return
    parts = value.split("/")
    if _UNFILLED.search(value):
        yield Hit(
            f"places of the evaluation id {shown(value)} are not filled in",
            At(record.at("evaluation_id")),
        )
    elif len(parts) < 3:
        model = record.model_id or "<model id>"
        yield Hit(
            f"evaluation id {shown(value)} does not have the form name/model/time",
            At(record.at("evaluation_id")),
            helps=(Action.WRITE(quoted(f"{parts[0]}/{model}/{time}")),),
        )
    elif (
        isinstance(time, str)
        and time != parts[-1]
        and 0 <= (timestamp(time) or -1) <= record.now + DAY  # else that is the mistake
        and not _is_a_time_of(record, parts[-1])
    ):
        yield Hit(
            "the evaluation id does not end in the time of retrieval",
            At(record.at("evaluation_id")),
            labels=((At(record.at("retrieved")), "the time of retrieval"),),
            helps=(Action.WRITE(quoted("/".join([*parts[:-1], time]))),),
        )


def evaluation_id_model(record: RecordView) -> Iterator[Hit]:
    """An evaluation id does not name the model of the record.

    The spelling may differ, and more than half of the words of the model's name are enough. An id
    that names another model, or another version of it, was usually copied from its record.

    Bad: `"evaluation_id": "agreement/example/llama-9/1760000000"` of the model `example/qwen-1`
    Good: `"evaluation_id": "agreement/example/qwen-1/1760000000"`
    """
    value, model = record.evaluation_id, record.model_id
    if value is None or not model or value.count("/") < 2 or _UNFILLED.search(value):
        return
    place, _, time = value.rpartition("/")
    label = record.model_name
    if names_model(place, model) or (label and names_model(place, label)):
        return
    first, *others = place.split("/")
    owner = plain(model.rpartition("/")[0])
    # An id without a name is most often that of the owner and the evaluation.
    name = others[0] if plain(first) == owner else first
    # Nearly all published ids have an underscore for the slash of the model.
    spelling = model.replace("/", "_") if len(others) == 1 and "_" in others[0] else model
    yield Hit(
        f"the evaluation id does not name the model {shown(model)}",
        At(record.at("evaluation_id")),
        labels=((At(record.at("model_id")), "the model"),),
        helps=(Action.WRITE(json.dumps(f"{name}/{spelling}/{time}", ensure_ascii=False)),),
    )


def no_results(record: RecordView) -> Iterator[Hit]:
    """A record has no results.

    Bad: `"evaluation_results": []`
    Good: `"evaluation_results": [{…}]`
    """
    if not record.results:
        yield Hit("the record has no results", At(record.at("results")))


def _is_a_time_of(record: RecordView, text: str) -> bool:
    """True if a text is a time that the record names, however the number is written."""
    seconds = timestamp(text)
    return any(
        text == time.value or (seconds is not None and seconds == time.seconds)
        for time in record.times
    )


def not_a_timestamp(record: RecordView) -> Iterator[Hit]:
    """A time is not a Unix timestamp (seconds since 1970).

    Bad: `"retrieved_timestamp": "yesterday"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for time in record.times:
        if time.seconds is not None:
            continue
        date = _date(time.value)
        if date and not time.is_documented and date.year >= OLDEST:
            continue
        seconds, is_exact = _seconds_of(date) if date else (seconds_in(time.value), True)
        early = f"of {date.year}" if date and date.year < OLDEST else _early(time.value)
        is_told = seconds and not early
        helps, changes = _written(record, time, seconds) if is_told else ((), ())
        yield Hit(
            f"{shown(time.value)} is {early}: no evaluation is that old"
            if early
            else f"{shown(time.value)} is not a Unix timestamp (seconds since 1970)",
            At(time.pointer),
            helps=helps,
            changes=changes if is_exact else (),
            safety=Safety.UNSAFE,
            fold="time",
        )


#: No evaluation is older; and seconds before 1970 in which a number is still that of a time.
OLDEST, _LONG_AGO = 2000, 1e9


def _early(value: object) -> str:
    """The date of a Unix timestamp before 2000, in words; else nothing."""
    try:
        seconds = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        return ""
    is_early = -_LONG_AGO < seconds < 1e9
    return strftime("the timestamp of %Y-%m-%d", gmtime(seconds)) if is_early else ""


def _date(value: object) -> datetime | None:
    """An ISO date; None if the value is not one."""
    if not isinstance(value, str):
        return None
    from datetime import datetime  # times that are timestamps need none

    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _seconds_of(date: datetime) -> tuple[str, bool]:
    """The Unix timestamp of a date, and whether the date says which time zone it is in."""
    from datetime import UTC

    is_exact = date.tzinfo is not None
    moment = date if is_exact else date.replace(tzinfo=UTC)
    seconds = str(int(moment.replace(microsecond=0).timestamp()))
    seconds += f".{date.microsecond:06}".rstrip("0") if date.microsecond else ""
    return seconds, is_exact


def _written(record: RecordView, time: Time, seconds: str) -> tuple[tuple[str], tuple[Change, ...]]:
    """The suggestion for a time, and its edits."""
    identity = record.evaluation_id
    in_id = (identity or "").rpartition("/")[2]
    same = timestamp(in_id)
    if same is not None and int(same) == int(float(seconds)):
        seconds = in_id  # it has the fraction that the time may lack
    change = Change(At(time.pointer), quoted(seconds))
    key = time.pointer.removeprefix("/")
    if not identity or not identity.endswith(f"/{time.value}") or "/" in key:
        return (Action.WRITE(change.text),), (change,)
    # The id ends in the same time: both change, or they differ.
    new = quoted(f"{identity.removesuffix(str(time.value))}{seconds}")
    also = Change(At(record.at("evaluation_id")), new)
    help_text = f'write "{key}": {change.text}, "{record.key("evaluation_id")}": {new}'
    return (help_text,), (change, also)


def _moment(time: Time) -> float | None:
    """A time as a Unix timestamp; None if it is neither one nor a date."""
    if time.seconds is not None or time.is_documented:
        return time.seconds
    date = _date(time.value)
    return float(_seconds_of(date)[0]) if date else None


def future_timestamp(record: RecordView) -> Iterator[Hit]:
    """A time is in the future.

    A time in milliseconds looks like a date in the distant future.

    Bad: `"retrieved_timestamp": "17600000000"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for time in record.times:
        moment = _moment(time)
        if moment is not None and moment > record.now + DAY:
            year = gmtime(moment).tm_year
            yield Hit(f"{shown(time.value)} is in the future: the year {year}", At(time.pointer))


def timestamps_backwards(record: RecordView) -> Iterator[Hit]:
    """An evaluation was retrieved before it ran.

    Bad: `"evaluation_timestamp": "1770000000", "retrieved_timestamp": "1760000000"`
    Good: `"evaluation_timestamp": "1750000000", "retrieved_timestamp": "1760000000"`
    """
    retrieved = next((time.seconds for time in record.times if time.is_documented), None)
    if retrieved is None:
        return
    for time in record.times:
        moment = None if time.is_documented else _moment(time)
        # One in the future is no later than its retrieval: another rule reports it.
        if moment is not None and retrieved + DAY < moment <= record.now + DAY:
            yield Hit(
                "the evaluation ran after it was retrieved",
                At(time.pointer),
                labels=((At(record.at("retrieved")), "retrieved"),),
                fold="backwards",
            )


def duplicate_result(record: RecordView) -> Iterator[Hit]:
    """A record has duplicate results.

    Averages count a duplicate twice, and samples cannot tell which of the two they belong to.

    Bad: two results that are equal in everything, or share an `evaluation_result_id`
    Good: results that differ in name, data or metric
    """
    results = record.results
    # A version that does not know the field lets it be anything.
    named = [result.identity for result in results if isinstance(result.identity, str)]
    if len({one.name for one in results}) == len(results) and len(set(named)) == len(named):
        return  # nearly always
    keys = [(one.name, one.score, text(one.description)) for one in results]
    alike = Counter(keys)
    seen: dict[str, RecordResult] = {}
    ids: dict[str, RecordResult] = {}
    for result, key in zip(results, keys, strict=True):
        first, field, identity = result, "name", result.identity
        if alike[key] > 1:
            first = seen.setdefault(result.canonical, result)
            if first is result and isinstance(identity, str):
                first = seen.setdefault(result.without_id, result)
        if first is result and isinstance(identity, str):
            first, field = ids.setdefault(identity, result), "identity"
        if first is not result:
            what = f"the id {shown(identity)} is that of another result"
            yield Hit(
                "duplicate result" if field == "name" else what,
                At(result.at(field)),
                labels=((At(first.at(field)), "first occurrence"),),
                helps=("remove this entry",) if field == "name" else (),
                pointer=result.pointer,
                fold="duplicate",
            )


def not_a_url(record: RecordView) -> Iterator[Hit]:
    """A URL does not begin with http:// or https://.

    Bad: `"url": ["lab.example/suite.json"]`
    Good: `"url": ["https://lab.example/suite.json"]`
    """
    for parts, field, value in record.urls():
        is_list = isinstance(value, list)
        urls = enumerate(value if is_list else [value] if value else ())
        bad = [(at, url) for at, url in urls if isinstance(url, str) and not _is_url(url)]
        if len(bad) > 1 and all(len(url) == 1 for url in value):
            yield Hit(
                "a URL is split into its letters",
                At(parts[0].at(field)),
                helps=(Action.WRITE(quoted(["".join(value)])),) if _is_url("".join(value)) else (),
                fold="letters",
            )
            continue
        for part, (at, url) in product(parts, bad):
            pointer = part.at(field) + (f"/{at}" if is_list else "")
            # Only names of web servers begin so.
            is_bare = url.startswith("www.")
            is_name = re.match(_NAME, url) is not None and re.match(_FILE, url) is None
            yield Hit(
                f"{shown(url)} is not a URL",
                At(pointer),
                helps=(Action.WRITE(quoted(f"https://{url}")),) if is_name else (),
                changes=(Change(At(pointer), quoted(f"https://{url}")),) if is_bare else (),
                fold=url,
            )


def _is_url(value: str) -> bool:
    scheme, _, rest = value.partition("://")
    if scheme not in ("http", "https") or rest[:1] in ("", "/") or rest[0].isspace():
        return False
    return "://" not in rest or re.search(r"[\s,;]https?://", rest) is None


def hf_repo_missing(record: RecordView) -> Iterator[Hit]:
    """A dataset on the Hugging Face Hub does not name its repository.

    Bad: `{"source_type": "hf_dataset", "dataset_name": "npi"}`
    Good: `{"source_type": "hf_dataset", "dataset_name": "npi", "hf_repo": "example/npi"}`
    """
    for source in record.sources:
        for result in source.results if source.kind == "hf_dataset" and not source.hf_repo else ():
            pointer, _, _ = result.at("source_type").rpartition("/")
            others = result.around("source_type").items()
            named = [key for key, value in others if _names_a_repository(key, value)]
            other = named[0] if len(named) == 1 else ""
            at = At(f"{pointer}/{other}", key=True)
            yield Hit(
                f"`{other}` is not read: a Hugging Face dataset has its repository in `hf_repo`"
                if other
                else "a Hugging Face dataset without `hf_repo` cannot be found",
                at if other else At(result.at("source_type")),
                caret="" if other else "name it in `hf_repo`, as owner/name",
                helps=(Action.RENAME(other, "hf_repo"),) if other else (),
                changes=(Change(at, '"hf_repo"'),) if other else (),
                safety=Safety.UNSAFE,
                fold="repo",
                subject=("hf_repo",),
            )


def _names_a_repository(key: str, value: object) -> bool:
    """True for a key of another name than `hf_repo` with an owner and a name."""
    is_key = re.fullmatch(r"[\w-]*repo[\w-]*", key) is not None
    is_name = isinstance(value, str) and re.fullmatch(r"[\w.-]+/[\w.-]+", value.strip())
    return is_key and bool(is_name)


def hf_repo_form(record: RecordView) -> Iterator[Hit]:
    """A repository of the Hugging Face Hub is not named owner/name.

    Bad: `"hf_repo": "https://huggingface.co/datasets/example/npi"`
    Good: `"hf_repo": "example/npi"`
    """
    for source in record.sources:
        repo = source.hf_repo
        if isinstance(repo, str) and repo.startswith("datasets--") and repo.count("--") == 2:
            name = quoted(repo.removeprefix("datasets--").replace("--", "/"))
            for result in source.results:
                at = At(result.at("hf_repo"))
                said = f"`hf_repo` is a folder of a cache, not a name: {shown(repo)}"
                yield Hit(said, at, helps=(Action.WRITE(name),), fold=repo)
        owner_and_name = hub_name(repo)
        if not isinstance(repo, str) or not (owner_and_name or "://" in repo):
            continue
        name = quoted(owner_and_name) if owner_and_name else ""
        for result in source.results:
            at = At(result.at("hf_repo"))
            yield Hit(
                f"`hf_repo` is a URL, not a name: {shown(repo)}",
                at,
                helps=(Action.WRITE(name),) if name else (),
                changes=(Change(at, name),) if name else (),
                fold=repo,
            )


def unknown_split(record: RecordView) -> Iterator[Hit]:
    """The split of a dataset is not train, val or test.

    The format names these three, and tools compare splits as strings.

    Bad: `"hf_split": "validation"`
    Good: `"hf_split": "val"`
    """
    stated: list[tuple[Sequence[Fields], Any]] = [([record], record.get("hf_split"))]
    stated += ((one.results, one.hf_split) for one in record.sources if one.kind == "hf_dataset")
    for parts, split in stated:
        if not isinstance(split, str) or split in SPLITS:
            continue
        meant = split.strip().lower()
        near = [word for word, others in SPLITS.items() if meant in others]
        for part in parts:
            yield Hit(
                f"unrecognized split {shown(split)}",
                At(part.at("hf_split")),
                caret='expected "train", "val" or "test"',
                helps=tuple(f'write "{word}"' for word in near),
                fold=split,
            )
