// The words of what can be taken from the page, and those of the page that it makes, in Arabic.

import { ltr, token } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/export.js').EXPORT>} */
export const EXPORT = Object.freeze({
  exporting: {
    title: 'تصدير',
    groups: {
      picture: 'هذه الصورة',
      compared: 'الصورتان والفرق بينهما',
      heads: 'كل الرؤوس',
      numbers: 'هذه الأعداد',
      run: 'التشغيل كله',
    },
    kinds: {
      copyPicture: 'نسخ الصورة',
      headsPng: 'كل الرؤوس بصيغة PNG',
      headsSvg: 'كل الرؤوس بصيغة SVG',
      copyNumbers: 'نسخ الأعداد',
      page: 'صفحة HTML',
      run: 'كل الأعداد بصيغة safetensors',
    },
    says:
      'في صورة PNG بكسلان لكل بكسل هنا؛ وملف SVG تفتحه برامج الرسم. وللأعداد أرقامها كلها. وصفحة HTML تحمل أوزان هذا التشغيل ' +
      'ودرجاته وترسمها بلا شبكة.',
    saved: (file) => `حُفظ باسم ${ltr(file)}.`,
    copiedPicture: 'الصورة في الحافظة.',
    copiedNumbers: 'الأعداد في الحافظة: تأخذها جداول البيانات خلايا.',
    failed: (message) => `لم ينجح ذلك: ${token(message)}`,
    nothing: 'لا شيء للتصدير بعد',
  },
  exported: {
    title: `${token('{model}')}: الانتباه`,
    says: `سُجّلت في تشغيل للنموذج ${token('{model}')}. هذه الصفحة تحمل الأعداد وترسمها، ولا تحتاج إلى شبكة.`,
    half: 'الأعداد محفوظة بنصف الدقة: يُعتدّ بثلاثة أرقام من كل عدد.',
    queries: 'الاستعلامات',
    keys: 'المفاتيح',
    headsSay: 'كل الرؤوس: الطبقات نزولًا والرؤوس عرضًا. الأسهم تختار رأسًا.',
    point: 'أشِر إلى خلية لتقرأ عددها، وانقرها لتثبيتها. الصفوف استعلامات، وهي الرموز التي تنظر؛ والأعمدة مفاتيح.',
    edited: 'ضُبطت يدويًا',
    row: `الاستعلام «${token('{query}')}»: اختر مفتاحًا أيضًا لتقرأ عددًا`,
    column: `المفتاح «${token('{key}')}»: اختر استعلامًا أيضًا لتقرأ عددًا`,
  },
});
