// Small drawing helpers that keep edges on device pixels.

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./types.js').Box} Box */

/**
 * Makes CSS pixels the unit and clears the canvas.
 * @param {Context2D} context
 * @param {number} width CSS pixels
 * @param {number} height
 * @param {number} dpr
 */
export function begin(context, width, height, dpr) {
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  context.clearRect(0, 0, width, height);
}

/**
 * A rectangular outline of four filled bars: sharp at any device pixel ratio, unlike a stroke. It lies outside the box,
 * except for `inset`.
 * @param {Context2D} context
 * @param {Box} box
 * @param {string} color
 * @param {{ thickness?: number, inset?: number, dpr?: number, casing?: string }} [style] casing: a thin line around and
 *   within, which sets the outline off from any colour
 */
export function outline(context, box, color, { thickness = 1, inset = 0, dpr = 1, casing } = {}) {
  const snap = (/** @type {number} */ v) => Math.round(v * dpr) / dpr;
  const x = snap(box.x + inset);
  const y = snap(box.y + inset);
  const right = snap(box.x + box.width - inset);
  const bottom = snap(box.y + box.height - inset);
  const width = right - x;
  const height = bottom - y;
  if (casing) {
    frame(context, x - thickness, y - thickness, width + 2 * thickness, height + 2 * thickness, 1, casing);
    if (width > 4 && height > 4) frame(context, x + 1, y + 1, width - 2, height - 2, 1, casing);
  }
  frame(context, x, y, width, height, thickness, color);
}

/**
 * @param {Context2D} context
 * @param {number} x inner left edge
 * @param {number} y
 * @param {number} width inner width
 * @param {number} height
 * @param {number} t thickness, outward
 * @param {string} color
 */
function frame(context, x, y, width, height, t, color) {
  context.fillStyle = color;
  context.fillRect(x - t, y - t, width + 2 * t, t);
  context.fillRect(x - t, y + height, width + 2 * t, t);
  context.fillRect(x - t, y, t, height);
  context.fillRect(x + width, y, t, height);
}

/**
 * Thin diagonal lines over a box: the sign for "may not be seen". One path, whatever the size.
 * @param {Context2D} context
 * @param {Box} box
 * @param {string} color
 * @param {number} [spacing] CSS pixels
 */
export function hatch(context, box, color, spacing = 6) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.beginPath();
  for (let d = -box.height; d < box.width; d += spacing) {
    context.moveTo(box.x + d, box.y + box.height);
    context.lineTo(box.x + d + box.height, box.y);
  }
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}
