"""What an endpoint does, what the user sees of it, and how often it is asked."""

import gzip
import json
import time
from itertools import chain, repeat
from typing import NamedTuple

import pytest
from endpoint import Endpoint
from evalmark.memory.agents import endpoints
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.schemas.errors import AgentError, AgentRefused, ScoringError
from written_definitions import jokes, names

SECRET = "sk-very-secret-0123456789"
#: Midnight of 2027-01-01, the time of the tests of `Retry-After`.
NOW = 1798761600.0
TIMEOUT = 1.0


def serving(*answers):
    """An endpoint: one answer after the other, the last one for ever."""
    return Endpoint(chain(answers, repeat(answers[-1])))


def answer(status, data, **headers):
    """An answer with a body."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()

    def send(handler):
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(raw)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(raw)

    return send


def reply(content="fine", finish="stop", **message):
    choice = {"message": {"role": "assistant", "content": content, **message}}
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    return answer(200, {"choices": [{**choice, "finish_reason": finish}], "usage": usage})


def error(status, message, code=None, param=None, **headers):
    data = {"error": {"message": message, "type": "invalid_request_error", "code": code}}
    return answer(status, {"error": {**data["error"], "param": param}}, **headers)


def drip(handler):
    """A byte every twentieth of a second, for ever."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.over.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def flood(handler):
    """Bytes without end and without saying how many."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.over.is_set():
        handler.wfile.write(b" " * (1 << 20))


def ten_gigabytes(handler):
    """Says how many, and begins."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(10 << 30))
    handler.end_headers()
    while not handler.over.is_set():
        handler.wfile.write(b" " * (1 << 20))


def hang_up(handler):
    handler.connection.close()


BOMB = gzip.compress(b" " * 10**7)
LIMIT = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
WINDOW = "This model's maximum context length is 8 tokens."


class Case(NamedTuple):
    """What an endpoint does and what becomes of it.

    `asked` is how many requests there are for two replies; `pauses` those before the first.
    """

    does: tuple
    sees: str
    asked: int
    pauses: tuple = ()
    refused: bool = False


