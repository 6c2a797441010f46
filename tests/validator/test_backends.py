"""Two backends, one verdict: native and pure agree on every finding."""

import json
import random

import pytest
from conftest import FIXTURES, python
from evalmark.schemas.backend import Backend, accepts, backend_for
from evalmark.schemas.errors import UsageError
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.check import check_bytes
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pointers import places
from strategies import examples

pytest.importorskip("orjson")
pytest.importorskip("jsonschema_rs")

#: What parsers read in different ways.
PROBES = {
    "two equal keys": b'{"a": 1, "a": 1}',
    "two equal keys, one escaped": b'{"schema_version": "1", "\\u0073chema_version": "2"}',
    "an escaped colon": b'{"a\\u003a": 1, "a:": 2}',
    "a lost colon and a won one": b'{"a": ":", "a": "\\u003a\\u003a"}',
    "NaN": b'{"a": NaN}',
    "beyond double": b'{"a": 1e400}',
    "an exponent of three digits": b'{"a": 1e308, "b": 1E+308, "c": 1e-400}',
    "an integer beyond 64 bits": b'{"a": 18446744073709551616}',
    "an integer of 400 digits": b'{"a": 1' + b"0" * 400 + b"}",
    "an integer of 5,000 digits": b'{"a": 1' + b"0" * 5000 + b"}",
    "half a surrogate pair": b'{"a": "\\ud800"}',
    "a surrogate pair": b'{"a": "\\ud83d\\ude00"}',
    "raw surrogates": b'{"a": "\xed\xa0\x80"}',
    "a byte order mark": b'\xef\xbb\xbf{"a": 1}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a NUL": b'{"a": "\x00"}',
    "a control character": b'{"a": "\x01"}',
    "a comma at the end": b'{"a": 1,}',
    "two documents": b"{} {}",
    "nothing": b"",
    **{f"{depth} levels": b"[" * depth + b"]" * depth for depth in (199, 200, 201, 254, 255, 990)},
    "100,000 brackets": b"[" * 100_000,
}


def same(raw, path, **rest):
    plain = check_bytes(raw, path, backend="pure", **rest).findings
    assert check_bytes(raw, path, backend="native", **rest).findings == plain
    return plain


@pytest.mark.parametrize("probe", PROBES)
def test_probes(probe):
    same(PROBES[probe], "x.json")
    inside = b'{"schema_version": "0.2.0", "model_info": ' + PROBES[probe] + b"}"
    same(inside, "x.json")


#: The same in the layout of orjson, in which it sees that nothing was lost: or that something was.
LAID_OUT = {
    "as it is": b'{\n  "a": [\n    1,\n    "x"\n  ],\n  "b": {}\n}',
    "with a line end": b'{\n  "a": 1\n}\n',
    "with two": b'{\n  "a": 1\n}\n\n',
    "with line ends of Windows": b'{\r\n  "a": 1\r\n}\r\n',
    "two equal keys": b'{\n  "a": 1,\n  "a": 1\n}',
    "two equal keys, one escaped": b'{\n  "a": 1,\n  "\\u0061": 1\n}',
    "an integer beyond 64 bits": b'{\n  "a": 18446744073709551616\n}',
    "a float beyond 64 bits": b'{\n  "a": 1.8446744073709552e19\n}',
    "minus nothing": b'{\n  "a": -0,\n  "b": -0.0\n}',
    "half a surrogate pair": b'{\n  "a": "\\ud800"\n}',
    "many spaces in a string": b'{\n  "a": "' + b" " * 500 + b'"\n}',
    **{
        f"{depth} levels": json.dumps(json.loads(b"[" * depth + b"]" * depth), indent=2).encode()
        for depth in (199, 200, 201, 254, 255)
    },
}


@pytest.mark.parametrize("probe", LAID_OUT)
def test_probes_that_are_laid_out(probe):
    raw = LAID_OUT[probe]
    same(raw, "x.json")


#: Texts that are keys of services, or nearly.
KEYS = (
    r"\b(?:sk-(?:ant-|proj-|or-)?|hf_|gh[pousr]_|AKIA|AIza|xox[abprs]-)[A-Za-z0-9_-]{8,40}",
    r"[a-z/é]?(?:sk|hf|gh|AK|xo)[-_A-Zprsx]{1,3}[A-Za-z0-9_-]{8,40}",
)


