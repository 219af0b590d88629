// The token-to-token view: queries in a column on the left, keys on the right, a line for each weight that counts. Lines
// are gathered into a few strengths, each stroked as one path; a pointed-at token shows its own lines alone, with numbers.
// Lengths are CSS pixels.

import { begin } from './draw.js';
import { fittedTexts } from './fitted.js';
import { roundToSum, writeUnits } from './numbers.js';
import { font } from './theme.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./types.js').Matrix} Matrix */
/** @typedef {import('./types.js').Spot} Spot */
/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {{ query: number, key: number, weight: number }} Line */
/**
 * @typedef {object} ArcsOptions
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {number} width room
 * @property {number} [height] room; longer columns scroll
 * @property {import('./types.js').Measure} measure
 * @property {{ sans: string, mono: string }} fonts
 * @property {number} [dpr]
 * @property {number} [scrollY] clamped
 * @property {string} [queryTitle]
 * @property {string} [keyTitle]
 *
 * @typedef {object} ArcsLayout
 * @property {number} width
 * @property {number} height
 * @property {number} dpr
 * @property {number} rowHeight
 * @property {number} top where the rows begin
 * @property {number} bottom
 * @property {number} from x where lines begin, at the queries
 * @property {number} to x where lines end, at the keys
 * @property {number} scrollY
 * @property {number} maxScrollY
 * @property {import('./fitted.js').FittedTexts} queryTexts
 * @property {import('./fitted.js').FittedTexts} keyTexts
 * @property {number} queryOffset the shorter column stands in the middle of the longer: y of its first row's top
 * @property {number} keyOffset
 * @property {string} queryTitle
 * @property {string} keyTitle
 * @property {string} font
 */

const TITLE = 26;
const LABEL_GAP = 8;
const NUMBER_ROOM = 52;
const STRENGTHS = 8;
const WIDEST = 460;

/**
 * @param {ArcsOptions} options
 * @returns {ArcsLayout}
 */
export function layoutArcs(options) {
  const { queries, keys, width, height = Infinity, measure, fonts, dpr = 1 } = options;
  const count = Math.max(queries.length, keys.length);
  if (queries.length === 0 || keys.length === 0) {
    throw new RangeError(
      `layoutArcs: expected at least one query and one key, got ${queries.length} and ${keys.length}`,
    );
  }
  const labelFont = font(fonts.mono, 13);
  const longest = Math.min(140, (width - 80) / 3.2);
  const queryTexts = fittedTexts(queries, { font: labelFont, longest, measure });
  const keyTexts = fittedTexts(keys, { font: labelFont, longest, measure });
  // Room for numbers on both sides: a pointed-at key writes them beside the queries.
  const from = Math.ceil(Math.max(queryTexts.widest(), 34) + NUMBER_ROOM + LABEL_GAP);
  const right = Math.ceil(Math.max(keyTexts.widest(), 24) + NUMBER_ROOM + LABEL_GAP);
  const to = Math.max(from + 40, Math.min(width - right, from + WIDEST));
  const rowHeight = Math.round(Math.min(26, Math.max(17, (Math.min(height, 640) - TITLE) / count)) * dpr) / dpr;
  const shown = Math.min(Math.max(height - TITLE - 4, rowHeight), count * rowHeight);
  const maxScrollY = Math.max(0, count * rowHeight - shown);
  return {
    width: Math.ceil(to + right),
    height: Math.ceil(TITLE + shown + 4),
    dpr,
    rowHeight,
    top: TITLE,
    bottom: TITLE + shown,
    from,
    to,
    scrollY: Math.min(maxScrollY, Math.max(0, options.scrollY ?? 0)),
    maxScrollY,
    queryTexts,
    keyTexts,
    queryOffset: ((count - queries.length) / 2) * rowHeight,
    keyOffset: ((count - keys.length) / 2) * rowHeight,
    queryTitle: options.queryTitle ?? 'query',
    keyTitle: options.keyTitle ?? 'key',
    font: labelFont,
  };
}

/**
 * The lines worth drawing, weakest first. Where more than `limit` pass the threshold, it is raised, and said so.
 * @param {Matrix} matrix weights, 0 to 1
 * @param {{ threshold?: number, limit?: number, only?: Spot | null }} [options] only: the lines of one query or key
 * @returns {{ lines: Line[], threshold: number, total: number }} total: how many passed the threshold asked for
 */
