-- Not in schema.prisma: a player joins a queue, as one statement of the service. It takes no lock on a table that is there
-- already.
--
-- A function, because each statement in it sees what was committed before it, as in a transaction that first locks the
-- player. The parts of one statement share a snapshot that is taken before the statement waits for a lock.
-- * The lock of the player comes first. Pairing and bans take it, too: nobody gets into a queue and a match at once, and of
--   a join and a ban the second one finds the first.
-- * The queue is shared until the end, by the name that `shareQueue` of the service takes: nobody drains or closes it
--   between the look at its status and the new entry.
-- * The end of a match queues its innocent player without the lock of the player. An entry that appears meanwhile counts
--   as one that was there before.
CREATE FUNCTION "joinQueue"(player uuid, queue uuid, "now" timestamptz, plugin text, game text, newcomer int)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  joined "Queue";
  entry "QueueEntry";
  "isNew" boolean := false;
  ban json;
  penalty json;
BEGIN
  PERFORM FROM "Player" WHERE "playerGuid" = player FOR NO KEY UPDATE;
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
