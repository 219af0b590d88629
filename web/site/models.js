// The model on the page: loading one, with progress and cancel, while the one before stays until the next is ready.

import { load } from '../engine/load.js';
import { UnansweredError, errorToPlain } from '../engine/errors.js';
import { DEFAULTS } from './fragment.js';
import { modelFiles } from './files.js';
import { EXAMPLES } from './examples.js';
import { STRINGS } from './strings.js';

/** @typedef {import('./types.js').Choice} Choice */
/** @typedef {ReturnType<typeof createModels>} Models */

/** What may ship with the page, the first one being where it starts; with the head to look at first. */
const KNOWN = /** @type {const} */ ([
  { name: 'topics', layer: 1, head: 0 },
  { name: 'words', layer: 1, head: 1 },
  { name: 'austen', layer: 1, head: 0 },
  { name: 'dates', layer: 1, head: 0 },
  { name: 'pronounce', layer: 1, head: 0 },
  { name: 'translate', layer: 1, head: 0 },
]);

/**
 * Those that are there: the build writes the names of its models' folders into the page, so that none is offered that is missing.
 * @param {string} names
 */
function present(names) {
  const there = names.split(' ');
  const found = KNOWN.filter(({ name }) => there.includes(name));
  return Object.freeze(found.length > 0 ? found : [KNOWN[0]]);
}

/** What another model cannot take over. */
const ANEW = /** @type {const} */ ({ target: null, attention: null, off: '', edits: DEFAULTS.edits, taken: null });

export const SHIPPED = present(
  document.querySelector('meta[name="glassformer-models"]')?.getAttribute('content') ?? '',
);

/**
 * The text that a model begins with: a reader's own stays, whatever the model makes of it. An example, which is of another model,
 * makes way for one of this model's, and so does a text of which it knows no token at all.
 * @param {import('./types.js').Model} model
 * @param {string[]} examples of this model
 * @param {Pick<Choice, 'text' | 'pair'>} before
 * @returns {string}
 */
function textFor({ kind, tokenizer }, examples, { text, pair }) {
  // Two texts belong together.
  if (examples.includes(text) || (pair !== null && kind === 'encoder')) return text;
  if (Object.values(EXAMPLES).flat().includes(text)) return examples[0];
  const { ids = [], special = [] } = tokenizer?.encode(text) ?? {};
  const own = [...ids].filter((_, t) => !special[t]);
  const unknown = tokenizer?.specials.unk?.id;
  return own.length > 0 && own.every((id) => id === unknown) ? examples[0] : text;
}

/**
 * @param {import('./store.js').Store} store
 * @param {ReturnType<typeof import('./lab.js').createLab>} lab
 */
export function createModels(store, lab) {
  /** @type {AbortController | null} */
  let current = null;
  /** What was asked for last. */
  let last = () => Promise.resolve();

  /**
   * @param {import('../engine/sources.js').Source} source
   * @param {string} title
   * @param {(model: import('./types.js').Model) => Partial<import('./types.js').State>} chosen what to choose once it is there
   */
  async function open(source, title, chosen) {
    last = () => open(source, title, chosen);
    current?.abort();
    const mine = new AbortController();
    current = mine;
    const { signal } = mine;
    store.set({ loading: { name: title, files: [], since: performance.now() }, openProblem: null });
    /** @param {import('./types.js').Progress} progress */
    const onProgress = (progress) => {
      const { loading } = store.state;
      if (signal.aborted || !loading) return;
      const known = loading.files.some(({ file }) => file === progress.file);
      const files = known
        ? loading.files.map((old) => (old.file === progress.file ? progress : old))
        : [...loading.files, progress];
      store.set({ loading: { ...loading, files } });
    };
    try {
      const model = await load(source, {
        onProgress,
        onTokenizer: (tokenizer) => store.state.result === null && store.set({ tokenizer }),
        signal,
      });
      if (signal.aborted) return model.dispose();
      if (!model.tokenizer) {
        model.dispose();
        throw Object.assign(new Error(STRINGS.noTokenizer), { code: 'not-found' });
      }
      store.set({ ...chosen(model), modelTitle: title, loading: null });
      await lab.use(model);
    } catch (error) {
      if (signal.aborted) return;
      const problem =
        error instanceof UnansweredError
          ? { code: 'not-found', message: STRINGS.notYetHere, again: true }
          : errorToPlain(error);
      store.set({ loading: null, openProblem: problem });
    }
  }

  return {
    /**
     * The one that the page opens with. What is chosen and typed by then is its own.
     * @param {string} name of one that ships with the page
     */
    first: (name) => open(name, STRINGS.models[/** @type {keyof typeof STRINGS.models} */ (name)], () => ({})),
    /**
     * One that ships with the page.
     * @param {string} name
     * @param {Partial<Choice>} [choice] overrides what would be chosen
     */
    choose(name, choice = {}) {
      const shipped = SHIPPED.find((model) => model.name === name) ?? SHIPPED[0];
      return open(shipped.name, STRINGS.models[shipped.name], (model) => {
        const { name: chosen, layer, head } = shipped;
        const text = textFor(model, EXAMPLES[chosen], store.state);
        return { ...ANEW, layer, head, text, ...choice, model: chosen };
      });
    },
    /**
     * One from a folder of the reader's.
     * @param {{ path: string, file: File }[]} found
     */
    openFiles(found) {
      const model = modelFiles(found);
      if (model === null) {
        store.set({ openProblem: { code: 'not-found', message: STRINGS.noFiles } });
        return Promise.resolve();
      }
      return open(model.files, model.name, () => ({ ...ANEW, model: '', layer: 0, head: 0, folder: model }));
    },
    /**
     * One from a folder of the reader's, to stand beside the one on show; whoever compares loads it (compare.js).
     * @param {{ path: string, file: File }[]} found
     */
    openBeside(found) {
      const folder = modelFiles(found);
      if (folder === null) store.set({ openProblem: { code: 'not-found', message: STRINGS.noFiles } });
      else store.set({ folder, compare: 'model', model2: '', layer2: null, head2: null, openProblem: null });
    },
    /** Asks once more for what did not come. */
    again: () => last(),
    cancel() {
      current?.abort();
      store.set({ loading: null });
    },
  };
}
