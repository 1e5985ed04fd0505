# SPDX-License-Identifier: GPL-3.0-or-later
import json
import pickle
import threading

import numpy as np
import pytest

import gridhelm
from conftest import waves


def test_description(study):
    assert [p.name for p in study.parameters] == ["a", "b"]
    assert study.parameters[1].unit == "m" and study.parameters[1].is_logarithmic
    assert {f.name: f.components for f in study.fields} == {"u": 1, "flow": 3}
    assert study.title == "waves"
    assert "waves.gridhelm" in repr(study)


def test_one_place_is_the_function(study):
    truth = waves(1.1, 0.4)
    u = study.evaluate("u", a=1.1, b=0.4)
    assert u.shape == (40,) and u.dtype == np.float32
    assert np.abs(u - truth["u"]).max() < 0.01
    both = study.evaluate(a=1.1, b=0.4)
    assert both["flow"].shape == (40, 3)
    assert np.abs(both["flow"] - truth["flow"]).max() < 0.01
    assert list(study.evaluate(["u"], a=1.1, b=0.4)) == ["u"]


def test_all_ways_to_say_where_agree(study):
    pandas = pytest.importorskip("pandas")
    places = np.array([[0.7, 0.2], [1.5, 0.9], [1.0, 0.5]])
    expected = np.stack([study.evaluate("u", a=a, b=b) for a, b in places])
    # In one call all are read from memory; one after the other the first ones are read from the file.
    def same(values):
        np.testing.assert_allclose(values, expected, atol=1e-6)
    same(study.evaluate("u", places))
    same(study.evaluate("u", places.tolist()))
    same(study.evaluate("u", np.asfortranarray(places)))
    same(study.evaluate("u", np.repeat(places, 2, axis=0)[::2]))
    same(study.evaluate("u", {"b": places[:, 1], "a": places[:, 0]}))
    same(study.evaluate("u", a=places[:, 0], b=places[:, 1]))
    same(study.evaluate("u", pandas.DataFrame({"b": places[:, 1], "other": 3.0, "a": places[:, 0]})))
    assert study.evaluate("u", places[0]).shape == (40,)
    assert study.evaluate("u", a=[0.7, 1.5], b=0.5).shape == (2, 40)
    read_only = places.copy()
    read_only.flags.writeable = False
    same(study.evaluate("u", read_only))
    np.testing.assert_allclose(study.evaluate("u", np.array([[1, 1]])), study.evaluate("u", [[1.0, 1.0]]))


def test_nodes_are_those_of_the_whole_field(study):
    places = [[0.7, 0.2], [1.5, 0.9]]
    whole = study.evaluate("flow", places)
    for nodes in ([39, 0, 7], np.array([3], np.uint8), np.arange(40)[::-3]):
        np.testing.assert_allclose(study.evaluate("flow", places, nodes=nodes), whole[:, nodes], atol=1e-6)
    mask = np.zeros(40, bool)
    mask[4:6] = True
    np.testing.assert_allclose(study.evaluate("flow", places, nodes=mask), whole[:, 4:6], atol=1e-6)
    assert study.evaluate("flow", places, nodes=[]).shape == (2, 0, 3)


def test_out_takes_the_values(study):
    places = [[0.7, 0.2], [1.5, 0.9]]
    out = np.full((2, 40), np.nan, np.float32)
    assert study.evaluate("u", places, out=out) is out
    np.testing.assert_array_equal(out, study.evaluate("u", places))
    one = np.empty(40, np.float32)
    assert study.evaluate("u", a=0.7, b=0.2, out=one) is one
    np.testing.assert_allclose(one, out[0], atol=1e-6)


def test_results_are_kept_when_others_come(study):
    first = study.evaluate("u", a=0.7, b=0.2)
    copy = first.copy()
    for _ in range(20):
        study.evaluate("u", a=1.9, b=0.9)
    np.testing.assert_array_equal(first, copy)


def test_indicator_and_band_are_the_command_lines(grid, grid_path, cli):
    values, indicator = grid.evaluate("p", a=0.3, b=0.8, indicator=True)
    told = json.loads(cli("--json", "eval", grid_path, "--at", "a=0.3,b=0.8"))["fields"][0]
    assert values.min() == pytest.approx(told["low"], abs=1e-6)
    assert values.max() == pytest.approx(told["high"], abs=1e-6)
    band = grid.error("p", a=0.3, b=0.8)
    assert band.relative == pytest.approx(told["band"]["relative_l2"])
    assert band.coverage == told["band"]["coverage"] and band.holdouts == told["band"]["hold_outs"]


