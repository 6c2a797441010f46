"""Findings as diagnostics of an editor, and their fixes as code actions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalmark.lsp.live_text import LiveText
from evalmark.validator.findings.finding import Finding, Safety, Severity, apply_fixes
from evalmark.validator.formats.builtin import rule_address
from evalmark.validator.formats.rule_registry import RULES
from evalmark.validator.settings.config import SETTINGS_FILES, find_settings
from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    CodeDescription,
    CreateFile,
    CreateFileOptions,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    OptionalVersionedTextDocumentIdentifier,
    Position,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from pygls.uris import from_fs_path

#: Rules whose findings editors show as faded, and as struck through.
_UNNECESSARY = frozenset({"SG212", "SG413"})
_DEPRECATED = frozenset({"SG208", "SG221"})
#: The kind of the action that applies all safe fixes.
FIX_ALL = "source.fixAll.evalmark"


def diagnostic(finding: Finding, text: LiveText, uri: str) -> Diagnostic:
    """A finding as an editor shows it."""
    tags = [DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else []
    tags += [DiagnosticTag.Deprecated] if finding.code in _DEPRECATED else []
    url = rule_address(finding.code)
    is_error = finding.severity is Severity.ERROR
    places = [
        DiagnosticRelatedInformation(Location(uri, text.range_of(label.span)), label.text)
        for label in finding.labels
    ]
    return Diagnostic(
        range=text.range_of(finding.span),
        message="\n".join(_lines(finding)),
        severity=DiagnosticSeverity.Error if is_error else DiagnosticSeverity.Warning,
        code=finding.code,
        code_description=CodeDescription(url) if url else None,
        source="evalmark",
        tags=tags or None,
        related_information=places or None,
        data={"name": finding.name, "pointer": finding.pointer},
    )


def _lines(finding: Finding) -> Iterator[str]:
    yield f"{finding.message}: {finding.caret}" if finding.caret else finding.message
    yield from finding.notes
    for text in finding.helps:
        yield f"help: {text}"


@dataclass(frozen=True, slots=True)
class Actions:
    """The code actions of a checked text."""

    uri: str  # its address in the editor
    path: str  # its path
    workspace: str  # the folder that is open; empty if none is
    version: int | None  # the number that the editor gives the text
    text: LiveText  # the text
    findings: tuple[Finding, ...]  # the findings on it

    def at(self, place: Range) -> Iterator[CodeAction]:
        """The fixes of findings in a range, and what ignores their rules."""
        start, end = _key(place.start), _key(place.end)
        chosen = [
            finding
            for finding in self.findings
            if (shown := self.text.range_of(finding.span))
            and _key(shown.start) <= end
            and start <= _key(shown.end)
        ]
        for finding in chosen:
            if finding.fix is not None:
                yield self._fix(finding)
        for finding in chosen:
            if (action := self._ignore(finding)) is not None:
                yield action

    def fix_all(self) -> CodeAction | None:
        """All safe fixes, as ``evalmark check --fix`` applies them; None if there is none."""
        fixed = apply_fixes(self.text.text, self.findings).findings
        if not fixed:
            return None
        edits = [edit for finding in fixed if finding.fix for edit in finding.fix.edits]
        changes = [self.text.edit_of(edit) for edit in sorted(set(edits))]
        title = f"Fix all that is safe to fix ({len(fixed)})"
        return CodeAction(title, kind=FIX_ALL, edit=self.changed(changes))

    def changed(self, edits: Sequence[TextEdit]) -> WorkspaceEdit:
        """Edits of this version of the text: an editor refuses them for another one."""
        document = OptionalVersionedTextDocumentIdentifier(self.uri, self.version)
        return WorkspaceEdit(document_changes=[TextDocumentEdit(document, list(edits))])

    def _fix(self, finding: Finding) -> CodeAction:
        assert finding.fix
        is_safe = finding.fix.safety is Safety.SAFE
        title = next(iter(finding.helps), "") or finding.message
        return CodeAction(
            f"{finding.code}: {title}" + ("" if is_safe else " (unsafe: changes what is measured)"),
            kind=CodeActionKind.QuickFix,
            diagnostics=[diagnostic(finding, self.text, self.uri)],
            is_preferred=is_safe or None,
            edit=self.changed([self.text.edit_of(edit) for edit in finding.fix.edits]),
        )

    def _ignore(self, finding: Finding) -> CodeAction | None:
        if finding.code not in RULES or finding.code.startswith("F"):
            return None
        folder = os.path.dirname(self.path)
        nowhere = os.path.join(self.workspace or folder, SETTINGS_FILES[0])
        raw, place = find_settings(folder) or (b"", nowhere)
        name = os.path.relpath(self.path, os.path.dirname(place)).replace(os.sep, "/")
        table = "tool.evalmark." * place.endswith("pyproject.toml") + "per-file-ignores"
        files = json.dumps(f"{name}#{finding.pointer}" if finding.pointer else name)
        lines = [f"[[{table}]]", f"files = {files}", f'rules = ["{finding.code}"]']
        entry = "\n" * bool(raw) + "\n".join([*lines, 'reason = "TODO: say why"', ""])
        text = LiveText(raw.decode("utf-8", "replace"))
        end = text.position(len(text.text)) if raw else Position(0, 0)
        uri = from_fs_path(place)
        assert uri
        document = OptionalVersionedTextDocumentIdentifier(uri, None)
        append = TextDocumentEdit(document, [TextEdit(Range(end, end), entry)])
        create = CreateFile(uri, options=CreateFileOptions(ignore_if_exists=True))
        return CodeAction(
            f"Ignore {finding.code} here, in {os.path.basename(place)}",
            kind=CodeActionKind.QuickFix,
            edit=WorkspaceEdit(document_changes=[append] if raw else [create, append]),
        )


def _key(position: Position) -> tuple[int, int]:
    return position.line, position.character
