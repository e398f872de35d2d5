import { h } from 'preact';
import { PATHS } from '../../console/paths.ts';
import { guidOf, type Page } from '../page.ts';
import { SignIn } from '../parts/sign-in.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';

const texts = strings.staff;

/** The pages of the console: the same document at every address. Their script finds out whether the visitor is staff. */
export const staffPages = ({ baseUrl }: PageServices): Page[] =>
  Object.values(PATHS).map((path) => ({
    path,
    reads: [],
    scripts: ['../console/main.tsx'],
    styles: ['../console/console.css'],
    load: async (asked) => {
      for (const guid of Object.values(asked.params)) guidOf(guid);
      return {
        title: texts.title,
        content: h(
          'div',
          { id: 'staff' },
          h('h1', null, texts.title),
          h(
            'div',
            { 'data-role-missing': '' },
            h('p', null, texts.missing),
            h(SignIn, { returnTo: `${baseUrl}${asked.path}`, text: texts.signIn }),
            h('noscript', null, h('p', null, texts.script)),
          ),
        ),
      };
    },
  }));
