/**
 * Runs on `/staff` and below: draws the console for staff, and leaves the page as it is for everybody else. When the service
 * does not say who is signed in, it says why.
 */
import { render } from 'preact';
import { visitorIfKnown } from '../pages/browser.ts';
import { actAs } from './api.ts';
import { Console } from './app.tsx';
import { publicAddress } from './parts/link.tsx';
import { isStaff } from './session.ts';
import { doubt, Unknown } from './unknown.tsx';

const place = document.querySelector('#staff');
// The server does not know the query of the address, so the links to sign in get the whole address here.
for (const signIn of document.querySelectorAll<HTMLAnchorElement>('#sign-in, [data-role-missing] a'))
  signIn.href = publicAddress(`/auth/login?returnTo=${encodeURIComponent(location.href)}`);
const found = await visitorIfKnown;
if (place !== null && found && isStaff(found)) {
  place.replaceChildren();
  actAs(found.playerGuid);
  render(<Console me={found} />, place);
}
const problem = found === undefined ? await doubt() : null;
const missing = place?.querySelector('[data-role-missing]');
if (problem !== null && missing) {
  const told = document.createElement('div');
  missing.replaceWith(told);
  render(<Unknown first={problem} />, told);
}
