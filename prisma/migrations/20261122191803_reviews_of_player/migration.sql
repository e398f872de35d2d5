-- Finds the reviews of one player's replays. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "ReplayReview_playerGuid_idx" ON "ReplayReview"("playerGuid");
