// Ways out of the page: a file to keep, and the clipboard.

/** How long a browser may take to begin with a download before its memory is freed, milliseconds. */
const PATIENCE = 60_000;

/**
 * Offers bytes as a file, as if a link to it had been followed.
 * @param {BlobPart[]} parts
 * @param {string} name
 * @param {string} type
 */
export function save(parts, name, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), PATIENCE);
}

/** @param {string} text */
export function copyText(text) {
  return navigator.clipboard.writeText(text);
}

/**
 * @param {Promise<Blob>} png given while it is still being made: some browsers take nothing that comes long after the click
 */
export function copyPicture(png) {
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}
