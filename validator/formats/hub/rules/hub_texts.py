"""Rules on the names, links and keys of results on the Hugging Face Hub."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator

from evalmark.schemas.hub_benchmarks import KNOWN
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import quoted, shown, similar
from evalmark.validator.formats.hub.hub_entries import EntriesView
from evalmark.validator.formats.hub.repositories import is_id

#: A value that was left as the documentation has it.
_PLACEHOLDER = re.compile(r"<[a-z][a-z_ -]*>|\{[a-z][a-z_ -]*\}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_PAGE = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:datasets/)?(.+?)/?")
_SERVER = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?$", re.IGNORECASE)


def source_url(view: EntriesView) -> Iterator[Hit]:
    """The URL of a source begins with http:// or https://.

    Bad: `url: huggingface.co/spaces/example/traces`
    Good: `url: https://huggingface.co/spaces/example/traces`
    """
    for entry in view.entries:
        url = entry.source_url
        if url is None or _PLACEHOLDER.fullmatch(url):
            continue
        scheme, separator, rest = url.partition("://")
        if scheme in ("http", "https") and separator and rest.strip("/"):
            continue
        helps: tuple[str, ...] = ()
        if _SERVER.match(url):
            helps = (f"write {quoted(f'https://{url}')}",)
        elif is_id(url):
            helps = (f"write {quoted(f'https://huggingface.co/{url}')}, if it is a model",)
        at = At(f"{entry.at}/source/url")
        yield Hit(f"{shown(url)} is not a URL", at, helps=helps, fold="url")


def no_source(view: EntriesView) -> Iterator[Hit]:
    """A result says where it comes from.

    The format does not ask for it. Without a source, readers cannot see how the value was found.

    Bad: a result without `source`
    Good: `source: {url: "https://huggingface.co/spaces/example/traces"}`
    """
    for entry in view.entries:
        if not entry.has_source:
            yield Hit(
                "the result has no source",
                At(entry.at),
                helps=("say where it comes from: a record, a log, a paper",),
                fold="no source",
            )


def dataset_id(view: EntriesView) -> Iterator[Hit]:
    """A data set is named as the Hub names it: owner/name.

    Bad: `id: gsm8k`
    Good: `id: openai/gsm8k`
    """
    for entry in view.entries:
        if is_id(entry.dataset) or _PLACEHOLDER.fullmatch(entry.dataset):
            continue
        page = _PAGE.fullmatch(entry.dataset)
        inside = "/".join(page[1].split("/")[:2]) if page else entry.dataset.strip().strip("/")
        names = {one.dataset.rpartition("/")[2].lower(): one.dataset for one in KNOWN}
        right = inside if is_id(inside) else names.get(inside.lower())
        yield Hit(
            f"{shown(entry.dataset)} is not the id of a data set",
            At(f"{entry.at}/dataset/id"),
            caret="expected owner/name",
            helps=(f"write {quoted(right)}",) if right else (),
            fold="data set",
        )


def verify_token(view: EntriesView) -> Iterator[Hit]:
    """A verifyToken is a signed token, as the Hub makes it: three parts with dots between them.

    Only the Hub can make one. With any other text the result is shown as not verified. An access
    token (`hf_…`) does not belong here: whoever reads the file can use it.

    Bad: `verifyToken: "yes"`
    Good: no `verifyToken`
    """
    for entry in view.entries:
        token = entry.text("verifyToken")
        if token is None or _PLACEHOLDER.fullmatch(token) or _is_signed(token):
            continue
        at, helps = At(f"{entry.at}/verifyToken"), ("remove `verifyToken`",)
        if token.startswith("hf_"):
            message = f"this looks like an access token: {token[:7]}…"
            yield Hit(message, at, notes=("revoke it: it may have been read",), helps=helps)
        else:
            message = f"{shown(token)} is not a token that the Hub has signed"
            yield Hit(message, at, helps=helps, fold="token")


def _is_signed(token: str) -> bool:
    """Whether a text is a JSON Web Token: a header, a payload and a signature."""
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        return False
    try:
        header = base64.b64decode(parts[0] + "=" * (-len(parts[0]) % 4), b"-_", validate=True)
        return isinstance(json.loads(header), dict)
    except ValueError:
        return False


def blank_notes(view: EntriesView) -> Iterator[Hit]:
    """Notes say something.

    The Hub shows them beside the value.

    Bad: `notes: ""`
    Good: no `notes`
    """
    for entry in view.entries:
        notes = entry.text("notes")
        if notes is not None and not notes.strip():
            at = At(f"{entry.at}/notes")
            yield Hit("`notes` is blank", at, helps=("remove `notes`",), fold="blank notes")


def placeholder(view: EntriesView) -> Iterator[Hit]:
    """No value is a placeholder of the documentation.

    Bad: `revision: <hash>`
    Good: no `revision`, or `revision: "5503434ddd753f426f4b38109466949a1217c2bb"`
    """
    for entry in view.entries:
        for pointer, text in entry.strings():
            if _PLACEHOLDER.fullmatch(text):
                key = pointer.rpartition("/")[2]
                needed = pointer.endswith(("/dataset/id", "/dataset/task_id", "/source/url"))
                helps = () if needed else (f"remove `{key}`",)
                yield Hit(f"{shown(text)} is a placeholder", At(pointer), helps=helps)


def revision_form(view: EntriesView) -> Iterator[Hit]:
    """A revision is the hash of a commit.

    A branch has other contents later.

    Bad: `revision: main`
    Good: `revision: "5503434ddd753f426f4b38109466949a1217c2bb"`
    """
    for entry in view.entries:
        revision = entry.revision
        if revision is None or _COMMIT.fullmatch(revision) or _PLACEHOLDER.fullmatch(revision):
            continue
        yield Hit(
            f"{shown(revision)} is not the hash of a commit",
            At(f"{entry.at}/dataset/revision"),
            helps=("remove `revision`, or write the hash",),
            fold="revision",
        )


def unread_key(view: EntriesView) -> Iterator[Hit]:
    """A result has only keys of the format.

    The Hub does not read others.

    Bad: `note: "no-tools"`
    Good: `notes: "no-tools"`
    """
    for entry in view.entries:
        for pointer, key, free in entry.unread():
            right = similar(key, free)
            yield Hit(
                f"`{key}` is not a key of this format",
                At(pointer, key=True),
                helps=(f"rename `{key}` to `{right[0]}`" if right else f"remove `{key}`",),
                fold=f"key {key}",
            )