HOST = "127.0.0.1"
EMPTY = f"{HOST} answered with an empty reply"
CASES = {
    "429 with seconds, then a reply": Case(
        (error(429, "slow down", Retry_After="7"), reply()), "reply: fine", 3, (7.0,)
    ),
    "429 with a date, then a reply": Case(
        (error(429, "slow down", Retry_After="Fri, 01 Jan 2027 00:00:30 GMT"), reply()),
        "reply: fine", 3, (30.0,),
    ),
    "429 for an hour": Case(
        (error(429, "daily limit", Retry_After="3600"),),
        f"{HOST}: 429 Too Many Requests: daily limit: it asks to wait 3600 seconds",
        1, refused=True,
    ),
    "429 without credit": Case(
        (error(429, "You exceeded your quota", "insufficient_quota"),),
        f"{HOST} refuses: 429 Too Many Requests: You exceeded your quota", 1, refused=True,
    ),
    "401": Case(
        (error(401, f"Incorrect API key provided: {SECRET}", "invalid_api_key"),),
        f"{HOST} refuses: 401 Unauthorized: Incorrect API key provided: sk-…", 1, refused=True,
    ),
    "403": Case(
        (answer(403, {"detail": "no access\x1b[31m"}),),
        f"{HOST} refuses: 403 Forbidden: no access\\x1b[31m", 1, refused=True,
    ),
    "403 for the content": Case(
        (error(403, "your input was flagged by moderation"),),
        f"{HOST} does not reply: 403 Forbidden: your input was flagged by moderation", 2,
    ),
    "404, a page": Case(
        (answer(404, b"<html><h1>Not\nFound</h1>" + b"x" * 999),),
        f"{HOST} refuses: 404 Not Found: Not Found {'x' * 290}…", 1, refused=True,
    ),
    "400: no such parameter": Case(
        (error(400, LIMIT, "unsupported_parameter", "max_tokens"),),
        f"{HOST} refuses: 400 Bad Request: {LIMIT}", 1, refused=True,
    ),
    "400: too long": Case(
        (error(400, WINDOW, "context_length_exceeded", "messages"),),
        f"{HOST}: 400 Bad Request: {WINDOW}", 1,
    ),
    "500 for ever": Case(
        (error(500, "on fire"),),
        f"{HOST} does not reply: 500 Internal Server Error: on fire", 10, (1.0, 2.0, 4.0, 8.0),
    ),
    "hangs up, then a reply": Case((hang_up, reply()), "reply: fine", 3, (1.0,)),
    "content: null": Case((reply(None),), f"{EMPTY} (finish_reason stop)", 2),
    "a refusal": Case(
        (reply(None, refusal="I can't."),), f"{EMPTY}: I can't.", 2
    ),
    "a list as content": Case(
        (reply(["a"]),), f"{HOST} answered with a reply that is not text", 2
    ),
    "blank content": Case((reply(" \n"),), f"{EMPTY} (finish_reason stop)", 2),
    "finish_reason: length": Case(
        (reply("The colour is", "length"),),
        f"{HOST} cut the reply at the maximum number of tokens (finish_reason length)", 2,
    ),
    "finish_reason: content_filter": Case(
        (reply("", "content_filter"),),
        f"{HOST} withheld the reply (finish_reason content_filter)", 2,
    ),
    "the page of a gateway": Case(
        (answer(200, b"<html><h1>back soon</h1></html>"),),
        f"{HOST} does not reply: an HTML page, with status 200", 10, (1.0, 2.0, 4.0, 8.0),
    ),
    "no choices": Case(
        (answer(200, {"choices": []}),),
        f"{HOST} does not reply: an answer without choices, with status 200", 10,
        (1.0, 2.0, 4.0, 8.0),
    ),
    "an error with status 200": Case(
        (answer(200, {"error": {"message": "no worker is free"}}),),
        f"{HOST} answered without a reply: no worker is free", 2,
    ),
    "a drip": Case(
        (drip,), f"{HOST} does not reply: no complete answer in {TIMEOUT:g} seconds", 4, (1.0,)
    ),
    "a gzip bomb": Case(
        (answer(200, BOMB, Content_Encoding="gzip"),),
        f"{HOST} sent a compressed reply, which was not requested", 2,
    ),
    "10 GB": Case((ten_gigabytes,), f"{HOST} sent a reply larger than 16 MiB", 2),
    "a flood": Case((flood,), f"{HOST} sent a reply larger than 16 MiB", 2),
    "a redirect to another host": Case(
        (answer(307, b"", Location="http://elsewhere.example/v1/chat/completions"),),
        f"{HOST} refuses: 307 Temporary Redirect: redirects to "
        "http://elsewhere.example/v1/chat/completions, which is not followed; name that URL",
        1, refused=True,
    ),
}  # fmt: skip


def seen(completer):
    """What becomes of one reply."""
    try:
        messages = [{"role": "user", "content": "hello"}]
        found = completer.complete(messages, temperature=0.0, max_tokens=5)
    except AgentError as error:
        return str(error), isinstance(error, AgentRefused)
    return f"reply: {found.text}", False


@pytest.mark.parametrize("name", CASES)
def test_what_an_endpoint_does_and_what_the_user_sees(monkeypatch, name):
    case, pauses = CASES[name], []
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(endpoints, "sleep", pauses.append)
    monkeypatch.setattr(endpoints.time, "time", lambda: NOW)
    # Time limits are those of the clock: only where a limit is what is tested may it be short.
    timeout = TIMEOUT if name == "a drip" else 60.0
    with serving(*case.does) as server:
        completer = HttpCompleter(server.url, "m", timeout=timeout)
        first = seen(completer)
        before = tuple(pauses)
        second = seen(completer)
    assert first == (case.sees, case.refused)
    assert second == first, "asked again or not, it is the same error"
    assert len(server.bodies) == case.asked
    assert before == case.pauses
    assert SECRET not in first[0]


