// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';

/**
 * Mouse, fingers and keys on the picture.
 * @param {Page} page
 * @param {HTMLCanvasElement} canvas
 */
function handleCanvas(page, canvas) {
  /** @type {Map<number, [number, number]>} */ const pointers = new Map();
  let travelled = 0;
  let span = 0;
  const lengthOfPixel = () => 1 / page.camera.pixels(canvas.clientWidth, canvas.clientHeight);
  /** @type {(right: number, down: number, moves: boolean) => void} */
  const drag = (right, down, moves) => {
    if (moves) page.camera.move(right * lengthOfPixel(), -down * lengthOfPixel());
    else {
      page.camera.turn(-0.008 * right, 1);
      page.camera.turn(0.008 * down, 0);
    }
    page.draw();
  };
  const spanOf = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  /** @param {number} factor */
  const zoom = (factor) => {
    page.camera.zoom = Math.min(1000, Math.max(0.05, page.camera.zoom * factor));
    page.draw();
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 2) span = spanOf();
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [right, down] = [event.clientX - before[0], event.clientY - before[1]];
    travelled += Math.abs(right) + Math.abs(down);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 2) {
      zoom(spanOf() / span);
      span = spanOf();
      drag(right / 2, down / 2, true);
    } else if (travelled > 4) {
      const turns = page.mesh?.isFlat === event.shiftKey && event.buttons !== 2;
      drag(right, down, !turns);
    }
  });
  for (const end of /** @type {const} */ (['pointerup', 'pointercancel']))
    canvas.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (end === 'pointerup' && travelled <= 4 && event.button === 0) page.probeAt(event.clientX, event.clientY);
    });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-0.0015 * event.deltaY));
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => drag(-20, 0, page.mesh?.isFlat ?? false),
      ArrowRight: () => drag(20, 0, page.mesh?.isFlat ?? false),
      ArrowUp: () => drag(0, -20, page.mesh?.isFlat ?? false),
      ArrowDown: () => drag(0, 20, page.mesh?.isFlat ?? false),
      '+': () => zoom(1.2),
      '-': () => zoom(1 / 1.2),
      0: () => {
        page.resetCamera();
        page.draw();
      },
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
