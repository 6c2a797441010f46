"""``evalmark lsp``: for editors."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from evalmark.schemas.errors import require
from evalmark.validator.io.terminal import print_note
from evalmark.validator.options.declaration import command


@dataclass(frozen=True)
class LspOptions:
    """The options of ``evalmark lsp``: none."""


@command(
    LspOptions,
    "evalmark lsp",
    "nvim suite.json    # with the configuration in docs/editors.md",
    exit_code="0 the editor ended the session, 2 something failed",
)
def lsp(_: LspOptions) -> None:
    """Check files while they are written: a language server for editors, on stdin and stdout.

    An editor starts it; docs/editors.md says how for VS Code, Neovim, Helix, Emacs and others. The
    findings, fixes and settings are those of `evalmark check`. Nothing of an open folder is run.
    """
    require("pygls")
    from evalmark.lsp.language_server import run  # loads pygls

    if sys.stdin.isatty():
        print_note(
            "waiting for messages of an editor, which starts this command itself; Ctrl-D stops"
        )
    run()
