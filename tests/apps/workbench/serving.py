"""A served folder and its page in Chromium."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from typing import ClassVar

from conftest import FIXTURES

PASTED = ["clipboard-read", "clipboard-write"]
SUITE = FIXTURES / "good/suite.json"


@contextmanager
def served(folder, *options, end=subprocess.Popen.terminate):
    """The address of the page of a folder, which a process of its own serves."""
    command = [sys.executable, "-m", "evalmark", "serve", str(folder), "--no-browser", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)))
            yield found.group()
        finally:
            end(process)


class Page:
    """What tests do with the page of a suite."""

    def __init__(self, page, address):
        self.page = page
        self.base = address.partition("?")[0]
        page.goto(address)
        page.wait_for_selector("h1")

    def go(self, place, ready):
        """Show a place and wait for it; what was shown before has gone by then."""
        address = f"{self.base}#/{place}"
        if self.page.url != address:
            before = self.page.query_selector("#main > *")
            self.page.goto(address)
            if before:
                before.wait_for_element_state("hidden")
        self.page.wait_for_selector(ready)

    def open(self, path):
        self.go(f"file/{path}", ".grid .cell.active")
        self.checked()
        self.page.locator(".cell.active").focus()

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text, *keys):
        """Write a text, and press keys after it."""
        self.page.keyboard.type(text)
        self.keys(*keys)

    def saved(self, said="saved"):
        """Wait until the page says that a file is saved."""
        self.page.wait_for_function(
            "said => document.querySelector('#live').textContent.startsWith(said)", arg=said
        )

    def checked(self):
        """Wait until the findings are those of the suite as it is now."""
        self.page.wait_for_function(
            "() => { const p = document.querySelector('#main').suitePage;"
            " return p && p.findings.checkedVersion === p.session.version; }"
        )

    def shows(self, selector, text):
        """Wait until the elements together have a text: it may come with a later answer."""
        self.page.wait_for_function(
            "([selector, text]) => text ==="
            " [...document.querySelectorAll(selector)].map((one) => one.textContent).join('')",
            arg=[selector, text],
        )

    def cell(self, row, column):
        """A cell by its place: row 1 is the first sentence, column 1 the first region."""
        return self.page.locator(
            f'.grid [aria-rowindex="{row + 1}"] [aria-colindex="{column + 2}"]'
        )

    @property
    def data(self):
        """The suite as the page has it."""
        return self.page.evaluate("() => document.querySelector('#main').suitePage.session.data")

    def texts(self, item=0):
        """The texts of an item: a list for each condition."""
        return texts(self.data, item)

    @property
    def said(self):
        return self.page.locator("#live").text_content()

    def paste(self, text):
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.keys("Control+v")


def texts(data, item=0):
    """The texts of an item of a suite: a list for each condition."""
    conditions = data["items"][item]["conditions"]
    return [[region["content"] for region in condition["regions"]] for condition in conditions]


def text_checked(page):
    """Wait until the findings are those of the text as it is now."""
    page.page.wait_for_function(
        "() => { const { textPage: p } = document.querySelector('#main');"
        " return p?.checked && p.element.dataset.checked === String(p.text.length); }"
    )


def pictured(page, name):
    """A picture to look at, if a folder for it is given."""
    if folder := os.environ.get("EVALMARK_PICTURES"):
        page.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@contextmanager
def suite_page(browser, address, *, width=1280, **options):
    """A page; whatever the browser complains about fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, permissions=PASTED, **options
    )
    try:
        page = context.new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        yield Page(page, address)
        complaints = [text for text in said if "409" not in text and "404" not in text]
        assert not complaints, complaints
    finally:
        context.close()


class Mouse:
    """Clicks; only texts are typed."""

    options: ClassVar = {}

    def __init__(self, page):
        self.page, self.root = page, page.page

    def reach(self, locator):
        """Bring the focus to an element, as a person does."""
        locator.click()

    def press(self, locator):
        """Do what a button does."""
        self.reach(locator)

    def choose(self, locator, value):
        """Choose an option."""
        locator.select_option(value)

    def write(self, row, texts):
        """Write the texts of a sentence."""
        for column, text in enumerate(texts, 1):
            self.edit(self.page.cell(row, column))
            self.page.type(text)

    def edit(self, cell):
        cell.dblclick()


class Touch(Mouse):
    """Taps: the second one on a cell edits it."""

    options: ClassVar = {"has_touch": True, "is_mobile": True}

    def reach(self, locator):
        locator.tap()

    def edit(self, cell):
        cell.tap()
        cell.tap()


class Keyboard(Mouse):
    """Tab, arrows and Enter."""

    def reach(self, locator):
        for _ in range(60):
            if locator.evaluate("e => e.contains(document.activeElement)"):
                return
            self.page.keys("Tab")
        raise AssertionError(f"Tab does not reach {locator}")

    def press(self, locator):
        self.reach(locator)
        self.page.keys("Enter")

    def choose(self, locator, value):
        self.reach(locator)
        for _ in range(20):
            if locator.input_value() == value:
                return
            self.page.keys("ArrowDown")
        raise AssertionError(f"the arrows do not reach {value}")

    def write(self, row, texts):
        for at, text in enumerate(texts, 1):
            self.page.type(text, "Enter" if at == len(texts) else "Tab")
