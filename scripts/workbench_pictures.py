"""Photograph the page of the workbench for docs: ``python -m scripts.workbench_pictures``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SUITES = ROOT / "fixtures" / "suites"
#: Name in docs/images -> view, width, color scheme.
PICTURES = {
    "workbench": ("suite", 960, "light"),
    "workbench-formula": ("formula", 960, "light"),
    "workbench-text": ("text", 960, "light"),
    "workbench-phone": ("suite", 400, "dark"),
}


def prepare(folder: Path) -> None:
    """Suites, one of them with mistakes, and a record."""
    for path in SUITES.glob("*.json"):
        shutil.copy(path, folder)
    data = json.loads((SUITES / "agreement_attractor.json").read_bytes())
    regions = [condition["regions"] for condition in data["items"][0]["conditions"]]
    regions[1][2]["content"] = "laugh "
    regions[2][0]["content"] = "The  bankers"
    data["predictions"][0]["formula"] = "(3;%match_sing%) < (3;%mismatch_sin%)"
    data["predictions"].append({"type": "formula", "formula": "(3;%match_plural%) >= 3"})
    data["meta"]["name"] = "with_mistakes"
    (folder / "with_mistakes.json").write_text(json.dumps(data, indent=2))
    shutil.copy(ROOT / "fixtures" / "bad" / "EE112_several.json", folder / "record.json")


def show(page: Any, base: str, view: str) -> None:
    """Bring a view to the screen."""
    if view == "text":
        page.goto(f"{base}#/file/record.json")
        page.locator(".finding").first.click()
    else:
        name = "agreement_attractor" if view == "suite" else "with_mistakes"
        page.goto(f"{base}#/file/{name}.json")
        page.wait_for_selector(".grid .cell.active")
    page.wait_for_timeout(1000)
    page.mouse.move(0, 0)
    if view == "suite":
        page.locator(".cell.active").focus()
        for _ in range(2):
            page.keyboard.press("ArrowRight")
    if view == "formula":
        page.get_by_role("heading", name="Predictions").evaluate("e => e.scrollIntoView()")
        page.get_by_label("formula of prediction 1").focus()
        page.keyboard.press("End")
        page.keyboard.type(" & (3;%mis", delay=20)
    page.wait_for_timeout(400)


@contextmanager
def served(folder: str) -> Iterator[str]:
    command = [sys.executable, "-m", "evalmark", "serve", folder, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        matches = (re.search(r"http://\S+", line) for line in process.stdout)
        yield next(filter(None, matches)).group()
        process.terminate()


def photograph(browser: Any, address: str, view: str, width: int, scheme: str, to: Path) -> None:
    size = {"width": width, "height": 640 if width == 960 else 800}
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("h1")
    show(page, address.partition("?")[0], view)
    page.screenshot(path=to)
    context.close()


def main() -> int:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place, "suites")
        folder.mkdir()
        prepare(folder)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with served(str(folder)) as address:
            for name, (view, width, scheme) in PICTURES.items():
                photograph(browser, address, view, width, scheme, IMAGES / f"{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
