export type { MissedOutage, Outage } from './rules.ts';
export { createOutages, type Outages } from './service.ts';
