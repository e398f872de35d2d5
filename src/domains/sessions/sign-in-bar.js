// Runs in the browser, on the page of the HTTP reference: shows the signed-in player and links to log in and out.
(() => {
  // …/docs/static/theme/sign-in.js: everything else is found from here, also below a base address with a path.
  const script = document.currentScript.src;
  const address = (path) => new URL(`../../../${path}`, script).href;
  const page = address('docs');

  const element = (name, text, attributes = {}) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.textContent = text;
    return made;
  };
  const bar = element('p', '', { className: 'sign-in' });
  document.body.prepend(bar);

  // The cookie of a login cannot be read here. This says that somebody has signed in here, so it is worth asking.
  const MARK = 'has-signed-in';

  const showStranger = () => {
    localStorage.removeItem(MARK);
    const href = `${address('auth/login')}?returnTo=${encodeURIComponent(page)}`;
    const link = element('a', 'Sign in', { href, id: 'sign-in' });
    link.addEventListener('click', () => localStorage.setItem(MARK, 'yes'));
    bar.append(
      'Not signed in. ',
      link,
      ' to try requests out with the login cookie, or paste an access token under “Authorize”.',
    );
  };
  const showVisitor = ({ username, roles }) => {
    const button = element('button', 'Sign out', { type: 'button', id: 'sign-out' });
    button.addEventListener('click', async () => {
      await fetch(address('auth/logout'), { method: 'POST' });
      localStorage.removeItem(MARK);
      location.replace(page);
    });
    bar.append(
      'Signed in as ',
      element('strong', username, { id: 'signed-in-as' }),
      roles.length > 0 ? ` (${roles.join(', ')}).` : '.',
      button,
    );
  };

  const refusal = new URLSearchParams(location.search).get('loginError');
  if (refusal !== null) {
    const alert = element('span', `The sign-in did not work: ${refusal}. `);
    alert.setAttribute('role', 'alert');
    bar.append(alert);
  }
  if (refusal !== null || localStorage.getItem(MARK) === null) showStranger();
  else
    fetch(address('auth/me'))
      .then(async (answer) => (answer.ok ? showVisitor(await answer.json()) : showStranger()))
      .catch(showStranger);
})();
