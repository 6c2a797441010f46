"""The check of what a branch changes: with the settings of its base, and against what it has."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evalmark.cli.check_outcome import CheckOutcome, fix
from evalmark.cli.settings import settings_for
from evalmark.validator.batch.changes.branch_settings import BranchSettings, branch_settings
from evalmark.validator.batch.changes.check_changed import select_changed
from evalmark.validator.batch.check_files import Checked
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.format import CheckContext
from evalmark.validator.io.terminal import print_note
from evalmark.validator.settings.check_options import CheckOptions


@dataclass(frozen=True, slots=True)
class BranchCheck:
    """The check of a branch."""

    options: CheckOptions
    base: str  # the branch or commit that the current one will be merged into
    settings: BranchSettings

    def outcome(self, context: CheckContext, held: Checker) -> CheckOutcome:
        """What becomes of the files that the branch changes, under the settings that are held."""
        selection = select_changed(self.options.paths, self.base, context)
        for remark in selection.remarks if self.options.verbose else ():
            print_note(remark)
        fixed = None
        if self.options.fix or self.options.diff:
            changed = replace(self.options, paths=selection.paths)
            fixed = fix(changed, selection.context, selection.changed)
            checked = fixed.checked
        else:
            checked = held.files(selection.paths, selection.context)
        checked = self._with_settings(checked, held)
        checked = checked._replace(skipped=(*selection.skipped, *checked.skipped))
        return CheckOutcome(
            checked,
            fixed,
            differences=selection.differences,
            fail_on=self.settings.held.fail_on,
        )

    def _with_settings(self, checked: Checked, held: Checker) -> Checked:
        """The result under the settings of the base, with what those of the branch would hide."""
        branch = self.settings
        if branch.problem and branch.own:
            checked = checked._replace(remarks=(*checked.remarks, branch.problem))
        if not branch.path:
            return checked
        hidden: list[Finding] = []
        if branch.own is not None and not branch.is_lacking:
            own = Checker(branch.own, self.options)
            # Also in files that stay as they are: else one more file would make it look harmless.
            shown, left = (list(self._found(checker, is_all=True)) for checker in (held, own))
            if not branch.is_alone:
                shown += checked.findings
                left += self._found(own, is_all=False)
            hidden = branch.hidden(shown, left)
            if branch.is_alone:
                return checked._replace(remarks=(*checked.remarks, branch.remark(hidden)))
        finding = branch.finding(hidden, held.context.profile)
        reports = (*checked.reports, Report(branch.path, None, None, (finding,)))
        return checked._replace(reports=reports, unreadable=checked.unreadable or branch.is_lacking)

    def _found(self, checker: Checker, *, is_all: bool) -> tuple[Finding, ...]:
        paths = self.options.paths
        context = checker.context
        if not is_all:
            selection = select_changed(paths, self.base, context)
            paths, context = selection.paths, selection.context
        return checker.files(paths, context).findings


def branch_check(options: CheckOptions) -> BranchCheck:
    """The check of what a branch changes."""
    base = options.changed or ""
    settings = branch_settings(base, lambda: settings_for(options.jobs))
    return BranchCheck(options, base, settings)
