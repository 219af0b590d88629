// The words of what a reader changes, of links, and of keys.

export const STATE = Object.freeze({
  edits: {
    edit: 'change',
    change: (/** @type {string} */ label) => `change ${label}`,
    value: (/** @type {string} */ label) => `new value of ${label}`,
    slider: (/** @type {string} */ label) => `slider for ${label}`,
    began: (/** @type {string} */ value) => `was ${value}`,
    apply: 'apply',
    how: 'Enter applies, Escape gives up; up and down step by 0.1, with Shift by 1.',
    howWeight:
      'Enter applies, Escape gives up; up and down step by 0.01, with Shift by 0.1. The row is not made to add up to 1 again.',
    noNumber: 'Expected a number, such as 0.5 or −2.',
    toZero: (/** @type {string} */ number) => `set this ${number} to 0`,
    giveBack: 'give back',
    weight: 'weight',
    score: 'score',
    was: (/** @type {string} */ value) => `(was ${value})`,
    wasUnknown: '(changed)',
    cell: 'changed by you',
    list: 'Changed:',
    one: (/** @type {string} */ label, /** @type {string} */ was, /** @type {string} */ now) =>
      `${label}: ${was} → ${now}`,
    oneUnknown: (/** @type {string} */ label, /** @type {string} */ now) => `${label}: now ${now}`,
    placed: (/** @type {string} */ label, /** @type {string} */ place) => `${label}, ${place}`,
    remove: (/** @type {string} */ label) => `give ${label} back`,
    missed: '(not in this text)',
    unknown: '(not in this model)',
    lost: (/** @type {string} */ names) =>
      `Gone with the token that it was of: ${names}. Undo brings back the text and the change.`,
    nothing: 'Nothing is changed.',
    undo: 'undo',
    redo: 'redo',
    removeAll: 'remove all',
    before: (/** @type {string} */ probability) => `was ${probability}`,
    beforeLess: 'was less',
    less: 'less',
    /** What the model said first without the changes, and says now. */
    same: (/** @type {string} */ name, /** @type {string} */ was, /** @type {string} */ now) =>
      `First with and without the changes: ${name}, ${was} before, ${now} now.`,
    other: (
      /** @type {string} */ name,
      /** @type {string} */ was,
      /** @type {string} */ now,
      /** @type {string} */ first,
      /** @type {string} */ probability,
    ) => `First was ${name} ${was}, which has ${now} now; first is ${first} ${probability}.`,
    /** What comes out is NaN. */
    overflow: (/** @type {string} */ name, /** @type {string} */ was) =>
      `First was ${name} ${was}. With these changes numbers grow beyond float32, and what the model says is NaN: not a number.`,
    byReader: 'Set by you; what it was made of no longer counts.',
    notice: 'A number of this row was changed: recorded and recomputed here differ.',
  },
  links: {
    copy: 'copy link',
    copied: 'The link is copied.',
    copyByHand: 'This browser does not let the page copy. The link is selected below: copy it.',
    link: 'link to this page',
    dismiss: 'dismiss',
    newer: (/** @type {string} */ version) =>
      `This link was made by a newer version of the page (v=${version}). What this version knows of it is shown.`,
    broken: (/** @type {string} */ fields) => `Not understood in this link, and left out: ${fields}.`,
    misfit: (/** @type {string} */ fields) => `This model or text does not have what the link names: ${fields}.`,
    long: (/** @type {string} */ names) =>
      `The address has room for about 8,000 characters. It leaves out ${names}: a link to this page does not have it.`,
    elsewhere:
      'This link was made with a model that its sender had opened. Such a model is in no link: open it here to see the same.',
    opened: 'The model you opened is not in the link: whoever follows it must open it too.',
    /** What the long fields of the address are called. */
    fields: {
      text: 'the text',
      pair: 'the second sentence',
      target: 'the output that was given',
      taken: 'what was written',
      edits: 'the changed numbers',
    },
  },
  keySheet: {
    title: 'Keys',
    open: 'keys',
    single: 'Keys without Ctrl work anywhere but in text fields.',
    use: 'use them',
    groups: {
      move: 'Moving',
      show: 'Showing',
      change: 'Changing',
      page: 'The page',
    },
    keys: {
      picture: 'go to the picture',
      cell: 'in the picture: to another cell',
      ten: 'ten cells further',
      ends: 'to the row’s first or last cell; with Ctrl the picture’s',
      heads: 'next and previous head',
      layers: 'next and previous layer',
      attention: 'next attention of an encoder–decoder',
      view: 'matrix or arcs',
      kind: 'weights or scores',
      zoom: 'in the picture: enlarge, reduce, fit',
      edit: 'change the chosen number',
      off: 'switch the head off or on',
      undo: 'undo a change',
      redo: 'redo it',
      sentence: 'go to the sentence',
      link: 'copy a link to what is on show',
      letGo: 'let go of what is chosen; close what is open',
      help: 'this sheet',
    },
    /** Names of keys that have another name, or none, on other keyboards. */
    names: {
      arrows: 'arrow keys',
      shift: 'Shift',
      home: 'Home',
      end: 'End',
    },
    or: 'or',
  },
});
