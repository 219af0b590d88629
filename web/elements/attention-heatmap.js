// <attention-heatmap>: one head, a row for each query and a column for each key.

import { barTitle } from '../view/index.js';
import { createHeatmapCanvas } from './canvas/index.js';
import { MatrixElement } from './matrix-element.js';
import { WORDS } from './words.js';

export class AttentionHeatmap extends MatrixElement {
  /** @returns {import('./matrix-element.js').Pen} */
  get pen() {
    const { kind, room: width, spot, theme } = this;
    return {
      label: () => WORDS.heatmap(kind, spot.layer, spot.head),
      create: createHeatmapCanvas,
      place: (heatmap, picture, height) =>
        heatmap.show({ picture, theme, width, height, barTitle: barTitle(picture.scale, picture.palette) }),
    };
  }
}
