import { h } from 'preact';
import type { Page } from '../page.ts';
import { SignIn } from '../parts/sign-in.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';

const texts = strings.me;

/** The visitor's own page. Its script reads the personal data, so the page itself is the same for everybody. */
export const mePage = ({ baseUrl }: PageServices): Page => ({
  path: '/me',
  reads: [],
  scripts: ['me/browser.ts'],
  load: async () => ({
    title: texts.title,
    content: [
      h('h1', null, texts.title),
      h(
        'div',
        { id: 'me', 'aria-live': 'polite' },
        h('noscript', null, h('p', null, texts.needsScript)),
        h('p', null, texts.signIn),
        h(SignIn, { returnTo: `${baseUrl}/me`, text: strings.signIn }),
      ),
    ],
  }),
});
