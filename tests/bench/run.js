// npm run bench -- [--only encoder,train,generate,size,view,sight,typing,hover] [--hosts node,chromium] [--rounds N]
// Peers side by side in one run: everything is timed in turns, and what counts are ratios.
import { parseArgs } from 'node:util';
import { servePages } from './lib/browser.js';
import { chromiumHost, nodeHost } from './lib/hosts.js';
import { machine } from './lib/machine.js';
import { markdown, print, save } from './lib/report.js';
import { encoderSuite } from './suites/encoder.js';
import { generateSuite } from './suites/generate.js';
import { hoverSuite } from './suites/hover.js';
import { sightSuite } from './suites/sight.js';
import { sizeSuite } from './suites/size.js';
import { trainSuite } from './suites/train.js';
import { typingSuite } from './suites/typing.js';
import { viewSuite } from './suites/view.js';

const SUITES = ['encoder', 'train', 'generate', 'size', 'view', 'sight', 'typing', 'hover'];
const HOSTS = ['node', 'chromium'];

/** A list out of known names. @param {string} option @param {string | undefined} value @param {string[]} known */
function listed(option, value, known) {
  const names = value === undefined ? known : value.split(',');
  const strange = names.find((name) => !known.includes(name));
  if (strange === undefined) return names;
  console.error(`--${option}: expected some of ${known.join(', ')}, got ${strange}`);
  return process.exit(2);
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, hosts: { type: 'string' }, rounds: { type: 'string' } },
});
const suites = listed('only', values.only, SUITES);
const hostNames = listed('hosts', values.hosts, HOSTS);
const given = values.rounds === undefined ? null : Number(values.rounds);
if (given !== null && !(Number.isInteger(given) && given > 0)) {
  console.error(`--rounds: expected a whole number from 1, got ${values.rounds}`);
  process.exit(2);
}

const progress = (/** @type {string} */ text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};
/** Fewer rounds need fewer to warm up, or a short check would take long. @param {number} rounds @param {number} warmUp */
const turns = (rounds, warmUp) => ({ rounds: given ?? rounds, warmUp: Math.min(warmUp, given ?? rounds), progress });

const about = await machine();
console.log(`\n${markdown({ head: ['', ''], rows: Object.entries(about) })}`);
const pages = await servePages();

/** Contenders of a suite are gone before the next: each begins with the memory to itself. @param {typeof encoderSuite} suite @param {ReturnType<typeof turns>} options */
async function withHosts(suite, options) {
  const hosts = [];
  try {
    for (const name of hostNames) hosts.push(name === 'node' ? await nodeHost() : await chromiumHost(pages.url));
    return await suite(hosts, options);
  } finally {
    for (const host of hosts) await host.close();
  }
}

/** @type {Record<string, () => Promise<import('./lib/report.js').Report>>} */
const run = {
  encoder: () => withHosts(encoderSuite, turns(20, 4)),
  train: () => withHosts(trainSuite, turns(10, 3)),
  generate: () =>
    withHosts((hosts, options) => generateSuite(hosts, pages.url('contenders.html'), options), turns(8, 2)),
  size: () => sizeSuite(pages.url, turns(5, 0)),
  view: () => viewSuite(pages.url, turns(60, 10)),
  sight: () => sightSuite(turns(5, 1)),
  typing: () => typingSuite(turns(3, 0)),
  hover: () => hoverSuite(turns(3, 1)),
};
/** @type {Record<string, import('./lib/report.js').Report>} */
const reports = {};
try {
  for (const name of suites) {
    reports[name] = await run[name]();
    progress('');
    print(reports[name]);
  }
} finally {
  await pages.close();
}
const date = new Date().toISOString();
console.log(`\n${date}; all figures are in ${save({ date, machine: about, ...reports })}`);
process.exit(0); // the libraries keep handles open
