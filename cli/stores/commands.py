"""The commands of ``evalmark store`` by name; see ``cli.main``.

The function of a command is ``command`` in the module of the same name in this folder, unless
``HOMES`` says otherwise.
"""

from __future__ import annotations

#: Command -> its line in the help.
COMMANDS: dict[str, str] = {
    "add": "Read records into a store; unchanged files are not read again.",
    "aliases": "Show which names are one, and names that may be.",
    "top": "Rank the models of one benchmark.",
    "show": "Show all results of one model.",
    "compare": "Compare two models on the benchmarks that both have.",
    "conflicts": "Find different numbers for the same model and benchmark.",
    "duplicates": "Find files, records and results that are there twice.",
    "bounds": "Find scores outside of their bounds.",
    "missing": "Find the models that lack a benchmark.",
    "diff": "Show what two stores, or two commits of git, differ in.",
    "sql": "Ask any question in SQL.",
}
HOMES: dict[str, tuple[str, str, str]] = {
    name: (f"stores.{module}", name, f"{name.upper()}_EPILOG")
    for module, names in (
        ("rankings", ("top", "show")),
        ("quality", ("conflicts", "duplicates", "bounds")),
        ("differences", ("diff", "compare")),
    )
    for name in names
}

HELP = "A store is a folder with a table of the results of many records: one Parquet file."
EPILOG = """
Examples:
  evalmark store add data/ --to leaderboard/
  evalmark store aliases leaderboard/
  evalmark store top mmlu_pro --store leaderboard/

Exit code: 0 done, 2 something failed.
"""
