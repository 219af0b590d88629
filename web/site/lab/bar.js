// The bar at the top: which model, another one, the other pages, the language and the theme. On a phone all but the model are at the
// page's foot: what is seldom touched takes no line from the picture.

import { html, nothing, render } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { linkOf } from '../fragment.js';
import { changeLanguage, LANGUAGES } from '../language.js';
import { applyTheme, keepPreference, watchSystem } from '../theme.js';
import { SHIPPED } from '../models.js';
import { STRINGS } from '../strings.js';

/**
 * @param {{ bar: HTMLElement, foot: HTMLElement }} roots
 * @param {import('../store.js').Store} store
 * @param {{ choose: (name: string) => void, open: () => void }} actions
 */
export function createBar(roots, store, { choose, open }) {
  /** @param {Event} event */
  const setTheme = (event) => {
    const look = /** @type {import('../theme.js').Preference} */ (
      /** @type {HTMLSelectElement} */ (event.target).value
    );
    keepPreference(look);
    store.set({ look });
  };
  const paint = () => store.set({ theme: applyTheme(store.state.look) });
  watchSystem(paint);
  store.on(['look'], paint);

  function update() {
    const { model, modelTitle, result, phone } = store.state;
    const opened = model === '' && result !== null;
    render(
      html`<label
          ><span class="word">${STRINGS.model}</span>
          <select
            aria-label=${STRINGS.model}
            @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}
          >
            ${SHIPPED.map(({ name }) => html`<option value=${name} .selected=${live(name === model)}>${STRINGS.models[name]}</option>`)}
            ${opened ? html`<option value="" .selected=${live(true)} disabled>${STRINGS.openedModel(modelTitle)}</option>` : nothing}
          </select></label
        >
        <button type="button" class="link" @click=${open}>${STRINGS.open}</button>
        ${phone ? nothing : seldom()}`,
      roots.bar,
    );
    render(phone ? seldom() : nothing, roots.foot);
  }
  const seldom = () =>
    html`<nav aria-label=${STRINGS.pages}>
        <a class="link" href="./learn.html" hreflang="en">${STRINGS.learn}</a>
        <a class="link" href="./embed.html" hreflang="en">${STRINGS.embed}</a>
      </nav>
      ${languages(store)}
      <label class="theme"
        ><span aria-hidden="true">◐</span> <span class="hidden">${STRINGS.theme}</span>
        <select @change=${setTheme}>
          ${
            /** @type {const} */ (['auto', 'light', 'dark']).map(
              (name) =>
                html`<option value=${name} .selected=${name === store.state.look}>${STRINGS.themes[name]}</option>`,
            )
          }
        </select></label
      >`;

  // A model that did not come gives its place in the list back.
  store.on(['model', 'modelTitle', 'result', 'loading', 'phone', 'look'], ({ loading }) => loading ?? update());
  update();
}

/** The languages of the page, each by its own name. @param {import('../store.js').Store} store */
function languages(store) {
  const names = /** @type {import('../language.js').Language[]} */ (Object.keys(LANGUAGES));
  if (names.length < 2) return nothing;
  return html`<label class="language"
    ><span class="hidden">${STRINGS.language}</span>
    <select
      @change=${(/** @type {Event} */ event) =>
        changeLanguage(
          /** @type {import('../language.js').Language} */ (/** @type {HTMLSelectElement} */ (event.target).value),
          new URL(linkOf(store.state).link).hash,
        )}
    >
      ${names.map(
        (name) =>
          html`<option value=${name} lang=${name} .selected=${name === document.documentElement.lang}>
            ${LANGUAGES[name].name}
          </option>`,
      )}
    </select></label
  >`;
}
