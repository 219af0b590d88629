// Shrinks a matrix to fewer pixels by the maximum of what falls into each: a thin line of large weights (a previous-token
// head's diagonal) survives, which a mean would wash out. Masked cells (−Infinity, or 1 in `masked`) lose against any other.

/** @typedef {import('./types.js').Matrix} Matrix */

/**
 * Where each of `pixels` output cells begins among `count` input cells; one longer than `pixels`. Where pixels outnumber
 * cells, each shows the one cell under it.
 * @param {number} count
 * @param {number} pixels
 * @returns {{ from: Int32Array, to: Int32Array }}
 */
export function spans(count, pixels) {
  const from = new Int32Array(pixels);
  const to = new Int32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    from[i] = Math.min(count - 1, Math.floor((i * count) / pixels));
    to[i] = Math.max(from[i] + 1, Math.floor(((i + 1) * count) / pixels));
  }
  return { from, to };
}

/**
 * @param {Matrix} matrix
 * @param {number} width pixels
 * @param {number} height
 * @param {Uint8Array | null} [masked] rows × columns
 * @param {Float32Array} [out] width · height values; made when left out
 * @returns {Float32Array} −Infinity where all is masked
 */
export function maxPool(matrix, width, height, masked = null, out = new Float32Array(width * height)) {
  const { rows, columns, data } = matrix;
  const { from, to } = spans(columns, width);
  const down = spans(rows, height);
  // First down, then across: the long loop is the plainest.
  const most = new Float32Array(columns);
  for (let y = 0; y < height; y++) {
    most.fill(-Infinity);
    for (let row = down.from[y]; row < down.to[y]; row++) {
      const start = row * columns;
      if (masked === null) {
        for (let i = 0; i < columns; i++) if (data[start + i] > most[i]) most[i] = data[start + i];
      } else {
        for (let i = 0; i < columns; i++) {
          if (data[start + i] > most[i] && masked[start + i] === 0) most[i] = data[start + i];
        }
      }
    }
    for (let x = 0; x < width; x++) {
      let value = most[from[x]];
      for (let i = from[x] + 1; i < to[x]; i++) if (most[i] > value) value = most[i];
      out[y * width + x] = value;
    }
  }
  return out;
}
