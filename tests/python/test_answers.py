# SPDX-License-Identifier: GPL-3.0-or-later
import shutil

import numpy as np
import pytest

import gridhelm
from conftest import X, waves


@pytest.fixture
def study(waves_path, tmp_path):
    """One to write to."""
    shutil.copy(waves_path, tmp_path / "waves.gridhelm")
    return gridhelm.open(tmp_path / "waves.gridhelm")


def test_responses(study):
    names = ["u_mean", "u_minimum", "u_maximum"] # where none is defined
    assert [r.name for r in study.responses][:3] == names
    u = study.evaluate("u", a=1, b=0.5)
    assert study.respond(a=1, b=0.5)["u_maximum"] == pytest.approx(u.max(), abs=0.02)
    made = study.response("peak", "u", reduce="maximum", unit="K")
    assert made == gridhelm.Response("peak", "K", "u", "maximum", "")
    study.response("there", "flow_x", reduce="value", on="point 10,0,0")
    assert study.respond("there", a=1.5, b=0.5) == pytest.approx(1.5 * X[10], abs=0.01)
    values = study.respond("there", a=[1, 2], b=0.5)
    assert values == pytest.approx([X[10], 2 * X[10]], abs=0.01)
    slopes = study.respond("there", a=1.5, b=0.5, gradient=True)
    assert slopes == pytest.approx([X[10], 0], abs=0.02)
    assert set(study.respond(a=1, b=0.5)) == {"peak", "there"}
    most, coverage, holdouts = study.response_errors()["there"]
    assert 0 <= most < 0.1 and 0.5 < coverage < 1 and holdouts > 0
    study.forget("peak")
    assert [r.name for r in study.responses] == ["there"]
    assert set(study.respond(a=1, b=0.5)) == {"there"}


@pytest.mark.parametrize("name, of, more", [("a:b", "u", {}), ("x", "nix", {}), ("x", "u +", {}),
                                            ("x", "u", {"reduce": "smallest"}), ("x", "u", {"on": "moon"}),
                                            ("x", "u", {"reduce": "value", "on": "point 99,0,0"})])
def test_what_is_refused_is_not_kept(study, name, of, more):
    before = study.responses
    with pytest.raises(gridhelm.GridhelmError):
        study.response(name, of, **more)
    assert study.responses == before


def test_predicted_beside_actual_values(grid_path, tmp_path):
    shutil.copy(grid_path, tmp_path / "grid.gridhelm")
    study = gridhelm.open(tmp_path / "grid.gridhelm")
    study.response("corner", "p", reduce="value", on="point 1,2,0", unit="Pa")
    parity = study.validation("corner")
    assert not parity.is_left_out and len(parity.runs) == 12 and parity.points.shape == (12, 2)
    a, b = parity.points.T
    assert np.allclose(parity.actual, 2 * a + b, rtol=1e-5) # of the function itself
    assert np.allclose(parity.predicted, study.respond("corner", parity.points))
    off = parity.predicted - parity.actual
    assert parity.rms == pytest.approx(np.sqrt(np.mean(off ** 2)))
    assert parity.r2 == pytest.approx(1 - np.sum(off ** 2) / np.sum((parity.actual - parity.actual.mean()) ** 2))
    assert set(study.validation()) == {"corner"}
    with pytest.raises(gridhelm.UnknownNameError, match="no response"):
        study.validation("none")


def test_left_out_runs_are_predicted(study):
    study.response("mean", "u")
    found = study.validation("mean")
    assert len(found.runs) == len(found.actual) > 5 and found.rms > 0


def test_sobol_indices_are_those_of_a_linear_function(grid_path, tmp_path):
    shutil.copy(grid_path, tmp_path / "grid.gridhelm")
    study = gridhelm.open(tmp_path / "grid.gridhelm")
    # p = 2 a + b at the last node: variances 4 : 1.
    study.response("corner", "p", reduce="value", on="point 1,2,0")
    influence = study.sobol("corner")
    assert influence.is_exact and influence.mean == pytest.approx(1.5, abs=1e-4)
    assert influence.variance == pytest.approx(5 / 12, rel=1e-3)
    assert influence.first["a"] == pytest.approx(0.8, abs=1e-3)
    assert influence.total["b"] == pytest.approx(0.2, abs=1e-3)
    assert influence.pairs["a", "b"] == pytest.approx(0, abs=1e-4)
    held = study.sobol("corner", inputs={"a": 0.5})
    assert held.first["b"] == pytest.approx(1, abs=1e-3) and held.mean == pytest.approx(1.5, abs=1e-4)
    drawn = study.sobol(inputs={"a": "normal(0.5, 0.1)", "b": np.linspace(0.2, 0.4, 9)})["corner"]
    assert drawn.mean == pytest.approx(1.3, abs=0.01)
    with pytest.raises(gridhelm.GridhelmError, match="normal"):
        study.sobol("corner", inputs={"a": "gauss(0.5, 0.1)"})
    with pytest.raises(gridhelm.UnknownNameError, match="did you mean"):
        study.sobol("corner", inputs={"A": 0.5})


