-- Matches of version 1 of the rules, which was never released, cannot be played or verified any more: they go, with
-- everything that was counted from them. Files of replays are removed by the service like those of died uploads.
INSERT INTO "ReplayUpload" ("replayGuid", "startedAt")
  SELECT "replayGuid", "uploadedAt" FROM "Replay" WHERE "removedAt" IS NULL ON CONFLICT DO NOTHING;
DELETE FROM "ReplayReview";
DELETE FROM "Replay";
DELETE FROM "FormerRatingChange";
DELETE FROM "RatingChange";
DELETE FROM "Rating";
DELETE FROM "MapUsage";
DELETE FROM "RunningSeat";
DELETE FROM "MatchEvent";
DELETE FROM "Match";

-- AlterTable
ALTER TABLE "Match" ADD COLUMN     "rulesVersion" INTEGER NOT NULL,
ADD COLUMN     "sequence" BIGSERIAL NOT NULL;

-- AlterTable: nodes that died are still to be made up for.
ALTER TABLE "ServiceNode" ADD COLUMN     "rulesVersion" INTEGER NOT NULL DEFAULT 2;
ALTER TABLE "ServiceNode" ALTER COLUMN "rulesVersion" DROP DEFAULT;
