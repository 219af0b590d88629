// An element's colours and fonts for painting on a canvas, from the page it stands in: custom properties where there are some,
// else what the element inherits, in a light or a dark set.

import { contrast, themeFrom } from '../view/index.js';
import { createSurface } from './canvas/surface.js';

/** @typedef {import('../view/theme.js').Theme} Theme */

/** What a system that forces its colours has for each part. @type {Record<string, string>} */
const FORCED = {
  '--glass-background': 'Canvas',
  '--glass-text': 'CanvasText',
  '--glass-muted': 'CanvasText',
  '--glass-rule': 'CanvasText',
  '--glass-accent': 'Highlight',
  '--glass-query': 'LinkText',
  '--glass-key': 'CanvasText',
  '--glass-positive': 'CanvasText',
  '--glass-negative': 'GrayText',
};

/** @type {import('../view/types.js').Context2D | null} */
let pixel = null;

/**
 * A colour in any notation the browser knows, as red, green, blue and opacity, 0 to 255.
 * @param {string} color
 */
function channelsOf(color) {
  // Read back each time, so kept in main memory.
  pixel ??= /** @type {import('../view/types.js').Context2D} */ (
    createSurface(1, 1).getContext('2d', { willReadFrequently: true })
  );
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = '#000';
  pixel.fillStyle = color;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
  return { r, g, b, a };
}

/** Whether text of this colour stands on a dark ground. @param {string} color */
export function isLight(color) {
  const { r, g, b } = channelsOf(color);
  const opaque = `rgb(${r}, ${g}, ${b})`;
  return contrast(opaque, '#000') > contrast(opaque, '#fff');
}

/** What an element is drawn on: the nearest background that covers. @param {Element} element @returns {string | null} */
function groundOf(element) {
  /** @type {Node | null} */
  let node = element;
  while (node) {
    if (node instanceof Element) {
      const { backgroundColor } = getComputedStyle(node);
      if (channelsOf(backgroundColor).a === 255) return backgroundColor;
    }
    /** @type {HTMLSlotElement | null} */
    const slot = node instanceof Element ? node.assignedSlot : null;
    node = slot ?? (node instanceof ShadowRoot ? node.host : node.parentNode);
  }
  return null;
}

/**
 * What a system colour is here: a canvas knows only those of a light page. It is read off the background, as the probe's own
 * colour is watched.
 * @param {HTMLElement} probe
 * @param {string} name
 */
function systemColor(probe, name) {
  probe.style.backgroundColor = name;
  const { backgroundColor } = getComputedStyle(probe);
  probe.style.backgroundColor = '';
  return backgroundColor;
}

/**
 * @param {Element} element
 * @param {HTMLElement} probe an element inside it that nothing shows
 * @returns {Theme}
 */
export function themeOf(element, probe) {
  const style = getComputedStyle(element);
  const forced = matchMedia('(forced-colors: active)').matches;
  const strong = matchMedia('(prefers-contrast: more)').matches;
  const text = style.color;
  const ground = groundOf(element) ?? systemColor(probe, 'Canvas');
  const dark = forced ? !isLight(systemColor(probe, 'Canvas')) : isLight(text);
  /** @type {Record<string, string>} */
  const inherited = { '--glass-background': ground, '--glass-text': text, '--glass-sans': style.fontFamily };
  return themeFrom(
    (name) => {
      if (forced && name in FORCED) return systemColor(probe, FORCED[name]);
      const given = style.getPropertyValue(name).trim();
      if (strong && (name === '--glass-muted' || name === '--glass-rule')) {
        return style.getPropertyValue('--glass-text').trim() || text;
      }
      return given || (inherited[name] ?? '');
    },
    { dark },
  );
}

/** @type {Set<() => void>} */
const watching = new Set();

function tell() {
  for (const changed of watching) changed();
}

let listening = false;

/**
 * Calls back when the system turns dark or light, asks for more contrast or forces its colours, and when the pixel ratio
 * changes: the page is zoomed, or the window moves to another screen.
 * @param {() => void} changed
 * @returns {() => void} ends it
 */
export function watchScreen(changed) {
  watching.add(changed);
  if (!listening) {
    listening = true;
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', tell);
    }
    const ratio = () =>
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
        'change',
        () => {
          tell();
          ratio();
        },
        { once: true },
      );
    ratio();
  }
  return () => void watching.delete(changed);
}
