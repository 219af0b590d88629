// One set of gestures from mouse, pen and finger. A mouse hovers, clicks, drags and scrolls; a finger taps, or holds (or moves
// sideways) to look around with the lens; moving up and down scrolls the page, as everywhere else.

/** @typedef {{ x: number, y: number }} Point CSS pixels from the canvas's upper left */
/**
 * @typedef {object} Gestures
 * @property {(point: Point | null) => void} hover null: left
 * @property {(point: Point) => void} choose
 * @property {(point: Point | null) => void} [lens] a finger looks around; null: lifted
 * @property {(dx: number, dy: number) => boolean} [pan] whether anything moved; scrolling that moves nothing is the page's
 * @property {(factor: number, point: Point) => boolean} [zoom] whether there is anything to zoom
 */

const HOLD = 220;
const SLOP = 6;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Gestures} gestures
 */
export function followPointer(canvas, gestures) {
  /** @type {{ start: Point, last: Point, touch: boolean, moved: boolean, looking: boolean } | null} */
  let press = null;
  let timer = 0;

  /** @param {MouseEvent} event @returns {Point} */
  const pointOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const look = () => {
    if (!press || !gestures.lens) return;
    press.looking = true;
    gestures.lens(press.last);
  };
  const end = () => {
    clearTimeout(timer);
    if (press?.looking) gestures.lens?.(null);
    press = null;
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const point = pointOf(event);
    const touch = event.pointerType === 'touch';
    press = { start: point, last: point, touch, moved: false, looking: false };
    if (touch) timer = window.setTimeout(look, HOLD);
    else canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const point = pointOf(event);
    if (!press) {
      if (event.pointerType !== 'touch') gestures.hover(point);
      return;
    }
    const { start, last } = press;
    press.last = point;
    if (Math.hypot(point.x - start.x, point.y - start.y) > SLOP) press.moved = true;
    if (press.touch) {
      const sideways = Math.abs(point.x - start.x) > Math.abs(point.y - start.y);
      if (press.looking || (press.moved && sideways)) look();
    } else if (press.moved) {
      gestures.pan?.(last.x - point.x, last.y - point.y);
    }
  });
  canvas.addEventListener('pointerup', (event) => {
    const chosen = press && (press.looking || !press.moved);
    end();
    if (chosen) gestures.choose(pointOf(event));
  });
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', () => {
    if (!press) gestures.hover(null);
  });
  // A finger that looks around must not scroll the page; the browser asks before it begins to.
  canvas.addEventListener(
    'touchmove',
    (event) => {
      if (press?.looking && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  canvas.addEventListener(
    'wheel',
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const zooms = event.ctrlKey || event.metaKey;
      const used = zooms
        ? gestures.zoom?.(Math.exp(-event.deltaY * unit * 0.004), pointOf(event))
        : gestures.pan?.(event.deltaX * unit, event.deltaY * unit);
      if (used) event.preventDefault();
    },
    { passive: false },
  );
}
