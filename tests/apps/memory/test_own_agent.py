"""Agents of one's own: what is called when, resuming to the same bytes, and what goes wrong."""

import json
import random
from contextlib import suppress
from datetime import datetime
from types import MappingProxyType

import pytest
from evalmark.memory.agents.agent import ChatAgent, Completion
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.interface.dataset_interface import DynamicDataset, DynamicExample
from evalmark.memory.running import replaying_agent, run_log
from evalmark.memory.running.outcome import FAILED, SCORED
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import ScoringError
from killing import files_in
from memory_runs import Plain, examples_of, ours, run_tests
from test_agents import Words


class Silent:
    """The least that a memory system is."""

    def reply(self, text):
        return f"heard {text}"


class Gambler:
    """What it says depends on all that it heard and on numbers that ``reset`` does not reset."""

    about = MappingProxyType({"dice": 1})

    def __init__(self):
        self.heard = []
        self.random = random.Random(0)

    def ingest(self, turns):
        self.heard += [turn["content"] for turn in turns]

    def reply(self, text):
        self.heard.append(text)
        return f"{len(self.heard)} {self.random.random()}"

    def reset(self):
        self.heard = []

    def save(self):
        return repr((self.heard, self.random.getstate())).encode()

    def load(self, state):
        self.heard, numbers = eval(state)
        self.random.setstate(numbers)


class Talk(DynamicExample):
    """A history with given replies and dates, then a question."""

    def action_iter(self):
        day = datetime(2023, 5, 20, 14, 30)
        yield self.say("I moved to Graz.", filler_response="Nice!", date=day)
        yield self.say("", filler_response="You sold the boat.", date="2023-05-21")
        yield self.say("It rains.", filler_response="")
        yield self.say("Where do I live?", question=True, date="2023-06-01")
        self.score = 1


TOLD = [
    [{"role": "user", "content": "I moved to Graz.", "date": "2023-05-20T14:30:00"},
     {"role": "assistant", "content": "Nice!", "date": "2023-05-20T14:30:00"}],
    [{"role": "assistant", "content": "You sold the boat.", "date": "2023-05-21"}],
    [{"role": "user", "content": "It rains."}],
]  # fmt: skip


# what is called


def test_given_replies_are_told_with_their_dates_and_only_questions_are_asked(tmp_path):
    calls = []

    class Notes:
        def ingest(self, turns):
            calls.append(turns)

        def reply(self, text, date):
            calls.append((text, date))
            return "Graz"

        def reset(self):
            calls.append("reset")

    (outcome,), session = run_tests(examples_of(Talk), tmp_path, OwnAgent(Notes))
    assert calls == ["reset", *TOLD, ("Where do I live?", "2023-06-01")]
    assert (outcome.state, outcome.responses) == (SCORED, ["Graz"])
    assert [exchange.reply for exchange in session.exchanges[:3]] == [
        "Nice!", "You sold the boat.", "",
    ]  # fmt: skip


def test_a_class_with_reply_alone_is_asked_and_made_again(tmp_path):
    made = []

    class Least:
        def __init__(self):
            self.heard = []
            made.append(self)

        def reply(self, text):
            self.heard.append(text)
            return "yes"

    run_tests(examples_of(Talk, 2), tmp_path, OwnAgent(Least))
    assert [len(one.heard) for one in made] == [0, 3, 3]
    assert made[1].heard == [
        "[2023-05-20T14:30:00] I moved to Graz.", "It rains.", "[2023-06-01] Where do I live?",
    ]  # fmt: skip


def test_a_chat_model_reads_given_replies_and_dates_as_turns(tmp_path):
    words = Words(window=None)
    run_tests(examples_of(Talk), tmp_path, ChatAgent(words))
    assert words.asked == [[
        "[2023-05-20T14:30:00] I moved to Graz.", "Nice!", "You sold the boat.", "It rains.",
        "[2023-06-01] Where do I live?",
    ]]  # fmt: skip


def test_talk_between_tests_is_told_too(tmp_path):
    told = []

    class Notes(Silent):
        def ingest(self, turns):
            told.extend(turn["role"] for turn in turns)

    tests = Plain(memory_span=200).generate_examples(1)
    run_tests(tests, tmp_path, OwnAgent(Notes), mode="filled", memory_span=200)
    assert told
    assert told[:2] == ["user", "assistant"]


