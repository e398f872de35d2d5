-- The median gap of each map, and how often its pickers were expected to win.

-- AlterTable
-- Locks "MapUsage": reads and writes wait for a moment. The rows are not written again.
ALTER TABLE "MapUsage" ADD COLUMN "expectedWonByPicker" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN "gapCounts" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- CreateTable
CREATE TABLE "MapGap" (
    "id" BIGSERIAL NOT NULL,
    "mapGuid" UUID NOT NULL,
    "gap" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "MapGap_pkey" PRIMARY KEY ("id")
);

-- Matches that have ended: rounds that were played, each between the accuracies of both.
-- Locks "Match": it is only read, nobody waits.
INSERT INTO "MapGap" ("mapGuid", "gap")
SELECT (round #>> '{card,map,mapGuid}')::uuid,
  abs((round #>> '{accuracy,red}')::float8 - (round #>> '{accuracy,blue}')::float8)
FROM "Match", jsonb_array_elements("state" -> 'rounds') AS round
WHERE "endedAt" IS NOT NULL AND NOT (round -> 'void')::boolean AND round ->> 'startedAt' IS NOT NULL;

-- CreateIndex
CREATE INDEX "MapGap_mapGuid_gap_idx" ON "MapGap"("mapGuid", "gap");

-- The same counted by bucket, as rows that the next sums take in.
-- Locks "PoolMap": it is only read, nobody waits.
INSERT INTO "MapUsage" ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played", "wonByPicker", "scores",
  "accuracySum", "gapCounts")
SELECT "mapGuid", "poolGuid", 0, 0, 0, 0, 0, 0, 0, array_fill(0, ARRAY[bucket]) || rounds
FROM (
  SELECT "mapGuid", floor("gap" * 128)::int AS bucket, count(*)::int AS rounds FROM "MapGap" GROUP BY 1, 2
) AS counted JOIN "PoolMap" USING ("mapGuid");

-- What the ratings before each match expected of the picker: exact where the match was rated, and by the ratings that it
-- shows, with the doubt of a settled player, where it was not.
-- Locks "Match": it is only read, nobody waits.
INSERT INTO "MapUsage" ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played", "wonByPicker", "scores",
  "accuracySum", "expectedWonByPicker")
SELECT (round #>> '{card,map,mapGuid}')::uuid, played."poolGuid", 0, 0, 0, 0, 0, 0, 0,
  sum(CASE round ->> 'pickerSeat' WHEN 'red' THEN expected ELSE 1 - expected END)
FROM (
  SELECT match."poolGuid", match."state", 1 / (1 + exp(CASE WHEN red."mu" IS NOT NULL
    THEN (blue."mu" - red."mu") / sqrt(red."sigma" ^ 2 + blue."sigma" ^ 2 + 2 * (25.0 / 300) ^ 2 + 2 * (25.0 / 6) ^ 2)
    ELSE ((match."state" #>> '{seats,blue,rating}')::float8 - (match."state" #>> '{seats,red,rating}')::float8) / 30
      / sqrt(2 * (25.0 / 4) ^ 2 + 2 * (25.0 / 6) ^ 2) END)) AS expected
  FROM "Match" AS match
  LEFT JOIN LATERAL (SELECT "muBefore" AS "mu", "sigmaBefore" AS "sigma" FROM "RatingChange" AS change
    WHERE change."matchGuid" = match."matchGuid" AND change."playerGuid" = match."redGuid") AS red ON true
  LEFT JOIN LATERAL (SELECT "muBefore" AS "mu", "sigmaBefore" AS "sigma" FROM "RatingChange" AS change
    WHERE change."matchGuid" = match."matchGuid" AND change."playerGuid" = match."blueGuid") AS blue ON true
  WHERE match."endedAt" IS NOT NULL
) AS played, jsonb_array_elements(played."state" -> 'rounds') AS round
WHERE NOT (round -> 'void')::boolean
GROUP BY 1, 2;
