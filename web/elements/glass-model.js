// <glass-model>: a model with a text, or given numbers, and one selection, for the elements inside it and those that name it.

import { html } from 'lit';
import { GlassElement } from './base.js';
import { childData } from './given-child.js';
import { Group } from './group.js';
import { resultDetail } from './attention-element.js';
import { forgetRuns } from './shared-model.js';

const TEXT = { type: String };
const NUMBER = { type: Number };

/** What says what to show, and what is chosen first. */
const TOLD = /** @type {const} */ ([
  ...['src', 'text', 'pair', 'target', 'tensor', 'tokens', 'queries', 'keys', 'data', 'edits'],
]);
const CHOSEN = /** @type {const} */ (['layer', 'head', 'query', 'key']);

export class GlassModel extends GlassElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    src: TEXT,
    text: TEXT,
    pair: TEXT,
    target: TEXT,
    data: TEXT,
    tensor: TEXT,
    tokens: TEXT,
    queries: TEXT,
    keys: TEXT,
    edits: { attribute: false },
    layer: NUMBER,
    head: NUMBER,
    query: NUMBER,
    key: NUMBER,
  };

  /** What its elements share. */
  group = new Group();
  /** @type {unknown} */ #reported = null;

  constructor() {
    super();
    /** A packaged model's name, a folder's address, files, or a Model. @type {any} */
    this.src = null;
    /** @type {string | null} */ this.text = null;
    /** A second text, for models that read two. @type {string | null} */
    this.pair = null;
    /** What a decoder reads beside a source; without one, it writes its own. @type {string | null} */
    this.target = null;
    /** Given numbers instead of a model: an address, or nested lists and the like. @type {unknown} */
    this.data = null;
    /** Which tensor of a .safetensors file. @type {string | null} */
    this.tensor = null;
    /** @type {string | string[] | null} */ this.tokens = null;
    /** @type {string | string[] | null} */ this.queries = null;
    /** @type {string | string[] | null} */ this.keys = null;
    /** Changes made on the way, as model.run takes them. @type {import('../engine/edits.js').Edit[] | null} */
    this.edits = null;
    /** @type {number | null} */ this.layer = null;
    /** @type {number | null} */ this.head = null;
    /** @type {number | null} */ this.query = null;
    /** @type {number | null} */ this.key = null;
    this.group.on((change) => change === 'state' && this.requestUpdate());
  }

  /** It starts with the first of its elements that comes near. */
  wait() {}

  start() {
    this.group.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.group.stop();
  }

  /** The model, null before it is loaded. */
  get model() {
    return this.group.result?.model ?? null;
  }

  /** The last run, with what it recorded; null before there is one, and of given numbers. */
  get run() {
    return this.group.result?.run ?? null;
  }

  /** Runs again: after model.setParameter, say. */
  async refresh() {
    if (this.model) forgetRuns(this.model);
    await this.group.read();
  }

  /** What is chosen, of the attention on show first. Setting some of it chooses. */
  get selection() {
    const shown = this.group.attention(null);
    return shown && this.group.selection(shown.name);
  }

  /** @param {Partial<import('./group.js').Selection> | null} part */
  set selection(part) {
    if (part) this.group.select(null, part);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const chosen = CHOSEN.filter((name) => changed.has(name) && this[name] !== null);
    if (chosen.length > 0) this.group.select(null, Object.fromEntries(chosen.map((name) => [name, this[name]])));
    if (!this.hasUpdated || TOLD.some((name) => changed.has(name))) {
      try {
        this.group.show(this.#told());
      } catch (error) {
        this.fail(error);
        return;
      }
    }
    this.report(this.group.problem);
    const { result } = this.group;
    if (result && result !== this.#reported) {
      this.#reported = result;
      this.emit('glass-result', resultDetail(result));
    }
  }

  #told() {
    const { src: model, text, pair, target, edits, tensor, tokens, queries, keys } = this;
    const address = typeof this.data === 'string';
    const data = address ? null : (this.data ?? childData(this));
    const src = address ? String(this.data) : null;
    return { model, text, pair, target, edits, tensor, tokens, queries, keys, data, src };
  }

  render() {
    return html`${this.problem ? this.problemView(this.problem) : ''}<slot></slot>`;
  }
}
