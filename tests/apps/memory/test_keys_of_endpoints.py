"""A key goes to the endpoint that it was given for, and to no other."""

import pytest
from conftest import file_at
from endpoint import Endpoint, forever
from evalmark.memory.agents import endpoint_keys
from observed import place, watched
from written_definitions import jokes

__all__ = ["place", "watched"]  # fixtures


# keys


@pytest.mark.parametrize(
    ("url", "named", "variable"),
    [
        ("https://api.openai.com/v1", None, "OPENAI_API_KEY"),
        ("https://base.example/v1", None, "OPENAI_API_KEY"),
        ("http://localhost:8000/v1", None, "OPENAI_API_KEY"),
        ("http://127.0.0.1/v1", None, "OPENAI_API_KEY"),
        ("http://[::1]/v1", None, "OPENAI_API_KEY"),
        ("https://LLM.example/v1", None, "LLM_KEY"),
        ("https://other.example/v1", None, None),
        ("http://other.example/v1", None, None),
        ("https://api.openai.com.evil.example/v1", None, None),
        ("https://localhost.evil.example/v1", None, None),
        ("https://other.example/v1", "OPENAI_API_KEY", "OPENAI_API_KEY"),
    ],
)
def test_a_key_goes_to_the_host_that_it_was_given_for(place, monkeypatch, url, named, variable):
    file_at(place.folder / "home/evalmark/config.toml", '[keys]\n"llm.example" = "LLM_KEY"\n')
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://base.example/v1")
    found = endpoint_keys.key_of(url, named)
    assert found.variable == variable
    assert found.is_withheld is (variable is None)


@pytest.mark.parametrize(
    ("model", "key"),
    [
        (("--model", "m", "--url"), "MY_KEY"),
        (("--agent", "agent.json", "--judge-url"), "judge:MY_KEY"),
    ],
)
def test_a_key_is_never_sent_over_http_to_another_machine(place, watched, monkeypatch, model, key):
    monkeypatch.setenv("MY_KEY", "sk-secret")
    words = ("memory", "colours", "--out", "run", *model)
    done = watched("evalmark", *words, "http://192.0.2.1/v1", "--key-env", key)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "evalmark: the key in MY_KEY would be sent to 192.0.2.1 unencrypted: write https://, or "
        "unset MY_KEY\n"
    )
    place.require_nothing_reached()


def sent(endpoint):
    return {key for _, key, _ in endpoint.seen}


def test_each_endpoint_gets_its_own_key_and_one_note_says_what_is_not_sent(place, run, monkeypatch):
    pytest.importorskip("httpx")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv("MINE", "sk-mine")
    words = ("evalmark", "memory", jokes(place.here / "of", 1), "--model", "m", "--out")
    with Endpoint(forever("Mauve")) as agent, Endpoint(forever("yes")) as judge:
        urls = ("--url", agent.url, "--judge", "j", "--judge-url", judge.url)
        run(*words, "a", *urls, "--key-env", "MINE")
        assert (sent(agent), sent(judge)) == ({"Bearer sk-mine"}, {"Bearer sk-openai"})
        monkeypatch.setattr(endpoint_keys, "is_here", lambda _: False)
        monkeypatch.setattr(endpoint_keys, "urlsplit", _as_https)
        agent.seen.clear()
        judge.seen.clear()
        done = run(*words, "b", *urls, "--key-env", "judge:MINE")
        assert (sent(agent), sent(judge)) == ({None}, {"Bearer sk-mine"})
    lines = [line for line in done.err.splitlines() if "OPENAI_API_KEY" in line]
    assert lines == [
        "note: OPENAI_API_KEY is not sent to 127.0.0.1: --key-env OPENAI_API_KEY allows it"
    ]
    assert "sk-" not in done.err + done.out


def _as_https(url):
    from urllib.parse import urlsplit

    return urlsplit(url.replace("http:", "https:"))


def test_the_name_of_a_model_at_an_endpoint_runs_no_module_of_that_name(place, run):
    pytest.importorskip("httpx")
    (place.here / "llama3.py").write_text((place.here / "evil.py").read_text())
    with Endpoint(forever("yes")) as server:
        run("evalmark", "memory", jokes(place.here / "of", 1), "--agent", "agent.json",
            "--judge", "llama3:J", "--judge-url", server.url, "--out", "run")  # fmt: skip
    assert {body["model"] for _, _, body in server.seen} == {"llama3:J"}
    assert not list(place.folder.rglob("EVIL"))
