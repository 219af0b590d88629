// Paints a colour bar: the palette from low to high, its ticks, and a title that says which way is more.

import { font } from './theme.js';

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {import('./palette.js').Palette} Palette */

/**
 * @param {Context2D} context
 * @param {NonNullable<import('./layout.js').Layout['bar']>} bar
 * @param {Palette} palette
 * @param {import('./theme.js').Theme} theme
 */
export function paintColorBar(context, bar, palette, theme) {
  const { box, vertical } = bar;
  const gradient = vertical
    ? context.createLinearGradient(0, box.y + box.height, 0, box.y)
    : context.createLinearGradient(box.x, 0, box.x + box.width, 0);
  for (let i = 0; i < 256; i += 5) gradient.addColorStop(i / 255, palette.css[i]);
  context.fillStyle = gradient;
  context.fillRect(box.x, box.y, box.width, box.height);

  context.font = bar.font;
  context.fillStyle = theme.muted;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  const { ticks } = bar;
  ticks.forEach(({ at, text }, i) => {
    const last = i === ticks.length - 1;
    if (vertical) {
      const y = box.y + box.height * (1 - at);
      const mark = Math.min(box.y + box.height - 1, Math.round(y));
      context.fillRect(box.x + box.width, mark, 3, 1);
      context.textAlign = 'left';
      // The end ticks stay within the bar's length, so that nothing rises above the plot's edge.
      context.fillText(text, box.x + box.width + 6, i === 0 ? y : last ? y + 8.5 : y + 4);
    } else {
      const x = box.x + box.width * at;
      const mark = Math.min(box.x + box.width - 1, Math.round(x));
      context.fillRect(mark, box.y + box.height, 1, 3);
      context.textAlign = i === 0 ? 'left' : last ? 'right' : 'center';
      context.fillText(text, x, box.y + box.height + 14);
    }
  });

  if (bar.title === '') return;
  context.font = font(theme.sans, 11);
  if (vertical) {
    const widest = Math.max(0, ...ticks.map(({ text }) => text.length)) * 6.7;
    context.save();
    context.translate(box.x + box.width + 6 + widest + 15, box.y);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'right';
    context.fillText(bar.title, 0, 0);
    context.restore();
  } else {
    context.textAlign = 'left';
    context.fillText(bar.title, box.x, box.y + box.height + 31);
  }
}
