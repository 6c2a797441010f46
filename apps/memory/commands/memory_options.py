"""The options of ``evalmark memory``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evalmark.cli.options import (
    AtLeastOption,
    DeviceOption,
    SeedOption,
    TableFormatOption,
)
from evalmark.scoring.score_options import ModelIdOption
from evalmark.validator.options.declaration import (
    Argument,
    choice_of,
    model_option,
    output_option,
    refuse_dash,
    tests_option,
)


def _modes() -> Iterable[str]:
    from evalmark.memory.running.runner import MODES

    return MODES


def _thoughts() -> tuple[str, ...]:
    from evalmark.memory.agents.agent import THOUGHTS

    return THOUGHTS


@dataclass(frozen=True, kw_only=True)
class MemoryOptions:
    """The options of ``evalmark memory``."""

    targets: Annotated[
        Sequence[str],
        Argument(metavar="TESTS...", help="Datasets, classes, definitions; or ltm-32k FOLDER."),
    ]
    out: Annotated[
        Path | None,
        output_option("--out", metavar="FOLDER", callback=refuse_dash, help="Folder of the run."),
    ] = None
    model: Annotated[
        str | None,
        model_option(
            "--model", metavar="MODEL", help="Chat model: folder or name; with --url, its name."
        ),
    ] = None
    url: Annotated[
        str | None,
        model_option(
            "--url", metavar="URL", help="Endpoint with the chat completions API, up to /v1."
        ),
    ] = None
    agent_class: Annotated[
        str | None,
        model_option(
            "--agent",
            metavar="CLASS",
            help="Your own: file.py:Class, or a script (.json).",
            details="`module:Class`, too. Of a script, `replies` has the reply to each message, "
            "written exactly as it is sent; `default` is the reply to all others, and is empty if "
            "it is left out.",
        ),
    ] = None
    keys: Annotated[
        Sequence[str],
        model_option(
            "--key-env",
            metavar="NAME",
            help="Variable of the key for --url.",
            details="`judge:NAME` for `--judge-url`; not needed if both endpoints are the same. "
            "Which key goes to which host: [endpoints](definitions.md#endpoints).",
        ),
    ] = ()
    window: Annotated[
        int | None,
        model_option(
            "--window",
            metavar="N",
            min=1,
            help="Context window in tokens, for --url.",
            details="The oldest turns are left out when the conversation and the longest reply no "
            "longer fit.",
        ),
    ] = None
    prices: Annotated[
        Sequence[str],
        model_option(
            "--prices",
            metavar="IN,OUT",
            help="Dollars per million tokens.",
            details="`judge:IN,OUT` for the judge; otherwise its prices are the same. Without "
            "prices, the cost of an endpoint is not known: `null`.",
        ),
    ] = ()
    temperature: Annotated[
        float, model_option("--temperature", metavar="X", min=0, help="Sampling temperature.")
    ] = 0.0
    max_tokens: Annotated[
        int, model_option("--max-tokens", metavar="N", min=1, help="Maximum tokens in a reply.")
    ] = 256
    body: Annotated[
        Sequence[str],
        model_option(
            "--body",
            metavar="NAME=JSON",
            help="One more field of requests; repeatable.",
            details="Adds or replaces a field; `null` removes it: `--body max_tokens=null --body "
            "max_completion_tokens=4096`. `judge:NAME=JSON` is for the judge. `model`, `messages`, "
            "`stream` and `n` cannot be set.",
        ),
    ] = ()
    timeout: Annotated[
        float,
        model_option(
            "--timeout",
            metavar="X",
            min=0.001,
            help="Seconds of a request.",
            details="Also for the judge.",
        ),
    ] = 120.0
    system: Annotated[str, model_option("--system", metavar="TEXT", help="System message.")] = ""
    device: DeviceOption = "auto"
    judge: Annotated[
        str | None,
        model_option(
            "--judge",
            metavar="MODEL",
            help="Judges what rules cannot: model, script or class.",
            details="Without `--judge-url`, a model on this machine. `EVALMARK_JUDGE` and "
            "`EVALMARK_JUDGE_URL`, or your own configuration, name a judge for every run.",
        ),
    ] = None
    judge_url: Annotated[
        str | None,
        model_option(
            "--judge-url", metavar="URL", help="Its endpoint; default model: gpt-4-turbo."
        ),
    ] = None
    mode: Annotated[
        str | None,
        tests_option(
            "--mode",
            metavar="MODE",
            **choice_of("mode", _modes),
            help="filled (default), isolated or interleaved.",
            details="`filled`: a fresh agent for each test; waits for tokens are filled with talk. "
            "`isolated`: a fresh agent; waits only advance the clock, so scores say little about "
            "memory. `interleaved`: one conversation; while a test waits, others run.",
        ),
    ] = None
    examples: Annotated[
        int | None,
        tests_option("--examples", metavar="N", min=1, help="Tests of each dataset that is made."),
    ] = None
    memory_span: Annotated[
        int | None,
        tests_option(
            "--memory-span", metavar="N", min=1, help="Tokens that a test spans (default 2000)."
        ),
    ] = None
    thoughts: Annotated[
        str,
        tests_option(
            "--thoughts",
            metavar="cut|keep",
            **choice_of("thoughts", _thoughts),
            show_default=False,
            help="Of replies: cut off (default), or scored.",
            details="The [forms](definitions.md#thoughts) that are recognized. `run.json` and the "
            "record say in how many replies thoughts were cut off.",
        ),
    ] = "cut"
    max_messages: Annotated[
        int,
        tests_option(
            "--max-messages",
            metavar="N",
            min=1,
            show_default=False,
            help="Most that a test may send (default 1000).",
            details="A test that has not ended after so many has failed. Those of a script do not "
            "count: this is for tests that write their messages, and for callbacks.",
        ),
    ] = 1000
    max_seconds: Annotated[
        float | None,
        tests_option(
            "--max-seconds",
            metavar="X",
            min=0,
            help="Most that replies to a test may take.",
            details="With those of a judge. A test that takes longer has failed.",
        ),
    ] = None
    seed: SeedOption = None
    retry: Annotated[
        bool, tests_option("--retry", help="Ask again from the first failed reply on.")
    ] = False
    model_id: ModelIdOption = None
    output_format: TableFormatOption = "table"
    at_least: AtLeastOption = ()
