/** Shows a signed-in visitor the link to their own place on the ladder. */
import { visitor } from '../browser.ts';

const link = document.querySelector<HTMLAnchorElement>('#around-me');
const found = await visitor;
if (found !== null && link !== null) {
  const address = new URL(link.href);
  address.searchParams.set('around', found.playerGuid);
  link.href = address.href;
  link.hidden = false;
}
