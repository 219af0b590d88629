// What every element does: it starts when it comes near, knows its room and its colours, and says in place what went wrong.

import { LitElement, html, nothing } from 'lit';
import { errorToPlain } from '../engine/errors.js';
import { LIGHT, customProperties } from '../view/index.js';
import { forget, whenNear } from './near.js';
import { sharedStyles } from './styles.js';
import { themeOf, watchScreen } from './theme.js';

/** @typedef {import('../view/theme.js').Theme} Theme */
/** @typedef {{ code: string, message: string }} Problem */

/**
 * Subclasses write `view()` instead of `render()`, and may write `start()`, called once when the element comes near. Reactive,
 * besides a subclass's own properties: `started`, `theme`, `room` (width in CSS pixels), `problem`.
 */
export class GlassElement extends LitElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    loading: { type: String },
    started: { state: true },
    theme: { state: true },
    room: { state: true },
    problem: { state: true },
  };

  /** @type {import('lit').CSSResultGroup} */
  static styles = sharedStyles;

  /** @type {HTMLElement | null} */ #probe = null;
  /** @type {CSSStyleDeclaration | null} */ #inner = null;
  /** @type {(() => void) | null} */ #unwatch = null;
  /** @type {ResizeObserver | null} */ #resized = null;

  constructor() {
    super();
    /** 'lazy': starts when it comes near; 'eager': at once. @type {'lazy' | 'eager'} */
    this.loading = 'lazy';
    /** Whether it has come near: nothing is fetched or computed before. */
    this.started = false;
    /** Colours and fonts for painting. @type {Theme} */
    this.theme = LIGHT;
    /** Width, CSS pixels; 0 while nothing shows it. */
    this.room = 0;
    /** What is said in place of the picture. @type {Problem | null} */
    this.problem = null;
  }

  createRenderRoot() {
    const root = super.createRenderRoot();
    const probe = document.createElement('span');
    probe.id = 'probe';
    probe.setAttribute('aria-hidden', 'true');
    for (const event of ['transitionend', 'transitioncancel']) probe.addEventListener(event, () => this.restyle());
    root.append(probe);
    this.#probe = probe;
    return root;
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.started) this.#follow();
    else if (this.loading === 'eager') this.begin();
    else this.wait();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    forget(this);
    this.#unwatch?.();
    this.#unwatch = null;
    this.#resized?.disconnect();
    this.#resized = null;
  }

  /** Waits for what it starts with: that it comes near. */
  wait() {
    whenNear(this, () => this.begin());
  }

  /** Starts now, near or not; later calls do nothing. */
  begin() {
    if (this.started) return;
    forget(this);
    this.started = true;
    if (this.isConnected) this.#follow();
    void this.attempt(() => this.start());
  }

  #follow() {
    this.#unwatch ??= watchScreen(() => this.restyle());
    if (!this.#resized) {
      this.#resized = new ResizeObserver(() => {
        this.room = this.clientWidth;
      });
      this.#resized.observe(this);
    }
    this.room = this.clientWidth;
    this.restyle();
  }

  /** Reads colours and fonts anew: call it after changing custom properties alone, which browsers do not tell. */
  restyle() {
    if (!this.#probe || !this.isConnected) return;
    const theme = themeOf(this, this.#probe);
    if (this.#inner && JSON.stringify(theme) === JSON.stringify(this.theme)) return;
    this.theme = theme;
    this.#paint(theme);
  }

  /** The theme as custom properties for the style sheets inside: --_muted, --_query and so on. @param {Theme} theme */
  #paint(theme) {
    if (!this.#inner) {
      const sheet = new CSSStyleSheet();
      sheet.insertRule(':host {}');
      const root = /** @type {ShadowRoot} */ (this.renderRoot);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      this.#inner = /** @type {CSSStyleRule} */ (sheet.cssRules[0]).style;
    }
    for (const [name, value] of Object.entries(customProperties(theme))) {
      this.#inner.setProperty(name.replace('--glass-', '--_'), value);
    }
  }

  /** Called once, when the element comes near. @returns {void | Promise<void>} */
  start() {}

  /** What it looks like once started and without a problem. @returns {unknown} */
  view() {
    return html`<slot></slot>`;
  }

  /** What stands there until then. @returns {unknown} */
  waiting() {
    return nothing;
  }

  render() {
    if (this.problem) return this.problemView(this.problem);
    return this.started ? this.view() : this.waiting();
  }

  /** @param {Problem} problem */
  problemView({ code, message }) {
    return html`<p class="problem" part="problem" role="alert" dir="auto"><strong>${code}</strong> ${message}</p>`;
  }

  /**
   * Shows an error in place of the picture and tells the page; the page goes on. What was aborted is no error.
   * @param {unknown} error
   */
  fail(error) {
    const problem = errorToPlain(error);
    if (problem.code !== 'aborted') this.report(problem);
  }

  /** Says a problem in place and, once, to the page; null takes it away. @param {Problem | null} problem */
  report(problem) {
    if (problem?.message === this.problem?.message && problem?.code === this.problem?.code) return;
    this.problem = problem;
    if (problem) this.emit('glass-error', problem);
  }

  /**
   * Does something; what it throws is shown in place.
   * @template T
   * @param {() => T | Promise<T>} act
   * @returns {Promise<T | undefined>}
   */
  async attempt(act) {
    try {
      return await act();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /**
   * An event that leaves shadow trees and rises.
   * @param {string} name
   * @param {unknown} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/**
 * Makes an element known to the page, once: a second copy of this module leaves the first in force.
 * @param {string} name
 * @param {CustomElementConstructor} element
 */
export function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
