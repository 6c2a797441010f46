"""One cause is one finding, and what it proposes is right or absent."""

import pytest
from evalmark import check_data
from test_what_agrees import (
    DATA,
    DETAILS,
    FIGURES,
    METRIC,
    SCORE,
    TEXT,
    figures,
    named,
    of_command,
    record_of,
)


def only(record):
    (found,) = check_data(record).findings
    return found


OF_SCALE = {f"{METRIC}/min_score": 0, f"{METRIC}/max_score": 1}


def test_bounds_of_a_share_are_one_cause():
    latency = figures(431, standard_error=4.4, standard_deviation=88, num_samples=400)
    found = only(
        record_of(
            {
                **latency,
                **OF_SCALE,
                f"{METRIC}/lower_is_better": True,
                f"{METRIC}/metric_name": "latency",
                f"{METRIC}/metric_unit": "ms",
            }
        )
    )
    assert (found.code, found.severity.value, found.helps) == ("EE201", "error", ())
    assert any("standard error" in note for note in found.notes)


def test_a_bound_of_another_metric_is_a_note_of_a_score_beyond_it():
    found = only(record_of({SCORE: -0.08, **OF_SCALE, f"{METRIC}/metric_name": "Spearman"}))
    assert found.code == "EE201"
    assert any("ranges over" in note for note in found.notes)


def test_a_list_that_is_doubled_is_one_finding():
    results = [named(f"task {at}", 0.5 + at / 10) for at in range(3)]
    found = only(record_of(*results, *results))
    assert (found.code, found.pointer) == ("EE226", "/evaluation_results/3")
    assert found.also == ("/evaluation_results/4", "/evaluation_results/5")


def test_a_result_that_is_there_three_times_says_nothing_of_the_others():
    results = [named("npi", 0.5), named("npi", 0.5), named("npi", 0.5), named("other", 0.6)]
    found = check_data(record_of(*results)).findings
    assert [(each.code, each.notes) for each in found] == [("EE226", ()), ("EE226", ())]


def test_a_command_of_all_results_is_one_finding():
    record = of_command("lm_eval --temperature 0.6")
    arguments = record["evaluation_results"][0]["generation_config"]["generation_args"]
    arguments["temperature"] = 0.2
    record["evaluation_results"].append(
        {**record["evaluation_results"][0], "evaluation_name": "other"}
    )
    found = only(record)
    assert found.code == "EE267"
    assert [pointer.split("/")[2] for pointer in found.also] == ["1"]


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ({"standard_deviation": 0.4657**2, "standard_error": 0.0136},
         '"standard_deviation": 0.4657'),
        ({"standard_deviation": 0.4657, "standard_error": 0.4657}, '"value": 0.01361'),
        ({"standard_deviation": 0.4657, "standard_error": 0.0}, '"value": 0.01361'),
        ({"standard_deviation": 0.4657, "standard_error": 1.96 * 0.01361}, '"value": 0.01361'),
        ({"standard_deviation": 0.4657, "standard_error": 0.09}, ""),
    ],
)  # fmt: skip
def test_a_slip_of_an_error_or_a_deviation_has_its_own_cure(values, written):
    stated = {f"{FIGURES}/standard_error/value": values["standard_error"]}
    deviation = {f"{FIGURES}/standard_deviation": values["standard_deviation"]}
    record = record_of(
        {
            SCORE: 6.1,
            **stated,
            **deviation,
            f"{FIGURES}/num_samples": 1171,
            f"{METRIC}/max_score": 10,
        }
    )
    found = only(record)
    helps = " ".join(found.helps)
    assert found.code == "EE209"
    assert written in helps
    assert bool(written) == bool(helps)


@pytest.mark.parametrize(
    "identity", ["TODO", "None/None/1760000000", "benchmark/model/timestamp", "{name}/a/1"]
)
def test_an_id_of_a_template_is_one_finding_without_a_cure(identity):
    found = only(record_of({}, evaluation_id=identity))
    assert (found.code, found.helps) == ("EE222", ())


