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
import { comparedAbout, comparedCsv, comparedDrawn, comparedFile, comparedJson, comparedOf } from './compared.js';
import { fileName } from './names.js';
import { csvOf, jsonOf, tsvOf } from './numbers.js';
import { pageData, pageOf } from './page.js';
import { pngOf, svgOf } from './pictures.js';
import { headPlace, placeOf, runPlace } from './places.js';
import { headTensors, runTensors, shownTensors, sourceOf } from './run.js';
import { copyPicture, copyText, save } from './save.js';
import { pageWords } from './words.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./pictures.js').Shown} Shown */
/** @typedef {import('./places.js').Context} Context */

const TYPES = {
  png: 'image/png',
  svg: 'image/svg+xml',
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  safetensors: 'application/octet-stream',
  html: 'text/html;charset=utf-8',
};
const MOST_ROWS = 60;

/**
 * The picture in words, for those who cannot see a file's; what was changed in the run stands below it too.
 * @param {Context} context
 * @param {'head' | 'heads'} of
 * @returns {import('./pictures.js').About}
 */
function aboutOf({ state, result, model, numbers }, of) {
  const { queries, keys, matrix } = numbers;
  const rows = { matrix, queries: queries.slice(0, MOST_ROWS), keys, kind: state.kind };
  const words = of === 'heads' ? [] : describeRows(rows, { strings: STRINGS.viewWords });
  const place = of === 'heads' ? STRINGS.heads : `${headName(state, numbers)}, ${STRINGS[state.kind]}`;
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
 * Parts of a file, and what its name says: where it is from, and what it is.
 * @typedef {{ parts: BlobPart[], places: import('./names.js').Place[], what: string, type: keyof typeof TYPES }} File
 */

/** @type {Record<FileKind, (context: Context) => File | Promise<File>>} */
const FILES = {
  png: async (context) => {
    const parts = [await pngOf(context.drawn, aboutOf(context, 'head'))];
    return { parts, places: [headPlace(context)], what: shownAs(context), type: 'png' };
  },
  svg: (context) => {
    const parts = [svgOf(context.drawn, aboutOf(context, 'head'))];
    return { parts, places: [headPlace(context)], what: shownAs(context), type: 'svg' };
  },
  headsPng: async (context) => {
    const parts = [await pngOf(headsDrawn(context), aboutOf(context, 'heads'))];
    return { parts, places: [runPlace(context)], what: 'heads', type: 'png' };
  },
  headsSvg: (context) => {
    const parts = [svgOf(headsDrawn(context), aboutOf(context, 'heads'))];
    return { parts, places: [runPlace(context)], what: 'heads', type: 'svg' };
  },
  csv: (context) => {
    const { numbers, state } = context;
    return { parts: [csvOf(numbers)], places: [headPlace(context)], what: state.kind, type: 'csv' };
  },
  json: (context) => {
    const { state, result, batch, model, numbers } = context;
    const about = { ...sourceOf(result, model, batch), ...placeOf(context), kind: state.kind };
    return { parts: [jsonOf(numbers, about)], places: [headPlace(context)], what: state.kind, type: 'json' };
  },
  head: async (context) => {
    const { state, result, model, batch, numbers } = context;
    const view = viewOf(state);
    const own = isRecorded(view) && view.special === 'shown';
    const parts = own
      ? await headTensors(result, model, context)
      : shownTensors(result, model, batch, numbers, placeOf(context));
    return { parts, places: [headPlace(context)], what: own ? 'attention' : state.kind, type: 'safetensors' };
  },
  run: (context) => {
    const parts = runTensors(context.result, context.model, context.batch);
    return { parts, places: [wholePlace(context)], what: 'run', type: 'safetensors' };
  },
  page: async (context) => {
    return { parts: [await pageText(context)], places: [wholePlace(context)], what: 'attention', type: 'html' };
  },
  comparedPng: async (context) => {
    const compared = comparedOf(context);
    return {
      ...comparedFile(compared),
      parts: [await pngOf(comparedDrawn(compared), comparedAbout(compared))],
      type: 'png',
    };
  },
  comparedSvg: (context) => {
    const compared = comparedOf(context);
    return { ...comparedFile(compared), parts: [svgOf(comparedDrawn(compared), comparedAbout(compared))], type: 'svg' };
  },
  comparedCsv: (context) => {
    const compared = comparedOf(context);
    return { ...comparedFile(compared), parts: [comparedCsv(compared)], type: 'csv' };
  },
  comparedJson: (context) => {
    const compared = comparedOf(context);
    return { ...comparedFile(compared), parts: [comparedJson(compared)], type: 'json' };
  },
};

/** @typedef {'png' | 'svg' | 'headsPng' | 'headsSvg' | 'csv' | 'json' | 'head' | 'run' | 'page'} HeadKind */
/** @typedef {'comparedPng' | 'comparedSvg' | 'comparedCsv' | 'comparedJson'} ComparedKind while something stands beside the picture */
/** @typedef {HeadKind | ComparedKind} FileKind */
/** @typedef {FileKind | 'copyPicture' | 'copyNumbers'} ExportKind */

/** @param {Context} context */
function shownAs({ state }) {
  return state.view === 'arcs' ? 'arcs' : state.kind;
}

/** A run with all its attentions. @param {Context} context */
function wholePlace(context) {
  return { ...runPlace(context), grid: /** @type {const} */ ('self') };
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
  return { state, result, grid, ...shownHead(state), batch, model, numbers: drawn.picture, drawn };
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
    await copyText(tsvOf(context.numbers));
    return STRINGS.exporting.copiedNumbers;
  }
  const { parts, places, what, type } = await FILES[kind](context);
  const name = fileName(places, what, type);
  save(parts, name, TYPES[type]);
  return STRINGS.exporting.saved(name);
}
