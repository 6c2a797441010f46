"""The entries of this room in the tables of the core, which names no other module of it.

The core works without the folder, and the lines that name this module. Modules are imported by the
function that needs them: a check of a suite loads none that runs something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import typer
    from evalmark.converters.importers.importer import Importer, Reader
    from evalmark.scoring.comparison.compared_run import RunKind
    from evalmark.validator.format import Format

#: The folder, among the rooms.
ROOM = "memory"

_HERE = __file__.rpartition("register")[0]  # without pathlib, which takes 3 ms of a check
#: Schema name -> file.
SCHEMAS: Mapping[str, str] = {"agent-script": f"{_HERE}schemas/agent-script.schema.json"}


def formats() -> tuple[Format, ...]:
    """The formats, as entry points of the group ``evalmark.formats`` name them."""
    from evalmark.memory.agents.script_format import AGENT_SCRIPT

    return (AGENT_SCRIPT,)


def importers() -> tuple[Importer, ...]:
    """The importers, as those of ``evalmark.importers``."""
    from evalmark.converters.importers.importer import Importer

    return (
        Importer(
            "ltm-run",
            "an LTM run: the folder of an agent, with the definitions of its run",
            _ltm_run,
            recognizes_folder=is_ltm_run,
        ),
    )


def _ltm_run() -> Reader:
    from evalmark.memory.converters.ltm_results import read_ltm_run

    return read_ltm_run


def is_ltm_run(folder: Path) -> bool:
    """True if a folder is that of an agent: ``<run>/results/<agent>`` beside definitions."""
    from evalmark.validator.io.paths import without_links

    whole = without_links(folder)
    return whole.parent.name == "results" and (whole.parents[1] / "definitions").is_dir()


def commands() -> Mapping[str, Callable[[], typer.Typer]]:
    """Command -> what imports its app, as those of ``evalmark.commands``."""
    return {"memory": _memory}


def _memory() -> typer.Typer:
    """Test what a model remembers of conversations; write a record."""
    from evalmark.memory.commands.memory_command import app

    return app


def run_kinds() -> tuple[RunKind, ...]:
    """The kinds of runs, with what ``evalmark compare`` reads in their records."""
    from evalmark.memory.converters.run_kinds import TESTS

    return (TESTS,)
