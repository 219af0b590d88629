// The words of the heads, in Spanish.

import { count } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/heads.js').HEADS>} */
export const HEADS = Object.freeze({
  heads: 'todas las cabezas',
  headsSay:
    'Cada *capa* (layer; hacia abajo) tiene varias *cabezas* (heads; hacia la derecha), y cada cabeza mira a su manera.',
  headsSayStrip:
    'Cada *capa* (layer) tiene varias *cabezas* (heads; se escriben capa.cabeza), y cada cabeza mira a su manera.',
  grids: {
    self: {
      title: 'autoatención',
      says: '',
      heads: 'Todas las cabezas. Las flechas eligen una cabeza.',
      looks: 'adónde mira cada token',
    },
    encoder: {
      title: 'codificador',
      says: 'del origen al origen',
      heads: 'Todas las cabezas del codificador. Las flechas eligen una cabeza.',
      looks: 'adónde mira cada token del origen',
    },
    decoder: {
      title: 'decodificador',
      says: 'de la salida a la salida',
      heads: 'Todas las cabezas del decodificador. Las flechas eligen una cabeza.',
      looks: 'adónde mira hacia atrás cada token de la salida',
    },
    cross: {
      title: 'atención cruzada',
      says: 'de la salida al origen',
      heads: 'Todas las cabezas de la atención cruzada. Las flechas eligen una cabeza.',
      looks: 'a qué lugar del origen mira cada token',
    },
  },
  axes: {
    self: { queryTitle: 'consulta', keyTitle: 'clave' },
    encoder: { queryTitle: 'consulta', keyTitle: 'clave' },
    decoder: { queryTitle: 'consulta', keyTitle: 'clave' },
    cross: { queryTitle: 'salida', keyTitle: 'origen' },
  },
  attention: 'atención',
  switchOff: 'apagar esta cabeza',
  switchOn: 'encender esta cabeza',
  offSays: (heads) => `Apagado: ${heads}. Lo que ahí se mezcla cuenta como 0.`,
  offMissed: (heads) => `No está en este modelo, y no hay nada que apagar: ${heads}.`,
  offOne: (grid, layer, head) => `${grid}${grid ? ' ' : ''}capa ${layer} cabeza ${head}`,
  layer: 'capa',
  head: 'cabeza',
  headName: (layer, head) => `capa ${layer}, cabeza ${head}`,
  beforeSoftmax: 'cuánto encaja cada consulta con cada clave',
  weightsSay:
    'Una fila es una *consulta* (query), el token que mira; una columna es una *clave* (key), un token mirado. Los *pesos* (weights) de ' +
    'una fila suman 1.',
  causalSays:
    'Una fila es una *consulta* (query), el token que mira; una columna es una *clave* (key), un token mirado. Un token se ve a sí mismo ' +
    'y lo que hay antes: lo que viene después está oculto (rayado). Los *pesos* (weights) de una fila suman 1.',
  crossSays:
    'Una fila es una *consulta* (query): un token de la salida y, tras la flecha, lo que se escribe después. Una columna es una *clave* ' +
    '(key): un token del origen. Los *pesos* (weights) de una fila suman 1.',
  scoresSay:
    'De las *puntuaciones* (scores) salen los pesos: el producto de consulta y clave, escalado y enmascarado, antes del softmax. Puede ' +
    'ser cualquier número.',
  arcsSay:
    'Una línea lleva de una *consulta* (query), el token que mira, a una *clave* (key), un token mirado: cuanto más gruesa, mayor el ' +
    '*peso* (weight). Las puntuaciones no tienen un total del que una línea pueda ser parte.',
  weights: 'pesos',
  scores: 'puntuaciones',
  matrix: 'matriz',
  arcs: 'arcos',
  kind: 'números',
  view: 'vista',
  palette: 'colores',
  zoomIn: 'ampliar',
  zoomOut: 'reducir',
  zoomFit: 'ajustar',
  linesDrawn: (drawn, threshold) =>
    `${count(drawn, 'línea', 'líneas')}: pesos desde ${threshold}. Señala un token para ver todas las suyas.`,
  pictureLabel: (head, kind) =>
    `${head}, ${kind}. Las flechas eligen una celda, Escape la suelta, más y menos cambian el tamaño.`,
  inWords: 'esta cabeza en palabras',
  moreRows: (rows) => `y ${count(rows, 'fila más', 'filas más')}`,
});
