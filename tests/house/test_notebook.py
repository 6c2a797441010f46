"""The notebooks of docs/ do what they show; their cells run without Jupyter."""

import ast
import json
import os
import shutil
from importlib.util import find_spec

import pytest
from conftest import FIXTURES, ROOT

#: Notebook -> what a cell needs that the tests do not install: without it, the cell is not run.
NOTEBOOKS = {
    "from-a-spreadsheet-to-a-figure": "matplotlib",
    "from-lm-eval-to-a-submission": None,
}


def executed(source, names, capsys):
    """What a cell prints and the value of its last line, as a notebook saves them."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    capsys.readouterr()
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    printed = capsys.readouterr().out
    outputs = [{"name": "stdout", "output_type": "stream", "text": printed}] if printed else []
    if value is not None:
        data = {"text/plain": repr(value)}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return outputs


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_what_its_cells_return(name, here, capsys):
    """`EVALMARK_ACCEPT=1` writes what they return."""
    for module in ("pandas", "torch"):
        pytest.importorskip(module)
    shutil.copytree(FIXTURES / "results/lm_eval", here / "results")
    path = ROOT / f"docs/{name}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        extra = NOTEBOOKS[name]
        if cell["cell_type"] != "code" or (extra and extra in source and not find_spec(extra)):
            continue
        outputs = executed(source, names, capsys)
        if os.environ.get("EVALMARK_ACCEPT"):
            cell["outputs"] = outputs
        assert cell["outputs"] == outputs
    if os.environ.get("EVALMARK_ACCEPT"):
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
