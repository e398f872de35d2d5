import { useEffect, useState } from 'preact/hooks';

let tell: ((text: string) => void) | null = null;

/** Has screen readers say something that the others see. */
export const say = (text: string): void => tell?.(text);

/** The place of what is said. The same text in another element is said again. */
export function Said() {
  const [said, setSaid] = useState({ text: '', count: 0 });
  useEffect(() => {
    tell = (text) => setSaid((before) => ({ text, count: before.count + 1 }));
    return () => {
      tell = null;
    };
  }, []);
  return (
    <div role="status" aria-live="polite" class="unseen" data-said="">
      <p key={said.count}>{said.text}</p>
    </div>
  );
}
