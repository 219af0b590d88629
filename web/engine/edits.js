// Edits: changes of what a hook announces, checked and brought into the form that the core reads.
import { GlassError } from './errors.js';
import { checkedText, checkOptions, described, joined, nearest } from './names.js';
import { Run } from './run.js';
import { isTyped, sizeOf } from './tensor.js';

/**
 * Coordinates, each optional: what is not named is taken whole; negative ones count from the end.
 * @typedef {{ batch?: number, head?: number, query?: number, key?: number, pos?: number, dim?: number }} Where
 */

/**
 * One of set, scale, add (a number for all selected values, or one for each, row by row) or from (that run's recorded value).
 * @typedef {object} Edit
 * @property {string} at a hook's name
 * @property {Where} [where]
 * @property {number | Float32Array} [set]
 * @property {number | Float32Array} [scale]
 * @property {number | Float32Array} [add]
 * @property {Run} [from]
 */

/**
 * shape: of values that are another run's; the selected part must have it.
 * @typedef {{ at: string, kind: 'set' | 'scale' | 'add', where: Record<string, number>, values: Float32Array, shape?: number[] }} CoreEdit
 */
/** @typedef {{ name: string, dims: string[] }} Hook */

const KINDS = /** @type {const} */ (['set', 'scale', 'add', 'from']);

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new GlassError('bad-input', message);
}

/**
 * The part of a tensor that `where` selects, row by row.
 * @param {import('./tensor.js').Tensor} tensor
 * @param {string[]} dims
 * @param {Record<string, number>} where
 * @param {string} what
 * @returns {{ values: Float32Array, shape: number[] }}
 */
function selected({ shape, data }, dims, where, what) {
  const ranges = shape.map((extent, axis) => {
    const given = where[dims[axis]];
    if (given === undefined) return [0, extent];
    const at = given < 0 ? given + extent : given;
    if (at < 0 || at >= extent) refuse(`${what}: expected ${dims[axis]} below ${extent}, got ${given}`);
    return [at, at + 1];
  });
  const extents = ranges.map(([first, end]) => end - first);
  const out = new Float32Array(sizeOf(extents));
  let next = 0;
  /** @param {number} axis @param {number} offset */
  const visit = (axis, offset) => {
    if (axis === shape.length) {
      out[next++] = data[offset];
      return;
    }
    for (let i = ranges[axis][0]; i < ranges[axis][1]; ++i) visit(axis + 1, offset * shape[axis] + i);
  };
  visit(0, 0);
  return { values: out, shape: extents };
}

/** @param {unknown} given @param {string} what @returns {Float32Array} */
function valuesOf(given, what) {
  if (typeof given === 'number') return Float32Array.of(given);
  if (isTyped(given) && given.length > 0) return Float32Array.from(given);
  return refuse(`${what}: expected a number or a Float32Array of values, got ${described(given)}`);
}

/** @param {unknown} given @param {Hook} hook @param {string} what @returns {Record<string, number>} */
function whereOf(given, hook, what) {
  const where = /** @type {Record<string, number | undefined>} */ (given ?? {});
  checkOptions(where, hook.dims, `${what}.where, ${hook.name}`);
  /** @type {Record<string, number>} */
  const checked = {};
  for (const [dim, index] of Object.entries(where)) {
    if (index === undefined) continue;
    if (!Number.isSafeInteger(index)) refuse(`${what}.where.${dim}: expected a whole number, got ${described(index)}`);
    checked[dim] = index;
  }
  return checked;
}

/**
 * Throws 'bad-input' naming the edit and what is wrong with it, 'not-found' for a hook that the model or the run lacks.
 * @param {unknown} edits
 * @param {readonly Hook[]} hooks
 * @returns {CoreEdit[]}
 */
export function readEdits(edits, hooks) {
  if (!Array.isArray(edits)) refuse(`edits: expected a list, got ${described(edits)}`);
  return edits.map((edit, i) => {
    const what = `edits[${i}]`;
    checkOptions(edit, ['at', 'where', ...KINDS], what);
    const at = checkedText(edit.at, `${what}.at`);
    const hook = hooks.find(({ name }) => name === at);
    if (!hook) {
      const names = hooks.map(({ name }) => name);
      throw new GlassError('not-found', `${what}: no hook ${described(at)}; nearest: ${joined(nearest(at, names))}`);
    }
    const kinds = KINDS.filter((kind) => edit[kind] !== undefined);
    if (kinds.length !== 1) refuse(`${what}: expected one of set, scale, add and from, got ${joined(kinds) || 'none'}`);
    const where = whereOf(edit.where, hook, what);
    const [kind] = kinds;
    if (kind !== 'from') return { at: hook.name, kind, where, values: valuesOf(edit[kind], `${what}.${kind}`) };
    if (!(edit.from instanceof Run)) refuse(`${what}.from: expected a Run, got ${described(edit.from)}`);
    return {
      at: hook.name,
      kind: 'set',
      where,
      ...selected(edit.from.get(hook.name), hook.dims, where, `${what}.from`),
    };
  });
}
