// Arabic. The shape is that of en.js; README.md says how words are added, and count.js what token() and ltr() are for.

import { count, ltr, token, tokens } from './ar/count.js';
import { EXPORT } from './ar/export.js';
import { HEADS } from './ar/heads.js';
import { ORIGINS } from './ar/origins.js';
import { STATE } from './ar/state.js';
import { VIEW } from './ar/view.js';
import { VIEWS } from './ar/views.js';
import { WHY } from './ar/why.js';
import { WRITING } from './ar/writing.js';

/** @type {import('../strings.js').Strings} */
export const ARABIC = Object.freeze({
  title: 'glassformer',
  tagline: 'محوِّل (transformer) يقرأ جملتك. كل عدد أدناه من ذلك التشغيل، على هذا الجهاز.',

  model: 'النموذج',
  models: {
    topics: 'المواضيع',
    words: 'الكلمات',
    austen: 'أوستن',
    dates: 'التواريخ',
    pronounce: 'النطق',
    translate: 'الترجمة',
  },
  modelSays: {
    topics: 'واحد من 12 موضوعًا قد يدور حولها تعريف.',
    words: 'ما قد يوضع في الفراغ.',
  },
  openedModel: (name) => `${token(name)} (مفتوح)`,
  open: 'فتح…',
  openTitle: 'فتح نموذج',
  openSays:
    `مجلّد مرتَّب على طريقة Hugging Face: ${ltr('config.json')} و${ltr('model.safetensors')} و${ltr('tokenizer.json')}. ` +
    'تُفتح المشفِّرات مثل BERT، وفاكّات التشفير مثل GPT-2 أو Llama، والنماذج التي تجمعهما مثل Marian أو BART أو T5. ' +
    'يُقرأ المجلّد هنا ولا يُرسَل إلى أي مكان. اختره، أو أفلته في أي موضع من هذه الصفحة.',
  chooseFolder: 'اختيار مجلّد…',
  dropHere: 'أفلت مجلّد النموذج هنا',
  cancel: 'إلغاء',
  close: 'إغلاق',
  loading: (name) => `جارٍ تحميل ${token(name)}`,
  progress: (file, loaded, total) =>
    total === null ? `${ltr(file)}: ${ltr(loaded)}` : `${ltr(file)}: ${ltr(loaded)} من ${ltr(total)}`,
  noFiles: `لا توجد هنا ملفات نموذج: المنتظَر مجلّد فيه ${ltr('config.json')} و${ltr('model.safetensors')}.`,
  noTokenizer: `ليس في هذا المجلّد ${ltr('tokenizer.json')} ولا ${ltr('vocab.txt')}؛ تحتاج الصفحة إلى أحدهما لتقرأ نصًّا.`,
  stillThere: 'تواصل الصفحة العمل بالنموذج الذي كان لديها.',
  notYetHere: 'لم يُحمَّل هذا النموذج على هذا الجهاز بعد، ولا يجيب أيّ خادم: يحتاج إلى الشبكة مرّة واحدة.',
  tryAgain: 'المحاولة مجدّدًا',
  newVersion: 'وصل إصدار جديد من هذه الصفحة:',
  reload: 'إعادة التحميل',

  language: 'اللغة',
  parts: {
    sentence: 'الجملة',
    output: 'الناتج',
    status: 'الحالة',
    tokens: 'الرموز',
    heads: 'كل الرؤوس',
    head: 'رأس واحد',
    answers: 'التنبؤ',
    why: 'الشرح',
  },
  pages: 'الصفحات',
  learn: 'تعلّم',
  embed: 'إدراج',

  themes: { auto: 'تلقائي', light: 'فاتح', dark: 'داكن' },
  theme: 'المظهر',
  problems: {
    'not-found': 'لم يُعثر على شيء لازم.',
    'bad-config': 'إعدادات النموذج غير صالحة.',
    'bad-weights': 'أوزان النموذج ليست ما تطلبه إعداداته.',
    'bad-input': 'لا يستطيع النموذج قراءة هذا.',
    unsupported: 'هذا غير مدعوم هنا.',
    'out-of-memory': 'الذاكرة لا تكفي.',
    aborted: 'أُوقف العمل قبل تمامه.',
    disposed: 'أُغلق هذا من قبل.',
  },

  unsupported: (missing) =>
    `لا يوفّر هذا المتصفح ${ltr(missing)}، والنموذج لا يعمل من دونه. يتوفّر ذلك في Chrome أو Edge بدءًا من الإصدار 95، ` +
    'وفي Firefox بدءًا من 100، وفي Safari بدءًا من 16.4.',

  fields: {
    sentence: { label: 'الجملة', placeholder: 'اكتب جملة' },
    first: { label: 'الجملة الأولى', placeholder: 'اكتب جملة' },
    second: { label: 'الجملة الثانية', placeholder: 'اكتب جملة' },
    prompt: { label: 'البداية', placeholder: 'اكتب كيف يبدأ نص' },
    source: { label: 'المصدر', placeholder: 'اكتب ما سيقرؤه النموذج' },
    target: { label: 'الناتج', placeholder: 'اكتب ما كان على النموذج أن يكتبه' },
  },
  first: 'الجملة الأولى',
  second: 'الجملة الثانية',
  addSecond: 'إضافة جملة ثانية',
  removeSecond: 'إزالة',
  addTarget: 'تقديم الناتج',
  removeTarget: 'دع النموذج يكتب',
  targetSays:
    'يقرأ فاكّ التشفير الناتج الذي تقدّمه أنت، لا ناتجه هو (*الإجبار بالمعلّم*، teacher forcing): عند كل رمز ترى ما كان يتوقعه بعده. ' +
    'وما دام الحقل فارغًا يكتب النموذج.',
  asPair: 'في تسلسل واحد',
  asBatch: 'جنبًا إلى جنب، كدفعة',
  pairSays:
    '*تسلسل* (sequence) واحد يضم الجملتين: تنتهي كل منهما بالرمز [SEP]، ورقم *المقطع* (segment) يخبر النموذج من أي جملة جاء كل رمز. ' +
    'ولكل رمز أن ينظر إلى الجملتين معًا.',
  batchSays: (length) =>
    `تُشغَّل في *الدفعة* (batch) الجملتان معًا، كلٌّ على حدة. وتُكمَل القصيرة بالرمز [PAD] إلى ` +
    `${count(length, { one: 'رمز واحد', two: 'رمزين', few: 'رموز', many: 'رمزًا', other: 'رمز' })}. ` +
    `ولا يجوز النظر إلى *الحشو* (padding): تصبح درجته ${ltr('−∞')} فيكون وزنه 0، وهذا ما تبيّنه الأعمدة المخطَّطة.`,
  batchEven:
    'تُشغَّل في *الدفعة* (batch) الجملتان معًا، كلٌّ على حدة. وهاتان متساويتان في الطول: فلا حاجة إلى الإكمال بالرمز [PAD].',
  shownSequence: 'المعروض أدناه:',
  tryThese: 'جرّب',
  truncated: (cut, kept) => {
    const last = cut === 1 ? 'آخر رمز لا يُقرأ' : cut === 2 ? 'آخر رمزين لا يُقرآن' : `آخر ${tokens(cut)} لا تُقرأ`;
    return `${last}: يقرأ هذا النموذج ${tokens(kept)} على الأكثر. وما لا يُقرأ مشطوب أعلاه.`;
  },
  keptPicture: 'المعروض من التشغيل السابق.',
  took: (seconds) => `استغرق هذا التشغيل ${seconds} ث.`,
  running: 'قيد التشغيل',

  tokens: 'الرموز',
  tokensSay: {
    encoder:
      'يقرأ النموذج *رموزًا* (tokens): كلمات أو أجزاء كلمات، كلٌّ برقمه. ويضيف المجزِّئ (tokenizer) الرمزين [CLS] و[SEP].',
    decoder:
      'يقرأ النموذج *رموزًا* (tokens): كلمات أو أجزاء كلمات، كلٌّ برقمه؛ والعلامة ␣ مسافة. وما كتبه النموذج بنفسه تحته خط.',
  },
  tokensSayBoth:
    'يقرأ *المشفِّر* (encoder) المصدر كله مرة واحدة؛ ويقرأ *فاكّ التشفير* (decoder) ما كُتب حتى الآن، رمزًا رمزًا، ابتداءً من رمز البداية.',
  source: 'المصدر',
  output: 'الناتج',
  continuation: 'التتمّة',
  startToken: 'رمز البداية',
  byModel: 'كتبه النموذج',
  tokenLabel: (text, index, id) => `${token(text)}، الرمز ${index}، الرقم ${id}`,
  special: 'أضافه المجزِّئ',
  padding: 'حشو',
  makeBlank: (text) => `اجعل «${token(text)}» فراغًا`,

  prediction: {
    classes: 'الموضوع',
    tokens: 'صنف الرمز',
    blanks: 'الفراغ',
    next: 'الرمز التالي',
    none: 'التنبؤ',
  },
  predictionSays: 'مجموع *الاحتمالات* كلها 1.',
  noHead: 'ليس لهذا النموذج رأس يتنبأ بشيء؛ ما يعطيه متجه لكل رمز.',
  noBlank: 'انقر رمزًا نقرًا مزدوجًا لتجعله فراغًا، أو اكتب [MASK]: يقول النموذج ما قد يوضع هناك.',
  chooseToken: 'اختر رمزًا لترى أصنافه.',
  blankOf: (n, of) => (of === 1 ? 'في الفراغ' : `في الفراغ ${n} من ${of}`),
  fillIn: (text) => `ضع «${token(text)}»`,
  allOthers: 'البقية كلها',

  ...WRITING,
  ...HEADS,
  ...EXPORT,
  ...WHY,
  ...STATE,
  origins: ORIGINS,
  viewWords: VIEW,
  views: VIEWS,
});
