"""The modules of the page in node, where there is one: a question a line, an answer a line."""

import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

NODE = shutil.which("node")
ANSWERS = Path(__file__).parent / "page_in_node.mjs"


def _number(digits):
    return int(digits) if len(digits) < 16 else float(digits)


@contextmanager
def page_functions():
    """What calls a function of the page: ``ask("read", "1 < 2")``."""
    if NODE is None:
        pytest.skip("no node: the modules of the page are not run outside a browser")
    with subprocess.Popen(
        [NODE, ANSWERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:

        def ask(name, *given):
            process.stdin.write(json.dumps([name, *given]) + "\n")
            process.stdin.flush()
            # JavaScript has doubles only, and writes the shortest digits of one.
            answer = json.loads(process.stdout.readline(), parse_int=_number)
            assert "error" not in answer, answer["error"]
            return answer["value"]

        yield ask
        process.stdin.close()