def test_a_reply_can_say_what_it_cost(tmp_path):
    class Paid:
        def reply(self, text):
            return Completion("Graz", 10, 2, cost=0.25)

    _, session = run_tests(examples_of(Talk), tmp_path, OwnAgent(Paid))
    # Two turns of its user were told by asking for replies.
    assert (session.totals.agent_cost, session.totals.agent_tokens) == (3 * 0.25, 2)


def test_tokens_are_counted_by_the_system_if_it_can():
    class Counts(Silent):
        def count(self, text):
            return len(text)

    assert (OwnAgent(Counts).count("abcdefgh"), OwnAgent(Silent).count("abcdefgh")) == (8, 2)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"date": "May"}, "'May' is not a date like 2023-05-20T14:30"),
        ({"filler_response": "x", "question": True}, "a question cannot have a given reply"),
    ],
)
def test_what_a_message_states_wrongly_is_an_error_of_its_test(tmp_path, stated, said):
    class Wrong(DynamicExample):
        def action_iter(self):
            yield self.say("Mine is a fig.", **stated)

    (outcome,), _ = run_tests(examples_of(Wrong), tmp_path, OwnAgent(Silent))
    assert (outcome.state, said in outcome.reasons[0]) == (FAILED, True)


NOTES = """
import json

class Notes:
    name = "acme/notes"

    def __init__(self):
        self.turns = []

    def ingest(self, turns):
        self.turns += [f"{turn['content']} ({turn.get('date')})" for turn in turns]

    def reply(self, text):
        print("a line that is not JSON")
        return " ".join(self.turns)

    def reset(self):
        self.turns = []
"""


# resuming


def gambled(folder, mode, **rest):
    return ours(folder, OwnAgent(Gambler), mode=mode, **{"examples": 3, **rest})


class Fuse:
    """Kills a run before a call of one of the methods in which its state changes."""

    places = ((Gambler, "reply"), (Gambler, "ingest"), (Gambler, "save"), (Gambler, "load"),
              (run_log.RunLog, "_write"))  # fmt: skip

    def __init__(self, patched, left):
        self.left = left
        for place, name in self.places:
            patched.setattr(place, name, self.burning(getattr(place, name)))

    def burning(self, call):
        def called(*args):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return call(*args)

        return called


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_many_kills_and_the_same_bytes(tmp_path, monkeypatch, kills, mode):
    """Killed before a reply, before its state is saved, before it is logged, and in resuming."""
    whole, cut = tmp_path / "one/run", tmp_path / "two/run"
    gambled(whole, mode)
    r = random.Random(mode)
    for _ in range(kills):
        with monkeypatch.context() as patched:
            Fuse(patched, r.randrange(2, 8))
            with pytest.raises(KeyboardInterrupt):
                gambled(cut, mode)
    assert gambled(cut, mode).notes == []
    assert files_in(cut) == files_in(whole)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [Gambler, type("Gambler", (Gambler,), {"changed": False})])
def test_a_large_state_is_written_seldom_and_what_follows_it_is_asked_again(
    tmp_path, monkeypatch, mode, kind
):
    """An interrupted run goes back to the exchange of the state."""
    if kind is Gambler:
        monkeypatch.setattr(replaying_agent, "SHARE", 900)
    written, write = [], replaying_agent.write_atomically

    def writing(path, raw):
        written.append(json.loads(raw)["exchanges"])
        write(path, raw)

    monkeypatch.setattr(replaying_agent, "write_atomically", writing)
    whole = ours(tmp_path / "one/run", OwnAgent(kind), mode=mode)
    log = run_log.read_log(whole.folder / "conversation.jsonl")
    messages = sum(event["event"] == run_log.MESSAGE for event in log)
    assert 0 < len(written) < messages / 2
    assert written[-1] == messages
    r = random.Random(mode)
    for _ in range(4):
        with monkeypatch.context() as patched:
            Fuse(patched, r.randrange(4, 30))
            with suppress(KeyboardInterrupt):
                ours(tmp_path / "two/run", OwnAgent(kind), mode=mode)
    assert ours(tmp_path / "two/run", OwnAgent(kind), mode=mode).notes == []
    assert files_in(tmp_path / "two/run") == files_in(tmp_path / "one/run")


