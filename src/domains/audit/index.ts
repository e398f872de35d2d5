export { auditRoutes } from './routes.ts';
export { createAudit } from './service.ts';
export { recordAudit, recordAudits } from './store.ts';
