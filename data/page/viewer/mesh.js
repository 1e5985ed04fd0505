// SPDX-License-Identifier: GPL-3.0-or-later
//
// The mesh of a page, and the patches of triangles that are drawn of it: its surface, slices.
'use strict';

/**
 * Triangles, lines or points whose corners are nodes, or lie between two of them.
 * @typedef {object} Patch
 * @property {Uint32Array | null} a node of each vertex; null: the vertices are the nodes
 * @property {Uint32Array | null} b the other node; null: the vertices are at a
 * @property {Float32Array | null} mix share of b
 * @property {Uint32Array | null} cells of each vertex, whose value it has; null: values of nodes
 * @property {Uint32Array} indices the vertices of each
 * @property {1 | 2 | 3} corners of each
 */

class PageMesh {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   */
  constructor(spec, arrays) {
    /** @type {number} */ this.points = spec.count;
    /** x, y, z of each node, from the middle of the mesh. */
    this.places = new Float32Array(3 * this.points);
    /** @type {number[]} */ this.middle = spec.middle;
    for (let axis = 0; axis < 3; ++axis) {
      const codes = arrays.integers(spec.places[axis]);
      for (let i = 0; i < this.points; ++i)
        this.places[3 * i + axis] = codes[i] * spec.step;
    }
    /** Those of an image are made when somebody asks for them. */
    this.storedTriangles = new Uint32Array(arrays.integers(spec.triangles));
    this.lines = new Uint32Array(arrays.integers(spec.lines));
    this.lineCells = new Uint32Array(arrays.integers(spec.lineCells));
    this.triangleCells = new Uint32Array(arrays.integers(spec.triangleCells));
    this.tetrahedra = new Uint32Array(arrays.integers(spec.tetrahedra));
    this.tetrahedronCells = new Uint32Array(arrays.integers(spec.tetrahedronCells));
    /**
     * Points along the axes of a grid in space.
     * @type {number[] | null}
     */
    this.grid = spec.grid;
    /** Points along both axes of a flat grid of even distances. @type {[number, number] | null} */ this.image = spec.image;
    /** @type {boolean} all in one plane */ this.isFlat = spec.flat;
    /** @type {string[]} */ this.axes = spec.axes;
  }

  get triangles() {
    if (this.image && this.storedTriangles.length === 0) {
      const patch = PageMesh.rectangle(this.image[0], this.image[1]);
      this.storedTriangles = patch.triangles;
      this.triangleCells = patch.cells;
    }
    return this.storedTriangles;
  }

  /**
   * Two triangles for each cell of a grid, and its number.
   * @param {number} columns points
   * @param {number} rows
   */
  static rectangle(columns, rows) {
    const triangles = new Uint32Array(6 * (columns - 1) * (rows - 1));
    const cells = new Uint32Array(triangles.length / 3);
    for (let j = 0, at = 0; j + 1 < rows; ++j)
      for (let i = 0; i + 1 < columns; ++i, at += 6) {
        const here = j * columns + i;
        triangles[at] = triangles[at + 3] = here;
        triangles[at + 1] = here + 1;
        triangles[at + 2] = triangles[at + 4] = here + columns + 1;
        triangles[at + 5] = here + columns;
        cells.fill(j * (columns - 1) + i, at / 3, at / 3 + 2);
      }
    return { triangles, cells };
  }

  get hasTriangles() {
    return this.image !== null || this.storedTriangles.length > 0;
  }

  get hasInside() {
    return this.grid !== null || this.tetrahedra.length > 0;
  }

