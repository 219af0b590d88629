// Where the core computes what an exhibit shows.

/** @type {Record<string, { file: string, line: number, symbol: string }>} */
export default {
  'scaled-dot-product': { file: 'cpp/ops/attention.cpp', line: 1, symbol: 'attention' },
};
