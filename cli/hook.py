"""``evalmark-hook FILES…``: the check of a commit.

It reads its options itself: typer would take longer to load than the check. Settings come from
``[tool.evalmark]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from evalmark.cli.check import run
from evalmark.validator.findings.unusable import FAILING
from evalmark.validator.io.terminal import (
    COULD_NOT_RUN,
    forgiving_streams,
    guarded,
    print_line,
    print_note,
)
from evalmark.validator.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from argparse import Namespace

DESCRIPTION = "Check evaluation files as `evalmark check` does; skip JSON and YAML of other kinds."

EPILOG = "Exit code: 0 clean, 1 findings, 2 something failed."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the hook; the exit code is that of ``evalmark check``."""
    forgiving_streams()
    words = sys.argv[1:] if arguments is None else arguments
    # Most calls have only files. Options need argparse, which takes a tenth of the time of a hook.
    if not any(word.startswith("-") for word in words):
        return guarded(lambda: run(CheckOptions(paths=words, hook=True)))
    try:
        options = _parsed(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    if options.version:
        from importlib.metadata import version

        print_line(f"evalmark {version('evalmark')}")
        return 0
    wanted = CheckOptions(
        paths=options.paths,
        fail_on=options.fail_on,
        fix=options.fix,
        unsafe_fixes=options.unsafe_fixes,
        verbose=options.verbose,
        hook=True,
    )
    return guarded(lambda: run(wanted))


def _parsed(arguments: Sequence[str]) -> Namespace:
    """The options of a call; errors are escaped, since options may come from a pull request."""
    from argparse import ArgumentParser, HelpFormatter

    class Parser(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            self.print_usage(sys.stderr)
            print_note(f"evalmark-hook: {message}")
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
    paths_help = "What to check; JSON and YAML in folders; - is stdin."
    add("paths", metavar="FILES|FOLDERS|-", nargs="*", help=paths_help)
    add("--fix", action="store_true", help="Apply fixes that change no score.")
    add("--unsafe-fixes", action="store_true", help="Include fixes that may change scores.")
    add("-v", "--verbose", action="store_true", help="Say what is checked, and what is skipped.")
    add("--fail-on", choices=FAILING, help="Least severity for exit 1: error, warning, never.")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
