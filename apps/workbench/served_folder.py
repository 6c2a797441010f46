"""The folder that is served: no name of a page leads out of it."""

from __future__ import annotations

import os
from pathlib import Path

from evalmark.schemas.errors import RequestRefused
from evalmark.validator.io.paths import is_plain_name, leads_out, without_links

#: Bytes of a request, and so of what a page can save.
LARGEST = 16 << 20
#: The name by which pages ask for the folder itself.
HERE = "."
_LEADS_OUT = "leads out of the folder that is served"


class ServedFolder:
    """A folder whose files are named by paths relative to it, with ``/``."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = without_links(Path(root))  # the folder, without links

    def path(self, name: object) -> Path:
        """The path of a file or folder that a page names, whether it exists or not.

        Raises:
            RequestRefused: It is not a relative path, it leads out of the folder, or it is hidden.
        """
        if not isinstance(name, str) or not name:
            raise RequestRefused("a path is missing")
        parts = name.split("/")
        if len(name) > 4096 or not all(map(is_plain_name, parts)):
            raise RequestRefused(f"{name[:200]!r} is not a path below the folder that is served")
        if any(part.startswith(".") for part in parts):
            raise RequestRefused(f"{name!r} is hidden: hidden files and folders are not served")
        path = self.root.joinpath(*parts)
        if leads_out(str(path), str(self.root)):
            raise RequestRefused(f"{name!r} {_LEADS_OUT}")
        return path

    def whole(self, name: object) -> Path:
        """The path of a folder whose files are used together, such as that of a run.

        Raises:
            RequestRefused: See ``path``; a file directly in it leads out as well.
        """
        place = self.root if name == HERE else self.path(name)
        try:
            with os.scandir(place) as entries:
                links = [entry for entry in entries if entry.is_symlink() and entry.name[0] != "."]
        except OSError:
            return place  # whoever opens its files says why
        for link in links:
            if leads_out(link.path, str(self.root)):
                raise RequestRefused(f"{self.name(Path(link.path))!r} {_LEADS_OUT}")
        return place

    def relative(self, message: str) -> str:
        """A message in which paths are relative to the folder."""
        root = str(self.root)
        message = message.replace(f"{root}{os.sep}", "")
        for levels, above in enumerate(self.root.parents, 1):  # settings may be further up
            if message.startswith(prefix := f"{str(above).rstrip(os.sep)}{os.sep}"):
                return "../" * levels + message.removeprefix(prefix)
        return message.replace(root, HERE)

    def name(self, path: Path) -> str:
        """The name of a path in the folder, as pages show it."""
        return path.relative_to(self.root).as_posix()
