"""The settings of a branch and those of its base, which hold for what the branch changes."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from evalmark.schemas.errors import ConfigError
from evalmark.validator.batch.changes.changed_files import RepositoryPaths, not_compared
from evalmark.validator.findings.finding import At, Finding, Mistake, Severity, locate
from evalmark.validator.findings.rule import BEGINNING, NEW_SETTINGS
from evalmark.validator.io.git import Repository
from evalmark.validator.io.opening import read_whole
from evalmark.validator.settings.config import SETTINGS_FILES, Config, find_settings, load_config
from evalmark.validator.settings.user_config import user_config

#: Links in the base that are followed to a file of settings.
_LINKS = 5


class BranchSettings(NamedTuple):
    """The settings that hold for a branch, and those that it has itself."""

    base: str  # what the caller calls the base
    held: Config = Config()  # the settings of the base, which hold
    own: Config | None = None  # those of the branch; None if they cannot be used
    problem: str = ""  # why its settings cannot be used, or those of the base
    path: str = ""  # the file of the settings that the branch changes; empty if it changes none
    is_alone: bool = False  # whether it changes no other file
    is_lacking: bool = False  # whether this clone lacks the file of the base

    def hidden(self, held: Iterable[Finding], own: Iterable[Finding]) -> list[Finding]:
        """The findings under the settings of the base that those of the branch would hide."""
        there = {_key(finding) for finding in own}
        weaker = self.own.fail_on if self.own else "never"
        hidden = {
            _key(finding): finding
            for finding in held
            if _key(finding) not in there
            or (_fails(finding, self.held.fail_on) and not _fails(finding, weaker))
        }
        return [*hidden.values()]

    def remark(self, hidden: list[Finding]) -> str:
        """The line about settings that are all that a branch changes."""
        return f"{self.path}: this branch changes settings only, which hide {_rules_text(hidden)}"

    def finding(self, hidden: list[Finding], profile: str | None) -> Finding:
        """The finding for settings that a branch changes; ``hidden`` is what they would hide."""
        if self.is_lacking:
            return not_compared(self.path, self.base)
        helps = [f"review the change: `git diff {self.base}... -- {self.path}`"]
        if self.own is None:
            problem = self.problem.removeprefix(f"{os.path.abspath(self.path)}: ")
            message = f"the settings of this branch cannot be used: {problem}"
        else:
            message = f"this branch changes settings, which would hide {_rules_text(hidden)}"
            helps.append("change settings in a branch without other files; then they hold")
        notes = (f"the branch is checked with the settings of {self.base}",)
        is_error = self.own is None or any(f.severity is Severity.ERROR for f in hidden)
        mistake = Mistake(message, At(""), notes=notes, helps=tuple(helps))
        finding = replace(locate(mistake, NEW_SETTINGS, self.path, None), span=BEGINNING)
        return replace(finding, severity=Severity.ERROR) if is_error or profile else finding


def _key(finding: Finding) -> tuple[Any, ...]:
    return os.path.normpath(finding.path), finding.code, finding.pointer, finding.span


def _fails(finding: Finding, level: str) -> bool:
    return level == "warning" or (level == "error" and finding.severity is Severity.ERROR)


def _rules_text(hidden: list[Finding]) -> str:
    if not hidden:
        return "nothing"
    parts = []
    for severity in Severity:
        counts = Counter(f.code for f in hidden if f.severity is severity)
        if number := counts.total():
            rules = ", ".join(f"{code} ({count})" for code, count in sorted(counts.items()))
            parts.append(f"{number} {severity}{'s'[: number - 1]}: {rules}")
    files = len({finding.path for finding in hidden})
    return f"{' and '.join(parts)}, in {files} file{'s'[: files - 1]}"


def branch_settings(base: str, load: Callable[[], Config]) -> BranchSettings:
    """The settings for the current folder of a branch and of its base.

    Raises:
        ConfigError: Neither those of the branch nor those of its base can be used, or those of the
            user cannot.
        UsageError: As for ``select_changed``.
    """
    user_config()
    repository = Repository()
    commit = repository.commit(base)
    start = repository.merge_base(commit, base)
    places = RepositoryPaths(repository.root, ["."], ())
    lacking: list[str] = []
    now, then = (partial(_read_at, repository, places, lacking, t) for t in (commit.id, start))
    own, problem = _try_load(load)
    held, why = _try_load(partial(load_config, ".", now))
    known = held, _try_load(partial(load_config, ".", then))[0]
    if lacking:
        return BranchSettings(base, Config(), own, problem, lacking[0], is_lacking=True)
    if held is None:
        if own is None:
            raise ConfigError(problem)
        held, problem = Config(), f"the settings of {base} cannot be used, so none hold: {why}"
    if own in known:
        return BranchSettings(base, held, own, problem)
    changed = (difference.path for difference in repository.differences(start))
    names = map(posixpath.basename, chain(changed, repository.untracked()))
    is_alone = all(name in SETTINGS_FILES for name in names)
    path = os.path.relpath(_settings_path(read_whole) or _settings_path(now) or SETTINGS_FILES[0])
    return BranchSettings(base, held, own, problem, path, is_alone)


def _try_load(load: Callable[[], Config]) -> tuple[Config | None, str]:
    try:
        return load(), ""
    except ConfigError as error:
        return None, str(error)


def _settings_path(read: Callable[[str], bytes]) -> str:
    with suppress(ConfigError):
        if found := find_settings(".", read):
            return found[1]
    return ""


def _read_at(
    repository: Repository, places: RepositoryPaths, lacking: list[str], tree: str, path: str
) -> bytes:
    """The content of a path in a commit; links are followed, and missing objects are noted."""
    place = places.place_of(path)
    for _ in range(_LINKS):
        entry = repository.entry(tree, place)
        if entry is None:
            break
        ((_, raw),) = repository.blobs([(place, entry.id)])
        if raw is None:
            lacking.append(places.path_of(place))
            break
        if not entry.is_link:
            return raw
        place = posixpath.normpath(posixpath.join(posixpath.dirname(place), os.fsdecode(raw)))
    raise FileNotFoundError(path)
