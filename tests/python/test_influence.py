# SPDX-License-Identifier: GPL-3.0-or-later
"""What matters, and how sure: of a linear function, whose answers are known."""
import shutil

import numpy as np
import pytest

import gridhelm
from conftest import waves
from test_answers import measured


@pytest.fixture
def study(waves_path, tmp_path):
    shutil.copy(waves_path, tmp_path / "waves.gridhelm")
    opened = gridhelm.open(tmp_path / "waves.gridhelm")
    opened.response("lowest", "u", reduce="minimum")
    opened.response("flow", "flow_z", reduce="mean", unit="m/s")
    return opened


@pytest.fixture(scope="module")
def linear_path(grid_path, tmp_path_factory):
    """p is 2 a + b at its corner, a + b at another one, and 0 at the first."""
    path = tmp_path_factory.mktemp("linear") / "linear.gridhelm"
    shutil.copy(grid_path, path)
    opened = gridhelm.open(path)
    opened.response("corner", "p", reduce="value", on="point 1,2,0")
    opened.response("same", "p", reduce="value", on="point 0,2,0")
    opened.response("nothing", "p", reduce="value", on="point 0,0,0")
    return path


@pytest.fixture
def linear(linear_path):
    return gridhelm.open(linear_path)


def corner_and_same(linear):
    """Which of the responses is 2 a + b, or a + 2 b, and which a + b: by their values."""
    return linear.respond("corner", a=1, b=0), linear.respond("corner", a=0, b=1), linear.respond("same", a=1, b=1)


def test_independent_parameters_have_the_effects_of_their_variances(linear):
    of_a, of_b, _ = corner_and_same(linear)
    found = linear.shapley("corner")
    assert found.is_exact and found.errors is None and not found.is_constant
    assert found.effects["a"] == pytest.approx(of_a ** 2 / (of_a ** 2 + of_b ** 2), abs=1e-3)
    assert sum(found.effects.values()) == pytest.approx(1, abs=1e-12)
    assert found.variance == pytest.approx(linear.sobol("corner").variance, rel=1e-12)
    everything = linear.shapley()
    assert set(everything) == {"corner", "same", "nothing"} and everything["corner"] == found
    assert everything["nothing"].is_constant and everything["nothing"].effects == {"a": 0, "b": 0}
    assert linear.sobol("nothing").is_constant and not linear.sobol("corner").is_constant


def test_parameters_that_go_together_share_the_variance(linear):
    r = 0.7
    same = linear.shapley("same", correlations={("a", "b"): r})
    assert not same.is_exact and same.evaluations > 1000
    assert sum(same.effects.values()) == pytest.approx(1, abs=1e-9)
    for name in "ab": # the function does not tell them apart
        assert same.effects[name] == pytest.approx(0.5, abs=4 * same.errors[name] + 1e-6)
    # With correlation r, of 2 a + b: the variances given one of the two, as if all were normal.
    first, second, _ = corner_and_same(linear)
    whole = first ** 2 + second ** 2 + 2 * r * first * second
    of_a, of_b = (first + r * second) ** 2 / whole, (second + r * first) ** 2 / whole
    corner = linear.shapley("corner", correlations={("a", "b"): r})
    assert corner.effects["a"] == pytest.approx((of_a + 1 - of_b) / 2, abs=0.02)
    held = linear.shapley("corner", inputs={"b": 0.5})
    assert held.effects == pytest.approx({"a": 1, "b": 0}, abs=1e-9)