def test_a_cure_of_an_id_spells_the_model_as_its_results_do():
    spelt = "agreement/example_model-1/1760000000#npi"
    found = only(record_of({"evaluation_result_id": spelt}, evaluation_id="agreement"))
    assert found.helps == ('write "agreement/example_model-1/1760000000"',)


def test_a_description_of_another_result_turns_no_direction():
    cost = {TEXT: "Cost of a task", f"{DATA}/dataset_name": "npi"}
    found = only(
        record_of(
            {**cost, "evaluation_name": "solved"},
            {**cost, "evaluation_name": "costs", f"{METRIC}/lower_is_better": True},
        )
    )
    assert (found.code, found.helps, found.fix) == ("EE211", (), None)


@pytest.mark.parametrize(
    ("values", "place", "written"),
    [
        ({}, "standard_deviation", '"standard_deviation": 0.3966'),
        ({TEXT: "Mean reward"}, "standard_error/value", ""),
        ({TEXT: "Mean reward", f"{FIGURES}/confidence_interval/lower": 0.78655,
          f"{FIGURES}/confidence_interval/upper": 0.822808},
         "standard_deviation", '"standard_deviation": 0.3966'),
        ({TEXT: "Mean reward", f"{FIGURES}/confidence_interval/lower": 0.80426,
          f"{FIGURES}/confidence_interval/upper": 0.8051},
         "standard_error/value", '"value": 0.0002158'),
    ],
)  # fmt: skip
def test_of_an_error_that_is_the_deviation_other_numbers_say_which_is_wrong(values, place, written):
    equal = {"standard_error": 0.00925, "standard_deviation": 0.00925, "num_samples": 1838}
    found = only(record_of({**figures(0.804679, **equal), TEXT: "Accuracy", **values}))
    assert (found.code, found.pointer) == ("EE209", f"/evaluation_results/0/{FIGURES}/{place}")
    assert written in " ".join(found.helps)
    assert bool(written) == bool(found.helps)


@pytest.mark.parametrize(
    "values",
    [
        {"evaluation_name": "Latency on npi", TEXT: "Mean time to an answer, in seconds."},
        {TEXT: "Word-level perplexity on npi"},
        {f"{METRIC}/metric_id": "bleu", f"{METRIC}/lower_is_better": False},
    ],
)
def test_what_is_no_share_is_no_percentage(values):
    numbers = figures(5.927, standard_error=0.093715, standard_deviation=2.963516, num_samples=1000)
    lower = {f"{METRIC}/lower_is_better": True}
    found = only(record_of({**numbers, **OF_SCALE, **lower, **values}))
    assert (found.code, found.helps) == ("EE201", ())


def test_no_score_that_was_filled_in_is_one_finding_with_the_count():
    results = [named(f"task {at}", 0, **{f"{DETAILS}/mean": f"0.{at}"}) for at in range(1, 5)]
    found = only(record_of(*results, named("other", 0)))
    assert found.message == "all 5 scores are 0, but the details have others"
    assert len(found.also) == 3
    others = check_data(record_of(*results, named("other", 0.5))).findings
    assert [each.message[-4:] for each in others] == ["is 0"] * 4


def test_runs_that_failed_are_no_scores_that_nobody_filled_in():
    results = [named(f"task {at}", 0, **{f"{DETAILS}/status": "failed"}) for at in range(2)]
    found = check_data(record_of(*results)).findings
    assert all("the run failed" in each.message for each in found)


def test_what_follows_from_a_wrong_count_suggests_nothing():
    copies = {f"{DATA}/dataset_name": "npi", TEXT: "Accuracy"}
    found = only(
        record_of(
            *(
                {**named(name, 0.768745), **copies, **figures(0.768745, num_samples=count)}
                | {f"{DATA}/dataset_name": name}
                for name, count in (("npi", 541), ("islands", 198), ("gaps", 500))
            )
        )
    )
    assert (found.code, found.helps) == ("EE269", ())
    assert len(found.notes) == 3


def test_a_deviation_may_be_too_large_for_its_square():
    numbers = {"standard_error": 0.1, "standard_deviation": 1e308, "num_samples": 4}
    found = check_data(record_of(figures(0.5, **numbers))).findings
    assert {each.code for each in found} == {"EE208"}
