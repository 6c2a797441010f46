"""The hooks that we offer to pre-commit, from which ``.pre-commit-hooks.yaml`` is made."""

from __future__ import annotations

from io import StringIO
from typing import Any

#: pre-commit's type `json` covers .json; .jsonl has no type of its own.
HOOKS: tuple[dict[str, Any], ...] = (
    {
        "id": "evalmark",
        "name": "check evaluation files",
        "description": "Check suites, records and LTM files; other JSON and YAML is skipped.",
        "entry": "evalmark-hook",
        "language": "python",
        "types_or": ["json", "yaml"],
    },
    {
        "id": "evalmark-samples",
        "name": "check sample files and minimal pairs",
        "description": "Check sample files and minimal pairs; other JSON lines are skipped.",
        "entry": "evalmark-hook",
        "language": "python",
        "types": ["file"],
        "files": r"\.jsonl$",
    },
    {
        "id": "evalmark-all",
        "name": "check all evaluation files together",
        "description": "Check the whole repository, duplicate evaluation ids included.",
        "entry": "evalmark check --quiet .",
        "language": "python",
        "pass_filenames": False,
        "always_run": True,
    },
    {
        "id": "evalmark-fix",
        "name": "check and fix evaluation files",
        "description": "Check, and apply fixes that change no score.",
        "entry": "evalmark-hook --fix",
        "language": "python",
        "types_or": ["json", "yaml"],
    },
    {
        "id": "evalmark-convert",
        "name": "convert old evaluation files",
        "description": "Convert suites of older dialects to the current format.",
        "entry": "evalmark convert --in-place --skip-unknown --to suite",
        "language": "python",
        "types": ["json"],
    },
)


def hooks_yaml() -> str:
    """The text of ``.pre-commit-hooks.yaml``."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width = 120
    stream = StringIO()
    stream.write("# Made from scripts/hook_table.py by `make generate`: do not edit.\n")
    yaml.dump([dict(hook) for hook in HOOKS], stream)
    return stream.getvalue()
