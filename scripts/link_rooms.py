"""Link the rooms under the names they are installed as, for type checkers.

``python scripts/link_rooms.py FOLDER``: mypy ignores ``package-dir``, which installs ``validator/``
as ``evalmark.validator``, so FOLDER gets a link for each room (``make lint`` uses
``.venv/typings``).
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def link_rooms(folder: Path) -> None:
    """Create missing links: one for each room, and one for each file of library/."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = dict(project["tool"]["setuptools"]["package-dir"])
    package = folder / "evalmark"
    package.mkdir(parents=True, exist_ok=True)
    targets = {path.name: path for path in (ROOT / rooms.pop("evalmark")).glob("*.py*")}
    targets |= {name.partition(".")[2]: ROOT / home for name, home in rooms.items()}
    for name, target in targets.items():
        if not (package / name).exists():
            (package / name).symlink_to(target)


if __name__ == "__main__":
    link_rooms(Path(sys.argv[1]))
