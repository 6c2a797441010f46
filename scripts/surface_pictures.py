"""Photograph each surface in light and dark, for docs/index.md.

``python -m scripts.surface_pictures`` shows a suite, a report of a run and a published site, of
bundled files. It needs Chromium, and Pillow, which reduces the colors.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from scripts.workbench_pictures import IMAGES, ROOT, SUITES, prepare, served, show

WIDTH, HEIGHT, COLORS = 960, 600, 96
RESULTS = [ROOT / f"fixtures/results/{name}.out/data" for name in ("lm_eval", "mteb", "helm")]


def run(*arguments: str | Path) -> None:
    """A command of evalmark; its output is shown if it fails."""
    command = [sys.executable, "-m", "evalmark", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def pages(folder: Path) -> dict[str, str]:
    """The addresses of pages that need no server, by the names of their pictures."""
    suites = sorted(SUITES.glob("*.json"))
    run("score", *suites, "--model", "demo", "--out", folder / "run", "--quiet")
    run("report", folder / "run", "--out", folder / "report.html")
    run("store", "add", folder / "board", *RESULTS)
    run("store", "publish", folder / "board", "-o", folder / "site", "--title", "Colours and sums")
    return {
        "surface-report": (folder / "report.html").as_uri(),
        "surface-site": (folder / "site/index.html").as_uri(),
    }


def save(page: Any, path: Path) -> None:
    """A picture of what the page shows, with few colors."""
    from PIL import Image

    page.screenshot(path=path)
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


def main() -> None:
    """Write the pictures to docs/images."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        suites = Path(place, "suites")
        suites.mkdir()
        prepare(suites)
        static = pages(Path(place))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with served(str(suites)) as address:
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme
                )
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector("h1")
                show(page, address.partition("?")[0], "suite")
                save(page, IMAGES / f"surface-suite-{scheme}.png")
                for name, url in static.items():
                    page.goto(url)
                    page.wait_for_selector("h1")
                    save(page, IMAGES / f"{name}-{scheme}.png")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
