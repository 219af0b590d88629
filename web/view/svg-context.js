// A drawing context that writes SVG. The painters draw on it as on a canvas, so that a file shows what the page shows: lines stay
// lines, and texts texts. Only what the painters use is there; bitmaps are not.

/** @typedef {import('./types.js').Context2D} Context2D */
/** @typedef {[number, number, number, number, number, number]} Transform a, b, c, d, e, f as in SVG's matrix() */
/**
 * @typedef {object} Style
 * @property {string | Gradient} fillStyle
 * @property {string} strokeStyle
 * @property {number} lineWidth
 * @property {string} lineCap
 * @property {number} globalAlpha
 * @property {string} font
 * @property {string} textAlign
 *
 * @typedef {{ from: [number, number], to: [number, number], stops: [number, string][], addColorStop: (at: number, color: string) => void }} Gradient
 */

/** @type {Style} */
const INITIAL = {
  fillStyle: '#000000',
  strokeStyle: '#000000',
  lineWidth: 1,
  lineCap: 'butt',
  globalAlpha: 1,
  font: '10px sans-serif',
  textAlign: 'start',
};
const ANCHORS = /** @type {Record<string, string>} */ ({ right: 'end', end: 'end', center: 'middle' });
/** Names within a file begin with this, so that they are no other's where a file is put into a page. */
const PREFIX = 'glassformer-';

/** What a text may hold that XML has no sign for, not even an escaped one. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as it may stand in XML, between tags or in an attribute's double quotes. @param {string} text */
export function escapeXml(text) {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** A length, to a thousandth. @param {number} value */
export function length(value) {
  return String(Math.round(value * 1000) / 1000 || 0);
}

/** A start tag's attributes; those that are undefined are left out. @param {Record<string, string | number | undefined>} attributes */
export function attributesOf(attributes) {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? length(value) : escapeXml(String(value))}"`)
    .join('');
}

/** Around a picture in a file, CSS pixels: on a page it has the page's room. */
export const MARGIN = 12;

/**
 * @param {{ width: number, height: number }} size of the picture, CSS pixels
 */
