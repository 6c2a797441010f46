"""``evalmark-hook FILES…``: the check of a commit.

It reads its options itself: typer would take longer to load than the check. Settings come from
``[tool.evalmark]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from evalmark.cli.checking import FAILING, Wanted, run
from evalmark.validator.io.terminal import COULD_NOT_RUN, forgiving_streams, guarded, say, tell

if TYPE_CHECKING:
    from argparse import Namespace

DESCRIPTION = "Check evaluation files as `evalmark check` does; skip JSON and YAML of other kinds."

EPILOG = "Exit code: 0 clean, 1 findings, 2 something failed."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the hook; the exit code is that of ``evalmark check``."""
    forgiving_streams()
    given = sys.argv[1:] if arguments is None else arguments
    # Most calls have only files. Options need argparse, which takes a tenth of the time of a hook.
    if not any(word.startswith("-") for word in given):
        return guarded(lambda: run(Wanted(given, hook=True)))
    try:
        asked = _parsed(given)
    except SystemExit as stop:
        return int(stop.code or 0)
    if asked.version:
        from importlib.metadata import version

        tell(f"evalmark {version('evalmark')}")
        return 0
    wanted = Wanted(
        asked.paths,
        fail_on=asked.fail_on,
        fix=asked.fix,
        unsafe_fixes=asked.unsafe_fixes,
        hook=True,
    )
    return guarded(lambda: run(wanted))


def _parsed(arguments: Sequence[str]) -> Namespace:
    """The options of a call; errors are escaped, since options may come from a pull request."""
    from argparse import ArgumentParser, HelpFormatter

    class Parser(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            self.print_usage(sys.stderr)
            say(f"evalmark-hook: {message}")
            self.exit(COULD_NOT_RUN)

    parser = Parser(
        "evalmark-hook",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=partial(HelpFormatter, width=80),  # asking for the width takes 4 ms
    )
    add = parser.add_argument
    add("-V", "--version", action="store_true", help="Print the version.")
    add("paths", metavar="FILES|FOLDERS|-", nargs="*", help="What to check; - is stdin.")
    add("--fix", action="store_true", help="Apply fixes that change no score.")
    add("--unsafe-fixes", action="store_true", help="Include fixes that may change scores.")
    add("--fail-on", choices=FAILING, help="Least severity for exit 1: error, warning, never.")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
