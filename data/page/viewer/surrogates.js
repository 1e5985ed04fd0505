// SPDX-License-Identifier: GPL-3.0-or-later
//
// Surrogates: a place of the unit cube to a few numbers, all in double. The functions of sparse
// grids are those of core/sparse/basis_functions.h, kriging is core/kriging/kriging_surrogate.h.
'use strict';

/**
 * What maps places to `outputs` numbers.
 * @typedef {object} Surrogate
 * @property {number} outputs
 * @property {(x: ArrayLike<number>, out: Float64Array) => void} evaluate fills out
 * @property {(x: ArrayLike<number>, out: Float64Array) => boolean} deviation fills out with what
 *   tells how far the outputs may be off: what the last level adds to them, or standard deviations
 *   of independent ones; false where there is nothing
 * @property {boolean} isIndependent whether it is the latter
 */

/**
 * Points of a level in one dimension, as a binary logarithm.
 * @param {string} treatment
 * @param {number} level
 */
function bitsOfLevel(treatment, level) {
  if (treatment === 'leja') return 0;
  if (treatment === 'clenshaw-curtis') return level < 2 ? level : level - 1;
  return level < 0 ? 1 : level;
}

/**
 * The cell of width 2^-level that holds x, and where in it.
 * @param {number} level
 * @param {number} x
 */
function cellOf(level, x) {
  const cells = 2 ** level;
  const position = Math.floor(x * cells);
  return position >= cells
    ? { position: cells - 1, fraction: 1 }
    : { position, fraction: x * cells - position };
}

/** The functions of one dimension of a grid. */
class DimensionBasis {
  /**
   * @param {string} treatment
   * @param {number} degree
   * @param {number[]} leja its points, in their order
   */
  constructor(treatment, degree, leja) {
    this.treatment = treatment;
    this.degree = degree;
    this.leja = leja;
  }

  /**
   * Whether both functions of a level are nonzero at most places.
   * @param {number} level
   */
  isPaired(level) {
    return level < 0 || (level === 1 && this.degree > 1 && this.treatment === 'clenshaw-curtis');
  }

  /**
   * Coordinate of a point.
   * @param {number} level
   * @param {number} position
   */
  coordinate(level, position) {
    if (this.treatment === 'leja') return this.leja[level];
    if (this.treatment === 'clenshaw-curtis') {
      if (level === 0) return 0.5;
      return level === 1 ? position : (2 * position + 1) / 2 ** level;
    }
    return level < 0 ? position : (2 * position + 1) / 2 ** (level + 1);
  }

  /**
   * The level of cells in which functions lie; below 0 where they are over the whole range.
   * @param {number} level
   */
  cellLevel(level) {
    if (this.treatment === 'leja') return -1;
    if (this.treatment === 'clenshaw-curtis') return level < 2 ? -1 : level - 1;
    return level;
  }

  /**
   * The nearest coarser point that is no end of the support; NaN: none.
   * @param {number} cells
   * @param {number} node
   */
  furtherAncestor(cells, node) {
    const spacing = 2 ** -(cells + 1);
    const hasEnds = this.treatment !== 'zero' && this.treatment !== 'modified';
    const ancestors = hasEnds ? [0, 1] : [];
    for (let coarser = 0; coarser < cells; ++coarser)
      ancestors.push((2 * cellOf(coarser, node).position + 1) / 2 ** (coarser + 1));
    let nearest = NaN;
    for (const ancestor of ancestors) {
      const distance = Math.abs(ancestor - node);
      if (distance > 1.5 * spacing && !(distance >= Math.abs(nearest - node))) nearest = ancestor;
    }
    return nearest;
  }

  /**
   * Where a function's polynomial vanishes.
   * @param {number} level
   * @param {number} position
   * @returns {number[]}
   */
  roots(level, position) {
    if (this.treatment === 'leja') return this.leja.slice(0, level);
    const cells = this.cellLevel(level);
    if (cells < 0) return level === 0 ? [] : [0.5, position === 0 ? 1 : 0];
    const node = this.coordinate(level, position);
    const spacing = 2 ** -(cells + 1);
    const roots = [node - spacing, node + spacing];
    const further = this.degree === 3 ? this.furtherAncestor(cells, node) : NaN;
    return Number.isNaN(further) ? roots : [...roots, further];
  }

