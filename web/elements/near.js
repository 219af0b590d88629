// Tells an element once that it comes near the part of the page that is seen: within about one screen.

/** @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();
/** @type {IntersectionObserver | null} */
let observer = null;

/** @param {IntersectionObserverEntry[]} entries */
function seen(entries) {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    const near = waiting.get(target);
    forget(target);
    near?.();
  }
}

/**
 * One observer serves all elements of a page.
 * @param {Element} element
 * @param {() => void} near called once
 */
export function whenNear(element, near) {
  observer ??= new IntersectionObserver(seen, { rootMargin: '100% 0px' });
  waiting.set(element, near);
  observer.observe(element);
}

/** Stops waiting. @param {Element} element */
export function forget(element) {
  waiting.delete(element);
  observer?.unobserve(element);
}
