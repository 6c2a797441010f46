"""Surprisals from a TSV file with one token per line, aligned to the text.

Columns: ``sentence_id``, ``token_id`` (both from 1), ``token``, ``surprisal`` (bits). Sentences
are in the order of items and, within an item, of conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import SurprisalFileError
from evalmark.scoring.models.protocols import Tokenized
from evalmark.validator.batch.walking import expand
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.formats.suites.sentences import Sentence

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

    @property
    def has_ends(self) -> bool:
        """Whether the ends of sentences have surprisals."""
        return any(s[-1].token in END_TOKENS for s in self.sentences)


def surprisal_files(paths: Iterable[Path]) -> list[Path]:
    """The files behind paths: those named, and those in folders that have the header.

    Raises:
        SurprisalFileError: A folder has none.
        OSError: A file cannot be read.
    """
    found: dict[Path, None] = {}
    for path in paths:
        inside = [
            Path(file)
            for file, named in expand([str(path)], (".tsv", ".txt"))
            if named or _header(read_whole(file).partition(b"\n")[0].decode("utf-8", "replace"))
        ]
        if not inside:
            raise SurprisalFileError(f"{path} has no .tsv or .txt file with surprisals")
        found |= dict.fromkeys(inside)
    return list(found)


def _header(line: str) -> bool:
    return tuple(line.rstrip("\r").split("\t")) == COLUMNS


def read_surprisals(path: Path) -> SurprisalFile:
    """The tokens of each sentence of a file.

    Raises:
        SurprisalFileError: It is not a file of surprisals.
        OSError: It cannot be read.
    """
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
            end = at + _matched(token.token, text, at)
            if end == at and any(form.strip() for form in _forms(token.token)):
                raise SurprisalFileError(
                    f"{path}:{token.line}: token {token.token!r} does not match the text "
                    f"at {text[at : at + 20]!r} (of {text!r}); is this file for this suite?"
                )
            yield at, end
            at = end
    if text[at:].strip():
        last = tokens[-1].line if tokens else 1
        raise SurprisalFileError(
            f"{path}:{last}: the sentence ends early: {text[at:]!r} of {text!r} has no token"
        )


def _forms(token: str) -> Iterable[str]:
    """The possible spellings of a token in the text."""
    yield token
    for mark in _MARKS_BEFORE:
        if token.startswith(mark):
            yield token[len(mark) :]
    for mark in _MARKS_AFTER:
        if token.endswith(mark):
            yield token[: -len(mark)]
    if len(token) > 2 and token[0] == token[-1] == "@":
        yield token[1:-1]  # Moses writes a hyphen within a word as @-@


def _matched(token: str, text: str, at: int) -> int:
    """How many characters of the text at ``at`` a token covers; 0 if it does not match."""
    for form in _forms(token):
        if form and text[at : at + len(form)].casefold() == form.casefold():
            return len(form)
    return 0


def _unknown_end(following: Sequence[FileToken], text: str, at: int) -> int:
    """The end of the unknown words that begin at ``at``."""
    following = [token for token in following if token.token not in UNKNOWN_TOKENS]
    end = at
    while end < len(text):
        while end < len(text) and not text[end].isspace():
            end += 1
            if following and _matched(following[0].token, text, end) and not text[end:].isspace():
                return end
        space = end
        while space < len(text) and text[space].isspace():
            space += 1
        if not following or following[0].token in END_TOKENS:
            end = len(text.rstrip())
            break
        if _matched(following[0].token, text, space):
            break
        end = space
    return end
