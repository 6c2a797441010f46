"""The language server: what an editor asks, and when open files are checked.

A check begins with the first edit; edits that come while it runs make its answer stale, and are
followed by another one. So an editor gets the findings of the newest text, and no others.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version

from evalmark.lsp.assistance import Assistance, is_in
from evalmark.lsp.checking import CheckedText, EditorChecks
from evalmark.lsp.diagnostics import FIX_ALL, Actions, diagnostic
from evalmark.lsp.live_text import LiveText
from evalmark.schemas.errors import EvalmarkError, UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.paths import is_below
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

#: Ending of a path that says how a text is read, for files that are not saved yet.
_ENDINGS = {"json": ".json", "jsonl": ".jsonl", "yaml": ".yaml"}
_SETTINGS_GLOB = "**/{evalmark.toml,pyproject.toml,*.schema.json}"


@dataclass(slots=True)
class OpenFile:
    """An open file, and the findings of the last text that was checked."""

    uri: str  # its address in the editor
    path: str  # its path; a made-up one if it is not saved yet
    text: LiveText  # its text
    version: int | None = None  # the number that the editor gives its text
    edits: int = 1  # counts its texts, and changes of settings
    checked: int = 0  # the count of the text that was checked last
    result: CheckedText = field(default_factory=CheckedText)  # the findings on it
    same: tuple[Finding, ...] = ()  # the finding that another file has its identity
    task: asyncio.Task[None] | None = None  # the check that runs
    known: tuple[int, Assistance] | None = None  # the count of a text, and the help for it

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings on the text that was checked last."""
        return (*self.result.findings, *self.same)


class EvalmarkServer(LanguageServer):
    """The open files of an editor, and their checks."""

    def __init__(self) -> None:
        super().__init__("evalmark", version("evalmark"))
        self.files: dict[str, OpenFile] = {}
        self.checker = EditorChecks()
        # One thread: what it caches is not shared.
        self.checks = ThreadPoolExecutor(1, thread_name_prefix="check")

    @property
    def pulls(self) -> bool:
        """True if the editor asks for diagnostics, and need not be sent them."""
        text = self.client_capabilities.text_document
        return bool(text and text.diagnostic)

    def help_with(self, document: types.TextDocumentIdentifier) -> Assistance | None:
        """Help with the text of a file as it is; None if it is not open."""
        file = self.files.get(document.uri)
        if file is None:
            return None
        if file.known is None or file.known[0] != file.edits:
            try:
                place = self.workspace_of(file.path)
                context = self.checker.checker(os.path.dirname(file.path), place).context
            except EvalmarkError:  # its diagnostic says so
                context = Checker().context
            file.known = file.edits, Assistance(file.path, file.text, context)
        return file.known[1]

    def workspace_of(self, path: str) -> str:
        """The open folder that a file is in; empty if there is none."""
        roots = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        every = (*roots, self.workspace.root_path)
        inside = [root for root in every if root and is_below(path, root)]
        return max(inside, key=len, default="")

    def opened(self, document: types.TextDocumentItem) -> None:
        """Take a file in, and check it."""
        path = to_fs_path(document.uri) or ""
        name = path or document.uri.rpartition(":")[2] + _ENDINGS.get(document.language_id, "")
        text = LiveText(document.text, self.workspace.position_encoding or "utf-16")
        self.files[document.uri] = file = OpenFile(document.uri, name, text, document.version)
        self.schedule(file)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits, and check the text."""
        file = self.files[params.text_document.uri]
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                file.text.edit(change.range, change.text)
            else:
                file.text.replace_all(change.text)
        file.version = params.text_document.version
        self.again(file)

    def closed(self, uri: str) -> None:
        """Forget a file; its findings disappear from the editor."""
        if (file := self.files.pop(uri, None)) is not None:
            file.edits += 1
            if not self.pulls:
                self._publish(uri, [], None)
            self._compare(file.result.identity)

    def again(self, *files: OpenFile) -> None:
        """Check files again: their texts, or what they are checked with, have changed."""
        for file in files:
            file.edits += 1
            self.schedule(file)

    def schedule(self, file: OpenFile) -> None:
        """Begin a check, unless one runs: that one sees that it is stale."""
        if file.task is None or file.task.done():
            file.task = asyncio.get_running_loop().create_task(self._check(file))

    async def checked(self, file: OpenFile) -> OpenFile:
        """The file once its newest text is checked."""
        while file.checked != file.edits and file.uri in self.files:
            self.schedule(file)
            assert file.task
            await asyncio.shield(file.task)
        return file

    async def _check(self, file: OpenFile) -> None:
        loop = asyncio.get_running_loop()
        while file.checked != file.edits and self.files.get(file.uri) is file:
            edits, text = file.edits, file.text.text
            place = self.workspace_of(file.path)
            job = loop.run_in_executor(self.checks, self.checker.check, file.path, text, place)
            result = await job
            if edits != file.edits:
                continue
            before, file.result, file.checked = file.result.identity, result, edits
            self._look_for_same(file)
            self._show(file)
            if before != result.identity:
                self._compare(before, result.identity)
                await self._look_around(file)

    async def _look_around(self, file: OpenFile) -> None:
        folder = os.path.dirname(file.path)
        loop = asyncio.get_running_loop()
        if await loop.run_in_executor(self.checks, self.checker.look_around, folder):
            self._compare(file.result.identity)

    def _compare(self, *identities: tuple[str, str] | None) -> None:
        shared = set(identities) - {None}
        for file in self.files.values():
            if file.result.identity in shared and file.checked == file.edits:
                before = file.same
                self._look_for_same(file)
                if file.same != before:
                    self._show(file)
                    if self.pulls:
                        self.refresh()

    def _look_for_same(self, file: OpenFile) -> None:
        place = self.workspace_of(file.path)
        opened = {
            other.path: (other.text.text, other.result.identity)
            for other in self.files.values()
            if (place and is_below(other.path, place))
            or os.path.dirname(other.path) == os.path.dirname(file.path)
        }
        file.same = self.checker.same(file.path, file.text.text, file.result, opened)

    def refresh(self) -> None:
        """Ask the editor to ask for diagnostics again, if it can."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    def _show(self, file: OpenFile) -> None:
        if not self.pulls:
            self._publish(file.uri, self.diagnostics(file), file.version)

    def diagnostics(self, file: OpenFile) -> list[types.Diagnostic]:
        """The findings on a file as the editor shows them."""
        return [diagnostic(finding, file.text, file.uri) for finding in file.findings]

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None) -> None:
        params = types.PublishDiagnosticsParams(uri, found, version)
        self.text_document_publish_diagnostics(params)


