// What axe-core finds wrong with a page.
import assert from 'node:assert/strict';
import AxeBuilder from '@axe-core/playwright';

/**
 * Rules that a page, or a part of it, breaks: a line each, with the elements that break it and what would mend them.
 *
 * axe runs in the page itself (“legacy”): the builder's other way opens a second page to join the results of frames, and a page
 * with frames is refused here. And axe is asked for violations only: it then describes none of the thousands of elements that pass.
 * The rules are the same; both together take half the time or less.
 * @param {import('playwright-core').Page} page without frames
 * @param {string} [within] a selector
 * @returns {Promise<string[]>}
 */
export async function barriers(page, within) {
  assert.equal(page.frames().length, 1, 'frames would not be looked into');
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (within) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html, failureSummary }) => `${target} ${html} ${failureSummary}`).join(' | ')}`,
  );
}
