"""``evalmark-hook FILES…``: the check of a commit.

It knows three options and does not load typer, which would take longer than the check. Settings
come from ``[tool.evalmark]``.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, HelpFormatter
from functools import partial
from typing import NoReturn

from evalmark.cli.checking import Wanted, run
from evalmark.cli.options import add_to
from evalmark.validator.edge.lines import COULD_NOT_RUN, forgiving_streams, guarded, say, tell

DESCRIPTION = "Check evaluation files as `evalmark check` does; skip JSON and YAML of other kinds."

EPILOG = "Exit code: 0 clean, 1 findings, 2 something failed."


class Parser(ArgumentParser):
    """A parser whose errors are escaped: options may come from a pull request."""

    def error(self, message: str) -> NoReturn:
        """Print usage and the error, and exit."""
        self.print_usage(sys.stderr)
        say(f"evalmark-hook: {message}")
        self.exit(COULD_NOT_RUN)


def main(arguments: list[str] | None = None) -> int:
    """Run the hook; the exit code is that of ``evalmark check``."""
    forgiving_streams()
    parser = Parser(
        "evalmark-hook",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=partial(HelpFormatter, width=80),  # asking for the width takes 4 ms
    )
    parser.add_argument("-V", "--version", action="store_true", help="Print the version.")
    add_to(parser, "check_paths", "fix", "unsafe_fixes", "fail_on")
    try:
        asked = parser.parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    if asked.version:
        from importlib.metadata import version

        tell(f"evalmark {version('evalmark')}")
        return 0
    wanted = Wanted(
        asked.check_paths,
        fail_on=asked.fail_on,
        fix=asked.fix,
        unsafe_fixes=asked.unsafe_fixes,
        hook=True,
    )
    return guarded(lambda: run(wanted))


if __name__ == "__main__":
    sys.exit(main())
