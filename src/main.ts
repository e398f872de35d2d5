import { keepTicksFast } from './platform/ticks.ts';

// First of all, and so the rest is not imported above.
keepTicksFast();
await import('./process.ts');
