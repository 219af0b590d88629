// The words of the heads, in Arabic.

import { count, ltr } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/heads.js').HEADS>} */
export const HEADS = Object.freeze({
  heads: 'كل الرؤوس',
  headsSay: 'لكل *طبقة* (layer، نزولًا) عدة *رؤوس* (heads، عرضًا)، وكل رأس ينظر بطريقته.',
  headsSayStrip: 'لكل *طبقة* (layer) عدة *رؤوس* (heads، وتُكتب طبقة.رأس)، وكل رأس ينظر بطريقته.',
  grids: {
    self: {
      title: 'الانتباه الذاتي',
      says: '',
      heads: 'كل الرؤوس. الأسهم تختار رأسًا.',
      looks: 'إلى أين ينظر كل رمز',
    },
    encoder: {
      title: 'المشفِّر',
      says: 'من المصدر إلى المصدر',
      heads: 'كل رؤوس المشفِّر. الأسهم تختار رأسًا.',
      looks: 'إلى أين ينظر كل رمز من المصدر',
    },
    decoder: {
      title: 'فاكّ التشفير',
      says: 'من الناتج إلى الناتج',
      heads: 'كل رؤوس فاكّ التشفير. الأسهم تختار رأسًا.',
      looks: 'إلى أين ينظر كل رمز من الناتج فيما سبقه',
    },
    cross: {
      title: 'الانتباه المتقاطع',
      says: 'من الناتج إلى المصدر',
      heads: 'كل رؤوس الانتباه المتقاطع. الأسهم تختار رأسًا.',
      looks: 'إلى أين في المصدر ينظر كل رمز',
    },
  },
  axes: {
    self: { queryTitle: 'استعلام', keyTitle: 'مفتاح' },
    encoder: { queryTitle: 'استعلام', keyTitle: 'مفتاح' },
    decoder: { queryTitle: 'استعلام', keyTitle: 'مفتاح' },
    cross: { queryTitle: 'الناتج', keyTitle: 'المصدر' },
  },
  attention: 'الانتباه',
  switchOff: 'عطّل هذا الرأس',
  switchOn: 'فعّل هذا الرأس',
  offSays: (heads) => `معطَّل: ${heads}. وما يُمزج هناك يُحسب 0.`,
  offMissed: (heads) => `ليس في هذا النموذج، فلا شيء يُعطَّل: ${heads}.`,
  offOne: (grid, layer, head) => `${grid}${grid ? '، ' : ''}الطبقة ${layer} الرأس ${head}`,
  layer: 'الطبقة',
  head: 'الرأس',
  headName: (layer, head) => `الطبقة ${layer}، الرأس ${head}`,
  beforeSoftmax: 'مدى ملاءمة كل استعلام لكل مفتاح',
  weightsSay:
    'كل صف *استعلام* (query)، وهو الرمز الذي ينظر؛ وكل عمود *مفتاح* (key)، وهو رمز منظور إليه. ومجموع *أوزان* (weights) الصف 1.',
  causalSays:
    'كل صف *استعلام* (query)، وهو الرمز الذي ينظر؛ وكل عمود *مفتاح* (key)، وهو رمز منظور إليه. يرى الرمز نفسه وما قبله: أما ما يأتي ' +
    'بعده فمخفي (مخطَّط). ومجموع *أوزان* (weights) الصف 1.',
  crossSays:
    'كل صف *استعلام* (query): رمز من الناتج، وبعد السهم ما يُكتب تاليًا. وكل عمود *مفتاح* (key): رمز من المصدر. ومجموع *أوزان* (weights) ' +
    'الصف 1.',
  scoresSay:
    'من *الدرجات* (scores) تُصنع الأوزان: جداء الاستعلام والمفتاح، بعد القسمة وتطبيق القناع، وقبل softmax. ويمكن أن تكون أي عدد.',
  arcsSay:
    'يصل الخط بين *استعلام* (query)، وهو الرمز الذي ينظر، و*مفتاح* (key)، وهو رمز منظور إليه: كلما غلُظ الخط كبر *الوزن* (weight). ' +
    'وليس للدرجات مجموع يمكن أن يكون الخط جزءًا منه.',
  weights: 'الأوزان',
  scores: 'الدرجات',
  matrix: 'مصفوفة',
  arcs: 'أقواس',
  kind: 'الأعداد',
  view: 'العرض',
  palette: 'الألوان',
  zoomIn: 'تكبير',
  zoomOut: 'تصغير',
  zoomFit: 'ملاءمة',
  linesDrawn: (drawn, threshold) =>
    `${count(drawn, { one: 'خط واحد', two: 'خطّان', few: 'خطوط', many: 'خطًّا', other: 'خط' })}: الأوزان من ${ltr(threshold)} فأكثر. ` +
    'أشِر إلى رمز لترى خطوطه كلها.',
  pictureLabel: (head, kind) => `${head}، ${kind}. الأسهم تختار خلية، وEscape يترك الاختيار، وزائد وناقص يغيّران الحجم.`,
  inWords: 'هذا الرأس بالكلمات',
  moreRows: (rows) =>
    `و${count(rows, { one: 'صف واحد آخر', two: 'صفّان آخران', few: 'صفوف أخرى', many: 'صفًّا آخر', other: 'صف آخر' })}`,
});