def test_accuracy_is_the_command_lines(study, grid, grid_path, cli):
    told = json.loads(cli("--json", "info", grid_path))["fields"][0]["accuracy"]
    found = grid.accuracy("p")
    assert found.relative == pytest.approx(told["relative_l2"]) and found.maximum == pytest.approx(told["maximum"])
    assert (found.places, found.kind) == (told["places"], told["kind"])
    assert found.text.startswith("p: ") and set(study.accuracy()) == {"u", "flow"}


def test_errors_are_below_the_band(study):
    band = study.error("u", a=1.1, b=0.4)
    truth = waves(1.1, 0.4)["u"]
    error = np.linalg.norm(study.evaluate("u", a=1.1, b=0.4) - truth) / np.linalg.norm(truth)
    assert 0 < band.relative < 0.01 and error < 3 * band.relative
    assert "% error bound " in band.text and set(study.error(a=1.1, b=0.4)) == {"u", "flow"}


def test_gradients_are_derivatives(grid, study):
    slopes = grid.gradient("p", a=0.3, b=0.8) # linear, so exactly
    points = grid.mesh().points
    np.testing.assert_allclose(slopes["a"], study_x(points, 9), atol=1e-5)
    steps = study.gradient("u", a=1.1, b=0.4)
    for name, h in (("a", 0.01), ("b", 0.004)): # of a logarithmic one, too
        at, beside = {"a": 1.1, "b": 0.4}, {"a": 1.1, "b": 0.4}
        at[name] -= h
        beside[name] += h
        difference = (study.evaluate("u", **beside) - study.evaluate("u", **at)) / (2 * h)
        np.testing.assert_allclose(steps[name], difference, atol=0.02)
    assert study.gradient("flow", [[1.1, 0.4]] * 3)["b"].shape == (3, 40, 3)


def study_x(points, columns):
    """What the field of `grid_path` has as its derivative by a: 0 to 2 along its own order of nodes."""
    return np.tile(np.linspace(0, 2, columns), len(points) // columns)


def test_mesh(grid, study):
    mesh = grid.mesh()
    assert mesh.shape == (5, 9, 1) and mesh.points.shape == (45, 3) and len(mesh.types) == 32
    np.testing.assert_array_equal(mesh.points[6], [0.25, 0.25, 0])
    np.testing.assert_array_equal(mesh.cells[:4], [0, 1, 6, 5])
    assert study.mesh().n_cells == 39 and set(study.mesh().types) == {3}
    pyvista = pytest.importorskip("pyvista")
    data = mesh.pyvista(p=grid.evaluate("p", a=1, b=0))
    assert isinstance(data, pyvista.ImageData) and data.n_points == 45
    np.testing.assert_allclose(data.points, mesh.points)
    np.testing.assert_array_equal(data.cast_to_unstructured_grid().cells_dict[pyvista.CellType.PIXEL][0], [0, 1, 5, 6])
    with pytest.raises(gridhelm.ArgumentError, match="45 points and 32 cells"):
        mesh.pyvista(p=np.zeros(7))


def test_many_threads_see_the_same(study):
    places = np.random.default_rng(0).uniform([0.5, 0.1], [2, 1], (50, 2))
    expected = study.evaluate("u", places)
    wrong = []
    def ask(seed):
        for i in np.random.default_rng(seed).permutation(50):
            if not np.allclose(study.evaluate("u", places[i]), expected[i], atol=1e-6):
                wrong.append(i)
    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_study_can_be_sent_to_another_process(study):
    again = pickle.loads(pickle.dumps(study))
    np.testing.assert_allclose(again.evaluate("u", a=1, b=0.5), study.evaluate("u", a=1, b=0.5), atol=1e-6)


def test_xarray(study):
    pytest.importorskip("xarray")
    data = study.to_xarray("flow", [[1.1, 0.4], [1.2, 0.4]])
    assert data.dims == ("place", "node", "component") and data.coords["a"].values.tolist() == [1.1, 1.2]
