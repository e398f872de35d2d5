import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';

let isFirst = true;

/**
 * The heading of a view, and the title of the document. After a change of view the focus is set on it, so that a screen
 * reader says where one is.
 */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = strings.title(title);
  }, [title]);
  // At once: later it would take the focus from a field in which the person types already.
  useLayoutEffect(() => {
    if (!isFirst) place.current?.focus();
    isFirst = false;
  }, []);
  return (
    <h1 ref={place} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}
