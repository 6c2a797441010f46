"""The routes of files: opening, checking, fixing, converting, saving. None needs a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.validator.formats.rule_registry import all_rules, rule_text
from evalmark.workbench import file_opening, file_saving, formula_hints, page_check, pasted_text
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.request_values import RequestValues


def _folder(browser: Browser, _: RequestValues) -> Any:
    """Route GET /api/folder.

    Response: `root`, its `id` (which another folder of the same name does not have), the rule
    `join` of its settings, `files`, `runs`, `records`, `problems` (`path` and `message` of what
    cannot be used), `pending`. A file has `path`, `kind`, `format`, `name`, `tags`, `items`,
    `conditions`, `regions`, `predictions`, `errors` and `warnings`, which are null for `pending`
    files: ask again
    """
    return browser.listing()


def _file(browser: Browser, request: RequestValues) -> Any:
    """Route GET /api/file.

    Request: `path`; `metric` or `uid` if the last answer `needs` it
    Response: `kind`, `format`, `digest`, `data`, `text`, `notes`, `converted`, `difference`;
    or `refused`, with `needs` and `choices`. `becomes` is the current format if the file is of
    an older one
    """
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
    """Route POST /api/check.

    Request: `data`, `path`
    Response: `findings` (`code`, `name`, `severity`, `message`, `pointer`, `start`, `end`,
    `labels`, `notes`, `suggestion`, `fix`)
    """
    return page_check.check(request.any("data"), _name(browser, request), browser.folder.root)


def _fix(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/fix.

    Request: `data`, `path`, `id`: that of a fix, `safe` or the code of a rule
    Response: `data`, `applied`
    """
    name = _name(browser, request)
    return page_check.fix(request.any("data"), request.text("id"), name, browser.folder.root)


def _formula(_: Browser, request: RequestValues) -> Any:
    """Route POST /api/formula.

    Request: `formula`, `conditions`, `regions`, `names` of regions
    Response: `error`, `words`; a mistake has the `correction` that its suggestion leads to
    """
    names = {str(key): str(name) for key, name in request.object("names", {}).items()}
    regions = min(max(request.number("regions"), 0), 1000)
    return formula_hints.look_at(
        request.text("formula"), request.texts("conditions"), regions, names
    )


def _convert(_: Browser, request: RequestValues) -> Any:
    """Route POST /api/convert.

    Request: `text` or `content` (Base64), `name`; `metric` or `uid`
    Response: `data`, `notes`; or `refused`, `needs`, `choices`; `table`, if columns
    have to be chosen
    """
    name = request.text("name", "")
    if "content" in request:
        return pasted_text.convert_spreadsheet(pasted_text.bytes_of(request.text("content")), name)
    choices = {name: request.text(name) for name in ("metric", "uid") if name in request}
    return pasted_text.convert(request.text("text"), name, choices)


def _table(_: Browser, request: RequestValues) -> Any:
    """Route POST /api/table.

    Request: `text` or `content`, `name`; `header`, `roles` (index → role)
    Response: `names`, `header`, `roles`, `rows`, `count`, `choices` (of roles); with `data`,
    `notes`, `columns`, `sentences`, or `refused`
    """
    if "content" in request:
        raw = pasted_text.bytes_of(request.text("content"))
    else:
        raw = request.text("text").encode("utf-8", "surrogatepass")
    return pasted_text.table_answer(
        raw,
        request.text("name", ""),
        header=request.flag("header") if "header" in request else None,
        roles=request.object("roles", {}),
    )


def _explain(_: Browser, request: RequestValues) -> Any:
    """Route GET /api/explain.

    Request: `rule`: the code of a rule
    Response: `explanation`: what `evalmark explain` prints
    """
    code = request.text("rule")
    rule = all_rules().get(code)
    if rule is None:
        raise RequestRefused(f"there is no rule {code!r}", status=404)
    return {"explanation": rule_text(rule)}


def _save(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/save.

    Request: `path`, `data`, `digest` (null: a new file), `force`, `convert` (write an unedited
    suite of an old format as a current one), `export` (write a table that cannot hold everything)
    Response: `digest`, `written`, `notes`; 409 with `changed`, `digest`, `data`, `difference`
    if the file is not the one that was opened
    """
    return file_saving.save(
        browser.folder,
        request.text("path"),
        request.any("data"),
        request.text("digest", None),
        force=request.flag("force"),
        export=request.flag("export"),
        convert=request.flag("convert"),
    )


def _check_text(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/text/check.

    Request: `text`, `path`
    Response: as `check`, for any file, with its `kind` and `remarks`: a finding has `line`,
    `column`, and `start` and `end` in the text
    """
    return page_check.check_text(request.text("text"), _name(browser, request), browser.folder.root)


def _fix_text(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/text/fix.

    Request: `text`, `path`, `id` as in `fix`
    Response: `text`, `applied`
    """
    name = _name(browser, request)
    return page_check.fix_text(request.text("text"), request.text("id"), name, browser.folder.root)


def _convert_text(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/text/convert.

    Request: `text`, `path`
    Response: `text`, `notes`, `format`: the current one of its kind
    """
    return file_opening.convert_text(request.text("text"), _name(browser, request))


def _save_text(browser: Browser, request: RequestValues) -> Any:
    """Route POST /api/text/save.

    Request: `path`, `text`, `digest`, `force`
    Response: as `save`
    """
    digest, force = request.text("digest", None), request.flag("force")
    path, text = request.text("path"), request.text("text")
    return file_saving.save_text(browser.folder, path, text, digest, force=force)


#: Method and path -> what answers.
FILE_ROUTES: dict[tuple[str, str], Callable[[Browser, RequestValues], Any]] = {
    ("GET", "/api/folder"): _folder,
    ("GET", "/api/file"): _file,
    ("POST", "/api/check"): _check,
    ("POST", "/api/fix"): _fix,
    ("GET", "/api/explain"): _explain,
    ("POST", "/api/formula"): _formula,
    ("POST", "/api/convert"): _convert,
    ("POST", "/api/table"): _table,
    ("POST", "/api/save"): _save,
    ("POST", "/api/text/check"): _check_text,
    ("POST", "/api/text/fix"): _fix_text,
    ("POST", "/api/text/convert"): _convert_text,
    ("POST", "/api/text/save"): _save_text,
}
