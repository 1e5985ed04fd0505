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


def with_middles(corners, edges, more=()):
    return [*corners, *(tuple(np.mean([corners[k] for k in of], axis=0)) for of in (*edges, *more))]


SQUARE, TETRA = CELLS["QUAD"], CELLS["TETRA"]
CELLS.update({
    "QUADRATIC_TRIANGLE": with_middles(CELLS["TRIANGLE"], [(0, 1), (1, 2), (2, 0)]),
    "BIQUADRATIC_QUAD": with_middles(SQUARE, [(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 1, 2, 3)]),
    "QUADRATIC_TETRA": with_middles(TETRA, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
})


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


def written_by_meshio(path, mesh, point_data, cell_data):
    meshio = pytest.importorskip("meshio")
    meshio.write_points_cells(path, mesh.points, [("hexahedron", mesh.cells.reshape(-1, 9)[:, 1:])], point_data=point_data,
                              cell_data={name: [values] for name, values in cell_data.items()})


def written_in_blocks(path, mesh, point_data, cell_data):
    """Two parts, of which the second one has a layer of the first one's cells, too."""
    run = mesh.copy()
    for name, values in point_data.items():
        run.point_data[name] = values
    for name, values in cell_data.items():
        run.cell_data[name] = values
    x = run.cell_centers().points[:, 0]
    cut = np.sort(np.unique(x))[2]
    parts = [run.extract_cells(x < cut + 0.1), run.extract_cells(x > cut - 0.1)]
    ghosts = parts[1].cell_centers().points[:, 0] < cut + 0.1
    parts[1].cell_data["vtkGhostType"] = ghosts.astype(np.uint8) # copies of another part's
    for part in parts:
        for extra in ("vtkOriginalPointIds", "vtkOriginalCellIds"):
            part.point_data.pop(extra, None)
            part.cell_data.pop(extra, None)
    pyvista.MultiBlock(parts).save(path)


@pytest.mark.parametrize("write, name", [(written_by_meshio, "r{}.vtu"), (written_by_meshio, "r{}.vtk"),
                                         (written_in_blocks, "r{}.vtm")])
def test_writers(cli, tmp_path, write, name):
    mesh = pyvista.ImageData(dimensions=(7, 5, 4), spacing=(0.5, 0.25, 1)).cast_to_unstructured_grid()
    mesh = pyvista.UnstructuredGrid({pyvista.CellType.HEXAHEDRON: mesh.cells.reshape(-1, 9)[:, [1, 2, 4, 3, 5, 6, 8, 7]]},
                                    mesh.points) # for meshio has no voxels
    lines, totals = ["a,file"], {}
    for number, a in enumerate(RUNS):
        at_points, in_cells = fields(mesh, a)
        write(tmp_path / name.format(number), mesh, at_points, in_cells)
        totals[a] = (sizes(mesh) * in_cells["q"]).sum()
        lines.append(f"{a!r},{name.format(number)}")
    (tmp_path / "runs.csv").write_text("\n".join(lines))
    study = tmp_path / "s.gridhelm"
    cli("import", "--table", tmp_path / "runs.csv", "--out", study)
    cli("responses", study, "--add", "total", "--of", "q", "--reduce", "integral")
    for a, total in totals.items():
        told = json.loads(cli("--json", "responses", study, "--at", f"a={a!r}"))["responses"]
        assert next(one["value"] for one in told if one["name"] == "total") == pytest.approx(total, rel=1e-4)
        cli("eval", study, "--at", f"a={a!r}", "--out", tmp_path / "e.vtu")
        found = pyvista.read(tmp_path / "e.vtu")
        assert found.n_cells == mesh.n_cells
        expected = np.sin(a) * np.cos(found.points[:, 0] / 9) + a * found.points[:, 1] + 2
        assert np.abs(found.point_data["T"] - expected).max() < 2e-5 * np.abs(expected).max()
