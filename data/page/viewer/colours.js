// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

/**
 * 256 colours, red, green, blue and 255 side by side.
 * @param {string} hex of evenly spread colours
 */
function coloursOf(hex) {
  const count = hex.length / 6;
  const table = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const exact = (i / 255) * (count - 1);
    const k = Math.min(Math.floor(exact), count - 2);
    for (let c = 0; c < 3; ++c) {
      const [from, to] = [k, k + 1].map((at) => parseInt(hex.slice(6 * at + 2 * c, 6 * at + 2 * c + 2), 16));
      table[4 * i + c] = Math.round(from + (exact - k) * (to - from));
    }
    table[4 * i + 3] = 255;
  }
  return table;
}
