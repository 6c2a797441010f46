"""``evalmark-hook FILES…``: the check of a commit, started as lightly as Python allows.

It knows three flags and no command-line library; settings come from ``[tool.evalmark]``.
"""

from __future__ import annotations

import sys

USAGE = """usage: evalmark-hook [--fix] [--unsafe-fixes] [--fail-on error|warning] FILES...

Check evaluation files, as `evalmark check` does, but pass over JSON of other kinds.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the hook; the exit code is that of ``evalmark check``."""
    from evalmark.cli.checking import run
    from evalmark.cli.lines import COULD_NOT_RUN, forgiving_streams, say, tell
    from evalmark.cli.options import Options

    forgiving_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    paths: list[str] = []
    fix = unsafe = False
    fail_on = None
    while words:
        word = words.pop(0)
        if word == "--fix":
            fix = True
        elif word == "--unsafe-fixes":
            unsafe = True
        elif word == "--fail-on" or word.startswith("--fail-on="):
            fail_on = word.partition("=")[2] if "=" in word else (words.pop(0) if words else "")
            if fail_on not in ("error", "warning"):
                say("evalmark-hook: --fail-on takes error or warning")
                sys.stderr.write(f"\n{USAGE}")
                return COULD_NOT_RUN
        elif word in ("-h", "--help"):
            sys.stdout.write(USAGE)
            return 0
        elif word == "--version":
            from importlib.metadata import version

            tell(f"evalmark {version('evalmark')}")
            return 0
        elif word == "--":
            paths += words
            break
        elif word.startswith("-") and word != "-":
            say(f"evalmark-hook: unknown option {word}")
            sys.stderr.write(f"\n{USAGE}")
            return COULD_NOT_RUN
        else:
            paths.append(word)
    return run(Options(paths, fail_on=fail_on, fix=fix, unsafe_fixes=unsafe, hook=True))


if __name__ == "__main__":
    sys.exit(main())
