// Picks one head's T × S matrix out of a recorded tensor, without copying.

/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').Matrix} Matrix */

/**
 * One head of `blocks.{l}.attn.hook_pattern` or `hook_attn_scores`.
 * @param {Tensor} tensor [B, H, T, S], [H, T, S] or [T, S]
 * @param {{ batch?: number, head?: number }} [at]
 * @returns {Matrix} a view: it changes when the tensor does
 */
export function headMatrix(tensor, { batch = 0, head = 0 } = {}) {
  const { shape, data } = tensor;
  if (shape.length < 2 || shape.length > 4) {
    throw new RangeError(`headMatrix: expected a tensor with 2 to 4 axes, got shape [${shape.join(', ')}]`);
  }
  const [batches, heads, rows, columns] = [...new Array(4 - shape.length).fill(1), ...shape];
  if (!(batch >= 0 && batch < batches && head >= 0 && head < heads)) {
    throw new RangeError(`headMatrix: batch ${batch}, head ${head} is outside shape [${shape.join(', ')}]`);
  }
  const size = rows * columns;
  const start = (batch * heads + head) * size;
  return { rows, columns, data: data.subarray(start, start + size) };
}

/**
 * Which cells may not be seen, read from scores after the mask: 1 where the score is −Infinity.
 * @param {Matrix} scores
 * @returns {Uint8Array} rows × columns
 */
export function maskedCells(scores) {
  const masked = new Uint8Array(scores.data.length);
  for (let i = 0; i < masked.length; i++) masked[i] = scores.data[i] === -Infinity ? 1 : 0;
  return masked;
}
