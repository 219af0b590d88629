// Which Chromium the browser tests and benchmarks drive, and how it is started.
import { existsSync } from 'node:fs';
import { which } from './process.js';

const candidates = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of the browser: CHROMIUM from the environment, or the first found; undefined where there is none. */
export function findChromium() {
  return process.env.CHROMIUM || candidates.find((file) => existsSync(file)) || which('chromium');
}

/** Options for playwright-core's chromium.launch(). */
export function chromiumOptions() {
  return {
    executablePath: findChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // Chromium refuses root with a sandbox
      '--disable-gpu', // the same pixels on every machine
      '--disable-dev-shm-usage', // containers have a small /dev/shm
      '--force-color-profile=srgb',
      // No traffic of the browser's own.
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  };
}