def test_without_a_state_the_turns_are_told_again_and_the_run_says_so(tmp_path):
    class Forgetful(Gambler):
        save = None

    ours(tmp_path / "one/run", OwnAgent(Forgetful), mode="interleaved")

    class Killed(Forgetful):
        left = 9

        def reply(self, text):
            Killed.left -= 1
            if Killed.left < 0:
                raise KeyboardInterrupt
            return super().reply(text)

    Killed.__name__ = "Forgetful"
    with pytest.raises(KeyboardInterrupt):
        ours(tmp_path / "two/run", OwnAgent(Killed), mode="interleaved")
    finished = ours(tmp_path / "two/run", OwnAgent(Forgetful), mode="interleaved")
    (note,) = finished.notes
    assert (
        "exchanges of the interrupted run were told to the agent again (it saves no state)" in note
    )
    assert OwnAgent(Forgetful).about["interrupted"] == "its turns are told again"


def test_a_new_test_begins_afresh_so_nothing_is_told_again(tmp_path):
    """The log of a run ends with a test: what its agent heard is of no use any more."""

    class Forgetful(Gambler):
        save = None

    whole = ours(tmp_path / "run", OwnAgent(Forgetful))
    log = whole.folder / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    end = next(i for i, line in enumerate(lines) if b'"event": "end"' in line)
    log.write_bytes(b"".join(lines[: end + 1]))
    assert ours(tmp_path / "run", OwnAgent(Forgetful)).notes == []


def test_a_damaged_state_is_not_used(tmp_path):
    finished = gambled(tmp_path / "run", "interleaved")
    log = finished.folder / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-9]))
    (finished.folder / "agent.state").write_bytes(b"{")
    assert "told to the agent again" in gambled(tmp_path / "run", "interleaved").notes[0]


# what goes wrong


def outcomes_of(kind, tmp_path, mode="isolated"):
    tests = Plain(memory_span=200).generate_examples(2)
    outcomes, _ = run_tests(tests, tmp_path, OwnAgent(kind), mode=mode, memory_span=200)
    return [(outcome.state, *outcome.reasons) for outcome in outcomes]


def test_errors_of_the_class_are_errors_of_its_replies_with_their_line(tmp_path):
    class Broken(Silent):
        def reply(self, text):
            if "number 0" in text:
                raise ValueError("out\nof \x1b[31mink")
            return "1"

    (first, why), second = (found[:2] for found in outcomes_of(Broken, tmp_path))
    assert (first, second[0]) == (FAILED, SCORED)
    assert why.startswith(
        "Broken.reply failed: ValueError: out of \\x1b[31mink (test_own_agent.py:"
    )


@pytest.mark.parametrize(
    ("name", "method", "said"),
    [
        ("reply", lambda *_: 3, "Bad.reply returned 3, not a text"),
        ("reply", lambda *_: Completion(3), "not a text"),
        ("reset", lambda _: 1 / 0, "Bad.reset failed: ZeroDivisionError: division by zero"),
        ("ingest", lambda *_: 1 / 0, "Bad.ingest failed: ZeroDivisionError"),
        ("count", lambda *_: "many", "Bad.count returned 'many', not a number"),
        ("reply", lambda *_: exit(3), "Bad.reply failed: SystemExit: 3"),
    ],
)
@pytest.mark.parametrize("mode", ["isolated", "filled", "interleaved"])
def test_whatever_fails_is_one_sentence(tmp_path, name, method, said, mode):
    if (name, mode) in (("ingest", "isolated"), ("reset", "interleaved")):
        pytest.skip("not called")
    found = outcomes_of(type("Bad", (Silent,), {name: method}), tmp_path, mode)
    assert all(state == FAILED and said in reason for state, reason in found), found


