-- For each combination of filters of the audit log the entries in their order. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "AuditEntry_actorGuid_at_auditGuid_idx" ON "AuditEntry"("actorGuid", "at", "auditGuid");

-- CreateIndex
CREATE INDEX CONCURRENTLY "AuditEntry_action_at_auditGuid_idx" ON "AuditEntry"("action", "at", "auditGuid");

-- CreateIndex
CREATE INDEX CONCURRENTLY "AuditEntry_actorGuid_action_at_auditGuid_idx" ON "AuditEntry"("actorGuid", "action", "at", "auditGuid");

-- Not in schema.prisma, like the next ones: the thing of a target, such as `pools/<guid>`, under whose path the target
-- lies. The last two columns let other filters be looked at without reading the entries.
CREATE INDEX CONCURRENTLY "AuditEntry_thing_idx"
  ON "AuditEntry"((split_part("target", '/', 2) || '/' || split_part("target", '/', 3)), "at", "auditGuid", "action", "actorGuid");

-- The kind of thing, such as `pools`, with the actions on it: of everybody, and of one person.
CREATE INDEX CONCURRENTLY "AuditEntry_kind_idx" ON "AuditEntry"(split_part("target", '/', 2), "action", "at", "auditGuid");

CREATE INDEX CONCURRENTLY "AuditEntry_actorGuid_kind_idx"
  ON "AuditEntry"("actorGuid", split_part("target", '/', 2), "action", "at", "auditGuid");
