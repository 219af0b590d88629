// A text that the model writes, one token at a time. What it would write next is always known before it is written, with the other
// candidates: a reader takes the model's choice or another. Taking the model's choice reads one token more, from the cache; any
// other begins again behind the new text.

import { createTrace } from './trace.js';
import { changesOf } from './edits.js';
import { encoded, extended, tokenOf } from './sequences.js';
import { namesToRecord } from './recording.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Sequence} Sequence */
/** @typedef {{ id: number, token: string, probability: number }} Candidate */
/**
 * @typedef {object} Place what is known behind some tokens
 * @property {Candidate[]} candidates likeliest first
 * @property {Candidate} pick the model's own choice
 * @property {number} cacheBytes
 *
 * @typedef {object} Written how a written text came about; part of a result
 * @property {number[]} ids written so far, an end token included
 * @property {Place | null} next null where nothing can follow
 * @property {'end' | 'full' | null} over the model ended the text, or reads no more
 * @property {{ cached: number, plain: number, bytes: number }} work rows of queries computed, with the cache and without it
 * @property {import('./beams.js').Hypotheses | null} hypotheses of a beam search
 */

/** Where a model names no most: T5 does not. */
const MOST_POSITIONS = 512;

/**
 * What a model reads before it writes: the prompt, or the source beside what a target begins with.
 * @param {Model} model
 * @param {string} text
 */
export function promptOf(model, text) {
  const source = encoded(model, text, 0);
  const both = model.kind === 'encoder-decoder';
  const { config } = model;
  const { bos, eos } = /** @type {NonNullable<Model['tokenizer']>} */ (model.tokenizer).specials;
  const start = both
    ? (config.decoder_start_token_id ?? config.pad_token_id ?? 0)
    : (config.bos_token_id ?? bos?.id ?? eos?.id ?? 0);
  // A decoder must read something: an empty prompt is a text's beginning.
  const empty = !both && source.ids.length === 0;
  const first = both || empty ? extended(model, null, [Number(start)], { special: true, written: false }) : source;
  return { source: both ? source : first, target: both ? first : null, first };
}

/** @typedef {ReturnType<typeof promptOf>} Prompt */

/** Whether the text on show is one that the model writes. @param {Model} model @param {Pick<State, 'target'>} state */
export function isWriting({ kind }, { target }) {
  return kind === 'decoder' || (kind === 'encoder-decoder' && (target === null || target.trim() === ''));
}

/** How many tokens a model reads at most. @param {Model} model */
export function positionsOf({ config, tokenizer }) {
  return Number(config.max_position_embeddings ?? config.n_positions ?? tokenizer?.maxLength ?? MOST_POSITIONS);
}

/** The input that a model runs on with some ids written. @param {Prompt} prompt @param {number[]} ids */
export function inputOf({ source, target }, ids) {
  return target ? { ids: [source.ids], decoderIds: [[...target.ids, ...ids]] } : { ids: [[...source.ids, ...ids]] };
}

/** How many tokens there are on either side. @param {Prompt} prompt @param {number} rows read by what writes */
export function lengthsOf({ source, target }, rows) {
  return target ? { source: source.ids.length, target: rows } : { source: rows };
}

/** Tokens that end a text. @param {Model} model @returns {number[]} */
export function endsOf({ config, tokenizer }) {
  const given = config.eos_token_id ?? tokenizer?.specials.eos?.id ?? [];
  return (Array.isArray(given) ? given : [given]).map(Number);
}

/** How the next token is chosen, as options of generate. @param {State} state @param {number} done tokens already written */
export function optionsOf({ how, temperature, topk, topp, seed }, done) {
  if (how !== 'sample') return { doSample: false, beams: 1 };
  // A text that goes on draws other numbers than one that begins.
  return { doSample: true, beams: 1, temperature, topK: topk, topP: topp, seed: seed + done };
}

/**
 * Begins to write behind the tokens taken so far; what follows them is known at once.
 * @param {Model} model
 * @param {State} state
 * @param {AbortSignal} signal
 */
export async function beginWriting(model, state, signal) {
  const ends = endsOf(model);
  const prompt = promptOf(model, state.text);
  const base = (state.taken ?? []).filter((id) => !ends.includes(id));
  const edits = changesOf(model, state, lengthsOf(prompt, Infinity));
  const most = positionsOf(model);
  const read = prompt.first.ids.length;
  const length = Math.min(most, Math.max(read + base.length, state.length));
  const trace = createTrace(model.hooks());
  /** What follows the first so many written tokens. @type {Place[]} */
  const places = [];
  /** @type {number[]} */
  const path = [...base];
  const generation = model.generate(inputOf(prompt, base), {
    ...optionsOf(state, base.length),
    // The last one need not be read.
    maxNewTokens: Math.max(1, most - read - base.length + 1),
    record: namesToRecord(model.config, 1, length + prompt.source.ids.length),
    edits,
    signal,
  });
  const iterator = generation[Symbol.asyncIterator]();

  /** @returns {Promise<boolean>} whether there was a step */
  async function pull() {
    const { value: step, done } = await iterator.next();
    if (done || !step) return false;
    trace.add(step.run, trace.rows === 0 ? read + base.length : 1);
    const { id = 0, logprob = 0, top = [] } = step;
    const candidates = top.map(candidate);
    const pick = candidates.find((one) => one.id === id) ?? candidate({ id, logprob });
    places[path.length] = { candidates, pick, cacheBytes: step.cacheBytes };
    return true;
  }
  /** @param {{ id: number, logprob: number }} of @returns {Candidate} */
  const candidate = ({ id, logprob }) => ({ id, token: tokenOf(model.tokenizer, id), probability: Math.exp(logprob) });

  await pull();

  /** How much had to be computed for so many tokens. @param {number} count written */
  function workOf(count) {
    // The first run reads all that is there; each later one a token, or without a cache all of them again.
    const later = Math.max(0, Math.min(count, path.length) - base.length);
    const first = read + base.length;
    const plain = first * (later + 1) + (later * (later + 1)) / 2;
    return { cached: first + later, plain, bytes: places[Math.min(count, path.length)]?.cacheBytes ?? 0 };
  }

  return {
    prompt,
    edits,
    /** Whether what is known covers these ids. @param {number[]} ids */
    covers: (ids) =>
      ids.length >= base.length && ids.length <= path.length && ids.every((id, i) => path[i] === id) && !signal.aborted,
    /** Whether the next token can be had without beginning again. @param {number[]} ids @param {number} id */
    continues: (ids, id) =>
      !signal.aborted &&
      (path[ids.length] === id || (ids.length === path.length && places[ids.length]?.pick.id === id)),
    /** Reads one token more. @param {number[]} ids @param {number} id as `continues` allows */
    async advance(ids, id) {
      if (path.length > ids.length || ends.includes(id)) return;
      path.push(id);
      await pull();
    },
    ends,
    /**
     * What is to be shown with these ids written.
     * @param {number[]} ids covered, or with an end token behind
     */
    at(ids) {
      const over = ids.some((id) => ends.includes(id));
      const count = ids.filter((id) => !ends.includes(id)).length;
      const rows = Math.min(trace.rows, read + count);
      const full = !over && !places[count];
      /** @type {Written} */
      const written = {
        ids,
        next: over ? null : (places[count] ?? null),
        over: over ? 'end' : full ? 'full' : null,
        work: workOf(count),
        hypotheses: null,
      };
      return { rows, run: trace.view(rows), written, logits: trace.logits };
    },
    close: () => void iterator.return?.(),
  };
}

/** @typedef {Awaited<ReturnType<typeof beginWriting>>} Writing */
