// The words of what a model writes, in Spanish.

import { count, form, number } from './count.js';

/** @type {import('../../strings.js').Shape<typeof import('../en/writing.js').WRITING>} */
export const WRITING = Object.freeze({
  nextToken: 'token siguiente',
  runOn: 'seguir escribiendo',
  stop: 'parar',
  undo: 'deshacer',
  startOver: 'empezar de nuevo',
  nothingYet: '…',
  over: { end: '(fin)', full: '(no cabe más)' },
  overSays: {
    end: 'El modelo ha terminado el texto: su token siguiente más probable era el de fin.',
    full: 'Este modelo no lee más tokens que estos.',
  },
  wrote: (token, probability) =>
    probability === null ? `Escrito: ${token}.` : `Escrito: ${token}, probabilidad ${probability}.`,
  tookBack: 'Deshecho.',
  candidatesSay: {
    greedy:
      'Lo que puede venir después, con sus *probabilidades*. La escritura *voraz* (greedy) toma el primero; elige otro si quieres.',
    sample:
      'Lo que puede venir después, con las *probabilidades* del sorteo; el marcado es el que ha salido. Una *temperatura* más baja ' +
      'prefiere los tokens probables; *top-k* deja los k más probables (0: todos), *top-p* los más probables que juntos llegan a p; la ' +
      'misma *semilla* (seed) da el mismo sorteo.',
  },
  take: (token) => `tomar «${token}»`,
  whyProbability: (token, value) => `${token}: ${value}, de dónde viene`,
  expectedAfter: (token) => `esperado después de «${token}»`,
  how: 'cómo se elige el token siguiente',
  hows: { greedy: 'el más probable', sample: 'por sorteo', beams: 'búsqueda en haz' },
  settings: {
    temperature: { word: 'temperatura', title: 'Divide las puntuaciones antes del softmax' },
    topk: { word: 'top-k', title: 'Solo entran en el sorteo los k tokens más probables; 0: todos' },
    topp: { word: 'top-p', title: 'Solo entran en el sorteo los tokens más probables que juntos llegan a p' },
    seed: { word: 'semilla', title: 'Donde empiezan los números aleatorios' },
    beams: { word: 'haces', title: 'Cuántos textos se escriben a la vez' },
    penalty: {
      word: 'penalización por longitud',
      title: 'La puntuación se divide por la longitud elevada a este número',
    },
    length: { word: 'hasta', title: 'Cuántos tokens se escriben como mucho' },
  },
  drawAgain: 'sortear otra vez',
  cacheSays: (size, cached, plain) =>
    `La *caché* (cache) guarda claves y valores: ${size}. Así ${form(cached, 'se ha leído', 'se han leído')} ` +
    `${count(cached, 'token', 'tokens')}; sin ella, ${number(plain)}, todos otra vez en cada paso.`,
  hypotheses: 'hipótesis',
  hypothesesSay:
    'Los textos que siguen en juego en este paso, con sus *puntuaciones* (scores): log-probabilidades sumadas. Elige uno para ver su ' +
    'atención.',
  hypothesis: 'texto',
  score: 'puntuación',
  beamsSay:
    'Una columna es un token escrito; una línea lleva de un texto a los que siguen a partir de él. El marcado es el que se muestra.',
  treeLabel: 'la búsqueda en haz (beam search), paso a paso',
  treeSays: (steps, beams) =>
    `${count(steps, 'paso', 'pasos')} de ${number(beams)} hipótesis; la tabla de hipótesis lo dice con palabras`,
});
