// The words of what can be taken from the page, and those of the page that it makes. Names of formats are the same in all languages.

import { WORDS } from '../../../standalone/words.js';

const { title, says, half, queries, keys, headsSay, point, edited, row, column } = WORDS;

export const EXPORT = Object.freeze({
  exporting: {
    title: 'export',
    groups: {
      picture: 'this picture',
      compared: 'both and their difference',
      heads: 'all heads',
      numbers: 'these numbers',
      run: 'the whole run',
    },
    kinds: {
      copyPicture: 'copy picture',
      headsPng: 'PNG of all heads',
      headsSvg: 'SVG of all heads',
      copyNumbers: 'copy numbers',
      page: 'HTML page',
      run: 'safetensors of all numbers',
    },
    says:
      'PNG has two pixels for each one here; SVG opens in drawing programs. Numbers have all their digits. The HTML page holds the ' +
      'weights and scores of this run and draws them without a network.',
    saved: (/** @type {string} */ file) => `Saved as ${file}.`,
    copiedPicture: 'The picture is on the clipboard.',
    copiedNumbers: 'The numbers are on the clipboard: a spreadsheet takes them as cells.',
    failed: (/** @type {string} */ message) => `That did not work: ${message}`,
    nothing: 'there is nothing to export yet',
  },
  exported: { title, says, half, queries, keys, headsSay, point, edited, row, column },
});
