"""Rules on single texts of a record: names that are none, and secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from evalmark.validator.findings.finding import Action, At, Change, Mistake
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordView, evaluation_id
from evalmark.validator.formats.records.rules.source_rules import hub_name
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.io.redaction import LIKELY, may_hold_secret, secrets_in

# Identifiers that are blank or begin or end in space


def _identifiers(record: RecordView) -> Iterator[tuple[Fields, str, str | None]]:
    yield record, "evaluation_id", record.evaluation_id
    yield record, "model_id", record.model_id
    yield record, "model_name", record.model_name
    for result in record.results:
        yield result, "name", result.name


def _other_names(record: RecordView) -> Iterator[tuple[Fields, str, str | None]]:
    for field in _OF_RECORD:
        yield record, field, getattr(record, field)
    for result in record.results:
        for field in _OF_RESULT[1:]:
            yield result, field, getattr(result, field)


def has_odd_identifiers(record: RecordView) -> bool:
    """True if an identifier begins or ends in space, or is blank, or another name does."""
    texts = record.evaluation_id, record.model_id, record.model_name
    if _are_odd(texts) or _are_odd(_names_of_record(record)):
        return True
    return any(_are_odd(_names_of_result(result)) for result in record.results)


@lru_cache(8192)  # the records of a call have few names
def _are_odd(texts: tuple[str | None, ...]) -> bool:
    return any(text is not None and (not text or text.strip() != text) for text in texts)


def empty_identifier(record: RecordView) -> Iterator[Mistake]:
    """An identifier is blank.

    Bad: `"id": ""`
    Good: `"id": "example/model-1"`
    """
    for part, field, identifier in _identifiers(record):
        if identifier is not None and not identifier.strip():
            name = record.results[0].name if record.results else None
            is_id = field == "evaluation_id"
            meant = evaluation_id(name, record.model_id, record.retrieved) if is_id else ""
            yield Mistake(
                f"`{part.key(field)}` is blank",
                At(part.at(field)),
                helps=(Action.WRITE(meant),) if meant else (),
                changes=(Change(At(part.at(field)), meant),) if meant else (),
                fold="blank",
            )


def surrounding_space(record: RecordView) -> Iterator[Mistake]:
    """An identifier or a name begins or ends with a space.

    Tools compare them as strings, so `"example/model-1 "` and `"example/model-1"` are two models.

    Bad: `"id": "example/model-1 "`
    Good: `"id": "example/model-1"`
    """
    for part, field, identifier in chain(_identifiers(record), _other_names(record)):
        trimmed = (identifier or "").strip()
        if trimmed and trimmed != identifier:
            at = At(part.at(field))
            yield Mistake(
                f"`{part.key(field)}` begins or ends in space: {cited(identifier)}",
                at,
                helps=(Action.WRITE(quoted(trimmed)),),
                changes=(Change(at, quoted(trimmed)),),
                fold=f"space {field}",
            )


# Names that are not names

#: Words that stand where a name should be.
_PLACEHOLDERS = frozenset((
    "todo", "tbd", "tba", "tbc", "fixme", "xxx", "placeholder", "foo", "bar", "foobar", "string",
    "none", "null", "nan", "n/a", "na", "-", "--", "?", "??", "???", "...", "…", "name", "text",
    "value", "lorem", "ipsum", "changeme", "change_me", "dummy", "org/dataset", "org/name",
    "organization/dataset", "owner/name", "owner/repo", "user/dataset", "username/dataset",
    "username/dataset_name", "nat", "<na>", "undefined", "#n/a", "#ref!", "#name?", "#value!",
    "dataset_name", "dataset-name", "evaluation_name", "eval_name", "task_name", "model_name",
    "model_id", "metric_name", "metric_id", "source_name", "organization_name", "library_name",
    "unnamed", "untitled", "not set", "unset", "to be added", "to be filled in", "fill me in",
    "asdf", "blah", "benchmark_name", "example org", "example organization", "org/model",
    "organization/model", "owner/model", "user/model", "username/model", "developer/model-name",
    "org/model-name", "owner/model-name",
))  # fmt: skip
#: Words that are a placeholder in one field, and a name in others.
_OF_FIELD = {
    "dataset": ("dataset", "data", "dataset name"),
    "name": ("evaluation", "eval", "task", "task name", "evaluation name"),
    "prompt": ("prompt", "input_prompt", "template"),
    "template": ("prompt", "prompt_template", "template"),
    "library_version": ("x.y.z", "x.y", "x.x.x", "version", "latest"),
    "engine_version": ("x.y.z", "x.y", "x.x.x", "version", "latest"),
}
#: What programs print of an object that is not text.
_OBJECT = r"<[^<>]* at 0x[0-9a-fA-F]+>|<(?:class|module|built-in|bound method) [^<>]*>"
PRINTED = rf"{_OBJECT}|functools\.partial\(.*\)|\[object \w+\]|None|undefined|\[\]|\{{\}}"
#: `<name>`, `{{ name }}`, `[your organization]`, `YOUR_ORG`, `your-model`.
_TEMPLATE = re.compile(
    r"(?i)<[^<>]*>|\{\{.*\}\}|\[?(your|insert)[ _-]\w.*|\$\{?\w+\}?"
    r"|\[?my[ _-](?:model|org|organi[sz]ation|data|dataset|name|team|company|lab|user|username"
    r"|eval|evaluation|benchmark|task|suite|project|repo)"
    r"(?:/.*|[ _-](?:name|id|here|url|title|v?\d+))?\]?"
)
#: A name that has none of the traces below, and the id of a model that is not a path or an address.
_ORDINARY = re.compile(r"[A-Za-z0-9 ._+:,()/-]+(?<![. ])")
_ORDINARY_ID = re.compile(r"\w[\w.:@+-]*(?:/\w[\w.:@+-]*)?(?<!\.git)")
#: Traces of how a script made a name, and what it is then. The group is what was
#: meant. Few names need these patterns, so that `re` compiles them when one does.
_TRACES: tuple[tuple[str, str], ...] = (
    (rf".*(?:{_OBJECT}).*", "what a program prints of an object"),
    (r"b?'(.*)'|b\"(.*)\"|\[['\"](.*)['\"]\]|\(['\"](.*)['\"],\)", "a printed value"),
    (r".*(?:Ã[\x80-\xbf\u0152-\u2122]|â€|Â[\xa0-\xbf]|\ufffd).*", "wrongly decoded"),
    (r".*&(?:amp|lt|gt|quot|nbsp|apos|#\d+|#x[0-9a-fA-F]+);.*", "with codes of HTML"),
    (r".*(?:\\u[0-9a-fA-F]{4}|\\[nt\"]).*", "escaped twice"),
    (r"<[a-zA-Z][^<>]*>(.+?)</\w+>|(.+?)<br ?/?>", "with markup of HTML"),
    (r"\[(.+)\]\(https?:.*\)|\*\*(.+)\*\*|__(.+)__|`(.+)`", "with markup of Markdown"),
    (r".+?\w ?(?:\.\.\.|…)", "cut off at its end"),
)  # fmt: skip
#: A value that was not set, in a longer name. (The word "none", and the language nan, are others.)
_UNSET = r"(?:^|[/_: -])(?:None(?! of )|NaN|undefined|<NA>)(?:$|[/_: -])"
_UNSET_WORD = re.compile("None|NaN|undefined|<NA>")  # looked for first: it is rare
#: A version, and a path of one's own or an address.
_VERSION = r"v?\d+(\.\d+)+([-.+]?[a-z]+\d*)*"
_PATH = r"\.{0,2}/|~|[A-Za-z]:\\|\w+://"
_PROMPT_FILE = r"[\w./\\-]+\.(?:txt|md|jinja2?|j2|ya?ml|json|prompt)"
_FILE = r"[\w./\\-]+\.(?:jsonl?|csv|tsv|xlsx?|parquet|ya?ml|py|txt|log)"
#: Boards have names of this form: /r/science, /pol/. So have numbers: ~1000 questions.
_OWN_FILE = r"\.{1,2}/|~/|/(?!r/)\w[\w.-]*/\w|[A-Za-z]:\\|\w+://"
_NO_FILES = ("source_name", "dataset", "prompt")
_NO_ADDRESSES = ("organization", "developer")
#: What an address has behind the id of a model.
_OF_PAGE = r"(.+/[^/]+?)(?:/(?:tree|blob|resolve|raw|commit)/.*|/+|\.git)"


def is_placeholder(text: str) -> bool:
    """True for a word that a template has where a name should be."""
    text = text.strip()
    return text.casefold() in _PLACEHOLDERS or _TEMPLATE.fullmatch(text) is not None


def names_a_model(model: str) -> bool:
    """False for an id that says of no model which one it is: a placeholder, or unknown."""
    return not any(is_placeholder(part) or part == "unknown" for part in (model, *model.split("/")))


def _fault(field: str, value: str) -> tuple[str, str]:
    """What a name is instead of one, in words, and what was meant; "" if nothing is wrong."""
    text = value.strip()
    if not text:
        return ("" if field in _IDENTIFIERS else "blank"), ""  # `empty-identifier` reports them
    if field in ("library", "engine") and re.fullmatch(_VERSION, text):
        return "a version", ""
    if field == "model_id" and (of_model := _fault_of_model(text))[0]:
        return of_model
    if _is_unfilled(field, text):
        return "a placeholder, not a value", ""
    if field in _NO_FILES and (of_file := _fault_of_file(field, text)):
        return of_file, ""
    if field in _NO_ADDRESSES and re.fullmatch(r"https?://\S+", text):
        return "an address, not a name", ""
    if field == "prompt":
        return "", ""
    if _UNSET_WORD.search(text) and re.search(_UNSET, text):
        return "with a value that was not set", ""
    return ("", "") if _ORDINARY.fullmatch(text) else _trace_in(text)


def _trace_in(text: str) -> tuple[str, str]:
    """How a script made a name, in words, and what was meant; "" if it has no trace of that."""
    for trace, kind in _TRACES:
        if match := re.fullmatch(trace, text):
            return kind, _meant(kind, text, match)
    return "", ""


def _fault_of_file(field: str, text: str) -> str:
    """What a text is that is the name of a file; else nothing."""
    if field == "prompt":
        return "a file, not a prompt" if re.fullmatch(_PROMPT_FILE, text) else ""
    if re.match(_OWN_FILE, text):
        return "a path or an address"
    return "a file" if field == "source_name" and re.fullmatch(_FILE, text) else ""


def _is_unfilled(field: str, text: str) -> bool:
    """True for a placeholder: a word for one, or a name in braces."""
    if text[0] == "{" and re.fullmatch(r"\{\w+\}", text) and field not in ("unit", "prompt"):
        return True
    is_unit = field == "unit" and text == "nat"  # of entropy; pandas writes NaT
    is_word = text.casefold() in _OF_FIELD.get(field, ())
    return is_word or (is_placeholder(text) and not is_unit)


def is_unfilled_template(text: str) -> bool:
    """True for a template of a prompt that is a placeholder; most have words in braces.

    One that is empty is that of a model that continues nothing: BLiMP is run so.
    """
    text = text.strip()
    is_slot = "{" in text or "$" in text or re.fullmatch(r"<(?!.*prompt)[^<>]*>", text)
    is_said = re.fullmatch(r"(?i)(?:your|my|insert) .*|none|n/a", text)  # a prompt, or that of none
    return bool(text) and not is_slot and not is_said and _is_unfilled("template", text)


def _fault_of_model(text: str) -> tuple[str, str]:
    if _ORDINARY_ID.fullmatch(text):
        return "", ""  # nearly always
    if name := hub_name(text):
        return "a path or an address", name
    if re.match(_PATH, text):
        return "a path or an address", ""
    if of_page := re.fullmatch(_OF_PAGE, text):
        return "which is more than the id of a model", of_page[1]
    owner, slash, rest = text.partition("/")
    return ("which has its owner twice" if slash and rest.startswith(f"{owner}/") else ""), ""


def _meant(kind: str, text: str, match: re.Match[str]) -> str:
    try:
        if kind == "wrongly decoded":
            return text.encode("cp1252").decode("utf-8")
        if kind == "escaped twice":
            return str(json.loads(f'"{text}"')).strip()
    except ValueError:
        return ""
    if kind == "with codes of HTML":
        import html  # its table of entities is long

        return html.unescape(text).strip()
    return next(filter(None, match.groups()), "")


def placeholder_name(record: RecordView) -> Iterator[Mistake]:
    """A name is empty, is what a template has in its place, or is not a name.

    Tables group by the names of models, data, metrics and organizations. Scripts leave traces in
    them: values that were not set, printed objects, markup, codes, three dots. An address is no
    name of an organization. If a name is not known, the format's word for that is "unknown".

    Bad: `"source_organization_name": "TBD"`, or `"M&uuml;nchen"`
    Good: `"source_organization_name": "Example Lab"`
    """
    for part, field, value in _names(record):
        if value is None:
            continue
        is_changed = field == "model_id" and part is record  # a judge may be at a path
        kind, meant = _fault(field if is_changed or field != "model_id" else "judge", value)
        if kind:
            key, at = part.key(field), At(part.at(field))
            is_blank = kind == "blank"
            yield Mistake(
                f"`{key}` is blank" if is_blank else f"`{key}` is {cited(value)}, {kind}",
                at,
                helps=(Action.WRITE(quoted(meant)),) if meant else (),
                changes=(Change(at, quoted(meant)),) if meant and is_changed else (),
                fold=f"{key} {value}",
            )


#: Names whose blanks another rule reports.
_IDENTIFIERS = ("model_id", "model_name", "name")
#: Names of a record, of its model, and of a result.
_OF_RECORD = (
    "source_name", "organization", "developer", "platform", "library", "library_version", "engine",
    "engine_version",
)  # fmt: skip
_OF_MODEL = ("model_id", "model_name")
_OF_RESULT = ("name", "dataset", "hf_repo", "metric_id", "metric_name", "unit")
_names_of_record, _names_of_result = attrgetter(*_OF_RECORD), attrgetter(*_OF_RESULT)


@lru_cache(8192)  # the records of a call have few names
def _have_fault(fields: tuple[str, ...], names: tuple[str | None, ...]) -> bool:
    """True if one of the names in some fields is none."""
    both = zip(fields, names, strict=True)
    return any(name is not None and _fault(field, name)[0] for field, name in both)


def _names(record: RecordView) -> Iterator[tuple[Fields, str, str | None]]:
    is_odd_model = _have_fault(_OF_MODEL, (record.model_id, record.model_name))
    if is_odd_model or _have_fault(_OF_RECORD, _names_of_record(record)):
        for field in (*_OF_RECORD, *_OF_MODEL):
            yield record, field, getattr(record, field)
    last = dict[str, str | None]()
    for result in record.results:
        if not _have_fault(_OF_RESULT, _names_of_result(result)):
            last.clear()
            continue  # nearly always
        for field in _OF_RESULT:
            value = getattr(result, field)
            if value is not None and value != last.get(field):  # neighbours have the same ones
                last[field] = value
                yield result, field, value
    for result in record.with_judges:
        yield result, "prompt", result.text("prompt")
        for judge in record.judges_of(result):
            for field in ("model_name", "model_id"):
                yield judge, field, judge.text(field)


def secret(record: RecordView) -> Iterator[Mistake]:
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
            yield Mistake(
                f"this looks like a key or a password: {kind}",
                At(pointer),
                caret="remove and revoke it",
            )
