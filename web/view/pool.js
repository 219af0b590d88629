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
  const cells = { data, columns, masked, across: spans(columns, width), down: spans(rows, height) };
  if (columns <= 2 * width && rows <= 2 * height) poolCorners(cells, out);
  else poolBlocks(cells, out);
  return out;
}

/**
 * @typedef {object} Cells
 * @property {Float32Array} data
 * @property {number} columns
 * @property {Uint8Array | null} masked
 * @property {ReturnType<typeof spans>} across
 * @property {ReturnType<typeof spans>} down
 */

/**
 * A block of at most two by two cells is its four corners, some of which may be the same cell: read without a loop, a grid of 144
 * heads takes a quarter less time.
 * @param {Cells} cells
 * @param {Float32Array} out
 */
function poolCorners({ data, columns, masked, across: { from, to }, down }, out) {
  let at = 0;
  for (let y = 0; y < down.from.length; y++) {
    const upper = down.from[y] * columns;
    const lower = (down.to[y] - 1) * columns;
    for (let x = 0; x < from.length; x++) {
      const a = upper + from[x];
      const b = upper + to[x] - 1;
      const c = lower + from[x];
      const d = lower + to[x] - 1;
      let most = -Infinity;
      if (data[a] > most && (masked === null || masked[a] === 0)) most = data[a];
      if (data[b] > most && (masked === null || masked[b] === 0)) most = data[b];
      if (data[c] > most && (masked === null || masked[c] === 0)) most = data[c];
      if (data[d] > most && (masked === null || masked[d] === 0)) most = data[d];
      out[at++] = most;
    }
  }
}

/** @param {Cells} cells @param {Float32Array} out */
function poolBlocks({ data, columns, masked, across: { from, to }, down }, out) {
  let at = 0;
  for (let y = 0; y < down.from.length; y++) {
    const below = down.to[y] * columns;
    for (let x = 0; x < from.length; x++) {
      const first = from[x];
      const count = to[x] - first;
      let most = -Infinity;
      for (let start = down.from[y] * columns + first; start < below; start += columns) {
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
}
