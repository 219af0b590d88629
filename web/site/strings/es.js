// Spanish. The shape is that of en.js; README.md says how words are added.

import { form, number } from './es/count.js';
import { EXPORT } from './es/export.js';
import { HEADS } from './es/heads.js';
import { ORIGINS } from './es/origins.js';
import { STATE } from './es/state.js';
import { VIEW } from './es/view.js';
import { VIEWS } from './es/views.js';
import { WHY } from './es/why.js';
import { WRITING } from './es/writing.js';

/** @type {import('../strings.js').Strings} */
export const SPANISH = Object.freeze({
  title: 'glassformer',
  tagline: 'Un transformer lee tu frase. Todos los números de abajo son de esa ejecución, en este equipo.',

  model: 'modelo',
  models: {
    topics: 'temas',
    words: 'palabras',
    austen: 'austen',
    dates: 'fechas',
    pronounce: 'pronunciación',
    translate: 'traducción',
  },
  modelSays: {
    topics: 'Uno de los 12 temas de los que puede tratar una definición.',
    words: 'Lo que puede ir en el hueco.',
  },
  openedModel: (name) => `${name} (abierto)`,
  open: 'abrir…',
  openTitle: 'Abrir un modelo',
  openSays:
    'Una carpeta con la disposición de Hugging Face: config.json, model.safetensors, tokenizer.json. Se abren codificadores como BERT, ' +
    'decodificadores como GPT-2 o Llama, y codificadores-decodificadores como Marian, BART o T5. Se lee aquí y no se envía a ninguna ' +
    'parte. Elígela o suéltala en cualquier lugar de esta página.',
  chooseFolder: 'elegir una carpeta…',
  dropHere: 'Suelta aquí la carpeta de un modelo',
  cancel: 'cancelar',
  close: 'cerrar',
  loading: (name) => `cargando ${name}`,
  progress: (file, loaded, total) => (total === null ? `${file}: ${loaded}` : `${file}: ${loaded} de ${total}`),
  noFiles: 'Aquí no hay archivos de un modelo: se esperaba una carpeta con config.json y model.safetensors.',
  noTokenizer:
    'Esta carpeta no tiene ni tokenizer.json ni vocab.txt; la página necesita uno de los dos para leer un texto.',
  stillThere: 'La página sigue con el modelo que tenía.',
  notYetHere: 'Este modelo aún no se ha cargado en este equipo y ningún servidor responde: necesita la red una vez.',
  tryAgain: 'intentarlo de nuevo',
  newVersion: 'Hay una versión nueva de esta página:',
  reload: 'recargar',

  language: 'idioma',
  parts: {
    sentence: 'frase',
    output: 'salida',
    status: 'estado',
    tokens: 'tokens',
    heads: 'todas las cabezas',
    head: 'una cabeza',
    answers: 'predicción',
    why: 'explicación',
  },
  pages: 'páginas',
  learn: 'aprender',
  embed: 'insertar',

  themes: { auto: 'automático', light: 'claro', dark: 'oscuro' },
  theme: 'tema de colores',
  problems: {
    'not-found': 'No se ha encontrado algo que hacía falta.',
    'bad-config': 'La configuración del modelo no es válida.',
    'bad-weights': 'Los pesos del modelo no son los que su configuración pide.',
    'bad-input': 'El modelo no puede leer esto.',
    unsupported: 'Esto no está previsto aquí.',
    'out-of-memory': 'No hay memoria suficiente.',
    aborted: 'Se ha interrumpido.',
    disposed: 'Esto ya se había cerrado.',
  },

  unsupported: (missing) =>
    `Este navegador no tiene ${missing}, y el modelo lo necesita. Lo tienen Chrome o Edge desde la versión 95, Firefox desde la 100 y ` +
    'Safari desde la 16.4.',

  fields: {
    sentence: { label: 'frase', placeholder: 'Escribe una frase' },
    first: { label: 'primera frase', placeholder: 'Escribe una frase' },
    second: { label: 'segunda frase', placeholder: 'Escribe una frase' },
    prompt: { label: 'comienzo', placeholder: 'Escribe cómo empieza un texto' },
    source: { label: 'origen', placeholder: 'Escribe lo que el modelo va a leer' },
    target: { label: 'salida', placeholder: 'Escribe lo que el modelo tendría que haber escrito' },
  },
  first: 'primera frase',
  second: 'segunda frase',
  addSecond: 'añadir una segunda frase',
  removeSecond: 'quitar',
  addTarget: 'dar la salida',
  removeTarget: 'dejar que el modelo escriba',
  targetSays:
    'El decodificador lee la salida que tú das, no la suya (*enseñanza forzada*, en inglés teacher forcing): en cada token ves qué ' +
    'esperaba después. Mientras el campo está vacío, escribe el modelo.',
  asPair: 'en una sola secuencia',
  asBatch: 'una al lado de otra, como lote',
  pairSays:
    'Una *secuencia* (sequence) contiene las dos: cada una acaba en [SEP], y el número de *segmento* (segment) le dice al modelo de cuál ' +
    'es cada token. Todo token puede mirar a ambas frases.',
  batchSays: (length) =>
    `Un *lote* (batch) ejecuta las dos a la vez, cada una por su cuenta. La más corta se completa con [PAD] hasta ${number(length)} ` +
    'tokens. Al *relleno* (padding) no se le puede mirar: su puntuación pasa a ser −∞, así que su peso es 0, y lo muestran las columnas ' +
    'rayadas.',
  batchEven:
    'Un *lote* (batch) ejecuta las dos a la vez, cada una por su cuenta. Estas dos son igual de largas: no hay que completar nada con ' +
    '[PAD].',
  shownSequence: 'abajo se muestra:',
  tryThese: 'prueba con',
  truncated: (cut, kept) =>
    `${form(cut, 'El último token no se lee', `Los últimos ${number(cut)} tokens no se leen`)}: este modelo lee como mucho ` +
    `${number(kept)}. Lo que no se lee está tachado arriba.`,
  keptPicture: 'Lo que se muestra es de la ejecución anterior.',
  took: (seconds) => `Esta ejecución tardó ${seconds} s.`,
  running: 'en marcha',

  tokens: 'tokens',
  tokensSay: {
    encoder:
      'El modelo lee *tokens*: palabras o trozos de palabras, por su número. El tokenizador (tokenizer) añade [CLS] y [SEP].',
    decoder:
      'El modelo lee *tokens*: palabras o trozos de palabras, por su número; ␣ es un espacio. Lo que ha escrito él mismo va subrayado.',
  },
  tokensSayBoth:
    'El *codificador* (encoder) lee el origen de una vez; el *decodificador* (decoder) lee lo que va escrito, token a token, a partir de ' +
    'un token de inicio.',
  source: 'origen',
  output: 'salida',
  continuation: 'continuación',
  startToken: 'el token de inicio',
  byModel: 'escrito por el modelo',
  tokenLabel: (token, index, id) => `${token}, token ${index}, número ${id}`,
  special: 'añadido por el tokenizador',
  padding: 'relleno',
  makeBlank: (token) => `convertir «${token}» en un hueco`,

  prediction: {
    classes: 'tema',
    tokens: 'clase de un token',
    blanks: 'hueco',
    next: 'token siguiente',
    none: 'predicción',
  },
  predictionSays: 'Las *probabilidades* de todos suman 1.',
  noHead: 'Este modelo no tiene ninguna cabeza que prediga algo; lo que da es un vector por cada token.',
  noBlank:
    'Haz doble clic en un token para convertirlo en un hueco, o escribe [MASK]: el modelo dice qué puede ir ahí.',
  chooseToken: 'Elige un token para ver sus clases.',
  blankOf: (n, of) => (of === 1 ? 'en el hueco' : `en el hueco ${n} de ${of}`),
  fillIn: (token) => `poner «${token}»`,
  allOthers: 'todos los demás',

  ...WRITING,
  ...HEADS,
  ...EXPORT,
  ...WHY,
  ...STATE,
  origins: ORIGINS,
  viewWords: VIEW,
  views: VIEWS,
});
