"""The documentation of rules that are no functions: those of the parser and of the schemas.

Each entry reads like the docstring of a rule function: what, why, bad, good.
"""

FILE_PAGES: dict[str, str] = {
    "invalid-json": """The file is JSON.

    Readers disagree on everything that is nearly JSON: comments, trailing commas, single quotes.

    Bad: `{"name": 'npi',}`
    Good: `{"name": "npi"}`
    """,
    "invalid-utf8": """The file is UTF-8.

    Bad: a file saved as Latin-1
    Good: the same file saved as UTF-8
    """,
    "byte-order-mark": """The file has no byte order mark.

    It is not part of JSON, and several readers refuse it. `--fix` removes it.

    Bad: a file saved as "UTF-8 with BOM"
    Good: a file saved as "UTF-8"
    """,
    "wrong-encoding": """The file is neither UTF-16 nor UTF-32.

    Bad: a file saved as "Unicode" by an older editor
    Good: the same file saved as UTF-8
    """,
    "duplicate-key": """A key stands once in an object.

    Readers keep the last of them and drop the other without a word.

    Bad: `{"metric": "sum", "metric": "mean"}`
    Good: `{"metric": "sum"}`
    """,
    "not-a-number": """NaN and Infinity are not JSON.

    Some writers emit them, some readers accept them; the others stop at the file.

    Bad: `"score": NaN`
    Good: leave the score out, or write `null` where the format allows it
    """,
    "number-too-large": """A number fits into a double.

    Readers turn a larger one into infinity, or stop.

    Bad: `"score": 1e400`
    Good: `"score": 1e300`
    """,
    "lone-surrogate": """A string holds whole characters.

    Half of a surrogate pair cannot be written as UTF-8; tools fail when they save the file.

    Bad: `"content": "\\ud83d"`
    Good: `"content": "\\ud83d\\ude00"`
    """,
    "nested-too-deep": """Objects and arrays are not nested beyond 200 levels.

    No format here needs ten. Deeper files crash some readers and are refused by others.

    Bad: 100,000 opening brackets
    Good: a file that a format describes
    """,
    "empty-file": """A file has content.

    Bad: an empty file
    Good: a suite or a record
    """,
    "unreadable-file": """A file can be read.

    Bad: a path that does not exist, or that you may not read
    Good: a path to a file
    """,
    "unknown-kind": """A file is of a kind that evalmark knows.

    The kind is found from the content. A file that is named on the command line and is none of
    the known kinds is an error; in folders, and under the hook, it is passed over.

    Bad: `evalmark check package.json`
    Good: `evalmark check suites/npi.json`, or `--kind suite` for a file too broken to be known
    """,
    "unknown-version": """A record's version is one that evalmark has the schema of.

    The constraints differ from version to version, so a record is only checked against its own.
    `--schema-version` overrides what the record says.

    Bad: `"schema_version": "9.9"`
    Good: `"schema_version": "0.2.0"`
    """,
    "invalid-yaml": """A file named .yaml or .yml is YAML.

    Bad: an indentation by tabs
    Good: an indentation by spaces
    """,
    "ambiguous-scalar": """A text without quotes is the same to all YAML readers.

    YAML 1.1 reads `no` as false, `2024-01-01` as a date and `1:30` as a number of minutes; YAML 1.2
    reads most of them as text. Which of them reads your file depends on the program.

    Bad: `condition_name: no`
    Good: `condition_name: "no"`
    """,
    "beyond-json": """A YAML file says nothing that JSON could not say.

    The formats are defined on JSON: text keys, no tags, no value that contains itself.

    Bad: `1: first`
    Good: `"1": first`
    """,
    "exploding-aliases": """Aliases do not multiply a document.

    A few lines of aliases to aliases stand for gigabytes, and a reader that follows them stops.

    Bad: nine levels of nine aliases each
    Good: the values themselves
    """,
    "line-too-long": """A line of a file of rows has at most 16 MiB.

    A row is one sample or one event; readers hold it in memory as a whole. A file without line
    feeds is no file of rows.

    Bad: all samples in one list on one line
    Good: one sample on each line
    """,
}

