"""``evalmark init``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.command import as_wrong_call
from evalmark.schemas.errors import UsageError
from evalmark.schemas.package import NAME, address, source
from evalmark.schemas.versions import GATES, written
from evalmark.validator.io.git import Repository
from evalmark.validator.io.paths import is_plain_name
from evalmark.validator.io.terminal import can_ask, print_line
from evalmark.validator.io.writing import confined_to, remove_stale_temp_files, write_atomically
from evalmark.validator.options.declaration import (
    Argument,
    choice_of,
    command,
    file_option,
    refuse_dash,
)
from evalmark.validator.settings.config import RELATIONSHIPS

_SETTINGS = """# Settings of evalmark; https://pre-commit.com runs it on each commit.

# Disabled rules, by code or name.
ignore = []

# Least severity that fails a check: "error", "warning" or "never".
fail-on = "error"

# How regions become sentences: "core", "hf" or "brainscore"; "none" for
# scripts without spaces.
join = "core"

# A leaderboard whose checks apply to records as well: "eee" is Every Eval Ever.
# profile = "eee"

# The records that `evalmark score` and `evalmark memory` write here: their version, who
# publishes them, and how the publisher is related to the developers of the models.
"""
#: The version of records that is proposed: the one that the leaderboard takes.
PROPOSED = GATES["eee"]
#: Settings of records, with the values of those that nobody chose, which are comments.
_RECORD = {
    "version": PROPOSED,
    "organization": "Your lab",
    "relationship": "third_party",
}

_README = """# {name}

Test suites for language models: sentences cut into regions, and predictions about which of them
surprise a model more. {evalmark} checks and scores them:

    evalmark check .                         # what is wrong, and what to write
    evalmark serve .                         # write suites in the browser
    evalmark score suites/ --model gpt2      # accuracies of a model, with a record of the run
"""

_WORKFLOW = """on: [push, pull_request]
permissions:
  contents: read
jobs:
  evalmark:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: {action}@v{version}
"""

_HOOK = """repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: evalmark
"""
#: For what is not a repository of git: a wheel, an archive, a package index.
_LOCAL_HOOK = """repos:
  - repo: local
    hooks:
      - id: evalmark
        name: check evaluation files
        entry: evalmark-hook
        language: python
        types_or: [json, yaml]
        additional_dependencies: [{requirement}]
