# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers are the command line's, to the last bit: one engine, asked in two ways."""
import json
import shutil

import numpy as np
import pytest

import gridhelm
from test_answers import measured

PLACES = [(0.5, 0.1), (1.37, 0.42), (2, 1), (0.83, 0.97)]
SEED, SAMPLES = 7, 3000
INPUTS = {"a": "normal(1.2, 0.2)", "b": "lognormal(-1, 0.2)"}


@pytest.fixture(scope="module")
def path(waves_path, tmp_path_factory):
    copy = tmp_path_factory.mktemp("asked") / "waves.gridhelm"
    shutil.copy(waves_path, copy)
    study = gridhelm.open(copy)
    study.response("flow", "flow_z", reduce="mean", unit="m/s") # linear
    study.response("peak", "mag(flow)", reduce="maximum") # of a surrogate of its own, or of the field
    return copy


@pytest.fixture
def study(path):
    return gridhelm.open(path)


@pytest.fixture
def told(cli, path):
    """What the command line says of the study."""
    return lambda command, *arguments: json.loads(cli("--json", command, path, *arguments))


def options(inputs):
    return [part for name, value in inputs.items() for part in ("--input", f"{name}={value}")]


def of_responses(document):
    return {one["name"]: one for one in document["responses"]}


def at(a, b):
    return f"a={a!r},b={b!r}"


