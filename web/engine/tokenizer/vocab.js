// Older BERT folders hold vocab.txt and tokenizer_config.json instead of tokenizer.json: this writes what they mean.
import { GlassError } from '../errors.js';

/** The tokenizer classes of transformers that read vocab.txt in BERT's way. */
const CLASSES = /^(Bert|DistilBert|Electra|MobileBert|ConvBert)Tokenizer(Fast)?$/;

// All fields are written: the Rust library asks for each.
const PLAIN = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: false };

/** @param {{ [key: string]: any }} settings */
function refuseOthers({ tokenizer_class: kind, do_basic_tokenize: basic }) {
  if (kind !== undefined && kind !== null && !CLASSES.test(String(kind))) {
    throw new GlassError(
      'unsupported',
      `tokenizer_config.json: vocab.txt is read as BERT's, but tokenizer_class is ${JSON.stringify(kind)}; ` +
        'a tokenizer.json is needed (AutoTokenizer.from_pretrained(…).save_pretrained(…) writes one)',
    );
  }
  if (basic === false) {
    throw new GlassError('unsupported', 'tokenizer_config.json: do_basic_tokenize false is not supported');
  }
}

/** @param {string} text one token a line, whose number is its id @returns {{ [token: string]: number }} */
function readVocab(text) {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  /** @type {{ [token: string]: number }} */
  const vocab = Object.create(null);
  lines.forEach((token, id) => (vocab[token] = id));
  return vocab;
}

/** @param {string} first @param {string} end what stands around texts */
function templates(first, end) {
  /** @param {string} id @param {number} type */
  const place = (id, type) => ({ SpecialToken: { id, type_id: type } });
  /** @param {'A' | 'B'} id @param {number} type */
  const sequence = (id, type) => ({ Sequence: { id, type_id: type } });
  return {
    single: [place(first, 0), sequence('A', 0), place(end, 0)],
    pair: [place(first, 0), sequence('A', 0), place(end, 0), sequence('B', 1), place(end, 1)],
  };
}

/**
 * The tokenizer.json that stands for a vocab.txt.
 * @param {string} text vocab.txt: one token a line, the line's number is its id
 * @param {{ [key: string]: any } | null | undefined} config tokenizer_config.json; its absence means BERT's defaults
 *   (lower-cased, accents stripped, ideographs apart)
 * @returns {{ [key: string]: any }}
 */
export function tokenizerJsonFromVocab(text, config) {
  const settings = config ?? {};
  refuseOthers(settings);
  const vocab = readVocab(text);
  /** @param {string} key @param {string} usual @returns {string} */
  const special = (key, usual) => {
    const given = settings[key] ?? usual;
    return typeof given === 'object' ? String(given.content) : String(given);
  };
  const unknown = special('unk_token', '[UNK]');
  const first = special('cls_token', '[CLS]');
  const end = special('sep_token', '[SEP]');
  for (const token of [unknown, first, end]) {
    if (vocab[token] === undefined) throw new GlassError('bad-input', `vocab.txt: the token ${token} is missing`);
  }
  const specials = [special('pad_token', '[PAD]'), unknown, first, end, special('mask_token', '[MASK]')];
  const added = specials
    .filter((token) => vocab[token] !== undefined)
    .map((content) => ({ ...PLAIN, id: vocab[content], content, special: true }));
  for (const [id, token] of Object.entries(settings.added_tokens_decoder ?? {})) {
    if (!added.some((known) => known.content === token.content)) added.push({ ...PLAIN, ...token, id: Number(id) });
  }

  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added.sort((a, b) => a.id - b.id),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: settings.tokenize_chinese_chars ?? true,
      strip_accents: settings.strip_accents ?? null,
      lowercase: settings.do_lower_case ?? true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      ...templates(first, end),
      special_tokens: Object.fromEntries(
        [first, end].map((token) => [token, { id: token, ids: [vocab[token]], tokens: [token] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: unknown,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}
