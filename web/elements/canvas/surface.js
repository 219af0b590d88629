// What the canvases share: surfaces to paint on, their size in device pixels, and repainting once a frame.

/** @typedef {import('../../view/types.js').Surface} Surface */
/** @typedef {{ width: number, height: number, dpr: number }} Size CSS pixels, and device pixels in each */

/**
 * A canvas to paint on that no page shows.
 * @param {number} width device pixels
 * @param {number} height
 * @returns {Surface}
 */
export function createSurface(width, height) {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** The 2D context of a canvas. @param {Surface} surface @returns {import('../../view/types.js').Context2D} */
export function contextOf(surface) {
  const context = /** @type {import('../../view/types.js').Context2D | null} */ (surface.getContext('2d'));
  if (context === null) throw new Error('this browser gives no 2D canvas');
  return context;
}

/**
 * Gives a canvas the size of a layout; its pixels are cleared only where the size changes.
 * @param {HTMLCanvasElement} canvas
 * @param {Size} size
 */
export function resize(canvas, { width, height, dpr }) {
  const [w, h] = [Math.max(1, Math.round(width * dpr)), Math.max(1, Math.round(height * dpr))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

/**
 * Runs `paint` in the next frame, however often it is asked for until then.
 * @param {() => void} paint
 * @returns {() => void}
 */
export function oncePerFrame(paint) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      paint();
    });
  };
}

/**
 * Calls back when the device pixel ratio changes: the page is zoomed, or the window moves to another screen.
 * @param {() => void} changed
 */
export function watchPixelRatio(changed) {
  const listen = () => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        changed();
        listen();
      },
      { once: true },
    );
  };
  listen();
}
