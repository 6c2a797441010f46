"""Trust in folders: every value that is taken from one, and what holds for it.

A folder is data: it may come from anyone. Code, keys, hosts and paths outside of it are given by
the user: on the command line, in an environment variable, or in the user's own configuration
(``evalmark.validator.settings.user_config``). Tests walk the fields of everything that is read from
a folder against this table, and drive every entry with a hostile value. SECURITY.md shows it.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Sink(Enum):
    """A danger of values that are simply used."""

    CODE = "runs code"
    PATH = "opens a path"
    HOST = "contacts a host"
    KEY = "sends a key"
    DELETES = "deletes a file"
    OPTIONS = "passes options to a model, a class or a process"
    TIME = "never finishes"


class TrustRule(Enum):
    """The rule for a value."""

    DATA = "plain data: compared or shown, or passed to your own class"
    WRITTEN = "only unchanged files of the run, below its folder"
    LISTED = "only known names, with values of the right type"
    INSIDE = "only a path inside the folder once links are followed, and none that is hidden"
    NAMED = "only a name on the hub or a path inside the folder, never a class"
    REFUSED = "refused"
    BOUNDED = "limited in time"


class Trusted(NamedTuple):
    """Values that are taken from a folder, and what holds for them."""

    source: str  # the source that they are read from
    names: tuple[str, ...]  # their names there
    sinks: tuple[Sink, ...] = ()  # the effects that they could have; empty if they have none
    rule: TrustRule = TrustRule.DATA  # the rule that holds for them
    option: str = ""  # the option that gives the value instead; empty if there is none
    variables: tuple[str, ...] = ()  # the environment variables that give it, the first one first
    of_user: bool = False  # whether the user's own configuration can give it

    @property
    def instead(self) -> str:
        """The ways for the user to give the value instead, in words; empty if there are none."""
        hints = [f"give {self.option}"] if self.option else []
        hints += [f"set {self.variables[0]}"] if self.variables else []
        hints += ["write it to your own config.toml"] if self.of_user else []
        return " or ".join(hints) if len(hints) < 3 else f"{hints[0]}, {hints[1]} or {hints[2]}"


SETTINGS = "settings (`evalmark.toml`, `pyproject.toml`)"
SERVED_RUN = "unfinished runs of `serve` (`results/*.run.json`)"
RUN = "runs (`run.json`)"
LOG = "logs that are resumed (`conversation.jsonl`)"
MODEL = "model folders"
TABLE = "tables of results that `publish` reads"
NAMES = "names to merge (`--names`)"
IN_RECORDS = "records"
LTM = "configurations of the LTM benchmark (`config.yml`)"
DEFINITION = "definitions (`*.def.json`)"
SCRIPT = "scripts of agents and judges (`*.json`)"

TRUST: tuple[Trusted, ...] = (
    Trusted(
        SETTINGS,
        ("select", "ignore", "per-file-ignores", "fail-on", "exclude", "join", "models", "profile",
         "words", "pairs",
         "record.organization", "record.relationship", "record.collection", "record.version",
         "score.strategy", "score.pack-tokens", "score.batch-tokens", "ray.cpus-per-model",
         "ray.gpus-per-model"),
    ),
    Trusted(
        SETTINGS, ("memory.judge",), (Sink.CODE, Sink.PATH, Sink.HOST), TrustRule.NAMED,
        "--judge", ("EVALMARK_JUDGE",), of_user=True,
    ),
    Trusted(
        SETTINGS, ("memory.judge-url",), (Sink.HOST, Sink.KEY), TrustRule.REFUSED,
        "--judge-url", ("EVALMARK_JUDGE_URL",), of_user=True,
    ),
    Trusted(
        SETTINGS, ("ray.address",), (Sink.HOST,), TrustRule.REFUSED,
        "", ("EVALMARK_RAY_ADDRESS", "RAY_ADDRESS"), of_user=True,
    ),
    Trusted(SERVED_RUN, ("content",)),
    Trusted(SERVED_RUN, ("path",), (Sink.PATH,), TrustRule.INSIDE),
    Trusted(SERVED_RUN, ("model",), (Sink.PATH, Sink.HOST), TrustRule.NAMED, "--model"),
    Trusted(SERVED_RUN, ("join",), (Sink.OPTIONS,), TrustRule.LISTED),
    Trusted(RUN, ("files",), (Sink.DELETES,), TrustRule.WRITTEN),
    Trusted(RUN, ("all other fields",)),
    Trusted(
        LOG,
        ("run", "began", "begin", "tests", "jump", "wait", "register", "deregister", "end",
         "message", "llm", "judge"),
    ),
    Trusted(LOG, ("states of your own agent",), (Sink.OPTIONS,)),
    Trusted(
        MODEL, ("auto_map", "*.py"), (Sink.CODE,), TrustRule.REFUSED, "--trust-remote-code",
    ),
    Trusted(
        MODEL, ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl"), (Sink.CODE,), TrustRule.REFUSED,
        "--allow-pickle",
    ),
    Trusted(
        MODEL, ("weight_map", "transformers_weights"), (Sink.PATH, Sink.CODE), TrustRule.INSIDE,
    ),
    Trusted(MODEL, ("tokenizer_class",), (Sink.CODE,), TrustRule.LISTED),
    Trusted(
        MODEL,
        ("adapter_config.json", "configuration_files", "gguf_file", "init_inputs",
         "fast_tokenizer_files", "attn_implementation"),
        (Sink.CODE, Sink.PATH, Sink.HOST), TrustRule.REFUSED,
    ),
    Trusted(MODEL, ("other paths in configurations",), (Sink.PATH,), TrustRule.INSIDE),
    Trusted(MODEL, ("tokenizer.json", "chat_template"), (Sink.TIME,), TrustRule.BOUNDED),
    Trusted(TABLE, ("all other columns",)),
    Trusted(TABLE, ("file",), (Sink.PATH,), TrustRule.INSIDE),
    Trusted(NAMES, ("models", "developers", "benchmarks")),
    Trusted(IN_RECORDS, ("file_path",), (Sink.PATH, Sink.HOST), TrustRule.INSIDE),
    Trusted(
        IN_RECORDS,
        ("url", "hf_repo", "source_organization_url", "source_organization_logo_url",
         "detailed_evaluation_results_url", "execution_command"),
        (Sink.HOST, Sink.CODE),
    ),
    Trusted(
        LTM,
        ("mode", "examples", "memory_span", "filler", "seed", "incompatible",
         "datasets.name", "datasets.definitions", "datasets.examples", "datasets.memory_span",
         "datasets.seed"),
    ),
    Trusted(LTM, ("datasets.arguments",), (Sink.OPTIONS, Sink.PATH), TrustRule.LISTED),
    Trusted(DEFINITION, ("all fields",)),
    Trusted(SCRIPT, ("replies", "default")),
)  # fmt: skip


def trusted(source: str, name: str) -> Trusted:
    """The entry of a value; raises LookupError if it has none."""
    for entry in TRUST:
        if entry.source == source and name in entry.names:
            return entry
    raise LookupError(f"{name} of {source} has no entry in the table of trust")


def refusal(entry: Trusted, place: str, name: str, shown: str) -> str:
    """The line about a value that is not taken; ``name`` is its name in the file ``place``."""
    rules = {
        TrustRule.INSIDE: "only a path below the folder of these settings can be given here",
        TrustRule.NAMED: "only a name on the hub or a path below the folder can be given here",
    }
    why = rules.get(entry.rule, "hosts are never taken from a folder")
    instead = f"; {entry.instead}" if entry.instead else ""
    return f"{place}: `{name}` is {shown}, which is not used: {why}{instead}"
