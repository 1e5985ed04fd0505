# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh that a study's fields are on."""
import json

import numpy as np

from . import _native
from ._errors import ArgumentError, GridhelmError, need
from ._places import real, whole

_VERTEX, _LINE, _QUAD, _HEXAHEDRON = 1, 3, 9, 12


class Mesh:
    """Nodes, and the cells that join them.

    Attributes
    ----------
    kind : str
        "image" (a regular grid), "rectilinear", "structured" or "unstructured".
    shape : tuple of int or None
        Of grids: nodes in x, y and z; x is the fastest of them in `points`. None if unstructured.
    points : ndarray of float64, (nodes, 3)
    cells, offsets : ndarray of int64
        The nodes of cell i are ``cells[offsets[i]:offsets[i + 1]]``, in VTK's order.
    types : ndarray of uint8
        VTK's number of each cell's type.
    """

    def __init__(self, kind, encoded, points, cells):
        self.kind = kind
        self.n_points, self.n_cells = points, cells
        self._grid = None
        decode = {"image": self._decode_image, "rectilinear": self._decode_rectilinear,
                  "structured": self._decode_structured, "unstructured": self._decode_unstructured}
        if kind not in decode:
            raise GridhelmError(f"the study's mesh is of the kind {kind}, which this version does not know: "
                                "take a newer one")
        self.shape = None
        decode[kind](encoded)

    def __repr__(self):
        return f"<gridhelm.Mesh: {self.kind}, {self.n_points} points, {self.n_cells} cells>"

    def _decode_image(self, encoded):
        image = json.loads(encoded)
        self.shape = tuple(image["points"])
        self._grid = (tuple(image["origin"]), tuple(image["spacing"]))
        axes = [o + s * np.arange(n) for n, o, s in zip(self.shape, *self._grid)]
        self._from_axes(axes)

    def _decode_rectilinear(self, encoded):
        self.shape = tuple(int(n) for n in np.frombuffer(encoded, "<u8", 3))
        numbers = np.frombuffer(encoded, "<f8", offset=24)
        axes = np.split(numbers, np.cumsum(self.shape)[:2])
        self._from_axes(axes)

    def _decode_structured(self, encoded):
        self.shape = tuple(int(n) for n in np.frombuffer(encoded, "<u8", 3))
        self.points = np.frombuffer(encoded, "<f8", offset=24).reshape(-1, 3)
        self._grid_cells()

    def _decode_unstructured(self, encoded):
        points, cells, connectivity, _ = (int(n) for n in np.frombuffer(encoded, "<u8", 4))
        at = 32
        self.points = np.frombuffer(encoded, "<f8", 3 * points, at).reshape(-1, 3)
        at += 24 * points
        self.types = np.frombuffer(encoded, "u1", cells, at)
        at += cells
        self.offsets = np.frombuffer(encoded, "<i8", cells + 1, at)
        self.cells = np.frombuffer(encoded, "<i8", connectivity, at + 8 * (cells + 1))

    def _from_axes(self, axes):
        z, y, x = np.meshgrid(*axes[::-1], indexing="ij")
        self.points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
        self._grid_cells()

    def _grid_cells(self):
        """Lines, quadrilaterals or hexahedra, as many directions as have nodes to join."""
        index = np.arange(int(np.prod(self.shape))).reshape(self.shape[::-1])
        corners, kind = [index], _VERTEX
        for axis, n in zip((2, 1, 0), self.shape):
            if n > 1:
                low = [np.take(c, range(n - 1), axis) for c in corners]
                high = [np.take(c, range(1, n), axis) for c in corners]
                # VTK goes around a quadrilateral: its second half runs backwards.
                corners = low + (high[::-1] if len(low) == 2 else high)
                kind = {_VERTEX: _LINE, _LINE: _QUAD, _QUAD: _HEXAHEDRON}[kind]
        nodes = np.stack([c.ravel() for c in corners], axis=1).astype(np.int64)
        self.cells = nodes.ravel()
        self.offsets = np.arange(len(nodes) + 1, dtype=np.int64) * nodes.shape[1]
        self.types = np.full(len(nodes), kind, np.uint8)

    def pyvista(self, **fields):
        """A pyvista data set, with fields of this mesh: ``mesh.pyvista(p=study.evaluate("p", Re=400))``."""
        pyvista = need("pyvista", "a pyvista data set", "mesh")
        if self.kind == "image":
            data = pyvista.ImageData(dimensions=self.shape, origin=self._grid[0], spacing=self._grid[1])
        elif self.shape is not None:
            data = pyvista.StructuredGrid()
            data.points = self.points
            data.dimensions = self.shape
        else:
            sizes = np.diff(self.offsets)
            joined = np.insert(self.cells, self.offsets[:-1], sizes)
            data = pyvista.UnstructuredGrid(joined, self.types, self.points)
        for name, values in fields.items():
            values = np.asarray(values)
            if values.shape[:1] == (self.n_points,):
                data.point_data[name] = values
            elif values.shape[:1] == (self.n_cells,):
                data.cell_data[name] = values
            else:
                raise ArgumentError(f"{name} has the shape {values.shape}, and the mesh {self.n_points} points and "
                                    f"{self.n_cells} cells: give a value for each of one of them")
        return data


def image(shape, origin=(0, 0, 0), spacing=(1, 1, 1)):
    """A regular grid of nodes, for `sample`.

    Parameters
    ----------
    shape : sequence of 1 to 3 int
        Nodes in x, y, z.
    origin, spacing : sequence of float
        The first node's position, and the distance of nodes; as many as `shape`, or three.

    Examples
    --------
    >>> gridhelm.image((65, 33), spacing=(1 / 64, 1 / 64)) # of a function that returns arrays of 33 rows of 65
    """
    def three(values, fill):
        values = tuple(values) if np.iterable(values) else (values,)
        if not 1 <= len(values) <= 3:
            raise ArgumentError(f"a mesh has 1 to 3 directions, not {len(values)}: give as many numbers")
        return values + (fill,) * (3 - len(values))

    shape = [whole(n, "shape", 1) for n in three(shape, 1)]
    origin = [real(v, "origin") for v in three(origin, 0)]
    spacing = [real(v, "spacing") for v in three(spacing, 1)]
    if min(spacing) <= 0:
        raise ArgumentError(f"spacing has {min(spacing):g}, and nodes are apart: give numbers above 0")
    native = _native.image_mesh(shape, origin, spacing)
    mesh = Mesh(*native)
    mesh._native = native
    return mesh