def test_the_study_is_not_opened_for_each_answer(study, monkeypatch):
    study.response("peak", "u", reduce="maximum")
    before = study.respond("peak", a=1, b=0.5)
    gridhelm.open(study.path).response("another", "u", reduce="minimum") # as another program would
    both = study.respond(a=1, b=0.5)
    assert both["peak"] == before > both["another"] # each by its own name
    monkeypatch.setattr(gridhelm._native, "response_definitions", None)
    monkeypatch.setattr(gridhelm._native, "responses_of", None)
    assert study.respond("another", a=1, b=0.5) == both["another"]
    assert set(study.sobol(samples=256)) == {"peak", "another"}
    with pytest.raises(IndexError):
        study._models().sobol(99, [], 256, 1)


def measured(a, b, nodes=(3, 15, 39), sd=0.01):
    u = waves(a, b)["u"]
    return [{"quantity": "u", "x": k, "y": 0, "z": 0, "value": float(u[k]), "sd": sd} for k in nodes]


def test_matching_finds_what_was_measured(study, tmp_path):
    rows = measured(1.3, 0.4)
    found = study.match(rows, samples=20_000)
    assert found.at["a"] == pytest.approx(1.3, abs=0.02) and found.at["b"] == pytest.approx(0.4, abs=0.02)
    assert all(found.determined.values()) and found.chi_square < 1
    assert found.posterior["a"].std() < 0.2 and len(found.posterior["a"]) >= 1000
    best = study.match(rows, samples=0)
    assert best.posterior is None and best.at == found.at
    fixed = study.match(rows, fixed={"b": 0.4}, samples=0)
    assert set(fixed.at) == {"a"} and fixed.at["a"] == pytest.approx(1.3, abs=0.02)
    # The same as columns, as a frame and as a file.
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    assert study.match(columns, samples=0).at == best.at
    pandas = pytest.importorskip("pandas")
    assert study.match(pandas.DataFrame(rows), samples=0).at == best.at
    pandas.DataFrame(rows).to_csv(tmp_path / "m.csv", index=False)
    assert study.match(tmp_path / "m.csv", samples=0).at["a"] == pytest.approx(best.at["a"], rel=1e-6)
    few = study.match(rows[:1], samples=0)
    assert any("cannot tell" in doubt for doubt in few.doubts)


@pytest.mark.parametrize("rows, sentence", [
    ([], "is empty|has no column"), ([{"value": 1}], "sd"),
    ([dict(measured(1, 0.5)[0], sd=0)], "standard deviation"),
    ([dict(measured(1, 0.5)[0], x=99)], "outside|99"), ("none.csv", "cannot be read"), ([3], "list of dicts"),
    ({"value": [1, 2], "sd": [1]}, "several lengths"), ([dict(measured(1, 0.5)[0], colour="red")], "colour"),
])
def test_bad_measurements(study, rows, sentence):
    with pytest.raises(gridhelm.GridhelmError, match=sentence):
        study.match(rows, samples=0)


def test_suggestions_are_waited_for(study):
    places, estimate = study.suggest(4)
    assert set(places) == {"a", "b"} and 1 <= len(places["a"]) <= 4 and estimate > 0
    assert all(0.5 <= a <= 2 for a in places["a"])
    with pytest.raises(gridhelm.GridhelmError, match="import"):
        study.suggest(4)


@pytest.fixture
def suggestion(tmp_path):
    """What is suggested for a study of few runs whose field bends on the right, and is 1 on the left."""
    path = tmp_path / "half.gridhelm"
    x = np.linspace(-1, 1, 33)
    def field(a, b):
        return {"p": np.where(x < 0, 1, b * np.sin(5 * a) * x)}
    gridhelm.sample(field, {"a": (0, 1), "b": (0, 1)}, out=path, runs=14, holdouts=0, processes=1,
                    mesh=gridhelm.image((33,), origin=(-1,), spacing=(1 / 16,)))
    def suggest(**counts): # of a copy, since a study waits for what was suggested
        copy = shutil.copy(path, tmp_path / "copy.gridhelm")
        return gridhelm.open(copy).suggest(4, surrogate="sparse-grid", **counts)
    return suggest


def test_suggestions_where_the_error_counts(suggestion):
    places, everywhere = suggestion()
    assert 1 <= len(places["a"]) <= 4 and everywhere > 0.05
    assert suggestion(region=((None, -0.1),))[1] < 1e-6
    assert suggestion(region=((0.1, None), None))[1] > 2 * everywhere
    assert suggestion(at={"a": 0, "b": 1})[1] != everywhere


