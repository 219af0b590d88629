// <glass-exhibit name="attention">: one idea on one screen, with a figure that the core computes. It costs nothing before it comes
// near the window.

import { html, nothing } from 'lit';
import { GlassError, create, mistakes, ops, tensor, train } from '../engine/index.js';
import { UnansweredError } from '../engine/errors.js';
import { GlassElement, define } from './base.js';
import { EXHIBITS } from './exhibits/index.js';
import { choice, toggle } from './exhibits/kit/controls.js';
import { createFigure } from './exhibits/kit/figure.js';
import { exhibitStyles } from './exhibits/kit/styles.js';
import { sourceLinks } from './exhibits/kit/sources.js';
import { sharedModel } from './shared-model.js';

/** @typedef {import('./exhibits/kit/types.js').Exhibit} Exhibit */

/** @type {import('./exhibits/kit/types.js').Core} */
const core = { ops, mistakes, tensor, create, train, model: (name) => sharedModel(name) };

/**
 * Attributes: `name`, one of EXHIBITS; `heading`, the level of its heading (2 where it is left out); `lab`, the lab's address
 * ('./index.html' on our own page; without it there is no link); `source`, the address of the folder with the core's files as pages
 * ('./source/'). Events: `glass-result` with { name, state, result } after each
 * computation, `glass-error`. Parts: header, prose, equation, figure, matrix, foot.
 */
export class GlassExhibit extends GlassElement {
  static properties = {
    name: { type: String },
    heading: { type: Number },
    lab: { type: String },
    source: { type: String },
  };
  static styles = [GlassElement.styles, exhibitStyles];

  /** @type {Exhibit | null} */
  #exhibit = null;
  /** @type {ReturnType<typeof createFigure> | null} */
  #figure = null;
  /** What the page was told of last. */
  #told = { shown: /** @type {unknown} */ (null), problem: /** @type {unknown} */ (null) };

  constructor() {
    super();
    this.name = '';
    this.heading = 2;
    this.lab = '';
    this.source = '';
  }

  async start() {
    const asked = this.name;
    const entry = EXHIBITS.find(({ name }) => name === asked);
    if (!entry) {
      const known = EXHIBITS.map(({ name }) => name).join(', ');
      throw new GlassError('bad-input', `glass-exhibit: name: expected one of ${known}; got ${JSON.stringify(asked)}`);
    }
    const { default: exhibit } = await entry.load();
    if (this.name !== asked) return;
    this.#figure?.stop();
    this.#exhibit = exhibit;
    this.#figure = createFigure(exhibit, core, () => this.#changed());
    await this.#figure.compute();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#figure?.stop();
  }

  /** What the figure shows: its controls and what the core computed for them. */
  get shown() {
    return this.#figure?.shown ?? null;
  }

  /** Changes the figure's controls from outside. @param {Record<string, any>} patch */
  set(patch) {
    this.#figure?.set(patch);
  }

  #changed() {
    const { shown, problem } = /** @type {ReturnType<typeof createFigure>} */ (this.#figure);
    const before = this.#told;
    this.#told = { shown, problem };
    if (shown && shown !== before.shown) this.emit('glass-result', { name: this.name, ...shown });
    if (problem && problem !== before.problem) this.emit('glass-error', { name: this.name, error: problem });
    this.requestUpdate();
  }

  /** @param {import('lit').PropertyValues} changes */
  willUpdate(changes) {
    if (!changes.get('name')) return; // it is the first
    this.problem = null;
    this.#exhibit = null;
    if (this.started) void this.attempt(() => this.start());
  }

  waiting() {
    return this.view();
  }

  view() {
    const exhibit = this.#exhibit;
    const entry = EXHIBITS.find(({ name }) => name === this.name);
    const number = entry ? EXHIBITS.indexOf(entry) + 1 : 0;
    return html`<header part="header" lang="en" dir="ltr">
        <h2 role="heading" aria-level=${this.heading}>
          <span class="number">${number}</span>${entry?.title ?? this.name}
        </h2>
      </header>
      ${exhibit ? this.#content(exhibit) : html`<slot><p class="note">${entry ? 'loading …' : ''}</p></slot>`}`;
  }