  /**
   * Lowest and highest coordinate along an axis.
   * @param {number} axis
   * @param {Float32Array} places
   */
  static extent(axis, places) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < places.length; i += 3) {
      if (places[i] < low) low = places[i];
      if (places[i] > high) high = places[i];
    }
    return low <= high ? [low, high] : [0, 0];
  }

  /**
   * @param {boolean} ofCells
   * @returns {Patch}
   */
  surface(ofCells) {
    if (this.hasTriangles) return PageMesh.patchOf(this.triangles, this.triangleCells, ofCells, 3);
    if (this.lines.length > 0) return PageMesh.patchOf(this.lines, this.lineCells, ofCells, 2);
    return PageMesh.patchOf(Uint32Array.from({ length: this.points }, (_, i) => i), new Uint32Array(), false, 1);
  }

  /**
   * @param {Uint32Array} indices
   * @param {Uint32Array} cells
   * @param {boolean} ofCells
   * @param {1 | 2 | 3} corners
   * @returns {Patch}
   */
  static patchOf(indices, cells, ofCells, corners) {
    if (!ofCells) return { a: null, b: null, mix: null, cells: null, indices, corners };
    return {
      a: indices,
      b: null,
      mix: null,
      cells: Uint32Array.from(indices, (_, i) => cells[Math.floor(i / corners)]),
      indices: Uint32Array.from(indices, (_, i) => i),
      corners,
    };
  }

  /**
   * Across an axis, at a share of its extent.
   * @param {number} axis
   * @param {number} share
   * @param {boolean} ofCells
   * @param {Float32Array} places where nodes are now
   * @returns {Patch}
   */
  slice(axis, share, ofCells, places) {
    return this.grid ? this.gridSlice(this.grid, axis, share, ofCells) : this.cut(axis, share, ofCells, places);
  }

  /**
   * @param {number[]} grid
   * @param {number} axis
   * @param {number} share
   * @param {boolean} ofCells
   * @returns {Patch}
   */
  gridSlice(grid, axis, share, ofCells) {
    const strides = [1, grid[0], grid[0] * grid[1]];
    const cellStrides = [1, grid[0] - 1, (grid[0] - 1) * (grid[1] - 1)];
    const [u, v] = [0, 1, 2].filter((t) => t !== axis);
    const exact = share * (grid[axis] - 1);
    const plane = Math.min(Math.floor(exact), grid[axis] - 2);
    const columns = grid[u];
    const rows = grid[v];
    const a = new Uint32Array(columns * rows);
    for (let j = 0; j < rows; ++j)
      for (let i = 0; i < columns; ++i)
        a[j * columns + i] = plane * strides[axis] + i * strides[u] + j * strides[v];
    const { triangles, cells: inPlane } = PageMesh.rectangle(columns, rows);
    const cells = inPlane.map(
      (cell) =>
        plane * cellStrides[axis] +
        (cell % (columns - 1)) * cellStrides[u] +
        Math.floor(cell / (columns - 1)) * cellStrides[v],
    );
    const patch = PageMesh.patchOf(triangles, cells, ofCells, 3);
    /** @type {(of: Uint32Array) => Uint32Array} */
    const picked = (of) => (patch.a ? Uint32Array.from(patch.a, (vertex) => of[vertex]) : of);
    const near = picked(a);
    return {
      ...patch,
      a: near,
      b: near.map((node) => node + strides[axis]),
      mix: new Float32Array(near.length).fill(exact - plane),
    };
  }

  /**
   * Through tetrahedra.
   * @param {number} axis
   * @param {number} share
   * @param {boolean} ofCells
   * @param {Float32Array} places
   * @returns {Patch}
   */
  cut(axis, share, ofCells, places) {
    const [low, high] = PageMesh.extent(axis, places);
    // A little beside nodes, so that none lies in the plane.
    const at = low + (high - low) * Math.min(Math.max(share, 1e-4), 1 - 1e-4) + 1e-7 * (high - low);
    /** @type {number[]} */ const a = [];
    /** @type {number[]} */ const b = [];
    /** @type {number[]} */ const mix = [];
    /** @type {number[]} */ const cells = [];
    const height = new Float32Array(4);
    /** @type {(i: number, j: number, first: number) => void} */
    const vertex = (i, j, first) => {
      a.push(this.tetrahedra[first + i]);
      b.push(this.tetrahedra[first + j]);
      mix.push(height[i] / (height[i] - height[j]));
      cells.push(this.tetrahedronCells[first / 4]);
    };
    for (let first = 0; first < this.tetrahedra.length; first += 4) {
      /** @type {number[]} */ const below = [];
      /** @type {number[]} */ const above = [];
      for (let k = 0; k < 4; ++k) {
        height[k] = places[3 * this.tetrahedra[first + k] + axis] - at;
        (height[k] < 0 ? below : above).push(k);
      }
      if (below.length === 0 || above.length === 0) continue;
      const [few, many] = below.length <= above.length ? [below, above] : [above, below];
      if (few.length === 1) {
        for (const k of many) vertex(few[0], k, first);
      } else {
        for (const [i, j] of [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]])
          vertex(few[i], many[j], first);
      }
    }
    return {
      a: Uint32Array.from(a),
      b: Uint32Array.from(b),
      mix: Float32Array.from(mix),
      cells: ofCells ? Uint32Array.from(cells) : null,
      indices: Uint32Array.from(a, (_, i) => i),
      corners: 3,
    };
  }
}

/** All nodes, without what they are corners of. */
const allNodes = PageMesh.patchOf(new Uint32Array(), new Uint32Array(), false, 3);

/**
 * Numbers of nodes as numbers of a patch's vertices.
 * @param {Patch} patch
 * @param {Float32Array} values
 * @param {number} components adjacent
 */
function onVertices(patch, values, components = 1) {
  const { a, b, mix } = patch;
  if (!a) return values;
  const out = new Float32Array(a.length * components);
  for (let i = 0, to = 0; i < a.length; ++i)
    for (let c = 0; c < components; ++c, ++to) {
      const here = values[a[i] * components + c];
      out[to] = b && mix ? here + mix[i] * (values[b[i] * components + c] - here) : here;
    }
  return out;
}
