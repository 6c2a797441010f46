"""Rules on what the settings of a repository expect of its files."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from evalmark.validator.findings.finding import At, Hit, Severity
from evalmark.validator.findings.phrasing import closest, listed, shown
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.shared.repository_file import RepositoryFile


def expected_count(view: RepositoryFile) -> Iterator[Hit]:
    """The number of items, predictions, results, rows or pairs is not the expected one.

    An edit that drops an item leaves a valid suite, and a run that was stopped leaves a valid
    sample file, but their scores cannot be compared with others. The numbers are the setting
    `expected-counts`; without it the rule does nothing.

    Bad: 23 items where the settings have `suites = "npz_*"` and `items = 24`
    Good: 24 items
    """
    for count in view.counts():
        for number, at, uid in view.numbers(count):
            if number < count.least or (count.most is not None and number > count.most):
                unit = count.unit[:-1] if number == 1 else count.unit
                of_uid = f"UID {shown(uid)}: " if uid else ""
                yield Hit(
                    f"{of_uid}{number} {unit}, but this repository expects {count.text}",
                    At(at),
                    caret=f"expected {count.text}",
                    fold=f"pairs {uid}" if uid else f"{count.unit} {count.text}",
                )


def required_field(view: RepositoryFile) -> Iterator[Hit]:
    """A record lacks a field that its repository requires.

    The format leaves most fields open. The fields are the setting `required-fields`: JSON pointers,
    in which `*` is any index. Null does not count as a value.

    Bad: no `deployment_type` where the settings have
    `fields = ["/model_info/additional_details/deployment_type"]`
    Good: `"additional_details": {"deployment_type": "api"}`
    """
    for at, name, setting in view.missing():
        yield Hit(
            f"`{name}` is missing",
            At(at),
            caret="required by this repository",
            subject=(name,),
            notes=(f"the setting `required-fields` lists {setting}",),
        )


def allowed_collection(view: RepositoryFile) -> Iterator[Hit]:
    """A record belongs to no collection of its repository.

    The collection is the first part of the `evaluation_id`, and the folder below `data`. Allowed
    are those of the setting `collections`; without it the rule does nothing.

    Bad: `"evaluation_id": "gsm8l/meta/llama/1700000000"` where the settings have
    `collections = ["gsm8k"]`
    Good: `"evaluation_id": "gsm8k/meta/llama/1700000000"`
    """
    allowed = view.settings.collections
    named = dict(reversed([*view.collections])) if allowed and view.document.is_record else {}
    for name, at in named.items():  # the first place of each
        if not any(fnmatchcase(name, glob) for glob in allowed):
            expected = listed((shown(glob) for glob in allowed), 8).replace(" and ", " or ")
            what = shown(name) if at else f"the folder {shown(name)}"
            yield Hit(
                f"{what} is not a collection of this repository",
                at or At(""),
                caret=f"expected {expected}",
                helps=closest(name, [glob for glob in allowed if "*" not in glob]) if at else (),
            )


#: The letters of the codes of a document, or what rows are -> the rules; see ``COUNTED``.
REPOSITORY_RULES: dict[str, tuple[Rule, ...]] = {
    "SG": checked_rules(("SG501", "expected-items", Severity.ERROR, expected_count)),
    "EE": checked_rules(
        ("EE501", "expected-results", Severity.ERROR, expected_count),
        ("EE503", "required-field", Severity.ERROR, required_field),
        ("EE504", "allowed-collection", Severity.ERROR, allowed_collection),
    ),
    "rows": checked_rules(("EE502", "expected-rows", Severity.ERROR, expected_count)),
    "pairs": checked_rules(("MP501", "expected-pairs", Severity.ERROR, expected_count)),
}
