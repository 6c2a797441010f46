"""Every option and argument of every command, in one table.

``typed.py`` makes typer parameters of the entries, ``add_to`` those of an ``argparse`` parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalmark.cli.one_option import SHOWING, Option

if TYPE_CHECKING:
    from argparse import ArgumentParser

CHECKED = "What is checked"
FIXING = "Fixing"
RUNNING = "Running"
MODEL = "Model"
SCORING = "Scoring"
WRITING = "Where to write"
FACTS = "What the files do not say"
CHANGES = "Changes to suites"

JOINS = "evalmark.validator.formats.suites.sentences:JOINS"
KINDS = "evalmark.validator.formats.known:KINDS"
OUTPUT_FORMATS = "evalmark.validator.outputs.registry:REPORTS"
RECORD_VERSIONS = "evalmark.converters.records.writer:WRITTEN_VERSIONS"
MODEL_KINDS = "evalmark.scoring.models.loading:KINDS"
DTYPES = "evalmark.scoring.models.loading:DTYPES"
DEVICES = "evalmark.scoring.models.loading:DEVICES"
FIRST_TOKENS = "evalmark.scoring.settings:FIRST_TOKENS"
BOUNDARIES = "evalmark.scoring.settings:BOUNDARIES"
REGIONS = "evalmark.scoring.settings:REGIONS"
UNDEFINED = "evalmark.scoring.settings:UNDEFINED"
METHODS = "evalmark.validator.formats.pairs.pair_sets:METHODS"
GENERATIONS = "evalmark.conversations.evaluation.replies:GENERATIONS"
COMPARISONS = "evalmark.pages.comparison_table:COMPARISONS"
ENGINES = ("local", "ray")

#: Name of an entry → the entry. A command that needs another help text has an entry of its own,
#: called command_option.
OPTIONS: dict[str, Option] = {
    # check
    "check_paths": Option("What to check; - is stdin.", metavar="FILES|FOLDERS|-"),
    "changed": Option("Only files changed since BASE (git).", CHECKED, ("--changed",), "BASE"),
    "paths_from": Option(
        "Read what to check from a list; - is stdin.", CHECKED, ("--paths-from",), "FILE"
    ),
    "kind": Option(
        "Kind; detected by default.", CHECKED, ("--kind",), "KIND", (KINDS,), is_open=True
    ),
    "schema_version": Option(
        "Check records against this version.", CHECKED, ("--schema-version",), "VERSION"
    ),
    "join": Option(
        "How to join regions: core, hf, brainscore, none.", CHECKED, ("--join",), "RULE", (JOINS,)
    ),
    "select": Option("Enable an optional rule; ALL: every rule.", CHECKED, ("--select",), "RULE"),
    "ignore": Option("Disable a rule.", CHECKED, ("--ignore",), "RULE"),
    "profile": Option(
        "Also apply the checks of a leaderboard.", CHECKED, ("--profile",), "", ("eee",)
    ),
    "datastore": Option("Check all paths against the datastore layout.", CHECKED, ("--datastore",)),
    "schema_only": Option("Check against schemas only; run no rules.", CHECKED, ("--schema-only",)),
    "fix": Option("Apply fixes that change no score.", FIXING, ("--fix",)),
    "unsafe_fixes": Option("Include fixes that may change scores.", FIXING, ("--unsafe-fixes",)),
    "fix_defaults": Option(
        "Fill in missing keys of records from a file.", FIXING, ("--defaults",), "FILE"
    ),
    "check_diff": Option("Show what --fix would change; write nothing.", FIXING, ("--diff",)),
    "output_format": Option(
        "auto (default), full, concise, json, jsonl, sarif, junit, github or markdown.",
        SHOWING, ("--format",), "FORMAT", ("auto", OUTPUT_FORMATS),
    ),
    "outputs": Option("Also write a report to a file.", SHOWING, ("--output",), "FORMAT=FILE"),
    "fail_on": Option(
        "Least severity for exit 1: error, warning, never.",
        SHOWING, ("--fail-on",), "LEVEL", ("error", "warning", "never"),
    ),
    "show_all": Option("Show every finding; do not fold repeats.", SHOWING, ("--show-all",)),
    "check_quiet": Option("Print findings only.", SHOWING, ("--quiet", "-q")),
    "verbose": Option("Print the kind of each file.", SHOWING, ("--verbose", "-v")),
    "color": Option(
        "Use colors: auto (default), always or never.",
        SHOWING, ("--color",), "WHEN", ("auto", "always", "never"),
    ),
    "stdin_filename": Option(
        "File name to report for stdin.", SHOWING, ("--stdin-filename",), "NAME"
    ),
    "jobs": Option(
        "Worker processes; default: one per processor.", RUNNING, ("--jobs", "-j"), "N", least=1
    ),
    "engine": Option("Where to run.", RUNNING, ("--engine",), "", ENGINES),
    # explain, rules, schema, compare, init
    "rule": Option("Code or name of a rule.", metavar="RULE"),
    "table_format": Option("Output format.", SHOWING, ("--format",), "", ("table", "json")),
    "schema_name": Option("Name of a schema; lists all schemas if omitted.", metavar="[SCHEMA]"),
    "compare_first": Option("A run: see above.", metavar="FIRST"),
    "compare_second": Option("Another run over the same items.", metavar="SECOND"),
    "compare_format": Option("Output format.", SHOWING, ("--format",), "", (COMPARISONS,)),
    "init_folder": Option("Folder of the repository.", metavar="[FOLDER]", stdout=False),
    "init_name": Option("Name of the first suite.", WRITING, ("--name",), "NAME"),
    # report, rescore
    "report_runs": Option(
        "Folders of runs, folders with runs below them, or memory sets.", metavar="RUN..."
    ),
    "report_out": Option(
        "Page to write; default: report.html in the first folder.", WRITING, ("--out",), "FILE",
        stdout=False,
    ),
    "plot": Option(
        "Write a .png, .svg or .pdf picture instead of a page.", WRITING, ("--plot",), "FILE",
        stdout=False,
    ),
    "report_items": Option(
        "Number of items shown for each suite; of pairs, at most 50 a UID.", SHOWING, ("--items",),
        "N", least=0
    ),
    "rescore_runs": Option(
        "Folders of runs, or of one agent; with --set, answers.", metavar="RUN..."
    ),
    "rescore_rules": Option(
        "Rules to score by, repeatable; default: those the run was scored with.",
        SCORING, ("--rules",), "", ("evalmark-1", GENERATIONS),
    ),
    "approximate": Option(
        "Let rules alone decide where a judge would.", SCORING, ("--approximate",)
    ),
    "rescore_sets": Option(
        "Score answers to this memory set; repeatable.", SCORING, ("--set",), "SET"
    ),
    "rescore_out": Option(
        "Write all scores to this JSON file.", WRITING, ("--out",), "FILE",
        stdout=False,
    ),
    # serve
    "serve_folder": Option("Folder of the suites; default: the current one.", metavar="[FOLDER]"),
    "serve_port": Option(
        "Port to listen on; default: the first free one from 8765.", RUNNING, ("--port",), "PORT",
        least=1
    ),
    "no_browser": Option("Print the address and open no browser.", RUNNING, ("--no-browser",)),
    # site
    "page_out": Option("Folder of the page.", WRITING, ("--out", "-o"), "FOLDER", stdout=False),
    "pyodide": Option(
        "Folder of the npm package pyodide; default: node_modules/pyodide.", WRITING,
        ("--pyodide",), "FOLDER",
    ),
    # convert
    "convert_paths": Option("What to convert; - is stdin.", metavar="FILES|FOLDERS|-"),
    "to": Option("Format to write, json or yaml; --list names all.", WRITING, ("--to",), "FORMAT"),
    "output": Option(
        "File to write, or folder for several; - is stdout.", WRITING, ("--output", "-o"), "PATH",
        stdout=True,
    ),
    "in_place": Option("Replace the files.", WRITING, ("--in-place",)),
    "convert_check": Option("Write nothing; exit 1 if a file would change.", WRITING, ("--check",)),
    "convert_diff": Option("Show what would change; write nothing.", WRITING, ("--diff",)),
    "convert_report": Option(
        "Write what was done as JSON; - is stdout.", WRITING, ("--report",), "FILE"
    ),
    "spreadsheet": Option(
        "Put ' before cells that a spreadsheet would compute.", WRITING, ("--spreadsheet",)
    ),
    "skip_unknown": Option("Skip files of unknown formats.", WRITING, ("--skip-unknown",)),
    "convert_list": Option("List formats and conversion steps, and exit.", SHOWING, ("--list",)),
    "convert_metric": Option(
        "Metric of suites that name none, or several.", FACTS, ("--metric",), "NAME"
    ),
    "predictions": Option(
        "Predictions of a table: formulas, or a suite.", FACTS, ("--predictions",), "FILE"
    ),
    "no_predictions": Option("Write an empty list of predictions.", FACTS, ("--no-predictions",)),
    "set": Option("Supply a value that a record lacks.", FACTS, ("--set",), "POINTER=VALUE"),
    "needs": Option("Print what records lack, as a file to fill in.", FACTS, ("--needs",)),
    "defaults": Option(
        "That file (YAML, JSON), or a CSV of models.", FACTS, ("--defaults",), "FILE"
    ),
    "mapping": Option(
        "What the columns of a table of scores are.", FACTS, ("--mapping",), "FILE"
    ),
    "names": Option(
        "Names of results: datastore (default) or harness.",
        WRITING, ("--names",), "NAMES", ("datastore", "harness"),
    ),
    "rename": Option("Rename a condition.", CHANGES, ("--rename",), "OLD=NEW"),
    "renumber": Option("Give a region another number.", CHANGES, ("--renumber",), "OLD=NEW"),
    "insert_region": Option(
        "Insert an empty region before region N.", CHANGES, ("--insert-region",), "N=NAME"
    ),
    "split_conjunctions": Option(
        "Write one prediction for each part of an `&`.", CHANGES, ("--split-conjunctions",)
    ),
    "canonical": Option("Rewrite every formula in canonical form.", CHANGES, ("--canonical",)),
    "strip_results": Option(
        "Remove the results of a model from a suite.", CHANGES, ("--strip-results",)
    ),
    # babylm
    "babylm_results": Option("Folder of prediction files.", metavar="RESULTS", stdout=False),
    "babylm_data": Option("Minimal pairs that they are about.", metavar="DATA..."),
    "babylm_run": Option("Write the choices of this run first.", WRITING, ("--from",), "RUN"),
    "babylm_model": Option(
        "Name of the model; default: that of the run.", WRITING, ("--model",), "NAME"
    ),
    "babylm_revision": Option("Name of the checkpoint.", WRITING, ("--revision",), "NAME"),
    "babylm_backend": Option(
        "Kind of the model.", WRITING, ("--backend",), "KIND",
        ("evalmark.converters.babylm.layout:BACKENDS",),
    ),
    # score: each entry in one line, so that the help fits a screen
    "score_paths": Option("Suites, or minimal pairs.", metavar="SUITES|PAIRS|FOLDERS"),
    "score_model": Option(
        "Folder, Hugging Face name or `demo`; repeatable.", MODEL, ("--model",), "MODEL"
    ),
    "surprisals": Option(
        "TSV of surprisals, or folder of them; repeatable.", MODEL, ("--surprisals",), "PATH"
    ),
    "recorded": Option("Use the metric_value of evaluated suites.", MODEL, ("--recorded",)),
    "score_predictions": Option(
        "For suites without predictions: formulas or suites.", SCORING, ("--predictions",), "PATH"
    ),
    "revision": Option("Branch, tag or commit of a hub model.", MODEL, ("--revision",), "NAME"),
    "dtype": Option(
        "float32 (default), float64, bfloat16, float16, auto.",
        MODEL, ("--dtype",), "DTYPE", ("auto", DTYPES),
    ),
    "device": Option(
        "auto (default), cpu, cuda or mps.", MODEL, ("--device",), "DEVICE", ("auto", DEVICES)
    ),
    "model_kind": Option(
        "auto (default), causal or masked.", MODEL, ("--kind",), "KIND", ("auto", MODEL_KINDS)
    ),
    "allow_pickle": Option(
        "Allow pickled weights (they can execute code).", MODEL, ("--allow-pickle",)
    ),
    "trust_remote_code": Option(
        "Run the code that comes with the model.", MODEL, ("--trust-remote-code",)
    ),
    "bos": Option(
        "Token put first: auto (default), none, or a token.", SCORING, ("--bos",), "TOKEN"
    ),
    "first_token": Option(
        "First token without BOS: undefined (default), zero.",
        SCORING, ("--first-token",), "VALUE", (FIRST_TOKENS,),
    ),
    "boundary": Option(
        "none (default), or corrected for whole words.",
        SCORING, ("--boundary",), "TERM", (BOUNDARIES,),
    ),
    "score_regions": Option(
        "all (default), or predicted: those of predictions.",
        SCORING, ("--regions",), "WHICH", (REGIONS,),
    ),
    "score_join": Option(
        "How to join regions: core, hf, brainscore, none.", SCORING, ("--join",), "RULE", (JOINS,)
    ),
    "undefined": Option(
        "Undefined values: refuse (default), or false.",
        SCORING, ("--undefined",), "OUTCOME", (UNDEFINED,),
    ),
    "score_metric": Option(
        "The metric of a suite that names none, or several.", SCORING, ("--metric",), "NAME"
    ),
    "pair_method": Option(
        "For pairs: sum, mean, per-char, one-prefix, two-prefix, conditional; default: the set's.",
        SCORING, ("--method",), "METHOD", (METHODS,),
    ),
    "exclude_impossible": Option(
        "Leave out pairs of identical texts.", SCORING, ("--exclude-impossible",)
    ),
    "limit": Option("Only the first N items of each file.", SCORING, ("--limit",), "N", least=1),
    "dry_run": Option(
        "Only check files; with --model, print a plan too.", SCORING, ("--dry-run",)
    ),
    "pack_tokens": Option("Tokens of a pack: N, or auto.", SCORING, ("--pack-tokens",), "N|auto"),
    "score_engine": Option(
        "local (default), or ray for a Ray cluster.", SCORING, ("--engine",), "ENGINE", ENGINES
    ),
    "score_out": Option(
        "Write record, samples and scores here.", SHOWING, ("--out",), "FOLDER",
        stdout=False,
    ),
    "overwrite": Option("Write to --out even if it is not empty.", SHOWING, ("--overwrite",)),
    "table": Option(
        "Write all numbers to a .csv or .parquet.", SHOWING, ("--table",), "FILE",
        stdout=False,
    ),
    "score_spreadsheet": Option(
        "Put ' before formulas in a .csv.", SHOWING, ("--spreadsheet",)
    ),
    "model_id": Option("organization/model, for the record.", SHOWING, ("--model-id",), "ID"),
    "record_version": Option(
        "Of the record: 0.2.0 (default), 0.3.0.",
        SHOWING, ("--record-version",), "VERSION", (RECORD_VERSIONS,),
    ),
    "quiet": Option("Print no table.", SHOWING, ("--quiet", "-q")),
    "organization": Option(
        "Organization that publishes the record.", SHOWING, ("--organization",), "NAME"
    ),
    "relationship": Option(
        "first_party, third_party, collaborative or other.",
        SHOWING, ("--relationship",), "WHO", ("evalmark.validator.config:RELATIONSHIPS",),
    ),
}  # fmt: skip


def add_to(parser: ArgumentParser, *names: str) -> None:
    """Add entries to an ``argparse`` parser; each sets the attribute of its name."""
    for name in names:
        entry = OPTIONS[name]
        if not entry.flags:
            parser.add_argument(name, metavar=entry.metavar, nargs="*", help=entry.help)
        elif entry.is_switch:
            parser.add_argument(*entry.flags, dest=name, action="store_true", help=entry.help)
        else:
            parser.add_argument(
                *entry.flags, dest=name, choices=entry.known() or None, help=entry.help
            )
