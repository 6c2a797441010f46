"""Memory sets are run: what is told and asked, what a failure costs, and where a run resumes."""

import json
import random
from functools import wraps

import pytest
from conftest import FIXTURES, edited, file_at
from evalmark.converters.records.run import Producer
from evalmark.memory.agents.agent import ChatAgent, Completion, ScriptedAgent
from evalmark.memory.agents.completers import ScriptedJudge
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.judges.judge_prompt import SET_PROMPT, JudgePrompt
from evalmark.memory.running import run_log
from evalmark.memory.running.memory_record import (
    run_of_sets,
    write_answers,
    write_conversation_record,
)
from evalmark.memory.sets.set_agents import exchanges
from evalmark.memory.sets.set_files import load_set, load_sets, narrowed
from evalmark.memory.sets.set_kinds import ToldSession, ToldTurn
from evalmark.memory.sets.set_run import SetJudge, run_sets
from evalmark.memory.sets.set_scores import scores_of
from evalmark.schemas.errors import (
    AgentError,
    AgentRefused,
    BrokenFile,
    OtherRun,
    ScoringError,
    UnknownNameError,
    UsageError,
)
from hypothesis import given
from hypothesis import strategies as st
from killing import Killed, files_in
from test_agents import Words
from test_conversations import clock

GOOD = FIXTURES / "good/memory"
LOCOMO, LONGMEMEVAL = GOOD / "locomo.json", GOOD / "longmemeval.json"
US = Producer("Us", "other")


def ran(paths, agent, home, *, most=None, types=(), **rest):
    """A run over sets with its files."""
    sets = narrowed(load_sets(list(map(str, paths))), types, most)
    finished = run_sets(sets, agent, home, clock=clock(), **rest)
    write_answers(finished)
    return finished


def scored(finished):
    return scores_of(finished.sets, finished.answered)


def replies(finished):
    return [answer.reply for answer in finished.answered]


class Notes:
    """Says how much it remembers; ``calls`` are those of all objects."""

    def __init__(self):
        self.heard = []

    def ingest(self, turns):
        self.heard += turns

    def reply(self, text, date):
        self.heard.append(text)
        return f"{len(self.heard)} {date}"

    def reset(self):
        self.heard = []


class Saving(Notes):
    """Restores the very object that it is given, and changes it later."""

    def save(self):
        return self.heard

    def load(self, state):
        self.heard = state


class Gambler(Saving):
    """What it says depends on numbers that ``reset`` does not reset."""

    def __init__(self):
        super().__init__()
        self.random = random.Random(0)

    def ingest(self, turns):
        self.random.random()
        super().ingest(turns)

    def reply(self, text, date):
        return f"{super().reply(text, date)} {self.random.random()}"

    def save(self):
        return repr((self.heard, self.random.getstate())).encode()

    def load(self, state):
        self.heard, numbers = eval(state)
        self.random.setstate(numbers)


# what is told and asked


def test_a_class_is_told_sessions_with_dates_and_ids(tmp_path):
    told = []

    class Listens(Saving):
        def ingest(self, turns):
            told.append(turns)

    ran([LOCOMO], OwnAgent(Listens), tmp_path)
    assert [len(turns) for turns in told] == [3, 3, 2]
    assert told[0][2] == {
        "role": "user", "date": "2023-05-08T13:56:00", "session": "session_1", "id": "D1:3",
        "speaker": "Amara",
        "content": "Amara: Small, but it has a balcony. I adopted a cat called Nimbus. "
        "[shares a photo of a grey cat on a balcony]",
    }  # fmt: skip
    told.clear()
    ran([LONGMEMEVAL], OwnAgent(Listens), tmp_path / "2", most=1, types=["single-session-user"])
    assert told[0][1] == {
        "role": "assistant", "content": "Give her shade and water.",
        "date": "2023-05-08T13:56:00", "session": "a1", "id": "a1:2",
    }  # fmt: skip


