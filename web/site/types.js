// The shapes of data that the page's parts share. Types only; nothing runs here.

/**
 * @typedef {import('../engine/index.js').Model} Model
 * @typedef {import('../engine/index.js').Run} Run
 * @typedef {import('../view/types.js').Tensor} Tensor
 * @typedef {import('../view/types.js').Matrix} Matrix
 */

/**
 * Recorded tensors by name: a run, or several put together (trace.js).
 * @typedef {{ get: (name: string) => Tensor, names: string[] }} RunLike
 */

/**
 * A number of a hook that the reader has changed (edits.js).
 * @typedef {{ at: string, where: import('../engine/edits.js').Where, set: number }} NumberEdit
 */

/**
 * What a reader has chosen: all of it is in the address, after the # (fragment.js says how).
 * @typedef {object} Choice
 * @property {string} model a shipped model's name; '' for one that the reader opened
 * @property {string} text
 * @property {string | null} pair the second sentence, null without one
 * @property {'pair' | 'batch'} join how two sentences run: in one sequence, or side by side
 * @property {string | null} target what an encoder–decoder reads as its output; null: it writes its own
 * @property {number} sequence which sequence of a batch is shown
 * @property {'encoder' | 'decoder' | 'cross' | null} attention which of an encoder–decoder's three; null: the one to begin with
 * @property {number} layer
 * @property {number} head
 * @property {number | null} query the chosen row
 * @property {number | null} key the chosen column
 * @property {'matrix' | 'arcs'} view
 * @property {'weights' | 'scores'} kind
 * @property {import('../view/palette.js').PaletteName | null} palette null: the one that suits kind and theme
 * @property {import('./theme.js').Preference} look light, dark, or as the system
 * @property {string} off heads that are switched off, as "self.1.0 cross.0.3" (switches.js)
 * @property {readonly NumberEdit[]} edits numbers that are changed, in the order they were
 * @property {'greedy' | 'sample' | 'beams'} how the next token is chosen
 * @property {number} temperature
 * @property {number} topk 0: all
 * @property {number} topp
 * @property {number} seed
 * @property {number} beams
 * @property {number} penalty of length, in a beam search
 * @property {number} length tokens to write at most, when writing on
 * @property {number[] | null} taken ids written so far; null: nobody has begun
 * @property {'heads' | 'layers' | 'all' | null} over which heads are shown as one: the layer's, this one's of all layers, all; null: none
 * @property {import('../view/aggregate.js').Reduction} by how they become one
 * @property {'shown' | 'hidden' | 'renormalised'} special what becomes of special tokens' rows and columns; renormalised: they are
 *   hidden, and rows add up to 1 again
 * @property {'tokens' | 'words'} unit of rows and columns
 * @property {import('../view/patterns.js').Pattern | null} sort the pattern that heads are sorted by
 * @property {'head' | 'text' | 'model' | 'edits' | null} compare what stands beside the picture; edits: the run without them
 * @property {number | null} layer2 of the head beside it; null: the same
 * @property {number | null} head2
 * @property {string | null} text2
 * @property {string | null} model2 a shipped model's name; '' for one that the reader opened
 */

/**
 * One sequence as it went through the model. All lists have an entry for each token, padding included.
 * @typedef {object} Sequence
 * @property {string[]} tokens
 * @property {number[]} ids
 * @property {boolean[]} special put there by the tokenizer
 * @property {boolean[]} padding
 * @property {number[]} typeIds
 * @property {({ field: 0 | 1, start: number, end: number } | null)[]} places the characters of a text field that a token is
 *   from, in UTF-16 units; null for special tokens
 * @property {number} truncated how many tokens were cut off
 * @property {number} written how many tokens at its end the model wrote
 */

/**
 * One run of the model with what belongs to it.
 * @typedef {object} Result
 * @property {Model} model
 * @property {any} input what the model ran on: later runs ask it again
 * @property {RunLike} run
 * @property {import('./recording.js').Records} records
 * @property {import('../engine/edits.js').Edit[]} edits that were made on the way
 * @property {Sequence[]} sequences
 * @property {Sequence | null} target what a decoder reads beside a source
 * @property {{ id: number, token: string } | null} following the token after the last one read
 * @property {string[]} texts the text fields' contents
 * @property {boolean} padded whether a sequence was filled up
 * @property {import('./prediction.js').Prediction} prediction
 * @property {import('./writing.js').Written | null} written how a text that the model writes came about
 * @property {number} ms from asking to drawing
 */

/**
 * What is pointed at: a head, a cell, a row, a column, or a token, which is a row, a column or both.
 * @typedef {{ part: 'head', grid: import('./grids.js').GridName, layer: number, head: number } |
 *   { part: 'cell' | 'row' | 'column', query: number | null, key: number | null } |
 *   { part: 'token', side: import('./grids.js').Side, token: number }} Hover
 */

/** @typedef {{ code: string, message: string, again?: boolean }} Problem again: trying once more may help */
/**
 * What is to be said of the address: a newer version's, with fields that nobody can read, with fields that this model does not
 * have; without what it has no room for; or without a model that only the reader has.
 * @typedef {{ kind: 'newer', version: string } | { kind: 'broken', fields: string[] } | { kind: 'misfit', fields: string[] } |
 *   { kind: 'long', left: (keyof Choice)[] } | { kind: 'elsewhere' }} Note
 */
/** @typedef {{ file: string, loaded: number, total: number | null }} Progress */
/**
 * @typedef {object} Passing what is not in the address
 * @property {Hover | null} hover
 * @property {Result | null} result
 * @property {import('../engine/tokenizer.js').Tokenizer | null} tokenizer of the first model, while its weights are on their way
 * @property {boolean} busy a run is on its way, or due: what is on show is of another text
 * @property {boolean} running the model writes on by itself
 * @property {{ name: string, files: Progress[], since: number } | null} loading
 * @property {Problem | null} problem of the sentence or its run
 * @property {Result | null} other the run that is compared with, where it is another
 * @property {Problem | null} otherProblem
 * @property {boolean} otherBusy its run is on its way, or due: the one that is there is of another text or model
 * @property {Problem | null} openProblem of opening a model
 * @property {readonly Note[]} notes on the address
 * @property {readonly string[]} lost names of changed numbers that went with their tokens (changes.js)
 * @property {string} modelTitle of the model on the page
 * @property {{ name: string, files: File[] } | null} folder the model that the reader opened last, to be compared with too
 * @property {import('../view/theme.js').Theme} theme
 * @property {boolean} phone a narrow window
 *
 * @typedef {Choice & Passing} State
 * @typedef {import('./store.js').Store} Store
 */

export {};
