// The words of other views of the heads, in Arabic.

import { count, ltr, token } from './count.js';

/** @param {number} heads */
const ofHeads = (heads) => count(heads, { one: 'رأس واحد', two: 'رأسين', few: 'رؤوس', many: 'رأسًا', other: 'رأس' });
/** @param {number} tokens */
const ofTokens = (tokens) => count(tokens, { one: 'رمز واحد', two: 'رمزين', few: 'رموز', many: 'رمزًا', other: 'رمز' });
/** @param {number} rows */
const ofRows = (rows) => count(rows, { one: 'صف واحد', two: 'صفّان', few: 'صفوف', many: 'صفًّا', other: 'صف' });
/** @param {number} columns */
const ofColumns = (columns) =>
  count(columns, { one: 'عمود واحد', two: 'عمودان', few: 'أعمدة', many: 'عمودًا', other: 'عمود' });

/** @type {import('../../strings.js').Shape<typeof import('../en/views.js').VIEWS>} */
export const VIEWS = Object.freeze({
  more: 'عروض أخرى',
  heads: 'الرؤوس',
  one: 'رأس واحد',
  reductions: {
    mean: { heads: 'متوسط الطبقة', layers: 'متوسط هذا الرأس في كل الطبقات', all: 'متوسط الكل' },
    max: { heads: 'أكبر ما في الطبقة', layers: 'أكبر ما لهذا الرأس في كل الطبقات', all: 'أكبر ما في الكل' },
  },
  of: {
    mean: (heads) => `متوسط ${ofHeads(heads)}`,
    max: (heads) => `أكبر ما في ${ofHeads(heads)}`,
  },
  special: 'الرموز الخاصة',
  specials: { shown: 'ظاهرة', hidden: 'مخفية', renormalised: 'مخفية، ومجموع كل صف 1 من جديد' },
  unit: 'الصفوف والأعمدة',
  units: { tokens: 'رموز', words: 'كلمات' },
  notes: {
    hidden: 'من دون الرموز الخاصة',
    renormalised: 'من دون الرموز الخاصة، ومجموع كل صف 1 من جديد',
    words: 'بالكلمات',
  },
  says: {
    mean: (heads) =>
      `كل خلية هي *متوسط* (mean) تلك الخلية في ${ofHeads(heads)}: لا يحسبها رأس بعينه، وليس لها صيغة خاصة بها.`,
    max: (heads) =>
      `كل خلية هي أكبر قيمة لتلك الخلية في ${ofHeads(heads)}: لا يحسبها رأس بعينه، وقد يزيد مجموع الصف على 1.`,
    words: `الوزن إلى كلمة هو مجموع الأوزان إلى رموزها؛ والوزن من كلمة هو متوسط الأوزان من رموزها (${ltr('Clark et al. 2019')}).`,
    hidden: 'لا تظهر صفوف الرموز الخاصة وأعمدتها، ولذلك قد يقل مجموع الصف عن 1.',
    renormalised: 'لا تظهر صفوف الرموز الخاصة وأعمدتها، ويُقسم كل صف على ما بقي منه ليكون مجموعه 1.',
  },
  weightsOnly: 'تُجمع الرؤوس معًا، وتصير الرموز كلمات، للأوزان وحدها: فليس للدرجات مجموع ولا متوسط ينفع.',

  whyMean: (value, heads) => `${ltr(value)} متوسط ${ofHeads(heads)}. يضيف كل منها وزنه مقسومًا على ${heads}:`,
  whyMax: (value, heads) => `${ltr(value)} أكبر وزن هنا بين ${ofHeads(heads)}:`,
  whyMaxWords: 'يؤخذ الأكبر رمزًا رمزًا. ووزن كل رأس على هذه الكلمات:',
  whyWords: (value, queries, keys) =>
    queries === 1
      ? `${ltr(value)} مجموع ${ofTokens(keys)} من المفتاح:`
      : keys === 1
        ? `${ltr(value)} متوسط ${ofTokens(queries)} من الاستعلام:`
        : `${ltr(value)} مجموع ${ofTokens(keys)} من المفتاح، مقسومًا على ${ofTokens(queries)} من الاستعلام:`,
  whyDivided: (before, sum, value) =>
    `${ltr(`${before} ÷ ${sum} = ${value}`)}، حيث ${ltr(sum)} ما بقي من الصف من دون الرموز الخاصة.`,
  cellOf: (query, key) => `${token(query)} ← ${token(key)}`,
  openHead: (name, value) => `${name}: الوزن ${ltr(value)}، اعرض هذا الرأس`,
  openCell: (name, value) => `${name}: ${ltr(value)}، اعرض هذه الخلية من الرموز`,

  sort: 'ترتيب الرؤوس حسب',
  unsorted: 'الطبقة والرأس',
  patterns: {
    previous: 'الرمز السابق',
    next: 'الرمز التالي',
    first: 'الرمز الأول',
    itself: 'الرمز نفسه',
    separator: 'الفواصل',
    duplicate: 'الرمز ذاته فيما سبق',
    entropy: 'الإنتروبيا',
  },
  patternsSay: {
    previous: 'متوسط وزن الرمز على الذي قبله.',
    next: 'متوسط وزن الرمز على الذي بعده.',
    first: 'متوسط الوزن على الرمز الأول.',
    itself: 'متوسط وزن الرمز على نفسه: القطر.',
    separator: 'متوسط الوزن على الفواصل كلها معًا.',
    duplicate: 'متوسط وزن الرمز على كل ما يماثله قبله، بين الرموز التي لها ما يماثلها.',
    entropy:
      'متوسط *إنتروبيا* (entropy) الصف: 0 بت إذا كان الوزن كله على مفتاح واحد، وأكبر ما تكون إذا توزّع بالتساوي. والنسبة المئوية من أكبر قيمة ممكنة.',
  },
  formulas: {
    previous: `متوسط ${ltr('A[i, i−1]')} على ${ltr('i')}`,
    next: `متوسط ${ltr('A[i, i+1]')} على ${ltr('i')}`,
    first: `متوسط ${ltr('A[i, 0]')} على ${ltr('i')}`,
    itself: `متوسط ${ltr('A[i, i]')} على ${ltr('i')}`,
    separator: `متوسط ${ltr('Σₛ A[i, s]')} على ${ltr('i')}`,
    duplicate: `متوسط ${ltr('Σⱼ A[i, j]')} على ${ltr('i')}؛ ${ltr('j < i')}، والرمز ذاته`,
    entropy: `متوسط ${ltr('−Σⱼ A[i, j] log₂ A[i, j]')} على ${ltr('i')}`,
  },
  sorted: (pattern) => `الرؤوس حسب ${pattern}، من الأعلى إلى الأدنى`,
  noScore: 'لا يوجد هنا',
  bits: (bits, percent) => `${ltr(bits)} بت، ${ltr(`${percent}%`)}`,

  compare: 'المقارنة مع',
  comparisons: {
    none: 'لا شيء',
    head: 'رأس آخر',
    text: 'نص آخر',
    model: 'نموذج آخر',
    edits: 'التشغيل من دون تغييرات',
  },
  first: 'الأولى',
  second: 'الثانية',
  secondText: 'نص الصورة الثانية',
  changed: 'مع التغييرات',
  unchanged: 'من دون تغييرات',
  nothingChanged: 'لم يُغيَّر شيء في هذا التشغيل.',
  otherModelSays: 'يقرأ النموذج الثاني النص نفسه بمجزِّئه الخاص.',
  choosePlace: 'اختر خلية في أي صورة: تُختار في الصور كلها.',
  difference: 'الفرق',
  differenceSays: 'الثانية ناقص الأولى، خلية خلية.',
  differenceBar: 'الثانية − الأولى',
  largestDifference: (query, key, value) => `أكبره ${ltr(value)}، من «${token(query)}» إلى «${token(key)}».`,
  allEqual: 'الخلايا كلها متساوية.',
  otherTokens: 'رموزهما مختلفة: تُقارن الخلايا بمواضعها، أيًّا كان ما فيها.',
  noDifference: (rows, columns, otherRows, otherColumns) =>
    `لا فرق يمكن عرضه: للأولى ${ofRows(rows)} و${ofColumns(columns)}، وللثانية ${ofRows(otherRows)} و${ofColumns(otherColumns)}.`,
  compared: (cell, first, second, difference) => `${cell}: ${ltr(first)} و${ltr(second)}، والفرق ${ltr(difference)}`,
  endComparison: 'إنهاء المقارنة',
});
