# SPDX-License-Identifier: GPL-3.0-or-later
"""Random meshes of mixed cells that pyvista writes: what is imported, evaluated and integrated is what pyvista says of them.
GRIDHELM_LONG_TESTS=1: of 30 meshes."""
import json
import os

import numpy as np
import pytest

pyvista = pytest.importorskip("pyvista")

RUNS = [float(a) for a in np.linspace(0.5, 2, 6)]
# In VTK's order of nodes.
CELLS = {
    "LINE": [(0, 0, 0), (1, 0, 0)],
    "TRIANGLE": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "QUAD": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],
    "TETRA": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "HEXAHEDRON": [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))],
    "WEDGE": [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (0, 1), (1, 0))],
    "PYRAMID": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)],
}


def random_mesh(random):
    """Cells of random kinds, each stretched and turned by itself, in a row."""
    points, cells, types = [], [], []
    for name in ["HEXAHEDRON", "PYRAMID", *random.choice(list(CELLS), 30)]:
        corners = np.array(CELLS[name], float)
        turned = np.linalg.qr(random.normal(size=(3, 3)))[0]
        corners = (corners * random.uniform(0.3, 1, 3)) @ turned.T + [3.0 * len(types), 0, 0]
        cells += [len(corners), *range(len(points), len(points) + len(corners))]
        points += list(corners)
        types.append(getattr(pyvista.CellType, name))
    return pyvista.UnstructuredGrid(np.array(cells), np.array(types), np.array(points))


def fields(mesh, a):
    x, c = mesh.points, mesh.cell_centers().points
    return {"T": np.sin(a) * np.cos(x[:, 0] / 9) + a * x[:, 1] + 2, "U": np.stack([a * x[:, 0], x[:, 1] ** 2, a * a + 0 * x[:, 2]], 1)}, \
           {"q": 3 + np.exp(-a) * c[:, 0] / 20 + a * c[:, 2]}


def sizes(mesh):
    """Of the solids alone: VTK's signs depend on how a cell is turned."""
    measured = mesh.compute_cell_sizes(length=False, area=False)
    return np.abs(measured.cell_data["Volume"])


@pytest.mark.parametrize("seed", range(30 if os.environ.get("GRIDHELM_LONG_TESTS") else 4))
def test_meshes(cli, tmp_path, seed):
    random = np.random.default_rng(seed)
    mesh = random_mesh(random)
    precision = random.choice([np.float32, np.float64])
    suffix = random.choice([".vtu", ".vtk"])
    runs = {}
    table = random.choice([",", ";", "\t"]).join
    lines = [table(["a [m]", "file"])]
    for number, a in enumerate(RUNS):
        run = mesh.copy()
        at_points, in_cells = fields(mesh, a)
        for name, values in at_points.items():
            run.point_data[name] = values.astype(precision)
        for name, values in in_cells.items():
            run.cell_data[name] = values.astype(precision)
        run.save(tmp_path / f"r{number}{suffix}", binary=bool(random.integers(2)))
        runs[a] = run
        lines.append(table([f"{a!r}", f"r{number}{suffix}"]))
    (tmp_path / "runs.csv").write_text("\n".join(lines))
    study = tmp_path / "s.gridhelm"
    cli("import", "--table", tmp_path / "runs.csv", "--out", study)
    cli("responses", study, "--add", "total", "--of", "q", "--reduce", "integral")
    for a, run in runs.items():
        cli("eval", study, "--at", f"a={a!r}", "--out", tmp_path / "e.vtu")
        found = pyvista.read(tmp_path / "e.vtu")
        np.testing.assert_array_equal(found.celltypes, run.celltypes)
        np.testing.assert_allclose(found.points, run.points, atol=1e-6 * np.abs(run.points).max())
        for name in ("T", "U"):
            np.testing.assert_allclose(found.point_data[name], run.point_data[name], atol=2e-5 * np.abs(run.point_data[name]).max())
        np.testing.assert_allclose(found.cell_data["q"], run.cell_data["q"], atol=2e-5 * np.abs(run.cell_data["q"]).max())
        told = json.loads(cli("--json", "responses", study, "--at", f"a={a!r}"))["responses"]
        total = next(one["value"] for one in told if one["name"] == "total")
        assert total == pytest.approx((sizes(run) * run.cell_data["q"]).sum(), rel=1e-4)
    # Between the runs, where the fields are as smooth as they are.
    cli("eval", study, "--at", "a=1.21", "--out", tmp_path / "e.vtu")
    found, (at_points, in_cells) = pyvista.read(tmp_path / "e.vtu"), fields(mesh, 1.21)
    assert np.abs(found.point_data["T"] - at_points["T"]).max() < 0.01 * np.ptp(at_points["T"])
    assert np.abs(found.cell_data["q"] - in_cells["q"]).max() < 0.01 * np.ptp(in_cells["q"])
