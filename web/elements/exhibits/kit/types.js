// What an exhibit is. Types only; nothing runs here.

/**
 * @typedef {import('lit').TemplateResult} Template
 * @typedef {import('../../../engine/tensor.js').Tensor} Tensor
 * @typedef {import('../../../view/theme.js').Theme} Theme
 *
 * What an exhibit computes with: the core's functions, and models that all exhibits of a page share.
 * @typedef {object} Core
 * @property {typeof import('../../../engine/index.js').ops} ops
 * @property {typeof import('../../../engine/index.js').mistakes} mistakes the common mistakes, computed by the core too
 * @property {typeof import('../../../engine/index.js').tensor} tensor
 * @property {typeof import('../../../engine/index.js').create} create
 * @property {typeof import('../../../engine/index.js').train} train
 * @property {(name: string) => Promise<import('../../../engine/index.js').Model>} model a shipped model, loaded once
 *
 * @typedef {object} Waiting
 * @property {AbortSignal} signal a later change wants another result
 * @property {(text: string) => void} progress says what is being done, when it takes over a second
 *
 * @typedef {object} Surroundings
 * @property {Theme} theme
 * @property {number} room width for the figure, CSS pixels
 *
 * A mistake that people make here; the core computes it when the reader asks for it.
 * @typedef {object} Mistake
 * @property {string} name the value of `state.wrong`
 * @property {string} label what is done wrong, as the end of "what goes wrong if you …"
 * @property {Template} says what to see now, and why
 *
 * A symbol of the equation.
 * @typedef {object} Symbol
 * @property {Template} sign in MathML
 * @property {string} shape in the letters of the core: B T S D H K F V L; 'number' for a scalar
 * @property {string} means
 *
 * A figure's state is a plain object; `wrong` is '' or the name of a mistake.
 * @typedef {Record<string, any> & { wrong: string }} State
 *
 * @typedef {object} Exhibit
 * @property {string} name as in `<glass-exhibit name="…">`
 * @property {string} title
 * @property {Template} text a short text in plain words
 * @property {Template} equation made with math.js
 * @property {Symbol[]} symbols
 * @property {State} start what the figure begins with, and what "reset" goes back to
 * @property {(state: any, core: Core, waiting: Waiting) => Promise<any>} compute asks the core; whatever is drawn comes from here
 * @property {(state: any, result: any, set: (patch: Record<string, any>) => void, around: Surroundings) => Template} picture
 * @property {Template} caption what to do, and what to notice
 * @property {Mistake[]} mistakes
 * @property {string[]} sources names in sources.js: which lines of the core compute it
 * @property {{ text: string, url: string }[]} papers with the section
 * @property {(state: any) => Record<string, any>} lab fields of the lab's address: the same, or what is nearest to it there
 */

export {};
