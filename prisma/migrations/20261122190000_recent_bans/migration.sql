-- Finds the bans of the last minutes when a node has died. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "Ban_createdAt_idx" ON "Ban"("createdAt");