  /**
   * prod (x - root) / (node - root).
   * @param {number} level
   * @param {number} position
   * @param {number} x
   */
  polynomial(level, position, x) {
    const node = this.coordinate(level, position);
    let value = 1;
    for (const root of this.roots(level, position)) value *= (x - root) / (node - root);
    return value;
  }

  /**
   * Linear in the halves of its cell.
   * @param {number} level
   * @param {{position: number, fraction: number}} cell
   */
  hat(level, cell) {
    const f = cell.fraction;
    if (this.treatment === 'modified') {
      if (level === 0) return 1;
      if (cell.position === 0) return 2 - 2 * f;
      if (cell.position === 2 ** level - 1) return 2 * f;
    }
    return 2 * Math.min(f, 1 - f);
  }

  /**
   * The functions of a level that may be nonzero at x: positions and values, side by side.
   * @param {number} level
   * @param {number} x
   * @returns {number[]}
   */
  at(level, x) {
    if (level < 0) return [0, 1 - x, 1, x];
    if (this.isPaired(level)) return [0, this.polynomial(1, 0, x), 1, this.polynomial(1, 1, x)];
    const cells = this.cellLevel(level);
    if (this.treatment === 'leja') return [0, this.polynomial(level, 0, x)];
    if (cells < 0) {
      if (level === 0) return [0, 1];
      return x >= 0.5 ? [1, 2 * (x - 0.5)] : [0, 2 * (0.5 - x)];
    }
    const cell = cellOf(cells, x);
    return [
      cell.position,
      this.degree === 1 ? this.hat(cells, cell) : this.polynomial(level, cell.position, x),
    ];
  }
}

/**
 * A sparse grid: hierarchical coefficients times the functions of its points.
 * @implements {Surrogate}
 */
class SparseGrid {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   */
  constructor(spec, arrays) {
    /** @type {DimensionBasis[]} */
    this.bases = spec.treatments.map(
      (/** @type {string} */ treatment, /** @type {number} */ t) =>
        new DimensionBasis(treatment, spec.degrees[t], spec.leja),
    );
    this.levels = arrays.integers(spec.levels);
    /** @type {number} */
    this.outputs = spec.outputs;
    // They come output by output, perhaps as multiples of a step; a point's are wanted together.
    const packed = spec.step > 0 ? arrays.integers(spec.coefficients) : arrays.floats(spec.coefficients);
    const points = this.outputs > 0 ? packed.length / this.outputs : 0;
    this.coefficients = new Float64Array(packed.length);
    for (let k = 0; k < this.outputs; ++k)
      for (let point = 0; point < points; ++point)
        this.coefficients[point * this.outputs + k] = (spec.step || 1) * packed[k * points + point];
    /**
     * Points whose functions are the error indicator: [first, end).
     * @type {number[]}
     */
    this.indicator = spec.indicator;
    const d = this.bases.length;
    this.blocks = this.levels.length / d;
    this.isIndependent = false;
    this.offsets = new Float64Array(this.blocks + 1);
    this.highest = new Array(d).fill(0);
    for (let block = 0; block < this.blocks; ++block) {
      let bits = 0;
      for (let t = 0; t < d; ++t) {
        const level = this.levels[block * d + t];
        bits += bitsOfLevel(this.bases[t].treatment, level);
        if (level > this.highest[t]) this.highest[t] = level;
      }
      this.offsets[block + 1] = this.offsets[block] + 2 ** bits;
    }
  }

  /**
   * action(point, value of its function) for all functions that are not 0 at x.
   * @param {ArrayLike<number>} x
   * @param {(point: number, value: number) => void} action
   */
  forFunctions(x, action) {
    const d = this.bases.length;
    const functions = this.bases.map((basis, t) => {
      const ofLevels = [basis.at(-1, x[t])];
      for (let level = 0; level <= this.highest[t]; ++level) ofLevels.push(basis.at(level, x[t]));
      return ofLevels;
    });
    /** @type {(block: number, t: number, inBlock: number, value: number) => void} */
    const descend = (block, t, inBlock, value) => {
      if (value === 0) return;
      if (t === d) {
        action(this.offsets[block] + inBlock, value);
        return;
      }
      const level = this.levels[block * d + t];
      const size = 2 ** bitsOfLevel(this.bases[t].treatment, level);
      const here = functions[t][level + 1];
      for (let k = 0; k < here.length; k += 2)
        descend(block, t + 1, inBlock * size + here[k], value * here[k + 1]);
    };
    for (let block = 0; block < this.blocks; ++block) descend(block, 0, 0, 1);
  }

