// Elements of the viewer, made by hand: it brings no library along.

/**
 * @param {string} tag
 * @param {Record<string, any>} properties `on…` are listeners, `class`, `aria-…`, `data-…`, `role` and `for` attributes, others properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (/^(class|role|aria-|data-)/.test(name)) element.setAttribute(name, value);
    else Object.assign(element, { [name]: value });
  }
  element.append(...children);
  return element;
}

/**
 * A list of choices that says what it is for.
 * @param {string} label
 * @param {(value: string) => void} choose
 */
export function createSelect(label, choose) {
  const select = /** @type {HTMLSelectElement} */ (
    make('select', { 'aria-label': label, onchange: () => choose(select.value) })
  );
  let known = '';
  return {
    element: select,
    /** @param {{ value: string | number, text: string | number }[]} options @param {string | number} value */
    show(options, value) {
      const id = JSON.stringify(options);
      if (id !== known) {
        known = id;
        select.replaceChildren(...options.map((of) => new Option(String(of.text), String(of.value))));
      }
      select.value = String(value);
    },
  };
}

/**
 * A choice of a few, as radio buttons that look like words.
 * @param {string} name
 * @param {string} legend
 * @param {{ value: string, text: string }[]} options
 * @param {(value: string) => void} choose
 */
export function createChoice(name, legend, options, choose) {
  const inputs = options.map(
    ({ value }) =>
      /** @type {HTMLInputElement} */ (make('input', { type: 'radio', name, value, onchange: () => choose(value) })),
  );
  const labels = options.map(({ text }, i) => make('label', {}, inputs[i], make('span', {}, text)));
  return {
    element: make('fieldset', { class: 'choice' }, make('legend', { class: 'hidden' }, legend), ...labels),
    /** @param {string} value @param {string[]} [disabled] */
    show(value, disabled = []) {
      for (const input of inputs) {
        input.checked = input.value === value;
        input.disabled = disabled.includes(input.value);
      }
    },
  };
}

/** The letters of scripts that run from right to left: Hebrew, Arabic and those between them in Unicode. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;

/**
 * Which way tokens run: as most of their letters do, whatever language the page is in. What stands in brackets is not text.
 * @param {string[]} tokens
 */
export function directionOf(tokens) {
  const text = tokens.filter((token) => !/^(\[.*\]|<.*>)$/.test(token)).join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) * 2 > letters ? 'rtl' : 'ltr';
}

/**
 * A row of tokens that light up, and can be chosen.
 * @param {string} label
 * @param {{ hover: (token: number | null) => void, choose: (token: number) => void }} callbacks
 */
export function createTokens(label, { hover, choose }) {
  const title = make('h2', {}, label);
  const list = make('ol', { class: 'tokens', 'aria-label': label, onpointerleave: () => hover(null) });
  /** @type {HTMLElement[]} */
  let buttons = [];
  let known = '';
  return {
    element: make('div', {}, title, list),
    /** @param {string} text */
    rename(text) {
      title.textContent = text;
      list.setAttribute('aria-label', text);
    },
    /** @param {string[]} tokens */
    show(tokens) {
      if (known === JSON.stringify(tokens)) return;
      known = JSON.stringify(tokens);
      buttons = tokens.map((token, i) =>
        make(
          'button',
          { type: 'button', class: 'token', onpointerenter: () => hover(i), onclick: () => choose(i) },
          make('bdi', {}, token),
        ),
      );
      list.dir = directionOf(tokens);
      list.replaceChildren(...buttons.map((button) => make('li', {}, button)));
    },
    /** @param {{ query: number | null, key: number | null }} lit @param {number | null} pressed */
    mark({ query, key }, pressed) {
      buttons.forEach((button, i) => {
        button.classList.toggle('query', i === query);
        button.classList.toggle('key', i === key);
        button.setAttribute('aria-pressed', String(i === pressed));
      });
    },
  };
}
