// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unpacks what the page carries, and shows it.
'use strict';

/**
 * For scripts beside the page, and for tests.
 * @param {Page} page
 */
function interfaceOf(page) {
  return {
    /**
     * Values by name, in their units.
     * @param {Record<string, number>} values
     */
    setParameters(values) {
      for (const [name, value] of Object.entries(values)) {
        const t = page.parameters.findIndex((parameter) => parameter.name === name);
        if (t < 0) throw new Error(`there is no parameter ${name}`);
        page.x[t] = page.parameters[t].toUnit(value);
      }
      page.showSliders();
      page.redraw();
    },
    /**
     * Of all points or cells of a field, components adjacent.
     * @param {string} name
     */
    values(name) {
      const field = page.fields.find((each) => each.name === name);
      if (!field) throw new Error(`there is no field ${name}`);
      field.evaluate(page.x);
      const all = [];
      for (let i = 0; i < field.entities; ++i)
        for (const component of field.values) all.push(field.offset + field.scale * component[i]);
      return all;
    },
    /** @param {string} name */
    response(name) {
      const response = page.responses.find((each) => each.name === name);
      if (!response) throw new Error(`there is no response ${name}`);
      return response.value(page.x);
    },
    /** Milliseconds from the beginning of the page's loading to its first picture. */
    opened: performance.now(),
    page,
  };
}

(async () => {
  const data = /** @type {HTMLElement} */ (document.getElementById('data'));
  const { header, arrays } = await unpack(data.textContent ?? '');
  document.querySelector('main')?.remove(); // of a page that a browser has saved
  const page = new Page(header, arrays, document.body);
  page.followLink();
  page.build();
  window.addEventListener('hashchange', () => {
    page.followLink();
    page.showSliders();
    page.redraw();
  });
  Object.assign(window, { gridhelm: interfaceOf(page) });
})().catch((problem) => {
  const isOld = !('DecompressionStream' in window);
  document.body.append(`This page could not be shown: ${problem.message}.${isOld ? ' A browser of 2023 or later is needed.' : ''}`);
});
