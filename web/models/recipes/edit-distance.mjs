// How far what a model says is from what it should say, as speech research counts it.

/**
 * Levenshtein's distance: the fewest insertions, deletions and substitutions that make one list of the other.
 * @param {readonly unknown[]} from
 * @param {readonly unknown[]} to
 * @returns {number}
 */
export function editDistance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1));
    row = next;
  }
  return row[to.length];
}

/**
 * Word and phoneme error. A word is right if it equals any of its references; its phoneme errors are the distance to the nearest
 * reference (the shortest of equally near ones), whose length is what they are a share of. That is the usual way to score a
 * dictionary that lists several pronunciations for a word.
 * @param {readonly (readonly unknown[])[]} said one list a word
 * @param {readonly (readonly (readonly unknown[])[])[]} references at least one list for each word
 * @returns {{ wordError: number, phonemeError: number }} shares; the phonemes' may pass 1
 */
export function errorRates(said, references) {
  let wrong = 0;
  let errors = 0;
  let length = 0;
  said.forEach((word, i) => {
    const [nearest] = references[i]
      .map((reference) => ({ distance: editDistance(word, reference), length: reference.length }))
      .sort((a, b) => a.distance - b.distance || a.length - b.length);
    wrong += nearest.distance > 0 ? 1 : 0;
    errors += nearest.distance;
    length += nearest.length;
  });
  return { wordError: wrong / said.length, phonemeError: errors / length };
}
