-- CreateTable
CREATE TABLE "LadderCount" (
    "id" BIGSERIAL NOT NULL,
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "rating" INTEGER NOT NULL,
    "players" INTEGER NOT NULL,
    "isSum" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "LadderCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "LadderCount_queueGuid_seasonGuid_rating_players_idx" ON "LadderCount"("queueGuid", "seasonGuid", "rating", "players");

-- By hand: the index of the rows that are to be summed up.
CREATE INDEX "LadderCount_id_idx" ON "LadderCount"("id") WHERE NOT "isSum";

-- By hand: the counts of the ladders that exist. One scan of "Rating".
INSERT INTO "LadderCount" ("queueGuid", "seasonGuid", "rating", "players", "isSum")
SELECT "queueGuid", "seasonGuid", "rating", count(*), true FROM "Rating"
WHERE "wins" + "losses" + "draws" > 0 GROUP BY 1, 2, 3;
