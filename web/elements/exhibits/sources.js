// Where the core computes what an exhibit shows.

/** @type {Record<string, { file: string, line: number, symbol: string }>} */
export default {
  'scaled-dot-product': { file: 'cpp/ops/attention.cpp', line: 55, symbol: 'attention_scores' },
  softmax: { file: 'cpp/ops/attention.cpp', line: 118, symbol: 'softmax' },
  'multi-head': { file: 'cpp/model/functional_ops.cpp', line: 171, symbol: 'multi_head_attention_op' },
  masks: { file: 'cpp/model/functional_ops.cpp', line: 93, symbol: 'padding_mask_op' },
  'look-ahead': { file: 'cpp/model/functional_ops.cpp', line: 103, symbol: 'look_ahead_mask_op' },
  positions: { file: 'cpp/model/positions.cpp', line: 26, symbol: 'fill_row' },
  'layer-norm': { file: 'cpp/ops/norm.cpp', line: 18, symbol: 'layer_norm' },
  'rms-norm': { file: 'cpp/ops/norm.cpp', line: 38, symbol: 'rms_norm' },
  'feed-forward': { file: 'cpp/model/layers.cpp', line: 67, symbol: 'feed_forward' },
  activation: { file: 'cpp/ops/activation.cpp', line: 1, symbol: 'activation' },
  residual: { file: 'cpp/model/layers.cpp', line: 87, symbol: 'add' },
  dropout: { file: 'cpp/ops/dropout.cpp', line: 1, symbol: 'dropout' },
  encoder: { file: 'cpp/model/stack.cpp', line: 126, symbol: 'run' },
  'mean-pool': { file: 'cpp/ops/pooling.cpp', line: 1, symbol: 'mean_pool' },
  classification: { file: 'cpp/model/transformer.cpp', line: 100, symbol: 'pooled' },
  generation: { file: 'cpp/generate/generator.cpp', line: 1, symbol: 'Generator::step' },
  'beam-search': { file: 'cpp/generate/beams.cpp', line: 1, symbol: 'advance' },
  decoder: { file: 'cpp/model/layers.cpp', line: 80, symbol: 'transformer_layer' },
};
