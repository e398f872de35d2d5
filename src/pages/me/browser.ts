/** Shows the visitor what is held against them, and the reports they have filed. */
import { h, render } from 'preact';
import { visitor } from '../browser.ts';
import { strings } from '../strings.ts';
import { MeView, type Standing } from './view.ts';

async function read(): Promise<Standing | null> {
  const answer = await fetch('auth/me/standing', { headers: { accept: 'application/json' } });
  return answer.ok ? ((await answer.json()) as Standing) : null;
}

const found = await visitor;
const place = document.querySelector('#me');
if (place !== null && found !== null) {
  const standing = await read().catch(() => null);
  place.replaceChildren();
  render(
    standing === null ? h('p', { role: 'alert' }, strings.me.failed) : h(MeView, { me: found, standing }),
    place,
  );
}
