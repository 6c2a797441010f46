"""Agents: a chat model on this machine, an endpoint, and what fits into a context."""

import hashlib
import json
import shutil
from datetime import UTC, datetime

import pytest
from conftest import file_at
from endpoint import Endpoint, forever, said
from evalmark.memory.agents import endpoints
from evalmark.memory.agents.agent import ChatAgent, Completion
from evalmark.memory.agents.completers import LocalCompleter
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.memory.evaluation.llm_judge import CHECKLIST
from evalmark.memory.evaluation.texts import about_tokens
from evalmark.memory.running.conversation import Conversation
from evalmark.memory.running.dialogue import Clock
from evalmark.schemas.errors import AgentError, ScoringError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models import tokenizer_process
from evalmark.scoring.models.load_models import load_chat_model
from evalmark.validator.check import check_file
from loaded_tests import converse_by
from written_definitions import jokes

SECRET = "sk-very-secret-0123456789"


class Words:
    """A model that counts words and keeps what it was asked."""

    def __init__(self, window):
        self.about = {"kind": "Words", "model": "local/words"}
        self.window = window
        self.asked = []

    def count(self, text):
        return len(text.split())

    def complete(self, messages, *, temperature, max_tokens):
        self.asked.append([message["content"] for message in messages])
        return Completion(f"reply {len(self.asked)}")


# what fits


def test_the_oldest_turns_are_left_out_and_each_is_counted_once():
    """Five turns of 100 words in a window of 300: the last two fit, and never only the last."""
    words = Words(window=300)
    agent = ChatAgent(words, max_tokens=20, system="be brief")
    for number in range(5):
        agent.reply(f"{number} " + "word " * 99)
    kept = [len(asked) for asked in words.asked]
    # system + message of 100 + pairs of 100 and 2, each with 8 around it: 10 + 108 + 118 + ...
    assert kept == [2, 4, 4, 4, 4]
    assert words.asked[-1][0] == "be brief"
    assert words.asked[-1][1].startswith("3 ")
    assert words.asked[-1][3].startswith("4 ")


def test_without_a_limit_everything_is_kept_and_reset_forgets_it():
    words = Words(window=None)
    agent = ChatAgent(words)
    for _ in range(50):
        agent.reply("x")
    assert len(words.asked[-1]) == 99
    agent.observe("told", "noted")
    agent.reply("y")
    assert words.asked[-1][-3:] == ["told", "noted", "y"]
    agent.reset()
    agent.reply("z")
    assert words.asked[-1] == ["z"]


def test_a_message_that_does_not_fit_is_the_agents_error():
    with pytest.raises(AgentError, match="do not fit into a context window of 40"):
        ChatAgent(Words(window=40), max_tokens=20).reply("word " * 30)


# an endpoint


def ask(endpoint, **options):
    completer = HttpCompleter(endpoint.url, "m", pause=0.0, **options)
    message = {"role": "user", "content": "hello"}
    return completer.complete([message], temperature=0.5, max_tokens=7)


