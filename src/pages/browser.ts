/** Runs in the browser on every page: who is signed in, and times in the visitor's own time zone. */
import { keepFocus } from './parts/keep-focus.ts';
import { timeText } from './parts/time.ts';
import { strings } from './strings.ts';

/** The person who is signed in: the members of the answer of `GET /auth/me` that pages and the console use. */
export interface Visitor {
  playerGuid: string;
  username: string;
  roles: readonly string[];
}

/** On a connection that fell silent an answer never comes. */
export const PATIENCE_MS = 15_000;

/** Asks the service for JSON, for a while. @throws Error without an answer */
export const askJson = (address: string): Promise<Response> =>
  fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(PATIENCE_MS) });

/**
 * Asks who is signed in. The address is resolved against the base of the document.
 * @returns null: nobody is signed in; undefined: the service did not say
 */
export async function signedIn(): Promise<Visitor | null | undefined> {
  try {
    const answer = await askJson('auth/me');
    if (answer.ok) return (await answer.json()) as Visitor;
    return answer.status === 401 ? null : undefined;
  } catch {
    return undefined;
  }
}

/** The visitor, as the service said when the page was loaded: see {@link signedIn}. */
export const visitorIfKnown = signedIn();

/** The signed-in visitor; null: not signed in, as far as is known. */
export const visitor: Promise<Visitor | null> = visitorIfKnown.then((found) => found ?? null);

/** Loads a page again that the browser kept and shows once more, when another person is signed in by now. */
async function lookAgain({ persisted }: PageTransitionEvent): Promise<void> {
  if (!persisted) return;
  const [before, now] = await Promise.all([visitor, signedIn()]);
  if (now !== undefined && now?.playerGuid !== before?.playerGuid) location.reload();
}

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]>,
) => Object.assign(document.createElement(name), members);

/** Says something above the content of the page, in place of what it said before. */
function warn(text: string): void {
  document.querySelector('#warning')?.remove();
  const alert = element('p', { textContent: text, id: 'warning', className: 'warning', role: 'alert' });
  document.querySelector('main')?.prepend(alert);
}

async function signOut(): Promise<void> {
  const isDone = await fetch('auth/logout', { method: 'POST' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isDone) location.reload();
  else warn(strings.notSignedOut);
}

function showVisitor({ username }: Visitor): void {
  const link = element('a', { href: 'me', title: strings.signedInAs(username) });
  link.append(element('bdi', { textContent: username }));
  const button = element('button', { textContent: strings.signOut, type: 'button', id: 'sign-out' });
  button.addEventListener('click', () => void signOut());
  document.querySelector('#visitor')?.replaceChildren(link, button);
}

/** A refused sign-in comes back with its reason in the address. */
function showRefusal(): void {
  const address = new URL(location.href);
  const code = address.searchParams.get('loginError');
  if (code === null) return;
  address.searchParams.delete('loginError');
  history.replaceState(null, '', address);
  warn(strings.notSignedIn(code));
}

/** Shows all times of the page, which the server writes in UTC, in the visitor's time zone. */
export function localTimes(): void {
  for (const time of document.querySelectorAll('time')) time.textContent = timeText(time.dateTime);
}

/**
 * Points the link to the content at the address as it is at the click: a script may have changed it, and the server writes
 * the link without a query that the page does not read.
 */
function skipHere(): void {
  const skip = document.querySelector<HTMLAnchorElement>('.skip');
  skip?.addEventListener('click', () => {
    skip.href = `${location.href.split('#', 1)[0]}#content`;
  });
}

addEventListener('pageshow', (event) => void lookAgain(event));
keepFocus();
showRefusal();
skipHere();
localTimes();
void visitor.then((found) => {
  if (found !== null) showVisitor(found);
});
