export * from './bsor/index.ts';