def new_server() -> EvalmarkServer:
    """A server with all that it can do."""
    server = EvalmarkServer()
    _synchronize(server)
    _diagnose(server)
    _assist(server)
    _names(server)
    return server


def _synchronize(server: EvalmarkServer) -> None:
    """Keep the texts of open files, in place of pygls.

    It knows other ends of lines than editors do, and copies the whole text at each edit.
    """
    for method, work in (
        (types.TEXT_DOCUMENT_DID_OPEN, lambda params: server.opened(params.text_document)),
        (types.TEXT_DOCUMENT_DID_CHANGE, server.changed),
        (types.TEXT_DOCUMENT_DID_CLOSE, lambda params: server.closed(params.text_document.uri)),
    ):
        server.protocol.fm.add_builtin_feature(method, work)

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(_SETTINGS_GLOB)]
            )
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = types.Registration("settings", method, options)
            server.client_register_capability(types.RegistrationParams([registration]))

    def settings_changed(
        _: types.DidChangeWatchedFilesParams | types.DidChangeConfigurationParams,
    ) -> None:
        server.checker.forget_settings()
        server.again(*server.files.values())
        if server.pulls:
            server.refresh()

    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(settings_changed)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(settings_changed)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        """A record is checked with the samples that are saved, and all with saved settings."""
        server.again(*server.files.values())


def _diagnose(server: EvalmarkServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier="evalmark"
        ),
    )
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        file = server.files.get(params.text_document.uri)
        if file is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        await server.checked(file)
        state = f"{file.checked}.{hash(file.findings)}"
        if params.previous_result_id == state:
            return types.RelatedUnchangedDocumentDiagnosticReport(state)
        return types.RelatedFullDocumentDiagnosticReport(server.diagnostics(file), result_id=state)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        file = server.files.get(params.text_document.uri)
        if file is None:
            return []
        await server.checked(file)
        wanted = tuple(str(getattr(k, "value", k)) for k in params.context.only or ())

        def asks(kind: str) -> bool:
            return not wanted or any(f"{kind}.".startswith(f"{name}.") for name in wanted)

        place = server.workspace_of(file.path)
        offered = Actions(file.uri, file.path, place, file.version, file.text, file.findings)
        chosen = list(offered.at(params.range)) if asks("quickfix") else []
        all_safe = offered.fix_all() if asks(FIX_ALL) else None
        return [*chosen, all_safe] if all_safe else chosen


def _assist(server: EvalmarkServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        file = server.files.get(params.text_document.uri)
        known = server.help_with(params.text_document)
        if file is None or known is None:
            return None
        return known.hover(params.position, file.findings if file.checked == file.edits else ())

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list('"(%; :'))
    )
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        known = server.help_with(params.text_document)
        return known.completions(params.position) if known else []

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        known = server.help_with(params.text_document)
        return known.lenses() if known else []


def _names(server: EvalmarkServer) -> None:
    def places(
        document: types.TextDocumentIdentifier, position: types.Position
    ) -> list[tuple[bool, types.Range]]:
        known = server.help_with(document)
        found = known.mentions(position) if known else []
        return [(mention.is_definition, place) for mention, place in found]

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        uri = params.text_document.uri
        return [
            types.Location(uri, place)
            for is_first, place in places(params.text_document, params.position)
            if is_first
        ]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def all_references(params: types.ReferenceParams) -> list[types.Location]:
        uri, every = params.text_document.uri, params.context.include_declaration
        return [
            types.Location(uri, p)
            for is_first, p in places(params.text_document, params.position)
            if every or not is_first
        ]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        every = places(params.text_document, params.position)
        return next((place for _, place in every if is_in(params.position, place)), None)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        known = server.help_with(params.text_document)
        if known is None:
            return None
        try:
            edits = known.renamed(params.position, params.new_name)
        except UsageError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return types.WorkspaceEdit(changes={params.text_document.uri: edits})


def run() -> None:
    """Serve an editor over standard input and output until it ends the session."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = new_server()
    out, sys.stdout = sys.stdout, sys.stderr  # the editor reads nothing but messages
    try:
        server.start_io(stdout=out.buffer)
    finally:
        server.checks.shutdown(wait=False, cancel_futures=True)
