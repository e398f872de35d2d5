const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled');

/** An element and those around it, from the inside. */
function around(element: Element): Element[] {
  const all: Element[] = [];
  for (let one: Element | null = element; one !== null; one = one.parentElement) all.push(one);
  return all;
}

/** Sets the focus on the first of these that can have it: a former opener, or the first heading of a part of the page. */
function takeFocus(parts: readonly Element[], opener: Element | undefined, preventScroll: boolean): void {
  for (const part of parts) {
    if (!part.isConnected) continue;
    const isOpener = part === opener && isUsable(part);
    const place = isOpener ? part : part.querySelector('h1, h2, h3, h4');
    if (!(place instanceof HTMLElement)) continue;
    if (!isOpener) place.tabIndex = -1;
    place.focus({ preventScroll });
    // One that is not shown cannot have it.
    if (document.activeElement === place) return;
  }
}

/**
 * From now on, when what a person did removes or disables the element with the focus, the heading of the smallest part of the
 * page around it gets the focus. When a dialog is gone, its opener gets it, or else the heading of the part around that.
 * Without this a browser sets it on nothing, and the next Tab begins at the top of the page.
 */
export function keepFocus(): void {
  /** The element that was focused last and what is around it; within a dialog its opener and what is around that follow. */
  let parts: readonly Element[] = [];
  /** The same outside of dialogs. */
  let outside: readonly Element[] = [];
  /** Whether the browser showed the focus. To others the page does not jump. */
  let isShown = false;

  const check = (): void => {
    const [lost] = parts;
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== null && activeElement !== body && activeElement !== lost;
    if (lost === undefined || isElsewhere || isUsable(lost)) return;
    takeFocus(parts.slice(1), outside[0], !isShown);
  };

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const all = around(target);
    const dialog = target.closest('[role="dialog"]');
    if (dialog === null) outside = all;
    parts = dialog === null ? all : [...all.slice(0, all.indexOf(dialog) + 1), ...outside];
    isShown = target.matches(':focus-visible');
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      const [lost] = parts;
      if (target !== lost || lost === undefined || document.activeElement !== document.body) return;
      // A browser may tell it while it removes the element. Otherwise the person has left it, by a click on nothing.
      if (isUsable(lost)) parts = outside = [];
      else check();
    });
  });
  new MutationObserver(check).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}
