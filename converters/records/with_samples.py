"""A record and its samples, converted together: each names the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evalmark.converters.convert_document import Conversion, convert_parsed
from evalmark.converters.formats import CONVERTIBLE, CURRENT, Syntax
from evalmark.converters.proof.proof import prove
from evalmark.converters.records.downgrade import loss_of
from evalmark.converters.step import Supplied
from evalmark.converters.syntax import ParsedText, parse_text
from evalmark.converters.yaml_text import edited_yaml
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.versions import find
from evalmark.validator.formats.records.samples.check_samples import ALGORITHMS
from evalmark.validator.formats.records.samples.companions import Companion, companion
from evalmark.validator.reading.rewrite import rewrite

#: A document before the conversion, the path that it has or would have, and the new one.
ConvertedDocument = tuple[ParsedText, str, Conversion]


def convert_pair(
    parsed: ParsedText, *, to: str | None, supplied: Supplied
) -> list[ConvertedDocument] | None:
    """A record with the samples it names, both in the wanted version.

    The checksum of the samples is that of the new file, and rows keep their order and number. None
    if the record names no samples that can be found.
    """
    samples_file = companion(parsed.data, parsed.path)
    if samples_file is not None and samples_file.is_refused and samples_file.problem is not None:
        raise ConversionError(samples_file.problem.message, "".join(samples_file.problem.helps))
    if samples_file is None or not samples_file.path:
        return None
    target = to or CURRENT["record"]
    # Another syntax keeps the version of the record, and rows stay JSON lines.
    version = CONVERTIBLE[target if target in CONVERTIBLE else parsed.format or ""].version
    rows = find("sample", version.name if version else None)
    if rows is None:
        raise ConversionError(f"no format of samples belongs to {target}")
    source = parse_text(_text(samples_file), samples_file.path)
    record, samples = _convert_both(
        lambda: convert_parsed(parsed, to=to, supplied=supplied),
        lambda: _samples(source, rows.schema, supplied),
    )
    link = dict(record.data["detailed_evaluation_results"])
    if "checksum" in link:
        algorithm = link.get("hash_algorithm") or ALGORITHMS[0]
        if algorithm not in ALGORITHMS:
            raise ConversionError(f"the hash algorithm {algorithm!r} of the samples is unknown")
        digest = hashlib.new(algorithm, usedforsecurity=False)
        digest.update(samples.text.encode("utf-8"))
        link["checksum"] = digest.hexdigest()
    data = {**record.data, "detailed_evaluation_results": link}
    is_json = record.syntax is Syntax.JSON
    if is_json or data != record.data:
        proof = prove(parsed, record.format, data, supplied, ())
        if is_json:
            text = rewrite(record.text, data, record.data)
        else:
            text = edited_yaml(record.text, record.data, data)
        record = replace(record, data=data, text=text, proof=proof)
    beside = Path(parsed.path).parent / link["file_path"].rpartition("/")[2]
    return [(parsed, parsed.path, record), (source, str(beside), samples)]


def _samples(source: ParsedText, to: str, supplied: Supplied) -> Conversion:
    """The samples converted; places in a refusal are those of their file."""
    try:
        return convert_parsed(source, to=to, supplied=supplied)
    except ConversionError as error:
        if error.findings:
            error.reason = f"{Path(source.path).name}: {error.reason}"
        raise


def _convert_both(
    record: Callable[[], Conversion], samples: Callable[[], Conversion]
) -> tuple[Conversion, Conversion]:
    """Both conversions; if an older version cannot hold them, all that both would lose."""
    try:
        first = record()
    except ConversionError as error:
        if error.lost is None:
            raise
        older, lost = error.lost
        try:
            samples()
        except ConversionError as samples_error:
            if samples_error.lost is not None:
                more = {f"{loss} (samples)": count for loss, count in samples_error.lost[1].items()}
                raise loss_of(older, {**lost, **more}) from error
        raise
    return first, samples()


def _text(samples: Companion) -> str:
    try:
        return samples.whole().decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConversionError(f"the samples cannot be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise ConversionError("the samples are not UTF-8 text") from error
