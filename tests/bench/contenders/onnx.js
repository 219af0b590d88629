// Builds the ONNX file of a BERT encoder: the operators that an exporter writes, with weights as constants, for one batch of a
// fixed length, which is the form that gives the runtime most to prepare beforehand. Field numbers are those of onnx.proto3.
import { bytes, float, integer, message, nested, serialized, string } from './protobuf.js';

/** @typedef {import('./protobuf.js').Bytes} Bytes */
/** @typedef {import('../lib/parameters.js').Parameters} Parameters */
/** @typedef {import('../lib/parameters.js').Config} Config */

export const FLOAT = 1;
export const INT64 = 7;
const OPSET = 20; // the first with Gelu
const IR_VERSION = 9; // that opset's

/** Extents that are texts may be anything. @param {string} name @param {number} type @param {(number | string)[]} shape */
export const valueInfo = (name, type, shape) => [
  string(1, name),
  nested(2, [
    nested(1, [
      integer(1, type),
      nested(
        2,
        shape.map((extent) => nested(1, [typeof extent === 'number' ? integer(1, extent) : string(2, extent)])),
      ),
    ]),
  ]),
];

/** An attribute: a number is a float, a list holds integers, a bigint is one. @param {string} name @param {number | bigint | string | number[]} value */
function attribute(name, value) {
  if (typeof value === 'string') return [string(1, name), string(4, value), integer(20, 3)];
  if (Array.isArray(value)) return [string(1, name), ...value.map((v) => integer(8, v)), integer(20, 7)];
  if (typeof value === 'bigint') return [string(1, name), integer(3, value), integer(20, 2)];
  return [string(1, name), float(2, value), integer(20, 1)];
}

/** A graph as it grows. */
export class Graph {
  /** @type {Bytes[]} */ #nodes = [];
  /** @type {Bytes[]} */ #constants = [];
  /** @type {Bytes[]} */ #outputs = [];
  #count = 0;

  /** @param {number[]} shape @param {Float32Array | BigInt64Array} values @returns {string} its name */
  constant(shape, values) {
    const name = `c${this.#count++}`;
    const type = values instanceof Float32Array ? FLOAT : INT64;
    const fields = [...shape.map((extent) => integer(1, extent)), integer(2, type), string(8, name), bytes(9, values)];
    this.#constants.push(nested(5, fields));
    return name;
  }

  /**
   * @param {string} type of the operator
   * @param {string[]} inputs
   * @param {Record<string, number | bigint | string | number[]>} [attributes]
   * @returns {string} its output's name
   */
  node(type, inputs, attributes = {}) {
    return this.nodes(type, inputs, 1, attributes)[0];
  }

  /**
   * The same with several outputs.
   * @param {string} type
   * @param {string[]} inputs
   * @param {number} count
   * @param {Record<string, number | bigint | string | number[]>} [attributes]
   * @returns {string[]} their names
   */
  nodes(type, inputs, count, attributes = {}) {
    const outputs = Array.from({ length: count }, () => `v${this.#count++}`);
    const fields = [...inputs.map((input) => string(1, input)), ...outputs.map((output) => string(2, output))];
    fields.push(string(4, type));
    for (const [name, value] of Object.entries(attributes)) fields.push(nested(5, attribute(name, value)));
    this.#nodes.push(nested(1, fields));
    return outputs;
  }

  /** @param {string} value @param {string} name to be known by @param {(number | string)[]} shape */
  output(value, name, shape) {
    this.#nodes.push(nested(1, [string(1, value), string(2, name), string(4, 'Identity')]));
    this.#outputs.push(nested(12, valueInfo(name, FLOAT, shape)));
  }

