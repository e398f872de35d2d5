import { api, ask } from '../api.ts';
import { useRead } from '../read.ts';
import { allOf } from './all.ts';

const limit = 100;

/** All seasons, for choices and for the names of pools' seasons. */
export const useSeasons = () =>
  useRead(() => allOf((cursor) => ask(api.GET('/seasons', { params: { query: { limit, cursor } } }))), []);

/** All pools, newest first, to choose one to compare with. */
export const usePools = () =>
  useRead(() => allOf((cursor) => ask(api.GET('/pools', { params: { query: { limit, cursor } } }))), []);

/** All categories, in the order in which they are shown. */
export const useCategories = () =>
  useRead(
    () => allOf((cursor) => ask(api.GET('/map-categories', { params: { query: { limit, cursor } } }))),
    [],
  );
