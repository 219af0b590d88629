// What the elements that draw attention share: where it comes from, which layer and head, what is chosen and pointed at, and the
// words beside the picture. It is long, as a class cannot be cut in two.

import { html, nothing } from 'lit';
import { GlassError } from '../engine/errors.js';
import { described, joined } from '../engine/names.js';
import { PALETTES, writeUnits, roundToSum } from '../view/index.js';
import { GlassElement } from './base.js';
import { childData } from './given-child.js';
import { Group } from './group.js';
import { matrixOf } from './attention.js';
import { isTold } from './reading.js';
import { attentionStyles } from './attention-styles.js';
import { WORDS } from './words.js';

/** @typedef {import('./attention.js').Attention} Attention */
/** @typedef {import('./base.js').Problem} Problem */
/** @typedef {import('./group.js').Selection} Selection */
/** @typedef {import('./colouring.js').Kind} Kind */
/** @typedef {import('../view/palette.js').PaletteName} PaletteName */
/** @typedef {Element & { group: Group, begin: () => void }} Sharing a <glass-model>, as seen from an element that belongs to it */
/**
 * What events of a selection carry. `weight` is the number of the cell, null where no cell is meant or no weights are known.
 * @typedef {{ attention: string, layer: number, head: number, query: number | null, key: number | null,
 *   queryToken: string | null, keyToken: string | null, weight: number | null, score: number | null }} Spotted
 */

/** What the attributes that say what to show are called. */
const TOLD = /** @type {const} */ ([
  ...['model', 'text', 'pair', 'target', 'src', 'tensor', 'tokens', 'queries', 'keys', 'data', 'edits'],
]);

const NUMBER = { type: Number };
const TEXT = { type: String };

