/** The answer to a request. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed; null when there is none. */
  body: any;
}

interface AskOptions {
  /** An access token. */
  token?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a request whose answer is JSON. */
export async function ask(
  url: string,
  method = 'GET',
  { token = null, body, headers }: AskOptions = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}
