// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field: modes in few bits times coefficients, in the numbers that the study stores, which stand
// for offset + scale * number.
'use strict';

/** @typedef {Int8Array | Int16Array | Int32Array} Codes */

class PageField {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   */
  constructor(spec, arrays) {
    /** @type {string} */ this.name = spec.name;
    /** @type {string} */ this.unit = spec.unit;
    /** @type {number} */ this.components = spec.components;
    /** @type {boolean} */ this.isOfCells = spec.cells;
    /** @type {number} */ this.offset = spec.offset;
    /** @type {number} */ this.scale = spec.scale;
    /** Points or cells. @type {number} */ this.entities = spec.entities;
    /**
     * Lowest and highest value of each component, then of the magnitude.
     * @type {[number, number][]}
     */
    this.ranges = spec.ranges;
    /** @type {string} */ this.accuracy = spec.accuracy;
    /** What the few bits add. @type {string} */ this.added = spec.added;
    /** @type {{factor: number, offset: number, coverage: string} | null} */ this.band = spec.band;
    /** Whether errors here can be told at all. @type {boolean} */ this.isJudged = spec.judged;
    /** What few bits add, of coefficients alone and in all, relative to the field. @type {number} */ this.rounding = spec.rounding;
    /** @type {number} */ this.addedShare = spec.addedShare;
    /** @type {number[]} */ this.steps = spec.steps;
    /**
     * Of each mode those of each component.
     * @type {Codes[][]}
     */
    this.codes = spec.codes.map((/** @type {Packed[]} */ ofMode) =>
      ofMode.map((packed) => arrays.integers(packed)),
    );
    /**
     * Mean products of modes over all values, row by row.
     * @type {Float64Array}
     */
    this.gram = /** @type {Float64Array} */ (arrays.floats(spec.gram));
    this.surrogate = surrogateOf(spec.surrogate, arrays);
    this.coefficients = new Float64Array(this.surrogate.outputs);
    this.deviations = new Float64Array(this.surrogate.outputs);
    /** Of each component, as stored. */
    this.values = Array.from({ length: this.components }, () => new Float32Array(this.entities));
  }

  get modes() {
    return this.codes.length;
  }

  /**
   * Fills values.
   * @param {ArrayLike<number>} x
   */
  evaluate(x) {
    this.surrogate.evaluate(x, this.coefficients);
    const factors = this.steps.map((step, m) => step * this.coefficients[m]);
    for (let c = 0; c < this.components; ++c) {
      const out = this.values[c].fill(0);
      // By pieces that stay in the cache, and four modes at a time.
      for (let begin = 0; begin < out.length; begin += 4096) {
        const end = Math.min(begin + 4096, out.length);
        let m = 0;
        for (; m + 4 <= this.modes; m += 4) addFour(out, begin, end, this.codes, c, factors, m);
        for (; m < this.modes; ++m) addOne(out, begin, end, this.codes[m][c], factors[m]);
      }
    }
  }

  /**
   * One number of one point or cell for coefficients, as stored.
   * @param {number} entity
   * @param {number} component
   */
  storedAt(entity, component) {
    let sum = 0;
    for (let m = 0; m < this.modes; ++m)
      sum += this.coefficients[m] * this.steps[m] * this.codes[m][component][entity];
    return sum;
  }

  /**
   * A component, or with -1 the magnitude, there.
   * @param {number} entity
   * @param {number} component
   */
  valueAt(entity, component) {
    if (component >= 0) return this.offset + this.scale * this.storedAt(entity, component);
    let squares = 0;
    for (let c = 0; c < this.components; ++c)
      squares += (this.offset + this.scale * this.storedAt(entity, c)) ** 2;
    return Math.sqrt(squares);
  }

  /**
   * The same of all of them, after evaluate().
   * @param {number} component
   * @param {Float32Array} out as values, no stored numbers but offsets
   */
  shown(component, out) {
    const { scale, offset } = this;
    if (component >= 0) {
      const from = this.values[component];
      for (let i = 0; i < out.length; ++i) out[i] = scale * from[i];
      return;
    }
    for (let i = 0; i < out.length; ++i) {
      let squares = 0; // single precision could not hold those of tiny or huge numbers
      for (const from of this.values) squares += (offset + scale * from[i]) ** 2;
      out[i] = Math.sqrt(squares);
    }
  }

  /**
   * What shown() leaves out of values, so that differences keep their digits.
   * @param {number} component
   */
  shownOffset(component) {
    return component >= 0 ? this.offset : 0;
  }

