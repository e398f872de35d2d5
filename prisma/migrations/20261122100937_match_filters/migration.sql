-- CreateIndex
CREATE INDEX "Match_startedAt_idx" ON "Match"("startedAt");

-- CreateIndex
CREATE INDEX "Match_queueGuid_startedAt_idx" ON "Match"("queueGuid", "startedAt");

-- CreateIndex
CREATE INDEX "Match_seasonGuid_startedAt_idx" ON "Match"("seasonGuid", "startedAt");
