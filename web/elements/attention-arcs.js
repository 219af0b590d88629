// <attention-arcs>: one head, queries on the left, keys on the right, a line for each weight that counts.

import { createArcsCanvas } from './canvas/index.js';
import { MatrixElement } from './matrix-element.js';
import { WORDS } from './words.js';

export class AttentionArcs extends MatrixElement {
  /** Scores have no total that a line could be a part of. @returns {'weights'} */
  get drawn() {
    return 'weights';
  }

  /** @returns {import('./matrix-element.js').Pen} */
  get pen() {
    const { room: width, spot, theme } = this;
    return {
      label: () => WORDS.arcs(spot.layer, spot.head),
      create: createArcsCanvas,
      place: (arcs, picture, height) => arcs.show({ ...picture, theme, width, height }),
    };
  }
}
