"""What conversational memory tests add: a command, an importer of LTM runs, and a format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evalmark.validator.io.extensions import Plugin

if TYPE_CHECKING:  # pathlib takes 3 ms of a check
    from pathlib import Path

    from evalmark.converters.importers.registry import Reader


def _memory() -> object:
    """Test what a model remembers of conversations; write a record."""
    from evalmark.memory.commands.memory_command import memory

    return memory


def _importers() -> Iterable[object]:
    from evalmark.converters.importers.registry import Importer

    yield Importer(
        "ltm-run",
        "an LTM run: the folder of an agent, with the definitions of its run",
        _ltm_run,
        recognizes_folder=is_ltm_run,
    )


def _ltm_run() -> Reader:
    from evalmark.memory.converters.ltm_results import read_ltm_run

    return read_ltm_run


def is_ltm_run(folder: Path) -> bool:
    """True if a folder is that of an agent: ``<run>/results/<agent>`` beside definitions."""
    from evalmark.validator.io.paths import without_links

    whole = without_links(folder)
    return whole.parent.name == "results" and (whole.parents[1] / "definitions").is_dir()


def _formats() -> Iterable[object]:
    from evalmark.memory.agents.script_format import AGENT_SCRIPT

    yield AGENT_SCRIPT


PLUGIN = Plugin(commands={"memory": _memory}, importers=_importers, formats=_formats)
