// What TypeScript knows of `glassformer/elements`: the module's own types, which the build makes, and the elements by their tags.

import type {
  AttentionArcs,
  AttentionHeatmap,
  GlassExhibit,
  GlassModel,
  HeadGrid,
  Spotted,
  TokenRow,
} from '../types/elements/index.js';

export * from '../types/elements/index.js';

declare global {
  interface HTMLElementTagNameMap {
    'attention-arcs': AttentionArcs;
    'attention-heatmap': AttentionHeatmap;
    'glass-exhibit': GlassExhibit;
    'glass-model': GlassModel;
    'head-grid': HeadGrid;
    'token-row': TokenRow;
  }

  // They rise: elements, their document and its window hear them.
  interface GlobalEventHandlersEventMap {
    'glass-hover': CustomEvent<Spotted>;
    'glass-select': CustomEvent<Spotted>;
    'glass-error': CustomEvent<{ code: string; message: string }>;
  }
}
