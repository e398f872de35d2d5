-- Not in schema.prisma: the function of 20261122194501_erasure. It takes no lock on a table. New here: nobody joins a queue after
-- its season has ended. A task closes the queue up to a second later.
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
    PERFORM FROM "Pool" JOIN "Season" USING ("seasonGuid") WHERE "poolGuid" = joined."poolGuid" AND "endsAt" <= "now";
    IF FOUND THEN
      RETURN json_build_object('refusal', 'QUEUE_NOT_OPEN', 'status', 'draining');
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
