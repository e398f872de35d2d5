-- AlterTable
ALTER TABLE "Match" ADD COLUMN     "replays" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "replaysCheckedAt" TIMESTAMPTZ(3),
ADD COLUMN     "replaysRequired" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "versions" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "Replay" (
    "replayGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "roundNumber" INTEGER NOT NULL,
    "playerGuid" UUID NOT NULL,
    "uploadedAt" TIMESTAMPTZ(3) NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "checks" JSONB NOT NULL,
    "personal" JSONB NOT NULL,
    "removedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Replay_pkey" PRIMARY KEY ("replayGuid")
);

-- CreateTable
CREATE TABLE "ReplayReview" (
    "reviewGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "roundNumber" INTEGER NOT NULL,
    "playerGuid" UUID NOT NULL,
    "replayGuid" UUID,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "decision" TEXT,
    "comment" TEXT,
    "resolvedByGuid" UUID,
    "resolvedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ReplayReview_pkey" PRIMARY KEY ("reviewGuid")
);

-- CreateIndex
CREATE INDEX "Replay_playerGuid_uploadedAt_idx" ON "Replay"("playerGuid", "uploadedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Replay_matchGuid_roundNumber_playerGuid_key" ON "Replay"("matchGuid", "roundNumber", "playerGuid");

-- CreateIndex
CREATE INDEX "ReplayReview_createdAt_reviewGuid_idx" ON "ReplayReview"("createdAt", "reviewGuid");

-- CreateIndex
CREATE INDEX "ReplayReview_replayGuid_idx" ON "ReplayReview"("replayGuid");

-- CreateIndex
CREATE UNIQUE INDEX "ReplayReview_matchGuid_roundNumber_playerGuid_reason_key" ON "ReplayReview"("matchGuid", "roundNumber", "playerGuid", "reason");

-- By hand: the ended matches that were not looked at yet for replays they demand, and nothing else.
CREATE INDEX "Match_replays_unchecked_idx" ON "Match" ("endedAt") WHERE "replaysRequired" AND "replaysCheckedAt" IS NULL;
-- Reviews that staff have not decided: the list that is looked at, however many were decided before.
CREATE INDEX "ReplayReview_open_idx" ON "ReplayReview" ("createdAt", "reviewGuid") WHERE "resolvedAt" IS NULL;
