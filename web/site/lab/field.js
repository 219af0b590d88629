// A text field that is as high as its text, with a mirror behind it that underlines characters: the same text in the same place,
// invisible but for its lines.

/** @type {WeakMap<HTMLElement, true>} */
const watched = new WeakMap();

/**
 * Keeps a field's mirror where its text is. The mirror gives the field its height, up to where both scroll.
 * @param {HTMLElement} field holds a .mirror and a textarea
 */
export function watchField(field) {
  const mirror = /** @type {HTMLElement} */ (field.querySelector('.mirror'));
  const area = /** @type {HTMLTextAreaElement} */ (field.querySelector('textarea'));
  const follow = () => {
    // The scrollbar takes room: it must be there for both or for neither.
    field.classList.toggle('scrolls', mirror.scrollHeight > mirror.clientHeight + 1);
    mirror.scrollTop = area.scrollTop;
  };
  follow();
  if (watched.has(field)) return;
  watched.set(field, true);
  area.addEventListener('scroll', () => {
    mirror.scrollTop = area.scrollTop;
  });
  new ResizeObserver(follow).observe(field);
}

/**
 * Puts a text in place of some characters as if it were typed: the field's own undo takes it back.
 * @param {HTMLTextAreaElement} area
 * @param {string} text
 * @param {number} [start]
 * @param {number} [end]
 */
export function replaceText(area, text, start = 0, end = area.value.length) {
  // A finger that chose an example does not ask for the keyboard.
  const quiet = matchMedia('(pointer: coarse)').matches;
  if (!quiet) {
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, end);
    // The only way to change a field that its undo knows of.
    if (document.execCommand('insertText', false, text)) return;
  }
  area.setRangeText(text, start, end, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