def test_the_spread_of_a_linear_function(linear):
    first, second, most = corner_and_same(linear)
    found = linear.uncertainty("same", percentiles=(0, 50, 87.5), above=1.5, bins=8)
    assert found.mean == pytest.approx(1, abs=1e-3) and found.deviation == pytest.approx(np.sqrt(1 / 6), abs=1e-3)
    assert 0 <= found.low < 0.1 and 1.9 < found.high <= 2 + 1e-4
    # a + b of uniform a and b is a triangle.
    assert found.percentiles == pytest.approx({0: found.low, 50: 1, 87.5: 1.5}, abs=2e-3)
    assert found.above.share == pytest.approx(0.125, abs=2e-3) and found.above.low < 0.125 < found.above.high
    assert found.counts.sum() == 65_536 and len(found.edges) == 9 and found.edges[0] == found.low
    density = found.density
    assert density.at[0] == found.low and density.at[-1] == found.high
    assert np.interp([0.5, 1, 1.5], density.at, density.density) == pytest.approx([0.5, 1, 0.5], abs=0.06)
    assert np.sum((density.density[1:] + density.density[:-1]) / 2 * np.diff(density.at)) == pytest.approx(1, abs=0.01)
    assert density.most_likely == pytest.approx(1, abs=0.1) and 0 < density.bandwidth < 0.1
    everything = linear.uncertainty(percentiles=50)
    assert everything["corner"].mean == pytest.approx((first + second) / 2, abs=2e-3)
    assert everything["nothing"].density is None and everything["same"].above is None


def test_samples_go_together_row_by_row(linear, study):
    a = np.linspace(0, 1, 101)
    joint = linear.uncertainty("same", joint={"a": a, "b": 1 - a})
    apart = linear.uncertainty("same", inputs={"a": a, "b": 1 - a})
    assert joint.deviation < 1e-3 and apart.deviation == pytest.approx(np.sqrt(1 / 6), abs=0.02)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"b": 1 - a, "colour": "red", "a": a})
    assert linear.uncertainty("same", joint=frame).mean == pytest.approx(joint.mean, abs=1e-12)
    # What measurements leave open is less than what was open before.
    found = study.match(measured(1.3, 0.4), samples=4000)
    after = study.uncertainty("lowest", joint=found.posterior)
    assert after.deviation < study.uncertainty("lowest").deviation


@pytest.mark.parametrize("call, more, sentence", [
    ("shapley", dict(response="corners"), "did you mean \"corner\""), ("shapley", dict(samples=3), "samples=3"),
    ("shapley", dict(correlations={("a", "b"): 1.5}), "between -1 and 1"),
    ("shapley", dict(correlations={("a", "c"): 0.5}), "no parameter 'c'"),
    ("shapley", dict(correlations={("a", "a"): 0.5}), "goes with itself"),
    ("shapley", dict(correlations={("a", "b"): 0.5, ("b", "a"): 0.4}), "given twice"),
    ("shapley", dict(correlations={"a": 0.5}), "names of two"), ("shapley", dict(correlations=0.5), "float"),
    ("shapley", dict(correlations={("a", "b"): "much"}), "the correlation of a and b"),
    ("shapley", dict(inputs=3), "inputs is a int"), ("sobol", dict(samples=10 ** 9), "samples=1000000000"),
    ("uncertainty", dict(percentiles=(50, 5)), "ascend"), ("uncertainty", dict(percentiles=101), "0 to 100"),
    ("uncertainty", dict(percentiles="half"), "percentiles"), ("uncertainty", dict(above="much"), "above"),
    ("uncertainty", dict(bins=0), "bins=0"), ("uncertainty", dict(samples=3), "samples=3"),
    ("uncertainty", dict(joint=3), "joint is a int"), ("uncertainty", dict(joint={}), "none of the parameters"),
    ("uncertainty", dict(joint={"a": [0, 1], "b": [0.5]}), "rows belong together"),
    ("uncertainty", dict(joint={"a": [0, 7], "b": [0, 1]}), "outside|range"),
    ("uncertainty", dict(joint={"a": [0.1, 0.2]}, inputs={"a": 0.5}), "given twice"),
    ("uncertainty", dict(joint={"a": [0, 1], "b": [0, 1]}, correlations={("a", "b"): 0.5}), "row by row"),
    ("sobol_maps", dict(field="q"), "no field 'q'"), ("uncertainty_maps", dict(field="p", samples=10 ** 6), "samples="),
    ("error_map", dict(field="q"), "no field 'q'")])
def test_what_cannot_be_asked(linear, call, more, sentence):
    with pytest.raises(gridhelm.GridhelmError, match=sentence):
        getattr(linear, call)(**more)


