/** Shows the visitor what is held against them, the reports they have filed, and their export and erasure. */
import { h, render } from 'preact';
import { visitor } from '../browser.ts';
import { comesErased } from '../parts/erasing.ts';
import { strings } from '../strings.ts';
import { MeView, type Standing } from './view.ts';

const texts = strings.me;

async function read(): Promise<Standing | null> {
  const answer = await fetch('auth/me/standing', { headers: { accept: 'application/json' } });
  return answer.ok ? ((await answer.json()) as Standing) : null;
}

/** The page after an erasure. Nobody is signed in any more. */
const Erased = () =>
  h(
    'div',
    { role: 'status', 'data-erased': '' },
    h('h2', null, texts.erased),
    h('p', null, texts.erasedText),
  );

const found = await visitor;
const place = document.querySelector('#me');
const isErased = comesErased();
if (place !== null && found === null && isErased) {
  place.replaceChildren();
  render(h(Erased, null), place);
}
if (place !== null && found !== null) {
  const standing = await read().catch(() => null);
  place.replaceChildren();
  render(
    standing === null ? h('p', { role: 'alert' }, texts.failed) : h(MeView, { me: found, standing }),
    place,
  );
}