  /** @param {Bytes[]} inputs @returns {Bytes} the file */
  file(inputs) {
    const graph = [...this.#nodes, string(2, 'graph'), ...this.#constants, ...inputs, ...this.#outputs];
    const opset = nested(8, [string(1, ''), integer(2, OPSET)]);
    return message([integer(1, IR_VERSION), opset, nested(7, graph)]);
  }
}

/** [out, in] as [in, out], which is how MatMul takes it. @param {import('../lib/parameters.js').Tensor} weight */
function transposed({ shape: [rows, columns], data }) {
  const values = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) values[j * rows + i] = data[i * columns + j];
  return values;
}

/**
 * Input `ids` [1, T] int64; outputs `hidden` [1, T, D] and, where recorded, `pattern.{l}` [1, H, T, T].
 * @param {Config} config
 * @param {Parameters} parameters
 * @param {{ length: number, record: boolean }} options
 * @returns {Uint8Array}
 */
export function encoderGraph(config, parameters, { length: T, record }) {
  const { hidden_size: D, num_attention_heads: H, num_hidden_layers: L, layer_norm_eps: epsilon } = config;
  const graph = new Graph();
  const at = (/** @type {string} */ name) => parameters.get(name);
  const vector = (/** @type {string} */ name) => graph.constant(at(name).shape, at(name).data);
  const ints = (/** @type {number[]} */ ...values) =>
    graph.constant(
      [values.length],
      BigInt64Array.from(values, (value) => BigInt(value)),
    );
  const linear = (/** @type {string} */ x, /** @type {string} */ name) => {
    const { shape } = at(`${name}.weight`);
    const weight = graph.constant([shape[1], shape[0]], transposed(at(`${name}.weight`)));
    return graph.node('Add', [graph.node('MatMul', [x, weight]), vector(`${name}.bias`)]);
  };
  const norm = (/** @type {string} */ x, /** @type {string} */ name) =>
    graph.node('LayerNormalization', [x, vector(`${name}.weight`), vector(`${name}.bias`)], { axis: 2n, epsilon });

  const word = graph.node('Gather', [vector('embeddings.word_embeddings.weight'), 'ids']);
  const fixed = new Float32Array(T * D); // positions and the first segment
  const [position, segment] = ['position', 'token_type'].map((kind) => at(`embeddings.${kind}_embeddings.weight`).data);
  for (let i = 0; i < fixed.length; i++) fixed[i] = position[i] + segment[i % D];
  let x = norm(graph.node('Add', [word, graph.constant([1, T, D], fixed)]), 'embeddings.LayerNorm');

  const heads = ints(1, T, H, D / H);
  const joined = ints(1, T, D);
  const scale = graph.constant([], Float32Array.of(1 / Math.sqrt(D / H)));
  for (let l = 0; l < L; l++) {
    const layer = `encoder.layer.${l}`;
    const split = (/** @type {string} */ part, /** @type {number[]} */ perm) =>
      graph.node('Transpose', [graph.node('Reshape', [linear(x, `${layer}.attention.self.${part}`), heads])], { perm });
    const scores = graph.node('MatMul', [split('query', [0, 2, 1, 3]), split('key', [0, 2, 3, 1])]);
    const pattern = graph.node('Softmax', [graph.node('Mul', [scores, scale])], { axis: 3n });
    if (record) graph.output(pattern, `pattern.${l}`, [1, H, T, T]);
    const weighted = graph.node('MatMul', [pattern, split('value', [0, 2, 1, 3])]);
    const z = graph.node('Reshape', [graph.node('Transpose', [weighted], { perm: [0, 2, 1, 3] }), joined]);
    const attended = linear(z, `${layer}.attention.output.dense`);
    x = norm(graph.node('Add', [attended, x]), `${layer}.attention.output.LayerNorm`);
    const hidden = graph.node('Gelu', [linear(x, `${layer}.intermediate.dense`)]);
    x = norm(graph.node('Add', [linear(hidden, `${layer}.output.dense`), x]), `${layer}.output.LayerNorm`);
  }
  graph.output(x, 'hidden', [1, T, D]);
  return serialized(graph.file([nested(11, valueInfo('ids', INT64, [1, T]))]));
}
