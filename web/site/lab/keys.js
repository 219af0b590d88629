// The page's keys, from one table: what they do, and the sheet that lists them. Keys without Ctrl can be switched off, since speech
// input and slips of the hand press them too (WCAG 2.1.4).

import { html, render } from 'lit/html.js';
import { STRINGS } from '../strings.js';

/** @typedef {keyof typeof STRINGS.keySheet.keys} Name */
/** @typedef {keyof typeof STRINGS.keySheet.groups} Group */
/**
 * @typedef {object} Key
 * @property {Group} group
 * @property {Name} name of what it does
 * @property {string[]} shown the keys as they are written in the sheet; several are alternatives
 * @property {((event: KeyboardEvent) => boolean)} [is] whether an event is this key; without it, another part of the page listens
 * @property {(event: KeyboardEvent) => void} [act]
 * @property {boolean} [control] with Ctrl or ⌘
 */

const KEPT = 'glassformer-keys';

/**
 * @param {HTMLElement} root for the sheet
 * @param {Record<'picture' | 'sentence' | 'view' | 'kind' | 'edit' | 'off' | 'undo' | 'redo' | 'link' | 'letGo' | 'attention', () => void> &
 *   { head: (by: number) => void, layer: (by: number) => void }} actions
 */
export function createKeys(root, actions) {
  const { names } = STRINGS.keySheet;
  const letter = (/** @type {string} */ of) => (/** @type {KeyboardEvent} */ event) => event.key.toLowerCase() === of;
  const by = (/** @type {KeyboardEvent} */ event) => (event.shiftKey ? -1 : 1);
  const shift = (/** @type {string} */ key) => `${names.shift} ${key}`;
  const control = (/** @type {string} */ key) => `Ctrl ${key}`;

  /** @type {Key[]} */
  const keys = [
    { group: 'move', name: 'picture', shown: ['P'], is: letter('p'), act: actions.picture },
    { group: 'move', name: 'cell', shown: [names.arrows] },
    { group: 'move', name: 'ten', shown: [shift(names.arrows)] },
    { group: 'move', name: 'ends', shown: [names.home, names.end] },
    { group: 'move', name: 'heads', shown: ['H', shift('H')], is: letter('h'), act: (e) => actions.head(by(e)) },
    { group: 'move', name: 'layers', shown: ['L', shift('L')], is: letter('l'), act: (e) => actions.layer(by(e)) },
    { group: 'move', name: 'attention', shown: ['A'], is: letter('a'), act: actions.attention },
    { group: 'show', name: 'view', shown: ['M'], is: letter('m'), act: actions.view },
    { group: 'show', name: 'kind', shown: ['W'], is: letter('w'), act: actions.kind },
    { group: 'show', name: 'zoom', shown: ['+', '−', '0'] },
    { group: 'change', name: 'edit', shown: ['E'], is: letter('e'), act: actions.edit },
    { group: 'change', name: 'off', shown: ['O'], is: letter('o'), act: actions.off },
    {
      ...{ group: 'change', name: 'undo', shown: [control('Z')], control: true, act: actions.undo },
      is: (event) => letter('z')(event) && !event.shiftKey,
    },
    {
      ...{
        group: 'change',
        name: 'redo',
        shown: [control(shift('Z')), control('Y')],
        control: true,
        act: actions.redo,
      },
      is: (event) => (letter('z')(event) && event.shiftKey) || letter('y')(event),
    },
    { group: 'page', name: 'sentence', shown: ['/'], is: ({ key }) => key === '/', act: actions.sentence },
    { group: 'page', name: 'link', shown: ['C'], is: letter('c'), act: actions.link },
    { group: 'page', name: 'letGo', shown: ['Esc'], is: ({ key }) => key === 'Escape', act: actions.letGo },
    { group: 'page', name: 'help', shown: ['?'], is: ({ key }) => key === '?', act: open },
  ];
  let single = readSingle();

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const control = event.ctrlKey || event.metaKey;
    const key = keys.find((one) => one.is?.(event) && (one.control ?? false) === control);
    if (!key?.act) return;
    // What is not written is never in the way.
    if (!single && !control && key.name !== 'letGo') return;
    event.preventDefault();
    key.act(event);
  });

  render(html`<dialog class="keys" aria-labelledby="keys-title"></dialog>`, root);
  const dialog = /** @type {HTMLDialogElement} */ (root.querySelector('dialog'));

  function open() {
    update();
    if (!dialog.open) dialog.showModal();
  }
  function update() {
    const words = STRINGS.keySheet;
    const toggle = (/** @type {Event} */ event) => {
      single = /** @type {HTMLInputElement} */ (event.target).checked;
      keepSingle(single);
    };
    render(
      html`<h2 id="keys-title">${words.title}</h2>
        ${Object.entries(words.groups).map(
          ([group, title]) =>
            html`<h3 id="keys-${group}">${title}</h3>
              <table aria-labelledby="keys-${group}">
                <tbody>
                  ${keys
                    .filter((key) => key.group === group)
                    .map(
                      ({ name, shown }) =>
                        html`<tr>
                          <th scope="row">
                            ${shown.map((key, i) => html`${i > 0 ? html` <i>${words.or}</i> ` : ''}<kbd dir="auto">${key}</kbd>`)}
                          </th>
                          <td>${words.keys[name]}</td>
                        </tr>`,
                    )}
                </tbody>
              </table>`,
        )}
        <p>
          ${words.single}
          <label><input type="checkbox" .checked=${single} @change=${toggle} /> ${words.use}</label>
        </p>
        <p><button type="button" class="link" @click=${() => dialog.close()}>${STRINGS.close}</button></p>`,
      dialog,
    );
  }
  return { open };
}

/** Whether letters go into what has the focus. @param {EventTarget | null} target */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'range', 'button'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function readSingle() {
  try {
    return localStorage.getItem(KEPT) !== 'off';
  } catch {
    return true; // storage is refused in a sandboxed frame
  }
}

/** @param {boolean} on */
function keepSingle(on) {
  try {
    if (on) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, 'off');
  } catch {
    // It holds for this visit.
  }
}