  /**
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   * @param {number} first
   * @param {number} end points
   */
  sum(x, out, first, end) {
    const { outputs, coefficients } = this;
    out.fill(0);
    this.forFunctions(x, (point, value) => {
      if (point < first || point >= end) return;
      for (let k = 0, at = point * outputs; k < outputs; ++k, ++at)
        out[k] += value * coefficients[at];
    });
  }

  /**
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   */
  evaluate(x, out) {
    this.sum(x, out, 0, Infinity);
  }

  /**
   * What the last complete level adds.
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   */
  deviation(x, out) {
    if (this.indicator[1] <= this.indicator[0]) return false;
    this.sum(x, out, this.indicator[0], this.indicator[1]);
    return true;
  }
}

/** @type {Record<string, {scale: number, correlation: (s: number) => [number, number]}>} */
const kernels = {
  'Matern 3/2': { scale: Math.sqrt(3), correlation: (s) => [1 + s, s] },
  'Matern 5/2': { scale: Math.sqrt(5), correlation: (s) => [1 + s * (1 + s / 3), s] },
  'Matern 9/2': {
    scale: 3,
    correlation: (s) => [1 + s * (1 + s * (3 / 7 + s * (2 / 21 + s / 105))), s],
  },
  Gaussian: { scale: 1, correlation: (s) => [1, (s * s) / 2] },
};

/**
 * [Kumaraswamy1980], see core/kriging/warping.h.
 * @param {number} u
 * @param {number} a
 * @param {number} b
 */
function warped(u, a, b) {
  const inset = 2 ** -10;
  const v = inset + (1 - 2 * inset) * u;
  return 1 - Math.exp(b * Math.log(-Math.expm1(a * Math.log(v))));
}

/** Outputs of kriging that share correlations. */
class KrigingGroup {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   * @param {Float64Array} places
   * @param {number} runs
   */
  constructor(spec, arrays, places, runs) {
    this.runs = runs;
    /** @type {number[]} */
    this.outputs = spec.outputs;
    this.kernel = kernels[spec.smoothness];
    /** @type {number[]} */
    this.lengths = spec.lengths;
    /** @type {number[]} */
    this.linear = spec.linear;
    /** @type {number[][] | null} */
    this.warp = spec.warp;
    /** @type {number} */
    this.nugget = spec.nugget;
    /** @type {number[]} of the outputs' processes */
    this.variances = spec.variances;
    this.trend = arrays.floats(spec.trend);
    this.weights = arrays.floats(spec.weights);
    this.places = this.taken(places);
    this.correlations = new Float64Array(runs);
    /** @type {{lower: Float64Array, half: Float64Array[], trend: Float64Array} | null} */
    this.factor = null;
  }

  /**
   * Places as the correlations take them.
   * @param {ArrayLike<number>} places
   */
  taken(places) {
    const d = this.lengths.length;
    const result = new Float64Array(places.length);
    for (let i = 0; i < result.length; ++i) {
      const t = i % d;
      result[i] = this.warp ? warped(places[i], this.warp[0][t], this.warp[1][t]) : places[i];
    }
    return result;
  }

  /**
   * With all runs.
   * @param {ArrayLike<number>} here as taken() has it
   * @param {Float64Array} out
   */
  correlate(here, out) {
    const d = this.lengths.length;
    const scales = this.lengths.map((length) => this.kernel.scale / length);
    for (let run = 0, at = 0; run < this.runs; ++run) {
      let factor = 1;
      let exponent = 0;
      for (let t = 0; t < d; ++t, ++at) {
        const [f, e] = this.kernel.correlation(scales[t] * Math.abs(this.places[at] - here[t]));
        factor *= f;
        exponent += e;
      }
      out[run] = factor * Math.exp(-exponent);
    }
  }

  /**
   * The functions of the mean.
   * @param {ArrayLike<number>} x
   */
  trendAt(x) {
    return [1, ...this.linear.map((t) => x[t] - 0.5)];
  }

  /**
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   */
  addTo(x, out) {
    this.correlate(this.taken(x), this.correlations);
    const mean = this.trendAt(x);
    this.outputs.forEach((output, k) => {
      let sum = 0;
      for (let j = 0; j < mean.length; ++j) sum += mean[j] * this.trend[k * mean.length + j];
      for (let run = 0, at = k * this.runs; run < this.runs; ++run, ++at)
        sum += this.weights[at] * this.correlations[run];
      out[output] += sum;
    });
  }

