// The page on paper. A canvas would print as it is on screen, in a dark theme too: while the page prints, the picture of the head
// stands there as lines and letters in ink on white (print.css puts it in the canvas's place).

import { LIGHT } from '../../view/index.js';
import { colouring } from '../selection.js';

/** Room for a picture on a page of A4 or letter, beside a sentence, tokens and an explanation; CSS pixels. */
const ROOM = { width: 640, height: 304 };
/** A picture with more cells than that is an image in its file, which the page's policy keeps out: then the canvas prints. */
const MOST_CELLS = 128 * 128;
/** The page's words are on paper too. */
const NO_WORDS = { title: '', description: '', caption: '' };

/**
 * @param {HTMLElement} frame of the picture
 * @param {import('../store.js').Store} store
 * @param {() => import('../export/pictures.js').Shown | null} drawn what is on the canvas
 */
export function createPrinting(frame, store, drawn) {
  const paper = document.createElement('div');
  paper.className = 'paper';
  /** @type {typeof import('../export/pictures.js') | null} */
  let files = null;
  // There is no time to fetch it when the page prints, and no haste before there is a picture.
  store.on(['result'], async ({ result }) => {
    if (result !== null) files ??= await import('../export/pictures.js').catch(() => null);
  });

  addEventListener('beforeprint', () => {
    const shown = drawn();
    const { matrix = null, queries = [], keys = [] } = shown?.picture ?? {};
    if (files === null || shown === null || matrix === null || matrix.data.length > MOST_CELLS) return;
    const colours = colouring({ ...store.state, theme: LIGHT }, matrix.data, Math.max(queries.length, keys.length));
    const picture = { ...shown.picture, ...colours };
    const text = files.svgOf({ ...shown, ...ROOM, theme: LIGHT, picture }, NO_WORDS);
    const file = new DOMParser().parseFromString(text, 'image/svg+xml');
    paper.replaceChildren(document.adoptNode(file.documentElement));
    frame.append(paper);
  });
  addEventListener('afterprint', () => paper.remove());
}
