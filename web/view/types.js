// The shapes of data that the pictures share. Types only; nothing runs here.

/**
 * A row-major tensor, as the engine hands it out.
 * @typedef {{ shape: number[], data: Float32Array }} Tensor
 *
 * One head's T queries × S keys; `data` has T · S values, row by row, and may be a view into a larger tensor.
 * @typedef {{ rows: number, columns: number, data: Float32Array }} Matrix
 *
 * @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Context2D
 * @typedef {HTMLCanvasElement | OffscreenCanvas} Surface
 * @typedef {(width: number, height: number) => Surface} CreateSurface makes an offscreen canvas, in device pixels
 * @typedef {(text: string, font: string) => number} Measure width of a text in CSS pixels
 * @typedef {{ x: number, y: number, width: number, height: number }} Box in CSS pixels
 * @typedef {{ query?: number | null, key?: number | null }} Spot what is pointed at or selected: a row, a column, or a cell
 */

export {};