def test_sessions_of_longmemeval_are_told_by_date(tmp_path):
    data = json.loads(LONGMEMEVAL.read_text("utf-8"))[:1]
    for key in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        data[0][key].reverse()
    path = tmp_path / "set.json"

    def order():
        path.write_text(json.dumps(data))
        return [session.id for session in load_set(path).histories[0].sessions()]

    assert order() == ["a1", "b1"]
    data[0]["haystack_dates"][0] = "in May"
    assert order() == ["b1", "a1"]


def test_both_layouts_of_locomo_are_told_alike(tmp_path):
    data = json.loads(LOCOMO.read_text("utf-8"))
    inside = {key: data.pop(key) for key in list(data) if key != "qa"}
    (tmp_path / "locomo.json").write_text(json.dumps(data | {"conversation": inside}))
    one, other = load_set(LOCOMO), load_set(tmp_path / "locomo.json")
    assert list(one.questions) == list(other.questions)
    assert [list(h.sessions()) for h in one.histories] == [
        list(h.sessions()) for h in other.histories
    ]


@pytest.mark.parametrize("kind", [Notes, Saving, Gambler])
def test_no_question_depends_on_another(tmp_path, kind):
    """A conversation is told once, or again for each question if the class cannot go back."""
    made = []

    class Counts(kind):
        def ingest(self, turns):
            made.append(len(turns))
            super().ingest(turns)

    whole = ran([LOCOMO], OwnAgent(Counts), tmp_path / "whole")
    assert len(made) == (15 if kind is Notes else 3)
    assert {reply.partition(" ")[0] for reply in replies(whole)} == {"9"}
    if kind is not Gambler:
        alone = ran([LOCOMO], OwnAgent(Counts), tmp_path / "alone", types=["5"])
        assert replies(alone) == replies(whole)[-1:]


def test_a_question_is_asked_with_its_date(tmp_path):
    finished = ran([LONGMEMEVAL], OwnAgent(Saving), tmp_path)
    assert replies(finished) == [
        "5 2023-06-10T10:15:00", "5 2023-06-11T08:00:00", "5 2023-06-12T19:30:00",
    ]  # fmt: skip


def test_a_chat_model_reads_sessions_as_messages(tmp_path):
    words = Words(window=None)
    ran([LONGMEMEVAL], ChatAgent(words, joins=True), tmp_path, types=["single-session-user"])
    assert words.asked == [[
        "[2023/05/08 (Mon) 13:56]\nMy cat Nimbus sleeps on the balcony all day. "
        "Is that too hot for her?",
        "Give her shade and water.",
        "[2023/05/15 (Mon) 09:05]\nHow do I bake rye bread?",
        "Begin with a sourdough.",
        "[2023/06/10 (Sat) 10:15]\nWhat is my cat called?",
    ]]  # fmt: skip


def test_a_chat_model_is_asked_for_few_words_at_the_end_of_a_conversation(tmp_path):
    words = Words(window=None)
    ran([LOCOMO], ChatAgent(words, joins=True), tmp_path, types=["4", "5"])
    first, second = words.asked
    ((one,), (other,)) = first, second
    assert one.startswith("[1:56 pm on 8 May, 2023]\nAmara: Hi Joel!")
    assert "\n[9:05 am on 15 May, 2023]\nJoel: I started" in one
    assert one.partition("\nWhere did Amara move?\n")[0] == other.partition("\nWhat is the name")[0]
    assert 'answer "not mentioned"' in one


def test_a_full_context_loses_the_oldest_turns_only(tmp_path):
    words = Words(window=120)
    ran([LOCOMO], ChatAgent(words, max_tokens=10, joins=True), tmp_path, types=["4"])
    ((asked,),) = words.asked
    assert "Hi Joel" not in asked
    assert "I am moving to Porto in June." in asked


TURNS = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text("ab ", min_size=1)))


