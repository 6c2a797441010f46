"""``evalmark``: a plain check starts as lightly as Python allows, everything else through typer.

Loading typer takes longer than checking a hundred files. What is read here by hand, it would read
alike; whatever is not quite plain is left to it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from evalmark.cli.options import Options

#: What is read here: flags of ``evalmark check`` → the option that each sets.
FLAGS = {
    "--datastore": "datastore",
    "--schema-only": "schema_only",
    "--fix": "fix",
    "--unsafe-fixes": "unsafe_fixes",
    "--diff": "diff",
    "--show-all": "show_all",
    "--quiet": "quiet",
    "-q": "quiet",
    "--verbose": "verbose",
    "-v": "verbose",
    "--stats": "stats",
    "--exit-zero": "exit_zero",
}


def plain_check(words: Sequence[str]) -> Options | None:
    """The options of ``evalmark check`` with flags and paths only; None for anything else."""
    if words[:1] != ["check"] or os.name == "nt":  # there, wildcards are expanded by typer
        return None
    paths = []
    flags: dict[str, Any] = {}
    for word in words[1:]:
        if word in FLAGS:
            flags[FLAGS[word]] = True
        elif word.startswith("-") and word != "-":
            return None
        else:
            paths.append(word)
    if not paths:
        return None
    from evalmark.cli.options import Options

    return Options(paths, **flags)


def main(arguments: list[str] | None = None) -> int:
    """Run ``evalmark``; the exit code, where typer does not leave with it at once."""
    words = sys.argv[1:] if arguments is None else arguments
    from evalmark.cli.lines import forgiving_streams

    forgiving_streams()
    options = plain_check(words)
    if options is None:
        from evalmark.cli.main import app

        return int(app(arguments) or 0)
    from evalmark.cli.checking import run

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
