import { type ComponentChildren, h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { Html } from '../platform/documents/html.ts';
import type { Bundle } from './bundle.ts';
import { signInAddress } from './parts/sign-in.ts';
import { plain, titleOf } from './parts/text.ts';
import { strings } from './strings.ts';

/** The content of one document, inside the frame that all documents share. */
export interface Shown {
  title: string;
  /** For link previews and search engines. */
  description?: string;
  /** Path of the picture for link previews; left out: the one that all documents share. */
  preview?: string;
  /** Path of this document with the query that it depends on: the links to its content and back to it after the sign-in use it. */
  path: string;
  /** Its address in link previews, below the base; left out: {@link path} without its query. */
  address?: string;
  content: ComponentChildren | Html;
  /** Entries of the bundle that it loads beside the common one. */
  scripts?: readonly string[];
  /** Stylesheets of the bundle that it loads beside the common one. */
  styles?: readonly string[];
  /** Without the frame, for a broadcast. */
  isBare?: boolean;
}

export type Layout = (shown: Shown) => string;

export interface LayoutOptions {
  bundle: Bundle;
  /** Public base address. */
  baseUrl: string;
}

/** Draws documents: the same head, header and footer for all. */
export function createLayout({ bundle, baseUrl }: LayoutOptions): Layout {
  const base = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
  const asset = (file: string) => `assets/${file}`;

  const head = (shown: Shown) => {
    const { title, description, preview = '/preview.png', scripts = [], styles = [], path } = shown;
    const { address = path.split('?', 1)[0] } = shown;
    const loaded = ['browser.ts', ...scripts].map((name) => bundle.entry(name));
    const imports = new Set(loaded.flatMap((entry) => entry.imports));
    const name = titleOf(title);
    const about = plain(description ?? strings.home.description, 200);
    return h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', null, name),
      h('base', { href: base }),
      ['style.css', ...styles].map((name) =>
        h('link', { rel: 'stylesheet', href: asset(bundle.entry(name).file) }),
      ),
      h('link', { rel: 'icon', href: 'favicon.svg', type: 'image/svg+xml' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'description', content: about }),
      h('meta', { property: 'og:title', content: name }),
      h('meta', { property: 'og:description', content: about }),
      h('meta', { property: 'og:url', content: `${baseUrl}${address}` }),
      h('meta', { property: 'og:image', content: `${baseUrl}${preview}` }),
      [...imports].map((file) => h('link', { rel: 'modulepreload', href: asset(file) })),
      loaded.map(({ file }) => h('script', { type: 'module', src: asset(file) })),
    );
  };

  const frame = ({ path }: Shown, main: ComponentChildren) => [
    // A fragment alone would lead to the base. With a dot, a path that begins with two slashes names no host.
    h('a', { class: 'skip', href: `.${path}#content` }, strings.skip),
    h(
      'header',
      null,
      h('nav', { 'aria-label': strings.navigation }, h('a', { href: base }, strings.site)),
      h(
        'p',
        { id: 'visitor' },
        h('a', { href: signInAddress(`${baseUrl}${path}`), id: 'sign-in' }, strings.signIn),
      ),
    ),
    main,
    h(
      'footer',
      null,
      h('a', { href: 'docs' }, strings.footer.api),
      h('a', { href: 'docs/ws' }, strings.footer.socket),
    ),
  ];

  return (shown) => {
    const { content } = shown;
    const main =
      content instanceof Html
        ? h('main', { id: 'content', dangerouslySetInnerHTML: { __html: content.text } })
        : h('main', { id: 'content' }, content);
    const body = shown.isBare ? main : frame(shown, main);
    const page = h('html', { lang: 'en' }, head(shown), h('body', null, body));
    return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
  };
}
