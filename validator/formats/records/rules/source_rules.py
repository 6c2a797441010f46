"""Rules on where things are: data and its samples, repositories, URLs, the file of samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.name_matching import plain
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_values import mapping

#: A URL of a repository of the Hugging Face Hub.
_OF_HUB = (  # no pattern of few records is compiled before one needs it
    r"(?i)(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:datasets/)?"
    # Neither a data set without an owner, nor a page of one, is an owner and a name.
    r"(?!(?:datasets|spaces)/)([\w.-]+/(?!(?:blob|resolve|tree|viewer)(?:/|$))[\w.-]+)"
)
#: What begins so is of the Hub.
_SURE = r"(?i)https?://|(?:www\.)?(?:huggingface\.co|hf\.co)/datasets/"
#: The name of a server, with what may follow it.
_NAME = r"(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?$"
#: The name of a file, which looks like that of a server.
_FILE = r"(?i)[\w.-]+\.(png|svg|jpe?g|gif|webp|pdf|html?|md|txt|csv|tsv|jsonl?|ya?ml|py)$"
#: The end of the address of an image.
_IMAGE = r"(?i)[^/]/.*\.(png|svg|jpe?g|gif|webp|ico)$"
#: The name of a repository with what an address has behind it.
_WITH_PAGE = (
    r"(?:datasets/)?([\w.-]+/[\w.-]+?)(?:/(?:blob|tree|resolve|viewer|raw)(?:/.*)?|\.git|/)"
)
#: What encloses or follows a URL in a text.
_ENCLOSED = r"[\s'\"<(\[]*(?:\w+: ?)?(https?://[^\s'\"<>]+?)[\s'\">)\],;.]*"
#: The format's words for the parts of a dataset, and what others call them.
SPLITS = {
    "train": ("train", "training"),
    "val": ("val", "valid", "validation", "dev", "development"),
    "test": ("test", "testing"),
}


def hub_name(value: str | None) -> str:
    """The owner and name in the URL of a repository of the Hugging Face Hub; else empty."""
    if value is None or value.count("/") < 2:
        return ""  # nearly always
    match = re.match(_OF_HUB, value)
    return match[1] if match else ""


# URLs


def has_odd_urls(record: RecordView) -> bool:
    """True if a URL is not one, is that of an image, or leads nowhere, or if two are the same."""
    page, logo = record.organization_url, record.logo_url
    if (page and (page == logo or _is_odd_url(page) or _is_image(page))) or _is_odd_url(logo):
        return True
    for urls in (record.urls, *[source.urls for source in record.sources]):
        if type(urls) is list:
            texts = [url for url in urls if type(url) is str]
            if "" in texts or any(map(_is_odd_url, texts)) or len({*texts}) < len(texts):
                return True
    return False


@lru_cache(8192)  # the records of a call have few URLs
def _is_odd_url(url: str | None) -> bool:
    return bool(url) and (not _is_url(url) or _leads_nowhere(url))


def not_a_url(record: RecordView) -> Iterator[Mistake]:
    """A URL does not begin with http://, https:// or ftp://, or is not that of its field.

    Quotes or punctuation around it, a URL that a list has twice, and the page of an organization in
    place of its logo, or an image in place of the page, are mistakes of the same kind.

    Bad: `"url": ["lab.example/suite.json"]`
    Good: `"url": ["https://lab.example/suite.json"]`
    """
    for parts, field, value in record.all_urls():
        if isinstance(value, list):
            yield from _odd_list_of_urls(parts, field, value)
        elif isinstance(value, str) and value and not _is_url(value):
            yield from (_no_url(value, part.at(field)) for part in parts)
    logo, page = record.logo_url or "", record.organization_url or ""
    if page and _is_image(page):
        is_exchanged = _is_url(logo) and not _is_image(logo)
        yield Mistake(
            f"the URL of the organization, {cited(page)}, is the URL of an image",
            At(record.at("organization_url")),
            labels=((At(record.at("logo_url")), "the logo"),) if is_exchanged else (),
            helps=("exchange the two URLs",) if is_exchanged else (),
        )
    if logo and logo == page and _is_url(logo):
        yield Mistake(
            "the logo and the organization have the same URL",
            At(record.at("logo_url")),
            labels=((At(record.at("organization_url")), "the page"),),
        )


def _odd_list_of_urls(
    parts: Sequence[Fields], field: str, entries: Sequence[Any]
) -> Iterator[Mistake]:
    """What is wrong in a list of URLs that some parts of a record have in a field."""
    urls = [url for url in entries if isinstance(url, str)]
    bad = [(at, url) for at, url in enumerate(urls) if not _is_url(url)]
    if len(bad) > 1 and all(len(url) == 1 for url in urls):
        yield Mistake(
            "a URL is split into its letters",
            At(parts[0].at(field)),
            helps=(Action.WRITE(quoted(["".join(urls)])),) if _is_url("".join(urls)) else (),
            fold="letters",
        )
        return
    for part, (at, url) in product(parts, bad):
        yield _no_url(url, f"{part.at(field)}/{at}")
    if len(set(urls)) < len(urls):
        at = next(at for at, url in enumerate(urls) if url in urls[:at])
        for part in parts:
            pointer = f"{part.at(field)}/{at}"
            yield Mistake(f"{cited(urls[at])} is listed twice", At(pointer), fold="twice")


def _no_url(text: str, pointer: str) -> Mistake:
    meant, is_sure = _meant_url(text)
    return Mistake(
        f"{cited(text)} is not a URL",
        At(pointer),
        helps=(Action.WRITE(quoted(meant)),) if meant else (),
        changes=(Change(At(pointer), quoted(meant)),) if is_sure else (),
        fold=text,
    )


def _is_image(url: str) -> bool:
    return re.search(_IMAGE, url) is not None and _is_url(url)


#: How the address of a file on a server may begin; old data is on such servers.
_SCHEMES = ("http", "https", "ftp", "ftps")


@lru_cache(8192)
def _is_url(value: str) -> bool:
    scheme, _, rest = value.partition("://")
    if scheme not in _SCHEMES or rest[:1] in ("", "/") or rest[0].isspace():
        return False
    if rest[-1] in "'\">,;" or (rest.endswith((").", "].")) and not {"(", "["} & {*rest}):
        return False
    return "://" not in rest or re.search(r"[\s,;]https?://", rest) is None


def _meant_url(url: str) -> tuple[str, bool]:
    """The URL that a text was made of, if it is known, and whether it is sure."""
    if (match := re.fullmatch(_ENCLOSED, url)) and url.count("://") == 1:
        return match[1], False
    is_name = re.match(_NAME, url) is not None and re.match(_FILE, url) is None
    # Only names of web servers begin so.
    return (f"https://{url}" if is_name else ""), url.startswith("www.")


#: Hosts that nobody else reaches, or that are kept for documentation.
_LOCAL = re.compile(
    r"(?i)https?://(?:[^/@]*@)?(?:localhost|(?:127|10|192\.168)\.[\d.]+(?=[:/?#]|$)|0\.0\.0\.0"
    r"|\[::1\]"
    r"|[\w-]+(?::\d+)?(?:/|$)|(?:[\w-]+\.)*(?:local|internal|lan|test|invalid)(?::\d+)?(?:/|$)"
    r"|(?:[\w-]+\.)*example\.(?:com|org|net)(?::\d+)?(?:[/?#]|$))"
)


@lru_cache(8192)
def _leads_nowhere(url: str) -> bool:
    return _LOCAL.match(url) is not None


def url_of_nowhere(record: RecordView) -> Iterator[Mistake]:
    """A URL leads to no page that others can open.

    Its host is a machine of one's own or of a local network, or `example.com`, which stays in
    records that were made from a template.

    Bad: `"source_organization_url": "http://localhost:8000"`
    Good: `"source_organization_url": "https://lab.example"`
    """
    for parts, field, value in record.all_urls():
        is_list = isinstance(value, list)
        for at, url in enumerate(value if is_list else [value]):
            if isinstance(url, str) and _leads_nowhere(url):
                for part in parts:
                    yield Mistake(
                        f"others cannot open {cited(url)}",
                        At(part.at(field) + (f"/{at}" if is_list else "")),
                        fold=url,
                    )


# Datasets of the Hugging Face Hub


def hf_repo_missing(record: RecordView) -> Iterator[Mistake]:
    """A dataset on the Hugging Face Hub does not name its repository.

    Bad: `{"source_type": "hf_dataset", "dataset_name": "npi"}`
    Good: `{"source_type": "hf_dataset", "dataset_name": "npi", "hf_repo": "example/npi"}`
    """
    for source in record.sources:
        for result in source.results if source.kind == "hf_dataset" and not source.hf_repo else ():
            pointer, _, _ = result.at("source_type").rpartition("/")
            others = result.around("source_type").items()
            named = [key for key, value in others if _names_a_repository(key, value)]
            other = named[0] if len(named) == 1 else ""
            at = At(f"{pointer}/{other}", key=True)
            yield Mistake(
                f"`{other}` is not read: a Hugging Face dataset has its repository in `hf_repo`"
                if other
                else "a Hugging Face dataset without `hf_repo` cannot be found",
                at if other else At(result.at("source_type")),
                caret="" if other else "name it in `hf_repo`, as owner/name",
                helps=(Action.RENAME(other, "hf_repo"),) if other else (),
                changes=(Change(at, '"hf_repo"'),) if other else (),
                safety=Safety.UNSAFE,
                fold="repo",
                subject=("hf_repo",),
            )


def _names_a_repository(key: str, value: object) -> bool:
    """True for a key of another name than `hf_repo` with an owner and a name."""
    is_key = re.fullmatch(r"[\w-]*repo[\w-]*", key) is not None
    is_name = isinstance(value, str) and re.fullmatch(r"[\w.-]+/[\w.-]+", value.strip())
    return is_key and bool(is_name)


def hf_repo_form(record: RecordView) -> Iterator[Mistake]:
    """A repository of the Hugging Face Hub is not named owner/name, or is that of the model.

    A path of the author's machine is none, nor is an address.

    Bad: `"hf_repo": "https://huggingface.co/datasets/example/npi"`
    Good: `"hf_repo": "example/npi"`
    """
    for source in record.sources:
        repo = source.hf_repo
        if repo is None:
            continue
        problem, name = _odd_repository(repo)
        if not problem and repo == record.model_id:
            problem, name = "the id of the model, not a dataset", ""
        for result in source.results if problem else ():
            at = At(result.at("hf_repo"))
            yield Mistake(
                f"`hf_repo` is {problem}: {cited(repo)}",
                at,
                helps=(Action.WRITE(quoted(name)),) if name else (),
                changes=(Change(at, quoted(name)),) if name and re.match(_SURE, repo) else (),
                fold=repo,
            )


@lru_cache(8192)
def _odd_repository(repo: str) -> tuple[str, str]:
    """What the name of a repository is instead, in words, and the name, if it is known."""
    if repo.startswith("datasets--") and repo.count("--") == 2:
        return "a folder of a cache, not a name", repo.removeprefix("datasets--").replace("--", "/")
    owner_and_name = hub_name(repo)
    if owner_and_name or "://" in repo:
        return "a URL, not a name", owner_and_name
    behind = re.fullmatch(_WITH_PAGE, repo)
    if behind or (behind := re.fullmatch(r"datasets/([\w.-]+/[\w.-]+)", repo)):
        return "a page or a file of a repository, not its name", behind[1]
    return ("a path of the author's machine" if re.match(_OWN_PATH, repo.lstrip(".")) else ""), ""


#: The name of a split, as Hugging Face allows it; and which part of it is meant, as in test[:100].
_SPLIT = r"\w+(\.\w+)*"
_PART = r"(?<=\w)\[(?:-?\d+%?)?:(?:-?\d+%?)?\](?=$|\+)"


def unknown_split(record: RecordView) -> Iterator[Mistake]:
    """The split of a dataset is not the name of one.

    The format names train, val and test; a dataset of Hugging Face has the names that its author
    gave it, such as validation or test.clean. They are of letters, digits, underscores and full
    stops, and test[:100] is a part of one. Tools compare them as strings, so that "Test" and "test"
    are two splits.

    Bad: `"hf_split": "Test set"`
    Good: `"hf_split": "test"`
    """
    stated: list[tuple[Sequence[Fields], str | None]] = [([record], record.hf_split)]
    stated += ((s.results, s.hf_split) for s in record.sources if s.kind == "hf_dataset")
    for parts, split in stated:
        if split is None or split in SPLITS or (meant := _meant_split(split)) is None:
            continue
        for part in parts:
            yield Mistake(
                f"unrecognized split {cited(split)}",
                At(part.at("hf_split")),
                caret="" if meant else "expected the name of a split, such as test",
                helps=(Action.WRITE(quoted(meant)),) if meant else (),
                fold=split,
            )


@lru_cache(1024)
def _meant_split(split: str) -> str | None:
    """The split that another spelling means; "" if it is not known, None if it is a name."""
    if (whole := re.sub(_PART, "", split)) != split:
        return None if _meant_split(whole) is None else ""
    names = [name.strip() for name in split.split("+")]  # test+train are two
    known = [word for words in SPLITS.values() for word in words]
    if all(re.fullmatch(_SPLIT, name) for name in names) and split == "+".join(names):
        if re.match(_FILE, split):
            return ""
        if split in known:
            return None
        letters = sorted(split.casefold())
        return next((word for word in known if sorted(word) == letters), None)  # Test, tset
    word = re.sub(r"(?i)[\s_-]*(split|set)?\s*$", "", split.strip()).casefold()
    return word if word in known else ""


# Samples


def count_contradicts_list(record: RecordView) -> Iterator[Mistake]:
    """A number of samples contradicts the samples that are listed, or those behind a score.

    `sample_ids` may be a part of the data, those that the score is of, and has each once. A score
    is of at most `samples_number` samples, or of each of them several times. A split of a dataset
    has one number of samples, and `test[:10]` has at most 10.

    Bad: `"samples_number": 2, "sample_ids": ["1", "2", "3"]`
    Good: `"samples_number": 3, "sample_ids": ["1", "2", "3"]`
    """
    counted: dict[Any, tuple[float, RecordResult]] = {}  # the first result of each split
    more: dict[float | None, list[RecordResult]] = {}  # by how many samples they are of
    named = (result for s in record.sources if s.kind == "hf_dataset" for result in s.results)
    for result in named:
        count, ids = result.samples_number, result.entries("sample_ids")
        is_part = "[" in (result.hf_split or "")
        mistake = _contradiction(result, ids) if count is not None or ids or is_part else None
        if mistake:
            yield mistake
        if count is None or count < 1:
            continue
        if not mistake and _is_of_more(result, count):
            more.setdefault(result.number("num_samples"), []).append(result)
        # A part of the data has a name, or says which samples it is.
        if result.hf_repo and result.hf_split and not ids:
            key = result.hf_repo, result.dataset, result.hf_split, result.name
            first, other = counted.setdefault(key, (count, result))
            if first != count:
                yield Mistake(
                    f"`samples_number` is {count:g} here, but {first:g} for the same split of "
                    f"{cited(result.hf_repo)}",
                    At(result.at("samples_number")),
                    labels=((At(other.at("samples_number")), "the other one"),),
                    fold="two counts",
                )
    for scored, (result, *others) in more.items():
        yield Mistake(
            f"`num_samples` is {scored:g}, but the data has {result.samples_number:g} samples",
            At(result.at("num_samples")),
            labels=((At(result.at("samples_number")), "the data"),),
            also=tuple(other.at("num_samples") for other in others),
            fold="more samples",
        )


def _is_of_more(result: RecordResult, count: float) -> bool:
    """True if a score is of more samples than its data has, and not of each several times."""
    scored = result.numbers.num_samples if result.numbers else None
    if scored is None or scored <= count or not scored % count:
        return False
    return count != result.number("num_bootstrap_samples")  # reported as exchanged


#: So many ids are no example of those that there are.
_SOME_IDS = 5


def _of_other_part(result: RecordResult) -> Mistake | None:
    """A score of more samples than the part of a split has, as test[:10] has 10."""
    count, scored = result.samples_number, result.number("num_samples")
    part = re.fullmatch(r"[^+]+\[(\d{0,9}):(\d{1,9})\]", result.hf_split or "")
    size = int(part[2]) - int(part[1] or 0) if part else 0
    if scored is None or not 0 < size < scored:
        return None
    if scored != count and not scored % size:
        return None  # each of them several times
    return Mistake(
        f"the split {cited(result.hf_split)} has at most {size} samples, but the score is of "
        f"{scored:g}",
        At(result.at("hf_split")),
        fold="part",
    )


def _contradiction(result: RecordResult, ids: Sequence[Any]) -> Mistake | None:
    count, scored = result.samples_number, result.number("num_samples")
    texts = [sample_id for sample_id in ids if isinstance(sample_id, str | int)]
    twice = next((sample_id for sample_id, times in Counter(texts).items() if times > 1), None)
    at = At(result.at("sample_ids"))
    if part := _of_other_part(result) if "[" in (result.hf_split or "") else None:
        return part
    if count is not None and count < 1:
        problem = f"`samples_number` is {count:g}, but there is a score"
        return Mistake(problem, At(result.at("samples_number")), fold="no samples")
    if twice is not None:
        return Mistake(f"`sample_ids` has {cited(twice)} more than once", at, fold="ids twice")
    if count and len(texts) == 1 and len(re.split(r"[,;]", str(texts[0]))) == count > 1:
        return Mistake(
            f"all {count:g} ids are in one string",
            At(f"{at.pointer}/0"),
            helps=("write one string for each id",),
            fold="ids in one",
        )
    # A score may be of each of the samples several times, unless the data has so many.
    is_cut = scored == count and len(texts) >= _SOME_IDS
    is_of_each = scored is not None and texts and (is_cut or scored % len(texts) != 0)
    if scored is not None and is_of_each and len(texts) < scored:
        return Mistake(
            f"`sample_ids` has {len(texts):,} ids, but the score is of {scored:g} samples",
            at,
            labels=((At(result.at("num_samples")), "the score"),),
            fold="ids cut",
        )
    if count is not None and len(texts) > count:
        return Mistake(
            f"`samples_number` is {count:g}, but `sample_ids` has {len(texts):,}",
            At(result.at("samples_number")),
            labels=((at, "the ids"),),
            helps=(Action.WRITE(len(texts)),),
            fold="ids",
        )
    return None


#: Letters of a digest in hexadecimal digits, and the digests of nothing.
_DIGITS = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}
_OF_NOTHING = ("e3b0c44298fc1c149afbf4c8996fb924", "d41d8cd98f00b204e9800998ecf8427e")
_FORMS = {"jsonl", "json", "csv", "parquet"}
#: The finding of such a path, which a look for the file makes needless.
OWN_PATH = "own path"
#: The file of samples in the layout of a datastore, in the folder of a model.
_IN_DATASTORE = r"data/[^/]+/[^/]+/([^/]+)/[0-9a-f-]{36}_samples\.jsonl"
#: A path that leads nowhere on the machine of somebody else.
_OWN_PATH = r"/|~|[A-Za-z]:[\\/]|file://|.*\\"


def samples_file_contradicts(record: RecordView) -> Iterator[Mistake]:
    """What a record says of its file of samples contradicts itself.

    A checksum is the digest in hexadecimal digits, 64 for SHA-256; it is not that of an empty file.
    The file's name ends in its form, and its path is relative, in the folder of the model if it
    begins with `data`. It has a row for each sample of a result.

    Bad: `"hash_algorithm": "sha256", "checksum": "sha256:e3b0"`
    Good: a checksum of 64 digits
    """
    if mapping(record.samples):
        for mistake_of in (_odd_checksum, _odd_path, _odd_rows):
            if mistake := mistake_of(record):
                yield mistake


def _odd_checksum(record: RecordView) -> Mistake | None:
    digest, algorithm = record.text("samples_checksum"), record.text("samples_algorithm")
    if digest is None:
        return None
    at, count = At(record.at("samples_checksum")), _digits_of(algorithm or "sha256")
    if record.number("samples_rows") and digest.casefold().startswith(_OF_NOTHING):
        return Mistake("the checksum is that of an empty file", at)
    if count is None or re.fullmatch(f"[0-9a-fA-F]{{{count}}}", digest.strip()):
        return None
    return Mistake(
        f"{cited(digest)} is not a checksum of {algorithm or 'sha256'}",
        at,
        caret=f"expected {count} hexadecimal digits",
    )


def _digits_of(algorithm: str) -> int | None:
    """How many digits a checksum has; None if nobody knows."""
    return _DIGITS.get(algorithm.casefold().replace("-", ""))


def _odd_path(record: RecordView) -> Mistake | None:
    form, path = record.text("samples_format"), (record.text("samples_path") or "").strip()
    ending = path.rpartition(".")[2].casefold()
    if form in _FORMS and ending in _FORMS - {form}:
        return Mistake(
            f"the format of the samples is {cited(form)}, but the file ends in .{ending}",
            At(record.at("samples_path")),
            labels=((At(record.at("samples_format")), "the format"),),
        )
    if re.match(_OWN_PATH, path):
        return Mistake(
            f"{cited(path)} is a path of the author's machine",
            At(record.at("samples_path")),
            caret="expected a path relative to the record, or to the folder that has `data`",
            fold=OWN_PATH,
        )
    return _other_folder(record, path)


def _other_folder(record: RecordView, path: str) -> Mistake | None:
    """The finding for samples in the folder of a model of another name."""
    folder = re.fullmatch(_IN_DATASTORE, path)
    model = (record.model_id or "").rpartition("/")[2]
    if not model or not folder:
        return None
    here, there = plain(folder[1]), plain(model)  # one may have a date or a prefix more
    if here in there or there in here:
        return None
    return Mistake(
        f"the sample file is in the folder of another model, {cited(folder[1])}",
        At(record.at("samples_path")),
        labels=((At(record.at("model_id")), "the model"),),
    )


def _odd_rows(record: RecordView) -> Mistake | None:
    rows = record.number("samples_rows")
    if rows is None:
        return None
    at = At(record.at("samples_rows"))
    if rows < 0:
        return Mistake(f"`total_rows` is {rows:g}", at)
    counts = [stated for result in record.with_numbers if (stated := result.number("num_samples"))]
    if not counts or rows >= min(counts):
        return None
    least = min(counts)
    return Mistake(f"`total_rows` is {rows:g}, but each result is of {least:g} samples or more", at)
