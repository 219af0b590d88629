// The words of what can be taken from the page, and those of the page that it makes, in Spanish.

/** @type {import('../../strings.js').Shape<typeof import('../en/export.js').EXPORT>} */
export const EXPORT = Object.freeze({
  exporting: {
    title: 'exportar',
    groups: {
      picture: 'esta imagen',
      compared: 'ambas y su diferencia',
      heads: 'todas las cabezas',
      numbers: 'estos números',
      run: 'la ejecución entera',
    },
    kinds: {
      copyPicture: 'copiar la imagen',
      headsPng: 'PNG de todas las cabezas',
      headsSvg: 'SVG de todas las cabezas',
      copyNumbers: 'copiar los números',
      page: 'página HTML',
      run: 'safetensors con todos los números',
    },
    says:
      'PNG tiene dos píxeles por cada uno de aquí; SVG se abre en programas de dibujo. Los números llevan todas sus cifras. La página ' +
      'HTML contiene los pesos y las puntuaciones de esta ejecución y los dibuja sin red.',
    saved: (file) => `Guardado como ${file}.`,
    copiedPicture: 'La imagen está en el portapapeles.',
    copiedNumbers: 'Los números están en el portapapeles: una hoja de cálculo los toma como celdas.',
    failed: (message) => `No ha funcionado: ${message}`,
    nothing: 'todavía no hay nada que exportar',
  },
  exported: {
    title: '{model}: atención',
    says: 'Registrado en una ejecución de {model}. Esta página contiene los números y los dibuja; no necesita red.',
    half: 'Los números están guardados con media precisión: cuentan tres cifras de cada uno.',
    queries: 'consultas',
    keys: 'claves',
    headsSay:
      'Todas las cabezas: las capas hacia abajo, las cabezas hacia la derecha. Las flechas del teclado eligen una.',
    point:
      'Señala una celda para leer su número; haz clic para fijarla. Las filas son consultas, los tokens que miran; las columnas son claves.',
    edited: 'fijado a mano',
    row: 'consulta «{query}»: elige también una clave para leer un número',
    column: 'clave «{key}»: elige también una consulta para leer un número',
  },
});
