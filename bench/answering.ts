/**
 * Resolves once the address answers 200.
 * @param hasEnded whether the process that should answer is gone
 * @throws Error when it is, or no answer came in a minute
 */
export async function untilItAnswers(url: string, hasEnded: () => boolean = () => false): Promise<void> {
  for (let waited = 0; waited < 60_000 && !hasEnded(); waited += 50) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer.`);
}