  /**
   * Root mean square over all values.
   * @param {Float64Array} coefficients
   * @param {boolean} areIndependent
   */
  norm(coefficients, areIndependent) {
    const r = coefficients.length;
    let sum = 0;
    for (let i = 0; i < r; ++i)
      if (areIndependent) sum += coefficients[i] ** 2 * this.gram[i * r + i];
      else
        for (let j = 0; j < r; ++j)
          sum += coefficients[i] * coefficients[j] * this.gram[i * r + j];
    return Math.sqrt(Math.max(0, sum));
  }

  /**
   * How far the field may be off at a place, relative to it, with what few bits add: by the band that
   * was calibrated, or without one the surrogate's own indicator; null where there is nothing.
   * @param {ArrayLike<number>} x
   */
  relativeError(x) {
    if (!this.isJudged || !this.surrogate.deviation(x, this.deviations)) return null;
    this.surrogate.evaluate(x, this.coefficients);
    const values = this.norm(this.coefficients, false);
    // Rounding may have taken as much from the indicator.
    const indicator = this.norm(this.deviations, this.surrogate.isIndependent) + this.rounding * values;
    const error = this.band ? this.band.factor * indicator + this.band.offset : indicator;
    return values > 0 ? error / values + this.addedShare : null;
  }
}

/**
 * @param {Float32Array} out
 * @param {number} begin
 * @param {number} end
 * @param {Codes} codes
 * @param {number} factor
 */
function addOne(out, begin, end, codes, factor) {
  for (let i = begin; i < end; ++i) out[i] += factor * codes[i];
}

/**
 * Modes m to m + 3.
 * @param {Float32Array} out
 * @param {number} begin
 * @param {number} end
 * @param {Codes[][]} codes
 * @param {number} component
 * @param {number[]} factors
 * @param {number} m
 */
function addFour(out, begin, end, codes, component, factors, m) {
  const [a, b, c, d] = [m, m + 1, m + 2, m + 3].map((k) => codes[k][component]);
  const [fa, fb, fc, fd] = factors.slice(m, m + 4);
  for (let i = begin; i < end; ++i) out[i] += fa * a[i] + fb * b[i] + (fc * c[i] + fd * d[i]);
}

/** A number that depends on the parameters: sums of surrogates' outputs. */
class PageResponse {
  /**
   * @param {any} spec
   * @param {ArrayReader} arrays
   */
  constructor(spec, arrays) {
    /** @type {string} */ this.name = spec.name;
    /** @type {string} */ this.unit = spec.unit;
    /** @type {string} */ this.words = spec.words;
    /** @type {string} */ this.error = spec.error;
    /** @type {number} */ this.digits = spec.digits;
    /** @type {number} */ this.constant = spec.constant;
    /** Shares of the variance, by parameter. @type {number[]} */ this.first = spec.first;
    /** @type {number[]} */ this.total = spec.total;
    /** @type {Surrogate[]} */
    this.parts = spec.parts.map((/** @type {any} */ part) => surrogateOf(part, arrays));
    this.out = new Float64Array(1);
  }

  /** @param {ArrayLike<number>} x */
  value(x) {
    let sum = this.constant;
    for (const part of this.parts) {
      part.evaluate(x, this.out);
      sum += this.out[0];
    }
    return sum;
  }
}

/** A parameter and the ways between its values and the unit interval. */
class PageParameter {
  /** @param {any} spec */
  constructor(spec) {
    /** @type {string} */ this.name = spec.name;
    /** @type {string} */ this.unit = spec.unit;
    /** @type {number} */ this.low = spec.low;
    /** @type {number} */ this.high = spec.high;
    /** @type {boolean} */ this.isLogarithmic = spec.logarithmic;
    /** @type {boolean} */ this.isTime = spec.time;
    /** Where runs are, in the unit interval. @type {number[]} */ this.marks = spec.marks;
  }

  /** @param {number} x */
  fromUnit(x) {
    if (x <= 0) return this.low;
    if (x >= 1) return this.high;
    return this.isLogarithmic
      ? this.low * (this.high / this.low) ** x
      : this.low + x * (this.high - this.low);
  }

  /** @param {number} value */
  toUnit(value) {
    if (!(value > this.low)) return 0; // also what has no logarithm
    const x = this.isLogarithmic
      ? Math.log(value / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
    return Math.min(1, Math.max(0, x));
  }
}

/**
 * With so many digits, and no more zeros than needed.
 * @param {number} value
 * @param {number} [digits]
 */
function numberText(value, digits = 5) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : '–';
}

/** @param {string} unit */
function unitText(unit) {
  return unit === '' ? '' : ` ${unit}`;
}
