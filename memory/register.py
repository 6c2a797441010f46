"""The entries of this room in the tables of the core, which names no other module of it.

The core works without the folder, and the lines that name this module. Modules are imported by the
function that needs them: a check of a suite loads none that runs or draws something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import typer
    from evalmark.converters.importers.importer import Importer, Reader
    from evalmark.reports.page import Page
    from evalmark.scoring.comparison.compared_run import RunKind
    from evalmark.validator.format import Format

#: The folder, among the rooms.
ROOM = "memory"

_HERE = __file__.rpartition("register")[0]  # without pathlib, which takes 3 ms of a check
#: Schema name -> file.
SCHEMAS: Mapping[str, str] = {
    name: f"{_HERE}schemas/{name}.schema.json"
    for name in ("agent-script", "memory-set", "locomo", "longmemeval", "longmemeval-answers")
}
#: Beginning of a schema's name -> the page that describes its format.
ORIGINALS: Mapping[str, str] = {
    "locomo": "LoCoMo, https://github.com/snap-research/locomo",
    "longmemeval": "LongMemEval, https://github.com/xiaowu0162/LongMemEval",
}


def formats() -> tuple[Format, ...]:
    """The formats, as entry points of the group ``evalmark.formats`` name them."""
    from evalmark.memory.formats import memory_sets_format as forms

    return forms.AGENT_SCRIPT, forms.MEMORY_SET, forms.LOCOMO, forms.LONGMEMEVAL, forms.ANSWERS


def importers() -> tuple[Importer, ...]:
    """The importers, as those of ``evalmark.importers``."""
    from evalmark.converters.importers.importer import Importer

    return (
        Importer(
            "ltm-run",
            "an LTM run: the folder of an agent, with the definitions of its run",
            _ltm_run,
            recognizes_folder=_is_ltm_run,
        ),
    )


def _ltm_run() -> Reader:
    from evalmark.memory.converters.ltm_results import read_ltm_run

    return read_ltm_run


def _is_ltm_run(folder: Path) -> bool:
    """True if a folder is that of an agent: ``<run>/results/<agent>`` beside definitions."""
    from evalmark.validator.io.paths import without_links

    whole = without_links(folder)
    return whole.parent.name == "results" and (whole.parents[1] / "definitions").is_dir()


def commands() -> Mapping[str, Callable[[], typer.Typer]]:
    """Command -> what imports its app, as those of ``evalmark.commands``."""
    return {"memory": _memory}


def _memory() -> typer.Typer:
    """Test what models remember of conversations; score again, measure judges."""
    from evalmark.memory.commands.memory_command import app

    return app


def pages() -> tuple[Page, ...]:
    """The pages of runs that ``evalmark report`` writes."""
    from evalmark.memory.pages.conversation_folder import is_conversation, read_conversations
    from evalmark.memory.pages.conversation_page import conversation_page
    from evalmark.reports.page import Page

    return (
        Page(
            "runs of conversations",
            is_conversation,
            read_conversations,
            lambda views, _items, path: conversation_page(views, page=path),
        ),
    )


def run_kinds() -> tuple[RunKind, ...]:
    """The kinds of runs, with what ``evalmark compare`` reads in their records."""
    from evalmark.memory.converters.run_kinds import QUESTIONS, TESTS

    return QUESTIONS, TESTS
