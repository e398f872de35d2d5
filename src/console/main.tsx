/** Runs on `/staff` and below: draws the console for staff, and leaves the page as it is for everybody else. */
import { render } from 'preact';
import { visitor } from '../pages/browser.ts';
import { Console } from './app.tsx';
import { isStaff } from './session.ts';

const found = await visitor;
const place = document.querySelector('#staff');
if (place !== null && found !== null && isStaff(found)) {
  place.replaceChildren();
  render(<Console me={found} />, place);
}
