// Keys that move a selection over a grid.

/** @type {Record<string, [number, number]>} rows, columns */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PAGE = 10;

/**
 * Where a key leads from a cell of a grid of `rows` × `columns`; null for a key that means nothing here. With nothing
 * selected any such key selects the first cell. Home and End go to a row's ends, with Ctrl to the grid's; Page Up and Page Down,
 * and an arrow with Shift, go ten cells.
 * @param {KeyboardEvent} event
 * @param {{ row: number, column: number } | null} from
 * @param {{ rows: number, columns: number }} grid
 * @returns {{ row: number, column: number } | null}
 */
export function moveByKey(event, from, { rows, columns }) {
  if (event.altKey || event.metaKey) return null;
  const { row, column } = from ?? { row: 0, column: 0 };
  /** @type {{ row: number, column: number }} */
  let to;
  if (event.key in STEPS) {
    const [down, right] = STEPS[event.key];
    const length = event.shiftKey ? PAGE : 1;
    to = { row: row + down * length, column: column + right * length };
  } else if (event.key === 'Home') to = { row: event.ctrlKey ? 0 : row, column: 0 };
  else if (event.key === 'End') to = { row: event.ctrlKey ? rows - 1 : row, column: columns - 1 };
  else if (event.key === 'PageUp') to = { row: row - PAGE, column };
  else if (event.key === 'PageDown') to = { row: row + PAGE, column };
  else return null;
  if (from === null) return { row: 0, column: 0 };
  return { row: clamp(to.row, rows), column: clamp(to.column, columns) };
}

/** @param {number} index @param {number} count */
function clamp(index, count) {
  return Math.min(count - 1, Math.max(0, index));
}
