// The words of the pictures' text alternatives, in Spanish.

import { count } from './count.js';

/** @type {import('../../../view/strings.js').Strings} */
export const VIEW = Object.freeze({
  weight: (query, key, weight) => `consulta «${query}», clave «${key}», peso ${weight}`,
  score: (query, key, score) => `consulta «${query}», clave «${key}», puntuación ${score}`,
  masked: (query, key) => `consulta «${query}», clave «${key}», enmascarada: esta clave no se puede ver`,
  row: (query, parts) => `«${query}» tiene sus mayores pesos en ${parts}.`,
  scoreRow: (query, parts) => `«${query}» tiene sus mayores puntuaciones con ${parts}.`,
  emptyRow: (query) => `«${query}» no tiene ninguna clave que pueda ver; todos sus pesos son 0.`,
  part: (key, value) => `«${key}» ${value}`,
  list: (parts) =>
    parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} y ${parts[parts.length - 1]}`,
  headName: (layer, head) => `Capa ${layer}, cabeza ${head}`,
  picture: (rows, columns, name) =>
    `${name}: ${count(rows, 'consulta', 'consultas')} por ${count(columns, 'clave', 'claves')}`,
  means: (parts) => `Peso medio en ${parts}.`,
  previous: 'el token anterior',
  next: 'el token siguiente',
  first: 'el primer token',
  separator: 'los separadores',
  same: 'el mismo token',
  directions: {
    sequential: { light: 'más es más oscuro', dark: 'más es más claro' },
    diverging: { light: 'más lejos de 0 es más oscuro', dark: 'más lejos de 0 es más claro' },
  },
  weightTitle: 'peso',
  scoreTitle: 'puntuación',
  squareRoot: 'escala de raíz cuadrada',
});
