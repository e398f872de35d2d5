import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { type PoolModel, PoolView } from '../../src/pages/pool/view.ts';
import { strings } from '../../src/pages/strings.ts';

test('a pool is described by the number of its maps', () => {
  expect(strings.pool.description('Week 1', 1)).toBe('The map of Week 1, and how it is played.');
  expect(strings.pool.description('Week 1', 2)).toBe('The 2 maps of Week 1, and how they are played.');
});

test('the rounds that pickers won are counted of all played rounds of the map, however few cards were picked', () => {
  const map = { mapGuid: 'm', categoryGuid: 'c', name: 'Map', hash: 'A', modifiers: [], coverUrl: null };
  const usage = { mapGuid: 'm', dealt: 4, kept: 4, discarded: 0, picked: 1, played: 2, medianGap: null };
  const model = {
    poolGuid: 'p',
    name: 'Pool',
    status: 'published',
    seasonName: 'Season',
    categories: [{ categoryGuid: 'c', name: 'Tech', color: null }],
    maps: [map],
    usage: [{ ...usage, wonByPicker: 2, expectedWonByPicker: 1.2 }],
    oneClickUrl: null,
  } as unknown as PoolModel;
  const text = renderToString(h(PoolView, model)).replace(/<[^>]*>/g, '\n');
  expect(text).toContain('Its pickers won 2 of 2 rounds; their ratings predicted 1.2');
  const unpicked = { ...model, usage: [{ ...model.usage[0], picked: 0 }] } as PoolModel;
  expect(renderToString(h(PoolView, unpicked))).toContain('Its pickers won 2 of 2 rounds');
});