export function selectLines(matrix, { threshold = 0.05, limit = 1000, only = null } = {}) {
  const { rows, columns, data } = matrix;
  /** @type {Line[]} */
  let lines = [];
  const { query = null, key = null } = only ?? {};
  const lastRow = query === null ? rows : Math.min(rows, query + 1);
  for (let row = query ?? 0; row < lastRow; row++) {
    const lastColumn = key === null || query !== null ? columns : Math.min(columns, key + 1);
    for (let column = query === null ? (key ?? 0) : 0; column < lastColumn; column++) {
      const weight = data[row * columns + column];
      if (weight >= threshold) lines.push({ query: row, key: column, weight });
    }
  }
  lines.sort((a, b) => a.weight - b.weight || a.query - b.query || a.key - b.key);
  const total = lines.length;
  if (total > limit) lines = lines.slice(total - limit);
  return { lines, threshold: total > limit ? lines[0].weight : threshold, total };
}

/**
 * @param {Context2D} context the canvas has `layout.width · dpr` by `layout.height · dpr` pixels
 * @param {ArcsLayout} layout
 * @param {Theme} theme
 * @param {Matrix} matrix
 * @param {Line[]} lines from selectLines
 * @param {{ selected?: Spot | null, hover?: Spot | null }} [marks] the one pointed at, else the selected one, is shown alone
 */
export function paintArcs(context, layout, theme, matrix, lines, { selected = null, hover = null } = {}) {
  const spot = usable(hover) ?? usable(selected);
  const query = spot?.query ?? null;
  const key = spot?.key ?? null;
  const alone = query !== null ? { query } : key !== null ? { key } : null;
  begin(context, layout.width, layout.height, layout.dpr);
  context.save();
  context.beginPath();
  context.rect(0, layout.top, layout.width, layout.bottom - layout.top);
  context.clip();
  if (alone === null) {
    paintLines(context, layout, lines, theme.text, 0.1);
  } else {
    // The others stay as faint as rules.
    paintLines(context, layout, lines, theme.rule, 0.3);
    const own = selectLines(matrix, { threshold: 0.005, only: alone }).lines;
    paintLines(context, layout, own, query !== null ? theme.query : theme.key, 0.3);
    paintNumbers(context, layout, theme, matrix, own, query !== null, key);
  }
  paintTokens(context, layout, theme, query, key);
  context.restore();

  context.font = font(theme.sans, 11);
  context.textBaseline = 'alphabetic';
  context.textAlign = 'right';
  context.fillStyle = theme.query;
  context.fillText(layout.queryTitle, layout.from - LABEL_GAP, 14);
  context.textAlign = 'left';
  context.fillStyle = theme.key;
  context.fillText(layout.keyTitle, layout.to + LABEL_GAP, 14);
}

/**
 * What lies under a point: a token, or the nearest drawn line.
 * @param {ArcsLayout} layout
 * @param {Line[]} lines those drawn
 * @param {number} x
 * @param {number} y
 * @returns {{ part: 'row' | 'column' | 'cell', query: number | null, key: number | null } | null}
 */
export function hitArcs(layout, lines, x, y) {
  const { from, to, rowHeight, top, bottom, scrollY } = layout;
  if (y < top || y >= bottom) return null;
  const rowAt = (/** @type {number} */ offset, /** @type {number} */ count) => {
    const row = Math.floor((y - top + scrollY - offset) / rowHeight);
    return row >= 0 && row < count ? row : null;
  };
  if (x < from) {
    const query = rowAt(layout.queryOffset, layout.queryTexts.count);
    return query === null ? null : { part: 'row', query, key: null };
  }
  if (x >= to) {
    const key = rowAt(layout.keyOffset, layout.keyTexts.count);
    return key === null ? null : { part: 'column', query: null, key };
  }
  const u = (x - from) / (to - from);
  /** @type {Line | null} */
  let best = null;
  let nearest = 5;
  for (const line of lines) {
    const start = queryY(layout, line.query);
    const rise = keyY(layout, line.key) - start;
    // The curve's height is start + rise · (3u² − 2u³), and its slope 6u(1 − u) · rise over the width.
    const distance = Math.abs(y - start - rise * u * u * (3 - 2 * u));
    const across = distance / Math.hypot(1, (6 * u * (1 - u) * rise) / (to - from));
    // Lines are sorted from weak to strong: of equals the strong one counts.
    if (across <= nearest) {
      nearest = across;
      best = line;
    }
  }
  return best && { part: 'cell', query: best.query, key: best.key };
}

/**
 * @param {Context2D} context
 * @param {ArcsLayout} layout
 * @param {Line[]} lines weakest first
 * @param {string} color
 * @param {number} faintest opacity of the weakest lines
 */
