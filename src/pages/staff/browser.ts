/** Shows staff what they have here. */
import { h, render } from 'preact';
import { visitor } from '../browser.ts';
import { strings } from '../strings.ts';

const texts = strings.staff;

const StaffView = ({ roles }: { roles: readonly string[] }) =>
  h(
    'div',
    null,
    h('p', null, texts.present(roles.join(', '))),
    h('p', null, texts.none, ' ', h('a', { href: 'docs' }, texts.reference), '.'),
  );

const found = await visitor;
const place = document.querySelector('#staff');
if (place !== null && found !== null && found.roles.length > 0) {
  place.replaceChildren();
  render(h(StaffView, { roles: found.roles }), place);
}
