"""The code of docs/mixed-models.md prints what the page shows, and what is computed by hand."""

from __future__ import annotations

import re

import pytest
from conftest import needs_sh

from scripts import mixed_models

pytest.importorskip("statsmodels")
pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
pytestmark = [pytest.mark.slow, needs_sh]
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """The folder where the page was followed, and what its blocks printed."""
    folder = tmp_path_factory.mktemp("mixed")
    page = mixed_models.PAGE.read_text(encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder, list(mixed_models.outputs(page, folder))


def coefficients(output):
    """The name of each row of a printed table, and its first number."""
    rows = (line.split() for line in output.printed.splitlines()[1:])
    return {
        row[0].strip("()"): float(next(filter(NUMBER.fullmatch, row)))
        for row in rows
        if len(row) > 2
    }


def test_the_page_shows_what_its_code_prints(followed):
    """Words are the same. Numbers depend a little on the machine: t values most, as ratios."""
    _, results = followed
    shown = [result for result in results if result.shown is not None]
    assert {result.language for result in shown} == {"python", "r"}
    for result in shown:
        if result.printed is None:
            continue  # no R with lme4 here
        assert NUMBER.sub("", result.printed).split() == NUMBER.sub("", result.shown).split()
        pairs = zip(NUMBER.findall(result.printed), NUMBER.findall(result.shown), strict=True)
        for printed, written in pairs:
            assert float(printed) == pytest.approx(float(written), rel=0.02, abs=0.003)


def test_coefficients_of_a_balanced_design_are_differences_of_means(followed):
    """By hand, and by least squares: random intercepts do not move them in a balanced design."""
    folder, results = followed
    regions = pandas.read_csv(folder / "results/regions.csv")
    verbs = regions[regions.region == 3]
    mean = verbs.groupby("condition").value.mean()
    sing, plural = (mean[f"match_{n}"] - mean[f"mismatch_{n}"] for n in ("sing", "plural"))
    by_hand = {
        "Intercept": mean.mean(),
        "match": (sing + plural) / 2,
        "sing": mean.filter(like="sing").mean() - mean.filter(like="plural").mean(),
        "match:sing": sing - plural,
    }
    match = verbs.condition.str.startswith("match").to_numpy() - 0.5
    is_sing = verbs.condition.str.endswith("sing").to_numpy() - 0.5
    design = numpy.column_stack([numpy.ones(len(verbs)), match, is_sing, match * is_sing])
    least_squares, *_ = numpy.linalg.lstsq(design, verbs.value.to_numpy(), rcond=None)
    assert list(least_squares) == pytest.approx(list(by_hand.values()), abs=1e-9)

    effects = pandas.read_csv(folder / "results/effects.csv").groupby("comparison").margin.mean()
    of_margins = {"Intercept": effects.mean(), "sing": effects[1] - effects[2]}
    assert of_margins["sing"] == pytest.approx(-by_hand["match:sing"])
    models = {"match:sing": by_hand, "sing": of_margins}
    checked = []
    for result in results:
        if result.shown is None or result.printed is None:
            continue
        found = coefficients(result)
        expected = next((models[name] for name in models if name in found), None)
        if expected:
            assert {name: found[name] for name in expected} == pytest.approx(expected, abs=6e-4)
            checked.append(result.language)
    assert checked.count("python") == 2
    assert checked.count("r") == (2 if mixed_models.has_lme4() else 0)


def test_reading_times_give_back_what_they_were_made_of(followed):
    _, results = followed
    found = [c for c in map(coefficients, filter(lambda r: r.printed, results)) if "before" in c]
    assert len(found) == (2 if mixed_models.has_lme4() else 1)
    for table in found:
        assert (table["value"], table["before"]) == pytest.approx((5, 3), abs=0.4)


def test_a_field_differs_by_the_means_of_its_pairs(followed):
    folder, results = followed
    pairs = pandas.read_csv(folder / "pair-results/effects.csv")
    mean = pairs.groupby("field").difference.mean()
    found = coefficients(results[-1])
    assert found["Intercept"] == pytest.approx(mean["attractor"], abs=6e-4)
    assert found["field[T.simple]"] == pytest.approx(mean["simple"] - mean["attractor"], abs=6e-4)
    assert results[-1].language == "python"
    page = mixed_models.PAGE.read_text(encoding="utf-8")
    code = [match[2] for match in mixed_models.BLOCK.finditer(page)][-1]
    assert len(list(filter(None, code.splitlines()))) == 5


def test_outputs_are_written_where_they_are_shown():
    page = "```python\n1\n```\n\n```text\nold\n```\n\n```r\n2\n```\n\n```text\nr\n```\n"
    (first, second) = mixed_models.BLOCK.finditer(page)
    results = [
        mixed_models.Output("python", first[3], "new  \nline\n", first.span(3)),
        mixed_models.Output("r", second[3], None, second.span(3)),
    ]
    assert mixed_models.page_with(page, results) == page.replace("old", "new\nline")
