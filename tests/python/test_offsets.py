# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that are large beside what they differ by, or too small for single precision: as the files have them."""
import json

import numpy as np
import pytest

import gridhelm

pyvista = pytest.importorskip("pyvista")

RUNS = np.linspace(0, 3, 13)


def pressure(x, a):
    return 101325 + 1e-3 * (np.sin(3 * x[:, 0]) * np.cos(a) + x[:, 1] * a)


def small(x, a):
    return 1e-50 * (2 + x[:, 0] * a)


@pytest.fixture(scope="module")
def study(tmp_path_factory, cli):
    folder = tmp_path_factory.mktemp("offsets")
    mesh = pyvista.ImageData(dimensions=(9, 9, 1), spacing=(0.125, 0.125, 1)).cast_to_unstructured_grid()
    lines = ["a,file"]
    for number, a in enumerate(RUNS):
        mesh.point_data["p"] = pressure(mesh.points, a)
        mesh.point_data["small"] = small(mesh.points, a)
        mesh.save(folder / f"r{number}.vtu")
        lines.append(f"{a},r{number}.vtu")
    (folder / "runs.csv").write_text("\n".join(lines))
    path = folder / "s.gridhelm"
    cli("import", "--table", folder / "runs.csv", "--out", path)
    return path, mesh


def test_everywhere(study, cli, tmp_path):
    path, mesh = study
    for a, close in ((RUNS[4], 1e-8), (1.3, 2e-6)): # at a run, and between
        right = pressure(mesh.points, a)
        out = tmp_path / "out.vtu"
        said = json.loads(cli("eval", path, "--at", f"a={a}", "--out", out, "--probe", "0.5,0.5,0", "--json"))
        written = pyvista.read(out)
        assert np.abs(written["p"] - right).max() < close
        assert np.abs(written["small"] / small(mesh.points, a) - 1).max() < 1e-4
        at = np.flatnonzero((mesh.points[:, :2] == 0.5).all(1))[0]
        assert abs(said["probes"][0]["values"]["p"] - right[at]) < close
        assert abs(said["fields"][0]["low"] - right.min()) < close
        opened = gridhelm.open(path)
        values = opened.evaluate("p", a=a)
        assert values.dtype == np.float64 and np.abs(values - right).max() < close
        into = np.empty(1)
        opened.evaluate("p", a=a, nodes=[at], out=into)
        assert abs(into[0] - right[at]) < close
        slopes = opened.gradient("small", a=a)["a"]
        assert np.abs(slopes - 1e-50 * mesh.points[:, 0]).max() < 1e-53
    archive = tmp_path / "out.npz"
    (tmp_path / "points.csv").write_text("a\n1.3\n")
    cli("eval", path, "--points", tmp_path / "points.csv", "--out", archive)
    assert np.abs(np.load(archive)["p"][0] - pressure(mesh.points, 1.3)).max() < 2e-6


def test_answers(study, cli):
    path, mesh = study
    for name, expression, reduction in (("mean", "p", "mean"), ("most", "p", "maximum"), ("square", "p*p", "mean")):
        cli("responses", path, "--add", name, "--of", expression, "--reduce", reduction)
    said = json.loads(cli("sobol", path, "--response", "mean", "--json"))
    assert said["responses"][0]["variance"] > 1e-10 and not said["responses"][0]["is_constant"]
    opened = gridhelm.open(path)
    maps = opened.uncertainty_maps("p", inputs={"a": "uniform"}, samples=4096, above=101325)
    between = np.array([pressure(mesh.points, a) for a in np.linspace(0, 3, 2001)])
    assert np.abs(maps.mean - between.mean(0)).max() < 1e-5
    assert np.abs(maps.deviation - between.std(0)).max() < 1e-5
    assert np.abs(maps.above - (between > 101325).mean(0)).max() < 0.02


def waves(a, b):
    return {"p": 101325 + 1e-3 * np.sin(3 * a + b) * np.linspace(0, 1, 50)}


def test_sampled_function(tmp_path):
    path = tmp_path / "f.gridhelm"
    gridhelm.sample(waves, {"a": (0, 1), "b": (0, 1)}, out=path, level=7, processes=2)
    sampled = gridhelm.open(path)
    assert np.abs(sampled.evaluate("p", a=0.3, b=0.6) - waves(0.3, 0.6)["p"]).max() < 3e-6
