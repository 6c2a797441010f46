"""Members of a zip file: stored, deflated, or compressed with zstd, one in memory at a time."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, NoReturn

from evalmark.schemas.errors import ConversionError
from evalmark.schemas.package import requirement
from evalmark.validator.io.opening import MAX_SIZE, open_regular, read_member, why_too_compressed

#: Number of zstd in zip files; ``zipfile`` reads it from Python 3.14 on.
_ZSTD = 93
#: The start of a member: its signature, and at the end the lengths of its name and extras.
_HEADER = struct.Struct("<4s22xHH")
_PIECE = 1 << 20
#: The command that writes a log without compression.
_AS_JSON = "inspect log convert LOG --to json --output-dir FOLDER"


class Archive:
    """An open zip file.

    ``cure`` is what to do if it holds far more than its size.
    """

    def __init__(
        self, file: BinaryIO, name: str, cure: str = f"if you trust it: {_AS_JSON}"
    ) -> None:
        self._file = file
        self._name = name
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise ConversionError(f"{name}: damaged zip file: {error}") from error
        # A log that is written to again has a second, newer header.
        self._infos = {info.filename: info for info in self._zip.infolist()}
        size = sum(info.file_size for info in self._infos.values())
        if why := why_too_compressed(file.seek(0, os.SEEK_END), size):
            raise ConversionError(f"{name}: {why}", cure)
        # in their order; of those with the same name, the last one counts
        self.names = tuple(self._infos)

    def size(self, member: str) -> int:
        """The bytes that a member states; 0 if it is not there."""
        info = self._infos.get(member)
        return info.file_size if info else 0

    def read(self, member: str) -> bytes:
        """The bytes of a member; ConversionError if it is missing, damaged or needs a library."""
        info = self._infos.get(member)
        if info is None:
            self._fail(f"no {member}")
        if info.file_size > MAX_SIZE:
            self._fail(f"{member} is larger than {MAX_SIZE >> 20} MiB")
        try:
            content = read_member(self._zip, info)
        except NotImplementedError:
            if info.compress_type != _ZSTD:
                self._fail(f"{member} is compressed in a way that is not known")
            content = self._unpack(info)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            RuntimeError,
            ValueError,
        ) as error:
            self._fail(f"{member} is damaged: {error}")
        if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
            self._fail(f"{member} is damaged: its content has another length or checksum")
        return content

    def _unpack(self, info: zipfile.ZipInfo) -> bytes:
        if find_spec("pyarrow") is None:
            raise ConversionError(
                f"{self._name}: {info.filename} is compressed with zstd, and pyarrow is not "
                "installed",
                f"pip install '{requirement('parquet')}', or let Inspect write the log as JSON: "
                f"{_AS_JSON}",
            )
        import pyarrow as pa

        try:
            self._file.seek(info.header_offset)
            _, name, extra = _HEADER.unpack(self._file.read(_HEADER.size))
            self._file.seek(name + extra, 1)
            packed = pa.BufferReader(self._file.read(info.compress_size))
            pieces, size = [], 0
            with pa.CompressedInputStream(packed, "zstd") as stream:
                while size <= info.file_size and (piece := stream.read(_PIECE)):
                    pieces.append(piece)
                    size += len(piece)
        except (OSError, ValueError, struct.error) as error:
            self._fail(f"{info.filename} is damaged: {error}")
        return b"".join(pieces)

    def _fail(self, message: str) -> NoReturn:
        raise ConversionError(f"{self._name}: {message}")


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open a zip file; raises ConversionError if it is damaged, or holds far more than its size."""
    with open_regular(path) as file:
        yield Archive(file, path.name)
