// The words of the explanation, in Spanish.

import { count, form, number } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/why.js').WHY>} */
export const WHY = Object.freeze({
  why: (shown) => `¿por qué ${shown}?`,
  whyNothing: 'Señala una celda para ver de dónde viene su número; haz clic para fijarla.',
  whyRow: 'la fila de',
  whyColumn: 'la columna de',
  chooseKey: 'Adónde mira esta consulta. Elige una clave para ver cómo se forma su peso.',
  columnSays: 'Quién mira a esta clave, y cuánto. Una columna no tiene un total propio.',
  rowTitle: (token) => `la fila de «${token}»`,
  otherKeys: (rest) => `${number(rest)} más`,
  roles: { query: 'consulta', key: 'clave' },
  productsOf: (query, key, products) =>
    `${count(products, 'producto', 'productos')} de la consulta «${query}» y la clave «${key}»`,
  whyWaiting: 'trayendo los números de esta capa',
  unfold: 'mostrar',
  fold: 'ocultar',
  letGo: 'soltar',
  letGoSaid: 'No hay nada elegido.',
  asks: 'mira a',
  dot: 'consulta · clave',
  dotSays: (width) =>
    `el *producto escalar* (dot product): ${count(width, 'número', 'números')} de la consulta, cada uno por el de la clave, y todo sumado`,
  scaleStep: (width) => `÷ √${width}`,
  scaleSays: (dot, divisor, scaled) =>
    `${dot} ÷ ${divisor} = ${scaled}; si no, vectores más largos darían puntuaciones mayores`,
  biasStep: 'sesgo por distancia',
  biasSays: 'aprendido para cada cabeza: cuánto suma esta distancia a la puntuación',
  scaleByStep: (divisor) => `÷ ${divisor}`,
  maskStep: 'máscara',
  maskSays: 'esta clave es relleno, o no se puede ver desde aquí',
  softmaxStep: 'softmax',
  softmaxTerm: 'el *softmax* convierte las puntuaciones de una fila en pesos que suman 1:',
  softmaxMasked: 'exp(−∞) = 0, así que de esta clave no se toma nada',
  softmaxSays: ({ score, softmax, weight }) =>
    `exp(${score.shown} − ${softmax.max.shown}, la mayor de la fila) = ${softmax.numerator.shown}; los de toda la fila suman ` +
    `${softmax.denominator.shown}; ${softmax.numerator.shown} ÷ ${softmax.denominator.shown} = ${weight.shown}`,
  differs: (error) =>
    `Lo registrado y lo recalculado aquí difieren en ${error}: más que un redondeo. Algo en el modelo cambia este número por el camino.`,
  caution:
    'Un peso dice cuánto del valor (value) de esta clave tomó la cabeza, no por qué el modelo responde como responde. Lo que depende de ' +
    'él se puede probar:',

  back: 'atrás',
  path: 'el camino hasta aquí',
  termsOf: (terms) => count(terms, 'término', 'términos'),
  from: {
    recorded: 'registrado en esta ejecución',
    stored: 'un parámetro del modelo',
    computed: 'calculado aquí, a partir de números registrados',
  },
  smallerOnes: (rest) => `${number(rest)} ${form(rest, 'menor', 'menores')}`,
  together: 'en total',
  openNumber: (label, value) => `${label} = ${value}: de dónde viene`,
});
