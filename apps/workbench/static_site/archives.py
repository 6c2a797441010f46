"""Archives of a site: the same files give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

#: The time of every file, so that the same files make the same archive.
_TIME = (1980, 1, 1, 0, 0, 0)


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of names and contents."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
