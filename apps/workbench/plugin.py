"""The command of the workbench."""

from evalmark.validator.io.extensions import Plugin


def _serve() -> object:
    """Open a page where suites are written, checked and scored, or write it as a site."""
    from evalmark.workbench.serve_command import serve

    return serve


PLUGIN = Plugin(commands={"serve": _serve})