def test_fields(study, path, cli, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    for a, b in PLACES:
        cli("eval", path, "--at", at(a, b), "--out", tmp_path / "x.vti")
        file = pyvista.read(tmp_path / "x.vti")
        for name in ("u", "flow"):
            np.testing.assert_array_equal(study.evaluate(name, a=a, b=b), file.point_data[name])
    many = study.evaluate("flow", PLACES)
    for values, (a, b) in zip(many, PLACES):
        np.testing.assert_array_equal(values, study.evaluate("flow", a=a, b=b))


def test_errors(study, told):
    for a, b in PLACES:
        for field in told("eval", "--at", at(a, b))["fields"]:
            band = study.error(field["name"], a=a, b=b)
            expected = field["band"]
            assert (band is None) == (expected is None)
            if band is not None:
                assert (band.relative, band.coverage, band.holdouts) == tuple(
                    expected[part] for part in ("relative_l2", "coverage", "hold_outs"))
    known = of_responses(told("responses"))
    errors = study.response_errors()
    assert set(errors) == set(known) == {"flow", "peak"}
    for name, error in errors.items():
        assert error == tuple(known[name]["error"][part] for part in ("at_most", "coverage", "hold_outs"))


def test_responses(study, told):
    for a, b in PLACES:
        values = study.respond(a=a, b=b)
        for name, one in of_responses(told("responses", "--at", at(a, b))).items():
            assert one["value"] == values[name]


@pytest.mark.parametrize("inputs", [{}, INPUTS])
def test_sobol(study, told, inputs):
    asked = of_responses(told("sobol", "--samples", SAMPLES, "--seed", SEED, *options(inputs)))
    found = study.sobol(inputs=inputs, samples=SAMPLES, seed=SEED)
    assert set(found) == set(asked) == {"flow", "peak"}
    same_influence(found, asked)
    shares = of_responses(told("sobol", "--shapley", "--samples", SAMPLES, "--seed", SEED, *options(inputs)))
    for name, effects in study.shapley(inputs=inputs, samples=SAMPLES, seed=SEED).items():
        assert (effects.effects, effects.errors) == (shares[name]["shapley"], shares[name].get("shapley_error"))


def test_exact_sobol_of_a_sparse_grid(cli, grid_path, tmp_path):
    path = shutil.copy(grid_path, tmp_path / "grid.gridhelm")
    study = gridhelm.open(path)
    study.response("mean", "p", reduce="mean")
    inputs = {"a": "triangular(0, 0.2, 1)"}
    asked = of_responses(json.loads(cli("--json", "sobol", path, *options(inputs))))
    found = study.sobol(inputs=inputs)
    assert found["mean"].is_exact
    same_influence(found, asked)


def same_influence(found, asked):
    for name, influence in found.items():
        one = asked[name]
        for part in ("mean", "variance", "first", "total", "is_exact", "is_constant"):
            assert getattr(influence, part) == one[part]
        if influence.is_exact:
            assert influence.pairs == {tuple(pair["parameters"]): pair["share"] for pair in one["pairs"]}
        else:
            assert (influence.first_error, influence.total_error) == (one["first_error"], one["total_error"])


def test_uncertainty(study, told):
    asked = of_responses(told("uncertainty", "--samples", SAMPLES, "--seed", SEED, "--percentiles", "5,50,97.5", "--above",
                              0.8, "--bins", 12, "--correlate", "a,b=0.5", *options(INPUTS)))
    found = study.uncertainty(inputs=INPUTS, correlations={("a", "b"): 0.5}, percentiles=(5, 50, 97.5), above=0.8, bins=12,
                              samples=SAMPLES, seed=SEED)
    for name, spread in found.items():
        one = asked[name]
        for part in ("mean", "deviation", "low", "high"):
            assert getattr(spread, part) == one[part]
        assert spread.percentiles == {each["percentile"]: each["value"] for each in one["percentiles"]}
        assert tuple(spread.above) == tuple(one["above"][part] for part in ("probability", "low", "high"))
        assert spread.counts.tolist() == one["histogram"]["counts"]
        assert spread.density.density.tolist() == one["density"]["values"]
        assert (spread.density.bandwidth, spread.density.most_likely) == (
            one["density"]["bandwidth"], one["density"]["most_likely"])


def test_maps(study, path, cli, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    def maps(command, *more):
        cli(command, path, "--map", "flow", "--out", tmp_path / "x.vti", "--samples", SAMPLES, "--seed", SEED, *more)
        return pyvista.read(tmp_path / "x.vti").point_data
    file = maps("uncertainty", "--percentiles", "5,95", *options(INPUTS))
    spread = study.uncertainty_maps("flow", inputs=INPUTS, percentiles=(5, 95), samples=SAMPLES, seed=SEED)
    for name, values in (("mean", spread.mean), ("deviation", spread.deviation), ("p5", spread.percentiles[5]),
                         ("p95", spread.percentiles[95]), ("at_most_off", study.error_map("flow").at_most)):
        np.testing.assert_array_equal(values, file[f"flow_{name}"])
    file = maps("sobol", *options(INPUTS))
    influence = study.sobol_maps("flow", inputs=INPUTS, samples=SAMPLES, seed=SEED)
    for name, values in (("mean", influence.mean), ("variance", influence.variance), ("first_a", influence.first["a"]),
                         ("total_b", influence.total["b"])):
        np.testing.assert_array_equal(values, file[f"flow_{name}"])


def test_match(study, path, cli, tmp_path):
    table = tmp_path / "measured.csv"
    rows = measured(1.3, 0.4)
    table.write_text("quantity,x,y,z,value,sd\n"
                     + "".join(",".join(str(row[name]) for name in ("quantity", "x", "y", "z", "value", "sd")) + "\n"
                               for row in rows))
    document = json.loads(cli("--json", "match", path, table, "--samples", SAMPLES, "--seed", SEED, "--csv",
                              tmp_path / "posterior.csv"))
    found = study.match(rows, samples=SAMPLES, seed=SEED)
    assert found.at == document["at"] and found.determined == document["determined"]
    assert found.chi_square == document["chi_square"]
    for part, name in (("measured", "measured"), ("predicted", "predicted"), ("residuals", "deviations")):
        assert getattr(found, part).tolist() == [one[name] for one in document["residuals"]]
    posterior = document["posterior"]
    assert found.has_converged == posterior["has_converged"]
    samples = np.loadtxt(tmp_path / "posterior.csv", delimiter=",", skiprows=1)
    for k, name in enumerate(("a", "b")):
        one = posterior["parameters"][name]
        assert (found.r_hat[name], found.effective_samples[name]) == (one["r_hat"], one["effective_samples"])
        np.testing.assert_array_equal(found.posterior[name], samples[:, k])
