/** A typed number; null: the text is no number. */
export const numberOf = (text: string): number | null => {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
};

/** A number to send, or the typed text, which the service refuses. */
export const numberOrText = (text: string): number => numberOf(text) ?? (text as unknown as number);
