// What may wait until the pointer rests: words that nobody reads while they change, and numbers that take another run.

/** From here on a reader would notice the wait. Milliseconds. */
const REST = 100;

/**
 * Runs `work` when it has not been asked for during a rest, however often it was asked for before.
 * @param {() => void} work
 * @returns {() => void}
 */
export function whenResting(work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, REST);
  };
}
