import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Elements in which a key is text that is typed. */
const TYPES = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';

/** Whether a dialog is open: what is pressed or pasted is not meant for the page behind it. */
export const isBehindDialog = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** As people have set it since the console was opened. */
let areOn = true;

/** Whether single keys do something here, and the switch for it: people who dictate to the computer turn them off. */
export function useKeySwitch(): { areKeysOn: boolean; setKeysOn(on: boolean): void } {
  const [areKeysOn, setState] = useState(areOn);
  return {
    areKeysOn,
    setKeysOn: (on) => {
      areOn = on;
      setState(on);
    },
  };
}

/**
 * Calls what belongs to a single key. Keys do nothing while one types, in a dialog, together with Ctrl, Alt or the
 * system's key, and when they are turned off.
 * @param actions by `KeyboardEvent.key`, in lower case
 */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const newest = useRef(actions);
  newest.current = actions;
  // Before anybody sees what the keys decide about: later, a key that is pressed at once would be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, altKey, metaKey, defaultPrevented } = event;
      if (!areOn || defaultPrevented || ctrlKey || altKey || metaKey) return;
      if (isBehindDialog() || (target instanceof Element && target.closest(TYPES))) return;
      const action = newest.current[key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
