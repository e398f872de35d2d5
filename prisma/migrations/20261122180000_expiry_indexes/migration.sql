-- Rows whose time is over are found by these. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "Penalty_at_idx" ON "Penalty"("at");

-- CreateIndex
CREATE INDEX CONCURRENTLY "PlatformIdRefusal_loggedAt_idx" ON "PlatformIdRefusal"("loggedAt");

-- CreateIndex
CREATE INDEX CONCURRENTLY "HostMapVersion_fetchedAt_idx" ON "HostMapVersion"("fetchedAt");

-- CreateIndex
CREATE INDEX CONCURRENTLY "HostMapKey_fetchedAt_idx" ON "HostMapKey"("fetchedAt");