#: Shape of data: one page serves suites (SG1xx) and records (EE1xx).
SHAPE_PAGES: dict[str, str] = {
    "missing-key": """A key that the format requires is there.

    All missing keys of one object are one finding.

    Bad: `{"item_number": 1}`
    Good: `{"item_number": 1, "conditions": []}`
    """,
    "wrong-version": """A record is of the version it says it is of.

    The record fits another version of the format, and only its label is wrong.

    Bad: `"schema_version": "0.0.1"` on a record of the form of 0.1.0
    Good: `"schema_version": "0.1.0"`
    """,
    "unfit-old-record": """A record of version 0.0.1 fits the schema of that version.

    Five writers used the label for five forms. A record that fits none is one finding, not one for
    each difference: it must be converted, not mended.

    Bad: a record of 2025 whose keys no released schema knows
    Good: the record as its source would write it today
    """,
    "same-evaluation-id": """Records of different evaluations have different ids.

    It is looked at over all files of one call; a hook, which sees some of the files only, leaves it
    out.

    Bad: two records with `"evaluation_id": "npi/example/model-1/1760000000"`
    Good: ids that differ in name, model or time
    """,
    "interaction-needs": """A sample has what its kind of interaction asks for.

    A single turn has an `output`; a conversation has its turns instead.

    Bad: `"interaction_type": "single_turn"` without `output`
    Good: `"interaction_type": "single_turn", "output": {"raw": ["yes"]}`
    """,
    "unknown-source-type": """The `source_type` of a result's data is one the format knows.

    The other keys of `source_data` depend on it.

    Bad: `"source_type": "hf"`
    Good: `"source_type": "hf_dataset"`
    """,
    "wrong-type": """A value has the JSON type that the format asks for.

    Bad: `"url": "https://example.org"`
    Good: `"url": ["https://example.org"]`
    """,
    "unknown-value": """A value is one of those the format lists.

    Bad: `"metric": "average"`
    Good: `"metric": "mean"`
    """,
    "unknown-key": """An object has no key that the format does not know, where it is closed.

    Bad: `"evaluation_result": […]` at the root of a record
    Good: `"evaluation_results": […]`
    """,
    "too-short": """An array has as many elements as the format asks for.

    Bad: `"judges": []`
    Good: `"judges": [{"model_info": {"name": "…", "id": "…"}}]`
    """,
    "out-of-range": """A number lies within the bounds of the format.

    Bad: `"confidence_level": 95`
    Good: `"confidence_level": 0.95`
    """,
    "wrong-form": """A string has the form that the format asks for.

    Bad: `"hello"` in a log whose lines begin with a speaker and a time
    Good: `"Agent (2024-05-01 12:00:00.000000): hello"`
    """,
    "schema-mismatch": """A value fits the format in every other respect.

    Bad: a value that breaks a keyword no other rule explains
    Good: a value that fits
    """,
    "levels-need-names": """A score of type "levels" comes with the names of the levels.

    Record versions before July 2026 ask for `level_names` and `has_unknown_level` also where
    `score_type` is missing: a condition on a missing key counts as true.

    Bad: `"score_type": "levels"`
    Good: `"score_type": "levels", "level_names": ["low", "high"], "has_unknown_level": false`
    """,
    "bounds-missing": """A score of type "continuous" comes with its bounds.

    Bad: `"score_type": "continuous"`
    Good: `"score_type": "continuous", "min_score": 0, "max_score": 1`
    """,
}

#: What only a pass over a whole sample file, beside its record, can find.
SAMPLE_PAGES: dict[str, str] = {
    "row-version": """All rows of a sample file are of the version of their record.

    Bad: rows of 0.2.2 beside a record of 0.3.0
    Good: both of 0.3.0
    """,
    "row-count": """A sample file has as many rows as its record says.

    Fewer rows are a file that was cut off.

    Bad: `"total_rows": 100` beside 99 rows
    Good: `"total_rows": 99`
    """,
    "checksum": """A sample file has the checksum that its record states.

    It is the digest of the exact bytes of the file, by `hash_algorithm`.

    Bad: a file that was changed after its record was written
    Good: the file the record was written for
    """,
    "row-evaluation-id": """A row belongs to the evaluation of its record.

    Bad: `"evaluation_id": "b"` in a row, `"a"` in the record
    Good: equal ids
    """,
    "row-model-id": """A row is about the model of its record.

    Bad: `"model_id": "example/b"` in a row, `"id": "example/a"` in the record
    Good: equal ids
    """,
    "row-result": """A row counts towards a result that the record has.

    Rows name it by `evaluation_result_id` where they have one, else by `evaluation_name`.

    Bad: `"evaluation_name": "npi/3"` where the record has `npi/1` and `npi/2`
    Good: `"evaluation_name": "npi/2"`
    """,
    "duplicate-row": """A sample occurs once for each result.

    Bad: the same `sample_id` twice for one result
    Good: one row for each sample and result
    """,
    "aggregate-differs": """The score of a result is the mean of the scores of its rows.

    Not every score is a mean, so this is a warning. The printed precision is allowed for, and so is
    a score given in per cent.

    Bad: `"score": 0.76` beside rows whose mean is 0.75
    Good: `"score": 0.75`
    """,
    "samples-missing": """The sample file that a record names is there.

    It is looked for beside the record, and from the folder that holds `data`.

    Bad: `"file_path": "samples.jsonl"` and no such file
    Good: the file beside the record
    """,
    "blank-line": """A sample file has no blank lines.

    Bad: an empty line between two rows
    Good: one row a line
    """,
    "samples-path": """A record's sample file is a regular file in its folder or datastore.

    The path must be relative, and lead to a file at or below the record's folder or the folder that
    holds `data`, after symbolic links are followed. A record can come from anyone, so evalmark
    opens no other file for it, nor a hidden one, a folder, a device or a pipe.

    Bad: `"file_path": "/home/me/samples.jsonl"`, or `"../../samples.jsonl"`
    Good: `"file_path": "samples.jsonl"`, with the file beside the record
    """,
}

#: What only the log of a whole LTM run can break.
LOG_PAGES: dict[str, str] = {
    "log-times": """The events of a log stand in the order of their times.

    A run that was resumed may log an event again, with the old time; anything else is a log that
    was put together from several.

    Bad: an event ten hours older than the one before it
    Good: times that only grow
    """,
    "answers-in-pairs": """Each message in a log is followed by its answer.

    Bad: a message (type 0) after which another one is sent
    Good: types 0 and 4, or 3 and 5, in turn
    """,
    "test-without-end": """Each test in a log begins once and ends once.

    A test that has begun and not ended has no score, and a test that begins again was resumed.

    Bad: `"type": 1` of a test, and no `"type": 2`
    Good: both
    """,
}

#: What the gate of Every Eval Ever makes of a record; looked at with ``--profile eee``.
GATE_PAGES: dict[str, str] = {
    "gate-version": """EEE's gate reads every record as one of 0.3.0.

    It has one set of models, and an older record fits them only by luck. The rule is looked at with
    `--profile eee`.

    Bad: a valid record of 0.2.0
    Good: the same record after `evalmark convert --to record-0.3.0`
    """,
}
