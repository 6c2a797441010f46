"""Rules on the evaluation id and the times of a record, and on one without results."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Set
from time import gmtime, strftime
from typing import TYPE_CHECKING

from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordView, Time
from evalmark.validator.formats.records.rules.name_matching import (
    names_model,
    plain,
    sizes_in,
)
from evalmark.validator.formats.records.rules.text_rules import is_placeholder, names_a_model
from evalmark.validator.formats.shared.json_values import seconds_in, timestamp

if TYPE_CHECKING:
    from datetime import datetime

#: What a template has in an evaluation id.
_UNFILLED = re.compile(r"[{}<>$]|\b(?:eval_name|model_id|model_name|retrieved_timestamp)\b")
#: The same as whole parts of one.
_OF_FORM = frozenset(("model", "model-id", "timestamp", "time"))
#: Clocks differ: up to a day ahead is not a mistake.
DAY = 86_400
#: How far clocks differ. A text without a time zone may be a day.
_OF_CLOCKS = 600
#: No evaluation is older; and seconds before 1970 in which a number is still that of a time.
OLDEST, _LONG_AGO = 2000, 1e9
#: A date in the id of a model; and how long before it the model may have been evaluated.
_RELEASE = re.compile(r"(?<!\d)(20[12]\d)-?([01]\d)-?([0-3]\d)(?!\d)")
_EARLY = 60 * DAY
#: A date in a name, where a time has other signs than colons: 2025-01-31T10-15-00.
_DATE_IN_NAME = (
    r"(\d{4})-?(\d\d)-?(\d\d)(?:[T_ -]?(\d\d)[-:_.]?(\d\d)(?:[-:_.]?(\d\d))?(?:\.\d+)?Z?)?"
)


def has_odd_id(record: RecordView) -> bool:
    """True unless the evaluation id ends in the id of the model and the time of retrieval."""
    value, model = record.evaluation_id or "", record.model_id or ""
    ends = f"/{model}/{record.retrieved}", f"/{model.replace('/', '_')}/{record.retrieved}"
    if not value.endswith(ends) or _UNFILLED.search(value) is not None:
        return True
    ids = [result.identity for result in record.results if result.identity is not None]
    return any(not identity.startswith(value) for identity in ids)


def _is_unfilled(value: str, model: str) -> bool:
    """True if a part of an evaluation id is a word of a template; a model may be called so."""
    own = model.casefold().split("/")
    parts = [part for part in value.split("/")[1:] if part.casefold() not in own]
    words = {part.strip().casefold() for part in parts}
    is_left = any(is_placeholder(part) for part in (value, *parts))
    return is_left or not _OF_FORM.isdisjoint(words) or _UNFILLED.search(value) is not None


def evaluation_id_form(record: RecordView) -> Iterator[Mistake]:
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
    if _is_unfilled(value, record.model_id or ""):
        yield Mistake(
            f"places of the evaluation id {cited(value)} are not filled in",
            At(record.at("evaluation_id")),
        )
    elif len(parts) < 3:
        model = record.model_id or "<model id>"
        spelt = model.replace("/", "_")  # as ids of results may have it
        if any(f"/{spelt}/" in (result.identity or "") for result in record.results):
            model = spelt
        yield Mistake(
            f"evaluation id {cited(value)} does not have the form NAME/MODEL-ID/TIME",
            At(record.at("evaluation_id")),
            helps=()
            if is_placeholder(parts[0])
            else (Action.WRITE(quoted(f"{parts[0]}/{model}/{time}")),),
        )
    elif (
        isinstance(time, str)
        and time != parts[-1]
        and 0 <= (timestamp(time) or -1) <= record.now + DAY  # else that is the mistake
        and not _is_a_time_of(record, parts[-1])
    ):
        yield Mistake(
            "the evaluation id does not end in the time of retrieval",
            At(record.at("evaluation_id")),
            labels=((At(record.at("retrieved")), "the time of retrieval"),),
            helps=(Action.WRITE(quoted("/".join([*parts[:-1], time]))),),
        )


def evaluation_id_model(record: RecordView) -> Iterator[Mistake]:
    """An evaluation id does not name the model of the record.

    The spelling may differ, and more than half of the words of the model's name are enough. An id
    that names another model, or another version of it, was usually copied from its record. The ids
    of results begin with the evaluation id.

    Bad: `"evaluation_id": "agreement/example/llama-9/1760000000"` of the model `example/qwen-1`
    Good: `"evaluation_id": "agreement/example/qwen-1/1760000000"`
    """
    value, model = record.evaluation_id, record.model_id
    if value is None or not model:
        return
    others = [r for r in record.results if _is_of_other_model(r.identity or "", value, record)]
    if others:
        yield Mistake(
            f"the id of a result, {cited(others[0].identity)}, begins with that of another model",
            At(others[0].at("identity")),
            labels=((At(record.at("model_id")), "the model"),),
            also=tuple(other.at("identity") for other in others[1:]),
            fold="id of another model",
        )
    if model in value or model.replace("/", "_") in value:
        return
    if value.count("/") < 2 or _is_unfilled(value, model) or not names_a_model(model):
        return
    place, _, time = value.rpartition("/")
    label = record.model_name
    is_named = names_model(place, model) or (label and names_model(place, label))
    # The names of suites may have other sizes; and -A3B are the active parameters.
    sizes = (sizes_in(text.replace("-A", "-")) for text in (place.rpartition("/")[2], model))
    if is_named and not _are_other_sizes(*sizes):
        return
    first, *rest = place.split("/")
    owner = plain(model.rpartition("/")[0])
    # An id without a name is most often that of the owner and the evaluation.
    name = rest[0] if plain(first) == owner else first
    # Nearly all published ids have an underscore for the slash of the model.
    spelling = model.replace("/", "_") if len(rest) == 1 and "_" in rest[0] else model
    yield Mistake(
        f"the evaluation id does not name the model {cited(model)}",
        At(record.at("evaluation_id")),
        labels=((At(record.at("model_id")), "the model"),),
        helps=() if is_placeholder(name) else (Action.WRITE(quoted(f"{name}/{spelling}/{time}")),),
    )


def _is_of_other_model(identity: str, own: str, record: RecordView) -> bool:
    """True if an id of a result begins with an evaluation id, which is that of another model."""
    if identity.startswith(own):
        return False
    start, is_whole, _ = identity.partition("#")
    place, _, time = start.rpartition("/")
    first, _, model = place.partition("/")
    # Ids of results have many forms: NAME/TASK/TIME, too.
    if not is_whole or "/" not in model.replace("_", "/") or first != own.partition("/")[0]:
        return False
    if timestamp(time) is None or not _own_words(record).isdisjoint(map(plain, model.split("/"))):
        return False
    return not any(
        names_model(place, name) for name in (record.model_id, record.model_name) if name
    )


def _own_words(record: RecordView) -> set[str]:
    """The names of what a record has results of, which an id may have in place of the model."""
    fields = ("name", "dataset", "metric_id", "metric_name")
    return {plain(getattr(r, field) or "") for r in record.results for field in fields}


def _are_other_sizes(sizes: Set[float], others: Set[float]) -> bool:
    """True if there are sizes on both sides, and none is near another: ids have them rounded."""
    is_one = any(math.isclose(size, other, rel_tol=1 / 3) for size in sizes for other in others)
    return bool(sizes and others) and not is_one


def _is_a_time_of(record: RecordView, text: str) -> bool:
    """True if a text is a time that the record names: its number, or its date in any zone."""
    seconds = timestamp(text)
    if seconds is None and (moment := _moment_in_name(text)):
        known = [time.seconds for time in record.times if time.seconds is not None]
        return any(abs(moment - seconds) <= DAY for seconds in known)
    return any(
        text == time.value
        or (seconds is not None and seconds in (time.seconds, int(time.seconds or 0)))
        or (time.seconds is not None and time.seconds == int(seconds or 0))  # without a fraction
        for time in record.times
    )


def _moment_in_name(text: str) -> float | None:
    """The date in a name as a Unix timestamp, as if it were in UTC; None if there is none."""
    from calendar import timegm  # few ids have dates

    found = re.fullmatch(_DATE_IN_NAME, text, re.ASCII)
    try:
        return timegm(tuple(int(part or 0) for part in found.groups())) if found else None
    except ValueError:
        return None


def has_odd_times(record: RecordView) -> bool:
    """True if a time is none, is in the future, or is not between the model and the retrieval."""
    known = [time.seconds for time in record.times if time.seconds is not None]
    if known and (released := _release_time(record.model_id or "")) and min(known) < released:
        return True
    # The time of retrieval is the first.
    is_late = bool(known) and max(known) > min(record.now, known[0])
    return is_late or len(known) < len(record.times)


def not_a_timestamp(record: RecordView) -> Iterator[Mistake]:
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
        helps, changes = _advice(record, time, seconds) if is_told else ((), ())
        yield Mistake(
            f"{cited(time.value)} is {early}: no evaluation is that old"
            if early
            else f"{cited(time.value)} is not a Unix timestamp (seconds since 1970)",
            At(time.pointer),
            helps=helps,
            changes=changes if is_exact else (),
            safety=Safety.UNSAFE,
            fold="time",
        )


def _early(value: object) -> str:
    """The date of a Unix timestamp before 2000, in words; else nothing."""
    try:
        seconds = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        return ""
    is_early = -_LONG_AGO < seconds < 1e9
    return strftime("the timestamp of %Y-%m-%d", gmtime(seconds)) if is_early else ""


def _date(value: object) -> datetime | None:
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


def _advice(record: RecordView, time: Time, seconds: str) -> tuple[tuple[str], tuple[Change, ...]]:
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


def future_timestamp(record: RecordView) -> Iterator[Mistake]:
    """A time is in the future.

    A time in milliseconds looks like a date in the distant future.

    Bad: `"retrieved_timestamp": "17600000000"`
    Good: `"retrieved_timestamp": "1760000000"`
    """
    for time in record.times:
        moment = _moment(time)
        if moment is not None and moment > record.now + DAY:
            year = gmtime(moment).tm_year
            yield Mistake(
                f"{cited(time.value)} is in the future: the year {year}", At(time.pointer)
            )


def timestamps_backwards(record: RecordView) -> Iterator[Mistake]:
    """An evaluation was retrieved before it ran, or ran before its model was made.

    The id of a model may have the date of its version: a time that is more than 60 days earlier is
    that of another model.

    Bad: `"evaluation_timestamp": "1770000000", "retrieved_timestamp": "1760000000"`
    Good: `"evaluation_timestamp": "1750000000", "retrieved_timestamp": "1760000000"`
    """
    released = _release_time(record.model_id or "")
    for time in record.times:
        moment = _moment(time)
        if released and moment is not None and moment < released - _EARLY:
            yield Mistake(
                f"{strftime('%Y-%m-%d', gmtime(moment))} is before the date in the id of the model",
                At(time.pointer),
                labels=((At(record.at("model_id")), "the model"),),
                fold="before release",
            )
    retrieved = next((time.seconds for time in record.times if time.is_documented), None)
    if retrieved is None:
        return
    for time in record.times:
        moment = None if time.is_documented else _moment(time)
        date = _date(time.value) if time.seconds is None else None
        slack = DAY if date and date.tzinfo is None else _OF_CLOCKS
        # One in the future is not later than its retrieval: another rule reports it.
        if moment is not None and retrieved + slack < moment <= record.now + DAY:
            yield Mistake(
                "the evaluation is later than its retrieval: one of the two times is wrong",
                At(time.pointer),
                labels=((At(record.at("retrieved")), "retrieved"),),
                fold="backwards",
            )


def _release_time(model: str) -> float | None:
    dates = _RELEASE.findall(model)
    date = _date("-".join(dates[0])) if len(dates) == 1 else None
    return float(_seconds_of(date)[0]) if date else None


def no_results(record: RecordView) -> Iterator[Mistake]:
    """A record has no results.

    Bad: `"evaluation_results": []`
    Good: `"evaluation_results": [{…}]`
    """
    if not record.results:
        yield Mistake("the record has no results", At(record.at("results")))
