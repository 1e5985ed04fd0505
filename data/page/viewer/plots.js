// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small elements of the page: curves, bars, maps. Texts come from studies of anybody: they are set
// as text, never as HTML.
'use strict';

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] of the element; `class` and aria-* are attributes
 * @param {(Node | string)[]} [children]
 * @returns {any}
 */
function element(tag, properties = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name === 'class' || name === 'for' || name.startsWith('aria-')) made.setAttribute(name, value);
    else /** @type {any} */ (made)[name] = value;
  made.append(...children);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} [children]
 */
function drawn(tag, attributes, children = []) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * Two numbers in as few digits as tell them apart, from these on.
 * @param {number} low
 * @param {number} high
 * @param {number} digits
 */
function apart(low, high, digits) {
  let [a, b] = [numberText(low, digits), numberText(high, digits)];
  for (let more = digits + 1; a === b && more <= 15; ++more) [a, b] = [numberText(low, more), numberText(high, more)];
  return [a, b];
}

/**
 * A value along one parameter, with a dot at the present one; a click goes there.
 * @param {PageParameter} parameter
 * @param {number} here in the unit interval
 * @param {number[]} values at evenly spread places
 * @param {number} present
 * @param {string} title
 * @param {(x: number) => void} go
 */
function curve(parameter, here, values, present, title, go) {
  const [width, height, left, right, top, bottom] = [220, 120, 6, 8, 8, 18];
  const finite = [...values, present].filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const isFlat = !(high - low > 1e-12 * Math.max(Math.abs(high), Math.abs(low)));
  const [lowText, highText] = isFlat ? ['', numberText(present)] : apart(low, high, 4);
  const across = (/** @type {number} */ x) => left + x * (width - left - right);
  const up = (/** @type {number} */ y) =>
    height - bottom - (isFlat ? 0.5 : (y - low) / (high - low)) * (height - top - bottom);
  const points = values.map((y, i) => `${across(i / (values.length - 1))},${up(y)}`).join(' ');
  const figure = drawn('svg', { viewBox: `0 0 ${width} ${height}`, class: 'curve', role: 'img', 'aria-label': `${title} along ${parameter.name}` }, [
    drawn('line', { class: 'axis', x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    drawn('polyline', { class: 'line', points }),
    drawn('circle', { class: 'dot', cx: across(here), cy: up(present), r: 4 }),
    drawn('text', { x: left, y: top + 4 }, [highText]),
    drawn('text', { x: left, y: height - bottom - 4 }, [lowText]),
    drawn('text', { x: left, y: height - 4 }, [numberText(parameter.low, 4)]),
    drawn('text', { x: width / 2, y: height - 4, 'text-anchor': 'middle', class: 'name' }, [parameter.name]),
    drawn('text', { x: width - right, y: height - 4, 'text-anchor': 'end' }, [`${numberText(parameter.high, 4)}${unitText(parameter.unit)}`]),
  ]);
  figure.addEventListener('click', (event) => {
    const box = figure.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    go(Math.min(1, Math.max(0, (at - left) / (width - left - right))));
  });
  return figure;
}

/**
 * Shares of the variance: the first-order one inside of the total one.
 * @param {PageParameter[]} parameters
 * @param {PageResponse} response
 */
function influence(parameters, response) {
  const [width, row, left] = [300, 18, 110];
  const scale = (width - left - 50) / Math.max(1, ...response.total);
  const rows = parameters.flatMap((parameter, t) => {
    const [first, total] = [Math.max(0, response.first[t]), Math.max(0, response.total[t])];
    return [
      drawn('text', { x: left - 6, y: t * row + 13, 'text-anchor': 'end' }, [parameter.name]),
      drawn('rect', { class: 'total', x: left, y: t * row + 4, width: total * scale, height: row - 7 }),
      drawn('rect', { class: 'first', x: left, y: t * row + 4, width: first * scale, height: row - 7 }),
      drawn('text', { x: left + Math.max(first, total) * scale + 5, y: t * row + 13 }, [`${numberText(100 * first, 3)} %`]),
    ];
  });
  return drawn('svg', { viewBox: `0 0 ${width} ${row * parameters.length}`, class: 'bars', role: 'img', 'aria-label': `Sobol indices of ${response.name}` }, rows);
}

/** A step to the next task of the page, so that it stays quick: after some milliseconds of work. */
class Breath {
  constructor() {
    this.begin = performance.now();
  }

  async take() {
    if (performance.now() - this.begin < 12) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.begin = performance.now();
  }
}
