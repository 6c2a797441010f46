"""Rules on what a record says of itself: identifiers, times, sources, secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.views.record import RecordFacts, Result, mapping, timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Clocks differ; a day ahead is no mistake.
DAY = 86_400

#: Prefixes of keys that services hand out, with the length of what follows.
SECRETS = (
    r"\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{30,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|xox[abprs]-[A-Za-z0-9-]{10,})"
)
#: A key may follow an escape in the text of a file; what is found is looked at more closely.
_MAYBE = SECRETS.removeprefix(r"\b")

#: Letters by the part they play in the beginnings of keys, of which so two are left: "xfx" is what
#: AIz, KIA, xox, hf_ and gh?_ become, "fk-" what sk- does. Two are found sooner than eleven.
_FOLDS = bytes.maketrans(b"xAKzh_oIfpusr", b"xxxxxxfffffff")
_FOLDED = (b"xfx", b"fk-")


def empty_identifier(facts: RecordFacts) -> Iterator[Hit]:
    """Identifiers are not blank.

    Bad: `"id": ""`
    Good: `"id": "example/model-1"`
    """
    model = mapping(facts.data.get("model_info"))
    values = [
        ("/evaluation_id", facts.data.get("evaluation_id")),
        ("/model_info/id", model.get("id")),
        ("/model_info/name", model.get("name")),
    ]
    values += [
        (f"{result.pointer}/evaluation_name", name)
        for result in facts.results
        if _is_blank(name := result.data.get("evaluation_name"))
    ]
    for pointer, value in values:
        if _is_blank(value):
            yield Hit(f"`{pointer.rpartition('/')[2]}` is blank", At(pointer), fold="blank")


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def evaluation_id_form(facts: RecordFacts) -> Iterator[Hit]:
    """An evaluation id is made of the evaluation's name, the model's id and the time of retrieval.

    The parts are joined by slashes and end in `retrieved_timestamp`; other records of the same
    evaluation are found by it.

    Bad: `"evaluation_id": "run-17"`
    Good: `"evaluation_id": "agreement/example/model-1/1760000000"`
    """
    value, time = facts.data.get("evaluation_id"), facts.data.get("retrieved_timestamp")
    if not isinstance(value, str) or not value.strip():
        return
    parts = value.split("/")
    if len(parts) < 3:
        yield Hit(
            f"evaluation id {shown(value)} is not of the form name/model/time",
            At("/evaluation_id"),
            helps=(f"write <name of the evaluation>/<model id>/{time}",),
        )
    elif (
        isinstance(time, str)
        and timestamp(time) is not None  # not_a_timestamp says so
        and parts[-1] != time
        and timestamp(parts[-1]) != timestamp(time)
    ):
        yield Hit(
            "evaluation id does not end in the time of retrieval",
            At("/evaluation_id"),
            labels=((At("/retrieved_timestamp"), "the time of retrieval"),),
            helps=(f"write {shown('/'.join([*parts[:-1], time]))}",),
        )


def not_a_timestamp(facts: RecordFacts) -> Iterator[Hit]:
    """Times are seconds since 1970.

    Bad: `"retrieved_timestamp": "yesterday"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for pointer, value, seconds in facts.times:
        if seconds is not None:
            continue
        # The format documents epoch seconds for the time of retrieval only.
        if not pointer.endswith("retrieved_timestamp") and _is_date(value):
            continue
        helps = (f'write "{_is_date(value)}"',) if _is_date(value) else ()
        yield Hit(
            f"{shown(value)} is no time in seconds since 1970",
            At(pointer),
            helps=helps,
            fold="time",
        )


def _is_date(value: object) -> int:
    """The epoch seconds of an ISO date; 0 if it is none."""
    if not isinstance(value, str):
        return 0
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return 0
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def future_timestamp(facts: RecordFacts) -> Iterator[Hit]:
    """A record does not come from the future.

    Times in milliseconds look like dates far ahead.

    Bad: `"retrieved_timestamp": "17600000000"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for pointer, value, seconds in facts.times:
        if seconds is not None and seconds > facts.now + DAY:
            from datetime import UTC, datetime

            year = datetime.fromtimestamp(seconds, UTC).year
            yield Hit(f"{shown(value)} lies in the future: the year {year}", At(pointer))


def timestamps_backwards(facts: RecordFacts) -> Iterator[Hit]:
    """An evaluation is retrieved after it ran.

    Bad: `"evaluation_timestamp": "1770000000", "retrieved_timestamp": "1760000000"`
    Good: `"evaluation_timestamp": "1750000000", "retrieved_timestamp": "1760000000"`
    """
    retrieved = timestamp(facts.data.get("retrieved_timestamp"))
    for pointer, _, ran in facts.times:
        if retrieved is not None and ran is not None and ran > retrieved + DAY:
            yield Hit(
                "the evaluation ran after it was retrieved",
                At(pointer),
                labels=((At("/retrieved_timestamp"), "retrieved"),),
                fold="backwards",
            )


