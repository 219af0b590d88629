// What can be taken from the page, each by a name: from the state and the picture on show to a file or the clipboard. Loaded when
// somebody first opens the list.

import { describeRows } from '../../view/index.js';
import { gridMarks, gridPicture } from '../lab/head-grid.js';
import { headName } from '../lab/picture.js';
import { isRecorded, viewOf } from '../aggregate.js';
import { changesSaid } from '../edited.js';
import { headsOf, shownGrid } from '../grids.js';
import { LANGUAGE, LANGUAGES } from '../language.js';
import { shownHead } from '../selection.js';
import { STRINGS } from '../strings.js';
import { fileName } from './names.js';
import { csvOf, jsonOf, tsvOf } from './numbers.js';
import { pageData, pageOf } from './page.js';
import { pngOf, svgOf } from './pictures.js';
import { headTensors, runTensors, shownTensors, sourceOf } from './run.js';
import { copyPicture, copyText, save } from './save.js';
import { pageWords } from './words.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./pictures.js').Shown} Shown */
/**
 * @typedef {object} Context what is on show
 * @property {State} state
 * @property {import('../types.js').Result} result
 * @property {import('../grids.js').Grid} grid
 * @property {number} layer
 * @property {number} head
 * @property {number} batch
 * @property {string} model its name
 * @property {Shown} drawn
 */

const TYPES = {
  png: 'image/png',
  svg: 'image/svg+xml',
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  safetensors: 'application/octet-stream',
  html: 'text/html;charset=utf-8',
};
const MOST_ROWS = 60;

/** @param {Context} context */
function tableOf({ drawn }) {
  const { matrix, queries, keys } = drawn.picture;
  return { matrix, queries, keys };
}

/** What was made of the heads' numbers; nothing where they are as recorded. @param {State} state */
function viewParts(state) {
  const { over, by, special, unit } = viewOf(state);
  return [
    ...(over === null ? [] : [`${by}-of-${over === 'all' ? 'all-heads' : over}`]),
    ...(unit === 'words' ? ['words'] : []),
    ...(special === 'shown' ? [] : [special === 'hidden' ? 'special-hidden' : 'special-left-out']),
  ];
}

/** Which head a context's numbers are from, or which ones and how. @param {Context} context */
function placeOf({ state, grid, layer, head, drawn }) {
  const view = viewParts(state);
  if (view.length === 0) return { attention: grid.name, layer, head };
  return { attention: grid.name, heads: drawn.picture.heads, made: view };
}

/**
 * The picture in words, for those who cannot see a file's; what was changed in the run stands below it too.
 * @param {Context} context
 * @param {'head' | 'heads'} of
 * @returns {import('./pictures.js').About}
 */
function aboutOf({ state, result, model, drawn }, of) {
  const { queries, keys, matrix } = drawn.picture;
  const rows = { matrix, queries: queries.slice(0, MOST_ROWS), keys, kind: state.kind };
  const words = of === 'heads' ? [] : describeRows(rows, { strings: STRINGS.viewWords });
  const place = of === 'heads' ? STRINGS.heads : `${headName(state, drawn.picture)}, ${STRINGS[state.kind]}`;
  const caption = changesSaid(result);
  const changed = caption === '' ? [] : [caption];
  return {
    title: [`${model}, ${place}`, ...changed.map(() => STRINGS.views.changed)].join(', '),
    description: [...result.texts, ...changed, ...words].join('\n'),
    caption,
  };
}

/** @param {Context} context @returns {import('./pictures.js').Heads} */
function headsDrawn({ state, result, grid }) {
  const { theme } = state;
  const picture = gridPicture(state, result, grid);
  return {
    view: 'heads',
    picture,
    theme,
    layers: grid.layers,
    heads: headsOf(result, grid),
    marks: gridMarks(state, grid),
  };
}

/** @param {Context} context @returns {Promise<string>} */
async function pageText({ state, result, grid, layer, head, batch, model }) {
  const answer = await fetch(new URL('standalone.html', document.baseURI));
  if (!answer.ok) throw new Error(`standalone.html: ${answer.status}`);
  const { kind, view, query, key } = state;
  const data = pageData(result, {
    model,
    batch,
    words: pageWords(),
    titles: STRINGS.grids,
    axes: STRINGS.axes,
    language: LANGUAGE,
    direction: LANGUAGES[LANGUAGE].dir,
    shown: { grid, layer, head, kind, view, query, key },
  });
  return pageOf(await answer.text(), data);
}

