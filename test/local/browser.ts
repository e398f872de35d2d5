/** As much of a browser as a login needs: it keeps cookies, sends them where they belong, follows redirects. */
export interface Browser {
  /** One request, redirects not followed. */
  request(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Follows redirects until an answer is none, or until one leads to an address beginning with `stopAt`. */
  open(url: string | URL, stopAt?: string, init?: RequestInit): Promise<{ response: Response; url: URL }>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export function createBrowser(): Browser {
  let cookies: Cookie[] = [];

  const keep = (header: string) => {
    const [pair = '', ...attributes] = header.split(/;\s*/);
    const name = pair.slice(0, pair.indexOf('='));
    const attribute = (wanted: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute('path') ?? '/';
    const expires = attribute('expires');
    cookies = cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    if (expires !== undefined && Date.parse(expires) <= Date.now()) return;
    cookies.push({ name, value: pair.slice(name.length + 1), path });
  };

  const browser: Browser = {
    async request(url, init = {}) {
      const { pathname } = new URL(url);
      const headers = new Headers(init.headers);
      const sent = cookies.filter(
        ({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')),
      );
      if (sent.length > 0)
        headers.set('Cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '));
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const header of response.headers.getSetCookie()) keep(header);
      return response;
    },
    async open(start, stopAt, init) {
      let url = new URL(start);
      let response = await browser.request(url, init);
      for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
        if (hops === 10) throw new Error(`Too many redirects, the last to ${url}`);
        url = new URL(response.headers.get('Location') ?? '', url);
        if (stopAt !== undefined && url.href.startsWith(stopAt)) break;
        response = await browser.request(url);
      }
      return { response, url };
    },
  };
  return browser;
}
