// A model's files from a folder that was picked or dropped.

/** What may belong to a model; all else in a folder is not even looked at. */
const WANTED =
  /^(config\.json|generation_config\.json|model.*\.safetensors|model\.safetensors\.index\.json|tokenizer\.json|tokenizer_config\.json|vocab\.txt|special_tokens_map\.json|pytorch_model\.bin(\.index\.json)?)$/;
/** Folders deeper than this are not a model's. */
const DEPTH = 3;

/**
 * The files of the first folder among them that holds a config.json, and its name.
 * @param {{ path: string, file: File }[]} found
 * @returns {{ name: string, files: File[] } | null}
 */
export function modelFiles(found) {
  const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf('/') + 1);
  const wanted = found.filter(({ file }) => WANTED.test(file.name));
  if (wanted.length === 0) return null;
  const configs = wanted
    .filter(({ file }) => file.name === 'config.json')
    .sort((a, b) => a.path.length - b.path.length);
  const folder = folderOf((configs[0] ?? wanted[0]).path);
  const files = wanted.filter(({ path }) => folderOf(path) === folder).map(({ file }) => file);
  const name = folder.split('/').filter(Boolean).pop() ?? files[0].name;
  return { name, files };
}

/** What a folder picker gives. @param {FileList} list */
export function picked(list) {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * What was dropped, folders included.
 * @param {DataTransfer} transfer
 * @returns {Promise<{ path: string, file: File }[]>}
 */
export async function dropped(transfer) {
  // Entries must be asked for before the first await: after it the list is empty.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.() ?? null).filter(
    (entry) => entry !== null,
  );
  if (entries.length === 0) return Array.from(transfer.files, (file) => ({ path: file.name, file }));
  /** @type {{ path: string, file: File }[]} */
  const found = [];
  for (const entry of entries) await visit(entry, entry.name, 0, found);
  return found;
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} path
 * @param {number} depth
 * @param {{ path: string, file: File }[]} found
 */
async function visit(entry, path, depth, found) {
  if (entry.isFile) {
    if (!WANTED.test(entry.name)) return;
    const file = await new Promise((resolve, reject) =>
      /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
    );
    found.push({ path, file });
  } else if (depth < DEPTH) {
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      // A reader gives at most a hundred entries at a time, and none at the end.
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const child of some) await visit(child, `${path}/${child.name}`, depth + 1, found);
    }
  }
}