def test_an_endpoint_is_asked_with_the_key_of_the_environment(monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    with Endpoint([(200, said("hi"))]) as endpoint:
        found = ask(endpoint, key="MY_KEY", prices=(2.0, 10.0))
    assert found == Completion("hi", 10, 5, pytest.approx((10 * 2 + 5 * 10) / 1e6))
    ((path, key, body),) = endpoint.seen
    assert path == "/v1/chat/completions"
    assert key == f"Bearer {SECRET}"
    assert body == {
        "model": "m", "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.5, "max_tokens": 7,
    }  # fmt: skip


def test_nobody_at_the_other_end_is_the_agents_error():
    endpoint = Endpoint([])
    endpoint.url = "http://127.0.0.1:9/v1"
    endpoint.server.server_close()
    with pytest.raises(AgentError, match="ConnectError"):
        ask(endpoint, attempts=2)


@pytest.mark.parametrize(
    "url", ["http://me:secret@host/v1", "https://host/v1?key=secret", "host/v1", "ftp://host",
            "http://[::1", "http://host:port/v1", "http://host:99999/v1", "http://host:0/v1"]
)  # fmt: skip
def test_an_address_with_a_key_or_none_at_all_is_refused(url):
    with pytest.raises(ScoringError) as refusal:
        HttpCompleter(url, "m")
    assert "secret" not in str(refusal.value) or "@" not in url


def test_tokens_are_counted_for_every_script():
    assert [about_tokens(text) for text in ("", "a", "four", "fives", "日本")] == [0, 1, 1, 2, 2]


# a run through an endpoint


def test_a_run_through_an_endpoint_makes_a_record_without_findings_and_without_a_key(
    run, tmp_path, monkeypatch, epoch
):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    verdict = {"contains": "yes", "contradicts": "no", "beside_the_point": "no"}
    # The judge writes the tests of one dataset as well.
    written = {"content": ["A is x."], "questions": ["What is A?"], "answers": ["x"]}
    verdict = json.dumps({**verdict, **written})
    out = tmp_path / "run"
    with Endpoint(forever("Mauve")) as endpoint, Endpoint(forever(verdict)) as judge:
        done = run(
            "evalmark", "memory", "all", "delayed_recall", jokes(tmp_path / "of", 2),
            "--examples", "2",
            "--url", endpoint.url, "--model", "maker/model", "--prices", "1,1",
            "--judge", "maker/judge", "--judge-url", judge.url, "--out", out,
        )  # fmt: skip
    assert done.code == 0, done.err + done.out
    for path in out.rglob("*"):
        assert SECRET.encode() not in (path.read_bytes() if path.is_file() else b"")
    everything = run("evalmark", "check", out)
    assert (everything.code, everything.out) == (0, ""), everything.out
    record = json.loads(next((out / "records").rglob("*[0-9a-f].json")).read_text())
    assert record["model_info"]["id"] == "maker/model"
    by_name = {result["evaluation_name"]: result for result in record["evaluation_results"]}
    scoring = by_name["Jokes"]["metric_config"]["llm_scoring"]
    assert scoring["judges"][0]["model_info"]["id"] == "maker/judge"
    sha256 = hashlib.sha256(CHECKLIST.encode()).hexdigest()
    assert scoring["input_prompt"] == CHECKLIST
    assert scoring["additional_details"]["prompt_sha256"] == sha256
    judge_details = scoring["judges"][0]["additional_details"]
    assert (scoring["judges"][0]["temperature"], judge_details) == (0, {"max_tokens": "512"})
    about = json.loads(next(out.glob("results/*/run.json")).read_text())
    assert about["judge"]["model"] == "maker/judge"
    assert about["judging"]["Jokes"] == {
        "prompts": [{"text": CHECKLIST, "sha256": sha256}], "temperature": [0], "max_tokens": [512],
    }  # fmt: skip
    assert "llm_scoring" not in by_name["Colours"]["metric_config"]
    assert by_name["Jokes"]["score_details"]["score"] == 1
    assert by_name["Colours"]["score_details"]["uncertainty"]["num_samples"] == 2
    assert by_name["Delayed Recall"]["score_details"]["score"] == 1


ASKS = """
from evalmark.memory import DynamicDataset, DynamicExample

class Ask(DynamicExample):
    def action_iter(self):
        yield self.say("go", question=True)
        self.reasoning.append(self.ask_llm("one"))
        self.reasoning.append(self.ask_llm([{"role": "user", "content": "two"}], model="big"))
        self.reasoning.append(self.ask_llm("three", "big", max_tokens=9))
        self.score = 1

class Asks(DynamicDataset):
    example_cls = Ask
"""


@pytest.mark.conforms("D-35", "D-36", "D-37")
@pytest.mark.parametrize(
    ("arguments", "configured", "asked"),
    [
        (["--judge-url"], None, ["gpt-3.5-turbo", "big", "big"]),
        (["--judge", "mine", "--judge-url"], None, ["mine"] * 3),
        ([], 'judge-url = "{url}"', ["gpt-3.5-turbo", "big", "big"]),
        ([], 'judge-url = "{url}"\njudge = "mine"', ["mine"] * 3),
        (["--judge-url"], 'judge = "mine"', ["gpt-3.5-turbo", "big", "big"]),
    ],
)
def test_ask_llm_has_a_default_model_which_the_run_can_replace(
    run, here, monkeypatch, arguments, configured, asked
):
    """`ask_llm` as the seed document has it; its cost is that of managing the benchmark."""
    name = f"asks_{abs(hash((*arguments, configured)))}"
    (here / f"{name}.py").write_text(ASKS)
    (here / "agent.json").write_text('{"default": "yes"}')
    with Endpoint(forever("well")) as judge:
        if configured:
            file_at(
                here / "home/evalmark/config.toml", f"[memory]\n{configured.format(url=judge.url)}"
            )
            monkeypatch.setenv("XDG_CONFIG_HOME", str(here / "home"))
        given = [*arguments, judge.url] if arguments else []
        for _ in range(2):  # the second time from the log
            run(
                "evalmark", "memory", f"{name}:Asks", "--agent", "agent.json",
                "--out", "run", "--examples", "1", "--prices", "9,9",
                "--prices", "judge:100,1000", *given, code=0,
            )  # fmt: skip
    assert [body["model"] for _, _, body in judge.seen] == asked
    assert [body["max_tokens"] for _, _, body in judge.seen] == [256, 256, 9]
    stats = json.loads(next(here.rglob("runstats.json")).read_text())
    # Ten tokens read and five written, three times.
    assert stats["managing_costs_usd"] == pytest.approx(3 * (10 * 100 + 5 * 1000) / 1e6)
    record = json.loads(next((here / "run/records").rglob("*[0-9a-f].json")).read_text())
    (result,) = [r for r in record["evaluation_results"] if r["evaluation_name"] == "Asks"]
    scoring = result["metric_config"]["llm_scoring"]
    assert scoring["input_prompt"].startswith("Written by the dataset")
    assert scoring["additional_details"]["prompts_of_the_dataset"] == "3"
    (about,) = scoring["judges"]
    assert about["additional_details"] == {"max_tokens": "[9,256]"}
    assert about["model_info"]["id"] == asked[0]
    named = about["model_info"]["additional_details"].get("models_named_by_datasets")
    assert named == (None if asked[0] == "mine" else '["big"]')
    assert run("evalmark", "check", "run").out == ""


# a model on this machine


@pytest.fixture(scope="module")
def chat(torch):
    return load_chat_model("demo", device="cpu", dtype="float64")


def fresh(model):
    """The same model with nothing in its cache."""
    return type(model)(model.model, model.tokenizer, ("local/demo", "demo"))


def test_a_cache_kept_between_turns_changes_no_reply(chat):
    agent, turns = ChatAgent(LocalCompleter(fresh(chat)), max_tokens=9), []
    for message in ("The pilot laughs .", "The guard near the pilots", "No", "The pilot"):
        turns.append({"role": "user", "content": message})
        kept = agent.reply(message)
        alone = fresh(chat).respond(turns, temperature=0, max_tokens=9)
        assert (kept.text, kept.input_tokens) == (alone.text, alone.read)
        assert alone.reused == 0
        turns.append({"role": "assistant", "content": kept.text})
    assert len({turn["content"] for turn in turns}) > 4


def test_a_turn_costs_its_own_tokens_and_a_changed_beginning_is_read_again(chat):
    model = fresh(chat)
    first = [{"role": "user", "content": "The pilot laughs ."}]
    one = model.respond(first, temperature=0, max_tokens=5)
    more = [*first, {"role": "assistant", "content": one.text}, {"role": "user", "content": "No"}]
    two = model.respond(more, temperature=0, max_tokens=5)
    assert two.reused >= one.read - 1
    other = [{"role": "user", "content": "A guard laughs ."}, *more[1:]]
    three = model.respond(other, temperature=0, max_tokens=5)
    assert 0 < three.reused < one.read
    assert three.text == fresh(chat).respond(other, temperature=0, max_tokens=5).text


def test_a_recurrent_state_is_not_continued_by_several_tokens(chat, transformers, torch):
    """Mamba reads several tokens after its state as if they were the first."""
    torch.manual_seed(0)
    config = transformers.MambaConfig(
        vocab_size=540, hidden_size=16, num_hidden_layers=2, state_size=4, initializer_range=1.0
    )
    mamba = transformers.MambaForCausalLM(config).eval()
    kept = type(chat)(mamba, chat.tokenizer, ("local/mamba", "mamba"))
    with torch.inference_mode():
        for new in ([5, 9, 11, 300], [7], [3, 44, 2]):
            token = kept._next(new, 0, torch.Generator())
        alone = mamba(torch.tensor([[5, 9, 11, 300, 7, 3, 44, 2]])).logits[0, -1]
    assert token == int(alone.argmax())


def test_drawn_replies_are_the_same_for_the_same_seed(chat):
    messages = [{"role": "user", "content": "The pilot"}]
    drawn = [fresh(chat).respond(messages, temperature=2.0, max_tokens=12) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0].text != fresh(chat).respond(messages, temperature=0, max_tokens=12).text


def test_a_prompt_that_is_too_long_is_no_reply_and_a_reply_ends_with_the_window(chat):
    """As that of a judge, which no agent shortens; it was an IndexError."""
    model, window = fresh(chat), chat.max_tokens
    with pytest.raises(AgentError, match=f"do not fit into a context window of {window}"):
        model.respond([{"role": "user", "content": "word " * window}], temperature=0, max_tokens=1)
    long = [{"role": "user", "content": "word " * (window // 8)}]
    said = model.respond(long, temperature=0, max_tokens=10 * window)
    assert said.read + said.written <= window


def test_a_chat_template_is_used_where_the_tokenizer_has_one(chat, tmp_path):
    messages = [{"role": "user", "content": "The pilot"}]
    plain = fresh(chat).respond(messages, temperature=0, max_tokens=1).read
    model = load_chat_model(
        templated(tmp_path, "{% for m in messages %}{{ m.content }}{% endfor %}")
    )
    assert model.added == {"template": "of the tokenizer"}
    written = model.respond(messages, temperature=0, max_tokens=1).read
    assert written == model.count("The pilot") < plain


def templated(folder, template):
    """A copy of the demo model with a chat template."""
    shutil.copytree(DEMO_FOLDER, folder / "model")
    (folder / "model/chat_template.jinja").write_text(template, "utf-8")
    return str(folder / "model")


@pytest.mark.slow
@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% set n = namespace(t='x') %}{% for a in range(99) %}{% set n.t = n.t ~ n.t %}"
        "{% endfor %}{{ n.t }}",
    ],
    ids=["loops", "grows"],
)
def test_a_chat_template_without_end_is_one_line(template, here, monkeypatch, run):
    """It ran until somebody ended it, or took all memory."""
    monkeypatch.setattr(tokenizer_process, "LIMIT", 3)
    monkeypatch.setattr(tokenizer_process, "MEMORY", 1 << 30)
    name = templated(here, template)
    few = ("--examples", "2", "--max-tokens", "8")
    done = run("evalmark", "memory", "colours", "--model", name, *few, "--out", "r", code=2)
    assert "writing messages with its chat template" in done.err
    assert "Traceback" not in done.err
    assert len([line for line in done.err.splitlines() if "cannot be used" in line]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_a_run_of_all_datasets_with_a_small_model_makes_a_checked_record(
    run, here, version, torch, epoch
):
    (here / "evalmark.toml").write_text(f'[record]\nversion = "{version}"\n')
    out = here / "run"
    done = run(
        "evalmark", "memory", "all", jokes(here / "of", 1), "--model", "demo", "--device", "cpu",
        "--examples", "1",
        "--max-tokens", "8", "--out", out, "--memory-span", "300",
    )  # fmt: skip
    assert done.code == 1, "a judge would be needed"
    assert "not judged: Jokes - 0" in done.out
    records = list((out / "records").rglob("*.json"))
    assert len(records) == 1
    assert not check_file(str(records[0])).findings
    rows = [json.loads(line) for line in
            next((out / "records").rglob("*_samples.jsonl")).read_text().splitlines()]  # fmt: skip
    key = "interactions" if version == "0.2.0" else "messages"
    assert all(row[key] and row["answer_attribution"] for row in rows)
    assert {row["evaluation_name"] for row in rows} >= {"Colours", "Restaurant"}


def test_the_clock_of_a_log_is_the_clock_of_the_run(tmp_path):
    """A run that is resumed after a day does not take a day longer."""
    from evalmark.memory.agents.agent import ScriptedAgent

    for day in (1, 2):
        clock = Clock(datetime(2026, 1, day, tzinfo=UTC), measure=lambda: 0.0)
        converse_by(clock, ["colours"], ScriptedAgent({}), tmp_path, Conversation())
        assert clock.now().day == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0), ("0.5", 0.5), ("-3", 0.0), (None, 2.0), ("soon", 2.0), ("nan", 2.0),
        ("Fri, 01 Jan 2027 00:00:30 GMT", 30.0), ("Fri, 01 Jan 2027 00:00:00 GMT", 0.0),
        ("Thu, 31 Dec 2026 23:00:00 GMT", 0.0), ("Fri, 99 Jan 2027 00:00:00 GMT", 2.0),
    ],
)  # fmt: skip
def test_when_to_ask_again(monkeypatch, header, seconds):
    monkeypatch.setattr(endpoints.time, "time", lambda: 1798761600.0)
    assert endpoints.retry_after(header, 2.0) == seconds


# scripts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"replies": ["a"]}', "1:13: LT112 `replies` must be an object, got an array"),
        ('{"replies": {"a": 1}}', "1:19: LT112 `a` must be a string, got a number"),
        ('{"reply": {"a": "b"}}', "LT114 unknown key `reply`"),
        ("[]", "LT112 the file must be an object"),
        ("{", "F001 file ends before"),
        (None, "F011 cannot be read"),
    ],
)
def test_a_wrong_script_is_a_finding(tmp_path, run, text, said):
    path = tmp_path / "agent.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("evalmark", "memory", "colours", "--agent", path, "--out", tmp_path / "run")
    assert done.code == 2
    assert said in done.err
    assert str(path) in done.err
    assert not (tmp_path / "run").exists()
