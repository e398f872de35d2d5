import { h } from 'preact';
import type { Page } from '../page.ts';
import { SignIn } from '../parts/sign-in.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';

const texts = strings.staff;

/** For staff. Whether the visitor is of the staff is asked by script, as on every page. */
export const staffPage = ({ baseUrl }: PageServices): Page => ({
  path: '/staff',
  reads: [],
  scripts: ['staff/browser.ts'],
  load: async () => ({
    title: texts.title,
    content: [
      h('h1', null, texts.title),
      h(
        'div',
        { id: 'staff', 'aria-live': 'polite' },
        h(
          'div',
          { 'data-role-missing': '' },
          h('p', null, texts.missing),
          h(SignIn, { returnTo: `${baseUrl}/staff`, text: texts.signIn }),
        ),
      ),
    ],
  }),
});
