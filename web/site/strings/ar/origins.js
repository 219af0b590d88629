// The words of the way down to the weights, in Arabic. A formula runs left to right; a word in it is isolated, or two words with
// a sign between them would change places.

import { count, ltr, number, token } from './count.js';

const ofToken = (/** @type {number} */ n) =>
  count(n, {
    one: 'عدد واحد للرمز',
    two: 'عددان للرمز',
    few: 'أعداد للرمز',
    many: 'عددًا للرمز',
    other: 'عدد للرمز',
  });
const MEAN = token('المتوسط');
const SPREAD = token('التشتّت');
const ROOT = token('جذر متوسط المربعات');

/** @type {import('../../strings.js').Shape<typeof import('../en/origins.js').ORIGINS>} */
export const ORIGINS = Object.freeze({
  learnt: 'تُعُلِّم في التدريب؛ وهو نفسه لكل نص.',
  linear: (n, symbol) => `${ofToken(n)}، كل منها مضروب في وزن من ${ltr(symbol)}، ثم انحياز (bias)`,
  norm: ltr(`(s − ${MEAN}) ÷ ${SPREAD} × γ + β`),
  rmsNorm: ltr(`s ÷ ${ROOT} × γ`),
  rmsFormula: ltr(`s ÷ ${ROOT}`),
  rmsStandard: 'العدد السابق، مقيسًا بجذر متوسط مربعات أعداد الرمز.',
  rootLabel: 'جذر متوسط المربعات',
  root: (n) => `جذر متوسط مربعات أعداد الرمز (عددها ${number(n)}، ويُضاف eps الخاص بالتطبيع قبل الجذر).`,
  standardLabel: (index) => ltr(`s̄[${index}]`),
  standard: 'العدد السابق، مقيسًا بتشتّت الرمز نفسه.',
  standardFormula: ltr(`(s − ${MEAN}) ÷ ${SPREAD}`),
  meanLabel: 'المتوسط',
  mean: (n) => `متوسط أعداد الرمز، وعددها ${number(n)}.`,
  spreadLabel: 'التشتّت',
  spread: (n) => `الانحراف المعياري لأعداد الرمز (عددها ${number(n)}، ويُضاف layer_norm_eps إلى مربعه).`,
  addition: 'مجموعة',
  mix: 'قيمة (value) كل رمز، مضروبة في الوزن الذي ناله',
  weight: 'الوزن',
  dot: (width) =>
    `مجموع ${count(width, { one: 'جداء واحد', two: 'جداءين', few: 'جداءات', many: 'جداءً', other: 'جداء' })}: ` +
    'مدى ملاءمة هذا الاستعلام لهذا المفتاح.',
  dotFormula: 'الاستعلام في المفتاح، عددًا بعدد',
  scaled: 'الجداء النقطي بعد القسمة.',
  divided: (divisor) => `هذا، مقسومًا على ${ltr(divisor)}`,
  score: 'الدرجة',
  ofScore: 'مدى ملاءمة الاستعلام للمفتاح، قبل softmax.',
  scoreFormula: 'الجداء بعد القسمة، حيث لا يحجب القناع المفتاح',
  biasLabel: (distance) => `انحياز(المسافة ${ltr(String(distance))})`,
  bias: (distance, bucket) =>
    `تُعُلِّم في التدريب: ما تضيفه مسافة ${ltr(String(distance))} إلى درجات هذا الرأس (المدخل ${bucket} من جدوله).`,
  turned: (at) => `العدد بعد أن أدارته المواضع الدورانية (rotary) للموضع ${at}.`,
  cosineLabel: (i) => ltr(`cos ${i}`),
  sineLabel: (i, minus) => ltr(`${minus ? '−' : ''}sin ${i}`),
  turn: (at, angle) => `للزاوية ${ltr(angle.toPrecision(4))}: الموضع ${at} مضروبًا في تردد الزوج.`,
  rotation: 'زوج من الأعداد يُدار مثل عقرب الساعة: كل منهما مضروب في جيب تمام أو في جيب',
  softmax: (score, max, sum) => `e مرفوعًا إلى ${ltr(`(${score} − ${max})`)}، مقسومًا على مجموع الصف، ${ltr(sum)}`,
  ofWeight: 'وزن من صف هذا الرأس للرمز.',
  activation: (name) => `${ltr(name)} لعدد واحد`,
  gated: (name) => `عدد داخلي: البوابة (gate) بعد ${ltr(name)}، مضروبة في العدد المجاور لها.`,
  gateFormula: 'البوابة المفتوحة، مضروبة في العدد المجاور لها',
  openGate: 'البوابة',
  gateSays: 'مدى انفتاح البوابة للعدد المجاور لها.',
  embeddingScaleLabel: ltr(`√${token('العرض')}`),
  embeddingScale: 'تُضرب تضمينات الكلمات (embeddings) في جذر عرض النموذج، حتى لا تطغى عليها المواضع.',
  scaledWord: 'عدد الكلمة بعد الضرب.',
  timesScale: 'مضروبًا في جذر العرض',
  sine: 'جيب زاوية واحدة',
  cosine: 'جيب تمام زاوية واحدة',
  angleLabel: 'الزاوية',
  angle: (at, i, width) => `الموضع ${ltr(`${at} ÷ 10000^(${2 * i} ÷ ${width})`)}.`,
  logitLabel: 'logit',
  logit: 'مدى ملاءمة هذا الرمز لما صنعه فاكّ التشفير من النص؛ ويمكن أن يكون أي عدد.',
  logitFormula: (n) =>
    `${count(n, { one: 'عدد واحد', two: 'عددان', few: 'أعداد', many: 'عددًا', other: 'عدد' })} من الحالة المخفية الأخيرة ` +
    '(hidden state)، كل منها مضروب في نظيره من صف الرمز',
  logitsScaleLabel: ltr(`1 ÷ √${token('العرض')}`),
  logitsScale: 'يضرب T5 حالته المخفية الأخيرة في هذا العدد قبل جدول الكلمات.',
  probabilityLabel: 'الاحتمال',
  probability: 'مدى ترجيح النموذج أن يكون هذا الرمز هو التالي، من بين مفرداته كلها.',
  softmaxOf: (logit, max, sum, n) =>
    `e مرفوعًا إلى ${ltr(`(${logit} − ${max})`)}، مقسومًا على مجموع مثل ذلك لكل الرموز، وعددها ${number(n)}: ${ltr(sum)}`,
  lastLayer: 'ما صنعته الطبقة الأخيرة من الرمز.',
  finalNorm: 'ما صنعته الطبقة الأخيرة من الرمز، بعد التطبيع الأخير.',
  switchedOff: (head) => `الرأس ${head} معطَّل: فهذا يُجعل 0.`,
  crossAttention: 'ما جلبه الانتباه المتقاطع من المصدر إلى هذا الرمز، من الرؤوس كلها.',
  crossSum: 'الرمز بعد انتباهه الذاتي، وما جلبه الانتباه المتقاطع.',
  parts: { word: 'الكلمة', position: 'الموضع', segment: 'المقطع' },
  embedding: {
    word: (text, id) => `تُعُلِّم في التدريب: واحد من الأعداد التي تمثّل «${token(text)}»، ذا الرقم ${id} في المفردات.`,
    wave: (at) => `يمثّل الموضع ${at} في التسلسل، أيًّا كان الرمز: موجة غير متعلَّمة.`,
    position: (_, at) => `يمثّل الموضع ${at} في التسلسل، أيًّا كان الرمز.`,
    segment: (_, at) => `يمثّل المقطع ${at}: الجملة ${at === 0 ? 'الأولى' : 'الثانية'}.`,
  },
  embeddingSum: 'الرمز كما يُقرأ من الجداول: الكلمة والموضع والمقطع، مجموعة.',
  embeddingNorm: 'المجموع بعد تطبيع الطبقة (layer norm).',
  residual: (layer) =>
    layer === 0
      ? 'ما تقرؤه الطبقة الأولى من الرمز: تضمينه (embedding).'
      : `ما تقرؤه الطبقة ${layer} من الرمز: ما صنعته منه الطبقة ${layer - 1}.`,
  mlp: 'ما يضيفه جزء التغذية الأمامية (feed-forward) من الطبقة.',
  secondSum: 'ما تركه الانتباه، وما يضيفه إليه جزء التغذية الأمامية.',
  afterAttention: 'الرمز بعد الانتباه وتطبيع الطبقة.',
  before: 'الرمز بعد تطبيع الطبقة، كما يقرؤه الانتباه.',
  attention: 'ما جلبه الانتباه إلى هذا الرمز، من الرؤوس كلها.',
  firstSum: 'الرمز كما دخل، وما جلبه الانتباه.',
  mixed: (head) => `ما أخذه الرأس ${head}: قيم الرموز كلها، ممزوجة بأوزانه.`,
  hidden: 'واحد من الأعداد الداخلية لجزء التغذية الأمامية.',
  active: (name) => `عدد داخلي بعد ${ltr(name)}.`,
  projected: {
    q: 'عدد من الاستعلام (query): ما يبحث عنه الرمز، في هذا الرأس.',
    k: 'عدد من المفتاح (key): ما يُعثر به على الرمز، في هذا الرأس.',
    v: 'عدد من القيمة (value): ما يسلّمه الرمز، في هذا الرأس.',
  },
});
