// BERT: an encoder that sees both sides and fills in what was hidden; its segments and its pooler.

import { html } from 'lit';
import { line, slider } from '../kit/controls.js';
import { matrix } from '../kit/matrix.js';
import { bars } from '../kit/plot.js';
import { strip } from '../kit/strip.js';

/** @typedef {import('../kit/types.js').Tensor} Tensor */

const MODEL = 'words';
const LAYER = 1;
/** Guesses in the list. */
const SHOWN = 5;

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ masked, second }, { ops, create, model: open }) {
  const model = await open(MODEL);
  const tokenizer = /** @type {NonNullable<typeof model.tokenizer>} */ (model.tokenizer);
  const pattern = `blocks.${LAYER}.attn.hook_pattern`;
  const run = await model.run(masked, { record: [pattern] });
  const at = run.tokens[0].indexOf('[MASK]');
  if (at < 0) throw new RangeError(`text: expected a [MASK] in it, got “${masked.slice(0, 40)}”`);
  const { data } = await ops.softmax(/** @type {Tensor} */ (run.output.logits));
  const vocabulary = Number(model.config.vocab_size);
  const chances = data.subarray(at * vocabulary, (at + 1) * vocabulary);
  const guesses = Array.from(chances, (value, id) => ({ id, value }))
    .sort((a, b) => b.value - a.value)
    .slice(0, SHOWN);
  // Segments and pooler, which the trained model was made without: of a model of its sizes with random weights.
  const bert = await create(config(model.config), { seed: 1 });
  const pair = tokenizer.encode(masked, { pair: second });
  const input = { ids: [Array.from(pair.ids)], typeIds: [Array.from(pair.typeIds)] };
  const whole = await bert.run(input, { record: ['hook_type_embed'] });
  bert.dispose();
  return {
    tokens: run.tokens[0],
    pattern: run.get(pattern),
    guesses: guesses.map(({ id, value }) => ({ name: tokenizer.token(id), value })),
    pairTokens: input.ids[0].map((id) => tokenizer.token(id)),
    segments: whole.get('hook_type_embed'),
    pooled: /** @type {Tensor} */ (whole.output.pooled),
  };
}

/** @param {Record<string, any>} sizes another model's config */
const config = (sizes) => ({
  model_type: 'bert',
  architectures: ['BertModel'],
  vocab_size: sizes.vocab_size,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: sizes.max_position_embeddings,
  type_vocab_size: 2,
  pad_token_id: sizes.pad_token_id,
});

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture({ masked, second, head }, result, set, { theme }) {
  const { tokens, pattern, guesses, pairTokens, segments, pooled } = result;
  const heads = pattern.shape[1];
  const at = Math.min(head, heads - 1);
  return html`<div class="controls">
      ${line({ label: 'text with a [MASK]', value: masked, lang: 'en', set: (text) => set({ masked: text }) })}
      ${slider({ label: 'head', value: at, min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
    </div>
    <div class="line-of">
      ${matrix({ name: `attention, layer ${LAYER}`, shape: 'T × S', tensor: pattern, at, rows: tokens, columns: tokens, kind: 'weights', theme })}
      <div>
        <p class="note">what [MASK] hides, as ${MODEL} has it</p>
        ${bars({ label: 'guesses', bars: guesses, most: 1 })}
      </div>
    </div>
    <div class="controls">
      ${line({ label: 'second segment', value: second, lang: 'en', set: (text) => set({ second: text }) })}
    </div>
    <div class="line-of">
      ${strip({ name: 'what is added for the segment', shape: 'T × D', tensor: segments, rows: pairTokens, rowHeight: 16, theme })}
      ${strip({ name: 'pooled: tanh of a linear map of the first token', shape: '1 × D', tensor: pooled, theme })}
    </div>`;
}
