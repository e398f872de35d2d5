import type { Http } from '../../platform/http/server.ts';
import { auditRoutes } from './routes.ts';
import { type AuditOptions, createService } from './service.ts';

export { auditorOf, expireAudit, recordAudit, recordAudits } from './store.ts';

/** Opens the domain. */
export const createAudit = (options: AuditOptions) => {
  const audit = createService(options);
  return { ...audit, routes: (http: Http) => http.register(auditRoutes, { audit }) };
};
