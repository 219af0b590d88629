// The words of other views of the heads, in Spanish.

import { count } from './count.js';

/** @param {number} heads */
const cabezas = (heads) => count(heads, 'cabeza', 'cabezas');

/** @type {import('../../strings.js').Shape<typeof import('../en/views.js').VIEWS>} */
export const VIEWS = Object.freeze({
  more: 'más vistas',
  heads: 'cabezas',
  one: 'una cabeza',
  reductions: {
    mean: { heads: 'media de la capa', layers: 'media de esta cabeza en todas las capas', all: 'media de todas' },
    max: { heads: 'máximo de la capa', layers: 'máximo de esta cabeza en todas las capas', all: 'máximo de todas' },
  },
  of: {
    mean: (heads) => `media de ${cabezas(heads)}`,
    max: (heads) => `máximo de ${cabezas(heads)}`,
  },
  special: 'tokens especiales',
  specials: { shown: 'a la vista', hidden: 'ocultos', renormalised: 'ocultos, las filas vuelven a sumar 1' },
  unit: 'filas y columnas',
  units: { tokens: 'tokens', words: 'palabras' },
  notes: {
    hidden: 'sin tokens especiales',
    renormalised: 'sin tokens especiales, las filas vuelven a sumar 1',
    words: 'por palabras',
  },
  says: {
    mean: (heads) =>
      `Cada celda es la *media* (mean) de esa celda en ${cabezas(heads)}: ninguna cabeza la calcula, y no tiene fórmula propia.`,
    max: (heads) =>
      `Cada celda es la mayor de esa celda en ${cabezas(heads)}: ninguna cabeza la calcula, y una fila puede sumar más de 1.`,
    words:
      'El peso hacia una palabra es la suma sobre sus tokens; el de una palabra, la media sobre los suyos (Clark et al. 2019).',
    hidden: 'Las filas y columnas de los tokens especiales no se muestran; por eso una fila puede sumar menos de 1.',
    renormalised:
      'Las filas y columnas de los tokens especiales no se muestran, y cada fila se divide por lo que queda de ella, para que sume 1.',
  },
  weightsOnly:
    'Las cabezas se juntan, y los tokens se hacen palabras, solo para los pesos: las puntuaciones no tienen suma ni media que sirva.',

  whyMean: (value, heads) =>
    `${value} es la media de ${cabezas(heads)}. Cada una aporta su peso, dividido por ${heads}:`,
  whyMax: (value, heads) => `${value} es el mayor peso que una de ${cabezas(heads)} tiene aquí:`,
  whyMaxWords: 'El máximo se toma token a token. El peso de cada cabeza en estas palabras:',
  whyWords: (value, queries, keys) =>
    queries === 1
      ? `${value} es la suma sobre los ${keys} tokens de la clave:`
      : keys === 1
        ? `${value} es la media sobre los ${queries} tokens de la consulta:`
        : `${value} es la suma sobre los ${keys} tokens de la clave, dividida por los ${queries} tokens de la consulta:`,
  whyDivided: (before, sum, value) =>
    `${before}, dividido por ${sum}, que es lo que queda de la fila sin tokens especiales: ${value}.`,
  cellOf: (query, key) => `${query} → ${key}`,
  openHead: (name, value) => `${name}: peso ${value}, mostrar esta cabeza`,
  openCell: (name, value) => `${name}: ${value}, mostrar esta celda de tokens`,

  sort: 'ordenar cabezas por',
  unsorted: 'capa y cabeza',
  patterns: {
    previous: 'token anterior',
    next: 'token siguiente',
    first: 'primer token',
    itself: 'el propio token',
    separator: 'separadores',
    duplicate: 'el mismo token antes',
    entropy: 'entropía',
  },
  patternsSay: {
    previous: 'El peso medio de un token hacia el que tiene delante.',
    next: 'El peso medio de un token hacia el que lo sigue.',
    first: 'El peso medio hacia el primer token.',
    itself: 'El peso medio de un token hacia sí mismo: la diagonal.',
    separator: 'El peso medio hacia los separadores, todos juntos.',
    duplicate: 'El peso medio de un token hacia todos los anteriores iguales a él, entre los que tienen alguno.',
    entropy:
      'La *entropía* (entropy) media de una fila: 0 bits si todo el peso está en una clave; la mayor, si se reparte por igual. En %: de la mayor posible.',
  },
  formulas: {
    previous: 'media de A[i, i−1] sobre i',
    next: 'media de A[i, i+1] sobre i',
    first: 'media de A[i, 0] sobre i',
    itself: 'media de A[i, i] sobre i',
    separator: 'media de Σₛ A[i, s] sobre i',
    duplicate: 'media de Σⱼ A[i, j] sobre i; j < i, el mismo token',
    entropy: 'media de −Σⱼ A[i, j] log₂ A[i, j] sobre i',
  },
  sorted: (pattern) => `cabezas por ${pattern}, de mayor a menor`,
  noScore: 'aquí no hay',
  bits: (bits, percent) => `${bits} bits (${percent} %)`,

  compare: 'comparar con',
  comparisons: {
    none: 'nada',
    head: 'otra cabeza',
    text: 'otro texto',
    model: 'otro modelo',
    edits: 'la ejecución sin cambios',
  },
  first: 'primera',
  second: 'segunda',
  secondText: 'texto de la segunda imagen',
  changed: 'con cambios',
  unchanged: 'sin cambios',
  nothingChanged: 'En esta ejecución no se ha cambiado nada.',
  otherModelSays: 'El segundo modelo lee el mismo texto con su propio tokenizador.',
  choosePlace: 'Elige una celda en cualquiera de las imágenes: queda elegida en todas.',
  difference: 'diferencia',
  differenceSays: 'La segunda menos la primera, celda a celda.',
  differenceBar: 'segunda − primera',
  largestDifference: (query, key, value) => `La mayor es ${value}, de «${query}» a «${key}».`,
  allEqual: 'Todas las celdas son iguales.',
  otherTokens: 'Sus tokens son distintos: las celdas se comparan por su lugar, esté lo que esté en él.',
  noDifference: (rows, columns, otherRows, otherColumns) =>
    `No hay diferencia que mostrar: la primera tiene ${count(rows, 'fila', 'filas')} y ${count(columns, 'columna', 'columnas')}, la segunda ${otherRows} y ${otherColumns}.`,
  compared: (cell, first, second, difference) => `${cell}: ${first} y ${second}, diferencia ${difference}`,
  endComparison: 'terminar la comparación',
});
