"""The page of the workbench under a stopwatch: Chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

#: The stopwatch: from now to the second frame after, which is painted.
PAINTED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
})"""
#: When the findings of what is shown came.
CHECKED = """() => new Promise((done) => {
  const look = () => {
    const page = document.getElementById("main").suitePage;
    if (page.findings.checkedVersion === page.session.version) done(performance.now());
    else setTimeout(look, 2);
  };
  look();
})"""
#: Notes the time of each key as the browser gets it, and the longest task.
WATCH = """() => {
  window.pressed = 0;
  addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration);
  }).observe({ type: "longtask" });
  new MutationObserver(() => { window.checked = performance.now(); })
    .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-version"] });
}"""


class Measured:
    """A page, and how long it takes for what a person does; all in milliseconds."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.base = address.partition("?")[0]
        page.goto(address)
        page.wait_for_selector("h1")
        page.evaluate(WATCH)

    def opened(self, name: str) -> float:
        """From the folder to the painted table of a suite."""
        self.page.evaluate("() => { location.hash = '#/'; }")
        self.page.wait_for_selector(".start")
        started = self.page.evaluate(
            "name => { location.hash = `#/file/${name}`; return performance.now(); }", name
        )
        self.page.wait_for_selector(".grid .cell.active")
        if self.page.locator("dialog").count():
            self.page.keyboard.press("Enter")
        done = self.page.evaluate(PAINTED)
        self.page.locator(".cell.active").focus()
        return float(done - started)

    def settled(self) -> None:
        """Wait for the findings."""
        self.page.evaluate(CHECKED)

    def typed(self, letter: str, *, enter: bool) -> tuple[float, float]:
        """A key in a cell: to the painted frame, and to the findings."""
        self.page.keyboard.press(letter)
        painted = self.page.evaluate(PAINTED) - self._pressed()
        self.settled()
        checked = self.page.evaluate("() => window.checked") - self._pressed()
        if enter:
            self.page.keyboard.press("Enter")
            self.settled()
        return painted, checked

    def pasted(self, rows: int, columns: int) -> float:
        """A block of cells, to the painted frame."""
        text = "\n".join("\t".join(f"p{r}x{c}" for c in range(columns)) for r in range(rows))
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("ArrowRight")
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        return self.key("Control+v")

    def key(self, key: str) -> float:
        """Any key, to the painted frame."""
        self.page.keyboard.press(key)
        return float(self.page.evaluate(PAINTED) - self._pressed())

    def longest(self, keys: int) -> float:
        """The longest task while typing a text; 50 or more, or 0 if none was as long."""
        for key in ("Escape", "Control+Home", "ArrowRight", "ArrowRight"):
            self.page.keyboard.press(key)
        self.settled()
        self.page.evaluate("() => { window.longest = 0; }")
        self.page.keyboard.type("abcdefgh" * (keys // 8), delay=60)
        self.settled()
        return float(self.page.evaluate("() => window.longest"))

    def _pressed(self) -> float:
        return cast("float", self.page.evaluate("() => window.pressed"))


class Served(NamedTuple):
    """The page of a folder, and the process that serves it."""

    address: str
    process: int

    def cpu(self) -> float:
        """Milliseconds of a core that the process has used; 0 where the system does not say."""
        try:
            fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(folder: str) -> Iterator[Served]:
    """Serve the page of a folder."""
    command = [sys.executable, "-m", "evalmark", "serve", folder, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        matches = (re.search(r"http://\S+", line) for line in process.stdout)
        yield Served(next(filter(None, matches)).group(), process.pid)
        process.terminate()


@contextmanager
def page_of(address: str) -> Iterator[Measured]:
    """The page in Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        yield Measured(context.new_page(), address)
        browser.close()
