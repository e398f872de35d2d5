-- Not in schema.prisma: `claimSeat` refuses a claim that waited for the database while the player connected to another node.
-- It replaces a function and takes no lock on a table. Why it is a function is said where it is first made.
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
  -- Guids of one node grow with time. Nodes follow the clock of the database, so between two nodes the time of the connections
  -- decides. No claim waits for half a minute: a greater difference means that this clock was set back, and the last claim counts.
  IF (held."nodeGuid" = node AND held."connectionGuid" > connection)
    OR (held."nodeGuid" <> node AND held."connectedAt" > "at" + interval '1 second' AND held."connectedAt" < "at" + interval '30 seconds')
  THEN
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
    -- Matches of one player follow each other: the index on seat and start finds the last one of each seat in one step.
    -- With both seats in one condition PostgreSQL would make a plan at every call. A match lasts less than a day.
    'lastEnded', (SELECT json_build_object('sequence', m.sequence) FROM (
      (SELECT sequence FROM "Match" WHERE "redGuid" = player
        AND "endedAt" >= "endedSince" AND "startedAt" >= "endedSince" - interval '1 day' ORDER BY "startedAt" DESC LIMIT 1)
      UNION ALL
      (SELECT sequence FROM "Match" WHERE "blueGuid" = player
        AND "endedAt" >= "endedSince" AND "startedAt" >= "endedSince" - interval '1 day' ORDER BY "startedAt" DESC LIMIT 1)
      ) AS m
      ORDER BY m.sequence DESC LIMIT 1)));
END $$;