  /** @param {Exhibit} exhibit */
  #content({ text, equation, symbols, caption, sources, papers, lab }) {
    return html`<div class="prose" part="prose" lang="en" dir="ltr">${text}</div>
      <div class="equation" part="equation" tabindex="0" role="group" aria-label="equation" dir="ltr">${equation}</div>
      <details class="symbols" lang="en" dir="ltr">
        <summary>what the signs mean</summary>
        <table>
          <tbody>
            ${symbols.map(
              ({ sign, shape, means }) =>
                html`<tr>
                  <th scope="row">${sign}</th>
                  <td class="shape">${shape}</td>
                  <td>${means}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>
      <figure part="figure" lang="en" dir="ltr">
        ${this.#stage()} ${this.#wrong()}
        <figcaption>${caption}</figcaption>
      </figure>
      <p class="foot" part="foot" lang="en" dir="ltr">
        ${sourceLinks(sources, this.source)}
        ${papers.map(({ text: words, url }) => html`<a href=${url} rel="noopener">${words}</a>`)}
        ${this.lab ? html`<a href=${this.#labLink(lab)}>open in the lab</a>` : nothing}
        <button type="button" class="link" ?disabled=${!this.#figure?.touched} @click=${() => this.#figure?.reset()}>
          reset
        </button>
      </p>`;
  }

  /** The lab with the figure's state. @param {Exhibit['lab']} lab */
  #labLink(lab) {
    const { state } = /** @type {ReturnType<typeof createFigure>} */ (this.#figure);
    const fields = Object.entries(lab({ ...state })).map(([key, value]) => [key, String(value)]);
    return `${this.lab}#${new URLSearchParams(fields)}`;
  }

  #stage() {
    const figure = /** @type {ReturnType<typeof createFigure>} */ (this.#figure);
    const { shown, busy, says } = figure;
    // Controls show what was asked for, numbers what was computed: while the core is at work the two may differ for a moment.
    const picture = shown
      ? /** @type {Exhibit} */ (this.#exhibit).picture(
          { ...figure.state },
          shown.result,
          (patch) => figure.set(patch),
          { theme: this.theme, room: this.room },
        )
      : nothing;
    return html`<div class="stage ${busy ? 'busy' : ''}" aria-busy=${busy}>${picture}</div>
      ${says ? html`<p class="note" role="status">${says}</p>` : nothing} ${this.#problem(figure)}`;
  }

  /** What went wrong; where a model's files did not come, with a way to ask for them again. @param {ReturnType<typeof createFigure>} figure */
  #problem({ problem, compute }) {
    if (problem === null) return nothing;
    if (!(problem instanceof UnansweredError)) return html`<p class="problem" role="alert">${problem.message}</p>`;
    return html`<p class="problem" role="alert">
      This figure’s model has not been loaded on this machine yet, and no server answers: it needs the network once.
      <button type="button" class="link" @click=${() => void compute()}>try again</button>
    </p>`;
  }

  #wrong() {
    const { mistakes: list } = /** @type {Exhibit} */ (this.#exhibit);
    const figure = /** @type {ReturnType<typeof createFigure>} */ (this.#figure);
    if (list.length === 0) return nothing;
    const { wrong } = figure.state;
    const chosen = list.find(({ name }) => name === wrong);
    const control =
      list.length === 1
        ? toggle({
            label: `what goes wrong if you ${list[0].label}`,
            on: wrong !== '',
            set: (on) => figure.set({ wrong: on ? list[0].name : '' }),
          })
        : choice({
            label: 'what goes wrong if you',
            value: wrong,
            options: [
              { value: '', text: 'do it right' },
              ...list.map(({ name, label }) => ({ value: name, text: label })),
            ],
            set: (name) => figure.set({ wrong: name }),
          });
    return html`<div class="wrong">
      ${control}
      <div role="status">${chosen ? html`<p class="says">${chosen.says}</p>` : nothing}</div>
    </div>`;
  }
}

define('glass-exhibit', GlassExhibit);