def raw(content, *, endless=False):
    """Bytes in the place of an answer, with a byte every twentieth of a second after them."""

    def send(handler):
        handler.wfile.write(content)
        while endless and not handler.over.wait(0.05):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return send


OK = b"HTTP/1.1 200 OK\r\n"
ODD = {
    "says nothing": lambda handler: handler.over.wait(600),
    "headers without end": raw(OK + b"X: ", endless=True),
    "chunks without end": raw(OK + b"Transfer-Encoding: chunked\r\n\r\n", endless=True),
    "a header of 1 MB": raw(OK + b"X: " + b"x" * 10**6),
    "a cut answer": raw(OK + b"Content-Length: 99\r\n\r\n{"),
    "no HTTP": raw(b"\x00\xff\x1b[31m\r\n\r\n"),
    "deep JSON": answer(200, b"[" * 100_000),
    "JSON of UTF-16": answer(200, '{"choices": []}'.encode("utf-16")),
    "a list": answer(200, []),
    "no choices": answer(200, {"choices": []}),
    "a number as reply": reply(3),
    "half a character": reply("\ud800"),
    "an escape": reply("\x1b[31m\n::set-env name=A::b"),
    "tokens as words": answer(200, b'{"choices": [], "usage": {"prompt_tokens": "x"}}'),
    "tokens without end": answer(200, b'{"choices": [], "usage": {"prompt_tokens": 1e999}}'),
    "a reason with an escape": raw(
        b"HTTP/1.1 500 a\x1b[31mb ::error::c\r\nContent-Length: 0\r\n\r\n"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_an_odd_answer_is_a_reply_or_an_error_of_the_agent_and_ends_in_time(name):
    began = time.monotonic()
    with serving(ODD[name]) as server:
        said, _ = seen(HttpCompleter(server.url, "m", timeout=TIMEOUT, attempts=2, pause=0.0))
    said.encode("utf-8")
    is_reply = name in ("half a character", "an escape")
    assert said.startswith("reply: " if is_reply else HOST)
    assert is_reply or "\x1b" not in said
    assert time.monotonic() - began < 2 * TIMEOUT + 120  # machines may be busy


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_key_for_this_machine_passes_no_proxy(monkeypatch, name):
    """A proxy would read it: what goes to this machine is not encrypted."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(reply()) as proxy, serving(reply()) as server:
        monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        assert seen(HttpCompleter(server.url, "m")) == ("reply: fine", False)
    assert (len(proxy.bodies), len(server.bodies)) == (0, 1)


def test_only_messages_as_long_as_those_that_did_not_fit_are_not_sent_again():
    with serving(error(400, WINDOW, "context_length_exceeded"), reply()) as server:
        completer = HttpCompleter(server.url, "m")

        def ask(text):
            messages = [{"role": "user", "content": text}]
            return completer.complete(messages, temperature=0.0, max_tokens=5).text

        for _ in range(2):
            with pytest.raises(AgentError, match="maximum context length"):
                ask("a long message")
        assert ask("short") == "fine"
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, {"temperature": 0.5, "max_tokens": 7}),
        ({"body": {"max_tokens": None, "max_completion_tokens": 9}},
         {"temperature": 0.5, "max_completion_tokens": 9}),
        ({"body": {"temperature": None, "reasoning_effort": "low"}},
         {"max_tokens": 7, "reasoning_effort": "low"}),
    ],
)  # fmt: skip
def test_fields_of_requests_can_be_named_added_and_removed(options, sent):
    with serving(reply()) as server:
        messages = [{"role": "user", "content": "hello"}]
        completer = HttpCompleter(server.url, "m", **options)
        completer.complete(messages, temperature=0.5, max_tokens=7)
    assert server.bodies == [{"model": "m", "messages": messages, **sent}]
    assert set(completer.about) - {"kind", "model", "host"} == set(options), "the record says so"


@pytest.mark.parametrize("name", endpoints.OWN_FIELDS)
def test_fields_that_make_the_reply_another_one_cannot_be_set(name):
    with pytest.raises(ScoringError, match=f"the field '{name}' of a request cannot be set"):
        HttpCompleter("http://host/v1", "m", body={name: True})


# a run


def converse(run, server, out, *arguments):
    return run(
        "evalmark", "memory", "colours", names(out.parent / "of"), "--model", "maker/m", "--url",
        server.url,
        "--out", out, *arguments,
    )  # fmt: skip


def test_a_run_stops_where_every_request_is_refused_and_resumes_after_that(run, tmp_path):
    """Six tests, one request with the wrong key; nothing has to be asked again with --retry."""
    with serving(reply(), error(401, "wrong key"), reply()) as server:
        done = converse(run, server, tmp_path / "run")
        assert done.code == 2
        assert done.err.splitlines() == [
            "evalmark: 127.0.0.1 refuses: 401 Unauthorized: wrong key; once this is solved, repeat "
            "the command: the run is resumed"
        ]
        assert len(server.bodies) == 2
        done = converse(run, server, tmp_path / "run")
        assert (done.code, "error" in done.out.replace("errors", "")) == (0, False), done.err
    assert server.bodies[1] == server.bodies[2], "what was refused is asked again, and only that"


def test_a_judge_that_refuses_stops_the_run_too_and_costs_no_reply_of_the_agent(run, tmp_path):
    verdict = json.dumps({"contains": "yes", "contradicts": "no", "beside_the_point": "no"})
    (tmp_path / "script.json").write_text('{"default": "Ha."}')
    for answers, code in (((error(403, "not yours"),), 2), ((reply(verdict),), 0)):
        with serving(*answers) as judge:
            done = run(
                "evalmark", "memory", jokes(tmp_path / "of"), "--agent", tmp_path / "script.json",
                "--judge", "m/judge", "--judge-url", judge.url, "--body", "judge:seed=1",
                "--out", tmp_path / "run",
            )  # fmt: skip
        assert done.code == code, done.err
        if code:
            assert "the judge: 127.0.0.1 refuses: 403 Forbidden: not yours" in done.err
            assert len(judge.bodies) == 1
    assert all(body["seed"] == 1 for body in judge.bodies)


def test_a_refused_limit_says_which_option_names_it(run, tmp_path):
    with serving(error(400, LIMIT, "unsupported_parameter", "max_tokens")) as server:
        done = converse(run, server, tmp_path / "run")
        assert (done.code, len(server.bodies)) == (2, 1)
        assert "--body max_tokens=null --body max_completion_tokens=4096" in done.err
    with serving(reply()) as server:  # nobody has replied yet, so the run can be another one
        named = ("--body", "max_tokens=null", "--body", "max_completion_tokens=4096")
        done = converse(run, server, tmp_path / "run", *named)
    assert done.code == 0, done.err
    assert server.bodies[0].keys() == {"model", "messages", "temperature", "max_completion_tokens"}


def test_replies_that_are_none_are_errors_and_never_a_score(run, tmp_path):
    with serving(reply("It is", "length")) as server:
        done = converse(run, server, tmp_path / "run")
    assert done.code == 1
    assert "cut the reply at the maximum number of tokens" in done.out
    assert not (tmp_path / "run/records").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("effort", "'effort' is not NAME=JSON"),
        ("effort=low", 'a text needs quotes: "effort=\\"low\\""'),
        ("stream=true", "the field 'stream' of a request cannot be set"),
    ],
)
def test_a_wrong_field_is_one_sentence(run, tmp_path, body, said):
    with serving(reply()) as server:
        done = converse(run, server, tmp_path / "run", "--body", body)
    assert (done.code, len(done.err.splitlines()), server.bodies) == (2, 1, [])
    assert said in done.err
