export { auditRoutes } from './routes.ts';
export { type Audit, createAudit } from './service.ts';
export { type AuditRecord, recordAudit } from './store.ts';
