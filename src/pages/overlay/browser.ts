import { h, render } from 'preact';
import { type Followed, follow } from '../follow.ts';
import { type MatchFeed, matchFeed, serverNow } from '../parts/match-feed.ts';
import { OverlayView } from './view.ts';

/** Keeps the overlay of a broadcast up to date. */

const root = document.querySelector<HTMLElement>('#overlay');
const layout = root?.dataset.layout === 'full' ? 'full' : 'bar';
let followed: Followed<MatchFeed> | null = null;

function draw(): void {
  if (root === null || followed === null || followed.state === null) return;
  const { state, connection } = followed;
  const model = { match: state.match, now: serverNow(state), connection, layout } as const;
  render(h(OverlayView, { model }), root);
}

if (root !== null) {
  follow({
    ...matchFeed(),
    address: `matches/${root.dataset.match}/events`,
    show: (next) => {
      followed = next;
      draw();
    },
  });
  setInterval(draw, 250);
}
