// What counts as a control character, an accent, punctuation or an ideograph for BERT's tokenizers.
//
// This is the one place that makes up for differences from the Rust library, whose numbers everyone trains with
// (found by asking it about every code point; tests/web/tokenizer_rust.test.js asks again).
// `@huggingface/tokenizers` 0.2:
// - takes these classes from the JavaScript engine's Unicode version, so that they vary between browsers. The Rust
//   library's tables are those of Unicode 8: what was added since then is listed below.
// - takes white space from JavaScript's \s, which has U+FEFF and lacks U+0085; Rust has Unicode's White_Space.
// - compares single UTF-16 units with the ranges of ideographs, and so never sees those above U+FFFF.
// - lower-cases whole strings, where a capital sigma at a word's end becomes ς; Rust goes character by character.
// And beyond this file:
// - it gives no offsets, hence normalize.js and pretokenize.js;
// - it ignores `single_word` of added tokens, and takes normalised text that happens to read like an added token for
//   one: added.js;
// - its Whitespace has an ASCII \w, its Punctuation joins runs, its Metaspace never splits, its Split lacks three of
//   the five behaviours: pretokenize.js;
// - its RobertaProcessing gives the second text type 1 (Rust: 0), and it takes an empty second text for none:
//   template.js;
// - its WordPiece is cubic in a word's length (2.4 s for 100,000 characters in words of 100): pieces.js;
// - its decode cleans up spaces unless told not to, and turns ids outside the vocabulary into the unknown token where
//   Rust drops them: tokenizer.js.
// Left as they are: offsets among several combining marks on one character, where NFC and NFD change their order; and
// the normalizer StripAccents (not BERT's) on marks newer than Unicode 9.

/** @param {string} hex ranges of code points, "7fd 897-89f" @returns {string} the same for a class of a RegExp */
const classOf = (hex) => hex.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '');

// Characters that newer Unicode versions call nonspacing marks or decompose; Rust's accent stripping leaves them.
const LATER_MARKS = classOf(
  '7fd 897-89f 8ca-8e1 9fe afa-aff b55 c04 c3c d00 d3b-d3c d81 eba ece 180f 1885-1886 1abf-1add 1ae0-1aeb 1df6-1dfb ' +
    'a82c a8c5 a8ff a9bd 105c9 105e4 10d24-10d27 10d69-10d6d 10eab-10eac 10efa-10eff 10f46-10f50 10f82-10f85 11070 ' +
    '11073-11074 110c2 111c9 111cf 1123e 11241 1133b 11383 11385 1138e 11391 113bb-113c0 113c5 113c7-113c8 113ce ' +
    '113d0 113d2 113e1-113e2 11438-1143f 11442-11444 11446 1145e 1182f-11837 11839-1183a 11938 1193b-1193c 1193e ' +
    '11943 119d4-119d7 119da-119db 119e0 11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b ' +
    '11a8a-11a96 11a98-11a99 11b60 11b62-11b64 11b66 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0 ' +
    '11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 ' +
    '11f00-11f01 11f36-11f3a 11f40 11f42 11f5a 13440 13447-13455 1611e-16129 1612d-1612f 16d68-16d6a 16f4f 16fe4 ' +
    '1cf00-1cf2d 1cf30-1cf46 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae ' +
    '1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1e944-1e94a',
);
const MARK = new RegExp(`^(?:[\\u1734\\u{1171e}]|(?![${LATER_MARKS}])\\p{Mn})$`, 'u');
const UNCHANGED = new RegExp(`^[${LATER_MARKS}]$`, 'u');

// Characters that newer Unicode versions call punctuation (two were punctuation and are no longer).
const LATER_PUNCTUATION = classOf(
  '61d 9fd a76 c77 c84 1b4e-1b4f 1b7d-1b7f 2e43-2e4f 2e52-2e5d 10d6e 10ead 10ed0 10f55-10f59 10f86-10f89 ' +
    '113d4-113d5 113d7-113d8 1144b-1144f 1145a-1145b 1145d 11660-1166c 116b9 1183b 11944-11946 119e2 11a3f-11a46 ' +
    '11a9a-11a9c 11a9e-11aa2 11b00-11b09 11be1 11c41-11c45 11c70-11c71 11ef7-11ef8 11f43-11f4f 11fff 12ff1-12ff2 ' +
    '16d6d-16d6f 16e97-16e9a 16fe2 1e5ff 1e95e-1e95f',
);

/** One character of punctuation as the Rust library sees it: Unicode's and all of ASCII's symbols; for a `u` RegExp. */
export const PUNCTUATION = `(?:[!-/:-@\\[-\`{-~\\u166d\\u{111c9}]|(?![${LATER_PUNCTUATION}])\\p{P})`;

// Format characters since Unicode 9, which the Rust library does not know as such, and keeps.
const CONTROL = /^(?![\u0890\u0891\u08e2\u{110cd}\u{13430}-\u{1343f}])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u;
const WHITE_SPACE = /^\p{White_Space}$/u;

/** @param {number} code @returns {boolean} an ideograph that BERT sets apart with spaces */
function isIdeograph(code) {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x20000 && code <= 0x2a6df) ||
    (code >= 0x2a700 && code <= 0x2b73f) ||
    (code >= 0x2b740 && code <= 0x2b81f) ||
    (code >= 0x2b920 && code <= 0x2ceaf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}

/**
 * What BERT's normalizer makes of one character. It looks at no neighbours: combining marks that decomposition would
 * put into another order are the accents that are dropped anyway.
 * @param {string} character one code point
 * @param {{ cleanText: boolean, chinese: boolean, stripAccents: boolean, lowercase: boolean }} options
 * @returns {string}
 */
export function bertCharacter(character, options) {
  const code = /** @type {number} */ (character.codePointAt(0));
  let text = character;
  if (options.cleanText) {
    if (character === '\t' || character === '\n' || character === '\r') return ' ';
    if (code === 0 || code === 0xfffd || CONTROL.test(character)) return '';
    if (WHITE_SPACE.test(character)) return ' ';
  }
  if (options.stripAccents && !UNCHANGED.test(character)) {
    text = '';
    for (const part of character.normalize('NFD')) if (!MARK.test(part)) text += part;
  }
  if (options.lowercase) {
    let lower = '';
    for (const part of text) lower += part.toLowerCase();
    text = lower;
  }
  return options.chinese && isIdeograph(code) ? ` ${text} ` : text;
}
