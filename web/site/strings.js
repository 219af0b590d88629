// Every word on the page, in the reader's language (language.js chooses it). Words are added in strings/, in every language:
// strings/README.md says how.

import { applyLanguage, inLanguage } from './language.js';
import { ENGLISH } from './strings/en.js';

/**
 * The shape of a table, whatever its words are.
 * @template T
 * @typedef {T extends string ? string : T extends (...rest: infer A) => string ? (...rest: A) => string : { [K in keyof T]: Shape<T[K]> }} Shape
 */
/** @typedef {Shape<typeof ENGLISH>} Strings */

// The page's modules wait here for their words, so none of them ever sees the wrong ones.
const { language, table } = await inLanguage(/** @type {Strings} */ (ENGLISH), {
  es: async () => (await import('./strings/es.js')).SPANISH,
  ar: async () => (await import('./strings/ar.js')).ARABIC,
});
applyLanguage(language);

export const STRINGS = table;
