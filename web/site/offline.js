// The page without a network: starts the service worker (web/service-worker.js), tells it which models were loaded before it was
// there, and offers a new version when one has been fetched. Where there can be none — a sandboxed or embedded frame, plain http,
// a browser that keeps nothing, a development server — the page is as it would be without this file.

import { html, render } from 'lit/html.js';

/** @typedef {{ newVersion: string, reload: string }} Words */

const HERE = import.meta.url; // in a variable: the worker is no asset, its name stays the same
const SCRIPT = new URL('../service-worker.js', HERE);

/** The browser's service workers, null where it has none for this page: a sandboxed frame throws at the question. */
function container() {
  try {
    return window.top === window ? (navigator.serviceWorker ?? null) : null;
  } catch {
    return null;
  }
}

/** Puts a line into the page. @param {HTMLElement} status @param {Words} words @param {() => void} reload */
function offer(status, words, reload) {
  /** @type {HTMLElement | null} */
  let line = status.querySelector('.news');
  if (!line) {
    line = document.createElement('p');
    line.className = 'news';
    line.setAttribute('role', 'status');
    status.append(line);
  }
  render(html`${words.newVersion} <button type="button" class="link" @click=${reload}>${words.reload}</button>`, line);
}

/**
 * Keeps files of models that this page loads: no service worker sees the requests of a page that was there before it.
 * @param {ServiceWorker} active
 */
function keepModels(active) {
  new PerformanceObserver((list) => {
    const keep = list
      .getEntries()
      .map(({ name }) => name)
      .filter((name) => name.includes('/models/'));
    if (keep.length > 0) active.postMessage({ keep });
  }).observe({ type: 'resource', buffered: true });
}

/**
 * Begins when all that the page was opened with has come: the whole site is fetched then.
 * @param {HTMLElement} status where a new version is announced
 * @param {Words} words in the language of the page
 */
export async function workOffline(status, words) {
  const workers = container();
  if (workers === null) return;
  if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done, { once: true }));
  /** @type {ServiceWorkerRegistration} */
  let registration;
  try {
    registration = await workers.register(SCRIPT);
  } catch {
    return;
  }
  const controlled = workers.controller !== null;
  /** @param {ServiceWorker} next installed, and waiting for the pages of the version before to go */
  const announce = (next) =>
    offer(status, words, () => {
      next.addEventListener('statechange', () => next.state === 'activated' && location.reload());
      next.postMessage({ takeOver: true });
    });
  const watch = () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => next.state === 'installed' && controlled && announce(next));
  };
  registration.addEventListener('updatefound', watch);
  watch();
  if (registration.waiting && controlled) announce(registration.waiting);
  // The reader has taken a new version in another tab: this one goes on with the old until it is reloaded.
  if (controlled) workers.addEventListener('controllerchange', () => offer(status, words, () => location.reload()));
  else keepModels(/** @type {ServiceWorker} */ ((await workers.ready).active));
}
