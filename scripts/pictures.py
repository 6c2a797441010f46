"""Draw docs/images/finding.svg: what a terminal shows of ``evalmark check``.

``python -m scripts.pictures``
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = "SG204_unknown_condition.json"
#: Pixels of a character and of a line at 14 pixels of a monospaced font.
WIDTH, HEIGHT = 8.43, 20
#: SGR code -> attributes of a text span.
STYLES = {
    "1": 'font-weight="bold"',
    "2": 'opacity="0.7"',
    "4": 'text-decoration="underline"',
    "31": 'fill="#ff7b72"',
    "32": 'fill="#7ee787"',
    "33": 'fill="#e3b341"',
    "34": 'fill="#79c0ff"',
    "36": 'fill="#56d4dd"',
}


def terminal_svg(text: str, title: str) -> str:
    """Text with SGR codes as a picture of a terminal."""
    lines = text.rstrip("\n").split("\n")
    columns = max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines)
    width, height = round(columns * WIDTH) + 40, len(lines) * HEIGHT + 30
    style: list[str] = []
    rows = []
    for number, line in enumerate(lines, 1):
        spans = []
        for part in re.split(r"(\x1b\[[\d;]*m)", line):
            if code := re.fullmatch(r"\x1b\[([\d;]*)m", part):
                codes = code[1].split(";")
                style = (
                    [] if codes in ([""], ["0"]) else [*style, *(STYLES.get(c, "") for c in codes)]
                )
            elif part:
                shown = " ".join(dict.fromkeys(filter(None, style)))
                # Viewers collapse spaces, xml:space or not; no-break spaces stay.
                words = escape(part).replace(" ", "\xa0")
                spans.append(f"<tspan {shown}>{words}</tspan>" if shown else words)
        rows.append(f'<text x="20" y="{number * HEIGHT + 10}">{"".join(spans)}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label="{escape(title)}" '
            'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
            'font-size="14" fill="#e6edf3">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
            *rows,
            "</svg>\n",
        ]
    )


def main() -> int:
    done = subprocess.run(
        [sys.executable, "-m", "evalmark", "check", "--format", "full", FILE],
        cwd=ROOT / "fixtures/bad",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"},
    )
    assert done.returncode == 1, done.stderr
    text = f"$ evalmark check {FILE}\n{done.stdout}"
    path = ROOT / "docs/images/finding.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text(terminal_svg(text, "evalmark check explains an unknown condition"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
