"""Check the types of the workbench's page: JavaScript with JSDoc, by TypeScript's strict checker.

``python -m scripts.page_types``. Without node and TypeScript nothing is checked, and it says so.
``make lint`` installs TypeScript where npm and a network are at hand; ``EVALMARK_TSC`` names
another ``tsc`` that is not on the path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "workbench" / "page"


def main() -> int:
    tsc = os.environ.get("EVALMARK_TSC") or shutil.which("tsc")
    if tsc is None or shutil.which("node") is None:
        print("types of workbench/page NOT CHECKED: no node, or no tsc and no npm")
        return 0
    done = subprocess.run([tsc, "--project", PAGE, "--pretty", "false"], check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
