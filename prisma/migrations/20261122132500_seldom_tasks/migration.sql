-- Tasks that run by themselves look for the few rows that are left to do, not through all that were done.
-- Building an index locks its table against writes: about a second for a million rows.

-- CreateIndex
CREATE INDEX "Replay_uploadedAt_idx" ON "Replay"("uploadedAt") WHERE "removedAt" IS NULL;

-- CreateIndex
CREATE INDEX "ReplayReview_matchGuid_roundNumber_idx" ON "ReplayReview"("matchGuid", "roundNumber")
  WHERE "resolvedAt" IS NULL OR decision = 'upheld';
