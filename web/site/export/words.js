// The words of an exported page in the language of this one: plain texts, with {names} where the page's viewer fills something in.

import { STRINGS } from '../strings.js';

/** @returns {Omit<import('../../standalone/words.js').Words, 'noData' | 'badData'>} */
export function pageWords() {
  const { exported, themes, viewWords: view } = STRINGS;
  const { theme, tokens, heads, attention, layer, head, kind, weights, scores, matrix, arcs, zoomIn, zoomOut } =
    STRINGS;
  const { weightTitle, scoreTitle, squareRoot, directions } = view;
  // The phrases take what the viewer will fill in, numbers too, as the names of it.
  const place = STRINGS.headName(/** @type {any} */ ('{layer}'), /** @type {any} */ ('{head}'));
  return {
    ...exported,
    ...{
      theme,
      ...themes,
      tokens,
      heads,
      attention,
      layer,
      head,
      kind,
      weights,
      scores,
      matrix,
      arcs,
      zoomIn,
      zoomOut,
    },
    ...{ view: STRINGS.view, fit: STRINGS.zoomFit, weightTitle, scoreTitle, squareRoot, directions },
    picture: STRINGS.pictureLabel(place, '{kind}'),
    weight: view.weight('{query}', '{key}', '{value}'),
    score: view.score('{query}', '{key}', '{value}'),
    masked: view.masked('{query}', '{key}'),
  };
}
