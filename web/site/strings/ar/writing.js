// The words of what a model writes, in Arabic.

import { count, ltr, number, token, tokens } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/writing.js').WRITING>} */
export const WRITING = Object.freeze({
  nextToken: 'الرمز التالي',
  runOn: 'واصل الكتابة',
  stop: 'توقّف',
  undo: 'تراجع',
  startOver: 'من البداية',
  nothingYet: '…',
  over: { end: '(النهاية)', full: '(لا متّسع)' },
  overSays: {
    end: 'أنهى النموذج النص: كان رمز النهاية أرجح رمز تالٍ لديه.',
    full: 'لا يقرأ هذا النموذج رموزًا أكثر من هذه.',
  },
  wrote: (text, probability) =>
    probability === null ? `كُتب: ${token(text)}.` : `كُتب: ${token(text)}، واحتماله ${probability}.`,
  tookBack: 'جرى التراجع.',
  candidatesSay: {
    greedy: 'ما قد يأتي بعد ذلك، مع *احتمالاته*. الكتابة *الجشعة* (greedy) تأخذ الأول؛ ولك أن تختار غيره.',
    sample:
      'ما قد يأتي بعد ذلك، مع *الاحتمالات* التي يُسحب بها؛ والمعلَّم هو ما سُحب. *الحرارة* (temperature) الأدنى تفضّل الرموز الراجحة؛ ' +
      'و*top-k* يُبقي أرجح k من الرموز (0: كلها)، و*top-p* يُبقي أرجح الرموز التي يبلغ مجموعها p؛ و*البذرة* (seed) نفسها تعطي السحب نفسه.',
  },
  take: (text) => `خذ «${token(text)}»`,
  whyProbability: (text, value) => `${token(text)}: ${ltr(value)}، من أين جاء`,
  expectedAfter: (text) => `المتوقَّع بعد «${token(text)}»`,
  how: 'كيف يُختار الرمز التالي',
  hows: { greedy: 'الأرجح', sample: 'بالسحب', beams: 'البحث الحزمي' },
  settings: {
    temperature: { word: 'الحرارة', title: 'تُقسَم عليها الدرجات قبل softmax' },
    topk: { word: 'top-k', title: 'لا يدخل السحب إلا أرجح k من الرموز؛ 0: كلها' },
    topp: { word: 'top-p', title: 'لا يدخل السحب إلا أرجح الرموز التي يبلغ مجموعها p' },
    seed: { word: 'البذرة', title: 'حيث تبدأ الأعداد العشوائية' },
    beams: { word: 'الحزم', title: 'عدد النصوص التي تُكتب معًا' },
    penalty: { word: 'عقوبة الطول', title: 'تُقسَم الدرجة على الطول مرفوعًا إلى هذا الأس' },
    length: { word: 'حتى', title: 'أقصى عدد من الرموز يُكتب' },
  },
  drawAgain: 'اسحب من جديد',
  cacheSays: (size, cached, plain) =>
    `تحفظ *الذاكرة المؤقتة* (cache) المفاتيح والقيم: ${ltr(size)}. لذلك قُرئ حتى الآن ${tokens(cached)}؛ ` +
    `ومن دونها ${number(plain)}، إذ تعيد كل خطوة قراءتها كلها.`,
  hypotheses: 'الفرضيات',
  hypothesesSay:
    'النصوص الباقية عند هذه الخطوة مع *درجاتها* (scores): لوغاريتمات الاحتمالات مجموعةً. اختر واحدًا لترى انتباهه.',
  hypothesis: 'النص',
  score: 'الدرجة',
  beamsSay: 'كل عمود رمز كُتب؛ والخط يصل نصًّا بالنصوص التي تتابع منه. والمعلَّم هو المعروض.',
  treeLabel: 'البحث الحزمي (beam search)، خطوة بخطوة',
  treeSays: (steps, beams) =>
    `${count(steps, { one: 'خطوة واحدة', two: 'خطوتان', few: 'خطوات', many: 'خطوة', other: 'خطوة' })}، في كل منها ` +
    `${count(beams, { one: 'فرضية واحدة', two: 'فرضيتان', few: 'فرضيات', many: 'فرضية', other: 'فرضية' })}؛ ` +
    'وجدول الفرضيات يقولها بالكلمات',
});
