// <token-row>: the tokens in a row. Pointing at one lights its row and column everywhere; with a query chosen, each key has its weight.

import { html, nothing } from 'lit';
import { describeRow, visibleToken, writeNumber } from '../view/index.js';
import { AttentionElement, shownWeights } from './attention-element.js';
import { matrixOf } from './attention.js';
import { tokenStyles } from './token-styles.js';
import { WORDS } from './words.js';

/** @typedef {import('./attention.js').Attention} Attention */
/** @typedef {'queries' | 'keys'} Side */

/** Each token is a button of the page: tens of thousands would take it many seconds. */
const MOST = 2048;

export class TokenRow extends AttentionElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = { side: { type: String } };

  /** @type {import('lit').CSSResultGroup} */
  static styles = [AttentionElement.styles, tokenStyles];

  /** Which token the Tab key leads to: one stop for all of them. */
  #stop = 0;

  constructor() {
    super();
    /** Which tokens, where queries and keys are different ones. @type {Side} */
    this.side = 'queries';
  }

  /** @returns {'weights'} */
  get drawn() {
    return 'weights';
  }

  check() {
    super.check();
    if (this.side === 'queries' || this.side === 'keys') return;
    this.refuse(`side: expected "queries" or "keys", got "${this.side}"`);
  }

  /** What is lit: what is pointed at, or else what is chosen. */
  get #lit() {
    const { query = null, key = null } = this.pointed ?? this.selection ?? {};
    return { query, key };
  }

  picture() {
    const { side, selection } = this;
    const shown = /** @type {Attention} */ (this.shown);
    const tokens = shown[side].slice(0, MOST);
    const special = side === 'queries' ? shown.specialQueries : shown.specialKeys;
    const lit = this.#lit;
    const isQuery = (/** @type {number} */ i) => (shown.same || side === 'queries') && i === lit.query;
    const isKey = (/** @type {number} */ i) => (shown.same || side === 'keys') && i === lit.key;
    const chosen = side === 'queries' || (shown.same && selection?.query !== null) ? selection?.query : selection?.key;
    const weights = this.#weights(shown);
    this.#stop = Math.min(this.#stop, tokens.length - 1);
    return html`<ol
        part="tokens"
        aria-label=${WORDS.tokens}
        @pointerover=${this.#pointAt}
        @pointerleave=${this.#leave}
        @focusin=${this.#pointAt}
        @focusout=${this.#leave}
        @click=${this.#chooseAt}
        @keydown=${this.#move}
      >
        ${tokens.map((token, i) => {
          const text = visibleToken(token);
          const kinds = [special[i] ? 'special' : '', isQuery(i) ? 'query' : '', isKey(i) ? 'key' : ''].filter(Boolean);
          const weight = weights?.texts[i] ?? null;
          const label = [WORDS.token(text, i), weight === null ? '' : WORDS.weighs(weight)].filter(Boolean).join(', ');
          return html`<li>
            <button
              type="button"
              class=${['token', ...kinds].join(' ')}
              part=${['token', ...kinds.map((kind) => `token-${kind}`)].join(' ')}
              data-token=${i}
              tabindex=${i === this.#stop ? 0 : -1}
              aria-label=${label}
              aria-pressed=${i === chosen ? 'true' : 'false'}
            >
              <bdi>${text}</bdi>
              ${
                weights
                  ? html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                        <rect width=${100 * Math.min(1, Math.max(0, weights.values[i] || 0))} height="8"></rect>
                      </svg>
                      <span>${weight ?? ''}</span>`
                  : nothing
              }
            </button>
          </li>`;
        })}
      </ol>
      ${shown[side].length > MOST ? html`<p class="left-out" part="left-out">${WORDS.leftOut(MOST, shown[side].length)}</p>` : nothing}`;
  }

  /** The row of the query that is lit, where this is a row of keys. @param {Attention} shown */
  #weights(shown) {
    const { query } = this.#lit;
    if (query === null || query >= shown.queries.length || !(shown.same || this.side === 'keys')) return null;
    const { layer, head } = this.spot;
    const { data, columns } = matrixOf(shown, 'weights', layer, head);
    const values = data.subarray(query * columns, (query + 1) * columns);
    const whole = values.every(Number.isFinite);
    const texts = whole ? shownWeights(values) : Array.from(values, (value) => writeNumber(value, 2));
    // A key after a query that sees none after itself, and what is no number, has no weight.
    const hides = (/** @type {number} */ key) =>
      Number.isNaN(values[key]) || (shown.causal && key - query > columns - shown.queries.length);
    return { values, texts: texts.map((text, key) => (hides(key) ? null : text)) };
  }

  summary() {
    const shown = /** @type {Attention} */ (this.shown);
    const { query = null } = this.selection ?? {};
    if (query === null || query >= shown.queries.length) return WORDS.keys;
    const { layer, head } = this.spot;
    const matrix = matrixOf(shown, 'weights', layer, head);
    return `${describeRow({ matrix, queries: shown.queries, keys: shown.keys }, query)} ${WORDS.keys}`;
  }

  /** @param {Event} event @returns {number | null} */
  #tokenOf(event) {
    const token = /** @type {Element} */ (event.target).closest?.('[data-token]')?.getAttribute('data-token') ?? null;
    return token === null ? null : Number(token);
  }

  /** @param {Event} event */
  #pointAt(event) {
    const token = this.#tokenOf(event);
    const { shown } = this;
    if (token === null || !shown) return;
    const [asQuery, asKey] = [shown.same || this.side === 'queries', shown.same || this.side === 'keys'];
    this.point({ query: asQuery ? token : null, key: asKey ? token : null });
  }

  #leave() {
    if (this.pointed) this.point(null);
  }

  /** Chooses a token, or lets it go. @param {Event} event */
  #chooseAt(event) {
    const token = this.#tokenOf(event);
    const { shown, selection } = this;
    if (token === null || !shown || !selection) return;
    this.#stop = token;
    const { query, key } = selection;
    if (this.side === 'queries') this.choose({ query: query === token && key === null ? null : token, key: null });
    else this.choose({ query: null, key: key === token && query === null ? null : token });
    if (this.selection?.query !== null) this.say(String(this.summary()));
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const token = this.#tokenOf(event);
    const { shown } = this;
    if (token === null || !shown) return;
    if (event.key === 'Escape') {
      const { query, key } = /** @type {import('./group.js').Selection} */ (this.selection);
      if (query === null && key === null) return;
      event.preventDefault();
      this.choose({ query: null, key: null });
      this.say(WORDS.letGo);
      return;
    }
    const count = Math.min(shown[this.side].length, MOST);
    const forward = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    const steps = { ArrowLeft: token - forward, ArrowRight: token + forward, Home: 0, End: count - 1 };
    const to = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (to === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.#stop = Math.min(count - 1, Math.max(0, to));
    this.requestUpdate();
    void this.updateComplete.then(() => {
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[data-token="${this.#stop}"]`))?.focus();
    });
  }
}
