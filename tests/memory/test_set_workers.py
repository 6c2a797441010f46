"""Memory sets with several workers, agents that are told once, states of histories."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time

import pytest
from endpoint import Endpoint, said
from evalmark.memory.agents import endpoints
from evalmark.memory.agents.agent import ChatAgent, Completion
from evalmark.memory.agents.endpoints import HttpAnswer, HttpCompleter
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.judges.judge_prompt import SET_PROMPT
from evalmark.memory.running.dialogue import Clock
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.workers import run_jobs
from evalmark.memory.sets.set_run import SetJudge
from evalmark.schemas.errors import AgentError
from killing import files_in
from test_conversations import START
from test_set_runs import LOCOMO, LONGMEMEVAL, US, Killed, Notes, Saving, cut_after, ran

#: Keys of seconds, tokens that were billed, dollars, and ids of requests and records.
MEASURED = {
    "measured", "totals", "costs", "at",  # the log of a run, and run.json
    "seconds", "input_tokens", "output_tokens", "agent_cost", "judge_cost",  # settings
    "token_usage", "performance", "evaluation_id", "evaluation_timestamp",  # records
    "retrieved_timestamp", "files", "checksum", "file_path",
}  # fmt: skip


def without_measurements(data):
    if isinstance(data, dict):
        kept = {key: value for key, value in data.items() if key not in MEASURED}
        return {key: without_measurements(value) for key, value in kept.items()}
    return [without_measurements(value) for value in data] if isinstance(data, list) else data


def contents(home):
    """The files of a run, without what is measured; records are named by what they are."""
    found = {}
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        text = path.read_text("utf-8")
        texts = text.splitlines() if path.suffix in (".jsonl", ".state") else [text]
        record = path.parent.parent.name == "records"
        name = path.stem.endswith("_samples") if record else path.name
        found[path.parent.name, name] = [without_measurements(json.loads(t)) for t in texts]
    return found


def endpoint(seconds):
    """An endpoint whose replies take a while, and depend on the last message alone."""

    def answer(_, body):
        time.sleep(seconds)
        words = body["messages"][-1]["content"].split()
        # Tokens differ from call to call, as those of a cache do.
        return 200, said("yes" if "yes" in words else words[len(words) // 2], len(server.seen) % 7)

    server = Endpoint(answer)
    return server


def still():
    """A clock that stands still but where tests wait."""
    return Clock(START, lambda: 0.0)


BOTH = [str(LOCOMO), str(LONGMEMEVAL)]


class Reader(Notes):
    """Is told each history once, whatever else it has."""

    reads_only = True

    def reply(self, text, date):
        return f"{len(self.heard)} {text}"


class Searcher:
    """Two halves, asynchronous."""

    concurrent = True

    def __init__(self):
        self.heard = []

    async def ingest(self, turns):
        await asyncio.sleep(0)
        self.heard += turns
        return Completion("", 100, 10, 0.5, calls=2)

    async def search(self, text):
        await asyncio.sleep(0.001)
        words = set(text.lower().split())
        found = max(self.heard, key=lambda turn: len(words & set(turn["content"].lower().split())))
        self.retrieved = [found["id"]]
        return [found["content"]]

    async def answer(self, text, memories):
        await asyncio.sleep(0.001)
        return memories[0]


# the same with one and with several


def test_a_run_with_workers_writes_the_files_of_a_run_with_one(tmp_path):
    with endpoint(0.01) as server:
        for workers in (1, 8):
            agent = ChatAgent(HttpCompleter(server.url, "fake", window=4000), joins=True)
            judge = SetJudge(HttpCompleter(server.url, "fake"), SET_PROMPT)
            home = tmp_path / f"{workers}/run"
            write_conversation_record(ran(BOTH, agent, home, judge=judge, workers=workers), US)
    assert contents(tmp_path / "1/run") == contents(tmp_path / "8/run")


@pytest.mark.parametrize("kind", [Searcher, type("Own", (Saving,), {"concurrent": True})])
def test_a_class_that_says_concurrent_has_an_object_for_each_history(tmp_path, kind):
    for workers in (1, 5):
        write_conversation_record(
            ran(BOTH, OwnAgent(kind), tmp_path / f"{workers}/run", workers=workers), US
        )
    assert contents(tmp_path / "1/run") == contents(tmp_path / "5/run")


def test_what_was_retrieved_is_that_of_its_own_question(tmp_path):
    class Slow(Searcher):
        async def answer(self, text, memories):
            self.retrieved = [*self.retrieved, text]
            await asyncio.sleep(0.002)
            return text

    finished = ran(BOTH, OwnAgent(Slow), tmp_path, workers=6)
    assert all(answer.retrieved[-1] == answer.reply for answer in finished.answered)


def test_a_class_that_does_not_say_so_does_one_thing_at_a_time(tmp_path):
    busy, most = [0], [0]

    class Shared(Reader):
        def reply(self, text, date):
            busy[0] += 1
            most[0] = max(most[0], busy[0])
            time.sleep(0.002)
            busy[0] -= 1
            return text

    ran(BOTH, OwnAgent(Shared), tmp_path, workers=8)
    assert most == [1]


def test_no_more_than_the_workers_work_and_an_error_stops_what_did_not_begin():
    busy, most, begun = [], [], []

    def job(number):
        def do():
            begun.append(number)
            busy.append(number)
            most.append(len(busy))
            time.sleep(0.01)
            busy.remove(number)
            if number == 3:
                raise AgentError("three")
            return ()

        return do

    with pytest.raises(AgentError, match="three"):
        run_jobs([job(number) for number in range(40)], 4)
    assert 1 < max(most) <= 4
    assert len(begun) < 40
    assert not busy


def test_prints_of_several_threads_leave_stdout_as_it_was(tmp_path, capsys):
    class Chatty(Searcher):
        async def search(self, text):
            sys.stdout.write("searching")
            return await super().search(text)

    stdout = sys.stdout
    ran(BOTH, OwnAgent(Chatty), tmp_path, workers=8)
    assert sys.stdout is stdout
    assert "searching" not in capsys.readouterr().out


# told once


@pytest.mark.parametrize("kind", [Reader, Searcher])
def test_an_agent_that_questions_do_not_change_is_told_each_history_once(tmp_path, kind):
    told = []

    class Counts(kind):
        def ingest(self, turns):
            told.append(turns[0]["session"])
            return super().ingest(turns)

    finished = ran([LOCOMO], OwnAgent(Counts), tmp_path)
    assert len(told) == 3
    assert finished.tellings == "each history once; the agent says that questions do not change it"


def test_a_state_is_written_once_for_each_history(tmp_path):
    saves = []

    class Counts(Saving):
        def save(self):
            saves.append(1)
            return super().save()

    finished = ran(BOTH, OwnAgent(Counts), tmp_path)
    assert len(saves) == 1 + 4  # one when the class is made, to see whether it works
    assert len(list(finished.folder.glob("states/*"))) == 4


# interruptions


def test_a_run_with_workers_that_was_killed_resumes_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    kind = type("Own", (Saving,), {"concurrent": True})

    def whole(home, kind):
        ran(BOTH, OwnAgent(kind), home, workers=3)
        return {*files_in(home)}

    expected = whole(tmp_path / "0/run", kind)
    for cut in (3, 9, 17, 24, 31):
        home = tmp_path / f"{cut}/run"
        with pytest.raises(Killed):
            whole(home, cut_after(kind, cut))
        assert whole(home, kind) == expected
        assert contents(home) == contents(tmp_path / "0/run")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of threads")
def test_an_interrupt_that_another_thread_gets_ends_jobs_too():
    """A system may give a signal to any thread, and a callback may drop its exception."""

    def interrupts():
        time.sleep(0.5)  # until the main thread waits
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        return time.sleep(60) or ()

    at = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_jobs([interrupts], 2)
    assert time.monotonic() - at < 20
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_ends_a_run_at_once_and_the_same_command_resumes(tmp_path):
    """Ctrl-C while eight requests wait for an endpoint that does not answer."""
    command = [
        sys.executable, "-m", "evalmark", "memory", "run", *BOTH, "--model", "m", "--workers", "8",
        "--out", "run", "--url",
    ]  # fmt: skip
    with endpoint(60) as server:
        process = subprocess.Popen([*command, server.url], cwd=tmp_path, stderr=subprocess.PIPE)
        log = None
        for _ in range(600):
            log = log or next(tmp_path.rglob("conversation.jsonl"), None)
            if log and b'"told"' in log.read_bytes():
                break
            time.sleep(0.05)
        else:
            pytest.fail("nothing was told in half a minute")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert time.monotonic() - began < 20
    assert process.returncode in (130, -signal.SIGINT)
    with endpoint(0) as server:
        done = subprocess.run([*command, server.url], cwd=tmp_path, capture_output=True)
        assert done.returncode == 0
    assert sum(event["event"] == "asked" for event in read_log(log)) == 8


# a pause that an endpoint asks for


def test_a_pause_that_an_endpoint_asks_for_holds_all_requests(monkeypatch):
    busy = HttpAnswer(429, "Too Many Requests", "0.2", None, b"{}")
    fine = HttpAnswer(200, "OK", None, None, b'{"choices": [{"message": {"content": "yes"}}]}')
    arrivals, began = [], time.monotonic()

    def attempt(self, body):
        arrivals.append(time.monotonic() - began)
        return busy if len(arrivals) <= 2 else fine

    monkeypatch.setattr(HttpCompleter, "_attempt", attempt)
    model = HttpCompleter("http://127.0.0.1:9/v1", "m")

    def ask():
        model.complete([{"role": "user", "content": "a"}], temperature=0, max_tokens=1)

    first = [threading.Thread(target=ask) for _ in range(2)]
    for thread in first:
        thread.start()
    time.sleep(0.05)
    ask()  # begins in the pause
    for thread in first:
        thread.join()
    assert len(arrivals) == 5
    assert min(arrivals[2:]) >= 0.19


def test_a_busy_endpoint_is_asked_longer_than_a_broken_one(monkeypatch):
    pauses = []
    monkeypatch.setattr(endpoints, "sleep", pauses.append)
    busy = HttpAnswer(429, "Too Many Requests", "1", None, b"{}")
    monkeypatch.setattr(HttpCompleter, "_attempt", lambda self, body: busy)
    with pytest.raises(AgentError, match="429"):
        HttpCompleter("http://127.0.0.1:9/v1", "m").complete([], temperature=0, max_tokens=1)
    assert len(pauses) == endpoints.PAUSES + 4
