"""Rules that the settings of a repository add."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.findings.phrasing import closest, listed, shown
from evalmark.validator.formats.repository.repository_file import RepositoryFile
from evalmark.validator.own_rules import ExpectedCount

_OF_SUITES, _OF_RECORDS = ("items", "predictions"), ("results",)


def expected_items(view: RepositoryFile) -> Iterator[Hit]:
    """A suite has as many items and predictions as its repository expects.

    An edit that drops an item leaves a valid suite, whose scores can no longer be compared. The
    numbers are the setting `expected-counts`; without it the rule does nothing.

    Bad: 23 items where the settings have `suites = "npz_*"` and `items = 24`
    Good: 24 items
    """
    yield from _counted(view, _OF_SUITES)


def expected_results(view: RepositoryFile) -> Iterator[Hit]:
    """A record has as many results as its repository expects.

    The numbers are the setting `expected-counts`; without it the rule does nothing.

    Bad: two results where the settings have `collections = "gsm8k"` and `results = 1`
    Good: one result
    """
    yield from _counted(view, _OF_RECORDS)


def expected_rows(view: RepositoryFile) -> Iterator[Hit]:
    """A sample file has as many rows as its repository expects.

    A run that was stopped, or made on a part of the dataset, has fewer. The numbers are the setting
    `expected-counts`; without it the rule does nothing.

    Bad: 1,318 rows where the settings have `collections = "gsm8k"` and `rows = 1319`
    Good: 1,319 rows
    """
    for count in view.counts("rows"):
        if view.rows is not None and not _fits(view.rows, count):
            yield _wrong(view.rows, count, "")


def expected_pairs(view: RepositoryFile) -> Iterator[Hit]:
    """A file of minimal pairs has as many of them as its repository expects.

    Accuracies on another number of pairs cannot be compared. The numbers are the setting
    `expected-counts`, for files or, with `uids`, for the pairs of a `UID` in a file; without it the
    rule does nothing.

    Bad: 998 pairs where the settings have `files = "blimp/*.jsonl"` and `pairs = 1000`
    Good: 1,000 pairs
    """
    for count in view.counts("pairs"):
        if count.uids == "*":
            number = sum(view.uids.values())
            if not _fits(number, count):
                yield _wrong(number, count, "")
            continue
        for uid, number in view.uids.items():
            if fnmatchcase(uid, count.uids) and not _fits(number, count):
                hit = _wrong(number, count, "")
                yield replace(hit, message=f"UID {shown(uid)}: {hit.message}", fold=f"pairs {uid}")


def required_field(view: RepositoryFile) -> Iterator[Hit]:
    """A record has the fields that its repository requires.

    The format leaves most fields open. The fields are the setting `required-fields`: JSON pointers,
    in which `*` is any index. Null does not count as a value.

    Bad: no `deployment_type` where the settings have
    `fields = ["/model_info/additional_details/deployment_type"]`
    Good: `"additional_details": {"deployment_type": "api"}`
    """
    if not view.is_record:
        return
    for at, name, field in view.missing():
        yield Hit(
            f"`{name}` is missing",
            At(at),
            caret="required by this repository",
            notes=(f"the setting `required-fields` lists {field}",),
        )


def allowed_collection(view: RepositoryFile) -> Iterator[Hit]:
    """A record belongs to a collection of its repository.

    The collection is the first part of the `evaluation_id`, and the folder below `data`. Allowed
    are those of the setting `collections`; without it the rule does nothing.

    Bad: `"evaluation_id": "gsm8l/meta/llama/1700000000"` where the settings have
    `collections = ["gsm8k"]`
    Good: `"evaluation_id": "gsm8k/meta/llama/1700000000"`
    """
    allowed = view.settings.collections
    if not allowed or not view.is_record:
        return
    expected = listed((shown(glob) for glob in allowed), 8).replace(" and ", " or ")
    named: set[str] = set()
    for name, at in view.collections:
        if name in named or any(fnmatchcase(name, glob) for glob in allowed):
            continue
        named.add(name)
        prefix = "the folder " if at is None else ""
        yield Hit(
            f"{prefix}{shown(name)} is not a collection of this repository",
            at or At(""),
            caret=f"expected {expected}",
            helps=closest(name, [glob for glob in allowed if "*" not in glob]) if at else (),
        )


def _counted(view: RepositoryFile, countable: tuple[str, ...]) -> Iterator[Hit]:
    for key in countable:
        entries = view.entries(key)
        for count in view.counts(key):
            if entries is not None and not _fits(len(entries), count):
                yield _wrong(len(entries), count, view.pointer(key))


def _fits(number: int, count: ExpectedCount) -> bool:
    return number >= count.least and (count.most is None or number <= count.most)


def _wrong(number: int, count: ExpectedCount, at: str) -> Hit:
    return Hit(
        f"{number} {count.unit[:-1] if number == 1 else count.unit}, "
        f"but this repository expects {count.text}",
        At(at),
        caret=f"expected {count.text}",
        fold=f"{count.unit} {count.text}",
    )
