import { useState } from 'preact/hooks';
import type { Problem } from '../api.ts';

/** Sends a form, once at a time. What went wrong is kept until it is sent again. @param send returns null when it is done */
export function useSending(send: () => Promise<Problem | null>) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    void send().then((found) => {
      setSending(false);
      setProblem(found);
    });
  };
  return { isSending, problem, submit };
}