@given(TURNS, st.sampled_from(["", "1 May"]))
def test_messages_of_a_session_have_all_turns_in_order(turns, said):
    told = tuple(ToldTurn(str(n), role, text) for n, (role, text) in enumerate(turns))
    pairs = list(exchanges(ToldSession("s", None, said, told)))
    texts = [text for pair in pairs for text in pair if text]
    if said and turns:
        first, *rest = texts
        assert first.startswith("[1 May]")
        texts = [first.removeprefix("[1 May]").removeprefix("\n"), *rest]
        texts = texts if texts[0] else rest
    assert texts == [text for _, text in turns]


# which questions


def test_questions_are_chosen_by_type_and_number(tmp_path):
    sets = load_sets([str(GOOD / "locomo_list.json")])
    assert [q.id for q in narrowed(sets, ["2", "category 5 (adversarial)"], 1)[0].questions]
    both = narrowed(sets, [], 1)
    assert sum(1 for _ in both[0].questions) == 5
    with pytest.raises(UnknownNameError, match="did you mean"):
        narrowed(load_sets([str(LONGMEMEVAL)]), ["temporal-resoning"])
    with pytest.raises(ScoringError, match="no questions to ask"):
        ran([LOCOMO], ScriptedAgent({}), tmp_path, most=0)


def test_the_ids_of_questions_are_unique(tmp_path):
    data = json.loads(LOCOMO.read_text("utf-8"))
    (tmp_path / "list.json").write_text(json.dumps([data, data | {"sample_id": "conv-7"}]))
    names = {question.history for question in load_set(tmp_path / "list.json").questions}
    assert names == {"list-1", "conv-7"}
    with pytest.raises(ScoringError, match="2 questions have the id 'locomo/1'"):
        load_sets([str(LOCOMO), str(LOCOMO)])


def test_sets_are_run_by_themselves_and_valid_entries_of_a_set_too(tmp_path):
    assert load_sets([str(FIXTURES / "good/suite.json"), "names"]) == []
    with pytest.raises(UsageError, match="names is not a memory set"):
        load_sets([str(LOCOMO), "names"])
    path = tmp_path / "set.json"
    with edited(LONGMEMEVAL, path) as data:
        del data[1]["question"]
    with pytest.raises(BrokenFile, match="`question` is missing"):
        load_sets([str(path)])
    found = []
    (one,) = load_sets([str(path)], lambda *error: found.append(error))
    assert [question.id for question in one.questions] == ["q1", "q3"]
    assert len(found) == 1


# errors


def test_an_error_costs_its_question_and_retry_asks_it_again(tmp_path):
    broken = [True]

    class Fails(Saving):
        def reply(self, text, date):
            if broken[0] and "Blue" not in text and "bread" in text:
                raise ValueError("no bread")
            return "Porto"

    first = ran([LOCOMO], OwnAgent(Fails), tmp_path)
    assert [bool(answer.error) for answer in first.answered] == [False, True, *[False] * 3]
    assert "Fails.reply failed: ValueError: no bread" in first.answered[1].error
    assert [a.question.id for a in ran([LOCOMO], OwnAgent(Fails), tmp_path).answered if a.error]
    broken[0] = False
    assert replies(ran([LOCOMO], OwnAgent(Fails), tmp_path, retry=True)) == ["Porto"] * 5


