import { dataOf, rest } from '../../kit/typescript/rest.ts';
import type { MatchView } from './bot.ts';
import { restAs } from './seed.ts';
import type { Stack } from './stack.ts';

/**
 * Compares the public match with the views of the two players.
 * @param cheater the player whose replays must not agree
 * @returns the disagreements
 */
export async function check(
  stack: Stack,
  views: readonly [MatchView, MatchView],
  cheater: string | undefined,
): Promise<string[]> {
  const { matchGuid, seedHash } = views[0];
  const http = rest(stack);
  const match = await dataOf(http.GET('/matches/{matchGuid}', { params: { path: { matchGuid } } }));
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));

  expect(match.status === 'completed', `The match is ${match.status}, not completed.`);
  expect(
    match.seedHash === seedHash && match.seed !== null,
    'The seed is not shown, or not the one promised.',
  );
  expect(match.rounds.length > 0, 'No round was played.');
  for (const { you, result } of views) {
    const guid = you.player?.playerGuid;
    const verdict = guid === cheater ? 'mismatch' : 'verified';
    for (const { roundNumber, scores } of match.rounds) {
      const own = scores.find(({ playerGuid }) => playerGuid === guid);
      expect(
        !own?.submitted || own.replay === verdict,
        `The replay of ${you.player?.username} in round ${roundNumber} is ${own?.replay}, not ${verdict}.`,
      );
    }
    const shown = match.result?.ratings.find(({ playerGuid }) => playerGuid === guid);
    expect(result !== null && result.winnerGuid === match.result?.winnerGuid, 'The winners disagree.');
    expect(
      shown?.before === result?.ratingBefore && shown?.after === result?.ratingAfter,
      'The ratings disagree.',
    );
    const playerGuid = guid ?? '';
    const { ratings } = await dataOf(http.GET('/players/{playerGuid}', { params: { path: { playerGuid } } }));
    expect(
      !views[0].rated || ratings.some(({ rating }) => rating === shown?.after),
      'The profile does not show the new rating.',
    );
  }
  return problems;
}

/** The number of replays of a match that are listed for review. */
export async function listedForReview(stack: Stack, matchGuid: string): Promise<number> {
  const query = { status: 'open', matchGuid } as const;
  const http = await restAs(stack, 'admin');
  const { items } = await dataOf(http.GET('/replay-reviews', { params: { query } }));
  return items.length;
}
