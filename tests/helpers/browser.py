"""Pages in a real browser: the system's Chromium, driven by Playwright.

Without either, these tests are skipped and say what to install. `.ci/run` installs Chromium, and
sets `EVALMARK_BROWSER=required`: then they fail instead.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
#: Milliseconds that a page has for what a test waits for: a hang fails, a busy machine does not.
PATIENCE = 300_000


def lacking(reason):
    """Skip the test, or let it fail where a browser is required."""
    if os.environ.get("EVALMARK_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def launched() -> Iterator:
    """Chromium, or a reason why there is none."""
    if CHROMIUM is None:
        lacking("no Chromium: apt-get install chromium")
    if not find_spec("playwright"):
        lacking("Playwright is not installed: pip install playwright (it needs no browsers)")
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        # Containers often lack what the sandbox needs; the pages are our own.
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        new_context = found.new_context

        def patient(**options: Any) -> Any:
            context = new_context(**options)
            context.set_default_timeout(PATIENCE)
            return context

        found.new_context = patient
        expect.set_options(timeout=PATIENCE)
        yield found
        found.close()


def has_count(locator, count) -> None:
    """Wait until there are as many elements; a function to wait for would break our policy."""
    from playwright.sync_api import expect

    expect(locator).to_have_count(count)


def has_text(locator, text) -> None:
    """Wait until an element has a text."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text)


def violations(page, **options) -> str:
    """What axe-core says of a page that is open, without our policy; empty if nothing is wrong."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        lacking("axe-core is not installed: pip install axe-playwright-python")
    found = Axe().run(page, options={"resultTypes": ["violations"], **options})
    return found.generate_report() if found.violations_count else ""


@contextmanager
def opened(browser, path, *, width=1280, **options) -> Iterator:
    """A page. Whatever the browser complains about fails the test: scripts, the policy, loads."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    try:
        page = context.new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.append(request.url))
        page.goto(path.as_uri())
        yield page
        assert not said, said
    finally:
        context.close()
