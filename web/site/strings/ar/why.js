// The words of the explanation, in Arabic.

import { count, ltr, number, token } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/why.js').WHY>} */
export const WHY = Object.freeze({
  why: (shown) => `لماذا ${ltr(shown)}؟`,
  whyNothing: 'أشِر إلى خلية لترى من أين جاء عددها؛ وانقر لتثبيتها.',
  whyRow: 'صف',
  whyColumn: 'عمود',
  chooseKey: 'إلى أين ينظر هذا الاستعلام. اختر مفتاحًا لترى كيف نشأ وزنه.',
  columnSays: 'مَن ينظر إلى هذا المفتاح، وبأي قدر. وليس للعمود مجموع خاص به.',
  rowTitle: (text) => `صف «${token(text)}»`,
  otherKeys: (rest) => `${number(rest)} غيرها`,
  roles: { query: 'استعلام', key: 'مفتاح' },
  productsOf: (query, key, products) =>
    `${count(products, { one: 'جداء واحد', two: 'جداءان', few: 'جداءات', many: 'جداءً', other: 'جداء' })} ` +
    `للاستعلام «${token(query)}» والمفتاح «${token(key)}»`,
  whyWaiting: 'جارٍ جلب أعداد هذه الطبقة',
  unfold: 'عرض',
  fold: 'إخفاء',
  letGo: 'ترك',
  letGoSaid: 'لا شيء مختار.',
  asks: 'ينظر إلى',
  dot: 'استعلام · مفتاح',
  dotSays: (width) =>
    `*الجداء النقطي* (dot product): ${count(width, { one: 'عدد واحد', two: 'عددان', few: 'أعداد', many: 'عددًا', other: 'عدد' })} ` +
    'من الاستعلام، كل منها مضروب في نظيره من المفتاح، ثم يُجمع الكل',
  scaleStep: (width) => ltr(`÷ √${width}`),
  scaleSays: (dot, divisor, scaled) =>
    `${ltr(`${dot} ÷ ${divisor} = ${scaled}`)}؛ وإلا أعطت المتجهات الأطول درجات أكبر`,
  biasStep: 'انحياز المسافة',
  biasSays: 'متعلَّم لكل رأس: كم تضيف هذه المسافة إلى الدرجة',
  scaleByStep: (divisor) => ltr(`÷ ${divisor}`),
  maskStep: 'القناع',
  maskSays: 'هذا المفتاح حشو، أو لا تجوز رؤيته من هنا',
  softmaxStep: 'softmax',
  softmaxTerm: 'يحوّل *softmax* درجات الصف إلى أوزان مجموعها 1:',
  softmaxMasked: `${ltr('exp(−∞) = 0')}، فلا يؤخذ من هذا المفتاح شيء`,
  softmaxSays: ({ score, softmax, weight }) =>
    `${ltr(`exp(${score.shown} − ${softmax.max.shown}) = ${softmax.numerator.shown}`)}، حيث ${ltr(softmax.max.shown)} أكبر درجات الصف؛ ` +
    `ومجموع ما يقابله في الصف كله ${ltr(softmax.denominator.shown)}؛ ` +
    ltr(`${softmax.numerator.shown} ÷ ${softmax.denominator.shown} = ${weight.shown}`),
  differs: (error) =>
    `يختلف المسجَّل عمّا أُعيد حسابه هنا بمقدار ${ltr(error)}: وهذا أكثر من التقريب. شيء في النموذج يغيّر هذا العدد في طريقه.`,
  caution:
    'يقول الوزن كم أخذ الرأس من قيمة (value) هذا المفتاح، لا لماذا يجيب النموذج كما يجيب. وما يتوقف عليه يمكن تجربته:',

  back: 'رجوع',
  path: 'الطريق إلى هنا',
  termsOf: (terms) => count(terms, { one: 'حدّ واحد', two: 'حدّان', few: 'حدود', many: 'حدًّا', other: 'حدّ' }),
  from: {
    recorded: 'مسجَّل في هذا التشغيل',
    stored: 'معامل من معاملات النموذج',
    computed: 'محسوب هنا من أعداد مسجَّلة',
  },
  smallerOnes: (rest) => `${number(rest)} أصغر`,
  together: 'معًا',
  openNumber: (label, value) => `${token(label)} = ${ltr(value)}: من أين جاء`,
});
