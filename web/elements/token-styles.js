// What <token-row> looks like.

import { css } from 'lit';

export const tokenStyles = css`
  ol {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }

  .waiting {
    min-block-size: 3rem;
  }

  button {
    display: block;
    margin: 0;
    padding: 2px 8px 4px;
    border: 0;
    border-block-end: 3px solid transparent;
    background: none;
    font: inherit;
    font-family: var(--_mono);
    color: inherit;
    text-align: start;
    cursor: pointer;
  }

  .special {
    color: var(--_muted);
  }

  .query {
    border-color: var(--_query);
    color: var(--_query);
  }

  .key {
    border-color: var(--_key);
    color: var(--_key);
  }

  .query.key {
    border-color: var(--_accent);
    color: var(--_accent);
  }

  bdi {
    white-space: pre;
  }

  [aria-pressed='true'] bdi {
    font-weight: 600;
  }

  svg {
    display: block;
    inline-size: 0;
    min-inline-size: max(100%, 3em);
    block-size: 6px;
    margin-block-start: 2px;
    background: var(--_rule);
  }

  rect {
    fill: var(--_key);
  }

  span {
    display: block;
    min-block-size: 1.4em;
    color: var(--_muted);
    font-size: 0.85em;
    font-variant-numeric: tabular-nums;
  }

  .left-out {
    margin: 8px 0 0;
    color: var(--_muted);
  }

  /* Forced colours would draw what is transparent, and give bar and ground one colour. */
  @media (forced-colors: active) {
    button {
      border-color: Canvas;
    }

    .query,
    .key,
    .query.key {
      border-color: Highlight;
    }

    svg {
      background: none;
      border: 1px solid CanvasText;
    }

    rect {
      fill: CanvasText;
    }
  }

  @media (pointer: coarse) {
    button {
      min-block-size: 44px;
      min-inline-size: 44px;
    }
  }
`;
