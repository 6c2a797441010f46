"""Which scores are better: as records say; where that is in doubt, answers say so."""

import pytest
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.model_comparison import compare_models
from evalmark.leaderboard.questions.query import notes_of
from evalmark.leaderboard.questions.ranking import top
from stores import store_of

ERROR = {"metric": "mae", "min_score": 0.0, "max_score": None}
HIGHER = {**ERROR, "lower_is_better": False}
LOWER = {**ERROR, "lower_is_better": True}
CONTRADICTION = (
    'records say that higher scores of "mae" are better, and the table of metrics says lower '
    '(rule EE211): ranked as the records say, in "board/mmlu | algebra | test | mae"'
)


def test_a_ranking_against_the_table_of_metrics_is_said(tmp_path):
    scores = {"lab/one": 0.1, "lab/two": 3.5}
    rows = [{"model": model, "score": score} for model, score in scores.items()]
    found = top(store_of(tmp_path / "a", *({**HIGHER, **row} for row in rows)), "mae")
    assert found.column("model").to_pylist() == ["lab/two", "lab/one"]
    assert notes_of(found) == [CONTRADICTION]
    found = top(store_of(tmp_path / "b", *({**LOWER, **row} for row in rows)), "mae")
    assert found.column("model").to_pylist() == ["lab/one", "lab/two"]
    assert notes_of(found) == []


def test_records_that_disagree_on_the_direction_are_ranked_apart_and_it_is_said(tmp_path):
    own = {"metric": "helpfulness"}
    store = store_of(
        tmp_path,
        {**own, "score": 0.9, "lower_is_better": False},
        {**own, "score": 0.1, "lower_is_better": True, "model": "lab/two"},
        {"score": 0.5},
    )
    key = "board/mmlu | algebra | test | helpfulness | lower | 0 to 1"
    said = [
        "records disagree on whether lower scores are better in "
        '"board/mmlu | algebra | test | helpfulness": those that say lower and those that say '
        "higher are ranked apart"
    ]
    found = top(store, key)
    assert found.column("model").to_pylist() == ["lab/two"]
    assert notes_of(found) == said
    assert notes_of(conflicts(store)) == said
    assert notes_of(top(store, "accuracy")) == []


@pytest.mark.parametrize("ask", [conflicts, lambda store: compare_models(store, "one", "two")])
def test_other_answers_say_it_too(ask, tmp_path):
    rows = ({**HIGHER, "model": f"lab/{name}", "model_name": name} for name in ("one", "two"))
    assert CONTRADICTION in notes_of(ask(store_of(tmp_path, *rows)))
