// The language of the page's words: the reader's choice, else the address's (#lang=es), else the browser's, else English.

/** The languages there are, each by its own name. */
export const LANGUAGES = Object.freeze({
  en: { name: 'English', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
});

/** @typedef {keyof typeof LANGUAGES} Language */

const KEY = 'glassformer-language';

/** @param {string | null | undefined} tag such as "es-MX" @returns {Language | null} */
function known(tag) {
  const name = (tag ?? '').toLowerCase().split('-')[0];
  return Object.hasOwn(LANGUAGES, name) ? /** @type {Language} */ (name) : null;
}

/** What the reader has chosen on this page before. @returns {Language | null} */
function kept() {
  try {
    return known(localStorage.getItem(KEY));
  } catch {
    return null; // no storage here, as in a sandboxed frame
  }
}

/**
 * The first of these that there is.
 * @param {{ kept: string | null, fragment: string, browser: readonly string[] }} from
 * @returns {Language}
 */
export function chooseLanguage({ kept: choice, fragment, browser }) {
  const asked = new URLSearchParams(fragment.replace(/^#/, '')).get('lang');
  for (const tag of [choice, asked, ...browser]) {
    const language = known(tag);
    if (language) return language;
  }
  return 'en';
}

/** The language of this page, fixed while it is open. */
export const LANGUAGE =
  typeof document === 'undefined'
    ? 'en'
    : chooseLanguage({ kept: kept(), fragment: location.hash, browser: navigator.languages ?? [] });

/** What an address that asked for a language goes on saying. @param {string} fragment */
export function languageIn(fragment) {
  const asked = known(new URLSearchParams(fragment.replace(/^#/, '')).get('lang'));
  return asked ? `&lang=${asked}` : '';
}

/**
 * Reads the page again in another language.
 * @param {Language} language
 * @param {string} fragment what is on it, now: the address follows a moment later
 */
export function changeLanguage(language, fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  fields.delete('lang');
  try {
    localStorage.setItem(KEY, language);
  } catch {
    fields.set('lang', language); // without storage the address says it
  }
  history.replaceState(null, '', `#${fields}`);
  location.reload();
}

/**
 * A table of words in the language of the page. English comes with the page, so it costs nothing; another language is fetched,
 * and where that fails, English stands in.
 * @template T
 * @param {T} english
 * @param {Record<string, () => Promise<T>>} others by language
 * @returns {Promise<{ language: Language, table: T }>}
 */
export async function inLanguage(english, others) {
  if (LANGUAGE === 'en') return { language: 'en', table: english };
  try {
    return { language: LANGUAGE, table: await others[LANGUAGE]() };
  } catch {
    return { language: 'en', table: english };
  }
}

/** Says to the browser and to whoever listens what language the page is in. @param {Language} language */
export function applyLanguage(language) {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].dir;
}
