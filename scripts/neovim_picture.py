"""Draw docs/images/neovim.svg: what Neovim shows of a finding.

``python -m scripts.neovim_picture``; needs Neovim 0.7 or newer on Linux.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from scripts.pictures import ROOT, STYLES, terminal_svg

FILE = "fixtures/bad/SG204_unknown_condition.json"
COLUMNS, LINES = 110, 18
#: Color as Neovim asks for it -> its SGR code in the pictures of terminals.
_CODES = {
    "38;2;" + ";".join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5)): code
    for code, style in STYLES.items()
    for color in re.findall("#[0-9a-f]{6}", style)
}
_TOKEN = re.compile(
    r"\x1b\[([?>=!]?)([\d;:]*) ?([@-~])|\x1b\].*?(?:\x07|\x1b\\\\)|\x1b[()].|\x1b.|(.)", re.DOTALL
)


def drawn(suite: Path, folder: Path) -> str:
    """All that Neovim writes to a terminal until it leaves the screen."""
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "EVALMARK": str(Path(sys.executable).with_name("evalmark")),
        "CONFIGURATION": str(ROOT / "editors/neovim/evalmark.lua"),
        "SUITE": suite.name,
        "XDG_STATE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    ours, theirs = pty.openpty()
    size = ["stty", "rows", str(LINES), "cols", str(COLUMNS)]
    subprocess.run(size, stdin=theirs, check=True)
    script = f"luafile {ROOT / 'scripts/neovim_picture.lua'}"
    command = ["nvim", "-u", "NONE", "-i", "NONE", "-n", "-c", script]
    process = subprocess.Popen(
        command, cwd=suite.parent, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    content = b""
    try:
        while part := os.read(ours, 65536):
            content += part
    except OSError:  # the end, on Linux
        pass
    assert process.wait(10) == 0
    return content.decode().partition("\x1b[?1049l")[0]


class Screen:
    """The cells of a terminal, as far as Neovim's sequences need one: text, cursor, colors."""

    def __init__(self) -> None:
        self.rows = [[(" ", "")] * COLUMNS for _ in range(LINES)]
        self.row = self.column = 0
        self.codes: tuple[str, ...] = ()

    def write(self, text: str) -> None:
        """Draw what a program writes."""
        for private, numbers, command, letter in _TOKEN.findall(text):
            if command and not private:
                self._do(command, numbers)
            elif letter == "\r":
                self.column = 0
            elif letter == "\n":
                self.row = min(self.row + 1, LINES - 1)
            elif letter == "\b":
                self.column -= 1
            elif letter >= " ":
                self._put(letter, 1)

    def _put(self, letter: str, count: int) -> None:
        end = min(self.column + count, COLUMNS)
        self.rows[self.row][self.column : end] = [(letter, ";".join(self.codes))] * (
            end - self.column
        )
        self.column = end

    def _do(self, command: str, numbers: str) -> None:
        first, *others = [int(n) if n.isdecimal() else 0 for n in numbers.split(";")]
        place = self.row, self.column
        if command == "H":
            self.row, self.column = max(first, 1) - 1, max(*others, 1, 1) - 1
        elif command in "AB":
            self.row += max(first, 1) * (1 if command == "B" else -1)
        elif command in "CD":
            self.column += max(first, 1) * (1 if command == "C" else -1)
        elif command in "KX":
            self._put(" ", first if command == "X" else COLUMNS)
            self.row, self.column = place
        elif command == "J":
            kept = 0 if first == 2 else self.row  # Neovim erases from the first column on
            self.rows[kept:] = [[(" ", "")] * COLUMNS for _ in range(kept, LINES)]
        elif command == "m":
            self._paint(numbers)

    def _paint(self, numbers: str) -> None:
        if numbers.startswith("38;2;"):  # a color that is not in the table is that of the text
            colors = [_CODES[numbers]] if numbers in _CODES else []
            self.codes = (*(code for code in self.codes if code == "4"), *colors)
        elif numbers == "0;4":
            self.codes = ("4",)
        elif numbers in ("", "0"):
            self.codes = ()

    def __str__(self) -> str:
        lines = []
        for row in self.rows:
            spans = groupby(row, key=lambda cell: cell[1])
            parts = (
                (f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
                for codes, cells in spans
                for text in ["".join(letter for letter, _ in cells)]
            )
            lines.append("".join(parts).rstrip())
        return "\n".join(lines)


def main() -> int:
    screen = Screen()
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "agreement.json"
        shutil.copy(ROOT / FILE, suite)
        screen.write(drawn(suite, Path(folder)))
    picture = terminal_svg(str(screen), "A finding in Neovim")
    (ROOT / "docs/images/neovim.svg").write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
