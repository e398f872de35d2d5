import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { matchLog, proveMatch, SEATS } from '../../src/domains/matches/index.ts';
import { publicView } from '../../src/domains/matches/view.ts';
import { boardOf } from '../../src/pages/match/board.ts';
import { MatchView } from '../../src/pages/match/view.ts';
import { OverlayView } from '../../src/pages/overlay/view.ts';
import { percent } from '../../src/pages/parts/match-text.ts';

/** Pages and overlays of running matches keep the secrets, for every version of every kept log. */

const FOLDER = path.join(import.meta.dirname, '../matches/logs');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
);

test.each(files)('a page or an overlay tells no hidden card, lone score or seed: %s', (file) => {
  const log = matchLog.parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));
  const { steps } = proveMatch(log);
  const players = SEATS.map((seat) => steps[0]?.state.seats[seat].playerGuid ?? '');
  const names = new Map(players.map((guid, at) => [guid, `Player ${at}`]));
  const shown = new Map(
    [...names].map(([guid, username]) => [guid, { platformId: '1', username, avatarUrl: null }]),
  );
  let running = 0;
  for (const { state } of steps) {
    if (state.endedAt !== null) continue;
    running += 1;
    const match = publicView(state, {
      ratings: null,
      replays: [],
      display: { players: shown, staleMaps: new Set() },
      names: new Map(),
    });
    const common = { match, board: boardOf(match), now: state.createdAt, connection: 'live' } as const;
    const proof = { state: 'running', checks: [], isUnreachable: false } as const;
    const html = [
      renderToStaticMarkup(h(MatchView, { model: { ...common, since: 0, story: null, shown: null, proof } })),
      renderToStaticMarkup(h(OverlayView, { model: { ...common, layout: 'full' } })),
    ].join('');

    const known = [state.current, ...state.rounds].flatMap((round) => (round ? [round.card.map] : []));
    const hidden = [...SEATS.flatMap((seat) => state.seats[seat].hand), ...state.reserve].filter(
      ({ map }) => !known.some(({ mapGuid }) => mapGuid === map.mapGuid),
    );
    expect(hidden.length).toBeGreaterThan(0);
    for (const { cardGuid, map } of hidden) {
      expect(html).not.toContain(cardGuid);
      expect(html).not.toContain(map.hash);
      expect(html).not.toContain(`>${map.name}<`);
    }
    expect(html).not.toContain(state.seed);
    if (state.status === 'waiting_players')
      for (const secret of [...names.keys(), ...names.values()]) expect(html).not.toContain(secret);
    const maxScore = state.current?.card.map.maxScore ?? 1;
    for (const { score } of state.status === 'playing' ? SEATS.map((seat) => state.seats[seat]) : [])
      if (score !== null) {
        expect(html).not.toContain(String(score.rawScore));
        if (state.rounds.length === 0) expect(html).not.toContain(`>${percent(score.rawScore / maxScore)}`);
      }
  }
  expect(running).toBeGreaterThan(0);
});
