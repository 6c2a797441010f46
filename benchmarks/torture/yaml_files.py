"""YAML that explodes, refers to itself or is read in other ways by other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchmarks.torture.hostile import SUITE, Hostile, hostile

_GOOD = json.dumps(SUITE)  # JSON is YAML
_HEAD = "items: []\npredictions: []\n"
_TAGS = (
    "!!python/object/apply:os.system ['true']", "!!binary aGVsbG8=", "!!set {a, b}", "!x y",
    "!!float abc", "!!int 'x'", "!!timestamp 2001-13-99", "!!omap [a: 1]",
)  # fmt: skip


def yaml_files() -> Iterator[Hostile]:
    """All of them."""
    bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    bomb += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    yield hostile("bomb.yaml", "\n".join(bomb) + "\nitems: *a9\npredictions: []\n", "F017 F016")
    yield hostile("alias.yaml", f"{_HEAD}a: &a [1]\nb: *a\n", "F016 SG101")
    yield hostile("unknown_alias.yaml", f"{_HEAD}b: *missing\n", "F014")
    yield hostile("anchors.yaml", f"{_HEAD}a: &x 1\nb: &x 2\nc: *x\n", "F016 SG101 F014")
    yield hostile("self.yaml", f"&a\n{_HEAD}me: *a\n", "F016 F014 F017 F009")
    yield hostile("self_list.yaml", "items: &a [*a]\npredictions: []\n", "F016 F014 F017 F009")
    yield hostile("merge.yaml", f"base: &b {{x: 1}}\n{_HEAD}c:\n  <<: *b\n", "F016 SG101 F014")
    yield hostile("merge_odd.yaml", f"{_HEAD}<<: 3\n", "F016 F014 SG101")
    for index, tag in enumerate(_TAGS):
        yield hostile(f"tag_{index}.yaml", f"{_HEAD}a: {tag}\n", "F014 F016 F015 SG101")
    yield hostile("tab.yaml", "items:\n\t- a\npredictions: []\n", "F014")
    yield hostile("documents.yaml", f"{_HEAD}---\n{_HEAD}", "F014 F016")
    yield hostile("dates.yaml", f"{_HEAD}a: 2026-01-01\nb: 12:30:45\n", "F015 SG101")
    yield hostile(
        "no.yaml", f"{_HEAD}a: no\nb: off\nc: ~\nd: 0o7\ne: 1_000\nf: .inf\n", "F015 SG101 F006"
    )
    yield hostile(
        "odd_keys.yaml", f"{_HEAD}1: a\n[a, b]: c\n? {{x: y}}\n: z\nnull: d\n", "F016 F014"
    )
    yield hostile("complex_key.yaml", f"{_HEAD}? - a\n  - b\n: c\n", "F016 F014")
    yield hostile("nested.yaml", f"{_HEAD}a: " + "[" * 5000 + "]" * 5000 + "\n", "F009 F014")
    deep = "items:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 400))
    yield hostile("indented.yaml", f"{deep}predictions: []\n", "F009")
    yield hostile("indented_unknown.yaml", deep, "F012")  # of no kind, so nobody parses it
    yield hostile("numbers.yaml", f"{_HEAD}a: 1e400\nb: {'9' * 4000}\n", "F007 SG101")
    yield hostile("duplicate.yaml", f"{_HEAD}items: [1]\n", "F005")
    yield hostile("directive.yaml", f"%YAML 9.9\n---\n{_HEAD}", "F014 SG101 SG105")
    yield hostile("directive_odd.yaml", f"%FOO bar\n---\n{_HEAD}")
    yield hostile("control.yaml", f"{_HEAD}a: \x01\x02\n", "F014")
    yield hostile("escape.yaml", f'{_HEAD}"\\e[31m": "\\ud800"\n', "F014 F008 SG101")
    yield hostile("cut.yaml", f"{_HEAD}a: [1, {{b: \n", "F014")
    yield hostile("json_in_yaml.yaml", _GOOD)
    yield hostile("utf16.yaml", _HEAD.encode("utf-16"), "F004 F012 F014")
    yield hostile("latin1.yaml", f"{_HEAD}a: é\n".encode("latin-1"), "F002 F012 F014")
    yield hostile("bom.yaml", b"\xef\xbb\xbf" + _HEAD.encode(), "F003")
    yield hostile("scalar.yaml", "just text\n", "F012")
    yield hostile("empty.yaml", "", "F010 F012")
    yield hostile("only_comment.yaml", "# items predictions\n", "F010 F012 F014")
    yield hostile("cr.yaml", _HEAD.replace("\n", "\r"))
    yield hostile("separator.yaml", f'{_HEAD}a: "x\u2028y\u0085z"\n', "SG101 SG102")
    yield hostile("block.yaml", f"{_HEAD}a: |\n" + "  line\n" * 20_000, "SG101 SG102 SG103")
    yield hostile(
        "wide.yaml",
        f"{_HEAD}a: [{', '.join(map(str, range(20_000)))}]\n",
        "SG101 SG102",
        is_large=True,
    )
