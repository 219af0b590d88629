// Transformers: a model is a folder, config.json and named tensors, that opens in that library and here.

import { html } from 'lit';
import { choice, line, slider } from '../kit/controls.js';
import { matrix } from '../kit/matrix.js';
import { readable } from '../../tokens.js';

/** A shipped model of each kind, and where its first attention is. @type {Record<string, string>} */
const FOLDERS = {
  topics: 'blocks.0.attn.hook_pattern',
  austen: 'blocks.0.attn.hook_pattern',
  translate: 'encoder.blocks.0.attn.hook_pattern',
};
/** Tensors in the list. */
const SHOWN = 10;

/** @param {any} state @param {import('../kit/types.js').Core} core */
export async function compute({ folder, text }, { model: open }) {
  const model = await open(folder);
  const { data, shape, ids, tokens } = await patternOf(model, FOLDERS[folder], text);
  return {
    folder,
    config: { model_type: model.config.model_type, architectures: model.config.architectures },
    parameters: model.parameters().map(({ name, shape }) => ({ name, shape })),
    pattern: { shape, data },
    tokens: tokens.map((token, i) => readable(model.tokenizer, ids[i], token).replace(/^␣/, '')),
  };
}

/** @param {import('../../../engine/index.js').Model} model @param {string} hook @param {string} text */
async function patternOf(model, hook, text) {
  const run = await model.run(model.kind === 'encoder-decoder' ? { source: text, target: '' } : text, {
    record: [hook],
  });
  return { ...run.get(hook), ids: run.ids[0], tokens: run.tokens[0] };
}

/** @param {any} state @param {any} result @param {(patch: Record<string, any>) => void} set @param {import('../kit/types.js').Surroundings} around */
export function picture(
  { folder, text, head },
  { folder: opened, config, parameters, pattern, tokens },
  set,
  { theme },
) {
  const heads = pattern.shape[1];
  const at = Math.min(head, heads - 1);
  const rest = parameters.length - SHOWN;
  return html`<div class="controls">
      ${choice({
        label: 'folder',
        value: folder,
        options: Object.keys(FOLDERS).map((name) => ({ value: name, text: name })),
        set: (value) => set({ folder: value }),
      })}
      ${line({ label: 'text', value: text, lang: 'en', set: (words) => set({ text: words }) })}
      ${slider({ label: 'head', value: at, min: 0, max: heads - 1, set: (value) => set({ head: value }) })}
    </div>
    <div class="line-of">
      <div>
        <p class="note">config.json: ${config.model_type}, ${config.architectures.join(', ')}</p>
        <table class="tensors" aria-label="tensors">
          <tbody>
            ${parameters.slice(0, SHOWN).map(
              (/** @type {{ name: string, shape: number[] }} */ { name, shape }) =>
                html`<tr>
                  <th scope="row"><code>${name}</code></th>
                  <td class="shape">${shape.join(' × ')}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        ${rest > 0 ? html`<p class="note">and ${rest} more in model.safetensors</p>` : ''}
      </div>
      ${matrix({ name: `first attention of ${opened}`, shape: 'T × S', tensor: pattern, at, rows: tokens, columns: tokens, kind: 'weights', theme })}
    </div>`;
}
