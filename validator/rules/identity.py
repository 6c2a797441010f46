"""Rules on the identifiers, times and sources of a record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.views.record import RecordResult, RecordView, timestamp

#: Clocks differ: up to a day ahead is not a mistake.
DAY = 86_400


def empty_identifier(record: RecordView) -> Iterator[Hit]:
    """Identifiers are not blank.

    Bad: `"id": ""`
    Good: `"id": "example/model-1"`
    """
    fields = [(record, field) for field in ("evaluation_id", "model_id", "model_name")]
    blank = [result for result in record.results if not str(result.name).strip()]
    for part, field in (*fields, *((result, "name") for result in blank)):
        value = part.text(field)
        if value is not None and not value.strip():
            yield Hit(f"`{part.key(field)}` is blank", At(part.at(field)), fold="blank")


def evaluation_id_form(record: RecordView) -> Iterator[Hit]:
    """An evaluation id has the form name/model/time.

    The parts are the name of the evaluation, the id of the model and `retrieved_timestamp`. Tools
    use the id to find other records of the same evaluation.

    Bad: `"evaluation_id": "run-17"`
    Good: `"evaluation_id": "agreement/example/model-1/1760000000"`
    """
    value, time = record.text("evaluation_id"), record.get("retrieved")
    if value is None or not value.strip():
        return
    parts = value.split("/")
    if len(parts) < 3:
        yield Hit(
            f"evaluation id {shown(value)} does not have the form name/model/time",
            At(record.at("evaluation_id")),
            helps=(f"write <name of the evaluation>/<model id>/{time}",),
        )
    elif (
        isinstance(time, str)
        and timestamp(time) is not None  # not_a_timestamp reports it
        and parts[-1] != time
        and timestamp(parts[-1]) != timestamp(time)
    ):
        yield Hit(
            "the evaluation id does not end in the time of retrieval",
            At(record.at("evaluation_id")),
            labels=((At(record.at("retrieved")), "the time of retrieval"),),
            helps=(f"write {shown('/'.join([*parts[:-1], time]))}",),
        )


def not_a_timestamp(record: RecordView) -> Iterator[Hit]:
    """Times are Unix timestamps (seconds since 1970).

    Bad: `"retrieved_timestamp": "yesterday"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for time in record.times:
        if time.seconds is not None:
            continue
        date = _is_date(time.value)
        if date and not time.is_documented:
            continue
        yield Hit(
            f"{shown(time.value)} is not a Unix timestamp (seconds since 1970)",
            At(time.pointer),
            helps=(f'write "{date}"',) if date else (),
            fold="time",
        )


def _is_date(value: object) -> int:
    """The Unix timestamp of an ISO date; 0 if it is not one."""
    if not isinstance(value, str):
        return 0
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return 0
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def future_timestamp(record: RecordView) -> Iterator[Hit]:
    """Times are not in the future.

    A time in milliseconds looks like a date in the distant future.

    Bad: `"retrieved_timestamp": "17600000000"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for time in record.times:
        if time.seconds is not None and time.seconds > record.now + DAY:
            year = datetime.fromtimestamp(time.seconds, UTC).year
            yield Hit(f"{shown(time.value)} is in the future: the year {year}", At(time.pointer))


def timestamps_backwards(record: RecordView) -> Iterator[Hit]:
    """An evaluation is retrieved after it ran.

    Bad: `"evaluation_timestamp": "1770000000", "retrieved_timestamp": "1760000000"`
    Good: `"evaluation_timestamp": "1750000000", "retrieved_timestamp": "1760000000"`
    """
    retrieved = timestamp(record.get("retrieved"))
    for time in record.times:
        if retrieved is not None and time.seconds is not None and time.seconds > retrieved + DAY:
            yield Hit(
                "the evaluation ran after it was retrieved",
                At(time.pointer),
                labels=((At(record.at("retrieved")), "retrieved"),),
                fold="backwards",
            )


def duplicate_result(record: RecordView) -> Iterator[Hit]:
    """A record has no duplicate results.

    Averages count a duplicate twice, and samples cannot tell which of the two they belong to.

    Bad: two results that are equal in everything, or share an `evaluation_result_id`
    Good: results that differ in name, data or metric
    """
    if not _may_repeat(record):
        return
    seen: dict[str, RecordResult] = {}
    ids: dict[str, RecordResult] = {}
    for result in record.results:
        first, field = seen.setdefault(result.canonical, result), "name"
        identity = result.text("identity")
        if first is result and identity is not None:
            first, field = ids.setdefault(identity, result), "identity"
        if first is not result:
            yield Hit(
                "duplicate result",
                At(result.at(field)),
                labels=((At(first.at(field)), "first occurrence"),),
                pointer=result.pointer,
                fold="duplicate",
            )


def _may_repeat(record: RecordView) -> bool:
    """Whether results share an id, or both name and score: rare, and quick to check."""
    ids = [result.identity for result in record.results if result.identity is not None]
    pairs = {(result.name, result.score) for result in record.results}
    return len(pairs) < len(record.results) or len(set(ids)) < len(ids)


def not_a_url(record: RecordView) -> Iterator[Hit]:
    """A URL begins with http:// or https://.

    Bad: `"url": ["example.org/suite.json"]`
    Good: `"url": ["https://example.org/suite.json"]`
    """
    good: set[str] = set()  # results often share one
    for pointer, url in record.urls():
        if url in good or _is_url(url):
            good.add(url)
        else:
            yield Hit(f"{shown(url)} is not a URL", At(pointer), fold=url)


def _is_url(value: str) -> bool:
    scheme, _, rest = value.partition("://")
    return scheme in ("http", "https") and rest[:1] not in ("", "/") and not rest[0].isspace()


def hf_repo_missing(record: RecordView) -> Iterator[Hit]:
    """A dataset on the Hugging Face Hub names its repository.

    Bad: `{"source_type": "hf_dataset", "dataset_name": "npi"}`
    Good: `{"source_type": "hf_dataset", "dataset_name": "npi", "hf_repo": "example/npi"}`
    """
    for result in record.results:
        if result.source_type == "hf_dataset" and not result.get("hf_repo"):
            yield Hit(
                "a Hugging Face dataset without `hf_repo` cannot be found",
                At(result.at("source_type")),
                helps=('add "hf_repo": "organization/dataset"',),
                fold="repo",
            )
