// What all elements look like inside. Style sheets are made by script and adopted, which a strict policy allows.

import { css } from 'lit';

export const sharedStyles = css`
  :host {
    display: block;
    position: relative;
    min-width: 0;
    color: var(--glass-text, inherit);
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  /* Its colour follows the page's, and the end of the change is an event: so canvases follow a theme that a page switches. */
  #probe {
    position: absolute;
    width: 0;
    height: 0;
    overflow: hidden;
    visibility: hidden;
    forced-color-adjust: none;
    transition: color 1ms;
  }

  .frame {
    min-width: 0;
    overflow: auto hidden;
  }

  canvas {
    display: block;
    touch-action: pan-y;
    cursor: default;
  }

  p,
  ol,
  ul {
    margin: 0;
    padding: 0;
  }

  ol,
  ul {
    list-style: none;
  }

  .says {
    color: var(--_muted);
  }

  :focus-visible {
    outline: 2px solid var(--_accent, currentcolor);
    outline-offset: 2px;
  }

  /* There for screen readers only. */
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .problem {
    max-width: 90ch;
    padding-left: 12px;
    border-left: 2px solid var(--_accent, currentcolor);
    overflow-wrap: anywhere;
  }

  .problem strong {
    font-weight: 600;
  }
`;
