"""The command of the language server."""

from evalmark.validator.io.extensions import Plugin


def _lsp() -> object:
    """Check files in an editor, while they are written: a language server."""
    from evalmark.lsp.command import app

    return app


PLUGIN = Plugin(commands={"lsp": _lsp})
