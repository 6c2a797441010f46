"""The options of the commands of stores: a part of the table ``cli.options``."""

from __future__ import annotations

from evalmark.cli.one_option import SHOWING, Option
from evalmark.cli.options import CHECKED, RUNNING, WRITING

ASKING = "What is asked"

#: As ``cli.options.OPTIONS``, which has the entries that other commands use too.
STORE_OPTIONS: dict[str, Option] = {
    "store": Option("Folder of the store.", metavar="STORE"),
    "store_paths": Option("Records, and folders of them.", metavar="FILES|FOLDERS"),
    "store_to": Option("Folder of the store.", WRITING, ("--to",), "STORE", stdout=False),
    "store_samples": Option(
        "Read the sample files of the records too, into a table `samples`.",
        WRITING, ("--samples",),
    ),
    "store_paths_from": Option(
        "Read the paths from a list; - is stdin.", CHECKED, ("--paths-from",), "FILE"
    ),
    "store_exclude": Option("Skip files in folders.", CHECKED, ("--exclude",), "GLOB"),
    "store_quiet": Option("Show no progress.", SHOWING, ("--quiet", "-q")),
    "store_engine": Option("Where to check.", RUNNING, ("--engine",), "", ("local", "ray")),
    "site_out": Option("Folder of the site.", WRITING, ("--out", "-o"), "FOLDER", stdout=False),
    "site_title": Option("What the site is called.", WRITING, ("--title",), "TEXT"),
    "site_record_url": Option(
        "URL of a record, {file} for its path; without it, records are copied into the site.",
        WRITING, ("--record-url",), "URL",
    ),
    "aliases_all": Option("Show all proposals.", SHOWING, ("--show-all",)),
    "question_store": Option(
        "Folder of the store; default: `path` in the settings.",
        ASKING, ("--store",), "STORE",
    ),
    "question_format": Option(
        "table (default), csv, json, markdown or parquet.",
        SHOWING, ("--format",), "FORMAT", ("table", "evalmark.pages.answers:ANSWERS"),
    ),
    "question_output": Option(
        "Write to a file; its name can say the format; - is stdout.",
        SHOWING, ("--output", "-o"), "FILE", stdout=True,
    ),
    "question_limit": Option(
        "At most N rows; default: all, and 50 on a terminal.",
        SHOWING, ("--limit",), "N", least=1,
    ),
    "query": Option("A SELECT over the view `results`.", metavar="QUERY"),
    "benchmark": Option("A benchmark, by its key or parts of it.", metavar="BENCHMARK"),
    "every_result": Option("Every result, not only the best of each model.", ASKING, ("--all",)),
    "model": Option("A model, by its id or display name.", metavar="MODEL"),
    "first_model": Option("A model, by its id or display name.", metavar="FIRST"),
    "second_model": Option("Another model.", metavar="SECOND"),
    "missing_by": Option(
        "A row for each empty cell (default), benchmark or model.",
        ASKING, ("--by",), "WHAT", ("evalmark.leaderboard.questions.coverage:COVERED",),
    ),
    "missing_models": Option(
        "Only these models; repeatable, with * and ?.", ASKING, ("--models",), "NAME"
    ),
    "missing_benchmarks": Option(
        "Only these benchmarks; repeatable, with * and ?.", ASKING, ("--benchmarks",), "NAME"
    ),
    "diff_stores": Option(
        "Two stores; with --rev, the files or folders to look at.", metavar="BEFORE AFTER|PATHS"
    ),
    "diff_revisions": Option(
        "Compare records in two commits of git instead of stores.",
        ASKING, ("--rev",), "BEFORE AFTER",
    ),
}  # fmt: skip