function paintLines(context, layout, lines, color, faintest) {
  const { from, to, top, bottom } = layout;
  const third = (to - from) / 3;
  context.save();
  context.strokeStyle = color;
  context.lineCap = 'round';
  for (let strength = 0, i = 0; strength < STRENGTHS; strength++) {
    const upTo = strength === STRENGTHS - 1 ? Infinity : (strength + 1) / STRENGTHS;
    const first = i;
    context.beginPath();
    for (; i < lines.length && lines[i].weight < upTo; i++) {
      const start = queryY(layout, lines[i].query);
      const end = keyY(layout, lines[i].key);
      if (Math.max(start, end) < top || Math.min(start, end) > bottom) continue;
      context.moveTo(from, start);
      // With control points at thirds, x runs evenly: hitArcs can solve for y.
      context.bezierCurveTo(from + third, start, to - third, end, to, end);
    }
    if (i === first) continue;
    const middle = (strength + 0.5) / STRENGTHS;
    context.globalAlpha = faintest + (1 - faintest) * middle;
    context.lineWidth = 0.75 + 2.5 * middle;
    context.stroke();
  }
  context.restore();
}

/** Rows as they are shown, kept while the pointer moves. @type {WeakMap<Matrix, Map<number, number[]>>} */
const shownRows = new WeakMap();

/** A row in hundredths that add up, as the heatmap shows it. @param {Matrix} matrix @param {number} row */
function shownRow(matrix, row) {
  let rows = shownRows.get(matrix);
  if (!rows) shownRows.set(matrix, (rows = new Map()));
  let units = rows.get(row);
  if (!units) {
    const { columns, data } = matrix;
    const values = data.subarray(row * columns, (row + 1) * columns);
    // A row with a cell that is no number has no sum.
    const whole = values.every(Number.isFinite);
    units = whole ? roundToSum(values, 2) : Array.from(values, (value) => Math.round(100 * value));
    rows.set(row, units);
  }
  return units;
}

/**
 * The weights of the lines shown alone, beside the tokens they lead to.
 * @param {Context2D} context
 * @param {ArcsLayout} layout
 * @param {Theme} theme
 * @param {Matrix} matrix
 * @param {Line[]} lines
 * @param {boolean} toKeys
 * @param {number | null} chosen
 */
function paintNumbers(context, layout, theme, matrix, lines, toKeys, chosen) {
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.textAlign = toKeys ? 'right' : 'left';
  const x = toKeys ? layout.width - 4 : 4;
  for (const { query, key } of lines) {
    const y = toKeys ? keyY(layout, key) : queryY(layout, query);
    const strong = toKeys && key === chosen;
    context.font = font(theme.mono, 12, { strong });
    context.fillStyle = strong ? theme.accent : theme.muted;
    const units = shownRow(matrix, query)[key];
    context.fillText(writeUnits(units, 2, { leadingZero: units >= 100 }), x, y + 4.3);
  }
}

/** @param {Context2D} context @param {ArcsLayout} layout @param {Theme} theme @param {number | null} query @param {number | null} key */
function paintTokens(context, layout, theme, query, key) {
  const { top, bottom, rowHeight } = layout;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  for (const side of /** @type {const} */ (['query', 'key'])) {
    const left = side === 'query';
    const texts = left ? layout.queryTexts : layout.keyTexts;
    const chosen = left ? query : key;
    const x = left ? layout.from - LABEL_GAP : layout.to + LABEL_GAP;
    context.textAlign = left ? 'right' : 'left';
    for (let i = 0; i < texts.count; i++) {
      const y = left ? queryY(layout, i) : keyY(layout, i);
      if (y < top - rowHeight || y > bottom + rowHeight) continue;
      context.font = i === chosen ? font(theme.mono, 13, { strong: true }) : layout.font;
      context.fillStyle = i === chosen ? theme[side] : theme.text;
      context.fillText(texts.at(i).text, x, y + 4.5);
    }
  }
}

/** @param {ArcsLayout} layout @param {number} query */
function queryY({ top, scrollY, rowHeight, queryOffset }, query) {
  return top - scrollY + queryOffset + (query + 0.5) * rowHeight;
}

/** @param {ArcsLayout} layout @param {number} key */
function keyY({ top, scrollY, rowHeight, keyOffset }, key) {
  return top - scrollY + keyOffset + (key + 0.5) * rowHeight;
}

/** @param {Spot | null} spot */
function usable(spot) {
  return spot && ((spot.query ?? null) !== null || (spot.key ?? null) !== null) ? spot : null;
}
