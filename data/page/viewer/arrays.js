// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page carries: a header in JSON and arrays of numbers, deflated, in base64
// (data/page/packed_arrays.h).
'use strict';

/**
 * An array as the header names it: where it begins, how many numbers, and how they are packed.
 * @typedef {{at: number, count: number, type: 'f64' | 'f32' | 'int', bytes: number, backs: number[]}} Packed
 */

/** Reads arrays by what the header says of them. */
class ArrayReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  /**
   * The bytes of each number side by side: they are stored plane by plane.
   * @param {Packed} packed
   */
  interleaved(packed) {
    const { at, count, bytes } = packed;
    const result = new Uint8Array(count * bytes);
    for (let plane = 0; plane < bytes; ++plane)
      for (let i = 0, from = at + plane * count, to = plane; i < count; ++i, ++from, to += bytes)
        result[to] = this.bytes[from];
    return result.buffer;
  }

  /** @param {Packed} packed */
  floats(packed) {
    const buffer = this.interleaved(packed);
    return packed.type === 'f64' ? new Float64Array(buffer) : new Float32Array(buffer);
  }

  /**
   * Integers, stored as differences from those `backs` before, with the sign in the lowest bit. They
   * come in the smallest type that holds them.
   * @param {Packed} packed
   */
  integers(packed) {
    const buffer = this.interleaved(packed);
    const stored =
      packed.bytes === 1
        ? new Uint8Array(buffer)
        : packed.bytes === 2
          ? new Uint16Array(buffer)
          : new Uint32Array(buffer);
    const whole = new Int32Array(packed.count);
    for (let i = 0; i < whole.length; ++i) whole[i] = (stored[i] >>> 1) ^ -(stored[i] & 1);
    for (const back of [...packed.backs].reverse())
      for (let i = back; i < whole.length; ++i) whole[i] += whole[i - back];
    let low = 0;
    let high = 0;
    for (let i = 0; i < whole.length; ++i) {
      if (whole[i] < low) low = whole[i];
      if (whole[i] > high) high = whole[i];
    }
    if (low >= -128 && high < 128) return new Int8Array(whole);
    if (low >= -32768 && high < 32768) return new Int16Array(whole);
    return whole;
  }
}

/**
 * @param {string} text base64
 * @returns {Uint8Array}
 */
function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * @param {string} text as it stands in the page
 * @returns {Promise<{header: any, arrays: ArrayReader}>}
 */
async function unpack(text) {
  const packed = new Blob([bytesOfBase64(text.trim())]).stream();
  const Inflating = /** @type {any} */ (window).DecompressionStream; // which TypeScript may not know
  const unpacked = packed.pipeThrough(new Inflating('deflate-raw'));
  const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { header, arrays: new ArrayReader(bytes.subarray(4 + length)) };
}
