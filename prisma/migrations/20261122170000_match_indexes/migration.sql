-- Indexes of matches without the columns that change while a match runs: "dueAt" and "status". Such a change then
-- writes to no index (a heap-only update). They are built and dropped beside writes.

-- Not in schema.prisma: the running matches, a few thousand however long the history is. Limits that have passed are
-- found among them.
CREATE INDEX CONCURRENTLY "Match_running_idx" ON "Match"("startedAt") WHERE "endedAt" IS NULL;

-- CreateIndex
CREATE INDEX CONCURRENTLY "Match_outcome_startedAt_idx" ON "Match"("outcome", "startedAt");

-- DropIndex
DROP INDEX CONCURRENTLY "Match_dueAt_idx";

-- DropIndex
DROP INDEX CONCURRENTLY "Match_status_startedAt_idx";
