/**
 * Runs on `/staff` and below: draws the console for staff, and leaves the page as it is for everybody else. When the service
 * does not say who is signed in, it says why.
 */
import { render } from 'preact';
import { visitor } from '../pages/browser.ts';
import { actAs } from './api.ts';
import { Console } from './app.tsx';
import { publicAddress } from './parts/link.tsx';
import { isStaff } from './session.ts';
import { doubt, Unknown } from './unknown.tsx';

const place = document.querySelector('#staff');
// The server does not know the query of the address, so the links to sign in get the whole address here.
for (const signIn of document.querySelectorAll<HTMLAnchorElement>('#sign-in, [data-role-missing] a'))
  signIn.href = publicAddress(`/auth/login?returnTo=${encodeURIComponent(location.href)}`);
const found = await visitor;
if (place !== null && found !== null && isStaff(found)) {
  place.replaceChildren();
  actAs(found.playerGuid);
  render(<Console me={found} />, place);
}
// Nobody is signed in, or the service did not say who is.
const problem = found === null ? await doubt() : null;
const missing = place?.querySelector('[data-role-missing]');
if (problem !== null && missing) {
  const told = document.createElement('div');
  missing.replaceWith(told);
  render(<Unknown first={problem} />, told);
}
