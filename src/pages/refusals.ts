import { h } from 'preact';
import type { ServiceError } from '../platform/errors.ts';
import type { RefusalPage } from '../platform/http/errors.ts';
import { pageHeaders } from './headers.ts';
import { createLayout, type LayoutOptions } from './layout.ts';
import { pathAndQueryOf } from './page.ts';
import { strings } from './strings.ts';

/** Texts for a status; nothing of the request is repeated in them, so a link cannot put text on the page. */
function textsOf(status: number) {
  const texts = strings.refusal;
  if (status === 403 || status === 404 || status === 429 || status === 503) return texts[status];
  return texts.other;
}

/** Shows refusals of pages, and of addresses where nothing is, to people. */
export function createRefusalPage(options: LayoutOptions): RefusalPage {
  const layout = createLayout(options);
  return ({ status, code }: ServiceError, requestId, url) => {
    const { title, text } = textsOf(status);
    const content = [
      h('h1', null, title),
      h('p', null, text),
      h('p', null, h('a', { href: '.' }, strings.refusal.home)),
      h('p', { class: 'quiet' }, `${code}. ${strings.refusal.request(requestId)}`),
    ];
    return {
      headers: pageHeaders(options.baseUrl),
      body: layout({ title, path: pathAndQueryOf(url), content }),
    };
  };
}
