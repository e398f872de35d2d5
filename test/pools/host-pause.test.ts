import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Curation, refusal, startCuration, startDraft } from '../harness/curation.ts';
import { type ManyMaps, startManyMaps } from '../maps/many-maps.ts';

let host: ManyMaps;
let curation: Curation;

beforeAll(async () => {
  host = await startManyMaps();
  curation = await startCuration({ mapHostUrl: host.url, mapHostFileHosts: [`127.0.0.1:${host.port}`] });
});
afterAll(async () => {
  await curation.stop();
  host.stop();
});

test('a batch during a pause of the host has one message, and no problem for each row', async () => {
  const { poolGuid, categoryGuid } = await startDraft(curation);
  const row = { characteristic: 'Standard', difficulty: 'Expert', categoryGuid, modifiers: [] };
  host.respond = (_asked, response) => response.writeHead(429, { 'retry-after': '60' }).end();
  const refused = await curation.pooler.post(`/pools/${poolGuid}/maps/batch`, {
    maps: ['1', '2'].map((key) => ({ ...row, key })),
  });
  expect(refusal(refused)).toBe('502 UPSTREAM_UNAVAILABLE');
  expect(refused.body.error.message).toMatch(/cannot be asked now.+ in \d\d seconds/);
  expect(refused.body.error.details).toBeUndefined();
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
});
