-- AlterTable
-- Locks "Player": reads and writes wait for a moment. No row is written again.
ALTER TABLE "Player" ADD COLUMN     "erasedAt" TIMESTAMPTZ(3),
ALTER COLUMN "subject" DROP NOT NULL;

-- CreateTable
CREATE TABLE "ErasedIdentity" (
    "playerGuid" UUID NOT NULL,
    "key" BYTEA NOT NULL,
    "subjectHash" BYTEA NOT NULL,
    "platformIdHash" BYTEA,

    CONSTRAINT "ErasedIdentity_pkey" PRIMARY KEY ("playerGuid")
);

-- CreateIndex
-- Of players who were erased only: what a node that died has not finished is found by the time.
-- Locks "Player": writes wait while it is built, which reads the table once.
CREATE INDEX "Player_erasedAt_idx" ON "Player"("erasedAt") WHERE "erasedAt" IS NOT NULL;

-- Not in schema.prisma: the functions of 20261122140243_claim_seat and 20261122162500_join_queue, where the races are
-- explained. They take no lock on a table. New here: an erasure takes the lock of the player, too. A claim or a join that is
-- first is found by it. One that is second finds that the player was erased.
CREATE OR REPLACE FUNCTION "claimSeat"(player uuid, connection uuid, node uuid, plugin text, game text, "at" timestamptz, "endedSince" timestamptz)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held "PlayerConnection";
  "isQueued" boolean;
BEGIN
  PERFORM FROM "Player" WHERE "playerGuid" = player AND "erasedAt" IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('isErased', true);
  END IF;
  SELECT * INTO held FROM "PlayerConnection" WHERE "playerGuid" = player;
  -- Guids of one node grow with time. Clocks of two nodes differ, so there the last claim counts.
  IF held."nodeGuid" = node AND held."connectionGuid" > connection THEN
    RETURN json_build_object('isErased', false, 'isLate', true);
  END IF;

  INSERT INTO "PlayerConnection" ("playerGuid", "connectionGuid", "nodeGuid", "pluginVersion", "gameVersion", "connectedAt")
  VALUES (player, connection, node, plugin, game, "at")
  ON CONFLICT ("playerGuid") DO UPDATE SET ("connectionGuid", "nodeGuid", "pluginVersion", "gameVersion", "connectedAt")
    = (connection, node, plugin, game, "at");

  UPDATE "QueueEntry"
  SET "disconnectedAt" = NULL, "extendedMs" = 0, "pluginVersion" = plugin, "gameVersion" = game
  WHERE "playerGuid" = player
    AND ("disconnectedAt", "pluginVersion", "gameVersion") IS DISTINCT FROM (NULL::timestamptz, plugin, game);
  "isQueued" := FOUND;

  RETURN (SELECT json_build_object(
    'isErased', false,
    'isLate', false,
    'replaced', CASE WHEN held."connectionGuid" <> connection
      THEN json_build_object('connectionGuid', held."connectionGuid", 'nodeGuid', held."nodeGuid") END,
    'isQueued', "isQueued",
    'ban', (SELECT json_build_object('reason', b.reason, 'until', floor(extract(epoch FROM b.until) * 1000))
      FROM "Ban" b WHERE b."playerGuid" = player AND b."liftedAt" IS NULL AND (b.until IS NULL OR b.until > "at")
      ORDER BY b.until DESC NULLS FIRST LIMIT 1),
    'runningGuid', (SELECT s."matchGuid" FROM "RunningSeat" s WHERE s."playerGuid" = player),
    -- A match lasts less than a day: the bound on `startedAt` lets the index on it leave older matches out.
    'lastEnded', (SELECT json_build_object('sequence', m.sequence) FROM "Match" m
      WHERE (m."redGuid" = player OR m."blueGuid" = player)
        AND m."endedAt" >= "endedSince" AND m."startedAt" >= "endedSince" - interval '1 day'
      ORDER BY m.sequence DESC LIMIT 1)));
END $$;

CREATE OR REPLACE FUNCTION "joinQueue"(player uuid, queue uuid, "now" timestamptz, plugin text, game text, newcomer int)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  joined "Queue";
  entry "QueueEntry";
  "isNew" boolean := false;
  ban json;
  penalty json;
BEGIN
  PERFORM FROM "Player" WHERE "playerGuid" = player AND "erasedAt" IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('refusal', 'PLAYER_NOT_FOUND');
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('queue ' || queue, 0));
  SELECT * INTO joined FROM "Queue" WHERE "queueGuid" = queue;
  IF NOT FOUND THEN
    RETURN json_build_object('refusal', 'QUEUE_NOT_FOUND');
  END IF;

  SELECT * INTO entry FROM "QueueEntry" WHERE "playerGuid" = player;
  IF entry."queueGuid" IS DISTINCT FROM queue THEN
    IF joined.status <> 'open' THEN
      RETURN json_build_object('refusal', 'QUEUE_NOT_OPEN', 'status', joined.status);
    END IF;
    SELECT json_build_object('reason', b.reason, 'until', floor(extract(epoch FROM b.until) * 1000)) INTO ban
    FROM "Ban" b WHERE b."playerGuid" = player AND b."liftedAt" IS NULL AND (b.until IS NULL OR b.until > "now")
    ORDER BY b.until DESC NULLS FIRST LIMIT 1;
    IF FOUND THEN
      RETURN json_build_object('refusal', 'BANNED', 'ban', ban);
    END IF;
    PERFORM FROM "RunningSeat" WHERE "playerGuid" = player;
    IF FOUND THEN
      RETURN json_build_object('refusal', 'ALREADY_IN_MATCH');
    END IF;
    SELECT json_build_object('reason', p.reason, 'until', floor(extract(epoch FROM p.until) * 1000)) INTO penalty
    FROM "Penalty" p WHERE p."playerGuid" = player AND p.until > "now" ORDER BY p.until DESC LIMIT 1;
    IF FOUND THEN
      RETURN json_build_object('refusal', 'PENALIZED', 'penalty', penalty);
    END IF;

    INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion", "gameVersion")
    VALUES (player, queue, "now", coalesce((
      SELECT r.rating FROM "Pool" o JOIN "Rating" r USING ("seasonGuid")
      WHERE o."poolGuid" = joined."poolGuid" AND r."queueGuid" = queue AND r."playerGuid" = player
    ), newcomer), plugin, game)
    ON CONFLICT ("playerGuid") DO NOTHING;
    "isNew" := FOUND;
    SELECT * INTO entry FROM "QueueEntry" WHERE "playerGuid" = player;
    IF entry."queueGuid" IS DISTINCT FROM queue THEN
      RETURN json_build_object('refusal', 'ALREADY_QUEUED');
    END IF;
  END IF;

  RETURN json_build_object('refusal', NULL, 'isNew', "isNew", 'place', json_build_object('queueGuid', queue,
    'rating', entry.rating, 'rules', joined.rules, 'joinedAt', floor(extract(epoch FROM entry."joinedAt") * 1000)));
END $$;
