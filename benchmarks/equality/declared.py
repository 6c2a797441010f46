"""What has changed on purpose: calls have the new words; the old installation gets its own.

``TEXTS`` are sentences that changed or went; they are replaced in what the old one wrote. The table
is printed with the result, with how often each line was used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: Command -> its words in the old installation.
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("memory", "run"): ("converse",),
    ("memory", "rescore"): ("rescore",),
    ("memory", "judge"): ("judge",),
    ("store", "publish"): ("publish",),
}
#: Command -> option -> what it was.
OPTIONS: dict[tuple[str, ...], dict[str, str]] = {
    ("check",): {"--out": "--output"},
    ("convert",): {"--out": "--output"},
    ("memory", "run"): {"--agent": "--script"},
}
AUDIT = "report: the page of a memory set went"
GIVEN = "LTM definitions: given_replies and dates, additions of ours, went"
BENCHMARK = "memory sets: the key `benchmark` went"
#: Command -> a whole word -> what it was.
WORDS: dict[tuple[str, ...], dict[str, list[str]]] = {
    ("check",): {"-v": ["-v", "--show-all"]},
    ("score",): {"--surprisals=recorded": ["--recorded"]},
    ("store", "add"): {"--include-errors": []},
}
#: What the old installation says, what is said now, and the declared change.
TEXTS: list[tuple[re.Pattern[str], str, str]] = [
    (re.compile(r"evalmark converse\b"), "evalmark memory run", "advice: evalmark memory run"),
    (re.compile(r"evalmark rescore\b"), "evalmark memory rescore", "advice: memory rescore"),
    (re.compile(r"evalmark publish\b"), "evalmark store publish", "advice: store publish"),
    (re.compile(r"evalmark store bounds"), "evalmark store sql --name bounds", "advice: store sql"),
    (
        re.compile(r"^[^\n]*the record has version[^\n]*\n", re.MULTILINE),
        "",
        "the line on the version of a record went",
    ),
    (
        re.compile(r"^Memory sets, which become memory-set[^\n]*\n\n", re.MULTILINE),
        "",
        "convert --list: --to memory-set went",
    ),
    (
        re.compile(r',\s*"benchmark": {\s*"description": "Published set whose rules[^}]*}'),
        "",
        BENCHMARK,
    ),
    (re.compile(": the form into which other sets are read"), "", BENCHMARK),
    (
        re.compile(
            r", or `benchmark` stands for those of a published(\n|\\n)set; without either, a type "
            "of a single question that is "
        ),
        r"; without it, a type of a single question that is\1",
        BENCHMARK,
    ),
    (
        re.compile(
            r"(?<=  --rules RULES)   (.*?\n {15}) (.*?)  --approximate.*?  --set SET (.*?\n)"
            r"  --exclude FILE[^\n]*\n",
            re.DOTALL,
        ),
        r"  \1\2  --set SET\3",
        "memory rescore: --approximate and --exclude went",
    ),
    (re.compile("^ *--ingested RUN [^\n]*\n", re.MULTILINE), "", "memory run: --ingested went"),
    (
        re.compile("(agent-script: [^;]*; )(sample: .*?)(memory-set: )"),
        r"\2\1\3",
        "lists of formats: scripts of agents are beside memory sets",
    ),
    (re.compile("runs, or of a memory set"), "runs", AUDIT),
    (
        re.compile(
            r"test\. The page of a memory set .*?of each\.(.*?)folders with runs below them, or"
            r" memory sets\.\s*\[required\](.*?)    evalmark report locomo10[^\n]*\n",
            re.DOTALL,
        ),
        "test. A page is one file and loads nothing. Several runs are compared with\n  the first. "
        "More than eight have one table of models and suites or sets, and\n  no charts of each."
        r"\1or folders with runs below them.  [required]\2",
        AUDIT,
    ),
    (
        re.compile("(?<=`uses_callback`), `waits`, `given_replies` and `dates`"),
        " and `waits`",
        GIVEN,
    ),
    (re.compile(r"^LT220 [^\n]*\n", re.MULTILINE), "", GIVEN),
    (re.compile(r'\{\s*"code": "LT220".*?\},\s*', re.DOTALL), "", GIVEN),
    (re.compile(r'    "given_replies": \{.*?(?=    "time_jumps")', re.DOTALL), "", GIVEN),
    (re.compile(r'"waits",\s*"given_replies",\s*"dates"'), '"waits"', GIVEN),
    (re.compile("--limit N shows more"), "--format csv has all", "store: --limit is top's"),
    (
        re.compile(
            r'<li><a href="#costs">[^\n]*\n|\n<section id="costs">.*?</section>\n', re.DOTALL
        ),
        "",
        "reports: the chart of scores against costs went",
    ),
    (
        re.compile(
            r'<p class="origin">Series .*?</p>(?=</header>)|; [\dx.]+[BMTx] parameters', re.DOTALL
        ),
        "",
        "sites: series of models and their sizes went",
    ),
    (re.compile("convert --list` names all formats"), "formats` names all", "formats: --list"),
    (re.compile("convert --to record-0.3.0`"), "convert --to record-0.3.0 FILE`", "advice: FILE"),
    (re.compile("evalmark convert --list"), "evalmark formats", "formats: --list"),
    (re.compile(r"\(--show-all\)"), "(-v)", "check: --show-all is -v"),
    (
        re.compile(
            r"on the(?P<end>\\+n|\s+)command line; in folders, and by the hook, it is skipped\."
        ),
        r"on the\g<end>command line; in folders, in lists and by the hook, it is skipped. So is a "
        r"file that cannot be\g<end>read, unless its first keys, its name, its place or the files "
        "beside it say that it is ours.",
        "rules: F012 says which broken files are ours",
    ),
    (
        re.compile("30 names are known, such as 'suite'"),
        "25 names are known, such as 'suite'",
        "convert: eval-results and the pairs of one set are no targets",
    ),
    (
        re.compile(r' *<a href="[./]*sources\.html">sources</a>'),
        "",
        "sites: the page of sources went",
    ),
    (
        re.compile(r'(\\*)"all\1"`, or use `--join none`'),
        r'\1"all\1"`, or set `join = \1"none\1"`',
        "SG307: check has the setting, not the option",
    ),
    (
        re.compile(r"their version, and who\n# publishes them\."),
        "their version, who\n# publishes them, and how the publisher is related to the developers"
        " of the models.",
        "init: the publisher's relationship is a setting",
    ),
    (
        re.compile(r"^ *(?:\.many )?\.(?:summary|small-bars) [^\n]*\n", re.MULTILINE),
        "",
        "reports: --summary and its style went",
    ),
    (
        re.compile(re.escape("sha256-Tra87OedAMIZVCGtrvolGwfty+zf9HhCYFi7Dds+ltg=")),
        "sha256-s3nHNnV+vbIQBPBHqmUGT2e4s+A+HMifgNzBbGzQGLA=",
        "reports: the digest of the style without that of --summary",
    ),
]
#: Call and product that differ by a declared change as a whole, and the change.
NOT_COMPARED: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"evalmark init .*: made/\.pre-commit-config\.yaml"),
        "init: it names the clone of each installation",
    ),
    (
        re.compile(r"evalmark explain (\w\w120|HF\d+) .*"),
        "rules: misspelt keys of every format are 120; some of community evals went",
    ),
    (
        re.compile(
            r"evalmark(-hook| check) .*fixtures(_|/)(bad|good|results|trees)(/\w+)?( .*)?: .*"
        ),
        "folders: community evals have fewer rules, misspelt keys are found, results of other "
        "programs that cannot be read are skipped, secrets stay in",
    ),
    (
        re.compile(r"evalmark check .*fixtures/tables: stdout"),
        "advice: only where --fix does it",
    ),
    (
        re.compile(
            r"evalmark convert (.* )?fixtures/tables(/.*| .*)?: (stderr|report\.json|exit code)"
        ),
        "convert: tables of other columns are recognized in folders, and refused with their own "
        "reason",
    ),
    (
        re.compile(r"evalmark convert --needs .*: (stdout|stderr)"),
        "--needs proposes nothing",
    ),
    (
        re.compile(r"evalmark memory (run|rescore) .*definitions.*"),
        "memory run: the span of definitions is that of the configuration beside them",
    ),
    (
        re.compile(r"evalmark store (add|top|show|compare|conflicts|sql|aliases) .*"),
        "stores: records with errors are left out unless asked for, and marked in answers",
    ),
    (
        re.compile(r"evalmark store publish .*: (site/.*|stdout|stderr)"),
        "sites: results of records with errors are marked, and the page of sources went",
    ),
    (
        re.compile(r"evalmark store publish .*(evalmark-site\.json|models/index\.html)"),
        "sites: the list of models has no series and sizes, the manifest other digests",
    ),
    (
        re.compile(
            r"evalmark( .*)? --help: .*|evalmark-names: stdout|evalmark formats .*"
            r"|evalmark (chek|check --formt x|explain X1): stderr"
        ),
        "help, lists and public names: options, commands and formats",
    ),
    (
        re.compile(
            r"evalmark convert (fixtures/bad/(SG[24]|EE2|MP201)\S* .*"
            r"|(.* )?fixtures/bad( .*)?: (stderr|report\.json|exit code|made/(SG[24]|MP201).*))"
        ),
        "convert: errors that a source has stay, with a note that says what they are",
    ),
    (
        re.compile(r"evalmark check .*(SG112_wrong_type|fixtures/bad( .*)?: ).*"),
        "advice: to rewrite a suite only where that works",
    ),
    (
        re.compile(
            r"evalmark (rules|explain (SG307|SG501|EE50[12]|MP501)) .*stdout"
            r"|evalmark check .*SG307_unspaced_script\.json: .*sarif"
        ),
        "rules: SG501, EE501, EE502, MP501 have one text, SG307 another, F021 went",
    ),
)
used: Counter[str] = Counter()


def old_words(words: Sequence[str]) -> list[str]:
    """The arguments of a call, as the old installation takes them."""
    known = (*COMMANDS, *(c for c in WORDS if len(c) > 1))
    command = next((c for c in known if tuple(words[: len(c)]) == c), tuple(words[:1]))
    if command in COMMANDS:
        used[f"{' '.join(COMMANDS[command])} → {' '.join(command)}"] += 1
    options = OPTIONS.get(command, {})
    result = list(COMMANDS.get(command, command))
    for word in words[len(command) :]:
        name, equals, value = word.partition("=")
        if name in options:
            used[f"{' '.join(command)}: {options[name]} → {name}"] += 1
            result.append(f"{options[name]}{equals}{value}")
        else:
            old = WORDS.get(command, {}).get(word, [word])
            used[f"{' '.join(command)}: {' '.join(old)} → {word}"] += old != [word]
            result += old
    return result


def new_text(text: str) -> str:
    """What the old installation wrote, with the texts of the new one."""
    for pattern, replacement, reason in TEXTS:
        text, count = pattern.subn(replacement, text)
        used[reason] += count
    return text


def is_compared(call: str, product: str) -> bool:
    """True unless a declared change concerns the product of a call as a whole."""
    for pattern, change in NOT_COMPARED:
        if pattern.fullmatch(f"{call}: {product}"):
            used[change] += 1
            return False
    return True


def table() -> str:
    """The declared changes that occurred, as Markdown."""
    rows = [f"| {name} | {count} |" for name, count in used.items() if count]
    return "\n".join(["| declared change | times |", "|---|---|", *rows])
