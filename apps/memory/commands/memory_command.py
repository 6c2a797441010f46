"""``evalmark memory``: the command and its options."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, Details, new_app
from evalmark.cli.options import (
    AtLeastOption,
    DeviceOption,
    ModelIdOption,
    SeedOption,
    TableFormatOption,
    model_option,
    one_of,
    output_option,
    refuse_dash,
    tests_option,
)
from evalmark.schemas.errors import UsageError

app = new_app()


EPILOG = """
\b
Examples:
  evalmark memory all --model ./my-chat-model --out runs/mine
  evalmark memory colours --agent mine.py:Mine --out mine --at-least all=0.6

Exit code: 0 done, 1 a test failed, not judged or below a floor, 2 failed.
"""


def _modes() -> Iterable[str]:
    from evalmark.memory.running.runner import MODES

    return MODES


def _thoughts() -> tuple[str, ...]:
    from evalmark.memory.agents.agent import THOUGHTS

    return THOUGHTS


TargetsArgument = Annotated[
    list[str],
    typer.Argument(metavar="TESTS...", help="Datasets, classes, definitions; or ltm-32k FOLDER."),
]
OutOption = Annotated[
    Path | None,
    output_option("--out", metavar="FOLDER", callback=refuse_dash, help="Folder of the run."),
]
ModelOption = Annotated[
    str | None,
    model_option(
        "--model", metavar="MODEL", help="Chat model: folder or name; with --url, its name."
    ),
]
UrlOption = Annotated[
    str | None,
    model_option("--url", metavar="URL", help="Endpoint with the chat completions API, up to /v1."),
]
OwnOption = Annotated[
    str | None,
    model_option("--agent", metavar="CLASS", help="Your own: file.py:Class, or a script (.json)."),
    Details(
        "`module:Class`, too. Of a script, `replies` has the reply to each message, written "
        "exactly as it is sent; `default` is the reply to all others, and is empty if it is left "
        "out."
    ),
]
KeysOption = Annotated[
    list[str] | None,
    model_option("--key-env", metavar="NAME", help="Variable of the key for --url."),
    Details(
        "`judge:NAME` for `--judge-url`; not needed if both endpoints are the same. Which key goes "
        "to which host: [endpoints](definitions.md#endpoints)."
    ),
]
WindowOption = Annotated[
    int | None,
    model_option("--window", metavar="N", min=1, help="Context window in tokens, for --url."),
    Details(
        "The oldest turns are left out when the conversation and the longest reply no longer fit."
    ),
]
PricesOption = Annotated[
    list[str] | None,
    model_option("--prices", metavar="IN,OUT", help="Dollars per million tokens."),
    Details(
        "`judge:IN,OUT` for the judge; otherwise its prices are the same. Without prices, the cost "
        "of an endpoint is not known: `null`."
    ),
]
TemperatureOption = Annotated[
    float, model_option("--temperature", metavar="X", min=0, help="Sampling temperature.")
]
MaxTokensOption = Annotated[
    int, model_option("--max-tokens", metavar="N", min=1, help="Maximum tokens in a reply.")
]
BodyOption = Annotated[
    list[str] | None,
    model_option("--body", metavar="NAME=JSON", help="One more field of requests; repeatable."),
    Details(
        "Adds or replaces a field; `null` removes it: `--body max_tokens=null --body "
        "max_completion_tokens=4096`. `judge:NAME=JSON` is for the judge. `model`, `messages`, "
        "`stream` and `n` cannot be set."
    ),
]
TimeoutOption = Annotated[
    float,
    model_option("--timeout", metavar="X", min=0.001, help="Seconds of a request."),
    Details("Also for the judge."),
]
SystemOption = Annotated[str, model_option("--system", metavar="TEXT", help="System message.")]
JudgeOption = Annotated[
    str | None,
    model_option(
        "--judge", metavar="MODEL", help="Judges what rules cannot: model, script or class."
    ),
    Details(
        "Without `--judge-url`, a model on this machine. `EVALMARK_JUDGE` and "
        "`EVALMARK_JUDGE_URL`, or your own configuration, name a judge for every run."
    ),
]
JudgeUrlOption = Annotated[
    str | None,
    model_option("--judge-url", metavar="URL", help="Its endpoint; default model: gpt-4-turbo."),
]
ModeOption = Annotated[
    str | None,
    tests_option(
        "--mode",
        metavar="MODE",
        **one_of("mode", _modes),
        help="filled (default), isolated or interleaved.",
    ),
    Details(
        "`filled`: a fresh agent for each test; waits for tokens are filled with talk. "
        "`isolated`: a fresh agent; waits only advance the clock, so scores say little about "
        "memory. `interleaved`: one conversation; while a test waits, others run."
    ),
]
ExamplesOption = Annotated[
    int | None,
    tests_option("--examples", metavar="N", min=1, help="Tests of each dataset that is made."),
]
MemorySpanOption = Annotated[
    int | None,
    tests_option(
        "--memory-span", metavar="N", min=1, help="Tokens that a test spans (default 2000)."
    ),
]
ThoughtsOption = Annotated[
    str,
    tests_option(
        "--thoughts",
        metavar="cut|keep",
        **one_of("thoughts", _thoughts),
        show_default=False,
        help="Of replies: cut off (default), or scored.",
    ),
    Details(
        "The [forms](definitions.md#thoughts) that are recognized. `run.json` and the record "
        "say in how many replies thoughts were cut off."
    ),
]
MaxMessagesOption = Annotated[
    int,
    tests_option(
        "--max-messages",
        metavar="N",
        min=1,
        show_default=False,
        help="Most that a test may send (default 1000).",
    ),
    Details(
        "A test that has not ended after so many has failed. Those of a script do not count: this "
        "is for tests that write their messages, and for callbacks."
    ),
]
MaxSecondsOption = Annotated[
    float | None,
    tests_option("--max-seconds", metavar="X", min=0, help="Most that replies to a test may take."),
    Details("With those of a judge. A test that takes longer has failed."),
]
RetryOption = Annotated[
    bool, tests_option("--retry", help="Ask again from the first failed reply on.")
]


@app.command(cls=Command, epilog=EPILOG)
def memory(
    targets: TargetsArgument,
    out: OutOption = None,
    model: ModelOption = None,
    url: UrlOption = None,
    agent_class: OwnOption = None,
    keys: KeysOption = None,
    window: WindowOption = None,
    prices: PricesOption = None,
    temperature: TemperatureOption = 0.0,
    max_tokens: MaxTokensOption = 256,
    body: BodyOption = None,
    timeout: TimeoutOption = 120.0,
    system: SystemOption = "",
    device: DeviceOption = "auto",
    judge: JudgeOption = None,
    judge_url: JudgeUrlOption = None,
    mode: ModeOption = None,
    examples: ExamplesOption = None,
    memory_span: MemorySpanOption = None,
    thoughts: ThoughtsOption = "cut",
    max_messages: MaxMessagesOption = 1000,
    max_seconds: MaxSecondsOption = None,
    seed: SeedOption = None,
    retry: RetryOption = False,
    model_id: ModelIdOption = None,
    output_format: TableFormatOption = "table",
    at_least: AtLeastOption = None,
) -> None:
    """Test what a model remembers of conversations; write a record.

    TESTS are names of datasets (`all` are those that need no judge), `file.py:Class`, definitions
    of the LTM benchmark or folders of them, or a configuration. Repeat the command to resume.
    """
    from evalmark.memory.commands.agents import AgentOptions, RequestOptions, endpoints
    from evalmark.memory.commands.converse_targets import ConverseCall, converse_targets
    from evalmark.scoring.comparison.gates import read_floors

    if out is None:
        raise UsageError("--out is missing: name the folder of the run")
    tested, judging = endpoints(
        (model, url), (judge, judge_url), keys or (), prices or (), body or ()
    )
    call = ConverseCall(
        targets,
        out,
        AgentOptions(
            tested,
            agent_class,
            system=system,
            temperature=temperature,
            max_tokens=max_tokens,
            model_id=model_id,
        ),
        judging,
        RequestOptions(timeout, window, device),
        mode=mode,
        examples=examples,
        memory_span=memory_span,
        seed=seed,
        thoughts=thoughts,
        max_messages=max_messages,
        max_seconds=max_seconds,
        retry=retry,
        output_format=output_format,
        floors=read_floors(at_least or ()),
    )
    raise typer.Exit(converse_targets(call))
