// Equations as MathML, put together from small parts. A symbol's role gives it the colour that it has in the figure.

import { html, mathml } from 'lit';

/** @typedef {import('lit').TemplateResult<3>} Part */
/** @typedef {'query' | 'key' | 'value' | 'accent' | ''} Role */

/** A variable, in italics. @param {string} name @param {Role} [role] */
export const v = (name, role = '') => mathml`<mi class=${role}>${name}</mi>`;
/** A function's or a constant's name, upright. @param {string} name */
export const fn = (name) => mathml`<mi mathvariant="normal">${name}</mi>`;
/** @param {string | number} value */
export const n = (value) => mathml`<mn>${value}</mn>`;
/** An operator: +, −, =, ·, ∑ … @param {string} sign */
export const op = (sign) => mathml`<mo>${sign}</mo>`;
/** Words inside an equation. @param {string} words */
export const words = (words) => mathml`<mtext>${words}</mtext>`;
/** Several parts as one. @param {...Part} parts */
export const row = (...parts) => mathml`<mrow>${parts}</mrow>`;
/** @param {Part} above @param {Part} below */
export const frac = (above, below) => mathml`<mfrac>${above}${below}</mfrac>`;
/** @param {...Part} parts */
export const sqrt = (...parts) => mathml`<msqrt>${parts}</msqrt>`;
/** @param {Part} base @param {Part} index */
export const sub = (base, index) => mathml`<msub>${base}${index}</msub>`;
/** @param {Part} base @param {Part} power */
export const sup = (base, power) => mathml`<msup>${base}${power}</msup>`;
/** @param {Part} base @param {Part} index @param {Part} power */
export const subsup = (base, index, power) => mathml`<msubsup>${base}${index}${power}</msubsup>`;
/** A sum or product with its bounds. @param {string} sign @param {Part} below @param {Part} above */
export const big = (sign, below, above) => mathml`<munderover><mo>${sign}</mo>${below}${above}</munderover>`;
/** In parentheses as high as a letter. @param {...Part} parts */
export const paren = (...parts) => mathml`<mrow><mo stretchy="false">(</mo>${parts}<mo stretchy="false">)</mo></mrow>`;
/** In parentheses as high as what is in them: around fractions and sums. @param {...Part} parts */
export const tall = (...parts) => mathml`<mrow><mo>(</mo>${parts}<mo>)</mo></mrow>`;

/** A line of an equation by itself. @param {...Part} parts */
export const equation = (...parts) => html`<math display="block">${row(...parts)}</math>`;
/** A symbol in a line of text. @param {...Part} parts */
export const inline = (...parts) => html`<math>${row(...parts)}</math>`;
/** Cases under one brace: pairs of a value and when it holds. @param {...[Part, Part]} lines */
export const cases = (...lines) =>
  mathml`<mrow><mo>{</mo><mtable columnalign="left left">${lines.map(
    ([value, when]) => mathml`<mtr><mtd>${value}</mtd><mtd>${when}</mtd></mtr>`,
  )}</mtable></mrow>`;
