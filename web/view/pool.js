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
 * @returns {Float32Array} `out`, with −Infinity where all is masked; the matrix's own values where there is nothing to shrink
 */
export function maxPool(matrix, width, height, masked = null, out = new Float32Array(width * height)) {
  const { rows, columns, data } = matrix;
  if (width === columns && height === rows && masked === null) return data;
  const { from, to } = spans(columns, width);
  const { from: top, to: bottom } = spans(rows, height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const below = bottom[y] * columns;
    for (let x = 0; x < width; x++) {
      const first = from[x];
      const count = to[x] - first;
      let most = -Infinity;
      for (let start = top[y] * columns + first; start < below; start += columns) {
        // Few cells each, at least one: a loop that asks at its end is a fifth faster for a whole grid of heads.
        let i = start;
        do {
          const value = data[i];
          if (value > most && (masked === null || masked[i] === 0)) most = value;
        } while (++i < start + count);
      }
      out[at++] = most;
    }
  }
  return out;
}
