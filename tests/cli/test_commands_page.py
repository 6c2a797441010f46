"""The page of commands has what the help has, and the details for which a screen has no room."""

from __future__ import annotations

from typing import Annotated

import typer
from evalmark.cli.command import Command, Details, new_app
from parameters import EVERYTHING, PARAMETERS, flags_of

from scripts import commands_page


def test_the_page_has_each_command_and_each_option():
    page = commands_page.commands_page()
    sections = dict(part.split("`\n", 1) for part in page.split("\n## `evalmark ")[1:])
    assert sections.keys() == EVERYTHING.keys()
    for command, parameter in PARAMETERS:
        assert all(flag in sections[command] for flag in flags_of(parameter))


FewOption = Annotated[
    str,
    typer.Option("--few", metavar="A|B", help="How <few>.", rich_help_panel="Output"),
    Details("`A` is\none."),
]


def test_details_are_on_the_page_only(monkeypatch):
    app = new_app()

    @app.command(cls=Command, epilog="\b\nExample: evalmark count --few B\nExit code: 0 done.")
    def count(few: FewOption = "A") -> None:
        """Count.

        \f
        More on counting.
        """

    loaded = typer.main.get_command(app)
    monkeypatch.setattr(commands_page, "COMMANDS", {"count": count})
    monkeypatch.setattr(commands_page, "load", lambda _: loaded)
    text = loaded.get_help(typer.Context(loaded))
    assert "More" not in text
    assert "is one." not in text
    assert commands_page.commands_page().endswith(
        """
## `evalmark count`

```text
evalmark count [OPTIONS]
```

Count.

| Output | |
|---|---|
| <code>--few A&#124;B</code> | How &lt;few>. [default: A] `A` is one. |

More on counting.

```sh
evalmark count --few B
```

Exit code: 0 done.
"""
    )
