// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines beside a patch: arrows, and the box around a slice.
'use strict';

/**
 * The ends of the edges of the box around places.
 * @param {Float32Array} places
 */
function boxEdges(places) {
  const extents = [0, 1, 2].map((axis) => PageMesh.extent(axis, places));
  const ends = [];
  for (let axis = 0; axis < 3; ++axis)
    for (let side = 0; side < 4; ++side) {
      const corner = extents.map(([low, high], t) => (((side >> ((t + 2 - axis) % 3)) & 1) === 0 ? low : high));
      for (const end of extents[axis]) ends.push(...corner.map((part, t) => (t === axis ? end : part)));
    }
  return ends;
}

/**
 * One vertex in each of about side x side x side boxes.
 * @param {Float32Array} places
 * @param {number} side
 */
function spreadVertices(places, side) {
  const extents = [0, 1, 2].map((axis) => PageMesh.extent(axis, places));
  const box = Math.max(...extents.map(([low, high]) => high - low)) / side || 1;
  /** @type {Map<string, number>} */ const first = new Map();
  for (let i = 0; i < places.length / 3; ++i) {
    const key = extents.map(([low], axis) => Math.floor((places[3 * i + axis] - low) / box)).join();
    if (!first.has(key)) first.set(key, i);
  }
  return [...first.values()];
}

/**
 * @param {number[]} ends
 * @param {ArrayLike<number>} at
 * @param {ArrayLike<number>} vector
 * @param {number} scale
 */
function addArrow(ends, at, vector, scale) {
  const tip = [0, 1, 2].map((k) => at[k] + scale * vector[k]);
  ends.push(at[0], at[1], at[2], ...tip);
  // Two hooks, in the plane of the vector and the axis that it follows least.
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(vector[b]) <= Math.abs(vector[a]) ? b : a), 0);
  const [i, j] = [(least + 1) % 3, (least + 2) % 3];
  for (const side of [-1, 1]) {
    const hook = tip.map((part, k) => part - 0.25 * scale * vector[k]);
    hook[i] += side * 0.12 * scale * vector[j];
    hook[j] -= side * 0.12 * scale * vector[i];
    ends.push(...tip, ...hook);
  }
}
