-- A replay that comes is missing no more. Not in schema.prisma: the function of 20261126090000_review_guids. It takes no lock on a
-- table that is there already.
CREATE OR REPLACE FUNCTION "publishReplay"(given jsonb, "checksOfErased" jsonb, reason text, "now" timestamptz)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  replay "Replay" := jsonb_populate_record(NULL::"Replay", given);
  original record;
  listed text;
  -- The time of an id of version 7: milliseconds since 1970 (RFC 9562, 5.7).
  milliseconds text;
BEGIN
  PERFORM pg_advisory_xact_lock(key) FROM (
    SELECT hashtextextended(unnest(ARRAY['replay ' || replay.sha256, 'replay cuts ' || coalesce(replay."cutsSha256", replay.sha256)]), 0)
      AS key ORDER BY key
  ) AS keys;
  PERFORM FROM "Player" WHERE "playerGuid" = replay."playerGuid" AND "erasedAt" IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('refusal', 'PLAYER_NOT_FOUND');
  END IF;
  SELECT r."replayGuid", r."uploadedAt", p."erasedAt" IS NOT NULL AS "isErased" INTO original
  FROM "Replay" r JOIN "Player" p USING ("playerGuid")
  WHERE (r.sha256 = replay.sha256 OR r."cutsSha256" = replay."cutsSha256") AND r."playerGuid" <> replay."playerGuid"
  ORDER BY r."uploadedAt", r."replayGuid" LIMIT 1 FOR KEY SHARE OF p;

  -- A copy is later than its original, although it may have waited for it. The clocks of two nodes may differ. One that is
  -- wrong by more than a minute has no effect on copies, whose time decides about quotas and how long they are kept.
  replay."uploadedAt" := greatest("now",
    CASE WHEN original."uploadedAt" < "now" + interval '1 minute' THEN original."uploadedAt" + interval '1 millisecond' END);
  replay."copyOfGuid" := original."replayGuid";
  IF original."isErased" THEN
    replay.checks := "checksOfErased";
    replay."removedAt" := replay."uploadedAt";
  END IF;
  INSERT INTO "Replay" ("replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt", size, sha256, "publicSha256",
    "cutsSha256", "copyOfGuid", verdict, checks, personal, "removedAt")
  VALUES (replay."replayGuid", replay."matchGuid", replay."roundNumber", replay."playerGuid", replay."uploadedAt", replay.size,
    replay.sha256, coalesce(replay."publicSha256", repeat('0', 64)), replay."cutsSha256", replay."copyOfGuid", replay.verdict,
    replay.checks, replay.personal, replay."removedAt");
  IF replay."removedAt" IS NULL THEN
    DELETE FROM "ReplayUpload" WHERE "replayGuid" = replay."replayGuid";
  END IF;
  -- The upload may have begun in time and ended after its round was listed.
  DELETE FROM "ReplayReview" r
  WHERE r."matchGuid" = replay."matchGuid" AND r."roundNumber" = replay."roundNumber"
    AND r."playerGuid" = replay."playerGuid" AND r.reason = 'missing' AND r."resolvedAt" IS NULL;
  milliseconds := lpad(to_hex(floor(extract(epoch FROM replay."uploadedAt") * 1000)::bigint), 12, '0');
  FOREACH listed IN ARRAY array_remove(ARRAY[reason, CASE WHEN replay."copyOfGuid" IS NOT NULL THEN 'copy' END], NULL) LOOP
    INSERT INTO "ReplayReview" ("reviewGuid", "matchGuid", "roundNumber", "playerGuid", "replayGuid", reason, "createdAt")
    VALUES ((left(milliseconds, 8) || '-' || right(milliseconds, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
      replay."matchGuid", replay."roundNumber", replay."playerGuid", replay."replayGuid", listed, replay."uploadedAt")
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN json_build_object('refusal', NULL, 'isRemoved', replay."removedAt" IS NOT NULL);
END $$;
