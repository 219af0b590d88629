// Starts the page: what the browser lacks, else the store, its parts and the model.

import { missingFeatures } from '../engine/core.js';
import { EXAMPLES } from './examples.js';
import { followAddress, readFragment, DEFAULTS } from './fragment.js';
import { createBefore } from './before.js';
import { createChanges, NONE } from './changes.js';
import { createAnswers } from './lab/answers.js';
import { createBar } from './lab/bar.js';
import { createHead } from './lab/head.js';
import { createHeads } from './lab/heads.js';
import { createComparison } from './compare.js';
import { createLab } from './lab.js';
import { createModels, SHIPPED } from './models.js';
import { createNotes, misfits } from './lab/notes.js';
import { createOpening } from './lab/opening.js';
import { createSwitches } from './lab/switches.js';
import { createSentence } from './lab/sentence.js';
import { onShow } from './fitting.js';
import { createStore } from './store.js';
import { createTokens } from './lab/tokens.js';
import { applyTheme, readPreference } from './theme.js';
import { STRINGS } from './strings.js';

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Beside the picture may stand a model that ships with the page, or one that the reader has opened in this visit.
 * @param {Partial<import('./types.js').Choice>} asked
 * @param {import('./types.js').State['folder']} [folder]
 */
const besideOf = ({ compare, model2 }, folder = null) =>
  compare !== 'model' || SHIPPED.some(({ name }) => name === model2) || (model2 === '' && folder)
    ? {}
    : { compare: null, model2: null };

/** When the page has drawn what it was opened for, or said why it cannot. @param {import('./store.js').Store} store @returns {Promise<void>} */
function drawnFirst(store) {
  return new Promise((resolve) => {
    store.on(['result', 'problem', 'openProblem'], ({ result, problem, openProblem }) => {
      if (result ?? problem ?? openProblem)
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    });
  });
}

function start() {
  const phone = matchMedia('(max-width: 759px)');
  const { choice: given, notes } = readFragment(location.hash);
  const look = readPreference(given.look);
  const shipped = SHIPPED.find(({ name }) => name === given.model) ?? SHIPPED[0];
  const store = createStore({
    ...DEFAULTS,
    layer: shipped.layer,
    head: shipped.head,
    text: EXAMPLES[shipped.name][0],
    ...given,
    ...besideOf(given),
    model: shipped.name,
    hover: null,
    result: null,
    tokenizer: null,
    busy: false,
    running: false,
    loading: null,
    problem: null,
    other: null,
    otherProblem: null,
    otherBusy: false,
    openProblem: null,
    notes: given.model === '' || given.model2 === '' ? [...notes, { kind: 'elsewhere' }] : notes,
    lost: NONE,
    folder: null,
    modelTitle: STRINGS.models[shipped.name],
    look,
    theme: applyTheme(look),
    phone: phone.matches,
  });
  const lab = createLab(store, { reading: (model) => changes.reading(model) });
  const models = createModels(store, lab);
  // What draws sees the choice as the result on show has it.
  const shown = onShow(store);
  createComparison(shown);

  for (const [id, label] of Object.entries(STRINGS.parts)) part(id).setAttribute('aria-label', label);
  part('tagline').textContent = STRINGS.tagline;
  const before = createBefore(shown);
  const changes = createChanges(shown, lab);
  const [notesPlace, statusPlace] = [document.createElement('div'), document.createElement('div')];
  part('status').replaceChildren(notesPlace, statusPlace);
  createNotes(notesPlace, shown);
  const opening = createOpening({ dialog: part('opening'), status: statusPlace }, shown, models);
  createBar({ bar: part('bar'), foot: part('foot') }, shown, {
    choose: (name) => void models.choose(name),
    open: opening.show,
  });
  const sentence = createSentence(part('sentence'), shown, lab);

  /** Puts a text where a token is from, if that is still there. @param {number} token @param {string} text */
  const replaceToken = (token, text) => {
    const { result, sequence, text: first, pair } = shown.state;
    const place = result?.sequences[sequence].places[token];
    if (!result || !place || result.texts[place.field] !== (place.field === 0 ? first : pair)) return;
    sentence.replace(place.field, place.start, place.end, text);
  };
  createTokens(part('tokens'), shown, {
    blank: (token) => replaceToken(token, lab.model?.tokenizer?.specials.mask?.token ?? ''),
  });
  // What continues a word goes without the sign that says so.
  createAnswers(part('answers'), shown, {
    fill: (token, text) => replaceToken(token, text.replace(/^##/, '')),
    writer: lab.writer,
    why: (...about) => void later.then(({ why }) => why.probability(...about)),
    before,
  });
  createHeads(part('heads'), shown);
  createHead(part('head'), shown, { changes, open: opening.showBeside });
  createSwitches(part('switches'), shown, changes, before);
  const later = drawnFirst(store)
    .then(() => import('./later.js'))
    .then(({ createLater }) => createLater(part, shown, { lab, changes }));

  // On a phone the picture follows the tokens at once, the strip that chooses its head is next to it, and the answers close.
  // The order in the document is the order on screen, for every reader.
  const arrange = () => {
    if (phone.matches) {
      part('tokens').after(part('head'), part('heads'), part('answers'));
      part('side').after(part('tools'));
    } else {
      part('bar').after(part('tools'));
      part('tokens').after(part('heads'), part('head'));
      part('side').prepend(part('answers'));
    }
    store.set({ phone: phone.matches });
  };
  phone.addEventListener('change', arrange);
  arrange();

  /** What a link names and the model does not have is said once that is known. @param {Partial<import('./types.js').Choice>} asked @param {Promise<void>} shown */
  const compare = async (asked, shown) => {
    await shown;
    const found = misfits(asked, store.state);
    if (found.length > 0) store.set({ notes: [...store.state.notes, ...found] });
  };
  followAddress(store, (there, asked, notes) => {
    // Where nothing is said of the theme, the one on the page stays.
    const choice = {
      ...there,
      ...besideOf(there, store.state.folder),
      look: readPreference(asked.look ?? store.state.look),
    };
    store.set({ notes });
    if (choice.model && choice.model !== store.state.model) {
      void compare(asked, models.choose(choice.model, { ...choice }));
      return;
    }
    store.set({ ...choice, model: store.state.model });
    void compare(asked, lab.compute({ follow: false }));
  });
  void compare(given.model === '' ? {} : given, models.first(shipped.name));

  // For the console: `await glassformer.model.setParameter(…)`, then `glassformer.refresh()` to see what it changed.
  Object.defineProperty(globalThis, 'glassformer', {
    value: {
      get model() {
        return lab.model;
      },
      get run() {
        return store.state.result?.run ?? null;
      },
      refresh: () => lab.compute(),
    },
  });
}

const missing = missingFeatures();
if (missing.length > 0) part('status').textContent = STRINGS.unsupported(missing.join(', '));
else start();
