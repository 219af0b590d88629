// Builds the ONNX file of the decoder with past keys and values, as exporters write it: of one sequence any number of new
// tokens after any number of earlier ones.
import { GPT2, gpt2Tensor } from '../lib/gpt2.js';
import { FLOAT, Graph, INT64, valueInfo } from './onnx.js';
import { nested } from './protobuf.js';

/**
 * Inputs `ids` and `positions` [1, T] int64, `mask` [T, S] (added to scores), `past.{l}.key|value` [1, H, P, K]; outputs
 * `logits` [1, V] of the last token, `present.{l}.key|value` [1, H, S, K], where S = P + T.
 * @returns {import('./protobuf.js').Bytes} the file
 */
export function decoderGraph() {
  const { vocab_size: V, n_embd: D, n_head: H, n_layer: L, layer_norm_epsilon: epsilon } = GPT2;
  const K = D / H;
  const graph = new Graph();
  const tensor = (/** @type {string} */ name) => {
    const { shape, data } = gpt2Tensor(name);
    return graph.constant(shape, data);
  };
  const ints = (/** @type {number[]} */ ...values) =>
    graph.constant(
      [values.length],
      BigInt64Array.from(values, (value) => BigInt(value)),
    );
  const linear = (/** @type {string} */ x, /** @type {string} */ name) =>
    graph.node('Add', [graph.node('MatMul', [x, tensor(`${name}.weight`)]), tensor(`${name}.bias`)]);
  const norm = (/** @type {string} */ x, /** @type {string} */ name) =>
    graph.node('LayerNormalization', [x, tensor(`${name}.weight`), tensor(`${name}.bias`)], { axis: -1n, epsilon });

  const table = tensor('wte.weight');
  let x = graph.node('Add', [
    graph.node('Gather', [table, 'ids']),
    graph.node('Gather', [tensor('wpe.weight'), 'positions']),
  ]);
  const heads = ints(1, -1, H, K);
  const joined = ints(1, -1, D);
  const scale = graph.constant([], Float32Array.of(1 / Math.sqrt(K)));
  const inputs = [valueInfo('ids', INT64, [1, 'T']), valueInfo('positions', INT64, [1, 'T'])];
  inputs.push(valueInfo('mask', FLOAT, ['T', 'S']));
  for (let l = 0; l < L; l++) {
    const all = linear(norm(x, `h.${l}.ln_1`), `h.${l}.attn.c_attn`);
    const [query, key, value] = graph
      .nodes('Split', [all, ints(D, D, D)], 3, { axis: 2n })
      .map((part) => graph.node('Transpose', [graph.node('Reshape', [part, heads])], { perm: [0, 2, 1, 3] }));
    const [keys, values] = [key, value].map((part, i) => {
      const name = `${l}.${i === 0 ? 'key' : 'value'}`;
      inputs.push(valueInfo(`past.${name}`, FLOAT, [1, H, 'P', K]));
      const present = graph.node('Concat', [`past.${name}`, part], { axis: 2n });
      graph.output(present, `present.${name}`, [1, H, 'S', K]);
      return present;
    });
    const scores = graph.node('MatMul', [query, graph.node('Transpose', [keys], { perm: [0, 1, 3, 2] })]);
    const masked = graph.node('Add', [graph.node('Mul', [scores, scale]), 'mask']);
    const mixed = graph.node('MatMul', [graph.node('Softmax', [masked], { axis: 3n }), values]);
    const z = graph.node('Reshape', [graph.node('Transpose', [mixed], { perm: [0, 2, 1, 3] }), joined]);
    x = graph.node('Add', [linear(z, `h.${l}.attn.c_proj`), x]);
    const hidden = graph.node('Gelu', [linear(norm(x, `h.${l}.ln_2`), `h.${l}.mlp.c_fc`)], { approximate: 'tanh' });
    x = graph.node('Add', [linear(hidden, `h.${l}.mlp.c_proj`), x]);
  }
  const last = graph.node('Gather', [x, graph.constant([], BigInt64Array.of(-1n))], { axis: 1n }); // [1, D]
  graph.output(graph.node('Gemm', [norm(last, 'ln_f'), table], { transB: 1n }), 'logits', [1, V]);
  return graph.file(inputs.map((input) => nested(11, input)));
}
