// Writes the decoder as a GGUF file, which llama.cpp reads: a header of keys, then tensors, [out, in] all of them.
// The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { GPT2, gpt2Tensor, promptIds, transposed } from '../lib/gpt2.js';
import { serialized } from './protobuf.js';

/** @typedef {import('../lib/parameters.js').Tensor} Tensor */
/** @typedef {'F32' | 'Q8_0'} Kind of the matrices */

const ALIGNMENT = 32;
const TYPES = { F32: 0, Q8_0: 8 };
const BLOCK = 32; // values of Q8_0 that share a scale
const BLOCK_BYTES = 2 + BLOCK;
/** Token i: its number, so that a text tells its tokens. @param {number} i */
export const tokenText = (i) => `<${i}>`;

const text = new TextEncoder();
const u32 = (/** @type {number} */ value) => new Uint8Array(Uint32Array.of(value).buffer);
const u64 = (/** @type {number} */ value) => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
const f32 = (/** @type {number} */ value) => new Uint8Array(Float32Array.of(value).buffer);
const string = (/** @type {string} */ value) => [u64(text.encode(value).length), text.encode(value)];

/** A key with its value. @type {Record<string, (name: string, value?: any) => Uint8Array[]>} */
const key = {
  u32: (name, value) => [...string(name), u32(4), u32(value)],
  f32: (name, value) => [...string(name), u32(6), f32(value)],
  no: (name) => [...string(name), u32(7), Uint8Array.of(0)],
  string: (name, value) => [...string(name), u32(8), ...string(value)],
  strings: (name, values) => [...string(name), u32(9), u32(8), u64(values.length), ...values.flatMap(string)],
  ints: (name, values) => [
    ...string(name),
    ...[u32(9), u32(5), u64(values.length)],
    new Uint8Array(Int32Array.from(values).buffer),
  ],
};

/** @returns {Uint8Array[][]} */
function keys() {
  const tokens = Array.from({ length: GPT2.vocab_size }, (_, i) => tokenText(i));
  const prompt = new Set(promptIds());
  const [normal, userDefined] = [1, 4]; // the latter are found in a text as they stand, and a prompt comes as text
  return [
    key.string('general.architecture', 'gpt2'),
    key.u32('gpt2.context_length', GPT2.n_positions),
    key.u32('gpt2.embedding_length', GPT2.n_embd),
    key.u32('gpt2.block_count', GPT2.n_layer),
    key.u32('gpt2.feed_forward_length', 4 * GPT2.n_embd),
    key.u32('gpt2.attention.head_count', GPT2.n_head),
    key.f32('gpt2.attention.layer_norm_epsilon', GPT2.layer_norm_epsilon),
    key.string('tokenizer.ggml.model', 'gpt2'),
    key.string('tokenizer.ggml.pre', 'gpt-2'),
    key.strings('tokenizer.ggml.tokens', tokens),
    key.ints(
      'tokenizer.ggml.token_type',
      tokens.map((_, i) => (prompt.has(i) ? userDefined : normal)),
    ),
    key.strings('tokenizer.ggml.merges', ['< 1']), // some are expected
    key.no('tokenizer.ggml.add_bos_token'),
    key.u32('tokenizer.ggml.bos_token_id', GPT2.bos_token_id),
    key.u32('tokenizer.ggml.eos_token_id', GPT2.eos_token_id),
  ];
}

/** Their name → ours, and whether it is turned. @returns {Map<string, { name: string, turned: boolean }>} */
function names() {
  const all = new Map();
  const put = (/** @type {string} */ theirs, /** @type {string} */ name, turned = false) =>
    all.set(theirs, { name, turned });
  const pair = (/** @type {string} */ theirs, /** @type {string} */ name, turned = false) => {
    put(`${theirs}.weight`, `${name}.weight`, turned);
    put(`${theirs}.bias`, `${name}.bias`);
  };
  put('token_embd.weight', 'wte.weight');
  put('position_embd.weight', 'wpe.weight');
  pair('output_norm', 'ln_f');
  for (let l = 0; l < GPT2.n_layer; l++) {
    pair(`blk.${l}.attn_norm`, `h.${l}.ln_1`);
    pair(`blk.${l}.attn_qkv`, `h.${l}.attn.c_attn`, true);
    pair(`blk.${l}.attn_output`, `h.${l}.attn.c_proj`, true);
    pair(`blk.${l}.ffn_norm`, `h.${l}.ln_2`);
    pair(`blk.${l}.ffn_up`, `h.${l}.mlp.c_fc`, true);
    pair(`blk.${l}.ffn_down`, `h.${l}.mlp.c_proj`, true);
  }
  return all;
}

/** A positive float's bits in 16, rounded to nearest; of normal size, as scales are here. @param {number} value */
function halfBits(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0];
  return ((bits >>> 13) + ((bits >>> 12) & 1) - (112 << 10)) & 0xffff;
}

/** @param {Float32Array} data a multiple of BLOCK long @returns {Uint8Array} */
function q8(data) {
  const bytes = new Uint8Array((data.length / BLOCK) * BLOCK_BYTES);
  for (let at = 0, to = 0; at < data.length; at += BLOCK, to += BLOCK_BYTES) {
    let most = 0;
    for (let i = 0; i < BLOCK; i++) most = Math.max(most, Math.abs(data[at + i]));
    const half = halfBits(most / 127);
    bytes[to] = half & 255;
    bytes[to + 1] = half >>> 8;
    for (let i = 0; i < BLOCK; i++) bytes[to + 2 + i] = Math.round((data[at + i] * 127) / most) & 255;
  }
  return bytes;
}

/** @param {Kind} kind @param {string} name */
const kindOf = (kind, name) => (/\.weight$/.test(name) && !/norm|position/.test(name) ? kind : 'F32');

/** @param {Kind} kind @param {number} values */
const sizeOf = (kind, values) => (kind === 'F32' ? 4 * values : (values / BLOCK) * BLOCK_BYTES);
const aligned = (/** @type {number} */ at) => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

/** The file in pieces. @param {Kind} kind @returns {Generator<Uint8Array>} */
export function* ggufPieces(kind) {
  const tensors = names();
  /** @type {Uint8Array[]} */
  const infos = [];
  let offset = 0;
  for (const [theirs, { name, turned }] of tensors) {
    const { shape } = gpt2Tensor(name);
    const extents = turned ? shape : [...shape].reverse(); // the fastest first
    const type = kindOf(kind, theirs);
    infos.push(...string(theirs), u32(extents.length), ...extents.map(u64), u32(TYPES[type]), u64(offset));
    offset = aligned(
      offset +
        sizeOf(
          type,
          shape.reduce((a, b) => a * b),
        ),
    );
  }
  const all = keys();
  const head = [text.encode('GGUF'), u32(3), u64(tensors.size), u64(all.length), ...all.flat(), ...infos];
  const size = head.reduce((sum, piece) => sum + piece.length, 0);
  yield serialized({ size: aligned(size), pieces: head });
  for (const [theirs, { name, turned }] of tensors) {
    const { data } = turned ? transposed(gpt2Tensor(name)) : gpt2Tensor(name);
    const bytes = kindOf(kind, theirs) === 'F32' ? new Uint8Array(data.buffer) : q8(data);
    yield bytes;
    yield new Uint8Array(aligned(bytes.length) - bytes.length);
  }
}
