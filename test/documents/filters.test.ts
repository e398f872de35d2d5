import { afterAll, beforeAll, expect, test } from 'vitest';
import document from '../../docs/openapi.json' with { type: 'json' };
import { startTestService, type TestService } from '../harness/service.ts';

/** Every list, asked with filters that hold nothing. */

interface Parameter {
  in: string;
  name: string;
}
interface Operation {
  get?: { parameters?: Parameter[] };
}

const GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
const lists = Object.entries(document.paths as Record<string, Operation>).flatMap(([path, { get }]) => {
  const members = (get?.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : []));
  const filters = members.filter((name) => name !== 'limit' && name !== 'cursor');
  return members.includes('limit') && filters.length > 0 ? [{ path, filters }] : [];
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

test.each(lists)('an empty filter of $path counts as not given', async ({ path, filters }) => {
  const address = path.replaceAll(/\{\w+\}/g, GUID);
  const without = await service.request('admin', 'GET', address);
  expect(without.status).not.toBe(400);
  for (const empty of ['', '%20']) {
    const query = filters.map((name) => `${name}=${empty}`).join('&');
    const { status, body } = await service.request('admin', 'GET', `${address}?${query}`);
    expect({ status, body }).toEqual({ status: without.status, body: without.body });
  }
});

test('there are many lists with filters', () => {
  expect(lists.length).toBeGreaterThan(7);
});