export function createSvgContext({ width, height }) {
  /** @type {string[]} */
  const body = [];
  /** @type {string[]} */
  const definitions = [];
  /** @type {Transform} */
  let transform = [1, 0, 0, 1, 0, 0];
  /** Groups that were opened since the last save. */
  let open = 0;
  /** @type {{ style: Style, transform: Transform, open: number }[]} */
  const saved = [];
  let path = '';
  /** The group of texts that is open: texts alike share their attributes. */
  let texts = '';

  /** @param {string} element */
  function write(element) {
    endTexts();
    body.push(element);
  }

  function endTexts() {
    if (texts !== '') body.push('</g>');
    texts = '';
  }

  /** @param {string} name @param {Record<string, string | number | undefined>} attributes @param {string} content @returns {string} its name */
  function define(name, attributes, content) {
    const id = `${PREFIX}${definitions.length + 1}`;
    definitions.push(`<${name}${attributesOf({ id, ...attributes })}>${content}</${name}>`);
    return id;
  }

  const place = () => {
    const [a, b, c, d, e, f] = transform;
    if (b === 0 && c === 0 && a === 1 && d === 1)
      return e === 0 && f === 0 ? undefined : `translate(${length(e)} ${length(f)})`;
    // Sines and cosines need their digits: a thousandth of them is seen at the far end.
    return `matrix(${[a, b, c, d].map((v) => Number(v.toFixed(6))).join(' ')} ${length(e)} ${length(f)})`;
  };
  /** @param {Transform} by */
  const multiply = ([a, b, c, d, e, f]) => {
    const [A, B, C, D, E, F] = transform;
    transform = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  };
  /** @param {string | Gradient} style */
  const paint = (style) => {
    if (typeof style === 'string') return style;
    const [[x1, y1], [x2, y2]] = [style.from, style.to];
    const stops = style.stops.map(([at, color]) => `<stop${attributesOf({ offset: at, 'stop-color': color })}/>`);
    const line = { gradientUnits: 'userSpaceOnUse', x1, y1, x2, y2 };
    return `url(#${define('linearGradient', line, stops.join(''))})`;
  };
  const alpha = () => (context.globalAlpha === 1 ? undefined : context.globalAlpha);

  const context = {
    ...INITIAL,
    // Painters set these too. Texts stand on their baseline and run as SVG's do.
    textBaseline: 'alphabetic',
    direction: 'ltr',

    save() {
      const { fillStyle, strokeStyle, lineWidth, lineCap, globalAlpha, font, textAlign } = context;
      const style = { fillStyle, strokeStyle, lineWidth, lineCap, globalAlpha, font, textAlign };
      saved.push({ style, transform, open });
      open = 0;
    },
    restore() {
      const before = saved.pop();
      if (!before) return;
      for (; open > 0; open--) write('</g>');
      Object.assign(context, before.style);
      ({ transform, open } = before);
    },
    /** @param {Transform} to */
    setTransform(...to) {
      transform = to;
    },
    /** @param {number} x @param {number} y */
    translate: (x, y) => multiply([1, 0, 0, 1, x, y]),
    /** @param {number} angle */
    rotate(angle) {
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      multiply([cos, sin, -sin, cos, 0, 0]);
    },
    /** A file begins empty. */
    clearRect() {},

    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    fillRect(x, y, w, h) {
      if (w <= 0 || h <= 0) return;
      const shape = { x, y, width: w, height: h, fill: paint(context.fillStyle) };
      write(`<rect${attributesOf({ ...shape, 'fill-opacity': alpha(), transform: place() })}/>`);
    },
    beginPath() {
      path = '';
    },
    /** @param {number} x @param {number} y */
    moveTo(x, y) {
      path += `M${length(x)} ${length(y)}`;
    },
    /** @param {number} x @param {number} y */
    lineTo(x, y) {
      path += `L${length(x)} ${length(y)}`;
    },
    /** @param {number[]} points */
    bezierCurveTo(...points) {
      path += `C${points.map(length).join(' ')}`;
    },
    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    rect(x, y, w, h) {
      path += `M${length(x)} ${length(y)}h${length(w)}v${length(h)}h${length(-w)}z`;
    },
    fill() {
      write(
        `<path${attributesOf({ d: path, fill: paint(context.fillStyle), 'fill-opacity': alpha(), transform: place() })}/>`,
      );
    },
    stroke() {
      const { strokeStyle: stroke, lineWidth, lineCap } = context;
      const line = { 'stroke-width': lineWidth, 'stroke-linecap': lineCap === 'butt' ? undefined : lineCap };
      const style = { stroke, ...line, 'stroke-opacity': alpha(), transform: place() };
      write(`<path${attributesOf({ d: path, fill: 'none', ...style })}/>`);
    },
    clip() {
      const id = define('clipPath', {}, `<path${attributesOf({ d: path, transform: place() })}/>`);
      write(`<g clip-path="url(#${id})">`);
      open += 1;
    },
    /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @returns {Gradient} */
    createLinearGradient(x0, y0, x1, y1) {
      /** @type {[number, string][]} */
      const stops = [];
      return { from: [x0, y0], to: [x1, y1], stops, addColorStop: (at, color) => stops.push([at, color]) };
    },

    /** @param {string} text @param {number} x @param {number} y */
    fillText(text, x, y) {
      const { font, textAlign } = context;
      const [, weight, size, family] = /^(?:(\d+) )?([\d.]+)px (.+)$/.exec(font) ?? [];
      const style = attributesOf({
        'font-family': family.replaceAll('"', "'"),
        'font-size': Number(size),
        'font-weight': weight,
        'text-anchor': ANCHORS[textAlign],
      });
      if (style !== texts) {
        write(`<g${style}>`);
        texts = style;
      }
      const here = attributesOf({ x, y, fill: paint(context.fillStyle), 'fill-opacity': alpha(), transform: place() });
      body.push(`<text${here}>${escapeXml(text)}</text>`);
    },
  };

  return {
    /** What painters draw on: it has all that they ask of a canvas's. */
    context: /** @type {Context2D} */ (/** @type {unknown} */ (context)),
    write,
    define,
    /**
     * A part of the picture under a name that a drawing program shows, moved as a whole.
     * @param {string} name
     * @param {() => void} draw
     * @param {{ x?: number, y?: number }} [by] CSS pixels
     */
    group(name, draw, { x = 0, y = 0 } = {}) {
      const transform = x === 0 && y === 0 ? undefined : `translate(${length(x)} ${length(y)})`;
      write(`<g${attributesOf({ class: name, transform })}>`);
      draw();
      write('</g>');
    },
    /**
     * The file.
     * @param {{ title: string, description: string, background: string }} about title and description: for those who cannot see it
     */
    file({ title, description, background }) {
      endTexts();
      const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
      const size = { width: w, height: h, viewBox: `${-MARGIN} ${-MARGIN} ${length(w)} ${length(h)}` };
      const names = { role: 'img', 'aria-labelledby': `${PREFIX}title ${PREFIX}desc` };
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<svg${attributesOf({ xmlns: 'http://www.w3.org/2000/svg', ...size, ...names, 'xml:space': 'preserve' })}>`,
        `<title id="${PREFIX}title">${escapeXml(title)}</title>`,
        `<desc id="${PREFIX}desc">${escapeXml(description)}</desc>`,
        ...(definitions.length > 0 ? ['<defs>', ...definitions, '</defs>'] : []),
        `<rect${attributesOf({ class: 'background', x: -MARGIN, y: -MARGIN, width: w, height: h, fill: background })}/>`,
        ...body,
        '</svg>',
        '',
      ].join('\n');
    },
  };
}