def test_a_session_that_cannot_be_told_costs_its_history(tmp_path):
    class Deaf(Saving):
        def ingest(self, turns):
            if "fig tree" in turns[0]["content"]:
                raise ValueError("no fig")

    finished = ran([LONGMEMEVAL], OwnAgent(Deaf), tmp_path)
    assert [bool(answer.error) for answer in finished.answered] == [False, False, True]
    rows = (finished.folder / "answers.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(row)["question_id"] for row in rows] == ["q1", "q2_abs"]


@pytest.mark.parametrize("value", ["D1:1", 3, [1], {"a": 1}])
def test_retrieved_is_a_list_of_ids(tmp_path, value):
    class Odd(Saving):
        retrieved = value

    finished = ran([LOCOMO], OwnAgent(Odd), tmp_path, types=["1"])
    assert "Odd.retrieved is" in finished.answered[0].error


def test_halves_of_characters_are_replaced(tmp_path):
    class Half(Saving):
        retrieved = ("\ud83d",)

        def reply(self, text, date):
            return "Porto \ud83d"

    judge = SetJudge(ScriptedJudge(ScriptedAgent({}, "yes \ud83d")), SET_PROMPT)
    finished = ran([LOCOMO], OwnAgent(Half), tmp_path, judge=judge)
    assert replies(finished) == ["Porto ?"] * 5
    write_conversation_record(finished, US)


def test_an_endpoint_that_refuses_stops_the_run_and_nothing_is_lost(tmp_path):
    class Refuses(ScriptedAgent):
        left = 2

        def reply(self, message):
            self.left -= 1
            if self.left < 0:
                raise AgentRefused("no credit")
            return Completion("Porto")

    agent = Refuses({})
    with pytest.raises(AgentRefused):
        ran([LOCOMO], agent, tmp_path)
    agent.left = 10
    ran([LOCOMO], agent, tmp_path)
    assert agent.left == 7


# resuming


def cut_after(kind, calls):
    """A class of which a call ends the process."""
    left = [calls]

    def counted(method):
        @wraps(method)
        def call(self, *arguments, **rest):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return method(self, *arguments, **rest)

        return call

    named = ("ingest", "reply", "reset", "save", "load")
    return type(kind.__name__, (kind,), {n: counted(getattr(kind, n)) for n in named})


JUDGE = SetJudge(ScriptedJudge(ScriptedAgent({}, "yes")), SET_PROMPT)


def test_progress_counts_each_question_and_judgement_once(tmp_path):
    steps = []

    def progress(done, count):
        steps.append((done, count))

    ran([LOCOMO], ScriptedAgent({}, "x"), tmp_path, progress=progress)
    count = steps[0][1]
    assert steps == [(done, count) for done in range(count + 1)]
    assert count == len([*load_set(LOCOMO).questions])
    steps.clear()
    ran([LOCOMO], ScriptedAgent({}, "x"), tmp_path, judge=JUDGE, progress=progress)
    assert steps == [(done, 2 * count) for done in range(count, 2 * count + 1)]


def test_a_run_that_was_killed_anywhere_resumes_to_the_same_bytes(tmp_path):
    paths = [LOCOMO, LONGMEMEVAL]

    def whole_run(home, kind):
        finished = ran(paths, OwnAgent(kind), home, judge=JUDGE)
        write_conversation_record(finished, US)
        return files_in(home)

    expected = whole_run(tmp_path / "0/run", Gambler)
    cuts = 0
    while True:
        cuts += 1
        home = tmp_path / f"{cuts}/run"
        try:
            whole_run(home, cut_after(Gambler, cuts))
            break
        except Killed:
            pass
        assert whole_run(home, Gambler) == expected, cuts
    assert cuts > 30


@pytest.mark.parametrize("cut", [1, 40, 400, 900, 1500, 2500])
def test_a_log_that_was_cut_resumes_to_the_same_bytes(tmp_path, cut):
    expected = files_in(ran([LOCOMO], OwnAgent(Gambler), tmp_path / "0/run").home)
    home = ran([LOCOMO], OwnAgent(Gambler), tmp_path / "1/run").home
    (log,) = home.rglob(run_log.LOG)
    log.write_bytes(log.read_bytes()[:-cut])
    ran([LOCOMO], OwnAgent(Gambler), home)
    assert files_in(home) == expected


def test_more_questions_are_asked_later_and_old_ones_not_again(tmp_path):
    asked = []

    class Counts(Saving):
        def reply(self, text, date):
            asked.append(text)
            return "x"

    ran([LOCOMO], OwnAgent(Counts), tmp_path, types=["1"])
    assert len(replies(ran([LOCOMO], OwnAgent(Counts), tmp_path))) == len(asked) == 5


def test_the_log_of_another_run_is_refused(tmp_path):
    ran([LOCOMO], ScriptedAgent({}, "x"), tmp_path)
    with pytest.raises(OtherRun, match="sets"):
        ran([LONGMEMEVAL], ScriptedAgent({}, "x"), tmp_path)


# judges


def test_a_judge_can_come_later_and_must_stay_the_same(tmp_path):
    agent = ScriptedAgent({}, "Porto")
    assert not any(scores.is_judged for scores in scored(ran([LOCOMO], agent, tmp_path)))
    judged = ran([LOCOMO], agent, tmp_path, judge=JUDGE)
    assert [answer.accepted for answer in judged.answered] == [True] * 5
    assert [a.accepted for a in ran([LOCOMO], agent, tmp_path).answered] == [True] * 5
    other = SetJudge(JUDGE.model, JudgePrompt("mine", {"default": "{question} {response}"}))
    with pytest.raises(OtherRun, match="another judge or prompt"):
        ran([LOCOMO], agent, tmp_path, judge=other)


def test_a_judge_without_a_verdict_leaves_an_answer_unjudged(tmp_path):
    class Odd:
        about = {"model": "odd"}  # noqa: RUF012

        def complete(self, messages, **rest):
            if "move" in messages[0]["content"]:
                raise AgentError("too long")
            return Completion("maybe" if "bake" in messages[0]["content"] else "No.")

    agent, judge = ScriptedAgent({}, "Porto"), SetJudge(Odd(), SET_PROMPT)
    found = ran([LOCOMO], agent, tmp_path, judge=judge)
    assert [answer.accepted for answer in found.answered] == [None, None, False, False, False]
    assert found.answered[0].why == "too long"
    assert "no verdict" in found.answered[1].why
    (scores,) = scored(found)
    assert (scores.totals[0].not_judged, scores.totals[0].labels) == (2, [0, 0])
    ran([LOCOMO], agent, tmp_path, judge=SetJudge(Odd(), SET_PROMPT), retry=True)


def test_our_prompts_differ_by_type():
    texts = {
        kind: SET_PROMPT.text(kind, "Q", "A", "R", has_none=False)
        for kind in ("multi-session", "temporal-reasoning", "knowledge-update", "category 2",
                     "single-session-preference")
    }  # fmt: skip
    none = SET_PROMPT.text("multi-session", "Q", "A", "R", has_none=True)
    assert len({*texts.values(), none}) == 5
    assert "one too high or one too low" in texts["temporal-reasoning"]
    assert "cannot be answered" in none


# how often it is told


def test_a_run_says_how_often_the_agent_was_told(tmp_path):
    """An agent that cannot go back is told the history again before each question."""
    for kind, said in (
        (Notes, "1 history, {} times: again before questions, since the agent cannot go back to "),
        (Saving, "each history once; before each question the agent goes back to its end"),
    ):
        finished = ran([LOCOMO], OwnAgent(kind), tmp_path / kind.__name__)
        assert finished.tellings.startswith(said.format(len(finished.answered)))
        run = json.loads((finished.folder / "run.json").read_text())
        assert run["told"] == finished.tellings
        assert run_of_sets(finished, US, None).settings["told"] == finished.tellings


def test_what_was_told_is_counted_also_where_a_run_was_interrupted(tmp_path):
    whole = ran([LOCOMO], OwnAgent(Notes), tmp_path / "whole")
    raw = (whole.folder / "conversation.jsonl").read_bytes()
    lines = raw.splitlines(keepends=True)
    for cut in range(3, len(lines)):
        folder = tmp_path / str(cut) / "results" / whole.folder.name
        file_at(folder / "conversation.jsonl", b"".join(lines[:cut]))
        assert ran([LOCOMO], OwnAgent(Notes), tmp_path / str(cut)).tellings == whole.tellings
