// Which way a text runs. Tokens stand in the order in which the text is read, whatever the language of the page.

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * The direction of the first letter, as dir="auto" has it; signs such as [CLS] are no text.
 * @param {string[]} texts
 * @returns {'ltr' | 'rtl'}
 */
export function directionOf(texts) {
  for (const text of texts) {
    const letter = /\p{L}/u.exec(text);
    if (letter) return RIGHT_TO_LEFT.test(letter[0]) ? 'rtl' : 'ltr';
  }
  return 'ltr';
}
