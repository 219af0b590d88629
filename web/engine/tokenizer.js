// Text to tokens and back, by a model's tokenizer.json. The vocabulary's work is done by `@huggingface/tokenizers`; what
// is done here is to know, for every token, which characters of the text it stands for, and to agree with the Rust
// library of the same people, which models are trained with (the differences: tokenizer/unicode.js).
//
// Plain data in, plain data out: a worker can run this.
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { GlassError } from './errors.js';
import { checkedText, checkOptions, described } from './names.js';
import { isTyped } from './tensor.js';
import { readAddedTokens } from './tokenizer/added.js';
import { checkTokenizerJson, readPart } from './tokenizer/check.js';
import { createPipeline } from './tokenizer/pipeline.js';
import { readTemplate } from './tokenizer/template.js';
import { tokenTexts } from './tokenizer/texts.js';
import { tokenizerJsonFromVocab } from './tokenizer/vocab.js';

/**
 * One encoded text, or pair of texts; all lists have one entry for each token.
 * @typedef {object} Encoding
 * @property {number[]} ids
 * @property {string[]} tokens as in the vocabulary
 * @property {number[]} mask all 1: nothing is padded here
 * @property {number[]} typeIds
 * @property {number[]} special 1 where the tokenizer put the token there; a [MASK] that was typed is text, hence 0
 * @property {[number, number][]} offsets [start, end) in UTF-16 units of the text that the token is from; [0, 0] for
 *   special tokens
 * @property {(0 | 1 | null)[]} sequence which text the token is from: 0 the first, 1 the pair, null neither
 * @property {number} truncated how many tokens were cut off to keep to the maximum length
 */

/** @typedef {{ token: string, id: number } | null} Special */
/** @typedef {import('./tokenizer/pipeline.js').Tokens} Tokens */

/** The names under which special tokens are listed in tokenizer_config.json, and what they usually are. */
const SPECIALS = /** @type {const} */ ({
  pad: ['[PAD]', '<pad>'],
  unk: ['[UNK]', '<unk>'],
  cls: ['[CLS]', '<s>'],
  sep: ['[SEP]', '</s>'],
  mask: ['[MASK]', '<mask>'],
  bos: ['<s>', '<|endoftext|>'],
  eos: ['</s>', '<|endoftext|>'],
});

/** @param {unknown} file parsed, or its text @param {string} name @returns {any} */
function parsed(file, name) {
  if (typeof file !== 'string') return file;
  try {
    return JSON.parse(file);
  } catch (error) {
    throw new GlassError('bad-input', `${name}: not JSON (${/** @type {Error} */ (error).message})`);
  }
}

export class Tokenizer {
  /** @type {Library} */ #library;
  /** @type {(text: string) => Tokens} */ #cut;
  /** @type {import('./tokenizer/template.js').Template} */ #template;
  /** @type {boolean} */ #cleanUp;
  /** @type {import('./tokenizer/texts.js').TokenTexts | null} */ #texts = null;

