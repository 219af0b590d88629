// The exhibits in the order of the course. Each is loaded when it is first shown.

/** @typedef {{ name: string, title: string, load: () => Promise<{ default: import('./kit/types.js').Exhibit }> }} Entry */

/** @type {ReadonlyArray<Entry>} */
export const EXHIBITS = Object.freeze([
  { name: 'self-attention', title: 'Self-attention', load: () => import('./self-attention.js') },
  { name: 'scaled-dot-product', title: 'Scaled dot-product attention', load: () => import('./scaled-dot-product.js') },
  { name: 'multi-head', title: 'Several heads', load: () => import('./multi-head.js') },
  { name: 'masks', title: 'Masks', load: () => import('./masks.js') },
  { name: 'positions', title: 'Positions', load: () => import('./positions.js') },
  { name: 'layer-norm', title: 'Layer normalization', load: () => import('./layer-norm.js') },
  { name: 'feed-forward', title: 'Feed-forward network', load: () => import('./feed-forward.js') },
  { name: 'residual', title: 'Residual connection and dropout', load: () => import('./residual.js') },
  { name: 'encoder', title: 'Encoder', load: () => import('./encoder.js') },
  { name: 'decoder', title: 'Decoder', load: () => import('./decoder.js') },
  { name: 'translation', title: 'Translation, step by step', load: () => import('./translation.js') },
  { name: 'classification', title: 'Classifying a text', load: () => import('./classification.js') },
  { name: 'heatmap', title: 'Reading a heatmap', load: () => import('./heatmap.js') },
  { name: 'training', title: 'Training', load: () => import('./training.js') },
  { name: 'caching', title: 'The cache of keys and values', load: () => import('./caching.js') },
  { name: 'checkpointing', title: 'Gradient checkpointing', load: () => import('./checkpointing.js') },
  { name: 'papers', title: 'Papers, and cheaper attention', load: () => import('./papers.js') },
]);
