// Which scripts the site is cut into. By itself the bundler gives every set of pages and later parts that share something a file of
// its own: dozens of small ones, each of which costs a request and compresses badly. What the lab begins with are two files here: one
// of what it shares with other pages, one of the rest. All else is left to the bundler.

/** @typedef {{ getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }} Modules */

/**
 * Everything that a script needs to run, without what it fetches later.
 * @param {string} entry
 * @param {Modules} modules
 */
function needed(entry, modules) {
  const found = new Set([entry]);
  for (const id of found) for (const other of modules.getModuleInfo(id)?.importedIds ?? []) found.add(other);
  return found;
}

/**
 * @param {string} lab the lab's script
 * @param {string[]} others scripts that other pages begin with
 */
export function chunks(lab, others) {
  /** @type {{ begins: Set<string>, shared: Set<string> } | null} */
  let sets = null;
  /** @param {Modules} modules */
  const setsOf = (modules) => {
    sets ??= { begins: needed(lab, modules), shared: new Set(others.flatMap((entry) => [...needed(entry, modules)])) };
    return sets;
  };
  /** @typedef {(id: string, modules: Modules) => string | null} Name */
  return {
    groups: [
      // First: a file takes what its modules need with it.
      {
        priority: 2,
        debugName: 'shared',
        name: /** @type {Name} */ (
          (id, modules) => (setsOf(modules).begins.has(id) && setsOf(modules).shared.has(id) ? 'shared' : null)
        ),
      },
      {
        priority: 1,
        debugName: 'lab',
        name: /** @type {Name} */ ((id, modules) => (setsOf(modules).begins.has(id) ? 'lab' : null)),
      },
    ],
  };
}
