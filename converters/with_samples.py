"""A record and its samples, converted together: each names the other."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from evalmark.converters.convert import Converted, convert_text
from evalmark.converters.step import Facts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.datastore.companions import Companion, companion
from evalmark.validator.reading.rewrite import rewrite
from evalmark.validator.reading.strict_json import parse


class Samples(NamedTuple):
    """A sample file before and after.

    Attributes:
        path: Where it lies.
        old: Its text.
        converted: Its new text.
        name: The name that the record has for it now.
    """

    path: str
    old: str
    converted: Converted
    name: str


class Pair(NamedTuple):
    """A record and its samples after a conversion."""

    record: Converted
    samples: Samples


def convert_pair(text: str, path: str, *, to: str | None, facts: Facts) -> Pair | None:
    """A record with the samples it names, both in the version that is wanted.

    The checksum of the samples is that of the new file, and rows keep their order and number.

    Returns:
        None if the record names no samples that can be found.

    Raises:
        ConversionError: One of them cannot be converted, or the samples must not be opened.
    """
    record = parse(text)
    found = companion(record, path)
    if found is not None and found.is_refused and found.problem is not None:
        raise ConversionError(found.problem.message, "".join(found.problem.helps))
    if found is None or not found.path:
        return None
    converted = convert_text(text, path=path, to=to, facts=facts)
    version = converted.form.partition("-")[2]
    old = _text(found)
    if version in ("0.0.1", "0.1.0"):
        raise ConversionError(f"samples have no form that goes with records of {version}")
    rows = convert_text(old, path=found.path, to=f"sample-{version}", facts=facts)
    data = parse(converted.text)
    link = data["detailed_evaluation_results"]
    if "checksum" in link:
        digest = hashlib.new(link.get("hash_algorithm") or "sha256", usedforsecurity=False)
        digest.update(rows.text.encode("utf-8"))
        link["checksum"] = digest.hexdigest()
    new = rewrite(converted.text, data)
    name = link["file_path"].rpartition("/")[2]
    return Pair(converted._replace(text=new), Samples(found.path, old, rows, name))


def _text(samples: Companion) -> str:
    try:
        with samples.open() as file:
            return file.read().decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConversionError(f"the samples cannot be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise ConversionError("the samples are not UTF-8 text") from error
