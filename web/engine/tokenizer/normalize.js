// The normalizers of tokenizer.json, each keeping track of where its characters came from.
import { PrecompiledNormalizer, ReplaceNormalizer } from '@huggingface/tokenizers';
import { GlassError } from '../errors.js';
import { AlignedBuilder, mapCharacters, sliceAligned } from './aligned.js';
import { bertCharacter } from './unicode.js';

/** @typedef {import('./aligned.js').Aligned} Aligned */
/** @typedef {(text: Aligned) => Aligned} Normalize */
/** @typedef {{ type: string, [key: string]: any }} Part a part of tokenizer.json */

// Far more than a language has characters; it bounds what a hostile text can make us remember.
const MOST_REMEMBERED = 20_000;

/** @param {(character: string) => string} change @returns {Normalize} */
function perCharacter(change) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  return (aligned) =>
    mapCharacters(aligned, (character) => {
      let changed = seen.get(character);
      if (changed === undefined) {
        if (seen.size >= MOST_REMEMBERED) seen.clear();
        seen.set(character, (changed = change(character)));
      }
      return changed;
    });
}

// A character with what may join it or change places with it: marks, and the vowels and finals of Hangul.
const CLUSTER = /[^][\p{M}\u1160-\u11ff]*/gu;

/**
 * A normalizer that looks at neighbours, applied to one cluster after another. Within one, the first characters of
 * the result stand for the first of the source, the last for the last.
 * @param {(cluster: string) => string} change
 * @returns {Normalize}
 */
function perCluster(change) {
  return (aligned) => {
    const out = new AlignedBuilder();
    for (const match of aligned.text.matchAll(CLUSTER)) {
      const at = match.index;
      const before = Array.from(match[0]);
      const changed = change(match[0]);
      if (changed === match[0]) {
        out.copy(aligned, at, at + changed.length);
        continue;
      }
      const apart = before.map(change);
      const after = Array.from(changed);
      // Where every character changes for itself, each part belongs to one of them; otherwise some were joined, and
      // what was joined stands for the first.
      const alone = apart.join('') === changed;
      /** @type {number[]} */
      const owner = alone ? apart.flatMap((part, k) => Array.from(part, () => k)) : [];
      /** @type {number[]} */
      const place = [];
      for (let k = 0, unit = at; k < before.length; unit += before[k++].length) place.push(unit);
      after.forEach((character, i) => {
        const fromEnd = before.length - (after.length - i);
        const k = alone ? owner[i] : i === 0 ? 0 : Math.max(0, fromEnd);
        out.add(character, aligned.starts[place[k]], aligned.ends[place[k]]);
      });
    }
    return out.done();
  };
}

/**
 * The RegExp for a pattern of tokenizer.json, { String } or { Regex } (Oniguruma's, which the library translates).
 * @param {unknown} pattern
 * @param {string} where
 * @returns {RegExp}
 */
export function readPattern(pattern, where) {
  const { String: plain, Regex: regex } = /** @type {{ String?: unknown, Regex?: unknown }} */ (pattern ?? {});
  if (typeof (regex ?? plain) !== 'string') {
    throw new GlassError('bad-input', `${where}.pattern: expected { "String": … } or { "Regex": … }`);
  }
  try {
    return /** @type {RegExp} */ (new ReplaceNormalizer(/** @type {any} */ ({ pattern })).pattern);
  } catch (error) {
    throw new GlassError(
      'unsupported',
      `${where}.pattern cannot be used here: ${/** @type {Error} */ (error).message}`,
    );
  }
}

/** @param {Part} part @param {string} where @returns {Normalize} */
function replace(part, where) {
  const pattern = readPattern(part.pattern, where);
  const content = String(part.content ?? '');
  return (aligned) => {
    const out = new AlignedBuilder();
    let done = 0;
    for (const match of aligned.text.matchAll(pattern)) {
      if (match[0] === '') continue;
      const end = match.index + match[0].length;
      out.copy(aligned, done, match.index);
      // As in the Rust library, the new characters stand for the last one replaced.
      out.add(content, aligned.starts[end - 1], aligned.ends[end - 1]);
      done = end;
    }
    if (done === 0) return aligned;
    out.copy(aligned, done, aligned.text.length);
    return out.done();
  };
}

/**
 * Puts text in front that stands for the first character.
 * @param {Aligned} aligned
 * @param {string} prefix
 * @returns {Aligned}
 */
export function prepend(aligned, prefix) {
  if (aligned.text === '') return aligned;
  const out = new AlignedBuilder();
  out.add(prefix, aligned.starts[0], aligned.ends[0]);
  out.copy(aligned, 0, aligned.text.length);
  return out.done();
}

/**
 * The normalizer that a part of tokenizer.json describes. Throws 'unsupported' for a type it does not know.
 * @param {Part | null | undefined} part
 * @param {string} [where] for messages
 * @returns {Normalize}
 */
export function createNormalizer(part, where = 'tokenizer.json: normalizer') {
  if (part === null || part === undefined) return (aligned) => aligned;
  switch (part.type) {
    case 'BertNormalizer': {
      const lowercase = part.lowercase ?? true;
      const options = {
        cleanText: part.clean_text ?? true,
        chinese: part.handle_chinese_chars ?? true,
        stripAccents: part.strip_accents ?? lowercase,
        lowercase,
      };
      return perCharacter((character) => bertCharacter(character, options));
    }
    case 'Lowercase':
      return perCharacter((character) => character.toLowerCase());
    case 'StripAccents':
      return perCharacter((character) => (/\p{M}/u.test(character) ? '' : character));
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return perCluster((cluster) => cluster.normalize(part.type));
    case 'Precompiled': {
      const inner = new PrecompiledNormalizer(/** @type {any} */ (part));
      return perCluster((cluster) => inner.normalize(cluster));
    }
    case 'Strip':
      return (aligned) => {
        const blank = /\p{White_Space}/u;
        let from = 0;
        let to = aligned.text.length;
        if (part.strip_left) while (from < to && blank.test(aligned.text[from])) ++from;
        if (part.strip_right) while (to > from && blank.test(aligned.text[to - 1])) --to;
        return sliceAligned(aligned, from, to);
      };
    case 'Prepend':
      return (aligned) => prepend(aligned, String(part.prepend ?? ''));
    case 'Replace':
      return replace(part, where);
    case 'Sequence': {
      const steps = [...(part.normalizers ?? [])].map((step, i) =>
        createNormalizer(step, `${where}.normalizers[${i}]`),
      );
      return (aligned) => steps.reduce((text, step) => step(text), aligned);
    }
    default:
      throw new GlassError('unsupported', `${where}: the type ${JSON.stringify(part.type)} is not supported`);
  }
}
