export type { GivenBack, Life, Outage } from './rules.ts';
export { createOutages, type Outages } from './service.ts';
