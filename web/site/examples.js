// Texts to begin with, for each model that comes with the page: what it has learnt to read, whatever the page's language.

/** @type {Readonly<Record<string, string[]>>} */
export const EXAMPLES = Object.freeze({
  topics: [
    'a large wild cat with striped fur',
    'a sweet baked dish of fruit and pastry',
    'someone who plays the piano',
    'the feeling of being far from home',
  ],
  words: [
    'the [MASK] of being alone',
    'the state of [MASK] happy',
    'someone who [MASK] music',
    'a genus of tropical [MASK]',
    'the capital and largest [MASK] of France',
  ],
  austen: [
    'It is a truth universally acknowledged',
    'She had never been so ',
    '“My dear Mr. Bennet,” said his lady',
    'The evening passed',
  ],
  dates: [
    'Montag, 3. Februar 1986',
    'mardi 14 juillet 1992',
    'Friday, August 1, 1997',
    '2024年7月20日',
    '5 мая 1945 г.',
  ],
  pronounce: ['transformer', 'attention', 'knight', 'phoenix', 'colonel'],
  translate: [
    'In the beginning God created the heavens and the earth.',
    'He said to them, Where is your faith?',
    'The king rose up and went to the house of the Lord.',
    'Jesus wept.',
  ],
});
