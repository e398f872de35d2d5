-- The matches of a ladder in the order in which they were made, for corrections. The time of an end depends on a clock that may
-- be set back. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "Match_queueGuid_seasonGuid_sequence_idx" ON "Match"("queueGuid", "seasonGuid", "sequence");

-- Dropped beside writes. A node of the version before reads a ladder with the index on "endedAt" then.
DROP INDEX CONCURRENTLY IF EXISTS "Match_queueGuid_seasonGuid_endedAt_idx";
