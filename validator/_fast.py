"""Fast parsing by orjson, where it is installed and there is enough to read.

It may only ever say "this is strict JSON, and here is the data", with the very data that ``parse``
gives; whatever it is not sure of, ``parse`` looks at again. So both have the same verdict.
"""

from __future__ import annotations

from typing import Any

import orjson

from ._parse import digits_as_zeros, is_shallow

#: Integers of so many digits may not fit 64 bits, and orjson makes floats of those.
_LONG = b"0" * 19


def parse_fast(raw: bytes) -> tuple[Any, bool]:
    """The value of a JSON text, and whether that is certain.

    orjson keeps the last of two equal keys, without a word. But a lost pair loses its colon: the
    text has as many colons as what is written from the data, unless one is written as an escape.
    """
    try:
        data = orjson.loads(raw)
        if b"\\u003" in raw or _LONG in digits_as_zeros(raw):
            return None, False
        if raw.count(b":") != orjson.dumps(data).count(b":"):
            return None, False
    except (ValueError, TypeError):  # no JSON, or too deep to be written
        return None, False
    return data, is_shallow(data)
