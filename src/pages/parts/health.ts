/** The part of a round that changes the health of players. */
interface Hit {
  winnerGuid: string | null;
  damage: number;
}

/** Six decimals, as the rules count. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The health of a player after rounds, 0…1: a loser's is lowered by the damage. */
export const healthAfter = (rounds: readonly Hit[], playerGuid: string): number =>
  rounds.reduce(
    (health, { winnerGuid, damage }) =>
      winnerGuid === null || winnerGuid === playerGuid ? health : Math.max(0, rounded(health - damage)),
    1,
  );