def test_maps_of_a_linear_field(linear, grid_path):
    y, x = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 2, 9), indexing="ij")
    truth = linear.evaluate("p", a=1, b=0), linear.evaluate("p", a=0, b=1)
    assert truth[0].shape == (45,) and (truth[0] + truth[1]).max() == pytest.approx((x + y).max(), abs=1e-4)
    maps = linear.sobol_maps("p")
    assert maps.is_exact and maps.mean == pytest.approx((truth[0] + truth[1]) / 2, abs=1e-4)
    assert maps.variance == pytest.approx((truth[0] ** 2 + truth[1] ** 2) / 12, abs=1e-4)
    varies = maps.variance > 1e-3
    assert varies.sum() > 40
    share = truth[0] ** 2 / np.maximum(truth[0] ** 2 + truth[1] ** 2, 1e-9)
    assert maps.first["a"][varies] == pytest.approx(share[varies], abs=2e-3)
    assert maps.total["b"][varies] == pytest.approx(1 - share[varies], abs=2e-3)
    spread = linear.uncertainty_maps("p", inputs={"b": 0.5}, percentiles=(10, 50), above=0.5)
    assert spread.mean == pytest.approx(truth[0] / 2 + truth[1] / 2, abs=2e-3)
    assert spread.percentiles[10] == pytest.approx(0.1 * truth[0] + 0.5 * truth[1], abs=5e-3)
    assert np.all((spread.above >= 0) & (spread.above <= 1)) and np.ptp(spread.above) > 0.5
    assert linear.uncertainty_maps("p", samples=64).above is None


def test_maps_of_a_body_say_how_often_it_is_there(tmp_path, linear):
    x = np.arange(10) / 10
    def strip(a, b): # the body ends at 0.45 + 0.4 a
        return {"u": np.stack([a + x, b - x + 0 * a], axis=-1), "mesh.signed_distance": 0.45 + 0.4 * a - x}
    study = gridhelm.sample(strip, {"a": (0, 1), "b": (0, 1)}, out=tmp_path / "strip.gridhelm", level=2, processes=1,
                            mesh=gridhelm.image((10,), spacing=(0.1,)), holdouts=0)
    a = np.array([0, 0.2, 0.4, 0.6, 0.8, 1]) + 0.01 # none of its ends is a node
    share = np.mean(strip(np.minimum(a, 0.99)[:, None], 0)["mesh.signed_distance"] > 0, axis=0)
    assert share.min() == 0 and share.max() == 1 and len(np.unique(share)) > 3
    inputs = {"a": np.minimum(a, 0.99), "b": 0.5}
    spread = study.uncertainty_maps("u", inputs=inputs, above=1, samples=4096)
    influence = study.sobol_maps("u", inputs=inputs)
    for body in (spread.body, influence.body):
        assert body.shape == (10, 2) and np.all(body[:, 0] == body[:, 1])
        assert body[:, 0] == pytest.approx(share, abs=0.02) and np.all((body[:, 0] == 0) == (share == 0))
    for values in (spread.mean, spread.deviation, spread.percentiles[50], spread.above, influence.mean, influence.variance,
                   influence.first["a"], influence.total["b"]):
        assert np.all(np.isnan(values) == (share == 0)[:, None])
    assert spread.mean[:4, 1] == pytest.approx(0.5 - x[:4], abs=1e-4) # where the body always is
    distances = study.uncertainty_maps("mesh.signed_distance", samples=64)
    assert distances.body is None and np.isfinite(distances.mean).all()
    assert linear.uncertainty_maps("p", samples=64).body is None and linear.sobol_maps("p").body is None


def test_maps_have_the_shape_of_the_field(study):
    entities = len(study.evaluate("u", a=1, b=0.5))
    assert study.sobol_maps("flow").first["b"].shape == (entities, 3)
    assert study.uncertainty_maps("flow", samples=64).percentiles[5].shape == (entities, 3)
    error = study.error_map("u")
    assert error.at_most.shape == (entities,) and error.holdouts > 0 and 0.5 < error.coverage < 1
    # At each value by itself: a place in ten may be farther off, not most of them.
    rng = np.random.default_rng(1)
    places = np.column_stack([rng.uniform(0.5, 2, 50), 10 ** rng.uniform(-1, 0, 50)])
    off = [np.abs(study.evaluate("u", a=a, b=b) - waves(a, b)["u"]) <= error.at_most + 1e-7 for a, b in places]
    assert np.mean(off) > 0.6
