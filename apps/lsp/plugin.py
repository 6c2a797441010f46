"""The command of the language server."""

from evalmark.validator.io.extensions import Plugin


def _lsp() -> object:
    """Check files in an editor, while they are written: a language server."""
    from evalmark.lsp.lsp_command import lsp

    return lsp


PLUGIN = Plugin(commands={"lsp": _lsp})
