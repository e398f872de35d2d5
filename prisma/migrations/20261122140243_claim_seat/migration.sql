-- Not in schema.prisma: what happens in the database when a player has connected, as one statement of the service. It
-- takes no lock on a table that is there already.
--
-- A function, because each statement in it sees what was committed before it. The parts of one statement share a
-- snapshot that is taken before the statement waits for a lock. They would miss what the transaction it waited for
-- has stored. Here the lock of the player comes first:
-- * Of two claims at once the second one replaces the first.
-- * A ban takes the same lock before it is stored, and looks for the connection after its commit. A claim that is first
--   is found by the ban, a claim that is second returns the ban.
-- * Pairing takes the same lock before it makes a match, and looks for the connections after its commit. A claim that is
--   first is found by pairing, a claim that is second returns the running match.
-- * A loss of the older connection locks the seat. A claim that is second inserts the seat again and marks the queue
--   entry as connected again. A loss that is second finds another connection in the seat and changes nothing.
-- The match is read in the last statement: a match that ends meanwhile is either still the running one or the last one.
CREATE FUNCTION "claimSeat"(player uuid, connection uuid, node uuid, plugin text, game text, "at" timestamptz, "endedSince" timestamptz)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held "PlayerConnection";
  "isQueued" boolean;
BEGIN
  PERFORM FROM "Player" WHERE "playerGuid" = player FOR NO KEY UPDATE;
  SELECT * INTO held FROM "PlayerConnection" WHERE "playerGuid" = player;
  -- Guids of one node grow with time. Clocks of two nodes differ, so there the last claim counts.
  IF held."nodeGuid" = node AND held."connectionGuid" > connection THEN
    RETURN json_build_object('isLate', true);
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