  /**
   * Use fromFiles, fromVocab or fromFolder.
   * @param {unknown} tokenizerJson
   * @param {unknown} tokenizerConfig
   */
  constructor(tokenizerJson, tokenizerConfig) {
    const json = parsed(tokenizerJson, 'tokenizer.json');
    const config = parsed(tokenizerConfig, 'tokenizer_config.json') ?? {};
    const parts = checkTokenizerJson(json);
    const added = readAddedTokens(parts.added_tokens);
    const library = readPart('decoder, post_processor or model', () => {
      const rest = { ...parts, normalizer: null, pre_tokenizer: null, added_tokens: added };
      return new Library(rest, { clean_up_tokenization_spaces: false });
    });
    this.#library = library;
    this.#cut = createPipeline(parts, added, library);
    this.#template = readPart('post_processor', () => readTemplate(library, parts.post_processor));
    for (const { token } of [...this.#template.single, ...(this.#template.pair ?? [])]) {
      if (token !== null && this.tokenId(token) === null) {
        throw new GlassError(
          'bad-input',
          `tokenizer.json: post_processor names ${JSON.stringify(token)}, which has no id`,
        );
      }
    }
    this.#cleanUp = config.clean_up_tokenization_spaces === true;

    /** The files this was made from; what `save` writes. @type {{ tokenizer: any, config: any }} */
    this.files = { tokenizer: json, config: tokenizerConfig === undefined || tokenizerConfig === null ? null : config };
    /** How many ids there are, gaps included. @type {number} */
    this.vocabSize = library.model?.vocab.length ?? 0;
    const most = config.model_max_length;
    /** The length that tokenizer_config.json asks for, special tokens included; null where it does not. @type {number | null} */
    this.maxLength = Number.isInteger(most) && most > 0 && most < 1e9 ? most : null;
    /** @param {keyof typeof SPECIALS} name @returns {Special} */
    const special = (name) => {
      const given = config[`${name}_token`];
      const named = given && typeof given === 'object' ? given.content : given;
      const specials = added.filter((token) => token.special).map((token) => token.content);
      const token = typeof named === 'string' ? named : SPECIALS[name].find((usual) => specials.includes(usual));
      const id = token === undefined ? null : this.tokenId(token);
      return token === undefined || id === null ? null : { token, id };
    };
    /** Special tokens by their use, null where there is none. @type {Readonly<Record<keyof typeof SPECIALS, Special>>} */
    this.specials = Object.freeze({
      pad: special('pad'),
      unk: special('unk'),
      cls: special('cls'),
      sep: special('sep'),
      mask: special('mask'),
      bos: special('bos'),
      eos: special('eos'),
    });
  }

  /**
   * From tokenizer.json and, where there is one, tokenizer_config.json: parsed, or as text. Throws 'bad-input' where a
   * field is missing or wrong, 'unsupported' where a kind of normalizer, pre-tokenizer, model … is not known.
   * @param {unknown} tokenizerJson
   * @param {unknown} [tokenizerConfig]
   * @returns {Tokenizer}
   */
  static fromFiles(tokenizerJson, tokenizerConfig) {
    return new Tokenizer(tokenizerJson, tokenizerConfig);
  }

  /**
   * From the vocab.txt of an older BERT folder.
   * @param {string} vocab
   * @param {unknown} [tokenizerConfig]
   * @returns {Tokenizer}
   */
  static fromVocab(vocab, tokenizerConfig) {
    const config = parsed(tokenizerConfig, 'tokenizer_config.json');
    return new Tokenizer(tokenizerJsonFromVocab(vocab, config), config);
  }

  /**
   * From a model's folder (sources.js); null where it holds no tokenizer that can be read.
   * @param {import('./sources.js').Folder} folder
   * @returns {Promise<Tokenizer | null>}
   */
  static async fromFolder(folder) {
    const config = (await folder.has('tokenizer_config.json')) ? await folder.text('tokenizer_config.json') : undefined;
    if (await folder.has('tokenizer.json')) return Tokenizer.fromFiles(await folder.text('tokenizer.json'), config);
    if (await folder.has('vocab.txt')) return Tokenizer.fromVocab(await folder.text('vocab.txt'), config);
    return null;
  }

  /**
   * Encodes a text, or a pair of texts. Lone surrogates count as U+FFFD. A text longer than `maxLength` is cut at its
   * end, of two texts the longer one first, and `truncated` says by how many tokens.
   * @param {string} text
   * @param {{ pair?: string | null, maxLength?: number | null, specialTokens?: boolean }} [options] maxLength includes
   *   special tokens and defaults to the tokenizer's own; specialTokens false leaves them out
   * @returns {Encoding}
   */
  encode(text, options = {}) {
    checkOptions(options, ['pair', 'maxLength', 'specialTokens'], 'encode');
    const { pair = null, maxLength = this.maxLength, specialTokens = true } = options;
    const texts = [this.#cut(checkedText(text, 'text'))];
    if (pair !== null) texts.push(this.#cut(checkedText(pair, 'pair')));
    const template = pair === null ? this.#template.single : this.#template.pair;
    if (!template) {
      throw new GlassError(
        'unsupported',
        'this tokenizer has no form for a pair of texts (tokenizer.json: post_processor)',
      );
    }
    const places = specialTokens ? template : template.filter((place) => place.token === null);
    const given = texts.reduce((sum, { ids }) => sum + ids.length, 0);
    const kept = this.#lengths(texts, maxLength, places.filter((place) => place.token !== null).length);

    /** @type {Encoding} */
    const out = { ids: [], tokens: [], mask: [], typeIds: [], special: [], offsets: [], sequence: [], truncated: 0 };
    for (const { token, sequence, typeId } of places) {
      if (sequence === null) {
        const name = /** @type {string} */ (token);
        out.tokens.push(name);
        out.ids.push(/** @type {number} */ (this.tokenId(name)));
        out.offsets.push([0, 0]);
      } else {
        const { tokens, ids, offsets } = texts[sequence];
        for (let i = 0; i < kept[sequence]; ++i) {
          out.tokens.push(tokens[i]);
          out.ids.push(ids[i]);
          out.offsets.push(offsets[i]);
        }
      }
      while (out.mask.length < out.ids.length) {
        out.mask.push(1);
        out.typeIds.push(typeId);
        out.special.push(sequence === null ? 1 : 0);
        out.sequence.push(sequence);
      }
    }
    out.truncated = given - kept.reduce((sum, length) => sum + length, 0);
    return out;
  }

  /**
   * How many tokens of each text fit: of two, the longer one gives way, then both are halved, as in the Rust library.
   * @param {Tokens[]} texts
   * @param {number | null | undefined} maxLength
   * @param {number} specials
   * @returns {number[]}
   */
  #lengths(texts, maxLength, specials) {
    const lengths = texts.map(({ ids }) => ids.length);
    if (maxLength === null || maxLength === undefined) return lengths;
    if (!Number.isInteger(maxLength) || maxLength < specials) {
      throw new GlassError(
        'bad-input',
        `maxLength: expected a whole number from ${specials} (the special tokens), not ${maxLength}`,
      );
    }
    const room = maxLength - specials;
    if (lengths.length === 1) return [Math.min(lengths[0], room)];
    if (lengths[0] + lengths[1] <= room) return lengths;
    const shorter = Math.min(lengths[0], lengths[1], Math.floor(room / 2));
    // An odd room gives its last place to the longer one; two that are each too long for it all count as equal.
    return Math.min(lengths[0], maxLength) <= Math.min(lengths[1], maxLength)
      ? [shorter, room - shorter]
      : [room - shorter, shorter];
  }

  /**
   * The text that tokens stand for, as the tokenizer's decoder writes it. Ids outside the vocabulary are left out.
   * @param {ArrayLike<number>} ids
   * @param {{ skipSpecial?: boolean }} [options] leave out special tokens
   * @returns {string}
   */
  decode(ids, options = {}) {
    checkOptions(options, ['skipSpecial'], 'decode');
    const { skipSpecial = false } = options;
    if (!Array.isArray(ids) && !isTyped(ids)) {
      throw new GlassError('bad-input', `ids: expected a list of numbers, got ${described(ids)}`);
    }
    const list = Array.from(ids);
    const wrong = list.findIndex((id) => !Number.isInteger(id));
    if (wrong >= 0)
      throw new GlassError('bad-input', `ids[${wrong}]: expected a whole number, got ${described(list[wrong])}`);
    const known = list.filter((id) => this.token(id) !== null);
    if (known.length === 0) return '';
    return this.#library.decode(known, {
      skip_special_tokens: skipSpecial,
      clean_up_tokenization_spaces: this.#cleanUp,
    });
  }

  /** What each token adds to a text, worked out once. @returns {import('./tokenizer/texts.js').TokenTexts} */
  texts() {
    this.#texts ??= tokenTexts({
      json: this.files.tokenizer,
      decoder: this.#library.decoder,
      before: this.#cut('abcdef').tokens,
      tokens: Array.from({ length: this.vocabSize }, (_, id) => this.token(id)),
    });
    return this.#texts;
  }

  /** @param {string} token @returns {number | null} its id, null where it is not in the vocabulary */
  tokenId(token) {
    return this.#library.token_to_id(token) ?? null;
  }

  /** @param {number} id @returns {string | null} the token, null where the id is not used */
  token(id) {
    return this.#library.id_to_token(id) ?? null;
  }
}