def test_refined_where_the_error_counts(cli, tmp_path):
    path = tmp_path / "plate.gridhelm"
    cli("sample", "plate", "--out", path)
    study = gridhelm.open(path)
    report = study.refine(runs=4, at={"strength": 150}, region=((0, 0.5), (0, 0.5)), jobs=1)
    assert 0 < report["runs"] <= 4 and "the error there is" in report["text"]


@pytest.mark.parametrize("given, kind, sentence", [
    ({"at": {"c": 1}}, KeyError, "no parameter 'c'"), ({"at": {"a": 9}}, ValueError, "outside of its range, 0.5 to 2"),
    ({"at": {"a": "x"}}, ValueError, "give a number"), ({"at": {}}, ValueError, "values by name"),
    ({"at": 3}, ValueError, "values by name"), ({"region": "0:1"}, ValueError, "is no box"),
    ({"region": 3}, ValueError, "is no box"), ({"region": ((0, 1),) * 4}, ValueError, "is no box"),
    ({"region": ((0, 1, 2),)}, ValueError, "is no box"), ({"region": ((0, float("nan")),)}, ValueError, "is no box"),
    ({"region": ((1, 0),)}, ValueError, "lower end first"), ({"region": ()}, ValueError, "is no box"),
    ({"region": ((1e6, 2e6),)}, gridhelm.GridhelmError, "holds nothing of the mesh, which goes from 0 to"),
    ({"surrogate": "krigin"}, KeyError, "did you mean \"kriging\""),
])
def test_bad_error_that_counts(study, given, kind, sentence):
    with pytest.raises(kind, match=sentence):
        study.suggest(4, **given)


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A study whose responses could be had as long as no run was at b = 1: "bad" and "worse" are 1 / (q - 1)."""
    path = tmp_path_factory.mktemp("grown") / "grown.gridhelm"
    y, x = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 2, 9), indexing="ij")
    def field(a, b):
        return {"p": a * x + a * b * y * y, "q": np.full((5, 9), b)}
    def sample(runs):
        return gridhelm.sample(field, {"a": (0, 1), "b": (0, 1)}, out=path, runs=runs, holdouts=0, processes=1,
                               mesh=gridhelm.image((9, 5)))
    study = sample(4)
    for name, of, reduce in (("bad", "1 / (q - 1)", "maximum"), ("good", "p", "mean"), ("worse", "1 / (q - 1)", "minimum"),
                             ("high", "p", "maximum")):
        study.response(name, of, reduce=reduce)
    assert len(study.respond(a=0.5, b=0.5)) == 4
    return sample(30)


def test_a_response_that_cannot_be_had_takes_no_other_away(grown):
    assert [r.name for r in grown.responses] == ["bad", "good", "worse", "high"]
    assert grown.respond("good", a=0.5, b=0) == pytest.approx(0.5, abs=0.01)
    for ask in (lambda: grown.respond(a=0.5, b=0), grown.response_errors, grown.sobol, lambda: grown.shapley(samples=256),
                lambda: grown.uncertainty(samples=64)):
        with pytest.warns(UserWarning, match="left out: .*bad.*no finite number") as told:
            found = ask()
        assert set(found) == {"good", "high"}
        assert len(told) == 2 and all(one.filename == __file__ for one in told) # the caller's line
    assert grown.sobol()["good"] == grown.sobol("good")
    for name in ("bad", "worse"):
        for ask in (lambda: grown.respond(name, a=0.5, b=0.5), lambda: grown.sobol(name), lambda: grown.uncertainty(name),
                    lambda: grown.match([{"response": name, "value": 1, "sd": 0.1}], samples=0)):
            with pytest.raises(gridhelm.GridhelmError, match=f"{name}.*no finite number") as caught:
                ask()
            assert "\n" not in str(caught.value) and not isinstance(caught.value, KeyError)
    with pytest.raises(gridhelm.UnknownNameError, match="did you mean \"worse\""):
        grown.sobol("wors")
    # What was measured of others is matched.
    rows = [{"response": name, "value": float(grown.respond(name, a=0.5, b=0.5)), "sd": 0.01} for name in ("good", "high")]
    assert grown.match(rows, samples=0).chi_square < 1


def test_where_none_can_be_had_the_first_says_why(grown, tmp_path):
    path = shutil.copy(grown.path, tmp_path / "none.gridhelm")
    study = gridhelm.open(path)
    for name in ("good", "high"):
        study.forget(name)
    for ask in (study.sobol, study.response_errors, lambda: study.respond(a=0.5, b=0.5)):
        with pytest.raises(gridhelm.GridhelmError, match="bad.*no finite number"):
            ask()
    with pytest.raises(gridhelm.GridhelmError, match="worse.*no finite number"):
        study.sobol("worse")
    study.forget("bad")
    study.forget("worse")
    assert set(study.sobol()) == {r.name for r in study.responses} # those of the fields
