"""The options of `evalmark converse` and `evalmark judge`: a part of the table ``cli.options``."""

from __future__ import annotations

from evalmark.cli.one_option import SHOWING, Option
from evalmark.cli.options import MODEL

TESTS = "Tests"

MODES = "evalmark.conversations.running.runner:MODES"
THOUGHTS = "evalmark.conversations.agents.agents:THOUGHTS"
JUDGINGS = "evalmark.cli.judging.judging_table:JUDGINGS"

#: As ``cli.options.OPTIONS``, which has the entries that other commands use too.
CONVERSATION_OPTIONS: dict[str, Option] = {
    # converse
    "targets": Option("Sets, datasets, definitions, a config.", metavar="TESTS..."),
    "converse_out": Option("Folder of the run.", SHOWING, ("--out",), "FOLDER", stdout=False),
    "converse_model": Option(
        "Chat model: folder or name; with --url, its name.", MODEL, ("--model",), "MODEL"
    ),
    "url": Option("Endpoint with the chat completions API, up to /v1.", MODEL, ("--url",), "URL"),
    "script": Option(
        "JSON file of replies to use instead of a model.", MODEL, ("--script",), "FILE"
    ),
    "agent": Option("Your own agent: module:Class or file.py:Class.", MODEL, ("--agent",), "CLASS"),
    "key_env": Option("Variable of the key for --url.", MODEL, ("--key-env",), "NAME"),
    "window": Option("Context window in tokens, for --url.", MODEL, ("--window",), "N", least=1),
    "prices": Option("Dollars per million tokens.", MODEL, ("--prices",), "IN OUT"),
    "temperature": Option("Sampling temperature.", MODEL, ("--temperature",), "X", least=0),
    "max_tokens": Option("Maximum tokens in a reply.", MODEL, ("--max-tokens",), "N", least=1),
    "max_tokens_field": Option("Field for it, or none.", MODEL, ("--max-tokens-field",), "NAME"),
    "body": Option("One more field of requests; repeatable.", MODEL, ("--body",), "NAME=JSON"),
    "timeout": Option("Seconds for one request.", MODEL, ("--timeout",), "X", least=0.001),
    "system": Option("System message.", MODEL, ("--system",), "TEXT"),
    "judge": Option(
        "Judges what rules cannot: model, script or class.", MODEL, ("--judge",), "MODEL"
    ),
    "judge_url": Option(
        "Endpoint of the judge; default model: gpt-3.5-turbo.", MODEL, ("--judge-url",), "URL"
    ),
    "judge_key_env": Option(
        "Variable of the key for --judge-url.", MODEL, ("--judge-key-env",), "NAME"
    ),
    "judge_prices": Option("Like --prices, for the judge.", MODEL, ("--judge-prices",), "IN OUT"),
    "judge_body": Option("Like --body, for the judge.", MODEL, ("--judge-body",), "NAME=JSON"),
    "judge_prompt": Option(
        "Prompt of the judge, for memory sets.", MODEL, ("--judge-prompt",), "FILE"
    ),
    "mode": Option(
        "filled (default), isolated or interleaved.", TESTS, ("--mode",), "MODE", (MODES,)
    ),
    "examples": Option(
        "Tests of a dataset, or questions of a type.", TESTS, ("--examples",), "N", least=1
    ),
    "question_types": Option("Only questions of this type.", TESTS, ("--type",), "TYPE"),
    "memory_span": Option(
        "Tokens that a test spans (default 2000).", TESTS, ("--memory-span",), "N", least=1
    ),
    "thoughts": Option(
        "Of replies: cut off (default), or scored.", TESTS, ("--thoughts",), "", (THOUGHTS,)
    ),
    "seed": Option("Seed of tests and sampling (default 0).", TESTS, ("--seed",), "N"),
    "retry": Option("Ask again from the first failed reply on.", TESTS, ("--retry",)),
    # judge
    "judge_sources": Option("What is judged: see above.", metavar="[SOURCES...]"),
    "planted": Option("Judge planted answers, not those of runs.", TESTS, ("--planted",)),
    "judge_examples": Option(
        "Questions of each type; default: all.", TESTS, ("--examples",), "N", least=1
    ),
    "judges": Option(
        "Model, script (.json) or MODULE:CLASS; give two to compare them.",
        MODEL, ("--judge",), "JUDGE",
    ),
    "judge_urls": Option(
        "Endpoint of the judges, or one for each.", MODEL, ("--judge-url",), "URL"
    ),
    "judge_key_envs": Option(
        "Variable of the key, or one for each --judge-url.", MODEL,
        ("--key-env", "--judge-key-env"), "NAME",
    ),
    "judge_sets": Option("SOURCES are answers to this memory set.", TESTS, ("--set",), "SET"),
    "prompt": Option("Ask with the prompt of this file.", TESTS, ("--prompt",), "FILE"),
    "judge_format": Option("Output format.", SHOWING, ("--format",), "", (JUDGINGS,)),
}  # fmt: skip