@examples(150)
@given(st.one_of(*map(st.from_regex, KEYS), st.text()))
def test_both_find_the_same_secrets(text):
    record = json.loads((FIXTURES / "good" / "record.json").read_bytes())
    record["model_info"]["additional_details"] = {"command": text}
    same(json.dumps(record, indent=2, ensure_ascii=False).encode("utf-8", "replace"), "x.json")


def test_a_secret_is_found_in_every_layout():
    path = FIXTURES / "bad" / "EE229_secret.json"
    data = json.loads(path.read_bytes())
    for raw in (json.dumps(data), json.dumps(data, indent=2), json.dumps(data, indent=4)):
        escaped = raw.replace("sk-", "\\u0073k-")
        for text in (raw, f"{raw}\n", escaped):
            assert "EE229" in [found.code for found in same(text.encode(), "x.json")]


def documents():
    paths = [*(FIXTURES / "good").rglob("*.json"), *(FIXTURES / "bad").rglob("*.json")]
    return sorted(path for path in paths if path.stat().st_size < 100_000)


def test_all_fixtures():
    for path in documents():
        same(path.read_bytes(), path.name)


def test_mutated_bytes():
    """A byte is changed, taken out, doubled or swapped, anywhere in a good or bad file."""
    r = random.Random(7)
    pool = [path.read_bytes() for path in documents() if 20 < path.stat().st_size < 8_000]
    interesting = b'"{}[]:,\\/0123456789eE+-.\x00\xff \ntfn'
    rejected = 0
    for _ in range(1500):
        raw = bytearray(r.choice(pool))
        for _ in range(r.choice((1, 1, 2, 3))):
            at = r.randrange(max(len(raw), 1))
            kind = r.randrange(4)
            if kind == 0:
                raw[at] = r.choice(interesting)
            elif kind == 1:
                del raw[at : at + r.randrange(1, 4)]
            elif kind == 2:
                raw[at:at] = raw[at : at + r.randrange(1, 60)]
            else:
                raw[at:at] = bytes([r.choice(interesting)])
        rejected += any(f.code < "G" for f in same(bytes(raw), "x.json"))
    assert 300 < rejected < 1400, "mutants are broken files and whole ones"


def mutants(data, r):
    """The data with a value changed, or a key taken out, somewhere."""
    node, key, _ = r.choice([*places(data)])
    change = r.randrange(6)
    if change == 0:
        del node[key]
    else:
        node[key] = (None, 1.0, -1, "x", [], {})[change]
    return data


def test_what_is_accepted_fast_is_valid_and_what_is_said_of_the_rest_is_the_same():
    r = random.Random(11)
    pool = [json.loads(path.read_bytes()) for path in sorted((FIXTURES / "good").rglob("*.json"))]
    validators = {name: Draft7Validator(bundle(name)) for name in FILES}
    seen = {True: 0, False: 0}
    for _ in range(600):
        data = json.loads(json.dumps(r.choice(pool)))
        if not isinstance(data, dict):
            continue
        for _ in range(r.randrange(3)):
            data = mutants(data, r)
        for name, validator in validators.items():
            verdict = validator.is_valid(data)
            assert accepts(name, data, Backend.NATIVE) is verdict
            seen[verdict] += 1
        same(json.dumps(data, indent=r.choice((1, 2)), ensure_ascii=False).encode(), "x.json")
    assert min(seen.values()) > 100


def test_a_large_file_is_read_by_the_native_backend_and_a_small_one_never_loads_it():

    code = (
        "import sys; from evalmark.validator.check import check_bytes\n"
        "check_bytes(b'{}', 'x.json'); small = 'orjson' in sys.modules\n"
        "check_bytes(b'[' + b'1,' * 2_500_000 + b'1]', 'x.json')\n"
        "print(small, 'orjson' in sys.modules)"
    )
    done = python("-c", code, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_the_native_backend_must_be_installed(monkeypatch):
    monkeypatch.setattr(
        "evalmark.validator.settings.check_options.native_is_installed", lambda: False
    )
    with pytest.raises(UsageError, match=r"evalmark\[fast\]"):
        check_bytes(b"{}", "x.json", backend="native")


def test_files_are_read_as_if_nothing_had_been_read_before():
    """The backend depends on the files of a call, never on those of earlier calls."""
    small = [1000] * 2000
    assert backend_for(small) is backend_for(small) is Backend.PURE
    assert backend_for([*small, 600_000]) is Backend.NATIVE
