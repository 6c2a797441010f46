"""Rules on single values whose meaning narrows what the schema allows: settings, names, URLs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import Action, At, Change, Hit
from evalmark.validator.findings.phrasing import quoted, shown
from evalmark.validator.formats.records.record_view import JUDGE, RecordResult, RecordView
from evalmark.validator.formats.records.rules.identity_rules import hub_name
from evalmark.validator.formats.shared.fields import Fields

#: A list of so many single letters was one text.
LETTERS = 4
#: Limits of which one that is unlike the others can be told.
LIKE = 2


class SettingRange(NamedTuple):
    """The values of a setting that mean something: its field, the least and greatest, words."""

    field: str
    least: float
    most: float
    words: str
    is_whole: bool = False


#: Temperatures of providers go to 2; a score of 70 in its place is found.
HOTTEST = 5
RANGES: tuple[SettingRange, ...] = (
    SettingRange("temperature", 0, HOTTEST, "a temperature"),
    SettingRange("top_p", 0, 1, "a probability"),
    SettingRange("top_k", -1, math.inf, "a number of tokens, or -1 for all", is_whole=True),
    SettingRange("max_attempts", 1, math.inf, "a number of attempts", is_whole=True),
    SettingRange("time_limit", 1, math.inf, "a number of seconds"),
    SettingRange("message_limit", 1, math.inf, "a number of messages"),
    SettingRange("token_limit", 1, math.inf, "a number of tokens"),
)


def setting_out_of_range(record: RecordView) -> Iterator[Hit]:
    """A setting has a value that it cannot have.

    A temperature is at least 0, `top_p` is a probability, and limits and attempts are counts. A
    temperature above 5 is another number that has slipped in. One answer has at most as many tokens
    as the whole sample may have, a model has each tool once, and feedback needs a second attempt.

    Bad: `"top_p": 95`
    Good: `"top_p": 0.95`
    """
    last: Any = None
    for result in record.results:
        settings = result.settings
        if settings is not None and settings != last:
            last = settings
            yield from _odd_settings(result)
    yield from _unlike_limits(record)
    for result in record.with_judges:
        for judge in result.each("judges", JUDGE):
            if hit := _out_of_range(judge, RANGES[0]):
                yield hit


def _unlike_limits(record: RecordView) -> Iterator[Hit]:
    """Time limits that are a thousand times, or more, that of all other results."""
    stated = (each for each in record.results if each.settings is not None)
    limits = [(each, limit) for each in stated if (limit := each.number("time_limit"))]
    usual, _ = Counter(limit for _, limit in limits).most_common(1)[0] if limits else (0.0, 0)
    for result, limit in limits:
        if limit in (usual * 1e3, usual * 1e6, usual * 1e9) and len(limits) > LIKE:
            yield Hit(
                f"`time_limit` is {limit:g}, where others have {usual:g}: it is in seconds",
                At(result.at("time_limit")),
                helps=(Action.WRITE(f"{usual:g}"),),
                fold="limit in milliseconds",
            )


def _odd_settings(result: RecordResult) -> Iterator[Hit]:
    top_p, top_k = result.number("top_p"), result.number("top_k")
    is_swapped = top_p is not None and top_k is not None and 0 < top_k < 1 < top_p == int(top_p)
    if is_swapped:
        yield Hit(
            f"`top_p` is {top_p:g} and `top_k` is {top_k:g}, which are each other's values",
            At(result.at("top_p")),
            labels=((At(result.at("top_k")), "`top_k`"),),
            helps=(f'write "top_p": {top_k:g}, "top_k": {top_p:g}',),
            fold=f"exchanged {top_p} {top_k}",
        )
    of_swapped = ("top_p", "top_k") if is_swapped else ()
    for each in RANGES:
        if each.field not in of_swapped and (hit := _out_of_range(result, each)):
            yield hit
    answer, limit = result.number("max_tokens"), result.number("token_limit")
    if answer is not None and limit is not None and 1 <= limit < answer:
        yield Hit(
            f"`max_tokens` is {answer:g}, and the whole sample may have {limit:g}",
            At(result.at("max_tokens")),
            labels=((At(result.at("token_limit")), "of the sample"),),
            fold=f"tokens {answer} {limit}",
        )
    feedback, attempts = result.text("feedback"), result.number("max_attempts")
    if feedback and attempts == 1:
        yield Hit(
            "there is feedback on a wrong attempt, and one attempt",
            At(result.at("max_attempts")),
            labels=((At(result.at("feedback")), "the feedback"),),
            fold="feedback",
        )
    if (template := result.text("template")) and _PRINTED.fullmatch(template.strip()):
        yield Hit(
            f"{shown(template)} is not a template: a program printed an object",
            At(result.at("template")),
            fold="template",
        )
    steps = result.entries("steps")
    if len(steps) >= LETTERS and all(isinstance(each, str) and len(each) == 1 for each in steps):
        yield Hit(
            "a step is split into its letters",
            At(result.at("steps")),
            helps=(Action.WRITE(quoted(["".join(steps)])),),
            fold="steps in letters",
        )
    tools = [quoted(each) for each in result.entries("tools")]
    if twice := [each for each, times in Counter(tools).items() if times > 1]:
        at = [number for number, each in enumerate(tools) if each == twice[0]][1]
        yield Hit(
            "a tool is listed twice",
            At(f"{result.at('tools')}/{at}"),
            helps=("remove this entry",),
            fold="tool twice",
        )


def _out_of_range(part: Fields, setting: SettingRange) -> Hit | None:
    value = part.number(setting.field)
    if value is None:
        return None
    is_whole = not setting.is_whole or value == int(value)
    if setting.least <= value <= setting.most and is_whole:
        return None
    most = " or more" if setting.most == math.inf else f" to {setting.most:g}"
    is_percent = setting.field == "top_p" and 1 < value <= 100
    return Hit(
        f"`{part.key(setting.field)}` is {value:g}, which is not {setting.words}",
        At(part.at(setting.field)),
        caret=f"expected {setting.least:g}{most}",
        helps=(f"if it is a percentage, write {value / 100:g}",) if is_percent else (),
        fold=f"{setting.field} {value}",
    )


def count_contradicts_list(record: RecordView) -> Iterator[Hit]:
    """A number of samples contradicts the samples that are listed, or those behind a score.

    `sample_ids` may be a part of the data, those that the score is of, and has each once. A score
    is of at most `samples_number` samples, or of each of them several times.

    Bad: `"samples_number": 2, "sample_ids": ["1", "2", "3"]`
    Good: `"samples_number": 3, "sample_ids": ["1", "2", "3"]`
    """
    named = (result for one in record.sources if one.kind == "hf_dataset" for result in one.results)
    for result in named:
        count = result.number("samples_number")
        ids = result.get("sample_ids")
        if count is None and not isinstance(ids, list):
            continue
        if count is not None and count < 1:
            yield Hit(
                f"`samples_number` is {count:g}, and there is a score",
                At(result.at("samples_number")),
                fold="no samples",
            )
            continue
        listed = ids if isinstance(ids, list) else []
        texts = [each for each in listed if isinstance(each, str | int)]
        twice = [each for each, times in Counter(texts).items() if times > 1]
        if twice:
            yield Hit(
                f"`sample_ids` has {shown(twice[0])} more than once",
                At(result.at("sample_ids")),
                fold="ids twice",
            )
        elif count and len(texts) == 1 and len(re.split(r"[,;]", str(texts[0]))) == count > 1:
            yield Hit(
                f"all {count:g} ids are in one string",
                At(f"{result.at('sample_ids')}/0"),
                helps=("write one string for each id",),
                fold="ids in one",
            )
        elif _are_cut(result, len(texts)):
            yield Hit(
                f"`sample_ids` has {len(texts):,} ids, and the score is of "
                f"{result.number('num_samples'):g} samples",
                At(result.at("sample_ids")),
                labels=((At(result.at("num_samples")), "the score"),),
                fold="ids cut",
            )
        elif count is not None and len(texts) > count:
            yield Hit(
                f"`samples_number` is {count:g}, and `sample_ids` has {len(texts):,}",
                At(result.at("samples_number")),
                labels=((At(result.at("sample_ids")), "the ids"),),
                helps=(Action.WRITE(len(texts)),),
                fold="ids",
            )
        scored = result.number("num_samples")
        if scored is not None and count is not None and scored > count and scored % count:
            yield Hit(
                f"`num_samples` is {scored:g}, and the data has {count:g} samples",
                At(result.at("num_samples")),
                labels=((At(result.at("samples_number")), "the data"),),
                fold="more samples",
            )


def _are_cut(result: RecordResult, ids: int) -> bool:
    """True if fewer samples are listed than a score is of, and not each of them several times."""
    scored = result.number("num_samples")
    return bool(ids and scored is not None and ids < scored and scored % ids)


#: Words that stand where a name should be.
_PLACEHOLDERS = frozenset((
    "todo", "tbd", "tba", "tbc", "fixme", "xxx", "placeholder", "foo", "bar", "foobar", "string",
    "none", "null", "nan", "n/a", "na", "-", "--", "?", "??", "???", "...", "…", "name", "text",
    "value", "lorem", "ipsum", "changeme", "change_me", "dummy", "org/dataset", "org/name",
    "organization/dataset", "owner/name", "owner/repo", "user/dataset", "username/dataset",
    "username/dataset_name",
))  # fmt: skip
#: What programs print of an object that is no text.
_PRINTED = re.compile(r"<[\w. ]+ at 0x[0-9a-fA-F]+>|\[object \w+\]|None|undefined|\[\]|\{\}")
#: `<name>`, `{{ name }}`, `[your organization]`, `YOUR_ORG`, `your-model`.
_TEMPLATE = re.compile(r"(?i)<[^<>]*>|\{\{.*\}\}|\[?(your|my|insert)[ _-]\w.*|\$\{?\w+\}?")


@lru_cache(4096)  # the records of a call have few names
def is_placeholder(text: str) -> bool:
    """True for a word that a template has where a name should be."""
    text = text.strip()
    return text.casefold() in _PLACEHOLDERS or _TEMPLATE.fullmatch(text) is not None


def placeholder_name(record: RecordView) -> Iterator[Hit]:
    """A name is empty, is what a template has in its place, or is no name.

    Tables group by the names of models, data and organizations. If a value is not known, the
    format's word for that is "unknown".

    Bad: `"source_organization_name": "TBD"`
    Good: `"source_organization_name": "Example Lab"`
    """
    for part, field in _names(record):
        value = part.get(field)
        if not isinstance(value, str):
            continue
        text = value.strip()
        if kind := _other_kind(field, text):
            at, name = At(part.at(field)), hub_name(text) if field == "model_id" else ""
            yield Hit(
                f"`{part.key(field)}` is {shown(value)}, {kind}",
                at,
                helps=(Action.WRITE(quoted(name)),) if name else (),
                changes=(Change(at, quoted(name)),) if name else (),
                fold=kind,
            )
        if text and not is_placeholder(text):
            continue
        if not text and field in _IDENTIFIERS:
            continue  # `empty-identifier` reports it
        key = part.key(field)
        yield Hit(
            f"`{key}` is {shown(value)}, a placeholder" if text else f"`{key}` is blank",
            At(part.at(field)),
            fold=f"{key} {value}",
        )


#: A version, and a path of one's own or an address.
_VERSION = re.compile(r"v?\d+(\.\d+)+([-.+]?[a-z]+\d*)*")
_PATH = re.compile(r"\.{0,2}/|~|[A-Za-z]:\\|\w+://")


def _other_kind(field: str, text: str) -> str:
    """What a name is instead, in words."""
    if field == "library" and _VERSION.fullmatch(text):
        return "a version"
    if field == "model_id" and (_PATH.match(text) or hub_name(text)):
        return "a path or an address"
    owner, slash, rest = text.partition("/")
    if field == "model_id" and slash and rest.startswith(f"{owner}/"):
        return "which has its owner twice"
    return ""


#: Names of a record, and those whose blanks another rule reports.
_IDENTIFIERS = ("model_id", "model_name", "name")
_OF_RECORD = (
    "source_name", "organization", "developer", "platform", "library", "library_version",
    "model_id", "model_name",
)  # fmt: skip


def _names(record: RecordView) -> Iterator[tuple[Fields, str]]:
    """The names in a record: what has them, and in which field."""
    yield from ((record, field) for field in _OF_RECORD)
    last: Any = None
    for result in record.results:
        yield result, "name"
        dataset = result.get("dataset")
        if dataset != last:
            last = dataset
            yield result, "dataset"
            yield result, "hf_repo"
    for result in record.with_judges:
        yield result, "prompt"
        for judge in result.each("judges", JUDGE):
            yield from ((judge, field) for field in ("name", "id"))


#: Hosts that nobody else reaches, or that are kept for documentation.
_LOCAL = re.compile(
    r"(?i)https?://(?:[^/@]*@)?(?:localhost|127\.|0\.0\.0\.0|10\.\d|192\.168\.|\[::1\]"
    r"|[\w-]+(?::\d+)?(?:/|$)|(?:[\w-]+\.)*(?:local|internal|lan|test|invalid)(?::\d+)?(?:/|$)"
    r"|(?:[\w-]+\.)*example\.(?:com|org|net)(?::\d+)?(?:[/?#]|$))"
)


@lru_cache(1024)
def _leads_nowhere(url: str) -> bool:
    return _LOCAL.match(url) is not None


def url_of_nowhere(record: RecordView) -> Iterator[Hit]:
    """A URL leads to no page that others can open.

    Its host is a machine of one's own or of a local network, or `example.com`, which stays in
    records that were made from a template.

    Bad: `"source_organization_url": "http://localhost:8000"`
    Good: `"source_organization_url": "https://lab.example"`
    """
    for parts, field, value in record.urls():
        is_list = isinstance(value, list)
        for at, url in enumerate(value if is_list else [value] if value else ()):
            if isinstance(url, str) and _leads_nowhere(url):
                for part in parts:
                    yield Hit(
                        f"{shown(url)} leads nowhere that others can open",
                        At(part.at(field) + (f"/{at}" if is_list else "")),
                        fold=url,
                    )
