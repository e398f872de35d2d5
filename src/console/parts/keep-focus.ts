import { useLayoutEffect } from 'preact/hooks';

/** The first heading of the smallest part of the page that has the element and a heading. */
function headingNear(element: Element): HTMLElement | null {
  for (let part = element.parentElement; part !== null; part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>('h1, h2, h3, h4');
    if (heading !== null) return heading;
  }
  return null;
}

/** Sets the focus on the heading if it gets lost with the opener, now or later, until something else has it. */
function watch(opener: HTMLElement, near: HTMLElement | null): void {
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== body && activeElement !== opener;
    // While the opener can take it, the focus comes back to it a moment after the dialog is gone.
    const isOpenerUsable = opener.isConnected && !opener.matches(':disabled');
    if (isOpenerUsable && !isElsewhere) return;
    observer.disconnect();
    const heading = near?.isConnected ? near : document.querySelector('h1');
    if (isElsewhere || heading === null) return;
    heading.tabIndex = -1;
    heading.focus();
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

/**
 * For a dialog: when it is gone and its opener cannot have the focus, because what was done has disabled or removed it, the
 * heading of that part of the page gets it.
 */
export function useKeptFocus(): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    if (!(opener instanceof HTMLElement) || opener === document.body) return;
    const near = headingNear(opener);
    return () => watch(opener, near);
  }, []);
}
