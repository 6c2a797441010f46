"""The routes of files: opening, checking, fixing, converting, saving. None needs a server.

``evalmark serve`` answers them, and so does the Python in the browser of ``evalmark site``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evalmark.workbench import file_opening, file_saving, formula_hints, page_check
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.request_values import RequestValues


def _folder(browser: Browser, _: RequestValues) -> Any:
    return browser.listing()


def _file(browser: Browser, asked: RequestValues) -> Any:
    choices = {name: asked.text(name) for name in ("metric", "uid") if name in asked}
    return open_file(browser.folder, asked.text("path"), choices).answer()


def _name(browser: Browser, asked: RequestValues) -> str:
    """What data is called: the file that it is of, if it is one of the folder."""
    if "path" not in asked:
        return page_check.UNNAMED
    name: str = asked.text("path")
    browser.folder.path(name)
    return name


def _check(browser: Browser, asked: RequestValues) -> Any:
    return page_check.check(asked.any("data"), _name(browser, asked), browser.folder.root)


def _fix(browser: Browser, asked: RequestValues) -> Any:
    name = _name(browser, asked)
    return page_check.fix(asked.any("data"), asked.text("id"), name, browser.folder.root)


def _formula(_: Browser, asked: RequestValues) -> Any:
    names = {str(key): str(name) for key, name in asked.object("names", {}).items()}
    regions = min(max(asked.number("regions"), 0), 1000)
    return formula_hints.look_at(asked.text("formula"), asked.texts("conditions"), regions, names)


def _convert(_: Browser, asked: RequestValues) -> Any:
    choices = {name: asked.text(name) for name in ("metric", "uid") if name in asked}
    return file_opening.convert(asked.text("text"), asked.text("name", ""), choices)


def _save(browser: Browser, asked: RequestValues) -> Any:
    return file_saving.save(
        browser.folder,
        asked.text("path"),
        asked.any("data"),
        asked.text("digest", None),
        syntax=asked.text("format", None),
        force=asked.flag("force"),
        export=asked.flag("export"),
        convert=asked.flag("convert"),
    )


def _check_text(browser: Browser, asked: RequestValues) -> Any:
    return page_check.check_text(asked.text("text"), _name(browser, asked), browser.folder.root)


def _fix_text(browser: Browser, asked: RequestValues) -> Any:
    name = _name(browser, asked)
    return page_check.fix_text(asked.text("text"), asked.text("id"), name, browser.folder.root)


def _convert_text(browser: Browser, asked: RequestValues) -> Any:
    return file_opening.convert_text(asked.text("text"), _name(browser, asked))


def _save_text(browser: Browser, asked: RequestValues) -> Any:
    digest, force = asked.text("digest", None), asked.flag("force")
    path, text = asked.text("path"), asked.text("text")
    return file_saving.save_text(browser.folder, path, text, digest, force=force)


#: Method and path -> what answers.
FILE_ROUTES: dict[tuple[str, str], Callable[[Browser, RequestValues], Any]] = {
    ("GET", "/api/folder"): _folder,
    ("GET", "/api/file"): _file,
    ("POST", "/api/check"): _check,
    ("POST", "/api/fix"): _fix,
    ("POST", "/api/formula"): _formula,
    ("POST", "/api/convert"): _convert,
    ("POST", "/api/save"): _save,
    ("POST", "/api/text/check"): _check_text,
    ("POST", "/api/text/fix"): _fix_text,
    ("POST", "/api/text/convert"): _convert_text,
    ("POST", "/api/text/save"): _save_text,
}
