/** Shows the visitor what is held against them, the reports they have filed, and their export and erasure. */
import { h, render } from 'preact';
import { askJson, visitorIfKnown } from '../browser.ts';
import { comesErased } from '../parts/erasing.ts';
import { strings } from '../strings.ts';
import { MeView, type Standing } from './view.ts';

const texts = strings.me;

async function read(): Promise<Standing | null> {
  const answer = await askJson('auth/me/standing');
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

/** Shows the visitor's own data. When nobody is signed in, the page stays as the server sent it. */
async function show(place: Element): Promise<void> {
  const found = await visitorIfKnown;
  const isErased = comesErased();
  if (found === null && !isErased) return;
  place.replaceChildren();
  if (!found) return render(isErased ? h(Erased, null) : h('p', { role: 'alert' }, texts.unknown), place);
  render(h('p', null, texts.reading), place);
  const standing = await read().catch(() => null);
  render(
    standing === null ? h('p', { role: 'alert' }, texts.failed) : h(MeView, { me: found, standing }),
    place,
  );
}

const place = document.querySelector('#me');
if (place !== null) await show(place);
