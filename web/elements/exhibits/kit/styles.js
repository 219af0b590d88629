// How an exhibit looks. All colours and fonts are custom properties that a page can set; what it inherits it keeps. It is long, as a
// shadow tree takes one sheet for all that stands in it.

import { css } from 'lit';

export const exhibitStyles = css`
  :host {
    display: block;
    container-type: inline-size;
    font-size: 16px;
    line-height: 24px;
  }
  header {
    max-width: 65ch;
    margin-bottom: 8px;
  }
  h2 {
    margin: 0;
    font: 600 22px/32px var(--glass-sans);
  }
  .number {
    color: var(--glass-muted);
    font-variant-numeric: tabular-nums;
    margin-inline-end: 8px;
  }
  .prose,
  figcaption,
  .wrong .says {
    max-width: 65ch;
    font-family: var(--glass-serif, Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif);
  }
  /* They begin where the figure does, in a page from right to left too. */
  header,
  .prose,
  .equation {
    margin-inline-end: auto;
  }
  .prose p {
    margin: 0 0 16px;
  }
  dfn,
  cite {
    font-style: italic;
  }
  .equation {
    overflow-x: auto;
    padding-block: 8px;
    font-size: 18px;
    max-width: 62ch;
  }
  .equation math + math {
    margin-top: 8px;
  }
  mi.query,
  b.query {
    color: var(--glass-query);
  }
  mi.key,
  b.key {
    color: var(--glass-key);
  }
  mi.value,
  b.value {
    color: var(--glass-positive);
  }
  mi.accent,
  .accent {
    color: var(--glass-accent);
    fill: var(--glass-accent);
  }
  summary {
    cursor: pointer;
    color: var(--glass-muted);
    width: fit-content;
  }
  .symbols {
    margin-top: 8px;
  }
  .symbols table {
    border-collapse: collapse;
    margin: 8px 0 16px;
    font-size: 14px;
    line-height: 20px;
  }
  .symbols td,
  .symbols th {
    padding-block: 4px;
    padding-inline: 0 16px;
    text-align: start;
    vertical-align: baseline;
    font-weight: 400;
    border-bottom: 1px solid var(--glass-rule);
  }
  .tensors th,
  .tensors td {
    padding-inline: 0 16px;
    text-align: start;
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  .symbols .shape,
  .tensors .shape,
  .matrix .shape,
  .cut .shape {
    font-family: var(--glass-mono);
    font-size: 13px;
    color: var(--glass-muted);
    white-space: nowrap;
  }
  figure {
    margin: 16px 0 0;
    padding: 16px 0 8px;
    border-block: 1px solid var(--glass-rule);
    font: 14px/20px var(--glass-sans);
  }
  figcaption {
    margin-top: 16px;
    font-size: 15px;
    line-height: 22px;
  }
  .stage {
    min-height: 96px;
    position: relative;
  }
  /* A computation that takes long dims what it will replace; a short one does not flicker. */
  .stage.busy {
    opacity: 0.6;
    transition: opacity 150ms 300ms;
  }
  @media (prefers-reduced-motion: reduce) {
    .stage.busy {
      transition-duration: 0s;
    }
  }
  .controls,
  .foot,
  .line-of {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 24px;
    align-items: center;
  }
  .controls {
    margin-bottom: 16px;
  }
  .line-of {
    align-items: flex-start;
    gap: 16px 32px;
  }
  /* What is too wide scrolls inside its own place. */
  .line-of > * {
    min-width: 0;
    max-width: 100%;
  }
  .controls.orders {
    margin-top: 24px;
  }
  .line-of.tight {
    gap: 16px;
  }
  .stage > .line-of + .line-of {
    margin-top: 24px;
  }
  .stage > .written {
    margin-block: 0 16px;
  }
  .stage > .note + .line-of {
    margin-top: 16px;
  }
  .note + ul.bars {
    margin-top: 4px;
  }
  /* Where a column begins with words, they stand on the line of its neighbour's name. */
  .line-of > div > .note:first-child {
    margin-top: 0;
  }
  .matrix + .controls,
  .line-of + .controls:not(.orders) {
    margin-top: 8px;
  }
  .line-of > div:not(.line-of) > .matrix + .matrix {
    margin-top: 8px;
  }
  .line-of > .sign {
    align-self: center;
    color: var(--glass-muted);
    font-size: 18px;
  }
  .wrong {
    margin-top: 16px;
  }
  .wrong .says {
    margin: 8px 0 0;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--glass-accent);
    font-size: 15px;
    line-height: 22px;
  }
  .foot {
    margin-top: 8px;
    font: 14px/20px var(--glass-sans);
    color: var(--glass-muted);
  }
  a,
  .link {
    color: var(--glass-text);
    text-decoration: underline;
    text-decoration-color: var(--glass-rule);
    text-underline-offset: 4px;
  }
  a:hover,
  .link:hover {
    text-decoration-color: currentcolor;
  }
  button {
    font: inherit;
    color: inherit;
    padding: 0;
    border: 0;
    background: none;
    cursor: pointer;
  }
  button:disabled {
    color: var(--glass-muted);
    text-decoration: none;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--glass-accent);
    outline-offset: 2px;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
  }
  .choice legend {
    float: inline-start;
    padding: 0;
    margin-inline-end: 12px;
    color: var(--glass-muted);
  }
  .choice label {
    position: relative;
    cursor: pointer;
  }
  .choice input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }
  .choice span {
    color: var(--glass-muted);
    border-bottom: 2px solid transparent;
  }
  .choice label:hover span {
    color: var(--glass-text);
  }
  .choice input:checked + span {
    color: var(--glass-accent);
    border-color: currentcolor;
  }
  .choice input:focus-visible + span {
    outline: 2px solid var(--glass-accent);
    outline-offset: 2px;
  }
  .slider,
  .line,
  .toggle {
    display: inline-flex;
    gap: 8px;
    align-items: center;
  }
  /* A field that does not fit beside its name stands below it. */
  .line {
    flex-wrap: wrap;
    max-width: 100%;
  }
  .slider > span,
  .line > span {
    color: var(--glass-muted);
  }
  .slider output {
    font-family: var(--glass-mono);
    font-variant-numeric: tabular-nums;
    min-width: 4ch;
  }
  input[type='range'] {
    accent-color: var(--glass-accent);
    width: 160px;
    max-width: 50cqi;
  }
  input[type='checkbox'] {
    accent-color: var(--glass-accent);
  }
  .line input {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-bottom: 1px solid var(--glass-rule);
    padding: 4px 0;
    min-width: min(32ch, 70cqi);
    max-width: 100%;
    field-sizing: content;
  }
  .matrix {
    max-width: 100%;
  }
  .matrix .name {
    margin: 0 0 4px;
    white-space: nowrap;
  }
  @media (max-width: 759px) {
    .matrix .name {
      white-space: normal;
    }
  }
  .matrix .name b {
    font-weight: 600;
  }
  /* Names with a power stand on the line of the others. */
  .name sup {
    line-height: 0;
  }
  .matrix .scroll {
    overflow-x: auto;
    max-width: 100%;
  }
  .matrix table {
    border-collapse: collapse;
    font: 13px/20px var(--glass-mono);
    font-variant-numeric: tabular-nums;
  }
  .matrix th {
    font-weight: 400;
    color: var(--glass-muted);
    padding: 0 8px 0 0;
    text-align: end;
    white-space: nowrap;
  }
  .matrix thead th {
    padding: 0 4px;
    text-align: center;
  }
  /* A long name does not widen its column: it is whole beside its row, or when pointed at. */
  .matrix thead bdi {
    display: block;
    max-width: 9ch;
    margin-inline: auto;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .matrix tbody td {
    text-align: end;
    min-width: 40px;
    height: 28px;
    padding: 0 6px;
    border: 1px solid var(--glass-background);
    font-size: 13px;
  }
  .matrix td.marked {
    outline: 2px solid var(--glass-accent);
    outline-offset: -2px;
  }
  .matrix td.along {
    box-shadow:
      inset 0 2px 0 var(--glass-accent),
      inset 0 -2px 0 var(--glass-accent);
  }
  .matrix td.down {
    box-shadow:
      inset 2px 0 0 var(--glass-accent),
      inset -2px 0 0 var(--glass-accent);
  }
  .matrix td.hatched,
  .hatched {
    background: repeating-linear-gradient(135deg, var(--glass-rule) 0 1px, transparent 1px 5px);
  }
  .matrix td:has(input),
  .matrix td:has(button) {
    padding: 0;
  }
  .matrix td input,
  .matrix td button {
    width: 52px;
    height: 28px;
    padding: 0 6px;
    border: 0;
    border-bottom: 1px dotted currentcolor;
    background: none;
    font: inherit;
    color: inherit;
    text-align: end;
    appearance: textfield;
    -moz-appearance: textfield;
  }
  .matrix td button {
    border: 0;
    width: 100%;
    min-width: 40px;
  }
  .matrix td input::-webkit-inner-spin-button {
    display: none;
  }
  .strip {
    flex: 1 1 320px;
    min-width: 0;
    max-width: 100%;
  }
  .strip .name,
  .strip .scale {
    margin: 0 0 4px;
  }
  .strip .name b {
    font-weight: 600;
  }
  .strip .shape {
    font-family: var(--glass-mono);
    font-size: 13px;
    color: var(--glass-muted);
    white-space: nowrap;
  }
  .strip .rows {
    display: flex;
    gap: 8px;
  }
  .strip ol {
    font: 13px var(--glass-mono);
    line-height: inherit;
    color: var(--glass-muted);
    text-align: end;
    white-space: nowrap;
  }
  .strip canvas {
    flex: 1 1 auto;
    width: 100%;
    min-width: 0;
    image-rendering: pixelated;
  }
  .strip .scale {
    display: flex;
    gap: 8px;
    align-items: center;
    margin-top: 4px;
    font: 12px/16px var(--glass-mono);
    color: var(--glass-muted);
  }
  .strip .ramp {
    width: 96px;
    height: 8px;
  }
  .pixels {
    position: relative;
    max-width: 100%;
    border: 1px solid var(--glass-rule);
  }
  .pixels canvas {
    display: block;
    width: 100%;
    height: 100%;
    image-rendering: pixelated;
  }
  .choosable canvas {
    cursor: crosshair;
  }
  .pixels .frame {
    position: absolute;
    min-width: 3px;
    min-height: 3px;
    box-sizing: border-box;
    outline: 1.5px solid var(--glass-accent);
    pointer-events: none;
  }
  .color-bar {
    display: flex;
    gap: 8px;
    align-items: center;
    margin: 4px 0 0;
    font-size: 13px;
  }
  .color-bar .ramp {
    width: 120px;
    height: 12px;
    border: 1px solid var(--glass-rule);
  }
  .chain {
    margin: 16px 0 0;
    max-width: 90ch;
  }
  .large {
    flex: 1 1 320px;
    min-width: 0;
    max-width: 640px;
  }
  .cut {
    margin-block: 8px;
  }
  .cut .name {
    margin: 0 0 4px;
  }
  .pieces {
    display: flex;
    gap: 4px;
    max-width: 768px;
  }
  .piece {
    flex: 1;
    display: block;
    text-align: start;
  }
  .piece .columns {
    display: block;
    height: 20px;
  }
  .piece[aria-pressed='true'] .columns,
  .thumbnails [aria-pressed='true'] .pixels {
    outline: 2px solid var(--glass-accent);
    outline-offset: 1px;
  }
  .piece .head-name {
    display: block;
    font-size: 13px;
    line-height: 20px;
  }
  button.piece,
  .thumbnails .head-name {
    border-top: 4px solid var(--head);
  }
  .head-0 {
    --head: #0072b2;
  }
  .head-1 {
    --head: #e69f00;
  }
  .head-2 {
    --head: #009e73;
  }
  .head-3 {
    --head: #cc79a7;
  }
  .thumbnails {
    display: grid;
    grid-template-columns: repeat(2, max-content);
    gap: 8px;
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .thumbnails .head-name {
    display: block;
    text-align: start;
    margin-bottom: 4px;
    font-size: 13px;
  }
  .row-bars .name {
    margin: 0 0 4px;
  }
  svg .column {
    fill: var(--glass-muted);
  }
  svg .band {
    fill: var(--glass-muted);
    fill-opacity: 0.2;
  }
  svg .mean {
    stroke: var(--glass-accent);
    stroke-width: 2;
  }
  svg text {
    fill: var(--glass-text);
    font: 12px var(--glass-sans);
    font-variant-numeric: tabular-nums;
  }
  svg .tick,
  svg .axis {
    fill: var(--glass-muted);
  }
  /* It may stand on a curve. */
  svg .tick.accent {
    fill: var(--glass-accent);
    paint-order: stroke;
    stroke: var(--glass-background);
    stroke-width: 4px;
  }
  svg .grid {
    stroke: var(--glass-rule);
  }
  svg .mark {
    stroke: var(--glass-accent);
  }
  svg .curve {
    fill: none;
    stroke: var(--glass-text);
    stroke-width: 2;
  }
  svg .curve.query {
    stroke: var(--glass-query);
  }
  svg .curve.key {
    stroke: var(--glass-key);
  }
  svg .curve.accent {
    fill: none;
    stroke: var(--glass-accent);
  }
  svg .curve.muted {
    stroke: var(--glass-muted);
  }
  svg .curve.dashed {
    stroke-dasharray: 6 4;
  }
  svg {
    max-width: 100%;
    height: auto;
    /* The last number under an axis stands half beyond its end. */
    overflow: visible;
  }
  svg.draggable {
    cursor: ew-resize;
    touch-action: pan-y;
  }
  .tree {
    overflow-x: auto;
    padding-block: 8px;
  }
  .tree svg {
    max-width: none;
  }
  .tree path {
    fill: none;
    stroke: var(--glass-rule);
    stroke-width: 1.5;
  }
  .tree text {
    font: 13px var(--glass-mono);
    fill: var(--glass-muted);
  }
  .tree path.chosen {
    stroke: var(--glass-accent);
    stroke-width: 2;
  }
  .tree text.chosen {
    fill: var(--glass-text);
    font-weight: 600;
  }
  .legend,
  ul.bars {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 24px;
  }
  .legend li::before {
    content: '';
    display: inline-block;
    width: 24px;
    margin-inline-end: 8px;
    vertical-align: middle;
    border-top: 2px solid var(--glass-text);
  }
  .legend .query::before {
    border-color: var(--glass-query);
  }
  .legend .key::before {
    border-color: var(--glass-key);
  }
  .legend .accent {
    color: inherit;
  }
  .legend .accent::before {
    border-color: var(--glass-accent);
  }
  .legend .muted::before {
    border-color: var(--glass-muted);
  }
  .legend .dashed::before {
    border-top-style: dashed;
  }
  ul.bars {
    display: grid;
    grid-template-columns: max-content minmax(40px, 240px) max-content;
    gap: 4px 12px;
    align-items: center;
  }
  ul.bars li {
    display: contents;
  }
  ul.bars .bar {
    height: 12px;
    background: none;
  }
  ul.bars .bar span {
    display: block;
    height: 100%;
    background: var(--glass-muted);
  }
  ul.bars .bar.query span {
    background: var(--glass-query);
  }
  ul.bars .bar.key span {
    background: var(--glass-key);
  }
  ul.bars .bar.accent span {
    background: var(--glass-accent);
  }
  .value,
  .num {
    font-family: var(--glass-mono);
    font-variant-numeric: tabular-nums;
  }
  .note {
    color: var(--glass-muted);
    margin: 8px 0 0;
    max-width: 65ch;
  }
  .problem {
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--glass-accent);
    overflow-wrap: anywhere;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (pointer: coarse) {
    button,
    summary,
    input,
    .choice label,
    .toggle,
    .foot a {
      min-height: 44px;
    }
    .choice label,
    .foot a {
      display: inline-flex;
      align-items: center;
    }
    .choice {
      align-items: center;
    }
    .matrix td input,
    .matrix td button {
      height: 44px;
    }
  }
  /* Cells, bars and lines are the picture: they keep their colours, which are the system's or made for the numbers on them. */
  @media (forced-colors: active) {
    .matrix tbody td,
    .bar span,
    .legend li::before,
    .piece,
    .ramp,
    .thumbnails .head-name {
      forced-color-adjust: none;
    }
    /* Lines as dark as the text would cross it out. */
    .matrix td.hatched {
      background: none;
      color: GrayText;
      outline: 1px dashed GrayText;
      outline-offset: -3px;
    }
    /* What is transparent would be drawn. */
    .choice span {
      border-bottom-color: Canvas;
    }
    .choice input:checked + span {
      border-bottom-color: Highlight;
    }
  }
  @media print {
    .foot,
    .controls {
      display: none;
    }
  }
`;