/**
 * Parts of a file and what its name ends with.
 * @typedef {{ parts: BlobPart[], what: string, type: keyof typeof TYPES, of?: 'head' | 'heads' | 'run' }} File
 * @type {Record<FileKind, (context: Context) => File | Promise<File>>}
 */
const FILES = {
  png: async (context) => {
    const parts = [await pngOf(context.drawn, aboutOf(context, 'head'))];
    return { parts, what: shownAs(context), type: 'png' };
  },
  svg: (context) => {
    const parts = [svgOf(context.drawn, aboutOf(context, 'head'))];
    return { parts, what: shownAs(context), type: 'svg' };
  },
  headsPng: async (context) => {
    const parts = [await pngOf(headsDrawn(context), aboutOf(context, 'heads'))];
    return { parts, what: 'heads', type: 'png', of: 'heads' };
  },
  headsSvg: (context) => {
    const text = svgOf(headsDrawn(context), aboutOf(context, 'heads'));
    return { parts: [text], what: 'heads', type: 'svg', of: 'heads' };
  },
  csv: (context) => ({ parts: [csvOf(tableOf(context))], what: context.state.kind, type: 'csv' }),
  json: (context) => {
    const { state, result, batch, model } = context;
    const about = { ...sourceOf(result, model, batch), ...placeOf(context), kind: state.kind };
    return { parts: [jsonOf(tableOf(context), about)], what: state.kind, type: 'json' };
  },
  head: async (context) => {
    const { state, result, model, batch, drawn } = context;
    const view = viewOf(state);
    const own = isRecorded(view) && view.special === 'shown';
    const parts = own
      ? await headTensors(result, model, context)
      : shownTensors(result, model, batch, drawn.picture, placeOf(context));
    return { parts, what: own ? 'attention' : state.kind, type: 'safetensors' };
  },
  run: ({ result, model, batch }) => {
    return { parts: runTensors(result, model, batch), what: 'run', type: 'safetensors', of: 'run' };
  },
  page: async (context) => ({ parts: [await pageText(context)], what: 'attention', type: 'html', of: 'run' }),
};

/** @typedef {'png' | 'svg' | 'headsPng' | 'headsSvg' | 'csv' | 'json' | 'head' | 'run' | 'page'} FileKind */
/** @typedef {FileKind | 'copyPicture' | 'copyNumbers'} ExportKind */

/** @param {Context} context */
function shownAs({ state }) {
  return state.view === 'arcs' ? 'arcs' : state.kind;
}

/** The numbers on show, for a name. @param {Context} context @param {import('./names.js').Place} all */
function headPlace({ state, layer, head }, all) {
  const { over } = viewOf(state);
  const one = {
    layer: over === null || over === 'heads' ? layer : null,
    head: over === null || over === 'layers' ? head : null,
  };
  return { ...all, ...one, view: [...viewParts(state), ...(all.view ?? [])] };
}

/**
 * What is on show, as it is now; null before there is anything.
 * @param {State} state
 * @param {Shown | null} drawn
 * @returns {Context | null}
 */
function contextOf(state, drawn) {
  const { result, sequence } = state;
  const grid = shownGrid(state);
  if (!result || !grid || !drawn) return null;
  const model = state.model || state.modelTitle;
  const batch = Math.min(sequence, result.sequences.length - 1);
  return { state, result, grid, ...shownHead(state), batch, model, drawn };
}

/**
 * Does one of them.
 * @param {ExportKind} kind
 * @param {State} state
 * @param {Shown | null} drawn the picture on show
 * @returns {Promise<string>} what was done, to say it
 */
export async function take(kind, state, drawn) {
  const context = contextOf(state, drawn);
  if (!context) throw new Error(STRINGS.exporting.nothing);
  if (kind === 'copyPicture') {
    await copyPicture(pngOf(context.drawn, aboutOf(context, 'head')));
    return STRINGS.exporting.copiedPicture;
  }
  if (kind === 'copyNumbers') {
    await copyText(tsvOf(tableOf(context)));
    return STRINGS.exporting.copiedNumbers;
  }
  const { parts, what, type, of = 'head' } = await FILES[kind](context);
  const { model, grid, result, batch } = context;
  const sequence = result.sequences.length > 1 ? batch : null;
  const view = result.edits.length > 0 ? ['changed'] : [];
  const all = { model, grid: grid.name, layer: null, head: null, sequence, view };
  const name = fileName(
    of === 'run' ? { ...all, grid: 'self' } : of === 'heads' ? all : headPlace(context, all),
    what,
    type,
  );
  save(parts, name, TYPES[type]);
  return STRINGS.exporting.saved(name);
}
