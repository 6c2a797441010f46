"""The rules that the settings of a repository add: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.repository import repository_rules as repository

_ERROR = Severity.ERROR

#: Letters of the codes of a kind -> the rules of its files.
REPOSITORY_RULES: dict[str, tuple[Rule, ...]] = {
    "SG": checked_rules(("SG501", "expected-items", _ERROR, repository.expected_items)),
    "EE": checked_rules(
        ("EE501", "expected-results", _ERROR, repository.expected_results),
        ("EE503", "required-field", _ERROR, repository.required_field),
        ("EE504", "allowed-collection", _ERROR, repository.allowed_collection),
    ),
}
#: Rules of sample files.
REPOSITORY_ROW_RULES: tuple[Rule, ...] = checked_rules(
    ("EE502", "expected-rows", _ERROR, repository.expected_rows),
)
#: Rules of files of minimal pairs.
REPOSITORY_PAIR_RULES: tuple[Rule, ...] = checked_rules(
    ("MP501", "expected-pairs", _ERROR, repository.expected_pairs),
)

#: Checked by ``repository.own_findings``.
REPOSITORY_SCHEMA = Rule(
    "F021",
    "repository-schema",
    _ERROR,
    """A file fits the JSON schema that its repository adds.

    The setting `schemas` names a schema of draft-07 for the files of a glob. It is checked in
    addition to the schema of the format. It describes whole files, not the rows of sample files.

    Bad: no `comment` where the schema of the repository requires one
    Good: `"meta": {"name": "npi", "metric": "sum", "comment": "from the 2019 study"}`
    """,
)
