"""The routes of files: opening, checking, fixing, converting, saving. None needs a server.

``evalmark serve`` answers them, and so does the Python in the browser of ``evalmark site``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evalmark.workbench import file_opening, file_saving, formula_hints, page_check, pasted_text
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.request_values import RequestValues


def _folder(browser: Browser, _: RequestValues) -> Any:
    return browser.listing()


def _file(browser: Browser, request: RequestValues) -> Any:
    choices = {name: request.text(name) for name in ("metric", "uid") if name in request}
    return open_file(browser.folder, request.text("path"), choices).answer()


def _name(browser: Browser, request: RequestValues) -> str:
    """The name of data: the file that it is of, if it is one of the folder."""
    if "path" not in request:
        return page_check.UNNAMED
    name: str = request.text("path")
    browser.folder.path(name)
    return name


def _check(browser: Browser, request: RequestValues) -> Any:
    return page_check.check(request.any("data"), _name(browser, request), browser.folder.root)


def _fix(browser: Browser, request: RequestValues) -> Any:
    name = _name(browser, request)
    return page_check.fix(request.any("data"), request.text("id"), name, browser.folder.root)


def _formula(_: Browser, request: RequestValues) -> Any:
    names = {str(key): str(name) for key, name in request.object("names", {}).items()}
    regions = min(max(request.number("regions"), 0), 1000)
    return formula_hints.look_at(
        request.text("formula"), request.texts("conditions"), regions, names
    )


def _convert(_: Browser, request: RequestValues) -> Any:
    name = request.text("name", "")
    if "content" in request:
        return pasted_text.convert_spreadsheet(pasted_text.bytes_of(request.text("content")), name)
    choices = {name: request.text(name) for name in ("metric", "uid") if name in request}
    return pasted_text.convert(request.text("text"), name, choices)


def _table(_: Browser, request: RequestValues) -> Any:
    if "content" in request:
        raw = pasted_text.bytes_of(request.text("content"))
    else:
        raw = request.text("text").encode("utf-8", "surrogatepass")
    return pasted_text.table_answer(
        raw,
        request.text("name", ""),
        header=request.flag("header") if "header" in request else None,
        roles=request.object("roles", {}),
        split=request.text("split", ""),
    )


def _save(browser: Browser, request: RequestValues) -> Any:
    return file_saving.save(
        browser.folder,
        request.text("path"),
        request.any("data"),
        request.text("digest", None),
        syntax=request.text("format", None),
        force=request.flag("force"),
        export=request.flag("export"),
        convert=request.flag("convert"),
    )


def _check_text(browser: Browser, request: RequestValues) -> Any:
    return page_check.check_text(request.text("text"), _name(browser, request), browser.folder.root)


def _fix_text(browser: Browser, request: RequestValues) -> Any:
    name = _name(browser, request)
    return page_check.fix_text(request.text("text"), request.text("id"), name, browser.folder.root)


def _convert_text(browser: Browser, request: RequestValues) -> Any:
    return file_opening.convert_text(request.text("text"), _name(browser, request))


def _save_text(browser: Browser, request: RequestValues) -> Any:
    digest, force = request.text("digest", None), request.flag("force")
    path, text = request.text("path"), request.text("text")
    return file_saving.save_text(browser.folder, path, text, digest, force=force)


#: Method and path -> what answers.
FILE_ROUTES: dict[tuple[str, str], Callable[[Browser, RequestValues], Any]] = {
    ("GET", "/api/folder"): _folder,
    ("GET", "/api/file"): _file,
    ("POST", "/api/check"): _check,
    ("POST", "/api/fix"): _fix,
    ("POST", "/api/formula"): _formula,
    ("POST", "/api/convert"): _convert,
    ("POST", "/api/table"): _table,
    ("POST", "/api/save"): _save,
    ("POST", "/api/text/check"): _check_text,
    ("POST", "/api/text/fix"): _fix_text,
    ("POST", "/api/text/convert"): _convert_text,
    ("POST", "/api/text/save"): _save_text,
}
