import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './http.ts';

/** The routes for a program in TypeScript: parameters, bodies and answers have the types of the reference. */

export type HttpShapes = components['schemas'];
export type Rest = Client<paths>;

/** The service has refused a request. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly refusal: HttpShapes['Refusal'];

  constructor({ status, url }: Response, refusal: HttpShapes['Refusal']) {
    super(`${new URL(url).pathname} was answered ${status}: ${JSON.stringify(refusal)}`);
    this.name = 'RequestRefused';
    this.status = status;
    this.refusal = refusal;
  }
}

/**
 * The routes of a service: `rest({ url }).GET('/queues/{queueGuid}', { params: { path: { queueGuid } } })`.
 * @param token access token; left out: public reads
 */
export const rest = ({ url, token }: { url: string; token?: string }): Rest =>
  createClient<paths>({ baseUrl: url, ...(token && { headers: { authorization: `Bearer ${token}` } }) });

/** The data of an answer. @throws RequestRefused */
export async function dataOf<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new RequestRefused(response, error as HttpShapes['Refusal']);
  // Without content there is no data, and its type is never.
  return data as NonNullable<Data>;
}
