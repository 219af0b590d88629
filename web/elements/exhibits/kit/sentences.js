// Thirty-six sentences in three classes, written for the classification figure: enough to train a small model in a blink.

export const CLASSES = /** @type {const} */ (['animals', 'food', 'weather']);

/** By class, in the order of CLASSES. */
export const SENTENCES = [
  [
    'the cat sat on the mat',
    'a dog chased the cat',
    'the horse ran over the field',
    'birds sing in the old tree',
    'a fox slept under the tree',
    'the dog sleeps by the door',
    'two mice hid from the cat',
    'the bird flew over the house',
    'a cow stood in the field',
    'the fish swam in the pond',
    'our horse eats grass all day',
    'a frog jumped into the pond',
  ],
  [
    'we ate warm bread with butter',
    'the soup was hot and salty',
    'she baked a cake with apples',
    'fresh bread smells good',
    'he cooked rice with beans',
    'the cake was too sweet',
    'they drank tea with milk',
    'a bowl of soup and bread',
    'the apples taste sweet',
    'we fried fish with garlic',
    'he eats cheese all day',
    'the tea was hot in the house',
  ],
  [
    'it rained on the house all day',
    'the wind was cold and strong',
    'snow fell over the field',
    'the sun is warm in spring',
    'dark clouds hid the sun',
    'a storm came over the sea',
    'the fog was thick by the pond',
    'it is cold and snow may fall',
    'the rain stopped in the night',
    'a warm wind came from the sea',
    'the night was clear and cold',
    'hail fell on the old tree',
  ],
];

/** Number 0 fills up, number 1 stands for words that are not in the list. */
export const PAD = 0;
export const UNKNOWN = 1;

/** Words by number: in alphabetical order, so that a word has the same number in every run. @type {string[]} */
export const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  ...new Set(
    SENTENCES.flat()
      .flatMap((text) => text.split(' '))
      .sort(),
  ),
];

/** @param {string} text @param {string[]} [vocabulary] @returns {{ words: string[], ids: number[] }} */
export function numbered(text, vocabulary = VOCABULARY) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    words,
    ids: words.map((word) => {
      const id = vocabulary.indexOf(word);
      return id < 0 ? UNKNOWN : id;
    }),
  };
}