export class AttentionElement extends GlassElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    for: TEXT,
    model: TEXT,
    text: TEXT,
    pair: TEXT,
    target: TEXT,
    src: TEXT,
    tensor: TEXT,
    tokens: TEXT,
    queries: TEXT,
    keys: TEXT,
    data: { attribute: false },
    edits: { attribute: false },
    attention: TEXT,
    layer: NUMBER,
    head: NUMBER,
    query: NUMBER,
    key: NUMBER,
    kind: TEXT,
    palette: TEXT,
  };

  /** @type {import('lit').CSSResultGroup} */
  static styles = [GlassElement.styles, attentionStyles];

  /** The group, once it has been joined. @type {Group | null} */
  group = null;
  #own = false;
  /** @type {(() => void) | null} */ #leave = null;
  /** @type {Problem | null} */ #unjoined = null;
  /** What has been said of a result. @type {unknown} */ #reported = null;

  constructor() {
    super();
    /** The id of a <glass-model> that it belongs to; without one, the <glass-model> around it. @type {string | null} */
    this.for = null;
    /** A packaged model's name, a folder's address, files, or a Model. @type {any} */
    this.model = null;
    /** @type {string | null} */ this.text = null;
    /** A second text, for models that read two. @type {string | null} */
    this.pair = null;
    /** What a decoder reads beside a source; without one, it writes its own. @type {string | null} */
    this.target = null;
    /** The address of given numbers: .npy, .safetensors or .json. @type {string | null} */
    this.src = null;
    /** Which tensor of a .safetensors file; * stands for any characters. @type {string | null} */
    this.tensor = null;
    /** Names of both axes: a list, or a text of a JSON list or of words. @type {string | string[] | null} */
    this.tokens = null;
    /** @type {string | string[] | null} */ this.queries = null;
    /** @type {string | string[] | null} */ this.keys = null;
    /** Given numbers: nested lists, { shape, data }, or a list of them, one a layer. @type {unknown} */
    this.data = null;
    /** Changes made on the way, as model.run takes them. @type {import('../engine/edits.js').Edit[] | null} */
    this.edits = null;
    /** Which of an encoder–decoder's attentions: 'encoder', 'decoder' or 'cross'. @type {string | null} */
    this.attention = null;
    /** @type {number | null} */ this.layer = null;
    /** @type {number | null} */ this.head = null;
    /** @type {number | null} */ this.query = null;
    /** @type {number | null} */ this.key = null;
    /** @type {Kind} */ this.kind = 'weights';
    /** @type {PaletteName | null} */ this.palette = null;
  }

  // --- where it comes from

  connectedCallback() {
    const again = this.started;
    super.connectedCallback();
    if (again) void this.#join();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#part();
  }

  start() {
    void this.#join();
  }

  #part() {
    this.#leave?.();
    this.#leave = null;
    if (this.#own) this.group?.stop();
    this.group = null;
  }

  /** @returns {Element | null} the <glass-model> it belongs to */
  #sharing() {
    if (this.for) {
      const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
      const found = root.getElementById(this.for) ?? document.getElementById(this.for);
      if (found?.localName === 'glass-model') return found;
      throw new GlassError('not-found', `for="${this.for}": there is no <glass-model id="${this.for}"> on this page`);
    }
    if (isTold(this) || this.querySelector(':scope > script[type="application/json"]')) return null;
    /** @type {Node | null} */
    let node = this;
    while (node) {
      if (node instanceof Element && node.localName === 'glass-model') return node;
      node = node instanceof ShadowRoot ? node.host : node.parentNode;
    }
    const name = this.localName;
    throw new GlassError(
      'bad-input',
      `<${name}> has nothing to show: expected model and text, src, data, or a <glass-model> around it or named in for`,
    );
  }

  async #join() {
    this.#part();
    this.#unjoined = null;
    try {
      const sharing = this.#sharing();
      if (sharing) await customElements.whenDefined('glass-model');
      if (!this.isConnected || this.group) return;
      this.#own = sharing === null;
      this.group = sharing ? /** @type {Sharing} */ (sharing).group : new Group();
      this.#leave = this.group.on((change) => this.changed(change));
      if (this.kind === 'scores') this.group.wantScores();
      this.joined();
      if (this.#own) this.group.show(this.#told());
      if (sharing) /** @type {Sharing} */ (sharing).begin();
      this.group.begin();
    } catch (error) {
      this.#unjoined = errorOf(error);
    }
    this.requestUpdate();
  }

  #told() {
    const told = Object.fromEntries(TOLD.map((name) => [name, this[name]]));
    return { ...told, data: this.data ?? childData(this) };
  }

  /** Called when the group is there. */
  joined() {
    this.preselect(['query', 'key']);
  }

  /** Takes what the attributes choose into the selection. @param {('layer' | 'head' | 'query' | 'key')[]} names */
  preselect(names) {
    const part = Object.fromEntries(names.filter((name) => this[name] !== null).map((name) => [name, this[name]]));
    if (Object.keys(part).length > 0) this.group?.select(this.attention, part);
  }

  // --- what it shows

  /** The attention on show, null before there is one. @returns {Attention | null} */
  get shown() {
    return this.group?.attention(this.attention) ?? null;
  }

  /** What is chosen: layer, head, query and key. Setting some of it chooses. @returns {Selection | null} */
  get selection() {
    return this.shown && (this.group?.selection(this.shown.name) ?? null);
  }

  /** @param {Partial<Selection> | null} part */
  set selection(part) {
    if (this.shown && part) this.group?.select(this.shown.name, part);
  }

  /** The layer and head on show: the element's own, or what is pointed at or chosen in the group. */
  get spot() {
    const { layer = 0, head = 0, hover = null } = this.selection ?? {};
    const pointed = hover && 'layer' in hover ? hover : { layer, head };
    return { layer: this.layer ?? pointed.layer, head: this.head ?? pointed.head };
  }

  /** The query and key pointed at. @returns {{ query: number | null, key: number | null } | null} */
  get pointed() {
    const hover = this.selection?.hover ?? null;
    return hover && 'query' in hover ? hover : null;
  }

  /** Which kind of numbers it draws. @returns {Kind} */
  get drawn() {
    return this.kind;
  }

  /** @param {import('./group.js').Change} change */
  changed(change) {
    if (change === 'state' || this.group?.busy === false) this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.started) return;
    if (changed.has('for') && this.hasUpdated) void this.#join();
    else if (this.#own && TOLD.some((name) => changed.has(name))) {
      try {
        this.#unjoined = null;
        this.group?.show(this.#told());
      } catch (error) {
        this.#unjoined = errorOf(error);
      }
    } else if (!this.group && this.#unjoined && TOLD.some((name) => changed.has(name))) void this.#join();
    if (changed.has('kind') && this.kind === 'scores') this.group?.wantScores();
    if (changed.has('query') || changed.has('key')) this.preselect(['query', 'key']);
    this.#report();
  }

  #report() {
    const { group, shown } = this;
    const ofGroup = this.#own ? (group?.problem ?? null) : null;
    this.report(this.#unjoined ?? ofGroup ?? (group ? this.#check() : null));
    if (this.#own && group?.result && group.result !== this.#reported && shown) {
      this.#reported = group.result;
      this.emit('glass-result', resultDetail(group.result));
    }
  }

  /** What is wrong with the attributes, seen what there is to show. @returns {Problem | null} */
  #check() {
    try {
      this.check();
      return null;
    } catch (error) {
      return errorOf(error);
    }
  }

  /** @param {string} message @returns {never} */
  refuse(message) {
    throw new GlassError('bad-input', message);
  }

  /** Throws where attributes do not fit. */
  check() {
    const { shown, kind } = this;
    if (kind !== 'weights' && kind !== 'scores') this.refuse(`kind: expected "weights" or "scores", got "${kind}"`);
    if (this.palette !== null && !PALETTES.some(({ name }) => name === this.palette)) {
      this.refuse(`palette: expected ${joined(PALETTES.map(({ name }) => name))}, got "${this.palette}"`);
    }
    const all = this.group?.result?.attentions;
    if (!all) return;
    if (!shown) this.refuse(`attention: expected ${joined(all.map(({ name }) => name))}, got "${this.attention}"`);
    const { layers, heads, queries, keys } = shown;
    const inside = (/** @type {string} */ name, /** @type {number | null} */ value, /** @type {number} */ count) => {
      if (value === null || (Number.isInteger(value) && value >= 0 && value < count)) return;
      const got = Number.isNaN(value) ? `"${this.getAttribute(name)}"` : described(value);
      this.refuse(`${name}: expected a whole number from 0 to ${count - 1}, got ${got}`);
    };
    const chosen = this.selection ?? { layer: 0, head: 0 };
    inside('layer', this.layer ?? chosen.layer, layers);
    inside('head', this.head ?? chosen.head, heads);
    // In a group the next text may have that token.
    const most = (/** @type {number | null} */ token, /** @type {string[]} */ { length }) =>
      this.#own || !Number.isInteger(token) ? length : Math.max(length, Number(token) + 1);
    inside('query', this.query, most(this.query, queries));
    inside('key', this.key, most(this.key, keys));
    if (this.drawn === 'weights' && shown.weights.length === 0) {
      this.refuse(
        'these numbers are no attention weights, which lie between 0 and 1; for scores before softmax, say kind="scores"',
      );
    }
    if (this.drawn === 'scores' && shown.scores.length === 0 && !this.group?.busy) this.group?.wantScores();
  }

  // --- choosing and pointing

  /** @param {Partial<Selection>} part a reader's choice */
  choose(part) {
    const { shown, group } = this;
    if (!shown || !group) return;
    group.select(shown.name, { ...part, hover: null });
    this.emit('glass-select', this.#spotted(group.selection(shown.name)));
  }

  /** @param {import('./group.js').Hover | null} hover what a reader points at; null: nothing any more */
  point(hover) {
    const { shown, group } = this;
    if (!shown || !group || !group.hover(shown.name, hover)) return;
    this.emit('glass-hover', this.#spotted(hover && 'query' in hover ? hover : { query: null, key: null }));
  }

  /** @param {{ query: number | null, key: number | null }} at @returns {Spotted} */
  #spotted({ query, key }) {
    const shown = /** @type {Attention} */ (this.shown);
    const { layer, head } = this.spot;
    const value = (/** @type {Kind} */ kind) => {
      if (query === null || key === null || shown[kind].length === 0) return null;
      const { data, columns } = matrixOf(shown, kind, layer, head);
      return data[query * columns + key];
    };
    return {
      attention: shown.name,
      layer,
      head,
      query,
      key,
      queryToken: query === null ? null : shown.queries[query],
      keyToken: key === null ? null : shown.keys[key],
      weight: value('weights'),
      score: shown.name === 'given' ? null : value('scores'),
    };
  }

  // --- words

  waiting() {
    const { group } = this;
    const { progress = null, busy = false } = group ?? {};
    const name = typeof this.model === 'string' && this.model !== '' ? this.model : '';
    const part = progress?.total ? `${Math.min(100, Math.floor((100 * progress.loaded) / progress.total))} %` : null;
    const text = progress ? WORDS.loading(name, part) : WORDS.computing;
    return html`<div class="waiting" part="waiting">
      <slot></slot>
      ${busy ? html`<p class="says" part="status" role="status" dir="auto">${text}</p>` : nothing}
    </div>`;
  }

  problemView(/** @type {Problem} */ problem) {
    return html`${super.problemView(problem)}<slot></slot>`;
  }

  view() {
    if (!this.shown) return this.waiting();
    return html`${this.picture()}
      <p id="summary" class="hidden">${this.summary()}</p>
      <p id="now" class="hidden" aria-live="polite"></p>
      <slot name="caption"></slot>`;
  }

  /** The picture of what is shown. @returns {unknown} */
  picture() {
    return nothing;
  }

  /** The picture in words. @returns {unknown} */
  summary() {
    return nothing;
  }

  /** Says what has changed, to those who listen. @param {string} text */
  say(text) {
    const now = this.renderRoot.querySelector('#now');
    if (now) now.textContent = text;
  }

  /** The height that is set by --glass-height, CSS pixels; null where none is. */
  get givenHeight() {
    if (getComputedStyle(this).getPropertyValue('--glass-height').trim() === '') return null;
    return this.renderRoot.querySelector('.frame')?.clientHeight ?? null;
  }
}

/** @param {unknown} error @returns {Problem} */
function errorOf(error) {
  if (error instanceof GlassError) return { code: error.code, message: error.message };
  throw error;
}

/** What glass-result carries. @param {import('./reading.js').Result} result */
export function resultDetail({ attentions, model, run, ms }) {
  return {
    model,
    run,
    ms,
    attentions: attentions.map(({ name, layers, heads, queries, keys }) => ({ name, layers, heads, queries, keys })),
  };
}

/** Numbers of a row as the pictures show them: what is shown adds up. @param {ArrayLike<number>} row */
export function shownWeights(row) {
  return roundToSum(row, 2).map((units) => writeUnits(units, 2));
}
