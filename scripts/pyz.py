"""evalmark as one file: ``python -m scripts.pyz [FILE]`` (``make pyz``).

It has what check, convert and the hook need, for any Python from 3.11 on: plain Python only. The
same packages give the same bytes.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from evalmark.workbench.static_site.archives import zip_of
from evalmark.workbench.static_site.site_build import LIBRARIES, ROOMS, python_files

HERE = Path(__file__).parent
TARGET = HERE.parent / "build/evalmark.pyz"
COMMANDS = ("cli", "scoring", "leaderboard")
#: What writes Excel workbooks.
WORKBOOKS = ("openpyxl", "et-xmlfile")
#: For the command line, and for what `referencing` needs before Python 3.13.
TYPING = ("typer", "annotated-doc", "shellingham", "typing-extensions")
#: Read by any Python, so that an old one says what is wrong in a line.
MAIN = b"""\
import sys
if sys.version_info < (3, 11):
    sys.stderr.write("evalmark needs Python 3.11 or later; this is %d.%d\\n" % sys.version_info[:2])
    sys.exit(2)
import pyz_main
sys.exit(pyz_main.main())
"""


def contents() -> bytes:
    """The archive, whose name for the folder of its modules comes from their content."""
    rooms = [*ROOMS, *COMMANDS]
    modules = dict(python_files(rooms, [*LIBRARIES, *WORKBOOKS, *TYPING]))
    digest = hashlib.sha256(zip_of(modules)).hexdigest()[:16]
    return zip_of(modules | {
        "__main__.py": MAIN, "pyz_main.py": (HERE / "pyz_main.py").read_bytes(),
        "digest": digest.encode(),
    })  # fmt: skip


def main() -> None:
    target = Path(sys.argv[1]) if sys.argv[1:] else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(contents())
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
