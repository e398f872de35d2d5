import { h, render } from 'preact';
import { boardOf } from '../match/board.ts';
import { type FollowedMatch, followMatch, serverNow } from '../match/feed.ts';
import { OverlayView } from './view.ts';

/** Keeps the overlay of a broadcast up to date. */

const root = document.querySelector<HTMLElement>('#overlay');
const layout = root?.dataset.layout === 'full' ? 'full' : 'bar';
let followed: FollowedMatch | null = null;

function draw(): void {
  if (root === null || followed === null || followed.state === null) return;
  const { state, connection } = followed;
  const { match } = state;
  const model = { match, board: boardOf(match), now: serverNow(state), connection, layout } as const;
  render(h(OverlayView, { model }), root);
}

if (root !== null) {
  followMatch(root.dataset.match ?? '', (next) => {
    followed = next;
    draw();
  });
  setInterval(draw, 250);
}