  /**
   * The matrix of correlations L L^T, L^-1 F and the factor of F^T R^-1 F.
   * @param {Float64Array} x all runs, unit cube
   */
  factored(x) {
    if (this.factor) return this.factor;
    const n = this.runs;
    const d = this.lengths.length;
    const lower = new Float64Array(n * n);
    for (let i = 0; i < n; ++i) {
      this.correlate(this.places.subarray(i * d, (i + 1) * d), this.correlations);
      this.correlations[i] += this.nugget;
      lower.set(this.correlations.subarray(0, i + 1), i * n);
    }
    cholesky(lower, n);
    const terms = 1 + this.linear.length;
    const half = Array.from({ length: terms }, () => new Float64Array(n));
    for (let i = 0; i < n; ++i)
      this.trendAt(x.subarray(i * d, (i + 1) * d)).forEach((value, j) => (half[j][i] = value));
    for (const column of half) forwardSolve(lower, n, column);
    const trend = new Float64Array(terms * terms);
    for (let i = 0; i < terms; ++i)
      for (let j = 0; j <= i; ++j) trend[i * terms + j] = dot(half[i], half[j]);
    cholesky(trend, terms);
    this.factor = { lower, half, trend };
    return this.factor;
  }

  /**
   * Relative to the process's (core/kriging/bordered_factor.h).
   * @param {ArrayLike<number>} x
   * @param {Float64Array} runs
   */
  variance(x, runs) {
    const { lower, half, trend } = this.factored(runs);
    this.correlate(this.taken(x), this.correlations);
    forwardSolve(lower, this.runs, this.correlations);
    const rest = Float64Array.from(
      this.trendAt(x),
      (value, j) => value - dot(half[j], this.correlations),
    );
    forwardSolve(trend, rest.length, rest);
    return Math.max(0, 1 - dot(this.correlations, this.correlations) + dot(rest, rest));
  }
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i] * b[i];
  return sum;
}

/**
 * The lower triangle of a symmetric matrix becomes its Cholesky factor.
 * @param {Float64Array} m row by row
 * @param {number} n
 */
function cholesky(m, n) {
  for (let i = 0; i < n; ++i)
    for (let j = 0; j <= i; ++j) {
      let sum = m[i * n + j];
      for (let k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-300)) : sum / m[j * n + j];
    }
}

/**
 * @param {Float64Array} lower
 * @param {number} n
 * @param {Float64Array} b becomes lower^-1 b
 */
function forwardSolve(lower, n, b) {
  for (let i = 0; i < n; ++i) {
    let sum = b[i];
    for (let k = 0, at = i * n; k < i; ++k, ++at) sum -= lower[at] * b[k];
    b[i] = sum / lower[i * n + i];
  }
}

/**
 * Kriging: groups add up.
 * @implements {Surrogate}
 */
class Kriging {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   */
  constructor(spec, arrays) {
    /** @type {number} */
    this.outputs = spec.outputs;
    this.places = /** @type {Float64Array} */ (arrays.floats(spec.places));
    /** @type {KrigingGroup[]} */
    this.groups = spec.groups.map(
      (/** @type {any} */ group) => new KrigingGroup(group, arrays, this.places, spec.runs),
    );
    this.isIndependent = true;
    // Matrices are factored where somebody waits for them: not more than a third of a second of it.
    this.hasDeviation = this.groups.length * spec.runs ** 3 < 1e9 && this.groups.length * spec.runs ** 2 < 3e7;
  }

  /**
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   */
  evaluate(x, out) {
    out.fill(0);
    for (const group of this.groups) group.addTo(x, out);
  }

  /**
   * Standard deviations.
   * @param {ArrayLike<number>} x
   * @param {Float64Array} out
   */
  deviation(x, out) {
    if (!this.hasDeviation) return false;
    out.fill(0);
    for (const group of this.groups) {
      const relative = group.variance(x, this.places);
      group.outputs.forEach((output, k) => (out[output] += relative * group.variances[k]));
    }
    for (let k = 0; k < out.length; ++k) out[k] = Math.sqrt(out[k]);
    return true;
  }
}

/**
 * @param {any} spec
 * @param {ArrayReader} arrays
 * @returns {Surrogate}
 */
function surrogateOf(spec, arrays) {
  return spec.kind === 'kriging' ? new Kriging(spec, arrays) : new SparseGrid(spec, arrays);
}
