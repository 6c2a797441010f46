"""The notebook of docs/ does what it shows; its cells run without Jupyter."""

import ast
import json
import os

import pytest
from conftest import ROOT

NOTEBOOK = ROOT / "docs/suites-in-a-notebook.ipynb"


def executed(source, names):
    """The value of the last line of a cell, as a notebook saves it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), names)
    if last is None:
        return []
    value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
    data = {"text/plain": repr(value)}
    if type(value).__module__.startswith("evalmark"):  # HTML of frames depends on their library
        data["text/html"] = value._repr_html_()
    return [{"data": data, "metadata": {}, "output_type": "display_data"}]


def test_the_notebook_shows_what_its_cells_return(here):
    """`EVALMARK_ACCEPT=1` writes what they return."""
    pytest.importorskip("pandas")
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            outputs = executed("".join(cell["source"]), names)
            if os.environ.get("EVALMARK_ACCEPT"):
                cell["outputs"] = outputs
            assert cell["outputs"] == outputs
    if os.environ.get("EVALMARK_ACCEPT"):
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        NOTEBOOK.write_text(text, encoding="utf-8")
    assert {finding.code for finding in names["report"].findings} == {"SG204", "SG302"}
    assert json.loads(names["mended"]) == names["suite"]
    assert list(here.iterdir()) == []
