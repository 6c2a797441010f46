"""A row of a sample file as rules see it: the same fields for every version."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from operator import itemgetter
from typing import Any

from evalmark.validator.findings.finding import At, Mistake, Severity
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.findings.rule import Rule, checked_rules, grouped
from evalmark.validator.formats.records.record_fields import (
    SampleLayout,
    sample_layout,
)
from evalmark.validator.formats.shared.field_layout import Fields, column
from evalmark.validator.formats.shared.json_values import mapping, number

#: What programs write where there is no answer, as ``_folded_alphanumerics`` has it.
_NO_ANSWER = frozenset(
    ("", "invalid", "none", "null", "na", "nan", "noanswer", "nomatch", "unknown")
)
#: Times of a row that are parts of its latency.
_PARTS = ("first_token", "generation")
#: Counts of tokens that some programs have outside those of the input and the output.
_APART = ("tokens_to_cache", "cached_tokens", "reasoning_tokens")


@dataclass(slots=True)
class SampleView(Fields):
    """A row."""

    turns: list[Any]  # the turns of its conversation; none for a single turn
    algorithm: str  # the digest that its record names for hashes
    layouts: SampleLayout

    @property
    def result(self) -> tuple[str, str]:
        """The field by which the row names its result, and what it says there."""
        field = "identity" if self.get("identity") else "evaluation_name"
        return field, self.get(field)

    def of_turns(self, field: str) -> list[Any]:
        """The value of a field in each turn; None where it is absent."""
        return column(self.turns, field, self.layouts.turn)

    def turn_at(self, turn: int, field: str) -> str:
        """The pointer of a field of a turn."""
        return Fields(None, f"{self.at('turns')}/{turn}", self.layouts.turn).at(field)

    @property
    def attributed(self) -> list[Any]:
        """The turn that each answer is said to come from."""
        return column(self.get("attributions") or (), "turn", self.layouts.attribution)

    @property
    def tokens(self) -> tuple[int, int, list[int]] | None:
        """The total, those of input and output, and those that some programs count apart."""
        usage = self.get("usage")
        if not usage:
            return None
        at = self.layout
        base = usage[at["input_tokens"][-1]] + usage[at["output_tokens"][-1]]
        apart = [usage[key] for name in _APART if usage.get(key := at[name][-1])]
        return usage[at["total_tokens"][-1]], base, apart

    @property
    def written_in_a_turn(self) -> float:
        """Tokens of output without reasoning, of one turn of the model if all are as long."""
        if not self.get("usage"):
            return 0
        replies = self.of_turns("role").count("assistant") if self.turns else 1
        outputs = self.get("output")
        replies = max(replies, len(outputs) if isinstance(outputs, list) else 1)
        written = self.get("output_tokens") - (self.get("reasoning_tokens") or 0)
        return float(written) / replies

    def calls(self, turn: int) -> list[str]:
        """The ids of the tool calls in a turn."""
        calls = Fields(self.turns[turn], "", self.layouts.turn).entries("calls")
        return [str(call) for call in column(calls, "id", self.layouts.call)]


def sample_view(
    data: Mapping[str, Any], version: str | None, algorithm: str = "sha256"
) -> SampleView:
    """The view of a row that its schema accepts."""
    layouts = sample_layout(version)
    turns = Fields(data, "", layouts.row).entries("turns")
    return SampleView(data, "", layouts.row, turns, algorithm, layouts)


def correct_against_score(row: SampleView) -> Iterator[Mistake]:
    """A sample with score 1 is not correct, or one with score 0 is, or one that failed.

    A score in between may be either. One that ended in an error and has no output is not correct.
    If most samples of an accuracy are correct by an exact match of their answer, one is not whose
    answer is another choice than the expected one.

    Bad: `"score": 0.0, "is_correct": true`
    Good: `"score": 1.0, "is_correct": true`
    """
    score, correct = row.get("score"), row.get("is_correct")
    value = float(score) if isinstance(score, bool) else number(score)
    if value in (0.0, 1.0) and isinstance(correct, bool) and correct is not bool(value):
        yield Mistake(
            f"score is {cited(score)} but `is_correct` is {cited(correct)}",
            At(row.at("is_correct")),
            labels=((At(row.at("score")), "the score"),),
            fold="correct",
        )
    elif correct is True and row.text("error") and not row.turns and _is_blank(row.get("output")):
        yield Mistake(
            "a sample that ended in an error, without an output, is correct",
            At(row.at("is_correct")),
            labels=((At(row.at("error")), "the error"),),
            fold="failed",
        )


def _is_blank(output: object) -> bool:
    texts = output if isinstance(output, list) else [output]
    return not any(isinstance(text, str) and text.strip() for text in texts)


def number_of_turns(row: SampleView) -> Iterator[Mistake]:
    """`num_turns` is not the number of turns of a conversation.

    The released schemas require `num_turns` under a key that rows do not have, so they never
    enforce it.

    Bad: `"interaction_type": "multi_turn"` without `"num_turns"`
    Good: `"evaluation": {…, "num_turns": 2}` with two turns of the model
    """
    if row.get("interaction_type") == "single_turn" or not row.turns:
        return
    roles = row.of_turns("role")
    counted = {len(roles), roles.count("assistant"), roles.count("user")}
    stated = row.get("num_turns")
    if stated is None:
        yield Mistake(
            "a conversation needs `num_turns`",
            At(row.at("evaluation")),
            helps=(f'add "num_turns": {roles.count("assistant")}',),
            fold="missing",
        )
    elif stated not in counted and not any(map(_misnamed, roles)):  # else that is the mistake
        yield Mistake(
            f"`num_turns` is {cited(stated)}, but there are {len(row.turns)} turns",
            At(row.at("num_turns")),
            labels=((At(row.at("turns")), "the turns"),),
            fold="count",
        )


def turn_indices(row: SampleView) -> Iterator[Mistake]:
    """Turns are not numbered 0, 1, 2, … in order.

    Bad: turns 0, 2, 1
    Good: turns 0, 1, 2
    """
    for place, index in enumerate(row.of_turns("index")):
        if index != place:
            message, at = f"turn {place} has the number {cited(index)}", row.turn_at(place, "index")
            yield Mistake(message, At(at), caret=f"expected {place}", fold="index")
            return


def unknown_role(row: SampleView) -> Iterator[Mistake]:
    """The role of a turn is an unusual name for user, assistant, system or tool.

    Tools count turns and find answers by these words. The format allows other roles, such as
    "environment"; other names and spellings of these four are reported.

    Bad: `"role": "Assistant"`, or `"human"`
    Good: `"role": "assistant"`, or `"user"`
    """
    for place, role in enumerate(row.of_turns("role")):
        if meant := _misnamed(role):
            yield Mistake(
                f"unrecognized role {cited(role)}",
                At(row.turn_at(place, "role")),
                caret='expected "user", "assistant", "system" or "tool"',
                helps=(f'write "{meant}"',) if meant in _ROLES else (),
                fold=role,
            )


_ROLES = ("user", "assistant", "system", "tool")
#: Their names in interfaces of models and datasets of conversations.
_MEANT = {
    "human": "user",
    "prompter": "user",
    "bot": "assistant",
    "chatbot": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "gpt": "assistant",
    "": "one of these",
}


def _misnamed(role: str) -> str | None:
    """The role that another name or spelling means; None if the role is fine."""
    if role in _ROLES or len(role) > 20:
        return None
    return _meant_by(role.strip().lower())


@lru_cache(64)
def _meant_by(word: str) -> str | None:
    if word in _ROLES or word in _MEANT:
        return _MEANT.get(word, word)
    if not word.isalpha():
        return None  # user_1 and user_2 are two users
    from difflib import get_close_matches  # rarely needed

    return next(iter(get_close_matches(word, _ROLES, 1, 0.8)), None)


def tool_call_references(row: SampleView) -> Iterator[Mistake]:
    """A turn answers a tool call that no earlier turn made.

    Bad: `"tool_call_id": ["call_2"]` where only `call_1` was made
    Good: `"tool_call_id": ["call_1"]`
    """
    answers = row.of_turns("answers")
    if not any(answers):
        return
    made: list[str] = []
    for place, answered in enumerate(answers):
        for identity in [answered] if isinstance(answered, str) else answered or ():
            if identity not in made:
                yield Mistake(
                    f"there is no earlier tool call {cited(identity)}",
                    At(row.turn_at(place, "answers")),
                    notes=(f"earlier calls: {listed(made) or 'none'}",),
                    fold="tool",
                )
        made += row.calls(place)


def sample_hash(row: SampleView) -> Iterator[Mistake]:
    """`sample_hash` is not the digest of the input and the reference.

    It should be that of the compact JSON text `{"raw":…,"reference":[…]}` with sorted keys.
    Harnesses have used other recipes, and hashes of different recipes never match.

    Bad: a hash of anything else
    Good: sha256 of `{"raw":"2+2?","reference":["4"]}`
    """
    stated, raw, reference = row.text("sample_hash"), row.text("raw"), row.get("reference")
    if stated is None or raw is None:
        return
    texts = [reference] if isinstance(reference, str) else list(reference or ())
    right = _digest(_compact(raw, texts), row.algorithm)
    if right == stated.lower():
        return
    spaced = {"raw": raw, "reference": texts[0] if len(texts) == 1 else texts}
    recipes = {
        json.dumps(spaced, sort_keys=True): "that of converters for lm-evaluation-harness",
        raw + "".join(texts): "that of converters for Inspect (plain concatenation)",
    }
    message, fold = "`sample_hash` does not match this sample", "hash"
    for text, name in recipes.items():
        if _digest(text, row.algorithm) == stated.lower():
            message, fold = f"`sample_hash` uses a different recipe: {name}", name
    yield Mistake(message, At(row.at("sample_hash")), helps=(f'write "{right}"',), fold=fold)


def output_against_score(row: SampleView) -> Iterator[Mistake]:
    """A sample that evalmark has scored has an output that contradicts its score.

    The output of an item of a suite is whether its predictions hold. That of a minimal pair is the
    text that the model prefers; its score is 1 if that is the right one.

    Bad: `"output": {"raw": ["false"]}` with `"score": 1.0`
    Good: `"output": {"raw": ["false"]}` with `"score": 0.0`
    """
    metadata, output = mapping(row.get("metadata")), row.entries("output")
    if "decided_by_rounding" in metadata and output in (["true"], ["false"]):  # of a suite
        right = output == ["true"]
    elif metadata.keys() >= {"outcome", "surprisals", "scores"}:
        right = bool(output) and output == row.entries("reference")
    else:
        return
    if row.number("score") != right:
        says = "right" if right else "wrong"
        message = f"`score` is {cited(row.get('score'))}, but by its `output` the model is {says}"
        yield Mistake(message, At(row.at("score")), labels=((At(row.at("output")), "the output"),))


def token_totals(row: SampleView) -> Iterator[Mistake]:
    """The total number of tokens is not the sum of its parts, or a part is more than the whole.

    A total includes the input and output tokens. Some programs count cached or reasoning tokens
    separately; the total can include these, too. Reasoning tokens that it does not add are some of
    those of the output.

    Bad: `"input_tokens": 12, "output_tokens": 5, "total_tokens": 71`
    Good: `"input_tokens": 12, "output_tokens": 5, "total_tokens": 17`
    """
    tokens = row.tokens
    if tokens is None:
        return
    total, right, others = tokens
    if total == right:
        reasoning = row.get("reasoning_tokens")
        if reasoning is not None and reasoning > (written := row.get("output_tokens")):
            yield Mistake(
                f"`reasoning_tokens` is {reasoning}, and all `output_tokens` are {written}",
                At(row.at("reasoning_tokens")),
                fold="reasoning",
            )
        return
    sums = {right}
    for extra in others:
        sums |= {subtotal + extra for subtotal in sums}
    if total not in sums:
        yield Mistake(
            f"`total_tokens` is {cited(total)}, but input and output have {cited(right)}",
            At(row.at("total_tokens")),
            helps=(f'write "total_tokens": {cited(right)}',),
            fold="tokens",
        )


def attribution_turn(row: SampleView) -> Iterator[Mistake]:
    """An answer is attributed to a turn that the sample lacks.

    Turns are numbered from 0. A single turn has the number 0.

    Bad: `"turn_idx": 7` in `answer_attribution` of a conversation of six turns
    Good: `"turn_idx": 5`
    """
    count = len(row.turns) or 1
    for place, turn in enumerate(row.attributed):
        # Turns may be numbered in another way; turn_indices reports it.
        if turn >= count and turn not in row.of_turns("index"):
            yield Mistake(
                f"turn {cited(turn)} does not exist",
                At(f"{row.at('attributions')}/{place}/turn_idx"),
                caret=f"expected a number from 0 to {count - 1}" if count > 1 else "expected 0",
                helps=("write 0",) if count == 1 else (),
                fold="turn",
            )


def answer_not_found(row: SampleView) -> Iterator[Mistake]:
    """The expected answer is not a choice, or the answer is not in the text it was taken from.

    Choices that were cut lack the expected answer; outputs of the next row do not have the answer
    of this one. Capitals, spaces and punctuation may differ. References that are the number or the
    letter of a choice, and answers that were not taken by a regular expression, are not checked.

    Bad: `"reference": ["Paris"], "choices": ["Rome", "Oslo"]`
    Good: `"reference": ["Paris"], "choices": ["Rome", "Paris"]`
    """
    choices, reference = row.entries("choices"), row.entries("reference")
    if choices and reference and reference[0] not in choices and _is_no_choice(reference, choices):
        yield Mistake(
            "the expected answer is not one of the choices",
            At(row.at("choices")),
            labels=((At(row.at("reference")), "the expected answer"),),
            fold="choices",
        )
    output = row.get("output")
    if not output:
        return
    text = " ".join(map(str, output)) if isinstance(output, list) else str(output)
    for answer in row.each("attributions", row.layouts.attribution):
        if _was_matched(answer) and not _has_answer(text, answer.text("value") or ""):
            yield Mistake(
                f"the answer {cited(answer.get('value'))} is not in the output that it was taken "
                "from",
                At(answer.at("value")),
                labels=((At(row.at("output")), "the output"),),
                fold="output",
            )


def _is_no_choice(reference: Sequence[Any], choices: Sequence[Any]) -> bool:
    """True if no choice is like the expected answer; a number or a letter may be that of one."""
    texts = {*map(_folded_alphanumerics, choices)}
    expected = {*map(_folded_alphanumerics, reference)}
    if min(map(len, texts | expected)) < 2 or "".join(expected).isdecimal():
        return False
    return not any(a in b or b in a for a in texts for b in expected)


def _was_matched(answer: Fields) -> bool:
    """True if a regular expression took an answer from the output."""
    is_of_output = answer.get("source") == "output.raw"
    return is_of_output and (answer.text("method") or "").casefold() == "regex"


def _has_answer(text: str, value: str) -> bool:
    """True if an output has an answer, or if ``value`` says that there is none."""
    if value in text:
        return True
    letters = _folded_alphanumerics(value)
    return letters in _NO_ANSWER or letters in _folded_alphanumerics(text)


def _folded_alphanumerics(text: object) -> str:
    return re.sub(r"[\W_]+", "", str(text)).casefold()


def of_answer(row: SampleView) -> str:
    """How an answer that is correct by an exact match goes with the expected one; else "".

    It is "like" that, or "odd" if it is another choice, or "unknown".
    """
    answers, outputs = row.get("attributions"), row.get("output")
    if row.turns or not answers or len(answers) > 1:
        return ""
    if not row.get("is_correct") or row.get("score") != 1:  # else that is a finding
        return ""
    at = row.layouts.attribution
    value, method = answers[0][at["value"][-1]], answers[0][at["method"][-1]]
    is_exact = method.casefold() in ("exact", "exact_match", "exact match")
    if not is_exact or (isinstance(outputs, list) and len(outputs) > 1):
        return ""
    expected, choices = row.entries("reference"), row.entries("choices")
    if value in expected:
        return "like"
    if len(expected) != 1 or value not in choices or expected[0] not in choices:
        return "unknown"
    answer, right = map(_folded_alphanumerics, (value, expected[0]))
    # A beginning may count as a match, and a number may be that of a choice.
    is_near = answer in right or right in answer or right.isdecimal()
    return "unknown" if is_near else "odd"


def odd_answer(row: SampleView) -> Mistake:
    """The mistake of a row that is odd; see ``of_answer``."""
    (answer,) = row.each("attributions", row.layouts.attribution)
    value, expected = cited(answer.get("value")), cited(row.entries("reference")[0])
    message = f"the answer {value} is marked as correct, but the expected one is {expected}"
    label = At(answer.at("value")), "the answer"
    return Mistake(message, At(row.at("is_correct")), labels=(label,), fold="answer")


def latency_below_parts(row: SampleView) -> Iterator[Mistake]:
    """The whole time of a sample is less than a part of it.

    All times are in milliseconds, and the latency has the others in it.

    Bad: `"latency_ms": 1.31, "generation_time_ms": 1200.0`
    Good: `"latency_ms": 1310.0, "generation_time_ms": 1200.0`
    """
    whole = row.number("latency") if row.get("performance") else None
    if whole is None:
        return
    part, longest = max(((field, row.number(field) or 0) for field in _PARTS), key=itemgetter(1))
    if whole < longest * 0.99:  # clocks are read one after the other
        in_seconds = whole and 0.3 <= whole * 1000 / longest <= 30
        yield Mistake(
            f"`latency_ms` is {whole:g}, and `{row.key(part)}`, a part of it, {longest:g}",
            At(row.at("latency")),
            helps=(f"if it is in seconds, write {whole * 1000:.10g}",) if in_seconds else (),
            fold="latency",
        )


def _compact(raw: str, reference: list[str]) -> str:
    # The same as json.dumps, but faster.
    texts = ",".join(map(encode_basestring_ascii, reference))
    return f'{{"raw":{encode_basestring_ascii(raw)},"reference":[{texts}]}}'


def _digest(text: str, algorithm: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    if algorithm == "sha256":  # nearly always, and twice as fast as new()
        return hashlib.sha256(raw, usedforsecurity=False).hexdigest()
    return hashlib.new(algorithm, raw, usedforsecurity=False).hexdigest()


_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

ROW_RULES: tuple[Rule, ...] = checked_rules(
    ("EE301", "correct-against-score", _WARNING, correct_against_score),
    ("EE302", "number-of-turns", _WARNING, number_of_turns),
    ("EE303", "turn-indices", _WARNING, turn_indices),
    ("EE304", "tool-call-references", _WARNING, tool_call_references),
    ("EE305", "sample-hash", _WARNING, sample_hash),
    ("EE306", "token-totals", _WARNING, token_totals),
    ("EE307", "attribution-turn", _WARNING, attribution_turn),
    ("EE308", "unknown-role", _WARNING, unknown_role),
    ("EE309", "output-against-score", _ERROR, output_against_score),
    ("EE310", "answer-not-found", _WARNING, answer_not_found),
    ("EE325", "latency-below-parts", _WARNING, latency_below_parts),
)

#: Those of a conversation, and those that apply to any other row.
ROW_GROUPS = grouped(ROW_RULES)
SINGLE_TURN_GROUPS = grouped(
    rule for rule in ROW_RULES if rule.code not in ("EE302", "EE303", "EE304", "EE308")
)

#: Code, name and severity of the rules on a whole file (see ``check_samples``) -> their pages.
_FILE_PAGES: dict[tuple[str, str, Severity], str] = {
    ("EE311", "row-version", _ERROR): """A row has another version than its record.

    Bad: rows of 0.2.2 with a record of 0.3.0
    Good: both of 0.3.0
    """,
    ("EE312", "row-count", _ERROR): """A sample file has more or fewer rows than its record states.

    If it has fewer, the file was probably truncated.

    Bad: `"total_rows": 100` with 99 rows
    Good: `"total_rows": 99`
    """,
    ("EE313", "checksum", _ERROR): """A sample file has another checksum than its record states.

    The checksum is the digest of the exact bytes of the file, computed with `hash_algorithm`.

    Bad: a file that was changed after its record was written
    Good: the unchanged file
    """,
    ("EE314", "row-evaluation-id", _ERROR): """A row has another evaluation id than its record.

    Bad: `"evaluation_id": "b"` in a row, `"a"` in the record
    Good: equal ids
    """,
    ("EE315", "row-model-id", _ERROR): """A row has another model than its record.

    Bad: `"model_id": "example/b"` in a row, `"id": "example/a"` in the record
    Good: equal ids
    """,
    ("EE316", "row-result", _ERROR): """A row belongs to no result of the record.

    Rows refer to it by `evaluation_result_id` if they have one, otherwise by `evaluation_name`.

    Bad: `"evaluation_name": "npi/3"` where the record has `npi/1` and `npi/2`
    Good: `"evaluation_name": "npi/2"`
    """,
    ("EE317", "duplicate-row", _WARNING): """A result has duplicate samples.

    Bad: the same `sample_id` twice for one result
    Good: one row for each sample and result
    """,
    (
        "EE318",
        "aggregate-differs",
        _ERROR,
    ): """The score of a result is not the mean of the scores of its rows.

    This is an error in records of what evalmark has scored, and for accuracy and exact match if the
    rows are all of the samples that the result states. Otherwise it is a warning, because the score
    may be no mean, or the rows a part. Rounding and percentages are allowed for.

    Bad: `"score": 0.76` with rows whose mean is 0.75
    Good: `"score": 0.75`
    """,
    ("EE319", "samples-missing", _WARNING): """The sample file that a record names does not exist.

    Its path is relative to the folder of the record, or to the folder that contains `data`.

    Bad: `"file_path": "samples.jsonl"` and no such file
    Good: the file next to the record
    """,
    ("EE320", "blank-line", _WARNING): """A sample file has blank lines.

    Bad: an empty line between two rows
    Good: one row a line
    """,
    (
        "EE321",
        "samples-path",
        _ERROR,
    ): """A record's sample file is not a regular file in its folder or datastore.

    The path must be relative and, after symbolic links are resolved, lead to a file in or below the
    folder of the record or the folder that contains `data`. A record can come from anyone, so
    evalmark opens no other file for it, and no hidden file, folder, device or pipe.

    Bad: `"file_path": "/home/me/samples.jsonl"`, or `"../../samples.jsonl"`
    Good: `"file_path": "samples.jsonl"`, with the file next to the record
    """,
    (
        "EE322",
        "row-name",
        _WARNING,
    ): """A row has the id of one result and the name of another.

    Tools that show or filter samples use the name.

    Bad: `"evaluation_result_id": "a", "evaluation_name": "npi/3"` where `"a"` is named `npi/2`
    Good: `"evaluation_result_id": "a", "evaluation_name": "npi/2"`
    """,
    ("EE323", "orphaned-samples", _WARNING): """No record names a sample file.

    This is checked with `--changed`, when a branch deletes a record, or changes the path in it.

    Bad: `f3a1.json` is deleted, and `f3a1_samples.jsonl` is not
    Good: both are deleted
    """,
    (
        "EE324",
        "sample-count",
        _WARNING,
    ): """A result has more or fewer rows in the sample file than samples.

    The number of samples is `num_samples` of its uncertainty. Those that it lists in `sample_ids`
    are the ones that it has rows of.

    Bad: `"num_samples": 400` with 4 rows of this result
    Good: `"num_samples": 4`, or all 400 rows
    """,
    (
        "EE326",
        "output-beyond-limit",
        _WARNING,
    ): """Outputs have more tokens than the settings of their result allow.

    A model stops after `max_tokens` in each of its turns. Tokens of reasoning are not counted.

    Bad: `"max_tokens": 16` with rows of `"output_tokens": 70`
    Good: `"max_tokens": 512`
    """,
}
FILE_RULES: dict[str, Rule] = {rule[1]: Rule(*rule, page) for rule, page in _FILE_PAGES.items()}
