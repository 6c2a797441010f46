"""The check of what a branch changes: with the settings of its base, and against what it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalmark.cli.checking.check_call import CheckCall
from evalmark.validator.batch.changes.branch_settings import BranchSettings
from evalmark.validator.batch.changes.check_changed import Selection, select_changed
from evalmark.validator.batch.check_files import BatchOptions, Checked
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.io.terminal import say


@dataclass(frozen=True, slots=True)
class BranchCheck:
    """The check of a branch.

    Attributes:
        call: The call, with the paths that it names.
        base: The branch or commit that the current one will be merged into.
        settings: The settings of the branch and of its base.
        arguments: Those of a ``Checker``.
    """

    call: CheckCall
    base: str
    settings: BranchSettings
    arguments: Mapping[str, Any]

    def selection(self, options: BatchOptions) -> Selection:
        """The files that the branch changes."""
        selection = select_changed(self.call.paths, self.base, options)
        for remark in selection.remarks if self.call.verbose else ():
            say(remark)
        return selection

    def with_settings(self, checked: Checked) -> Checked:
        """The result under the settings of the base, with what those of the branch would hide."""
        branch = self.settings
        if branch.problem and branch.own:
            checked = replace(checked, remarks=(*checked.remarks, branch.problem))
        if not branch.path:
            return checked
        held, own = (Checker(config, **self.arguments) for config in (branch.held, branch.own))
        hidden: list[Finding] = []
        if branch.own is not None and not branch.is_lacking:
            # Also in files that stay as they are: else one more file would make it look harmless.
            shown, left = (list(self._found(each, is_all=True)) for each in (held, own))
            if not branch.is_alone:
                shown += checked.findings
                left += self._found(own, is_all=False)
            hidden = branch.hidden(shown, left)
            if branch.is_alone:
                return replace(checked, remarks=(*checked.remarks, branch.remark(hidden)))
        finding = branch.finding(hidden, held.options.check.profile)
        reports = (*checked.reports, Report(branch.path, None, None, (finding,)))
        return replace(checked, reports=reports, unreadable=checked.unreadable or branch.is_lacking)

    def _found(self, checker: Checker, *, is_all: bool) -> tuple[Finding, ...]:
        """The findings in all files of the call, or in those that the branch changes."""
        paths = self.call.paths
        options = self.call.batch_options(checker.options, b"")._replace(bars=False)
        if not is_all:
            selection = select_changed(paths, self.base, options)
            paths, options = selection.paths, selection.options
        return checker.files(paths, options).findings
