"""Files of surprisals with one token per line: read, aligned, and matched with suites.

Columns: ``sentence_id``, ``token_id`` (both from 1), ``token``, ``surprisal`` (bits). Sentences are
in the order of items and, within an item, of conditions. In folders, ``.tsv`` and ``.txt`` files
with this header count. Tokens are aligned to the text; ``<eos>`` belongs to the last region that
has text.

A file belongs to the suites whose sentences its tokens spell. If several files match a suite, the
one whose name contains the suite's name is used; if that does not decide, the suite is not scored.
Files without a suite and suites without a file are named (exit code 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from evalmark.schemas.errors import SurprisalFileError
from evalmark.scoring.doubts import vocabulary_of
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.suites.prediction_results import ItemSurprisals
from evalmark.scoring.suites.regions import assign_tokens, region_surprisals
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.validator.batch.walking import expand
from evalmark.validator.findings.unusable import Unused
from evalmark.validator.formats.suites.suite import Sentence
from evalmark.validator.io.opening import read_whole

COLUMNS = ("sentence_id", "token_id", "token", "surprisal")
#: Tokens for the end of a sentence, its beginning, and unknown words.
END_TOKENS = frozenset({"<eos>", "</s>", "<|endoftext|>", "[SEP]"})
BEGIN_TOKENS = frozenset({"<bos>", "<s>", "<|startoftext|>", "[CLS]"})
UNKNOWN_TOKENS = frozenset({"<unk>", "[UNK]"})

#: How subword tokenizers mark a token's position in its word.
_MARKS_BEFORE = ("Ġ", "▁", "##")
_MARKS_AFTER = ("</w>", "@@")


@dataclass(frozen=True, slots=True)
class FileToken:
    """A line of the file."""

    line: int
    token: str
    surprisal: float


@dataclass(frozen=True, slots=True)
class SurprisalFile:
    """The tokens of a file, sentence by sentence."""

    path: Path
    sentences: tuple[tuple[FileToken, ...], ...]


def surprisal_files(paths: Iterable[Path]) -> list[Path]:
    """Named files, and those in folders that have the header; a SurprisalFileError without any."""
    paths_of_files: dict[Path, None] = {}
    for path in paths:
        inside = [
            Path(file)
            for file, named in expand([str(path)], (".tsv", ".txt"))
            if named or _header(read_whole(file).partition(b"\n")[0].decode("utf-8", "replace"))
        ]
        if not inside:
            raise SurprisalFileError(f"{path} has no .tsv or .txt file with surprisals")
        paths_of_files |= dict.fromkeys(inside)
    return list(paths_of_files)


def _header(line: str) -> bool:
    return tuple(line.rstrip("\r").split("\t")) == COLUMNS


def read_surprisals(path: Path) -> SurprisalFile:
    """The tokens of each sentence of a file; raises SurprisalFileError if it has no surprisals."""
    try:
        text = read_whole(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise SurprisalFileError(f"{path}: not UTF-8: {error.reason}") from error
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    if not _header(lines[0]):
        raise SurprisalFileError(f"{path}:1: the header must be {' TAB '.join(COLUMNS)}")
    sentences: list[list[FileToken]] = []
    for number, line in enumerate(lines[1:], 2):
        where = f"{path}:{number}"
        fields = line.split("\t")
        if len(fields) != len(COLUMNS):
            raise SurprisalFileError(f"{where}: {len(fields)} columns, expected {len(COLUMNS)}")
        try:
            sentence, token, surprisal = int(fields[0]), int(fields[1]), float(fields[3])
        except ValueError:
            raise SurprisalFileError(f"{where}: ids and surprisal must be numbers") from None
        if sentence == len(sentences) + 1 and token == 1:
            sentences.append([])
        elif sentence != len(sentences) or token != len(sentences[-1]) + 1:
            raise SurprisalFileError(f"{where}: sentence {sentence}, token {token} is out of order")
        sentences[-1].append(FileToken(number, fields[2], surprisal))
    return SurprisalFile(path, tuple(map(tuple, sentences)))


def align(tokens: Sequence[FileToken], sentence: Sentence, path: Path) -> Tokenized:
    """Tokens with the characters of the sentence that they cover; their ids are their places.

    An end token belongs to the last region that has text, a beginning token to the first. A token
    for unknown words covers everything up to the next token.
    """
    unknown = (at for at, token in enumerate(tokens) if token.token in UNKNOWN_TOKENS)
    spans = tuple(_spans(tokens, sentence.text, path))
    return Tokenized(tuple(range(len(tokens))), spans, unknown=frozenset(unknown))


def _spans(tokens: Sequence[FileToken], text: str, path: Path) -> Iterator[tuple[int, int]]:
    at = 0
    for index, token in enumerate(tokens):
        while at < len(text) and text[at].isspace():
            at += 1
        if token.token in BEGIN_TOKENS and at == 0:
            yield 0, 0  # covers no character: belongs with the next token
        elif token.token in END_TOKENS and index == len(tokens) - 1 and at == len(text):
            yield at, at
        elif token.token in UNKNOWN_TOKENS and not text.startswith(token.token, at):
            end = _unknown_end(tokens[index + 1 :], text, at)
            yield at, end
            at = end
        else:
            end = _end_in_text(token, text, at, path)
            yield at, end
            at = end
    if text[at:].strip():
        last = tokens[-1].line if tokens else 1
        raise SurprisalFileError(
            f"{path}:{last}: the sentence ends early: {text[at:]!r} of {text!r} has no token"
        )


def _end_in_text(token: FileToken, text: str, at: int, path: Path) -> int:
    end = at + _matched_length(token.token, text, at)
    if end == at and any(form.strip() for form in _forms(token.token)):
        raise SurprisalFileError(
            f"{path}:{token.line}: token {token.token!r} does not match the text "
            f"at {text[at : at + 20]!r} (of {text!r}); is this file for this suite?"
        )
    return end


def _forms(token: str) -> Iterable[str]:
    yield token
    for mark in _MARKS_BEFORE:
        if token.startswith(mark):
            yield token[len(mark) :]
    for mark in _MARKS_AFTER:
        if token.endswith(mark):
            yield token[: -len(mark)]
    if len(token) > 2 and token[0] == token[-1] == "@":
        yield token[1:-1]  # Moses writes a hyphen within a word as @-@


def _matched_length(token: str, text: str, at: int) -> int:
    """The number of characters at ``at`` that a token covers; 0 if it does not match."""
    for form in _forms(token):
        if form and text[at : at + len(form)].casefold() == form.casefold():
            return len(form)
    return 0


def _unknown_end(following: Sequence[FileToken], text: str, at: int) -> int:
    following = [token for token in following if token.token not in UNKNOWN_TOKENS]
    end = at
    while end < len(text):
        while end < len(text) and not text[end].isspace():
            end += 1
            if (
                following
                and _matched_length(following[0].token, text, end)
                and not text[end:].isspace()
            ):
                return end
        space = end
        while space < len(text) and text[space].isspace():
            space += 1
        if not following or following[0].token in END_TOKENS:
            end = len(text.rstrip())
            break
        if _matched_length(following[0].token, text, space):
            break
        end = space
    return end


class Fit(NamedTuple):
    """A file whose tokens spell the sentences of a suite."""

    file: SurprisalFile
    values: tuple[ItemSurprisals, ...]  # the token surprisals of each region
    vocabulary: str  # why the tokens do not know the texts; empty if they do
    tokens: tuple[tuple[Tokenized, ...], ...]  # of each sentence; files have no ids


@dataclass(slots=True)
class Matching:
    """The files of a run, and the suites that they belong to.

    A suite with several metrics, or two suites with the same sentences, share a file.
    """

    files: list[SurprisalFile]
    broken: list[Unused]  # files that cannot be read
    fits: dict[str, list[Fit]] = field(default_factory=dict)  # by path of the suite
    reasons: dict[str, dict[Path, str]] = field(default_factory=dict)  # why others do not fit
    used: set[Path] = field(default_factory=set)
    blamed: set[Path] = field(default_factory=set)  # an error of a suite is about them

    def add(self, suite: LoadedSuite) -> None:
        """Find the files that fit a suite."""
        fits, reasons = self.fits.setdefault(suite.path, []), {}
        for file in self.files:
            try:
                fits.append(_fit(suite, file))
            except SurprisalFileError as error:
                reasons[file.path] = str(error)
        self.reasons[suite.path] = reasons

    def fit_of(self, suite: LoadedSuite) -> Fit:
        """The file of a suite; raises SurprisalFileError if there is none, or more than one."""
        fits = self.fits[suite.path]
        named = [fit for fit in fits if _is_named_after(fit.file.path, suite)]
        exactly = [fit for fit in named if fit.file.path.stem in _names(suite)]
        chosen = next((files for files in (fits, exactly, named) if len(files) == 1), None)
        if chosen is None:
            raise self._not_told(suite, named or fits)
        self.used.add(chosen[0].file.path)
        return chosen[0]

    def _not_told(self, suite: LoadedSuite, fits: Sequence[Fit]) -> SurprisalFileError:
        if fits:
            self.blamed |= {fit.file.path for fit in fits}
            files = " and ".join(str(fit.file.path) for fit in fits[:2])
            return SurprisalFileError(
                f"{suite.path}: {files} both have the tokens of its sentences; give the file of "
                f"one model, or name it after the suite: {suite.suite.name}.tsv"
            )
        reasons = self.reasons[suite.path]
        near = [path for path in reasons if _is_named_after(path, suite)]
        if len(self.fits) == 1 and len(reasons) == 1:
            near = list(reasons)
        if len(near) == 1:
            self.blamed.add(near[0])
            return SurprisalFileError(reasons[near[0]])
        count = sum(map(len, suite.sentences))
        return SurprisalFileError(
            f"{suite.path}: no file of surprisals has the tokens of its {count} sentences"
        )

    def unused(self) -> list[Unused]:
        """The files that are of no suite, once the suites have theirs."""
        files = [*self.broken]
        for file in self.files:
            if file.path in self.used | self.blamed:
                continue
            suites = [path for path, fits in self.fits.items() if any(f.file is file for f in fits)]
            why = (
                f"{suites[0]} has another file of surprisals, which is named after it"
                if suites
                else f"no suite has the {len(file.sentences)} sentences that its tokens spell"
            )
            files.append(Unused(str(file.path), SurprisalFileError(f"{file.path}: {why}")))
        return files


def matched(suites: Sequence[LoadedSuite], paths: Sequence[Path]) -> Matching:
    """Compare all suites with all files; a file that cannot be read is ``broken``.

    Raises:
        SurprisalFileError: A folder has no files of surprisals, or no file can be read.
        OSError: No file can be read.
    """
    matching = Matching([], [])
    for path in surprisal_files(paths):
        try:
            matching.files.append(read_surprisals(path))
        except (SurprisalFileError, OSError) as error:
            matching.broken.append(Unused(str(path), error))
    if not matching.files:
        raise matching.broken[0].error
    for suite in {suite.path: suite for suite in suites}.values():
        matching.add(suite)
    return matching


def _fit(suite: LoadedSuite, file: SurprisalFile) -> Fit:
    chosen = sum(len(row) for row in suite.sentences)
    expected = chosen + sum(suite.left_out)
    # A file may be of the first items only, as the suite is.
    if len(file.sentences) not in (expected, chosen):
        raise SurprisalFileError(
            f"{file.path}: {len(file.sentences)} sentences, the suite has {expected}"
        )
    remaining = iter(file.sentences)
    surprisals: list[ItemSurprisals] = []
    rows: list[tuple[Tokenized, ...]] = []
    encodings: dict[str, Tokenized] = {}
    for row in suite.sentences:
        item, aligned_row = [], []
        for sentence in row:
            tokens = next(remaining)
            aligned = encodings[sentence.text] = align(tokens, sentence, file.path)
            aligned_row.append(replace(aligned, ids=()))
            assigned = assign_tokens(aligned.spans, sentence)
            values = [token.surprisal for token in tokens]
            item.append(region_surprisals(values, assigned, len(sentence.spans)))
        surprisals.append(item)
        rows.append(tuple(aligned_row))
    return Fit(file, tuple(surprisals), vocabulary_of(encodings).doubt, tuple(rows))


def _is_named_after(path: Path, suite: LoadedSuite) -> bool:
    """True if a file's name has that of a suite, or of its file, as a whole part."""
    ends = "[^0-9A-Za-z]"
    return any(
        re.search(f"(^|{ends}){re.escape(name)}($|{ends})", path.stem, re.IGNORECASE)
        for name in _names(suite)
        if name
    )


def _names(suite: LoadedSuite) -> tuple[str, str]:
    return suite.suite.name, Path(suite.path).stem
