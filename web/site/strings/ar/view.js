// The words of the pictures' text alternatives, in Arabic.

import { count, ltr, token } from './count.js';

/** @type {import('../../../view/strings.js').Strings} */
export const VIEW = Object.freeze({
  weight: (query, key, weight) => `الاستعلام «${token(query)}»، المفتاح «${token(key)}»، الوزن ${weight}`,
  score: (query, key, score) => `الاستعلام «${token(query)}»، المفتاح «${token(key)}»، الدرجة ${ltr(score)}`,
  masked: (query, key) => `الاستعلام «${token(query)}»، المفتاح «${token(key)}»، محجوب: لا تجوز رؤية هذا المفتاح`,
  row: (query, parts) => `أكبر أوزان «${token(query)}» على ${parts}.`,
  scoreRow: (query, parts) => `أعلى درجات «${token(query)}» مع ${parts}.`,
  emptyRow: (query) => `ليس للرمز «${token(query)}» مفتاح تجوز له رؤيته؛ أوزانه كلها 0.`,
  part: (key, value) => `«${token(key)}» ${ltr(value)}`,
  list: (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join('، ')} و${parts[parts.length - 1]}`),
  headName: (layer, head) => `الطبقة ${layer}، الرأس ${head}`,
  picture: (rows, columns, name) =>
    `${name}: ` +
    `${count(rows, { one: 'استعلام واحد', two: 'استعلامان', few: 'استعلامات', many: 'استعلامًا', other: 'استعلام' })} × ` +
    count(columns, { one: 'مفتاح واحد', two: 'مفتاحان', few: 'مفاتيح', many: 'مفتاحًا', other: 'مفتاح' }),
  means: (parts) => `متوسط الوزن على ${parts}.`,
  previous: 'الرمز السابق',
  next: 'الرمز التالي',
  first: 'الرمز الأول',
  separator: 'الفواصل',
  same: 'الرمز نفسه',
  directions: {
    sequential: { light: 'الأكثر أغمق', dark: 'الأكثر أفتح' },
    diverging: { light: 'الأبعد عن 0 أغمق', dark: 'الأبعد عن 0 أفتح' },
  },
  weightTitle: 'الوزن',
  scoreTitle: 'الدرجة',
  squareRoot: 'مقياس الجذر التربيعي',
});