"""


@dataclass(frozen=True, kw_only=True)
class InitOptions:
    """The options of ``evalmark init``."""

    folder: Annotated[
        Path,
        Argument(metavar="[FOLDER]", callback=refuse_dash, help="Folder of the repository."),
    ] = Path()
    name: Annotated[str, file_option("--name", metavar="NAME", help="Name of the first suite.")] = (
        "my_suite"
    )
    record_version: Annotated[
        str | None,
        file_option(
            "--record-version",
            metavar="VERSION",
            **choice_of("record version", written("record")),
            help="Version of records: 0.2.0, 0.3.0 (default: asked; 0.3.0 without an answer).",
        ),
    ] = None


@command(
    InitOptions,
    "evalmark init",
    "evalmark init my-suites --name agreement --record-version 0.3.0",
)
def init(options: InitOptions) -> None:
    """Set up a suite repository: hook, settings, README, a first suite. Existing files are kept.

    VS Code gets the schema of suites. A workflow for GitHub is written once evalmark has a public
    address there; the hook names the place that evalmark was installed from. On a terminal it
    asks for the version of records unless that is given, and for their publisher. Without an
    answer, the version is the one that Every Eval Ever's validator takes.
    """
    folder, name, record_version = options.folder, options.name, options.record_version
    if not is_plain_name(name):
        raise UsageError(f"the name {name!r} cannot be used as a file name")
    settings = folder / "evalmark.toml"
    if record_version is not None and settings.exists():
        raise UsageError(
            f'{settings} exists: write `version = "{record_version}"` under `[record]` in it'
        )
    record = {} if record_version is None else {"version": record_version}
    if not settings.exists() and can_ask():
        record = _ask_record_settings(record)
    record.setdefault("version", PROPOSED)
    files = {
        folder / ".pre-commit-config.yaml": _hook(),
        settings: _SETTINGS + _record_settings(record),
        folder / "suites" / f"{name}.json": json.dumps(_skeleton(name), indent=2) + "\n",
        folder / "README.md": _readme(folder),
        folder / ".vscode" / "settings.json": _editor(),
        **_workflow(folder / ".github" / "workflows" / "evalmark.yml"),
    }
    for path, text in files.items():
        if path.exists():
            print_line(f"kept   {path}")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_stale_temp_files(path)  # temporary files of an interrupted run
        with confined_to(folder):
            write_atomically(path, text.encode("utf-8"))
        print_line(f"wrote  {path}")


def _ask_record_settings(record: dict[str, str]) -> dict[str, str]:
    ask = partial(typer.prompt, show_choices=False, err=True)
    if "version" not in record:
        record["version"] = ask(
            "version of the records that `score` writes here "
            f"(Every Eval Ever's validator takes {PROPOSED})",
            default=PROPOSED,
            value_proc=as_wrong_call(choice_of("record version", written("record"))["parser"]),
        )
    name = ask("organization that publishes them (may be empty)", default="", show_default=False)
    if name:
        record["organization"] = name
        record["relationship"] = ask(
            f"relationship to the developers of the models: {', '.join(RELATIONSHIPS)}",
            default=RELATIONSHIPS[-1],
            value_proc=as_wrong_call(choice_of("relationship", RELATIONSHIPS)["parser"]),
        )
    return record


def _record_settings(record: Mapping[str, str]) -> str:
    lines = [("" if record else "# ") + "[record]"]
    for key, usual in _RECORD.items():
        mark = "" if key in record else "# "
        lines.append(f"{mark}{key} = {json.dumps(record.get(key, usual), ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _hook() -> str:
    if home := address():
        return _HOOK.format(repository=home, revision=f"v{version(NAME)}")
    place = source()
    if place and place.commit:
        return _HOOK.format(repository=place.place, revision=place.commit)
    if place and Path(place.place, ".git").exists():
        return _HOOK.format(repository=json.dumps(place.place), revision=_commit_of(place.place))
    needed = place.requirement() if place else f"{NAME}=={version(NAME)}"
    return _LOCAL_HOOK.format(requirement=json.dumps(needed))


def _commit_of(clone: str) -> str:
    """The commit of a clone, which is what a hook has to name; HEAD if git does not say it."""
    try:
        return Repository(clone).commit("HEAD").id
    except UsageError:
        return "HEAD"


def _readme(folder: Path) -> str:
    home = address()
    return _README.format(
        name=folder.resolve().name, evalmark=f"[evalmark]({home})" if home else "evalmark"
    )


def _editor() -> str:
    from evalmark.cli.reference import VSCODE_PATHS, vscode_schemas

    schemas = vscode_schemas({"suite": VSCODE_PATHS["suite"]})
    return json.dumps({"json.schemas": schemas}, indent=2, ensure_ascii=False) + "\n"


def _workflow(path: Path) -> dict[Path, str]:
    host, _, action = (address() or "").removeprefix("https://").partition("/")
    if host != "github.com":
        return {}
    return {path: _WORKFLOW.format(action=action, version=version("evalmark"))}


def _skeleton(name: str) -> dict[str, Any]:
    sentences = {"match": "plays", "mismatch": "play"}
    return {
        "meta": {"name": name, "metric": "sum", "reference": "", "comment": ""},
        "region_meta": {"1": "Subject", "2": "Verb", "3": "Continuation"},
        "predictions": [{"type": "formula", "formula": "(2;%mismatch%) > (2;%match%)"}],
        "items": [
            {
                "item_number": 1,
                "conditions": [
                    {
                        "condition_name": condition,
                        "regions": [
                            {"region_number": number, "content": content}
                            for number, content in enumerate(("The woman", verb, "the guitar"), 1)
                        ],
                    }
                    for condition, verb in sentences.items()
                ],
            }
        ],
    }
