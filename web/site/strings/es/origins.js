// The words of the way down to the weights, in Spanish.

import { count, number } from './count.js';

const ofToken = (/** @type {number} */ n) => count(n, 'número del token', 'números del token');

/** @type {import('../../strings.js').Shape<typeof import('../en/origins.js').ORIGINS>} */
export const ORIGINS = Object.freeze({
  learnt: 'Aprendido en el entrenamiento; el mismo para todo texto.',
  linear: (n, symbol) => `${ofToken(n)}, cada uno por un peso de ${symbol}, y un sesgo (bias)`,
  norm: '(s − media) ÷ dispersión, por γ, más β',
  rmsNorm: 's ÷ media cuadrática, por γ',
  rmsFormula: 's ÷ media cuadrática',
  rmsStandard: 'El número de antes, medido en la media cuadrática de los números del token.',
  rootLabel: 'media cuadrática',
  root: (n) =>
    `La raíz de la media de los cuadrados de los ${number(n)} números del token (sumando antes de la raíz el eps de la normalización).`,
  standardLabel: (index) => `s̄[${index}]`,
  standard: 'El número de antes, medido en la dispersión propia del token.',
  standardFormula: '(s − media) ÷ dispersión',
  meanLabel: 'media',
  mean: (n) => `La media de los ${number(n)} números del token.`,
  spreadLabel: 'dispersión',
  spread: (n) => `La desviación típica de los ${number(n)} números del token (sumando layer_norm_eps a su cuadrado).`,
  addition: 'sumado',
  mix: 'el valor (value) de cada token, por el peso que recibió',
  weight: 'peso',
  dot: (width) => `La suma de ${count(width, 'producto', 'productos')}: cuánto encaja esta consulta con esta clave.`,
  dotFormula: 'consulta por clave, número a número',
  scaled: 'El producto escalar, escalado.',
  divided: (divisor) => `esto, dividido entre ${divisor}`,
  score: 'puntuación',
  ofScore: 'Cuánto encaja la consulta con la clave, antes del softmax.',
  scoreFormula: 'el producto escalado, donde nada enmascara la clave',
  biasLabel: (distance) => `sesgo(distancia ${distance})`,
  bias: (distance, bucket) =>
    `Aprendido en el entrenamiento: lo que una distancia de ${distance} suma a las puntuaciones de esta cabeza (entrada ${bucket} de su tabla).`,
  turned: (at) => `El número después de que las posiciones rotatorias (rotary) lo giren para el lugar ${at}.`,
  cosineLabel: (i) => `cos ${i}`,
  sineLabel: (i, minus) => `${minus ? '−' : ''}sen ${i}`,
  turn: (at, angle) => `Del ángulo ${angle.toPrecision(4)}: el lugar ${at} por la frecuencia del par.`,
  rotation: 'un par de números, girado como la aguja de un reloj: cada uno por un coseno o un seno',
  softmax: (score, max, sum) => `e elevado a (${score} − ${max}), dividido entre la suma de la fila, ${sum}`,
  ofWeight: 'Un peso de la fila de esta cabeza para el token.',
  activation: (name) => `${name} de un número`,
  gated: (name) => `Un número interior: la puerta (gate) después de ${name}, por el número que tiene al lado.`,
  gateFormula: 'la puerta abierta, por el número que tiene al lado',
  openGate: 'puerta',
  gateSays: 'Cuánto se abre la puerta para el número que tiene al lado.',
  embeddingScaleLabel: '√anchura',
  embeddingScale:
    'Los embeddings de palabras se multiplican por la raíz de la anchura del modelo, para que las posiciones no los ahoguen.',
  scaledWord: 'El número de la palabra, escalado.',
  timesScale: 'por la raíz de la anchura',
  sine: 'seno de un ángulo',
  cosine: 'coseno de un ángulo',
  angleLabel: 'ángulo',
  angle: (at, i, width) => `Lugar ${at} ÷ 10000^(${2 * i} ÷ ${width}).`,
  logitLabel: 'logit',
  logit: 'Cuánto encaja este token con lo que el decodificador ha hecho del texto; puede ser cualquier número.',
  logitFormula: (n) =>
    `${count(n, 'número', 'números')} del último estado oculto (hidden state), cada uno por uno de la fila del token`,
  logitsScaleLabel: '1 ÷ √anchura',
  logitsScale: 'T5 escala su último estado oculto antes de la tabla de palabras.',
  probabilityLabel: 'probabilidad',
  probability: 'Cuán probable le parece al modelo que este token sea el siguiente, entre todo su vocabulario.',
  softmaxOf: (logit, max, sum, n) =>
    `e elevado a (${logit} − ${max}), dividido entre la suma de las potencias de los ${number(n)} tokens, ${sum}`,
  lastLayer: 'Lo que la última capa hizo del token.',
  finalNorm: 'Lo que la última capa hizo del token, tras la normalización final.',
  switchedOff: (head) => `La cabeza ${head} está apagada: esto se pone a 0.`,
  crossAttention: 'Lo que la atención cruzada trajo del origen a este token, de todas las cabezas.',
  crossSum: 'El token después de su autoatención, y lo que trajo la atención cruzada.',
  parts: { word: 'palabra', position: 'posición', segment: 'segmento' },
  embedding: {
    word: (token, id) =>
      `Aprendido en el entrenamiento: uno de los números que representan «${token}», el número ${id} del vocabulario.`,
    wave: (at) => `Representa el lugar ${at} de la secuencia, sea cual sea el token: una onda, no aprendida.`,
    position: (_, at) => `Representa el lugar ${at} de la secuencia, sea cual sea el token.`,
    segment: (_, at) => `Representa el segmento ${at}: la ${at === 0 ? 'primera' : 'segunda'} frase.`,
  },
  embeddingSum: 'El token tal como se busca en las tablas: palabra, posición y segmento, sumados.',
  embeddingNorm: 'La suma después de la normalización de capa (layer norm).',
  residual: (layer) =>
    layer === 0
      ? 'Lo que la primera capa lee del token: su embedding.'
      : `Lo que la capa ${layer} lee del token: lo que la capa ${layer - 1} hizo de él.`,
  mlp: 'Lo que suma la parte prealimentada (feed-forward) de la capa.',
  secondSum: 'Lo que dejó la atención, y lo que la parte prealimentada le suma.',
  afterAttention: 'El token después de la atención y la normalización de capa.',
  before: 'El token después de la normalización de capa, tal como lo lee la atención.',
  attention: 'Lo que la atención trajo a este token, de todas las cabezas.',
  firstSum: 'El token tal como entró, y lo que trajo la atención.',
  mixed: (head) => `Lo que tomó la cabeza ${head}: los valores de todos los tokens, mezclados según sus pesos.`,
  hidden: 'Uno de los números interiores de la parte prealimentada.',
  active: (name) => `Un número interior después de ${name}.`,
  projected: {
    q: 'Un número de la consulta (query): lo que busca el token, en esta cabeza.',
    k: 'Un número de la clave (key): por lo que se encuentra el token, en esta cabeza.',
    v: 'Un número del valor (value): lo que entrega el token, en esta cabeza.',
  },
});
