"""An editor as the tests of the language server have one: a client of pytest-lsp, in few words."""

import asyncio
import sys
from pathlib import Path

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

CONFIG = ClientServerConfig(server_command=[sys.executable, "-m", "evalmark", "lsp"])
#: An editor that asks for diagnostics, and one that is sent them.
NEOVIM = client_capabilities("neovim@v0.11")
VSCODE = client_capabilities("visual_studio_code@v1.65")


async def begin(client: LanguageClient, capabilities: types.ClientCapabilities) -> set[str]:
    """Begin a session; the server may ask for changes of settings. What it says that it has."""

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams) -> None:
        pass

    params = types.InitializeParams(capabilities=capabilities)
    answer = (await client.initialize_session(params)).capabilities
    names = (name.removesuffix("_provider") for name in dir(answer) if name.endswith("_provider"))
    return {name for name in names if getattr(answer, f"{name}_provider")}


class Editor:
    """The files that are open in an editor, and what it is told about them."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.versions: dict[str, int] = {}
        self.reports: list[types.PublishDiagnosticsParams] = []
        self.came = asyncio.Event()
        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = self._take

    def _take(self, report: types.PublishDiagnosticsParams) -> None:
        self.reports.append(report)
        self.came.set()

    def id(self, path: Path | str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(Path(path).as_uri())

    async def open(self, path: Path, text: str | None = None, language: str = "json"):
        self.put(path, path.read_text(encoding="utf-8") if text is None else text, language)
        return await self.told(path)

    def put(self, path: Path, text: str, language: str = "json") -> None:
        """Open a file, or replace its text."""
        uri = path.as_uri()
        if uri in self.versions:
            self.edit(path, text)
            return
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, uri: str) -> None:
        identifier = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def close_all(self) -> None:
        for uri in self.versions:
            self.close(uri)

    def edit(self, path: Path, *changes: tuple[int, int, int, int, str] | str) -> None:
        """Replace ranges, one after the other, or the whole text."""
        uri = path.as_uri()
        self.versions[uri] += 1
        made: list[types.TextDocumentContentChangeEvent] = []
        for change in changes:
            if isinstance(change, str):
                made.append(types.TextDocumentContentChangeWholeDocument(change))
            else:
                start, end = types.Position(*change[:2]), types.Position(*change[2:4])
                place = types.Range(start, end)
                made.append(types.TextDocumentContentChangePartial(place, change[4]))
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        params = types.DidChangeTextDocumentParams(document, made)
        self.client.text_document_did_change(params)

    async def told(self, path: Path) -> list[types.Diagnostic]:
        """The diagnostics of the newest text, which the server sends."""
        uri = path.as_uri()
        while True:
            for number, report in enumerate(self.reports):
                if (report.uri, report.version) == (uri, self.versions[uri]):
                    del self.reports[: number + 1]
                    return list(report.diagnostics)
            self.came.clear()
            await asyncio.wait_for(self.came.wait(), 60)

    async def retold(self, path: Path, *changes) -> list[types.Diagnostic]:
        """The diagnostics after an edit."""
        self.edit(path, *changes)
        return await self.told(path)

    async def actions(self, path: Path, place: types.Range, *only: str):
        context = types.CodeActionContext([], only=only or None)
        params = types.CodeActionParams(self.id(path), place, context)
        return list(await self.client.text_document_code_action_async(params) or [])

    def at(self, path: Path, line: int, character: int) -> dict[str, object]:
        return {"text_document": self.id(path), "position": types.Position(line, character)}


def applied(text: str, edits) -> str:
    """A text after edits, as an editor that counts UTF-16 applies them."""
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        units = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        before = sum(len(line) + 1 for line in lines[: position.line])
        return before + len(units.decode("utf-16-le"))

    changes = [(offset(e.range.start), offset(e.range.end), e.new_text) for e in edits]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def place_of(text: str, part: str, into: int = 0) -> tuple[int, int]:
    """The line and the character of a part of a text of ASCII, or of a character inside it."""
    at = text.index(part) + into
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