def duplicate_result(facts: RecordFacts) -> Iterator[Hit]:
    """A result occurs once in a record.

    Averages over results count a repeated one twice, and samples cannot say which they belong to.

    Bad: two results that are equal in everything, or share an `evaluation_result_id`
    Good: results that differ in name, data or metric
    """
    seen: dict[str, str] = {}
    ids: dict[str, str] = {}
    if not _may_repeat(facts.results):
        return
    for result in facts.results:
        identity = result.data.get("evaluation_result_id")
        whole = json.dumps(result.data, sort_keys=True)
        first = seen.setdefault(whole, result.pointer)
        if first == result.pointer and isinstance(identity, str):
            first = ids.setdefault(identity, result.pointer)
        if first != result.pointer:
            key = "evaluation_result_id" if whole not in seen else "evaluation_name"
            yield Hit(
                "this result stands in the record already",
                At(f"{result.pointer}/{key}"),
                labels=((At(f"{first}/{key}"), "first here"),),
                pointer=result.pointer,
                fold="duplicate",
            )


def _may_repeat(results: list[Result]) -> bool:
    """Whether two results share an id, or both name and score: hardly ever, and quick to see."""
    ids = [i for r in results if isinstance(i := r.data.get("evaluation_result_id"), str)]
    names = {(r.data.get("evaluation_name"), r.score) for r in results}
    return len(names) < len(results) or len(set(ids)) < len(ids)


def not_a_url(facts: RecordFacts) -> Iterator[Hit]:
    """A web address begins with http:// or https://.

    Bad: `"url": ["example.org/suite.json"]`
    Good: `"url": ["https://example.org/suite.json"]`
    """
    metadata = mapping(facts.data.get("source_metadata"))
    places = [
        (f"/source_metadata/{key}", metadata.get(key))
        for key in ("source_organization_url", "source_organization_logo_url")
    ]
    good: set[str] = set()  # results often share one
    for result in facts.results:
        urls = result.source.get("url")
        for index, url in enumerate(urls if isinstance(urls, list) else ()):
            if isinstance(url, str) and url not in good:
                places.append((f"{result.pointer}/source_data/url/{index}", url))
                if _is_url(url):
                    good.add(url)
    for pointer, value in places:
        if isinstance(value, str) and value not in good and not _is_url(value):
            yield Hit(f"{shown(value)} is no web address", At(pointer), fold=value)


def _is_url(value: str) -> bool:
    scheme, _, rest = value.partition("://")
    return scheme in ("http", "https") and rest[:1] not in ("", "/") and not rest[0].isspace()


def hf_repo_missing(facts: RecordFacts) -> Iterator[Hit]:
    """A dataset of the Hugging Face hub is named by its repository.

    Bad: `{"source_type": "hf_dataset", "dataset_name": "npi"}`
    Good: `{"source_type": "hf_dataset", "dataset_name": "npi", "hf_repo": "example/npi"}`
    """
    for result in facts.results:
        source = result.source
        if source.get("source_type") == "hf_dataset" and not source.get("hf_repo"):
            yield Hit(
                "a dataset of the hub without `hf_repo` cannot be found",
                At(f"{result.pointer}/source_data/source_type"),
                helps=('add "hf_repo": "organization/dataset"',),
                fold="repo",
            )


def secret(facts: RecordFacts) -> Iterator[Hit]:
    """A record holds no API key.

    Records are published. A key that was once in one must be revoked, not only removed.

    Bad: `"execution_command": "run --key sk-…"`
    Good: `"execution_command": "run --key $API_KEY"`
    """
    if not _may_hold_secret(facts):
        return
    for pointer, value in facts.strings():
        if match := re.search(SECRETS, value):
            yield Hit(
                f"this looks like an API key: {match.group()[:7]}…",
                At(pointer),
                caret="take it out, and revoke it",
            )


def _may_hold_secret(facts: RecordFacts) -> bool:
    """Whether a key may stand in a record: one look at its text, and none at its strings."""
    text = facts.text()
    if facts.plain is not None:
        from evalmark.validator.reading.native import holds

        return holds(_MAYBE, text)
    return _holds_secret(text.encode("utf-8", "surrogatepass"))


@cache
def _maybe_secret() -> re.Pattern[bytes]:
    return re.compile(_MAYBE.encode())


def _holds_secret(text: bytes) -> bool:
    """The same with what Python has; its own search would take several times as long."""
    folded = text.translate(_FOLDS)
    for mark in _FOLDED:
        at = folded.find(mark)
        while at >= 0:
            matches = _maybe_secret().match
            if matches(text, at) or matches(text, max(at - 1, 0)):
                return True
            at = folded.find(mark, at + 1)
    return False
