// What the elements that draw attention look like.

import { css } from 'lit';

export const attentionStyles = css`
  .frame {
    block-size: var(--glass-height, auto);
    outline-offset: 0;
  }

  .waiting {
    min-block-size: var(--glass-height, 8rem);
  }

  ::slotted([slot='caption']) {
    margin-block-start: 8px;
  }
`;
