// What is compared, as files: both sides and their difference, where they have one.

import { describeRows } from '../../view/index.js';
import {
  besideOf,
  coloured,
  counterpart,
  differenceOf,
  differencePicture,
  editedBeside,
  placeBeside,
} from '../compare.js';
import { changesSaid } from '../edited.js';
import { differenceSays, firstName, secondName } from '../lab/compare-captions.js';
import { colouring } from '../selection.js';
import { STRINGS } from '../strings.js';
import { jsonOf, jsonOfAll, pairsOf } from './numbers.js';
import { headPlace, placeOf } from './places.js';
import { sourceOf } from './run.js';

/** @typedef {import('./places.js').Context} Context */
/** @typedef {import('./places.js').Side} Side */
/** @typedef {ReturnType<typeof comparedOf>} Compared */

const MOST_ROWS = 60;

/** @param {Context} first what is on show */
export function comparedOf(first) {
  const { state } = first;
  const beside = placeBeside(state);
  const numbers = besideOf(state)?.numbers ?? null;
  if (!beside || !numbers) throw new Error(STRINGS.exporting.nothing);
  const { result, at } = beside;
  const model = state.compare === 'model' ? state.model2 || (state.folder?.name ?? '') : first.model;
  const { grid, layer, head, batch } = at;
  /** @type {Side} */
  const second = { state, result, grid, layer, head, batch, model, numbers };
  return { state, first, second, difference: differenceOf(first.numbers, numbers) };
}

/** The name of a file: both places. @param {Compared} compared */
export function comparedFile({ state, first, second }) {
  const place = headPlace(second);
  const view = state.compare === 'text' ? ['other-text', ...(place.view ?? [])] : place.view;
  return { places: [headPlace(first), { ...place, view }], what: `${state.kind}-compared` };
}

/** @param {Compared} compared @returns {import('./pictures.js').Panels} */
export function comparedDrawn({ state, first, second, difference }) {
  const { drawn } = first;
  const { theme } = state;
  const { values, tokens } = coloured(state, first.numbers);
  const picture = { ...second.numbers, ...colouring(state, values, tokens) };
  const selected = drawn.selected && counterpart(first.numbers, second.numbers, drawn.selected);
  const { views } = STRINGS;
  const panels = [
    { name: 'first', heading: `${views.first}: ${firstName(state, first.numbers.heads.length)}`, head: drawn },
    {
      name: 'second',
      heading: `${views.second}: ${secondName(state)}`,
      head: { ...drawn, picture, selected, edited: editedBeside(state, second.numbers) },
    },
  ];
  if (difference) {
    const head = { ...drawn, ...differencePicture(difference, theme), edited: [] };
    panels.push({ name: 'difference', heading: `${views.difference}: ${views.differenceBar}`, head });
  }
  return { view: 'panels', theme, panels };
}

/** Both sides in words. @param {Compared} compared @returns {import('./pictures.js').About} */
export function comparedAbout({ state, first, second, difference }) {
  const { views } = STRINGS;
  const names = [
    `${views.first}: ${first.model}, ${firstName(state, first.numbers.heads.length)}`,
    `${views.second}: ${second.model}, ${secondName(state)}`,
  ];
  const sides = [first, second].flatMap(({ result, numbers }, i) => {
    const { matrix, queries, keys } = numbers;
    const rows = { matrix, queries: queries.slice(0, MOST_ROWS), keys, kind: state.kind };
    const changes = changesSaid(result);
    return [
      names[i],
      ...result.texts,
      ...(changes === '' ? [] : [changes]),
      ...describeRows(rows, { strings: STRINGS.viewWords }),
    ];
  });
  return {
    title: [STRINGS[state.kind], ...names].join('; '),
    description: [...sides, differenceSays(first.numbers, second.numbers, difference)].join('\n'),
    caption: changesSaid(first.result),
  };
}

/** @param {Compared} compared */
export function comparedCsv({ first, second, difference }) {
  return pairsOf(first.numbers, second.numbers, difference && difference.matrix);
}

/** @param {Compared} compared */
export function comparedJson({ state, first, second, difference }) {
  const side = (/** @type {Side} */ of) =>
    jsonOf(of.numbers, { ...sourceOf(of.result, of.model, of.batch), ...placeOf(of) });
  return jsonOfAll(
    { compared: state.compare, kind: state.kind },
    {
      first: side(first),
      second: side(second),
      difference:
        difference && jsonOf(difference, { is: 'second minus first' }, 'null: no number, neither key may be seen'),
    },
  );
}
