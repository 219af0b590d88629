// Stand-ins for what a browser passes to the view: a canvas context that records its calls, and a measure of text.

/** Half a font size per character: the same on every machine. @param {string} text @param {string} font */
export function measure(text, font) {
  return Array.from(text).length * parseFloat(/(\d+(?:\.\d+)?)px/.exec(font)?.[1] ?? '10') * 0.6;
}

/**
 * A surface whose context records each call as [name, ...arguments] in `calls`, with the fill colour of fills.
 * @param {number} width
 * @param {number} height
 */
export function fakeSurface(width, height) {
  /** @type {any[][]} */
  const calls = [];
  /** @type {any} */
  const state = { calls, fillStyle: '', direction: '', font: '10px x' };
  const context = new Proxy(state, {
    get(target, name) {
      if (name in target) return target[name];
      if (name === 'measureText') return (/** @type {string} */ text) => ({ width: measure(text, target.font) });
      if (name === 'createLinearGradient') return () => ({ addColorStop() {} });
      if (name === 'createImageData') {
        return (/** @type {number} */ w, /** @type {number} */ h) => ({
          width: w,
          height: h,
          data: new Uint8ClampedArray(w * h * 4),
        });
      }
      return (/** @type {any[]} */ ...args) =>
        calls.push([name, ...args, { fillStyle: target.fillStyle, direction: target.direction }]);
    },
    set(target, name, value) {
      target[name] = value;
      return true;
    },
  });
  return { width, height, calls, getContext: () => context };
}

/** How often each call was made. @param {any[][]} calls @returns {Record<string, number>} */
export function counts(calls) {
  /** @type {Record<string, number>} */
  const result = {};
  for (const [name] of calls) result[name] = (result[name] ?? 0) + 1;
  return result;
}

/** Rows of softmax weights, the same every time. @param {number} rows @param {number} columns */
export function someWeights(rows, columns) {
  const data = new Float32Array(rows * columns);
  let seed = 1;
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let column = 0; column < columns; column++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      sum += data[row * columns + column] = Math.exp((6 * seed) / 2147483648);
    }
    for (let column = 0; column < columns; column++) data[row * columns + column] /= sum;
  }
  return { rows, columns, data };
}
