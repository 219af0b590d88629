// A text that grows token by token, as one run: the first run covers what was there, every later one adds a row. What each step
// recorded is put behind what is there already; nothing is computed again.

/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').Run} Run */
/** @typedef {import('./types.js').RunLike} RunLike */
/** @typedef {'whole' | 'rows' | 'matrix' | 'aligned'} Growth whole: the same in every step, as all that is read of a source */

/**
 * How a recorded tensor grows: its positions, or its queries and keys, or its queries alone.
 * @param {string} name of the hook
 * @param {string[]} dims its axes
 * @returns {Growth}
 */
export function growthOf(name, dims) {
  if (name.startsWith('encoder.') || /cross_attn\.hook_[kv]$/.test(name)) return 'whole';
  if (!dims.includes('key')) return dims.includes('pos') ? 'rows' : 'whole';
  return name.includes('cross_attn') ? 'aligned' : 'matrix';
}

/**
 * @param {{ name: string, dims: string[] }[]} hooks of the model
 */
export function createTrace(hooks) {
  const dims = new Map(hooks.map((hook) => [hook.name, hook.dims]));
  /** The rows that each part begins with. @type {{ run: Run, from: number, rows: number }[]} */
  const parts = [];
  let total = 0;

  /** @param {string} name @param {number} rows @returns {Tensor} */
  function assembled(name, rows) {
    const first = parts[0].run.get(name);
    const growth = growthOf(name, dims.get(name) ?? []);
    if (growth === 'whole' || (parts.length === 1 && rows === total)) return first;
    if (growth === 'rows') return joinRows(name, rows);
    const across = growth === 'aligned' ? first.shape[3] : rows;
    return joinMatrices(name, rows, across);
  }

  /** [1, T, …] tensors behind each other. @param {string} name @param {number} rows @returns {Tensor} */
  function joinRows(name, rows) {
    const { shape } = parts[0].run.get(name);
    const width = shape.slice(2).reduce((size, extent) => size * extent, 1);
    const data = new Float32Array(rows * width);
    for (const { run, from, rows: count } of parts) {
      const kept = Math.min(count, rows - from);
      if (kept <= 0) break;
      data.set(run.get(name).data.subarray(0, kept * width), from * width);
    }
    return { shape: [1, rows, ...shape.slice(2)], data };
  }

  /**
   * [1, H, T, S] tensors below each other. A row is as long as what could be seen when it was computed; after that its scores
   * are −∞ and its weights 0.
   * @param {string} name @param {number} rows @param {number} columns @returns {Tensor}
   */
  function joinMatrices(name, rows, columns) {
    const heads = parts[0].run.get(name).shape[1];
    const data = new Float32Array(heads * rows * columns).fill(name.endsWith('scores') ? -Infinity : 0);
    for (const { run, from, rows: count } of parts) {
      const { shape, data: values } = run.get(name);
      const kept = Math.min(count, rows - from);
      const wide = Math.min(shape[3], columns);
      for (let head = 0; head < heads; head++) {
        for (let row = 0; row < kept; row++) {
          const start = (head * shape[2] + row) * shape[3];
          data.set(values.subarray(start, start + wide), (head * rows + from + row) * columns);
        }
      }
    }
    return { shape: [1, heads, rows, columns], data };
  }

  return {
    /** Rows so far. */
    get rows() {
      return total;
    },
    /** @param {Run} run @param {number} rows how many tokens it read */
    add(run, rows) {
      parts.push({ run, from: total, rows });
      total += rows;
    },
    /**
     * The first rows as one run: a causal model's numbers do not depend on what comes later.
     * @param {number} rows
     * @returns {RunLike}
     */
    view(rows) {
      /** @type {Map<string, Tensor>} */
      const made = new Map();
      const { run } = parts[0];
      return {
        names: run.names,
        get(name) {
          let tensor = made.get(name);
          if (!tensor) made.set(name, (tensor = assembled(name, rows)));
          return tensor;
        },
      };
    },
    /**
     * The logits that followed a row, where its run gave them.
     * @param {number} row
     * @returns {Float32Array | null}
     */
    logits(row) {
      const part = parts.find(({ from, rows }) => row >= from && row < from + rows);
      const logits = part?.run.output.logits;
      if (!part || !logits) return null;
      const classes = logits.shape[logits.shape.length - 1];
      const given = logits.data.length / classes;
      const at = row - part.from - (part.rows - given);
      return at < 0 ? null : logits.data.subarray(at * classes, (at + 1) * classes);
    },
  };
}

/** @typedef {ReturnType<typeof createTrace>} Trace */