CLASSES = """
class Fine:
    def reply(self, text): return "x"
class NoReply: pass
class Needs(Fine):
    def __init__(self, key): pass
class BadState(Fine):
    def save(self): return {1, 2}
    def load(self, state): pass
class Climbs(Fine): name = "../../up"
class Deep(Fine): name = "a/b/c"
class Dots(Fine): name = ".."
class Numbered(Fine): name = 7
class Long(Fine): name = "x" * 300
class NoAbout(Fine): about = 3
function = lambda text: "x"
"""


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("mem", "'mem' is not module:Class or path/to/file.py:Class"),
        ("nowhere.py:Fine", "nowhere.py:Fine: there is no file nowhere.py"),
        ("mem.py:Nothing", "mem.py:Nothing: mem.py has no class Nothing; its classes are Fine, "),
        ("mem.py:Fin", "mem.py:Fin: mem.py has no class Fin; did you mean Fine?"),
        ("empty.py:Fine", "empty.py:Fine: empty.py has no class Fine; it defines no class"),
        ("needy.py:Fine", "needy.py imports no_such_module, which is not in the Python environ"),
        ("broken.py:Fine", "broken.py:Fine: broken.py cannot be imported: SyntaxError"),
        (
            "no_such_module:Fine",
            "no_such_module:Fine: no module no_such_module in this folder or in ",
        ),
        ("json.nothing:Fine", "json.nothing:Fine: no module json.nothing in this folder or in "),
        ("mem.py:function", "mem.py:function is not a class"),
        ("mem.py:NoReply", "NoReply has no method `reply(text)`"),
        ("mem.py:Needs", "Needs failed: TypeError"),
        ("mem.py:BadState", "BadState.save returned neither bytes nor what JSON can hold"),
        ("mem.py:NoAbout", "cannot be used"),
        ("mem.py:Climbs", "the name of the agent is '../../up'"),
        ("mem.py:Deep", "the name of the agent is 'a/b/c'; write a name, or organization/name"),
        ("mem.py:Dots", "the name of the agent is '..'"),
        ("mem.py:Numbered", "the name of the agent is 7"),
        ("mem.py:Long", "the name of the agent is 'xxx"),
    ],
)
def test_a_class_that_cannot_be_used_is_one_sentence_and_writes_nothing(run, here, target, said):
    (here / "mem.py").write_text(CLASSES)
    (here / "broken.py").write_text("class Fine(:")
    (here / "empty.py").write_text("Fine_ = 3")
    (here / "needy.py").write_text("import no_such_module")
    done = run("evalmark", "memory", "colours", "--agent", target, "--out", "run")
    assert (done.code, len(done.err.splitlines())) == (2, 1), done.err
    assert said in done.err
    assert "named_file" not in done.err
    assert not (here / "run").exists()


def test_one_agent_is_named_and_no_other(run, tmp_path):
    for rest in (
        (),
        ("--agent", "s.json", "--model", "m"),
        ("--agent", "a:B", "--url", "http://h/v1"),
    ):
        done = run("evalmark", "memory", "colours", "--out", tmp_path / "run", *rest)
        assert (done.code, "give one of --model" in done.err) == (2, True), done.err


def test_what_a_class_prints_does_not_disturb_the_json(run, here):
    (here / "notes.py").write_text(NOTES)
    done = run(
        "evalmark", "memory", "colours", "--agent", "notes:Notes", "--out", "run",
        "--format", "json",
    )  # fmt: skip
    assert json.loads(done.out)["tests"][0]["state"] == "scored"
    assert [path.name for path in (here / "run/results").iterdir()] == [
        "MemorySystem - acme__notes"
    ]
    assert run("evalmark", "check", "run").out == ""


NAMES = [
    "../../up",
    "/etc/passwd",
    "a\\b",
    "..",
    ".",
    "C:evil",
    "a\0",
    "a\nb",
    "x" * 300,
    "é" * 150,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_a_dataset_or_test_is_never_a_path(tmp_path, name):
    """Neither in a run nor where a class saves its tests; what was made before is removed."""

    class Named(DynamicDataset):
        example_cls = Talk

    for dataset, identity in ((name, "0"), ("Fine", name)):
        (test,) = Named(name=dataset).generate_examples(1)
        test.example_id = identity
        with pytest.raises(ScoringError, match="cannot be the name of a f"):
            test.save(tmp_path / "run")
        folder = ConversationFolder(tmp_path / "run", {"kind": "K", "model": "m"})
        with pytest.raises(ScoringError, match="cannot be the name of a f"):
            folder.prepare([test], memory_span=1, mode="isolated")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", [*NAMES, ""])
def test_a_name_of_an_agent_is_never_a_path(tmp_path, name):
    """It is refused, or what could lead elsewhere is replaced: models have slashes."""
    try:
        folder = ConversationFolder(tmp_path / "run", {"kind": name, "model": name})
    except ScoringError:
        return
    assert folder.agent.parent == tmp_path / "run/results"
    folder.agent.mkdir(parents=True)
    assert folder.agent.resolve().parent == (tmp_path / "run/results").resolve()
