// Numbers written into the page, in a <script type="application/json"> inside an element.

import { GlassError } from '../engine/errors.js';

/** @param {Element} element @returns {unknown} null where there is none */
export function childData(element) {
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (!script) return null;
  try {
    return JSON.parse(script.textContent ?? '');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new GlassError('bad-input', `<script type="application/json"> in <${element.localName}>: ${message}`);
  }
}
