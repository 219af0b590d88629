// Folders of small models that a reader opens: new ones of any config, with the tokenizer that ships.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from '../../web/engine/index.js';
import { settled } from './lab.js';

/** @typedef {import('playwright-core').Page} Page */

const models = new URL('../../web/models/', import.meta.url).pathname;
/** The tokenizer's [CLS], [SEP] and [PAD] begin, end and fill a text. */
const ROLES = { bos_token_id: 2, eos_token_id: 3, pad_token_id: 0 };

/** Small models of every kind; large spreads of their weights make what they look at differ. */
export const CONFIGS = {
  gpt2: {
    ...{ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], n_embd: 32, n_layer: 2, n_head: 2, n_positions: 24 },
    ...{ initializer_range: 0.4, ...ROLES },
  },
  llama: {
    ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 32, intermediate_size: 48 },
    ...{ num_hidden_layers: 2, num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 64 },
    ...{ initializer_range: 0.4, ...ROLES },
  },
  marian: {
    ...{ model_type: 'marian', architectures: ['MarianMTModel'], is_encoder_decoder: true, d_model: 32 },
    ...{ encoder_layers: 2, decoder_layers: 2, encoder_attention_heads: 2, decoder_attention_heads: 4 },
    ...{ encoder_ffn_dim: 48, decoder_ffn_dim: 48, activation_function: 'silu', max_position_embeddings: 64 },
    ...{ init_std: 0.4, scale_embedding: true, static_position_embeddings: true, ...ROLES, decoder_start_token_id: 2 },
  },
  t5: {
    ...{ model_type: 't5', architectures: ['T5ForConditionalGeneration'], is_encoder_decoder: true, d_model: 32 },
    ...{ d_kv: 8, d_ff: 48, num_layers: 2, num_heads: 4, feed_forward_proj: 'gated-gelu', tie_word_embeddings: false },
    ...{ relative_attention_num_buckets: 8, relative_attention_max_distance: 16, ...ROLES, decoder_start_token_id: 0 },
  },
};

/** A folder for folders; remove() takes all of them away. */
export function createFolders() {
  const scratch = mkdtempSync(path.join(tmpdir(), 'glassformer-'));
  return {
    scratch,
    /** Writes a new model of some config. @param {string} name @param {Record<string, unknown>} config */
    async make(name, config) {
      const folder = path.join(scratch, name);
      mkdirSync(folder);
      const model = await create({ ...config, vocab_size: 8000 }, { seed: 3 });
      for (const [file, content] of Object.entries(await model.save({ dtype: 'F16' })))
        writeFileSync(path.join(folder, file), content);
      cpSync(path.join(models, 'topics/tokenizer.json'), path.join(folder, 'tokenizer.json'));
      model.dispose();
      return folder;
    },
    remove: () => rmSync(scratch, { recursive: true }),
  };
}

/** Opens a folder with the page's picker. @param {Page} page @param {string} folder */
export async function pick(page, folder) {
  await page.getByRole('button', { name: 'open…' }).click();
  await page.locator('input[type="file"]').setInputFiles(folder);
}

/** Opens a folder and waits until its model has read the text, and written what it writes by itself. @param {Page} page @param {string} folder */
export async function opened(page, folder) {
  await pick(page, folder);
  await page.waitForFunction(() => !document.querySelector('dialog')?.open);
  await written(page);
}

/** Waits until nothing is being written. @param {Page} page */
export async function written(page) {
  await page.waitForFunction(() => !document.querySelector('[data-running]'));
  await settled(page);
}
