"""The documentation of rules that are not functions: what is wrong, why, bad, good."""

from __future__ import annotations

from evalmark.validator.findings.rule import FileRule, Rule

PAGES: dict[str, str] = {
    "invalid-json": """The file is not valid JSON.

    Parsers disagree on everything that is almost JSON: comments, trailing commas, single quotes.

    Bad: `{"name": 'npi',}`
    Good: `{"name": "npi"}`
    """,
    "invalid-utf8": """The file is not UTF-8.

    Bad: a file saved as Latin-1
    Good: the same file saved as UTF-8
    """,
    "byte-order-mark": """The file has a byte order mark.

    It is not part of JSON, and several parsers reject it. `--fix` removes it.

    Bad: a file saved as "UTF-8 with BOM"
    Good: a file saved as "UTF-8"
    """,
    "wrong-encoding": """The file is UTF-16 or UTF-32, is compressed, or has NUL bytes.

    NUL bytes are left where a program or a machine stopped while it wrote the file.

    Bad: a file saved as "Unicode" by an older editor
    Good: the same file saved as UTF-8
    """,
    "duplicate-key": """An object has duplicate keys.

    Parsers silently keep the last of them and drop the others.

    Bad: `{"metric": "sum", "metric": "mean"}`
    Good: `{"metric": "sum"}`
    """,
    "not-a-number": """NaN and Infinity are not JSON.

    Some programs write them and some parsers accept them; other parsers reject the file.

    Bad: `"score": NaN`
    Good: no score, or `null` if the format allows it
    """,
    "number-too-large": """A number does not fit into a 64-bit floating-point number.

    Parsers turn a larger number into infinity, or reject the file.

    Bad: `"score": 1e400`
    Good: `"score": 1e300`
    """,
    "lone-surrogate": """A string contains half of a surrogate pair.

    It cannot be written as UTF-8, so tools fail when they save the file.

    Bad: `"content": "\\ud83d"`
    Good: `"content": "\\ud83d\\ude00"`
    """,
    "nested-too-deep": """Objects and arrays are nested more than 200 levels deep.

    No format here needs ten. Deeper files crash some parsers and are rejected by others.

    Bad: 100,000 opening brackets
    Good: a file in one of the formats
    """,
    "empty-file": """A file is empty.

    Bad: an empty file
    Good: a suite or a record
    """,
    "unreadable-file": """A file cannot be read.

    Devices, pipes and files of the system, such as those below `/proc`, are not read. The hook does
    not follow symbolic links out of the repository or to hidden files; in folders, such links are
    skipped.

    Bad: a path that does not exist, or without permission to read
    Good: the path of a readable file
    """,
    "unknown-kind": """evalmark does not recognize the kind of a file.

    The kind is detected from the content; a file with more than half of the keys that a format
    requires is of that format. An unrecognized file is an error if it is named on the
    command line; in folders, in lists and by the hook, it is skipped, and the last line says so. So
    is a file that cannot be read, unless its first keys, its name, its place or the files beside it
    say that it is ours.

    Bad: `evalmark check package.json`
    Good: `evalmark check suites/npi.json`, or `--kind suite` for a file too broken to be recognized
    """,
    "unknown-version": """evalmark has no schema for the version of a record.

    The constraints differ between versions, so a record is checked against its own version only.
    `--schema-version` overrides it.

    Bad: `"schema_version": "9.9"`
    Good: `"schema_version": "0.2.0"`
    """,
    "invalid-yaml": """A file named .yaml or .yml is not valid YAML.

    Bad: indentation with tabs
    Good: indentation with spaces
    """,
    "ambiguous-scalar": """A string without quotes differs in meaning between versions of YAML.

    YAML 1.1 reads `no` as false, `2024-01-01` as a date and `1:30` as a number of minutes. YAML 1.2
    reads most of them as strings. Programs differ in the version that they implement.

    Bad: `condition_name: no`
    Good: `condition_name: "no"`
    """,
    "beyond-json": """A YAML file, or data of Python, use what JSON cannot express.

    The formats are defined for JSON: keys are strings, and there are no tags, no dates, no tuples
    and no values that contain themselves.

    Bad: `1: first`
    Good: `"1": first`
    """,
    "exploding-aliases": """Aliases multiply a document.

    A few lines of aliases to aliases expand to gigabytes.

    Bad: nine levels of nine aliases each
    Good: the values themselves
    """,
    "line-too-long": """A line of a JSON Lines file has more than 16 MiB.

    A row is one sample or one event, and is kept in memory as a whole. Longer lines are reported
    and skipped.

    Bad: all samples in one list on one line
    Good: one sample on each line
    """,
    "enclosed-file": """A known file is inside a list, or is the value of an object's only key.

    Programs that read such files expect the object itself.

    Bad: `[{"meta": …, "items": …}]`, or `{"suite": {"meta": …, "items": …}}`
    Good: `{"meta": …, "items": …}`
    """,
    "internal-error": """A check failed: please report the bug, with the file if you can.

    Bad: a file for which evalmark has a bug
    Good: the same file once the bug is fixed
    """,
    "missing-key": """A required key is missing.

    All missing keys of an object are one finding.

    Bad: `{"item_number": 1}`
    Good: `{"item_number": 1, "conditions": []}`
    """,
    "changed-settings": """The settings are changed, which can disable any rule.

    With `--changed`, a branch is checked with the settings of its base. A change of them is an
    error if it would hide an error, or with a profile, and cannot be ignored. A branch that changes
    nothing else passes: one line lists what the new settings hide.

    Bad: a pull request that adds a record and `ignore = ["EE201"]`
    Good: a pull request for the settings alone, reviewed by a maintainer
    """,
    "differs-in-case-only": """Names of files or folders differ in case only.

    Windows and macOS take `Meta` and `meta` for one folder, so a clone there has only one of the
    two files, and a developer appears twice elsewhere. This is checked with `--changed`, for the
    files that a branch adds.

    Bad: `data/mmlu/Meta/llama-9/` where the base has `data/mmlu/meta/`
    Good: `data/mmlu/meta/llama-9/`
    """,
    "skipped-file": """A new evaluation file has a name by which it is skipped.

    Files are recognized by their ending, in lower case: .json, .jsonl, .yaml, .yml. Others, links,
    hidden files and files in folders such as `build` are skipped, by other tools too. This is
    checked with `--changed`, for new files with the content of an evaluation file.

    Bad: a record named `run.JSON` or `run.json.gz`, or a link to it
    Good: `run.json`
    """,
    "same-suite-name": """Two suites have the same name.

    Scores are stored and compared by the name of the suite. All files of one call are compared;
    with `--changed`, the changed files and those of the base. The hook does not check this, because
    it sees only some of the files.

    Bad: `npi.json` and `npi_old.json`, both with `"name": "npi"`
    Good: `"name": "npi"` and `"name": "npi_old"`
    """,
    "wrong-type": """A value has the wrong JSON type.

    Bad: `"url": "https://lab.example"`
    Good: `"url": ["https://lab.example"]`
    """,
    "unknown-value": """A value is not one that the format lists.

    Bad: `"metric": "average"`
    Good: `"metric": "mean"`
    """,
    "unknown-key": """An object has a key that the format does not allow.

    Bad: `"evaluation_result": […]` at the root of a record
    Good: `"evaluation_results": […]`
    """,
    "too-short": """An array has fewer elements than the format requires.

    Bad: `"judges": []`
    Good: `"judges": [{"model_info": {"name": "…", "id": "…"}}]`
    """,
    "out-of-range": """A number is outside the bounds of the format.

    Bad: `"confidence_level": 95`
    Good: `"confidence_level": 0.95`
    """,
    "wrong-form": """A string has the wrong form.

    Bad: `"hello"` in a log in which every line begins with a speaker and a time
    Good: `"Agent (2024-05-01 12:00:00.000000): hello"`
    """,
    "misspelt-key": """A key is nearly one of the format that the object lacks.

    Objects may have keys of their own, so a misspelt one is read as if it were not there: the error
    of a score then vanishes from a leaderboard. `--unsafe-fixes` renames it. A key that only other
    versions of the format have is reported too. A key that many rows have is reported once.

    Bad: `"generation_confg": {…}`
    Good: `"generation_config": {…}`
    """,
    "schema-mismatch": """A value violates another constraint of the format.

    Bad: a value that violates a constraint which no other rule covers
    Good: a valid value
    """,
}


def paged(rule: FileRule) -> Rule:
    """A rule with its page."""
    return Rule(*rule, PAGES[rule.name])
