// WordNet as the models read it: encoded with their vocabulary, split, and ready for the streams.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder } from './command.mjs';
import { encodeTexts, tokenizerConfig, trainVocabulary } from './vocabulary.mjs';
import { LABELS, readWordNet, wordNetLicence } from './wordnet.mjs';

/** @typedef {import('./wordnet.mjs').Synset} Synset */

const kVocabulary = 8000;

/** The vocabulary that all models here share lies with the first of them. */
const vocabularyFile = () => join(modelFolder('words'), 'tokenizer.json');

/**
 * Texts for masked language modelling.
 * @param {Synset[]} synsets
 * @returns {Promise<{ texts: { ids: Int32Array, companions?: Int32Array[] }[], heldOut: Int32Array[] }>} every definition and every
 *   example sentence is a text of its own; a definition's companions are its examples. `heldOut`: definitions only.
 */
export async function maskedCorpus(synsets) {
  const kept = synsets.filter((synset) => !synset.heldOut);
  const definitions = await encodeTexts(
    vocabularyFile(),
    kept.map((synset) => synset.definition),
  );
  const examples = await encodeTexts(
    vocabularyFile(),
    kept.flatMap((synset) => synset.examples),
  );
  let at = 0;
  const texts = kept.map(({ examples: { length } }, i) => ({
    ids: definitions[i],
    companions: examples.slice(at, (at += length)),
  }));
  const heldOut = await encodeTexts(
    vocabularyFile(),
    synsets.filter((synset) => synset.heldOut).map((synset) => synset.definition),
  );
  return { texts: [...texts, ...examples.map((ids) => ({ ids }))], heldOut };
}

/**
 * @param {Synset[]} synsets
 * @returns {Promise<{ text: string, ids: Int32Array, label: number, heldOut: boolean }[]>} definitions of the nouns that have a topic
 */
export async function topicCorpus(synsets) {
  const kept = synsets.filter((synset) => synset.topic !== null);
  const ids = await encodeTexts(
    vocabularyFile(),
    kept.map((synset) => synset.definition),
  );
  return kept.map(({ definition, topic, heldOut }, i) => ({
    text: definition,
    ids: ids[i],
    label: LABELS.indexOf(String(topic)),
    heldOut,
  }));
}

/**
 * Reads WordNet and puts what is not trained into a model's folder: config, tokenizer and the data's licence. The shared
 * vocabulary is trained if it is not there.
 * @param {string} name of the model
 * @param {Record<string, unknown>} config of the transformers class
 * @returns {Synset[]}
 */
export function prepare(name, config) {
  const synsets = readWordNet();
  const folder = modelFolder(name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(vocabularyFile())) {
    const texts = synsets
      .filter((synset) => !synset.heldOut)
      .flatMap(({ definition, examples }) => [definition, ...examples]);
    mkdirSync(modelFolder('words'), { recursive: true });
    writeFileSync(vocabularyFile(), trainVocabulary(texts, kVocabulary));
  }
  if (name !== 'words') copyFileSync(vocabularyFile(), join(folder, 'tokenizer.json'));
  writeFileSync(join(folder, 'tokenizer_config.json'), tokenizerConfig(Number(config.max_position_embeddings)));
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
  writeFileSync(join(folder, 'LICENSE-WordNet'), wordNetLicence());
  return synsets;
}

/**
 * An ELECTRA configuration.
 * @param {string} architecture transformers' class
 * @param {{ embedding: number, hidden: number, layers: number, heads: number, feedForward: number }} shape
 * @param {Record<string, unknown>} [more]
 * @returns {Record<string, unknown>}
 */
export function electraConfig(architecture, { embedding, hidden, layers, heads, feedForward }, more = {}) {
  return {
    architectures: [architecture],
    model_type: 'electra',
    vocab_size: kVocabulary,
    embedding_size: embedding,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: feedForward,
    hidden_act: 'gelu',
    hidden_dropout_prob: 0.1,
    attention_probs_dropout_prob: 0.1,
    max_position_embeddings: 64,
    type_vocab_size: 2,
    initializer_range: 0.02,
    layer_norm_eps: 1e-12,
    position_embedding_type: 'absolute',
    tie_word_embeddings: true,
    pad_token_id: 0,
    dtype: 'float16',
    ...more,
  };
}
