"""The rule on keys and passwords in records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.formats.records.record_view import RecordView
from evalmark.validator.io.redaction import LIKELY, may_hold_secret, secrets_in


def secret(record: RecordView) -> Iterator[Hit]:
    """A record contains a key or a password.

    Records are published. A key that was in one must be revoked, not only removed: API keys,
    `Authorization: Bearer …`, `https://user:password@host`, `api_key=…`, private keys.

    Bad: `"execution_command": "run --key sk-…"`
    Good: `"execution_command": "run --key $API_KEY"`
    """
    if not record.may_contain(LIKELY, may_hold_secret):
        return
    for pointer, value in record.strings():
        if pointer.endswith("/verifyToken"):
            continue  # the Hub publishes it, so that results can be verified
        pair = f"{pointer.rpartition('/')[2]}={value}"
        if may_hold_secret(pair) and (
            kind := next(chain(secrets_in(value), secrets_in(pair)), None)
        ):
            yield Hit(
                f"this looks like a key or a password: {kind}",
                At(pointer),
                caret="remove and revoke it",
            )
