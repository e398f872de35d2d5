-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "Player" (
    "playerGuid" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "platformId" TEXT,
    "username" TEXT NOT NULL,
    "avatarUrl" TEXT,
    "joinedAt" TIMESTAMPTZ(3) NOT NULL,
    "providerRoles" TEXT[],
    "tokenIssuedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Player_pkey" PRIMARY KEY ("playerGuid")
);

-- CreateTable
CREATE TABLE "RoleGrant" (
    "playerGuid" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "grantedByGuid" UUID NOT NULL,
    "grantedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RoleGrant_pkey" PRIMARY KEY ("playerGuid","role")
);

-- CreateTable
CREATE TABLE "Ban" (
    "banGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "createdByGuid" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "liftedByGuid" UUID,
    "liftedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Ban_pkey" PRIMARY KEY ("banGuid")
);

-- CreateTable
CREATE TABLE "Penalty" (
    "penaltyGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Penalty_pkey" PRIMARY KEY ("penaltyGuid")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "auditGuid" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actorGuid" UUID,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("auditGuid")
);

-- CreateTable
CREATE TABLE "PlatformIdRefusal" (
    "platformId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "loggedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlatformIdRefusal_pkey" PRIMARY KEY ("platformId","subject")
);

-- CreateTable
CREATE TABLE "IdentityKeySet" (
    "publicKeyUrl" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "fetchedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdentityKeySet_pkey" PRIMARY KEY ("publicKeyUrl")
);

-- CreateTable
CREATE TABLE "PendingLogin" (
    "stateHash" TEXT NOT NULL,
    "verifierHash" TEXT NOT NULL,
    "returnTo" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PendingLogin_pkey" PRIMARY KEY ("stateHash")
);

-- CreateTable
CREATE TABLE "LoginSession" (
    "sessionGuid" UUID NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "playerGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "accessToken" TEXT NOT NULL,
    "refreshToken" TEXT,
    "accessExpiresAt" TIMESTAMPTZ(3) NOT NULL,
    "renewAt" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "renewalHeldUntil" TIMESTAMPTZ(3),
    "renewalFailed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "LoginSession_pkey" PRIMARY KEY ("sessionGuid")
);

-- CreateTable
CREATE TABLE "Season" (
    "seasonGuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Season_pkey" PRIMARY KEY ("seasonGuid")
);

-- CreateTable
CREATE TABLE "MapCategory" (
    "categoryGuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT,
    "position" INTEGER NOT NULL,

    CONSTRAINT "MapCategory_pkey" PRIMARY KEY ("categoryGuid")
);

-- CreateTable
CREATE TABLE "Pool" (
    "poolGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "submittedByGuid" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "publishedAt" TIMESTAMPTZ(3),
    "retiredAt" TIMESTAMPTZ(3),

    CONSTRAINT "Pool_pkey" PRIMARY KEY ("poolGuid")
);

-- CreateTable
CREATE TABLE "PoolMap" (
    "mapGuid" UUID NOT NULL,
    "poolGuid" UUID NOT NULL,
    "categoryGuid" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "songName" TEXT NOT NULL,
    "levelAuthorName" TEXT NOT NULL,
    "characteristic" TEXT NOT NULL,
    "difficulty" TEXT NOT NULL,
    "modifiers" TEXT[],
    "durationSeconds" INTEGER NOT NULL,
    "maxScore" INTEGER NOT NULL,
    "coverUrl" TEXT,
    "downloadUrl" TEXT NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "addedAt" TIMESTAMPTZ(3) NOT NULL,
    "addedByGuid" UUID NOT NULL,

    CONSTRAINT "PoolMap_pkey" PRIMARY KEY ("mapGuid")
);

-- CreateTable
CREATE TABLE "PoolContribution" (
    "poolGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PoolContribution_pkey" PRIMARY KEY ("poolGuid","playerGuid")
);

-- CreateTable
CREATE TABLE "PoolReview" (
    "reviewGuid" UUID NOT NULL,
    "poolGuid" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "reviewerGuid" UUID NOT NULL,
    "verdict" TEXT NOT NULL,
    "comment" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PoolReview_pkey" PRIMARY KEY ("reviewGuid")
);

-- CreateTable
CREATE TABLE "HostMapVersion" (
    "hash" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "songName" TEXT NOT NULL,
    "levelAuthorName" TEXT NOT NULL,
    "durationSeconds" INTEGER NOT NULL,
    "difficulties" JSONB NOT NULL,
    "coverUrl" TEXT,
    "downloadUrl" TEXT NOT NULL,
    "fetchedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HostMapVersion_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "HostMapKey" (
    "key" TEXT NOT NULL,
    "hash" TEXT,
    "fetchedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HostMapKey_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "HostMapQuestion" (
    "key" TEXT NOT NULL,
    "claimGuid" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HostMapQuestion_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "MapHostTurn" (
    "origin" TEXT NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "pausedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "MapHostTurn_pkey" PRIMARY KEY ("origin")
);

-- CreateTable
CREATE TABLE "HostMapCheck" (
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HostMapCheck_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Queue" (
    "queueGuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "poolGuid" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Queue_pkey" PRIMARY KEY ("queueGuid")
);

-- CreateTable
CREATE TABLE "QueueEntry" (
    "playerGuid" UUID NOT NULL,
    "queueGuid" UUID NOT NULL,
    "joinedAt" TIMESTAMPTZ(3) NOT NULL,
    "rating" INTEGER NOT NULL,
    "pluginVersion" TEXT NOT NULL,
    "gameVersion" TEXT,
    "disconnectedAt" TIMESTAMPTZ(3),
    "extendedMs" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "QueueEntry_pkey" PRIMARY KEY ("playerGuid")
);

-- CreateTable
CREATE TABLE "Match" (
    "matchGuid" UUID NOT NULL,
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "poolGuid" UUID NOT NULL,
    "redGuid" UUID NOT NULL,
    "blueGuid" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "rulesVersion" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" JSONB NOT NULL,
    "rated" BOOLEAN NOT NULL,
    "dueAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "reason" TEXT,
    "winnerGuid" UUID,
    "scoredRounds" INTEGER NOT NULL DEFAULT 0,
    "ratings" JSONB,
    "replays" JSONB NOT NULL DEFAULT '[]',
    "versions" JSONB NOT NULL DEFAULT '{}',
    "replaysRequired" BOOLEAN NOT NULL DEFAULT false,
    "replaysCheckedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Match_pkey" PRIMARY KEY ("matchGuid")
);

-- CreateTable
CREATE TABLE "MapUsage" (
    "id" BIGSERIAL NOT NULL,
    "mapGuid" UUID NOT NULL,
    "poolGuid" UUID NOT NULL,
    "dealt" INTEGER NOT NULL,
    "discarded" INTEGER NOT NULL,
    "picked" INTEGER NOT NULL,
    "played" INTEGER NOT NULL,
    "wonByPicker" INTEGER NOT NULL,
    "scores" INTEGER NOT NULL,
    "accuracySum" DOUBLE PRECISION NOT NULL,
    "isSum" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "MapUsage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunningSeat" (
    "playerGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "queuedSince" TIMESTAMPTZ(3) NOT NULL,
    "pluginVersion" TEXT NOT NULL,
    "gameVersion" TEXT,

    CONSTRAINT "RunningSeat_pkey" PRIMARY KEY ("playerGuid")
);

-- CreateTable
CREATE TABLE "MatchEvent" (
    "matchGuid" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" JSONB NOT NULL,
    "cause" JSONB NOT NULL,

    CONSTRAINT "MatchEvent_pkey" PRIMARY KEY ("matchGuid","version")
);

-- CreateTable
CREATE TABLE "Replay" (
    "replayGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "roundNumber" INTEGER NOT NULL,
    "playerGuid" UUID NOT NULL,
    "uploadedAt" TIMESTAMPTZ(3) NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "cutsSha256" TEXT,
    "copyOfGuid" UUID,
    "verdict" TEXT NOT NULL,
    "checks" JSONB NOT NULL,
    "personal" JSONB NOT NULL,
    "removedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Replay_pkey" PRIMARY KEY ("replayGuid")
);

-- CreateTable
CREATE TABLE "ReplayUpload" (
    "replayGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReplayUpload_pkey" PRIMARY KEY ("replayGuid")
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

-- CreateTable
CREATE TABLE "Rating" (
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "mu" DOUBLE PRECISION NOT NULL,
    "sigma" DOUBLE PRECISION NOT NULL,
    "rating" INTEGER NOT NULL,
    "wins" INTEGER NOT NULL,
    "losses" INTEGER NOT NULL,
    "draws" INTEGER NOT NULL,
    "winStreak" INTEGER NOT NULL,

    CONSTRAINT "Rating_pkey" PRIMARY KEY ("queueGuid","seasonGuid","playerGuid")
);

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

-- CreateTable
CREATE TABLE "RatingChange" (
    "matchGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "muBefore" DOUBLE PRECISION NOT NULL,
    "sigmaBefore" DOUBLE PRECISION NOT NULL,
    "muAfter" DOUBLE PRECISION NOT NULL,
    "sigmaAfter" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "RatingChange_pkey" PRIMARY KEY ("matchGuid","playerGuid")
);

-- CreateTable
CREATE TABLE "FormerRatingChange" (
    "correctionGuid" UUID NOT NULL,
    "correctedMatchGuid" UUID NOT NULL,
    "replacedAt" TIMESTAMPTZ(3) NOT NULL,
    "matchGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "muBefore" DOUBLE PRECISION NOT NULL,
    "sigmaBefore" DOUBLE PRECISION NOT NULL,
    "muAfter" DOUBLE PRECISION NOT NULL,
    "sigmaAfter" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "FormerRatingChange_pkey" PRIMARY KEY ("correctionGuid","matchGuid","playerGuid")
);

-- CreateTable
CREATE TABLE "PlayerConnection" (
    "playerGuid" UUID NOT NULL,
    "connectionGuid" UUID NOT NULL,
    "nodeGuid" UUID NOT NULL,
    "pluginVersion" TEXT NOT NULL,
    "gameVersion" TEXT,
    "connectedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlayerConnection_pkey" PRIMARY KEY ("playerGuid")
);

-- CreateTable
CREATE TABLE "ServiceNode" (
    "nodeGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,
    "serves" BOOLEAN NOT NULL DEFAULT false,
    "rulesVersion" INTEGER NOT NULL,

    CONSTRAINT "ServiceNode_pkey" PRIMARY KEY ("nodeGuid")
);

-- CreateTable
CREATE TABLE "Lease" (
    "task" TEXT NOT NULL,
    "nodeGuid" UUID NOT NULL,
    "epoch" INTEGER NOT NULL,

    CONSTRAINT "Lease_pkey" PRIMARY KEY ("task")
);

-- CreateTable
CREATE TABLE "ServiceLife" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "inServiceUntil" TIMESTAMPTZ(3),
    "lastOutage" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ServiceLife_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Outage" (
    "number" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Outage_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "PeerMessage" (
    "sequence" BIGSERIAL NOT NULL,
    "nodeGuid" UUID NOT NULL,
    "body" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PeerMessage_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "PluginRelease" (
    "releaseGuid" UUID NOT NULL,
    "gameVersion" TEXT NOT NULL,
    "pluginVersion" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "signature" TEXT,
    "uploadedAt" TIMESTAMPTZ(3) NOT NULL,
    "servedFrom" TIMESTAMPTZ(3) NOT NULL,
    "servedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "PluginRelease_pkey" PRIMARY KEY ("releaseGuid")
);

-- CreateTable
CREATE TABLE "ReleaseUpload" (
    "releaseGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReleaseUpload_pkey" PRIMARY KEY ("releaseGuid")
);

-- CreateTable
CREATE TABLE "ReadVersion" (
    "table" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "ReadVersion_pkey" PRIMARY KEY ("table")
);

-- CreateIndex
CREATE UNIQUE INDEX "Player_subject_key" ON "Player"("subject");

-- CreateIndex
CREATE UNIQUE INDEX "Player_platformId_key" ON "Player"("platformId");

-- CreateIndex
CREATE INDEX "Player_username_playerGuid_idx" ON "Player"("username", "playerGuid");

-- CreateIndex
CREATE INDEX "Ban_playerGuid_idx" ON "Ban"("playerGuid");

-- CreateIndex
CREATE INDEX "Penalty_playerGuid_at_idx" ON "Penalty"("playerGuid", "at");

-- CreateIndex
CREATE UNIQUE INDEX "Penalty_matchGuid_playerGuid_key" ON "Penalty"("matchGuid", "playerGuid");

-- CreateIndex
CREATE INDEX "AuditEntry_at_auditGuid_idx" ON "AuditEntry"("at", "auditGuid");

-- CreateIndex
CREATE INDEX "PendingLogin_expiresAt_idx" ON "PendingLogin"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "LoginSession_tokenHash_key" ON "LoginSession"("tokenHash");

-- CreateIndex
CREATE INDEX "LoginSession_playerGuid_startedAt_idx" ON "LoginSession"("playerGuid", "startedAt");

-- CreateIndex
CREATE INDEX "LoginSession_endsAt_idx" ON "LoginSession"("endsAt");

-- CreateIndex
CREATE UNIQUE INDEX "MapCategory_name_key" ON "MapCategory"("name");

-- CreateIndex
CREATE INDEX "Pool_seasonGuid_idx" ON "Pool"("seasonGuid");

-- CreateIndex
CREATE INDEX "Pool_status_idx" ON "Pool"("status");

-- CreateIndex
CREATE INDEX "PoolMap_hash_idx" ON "PoolMap"("hash");

-- CreateIndex
CREATE INDEX "PoolMap_key_idx" ON "PoolMap"("key");

-- CreateIndex
CREATE INDEX "PoolMap_categoryGuid_idx" ON "PoolMap"("categoryGuid");

-- CreateIndex
CREATE UNIQUE INDEX "PoolMap_poolGuid_hash_characteristic_difficulty_key" ON "PoolMap"("poolGuid", "hash", "characteristic", "difficulty");

-- CreateIndex
CREATE INDEX "PoolReview_poolGuid_createdAt_idx" ON "PoolReview"("poolGuid", "createdAt");

-- CreateIndex
CREATE INDEX "HostMapQuestion_claimGuid_idx" ON "HostMapQuestion"("claimGuid");

-- CreateIndex
CREATE INDEX "Queue_status_idx" ON "Queue"("status");

-- CreateIndex
CREATE INDEX "Queue_poolGuid_idx" ON "Queue"("poolGuid");

-- CreateIndex
CREATE INDEX "QueueEntry_queueGuid_joinedAt_idx" ON "QueueEntry"("queueGuid", "joinedAt");

-- CreateIndex
CREATE INDEX "Match_dueAt_idx" ON "Match"("dueAt");

-- CreateIndex
CREATE INDEX "Match_redGuid_startedAt_idx" ON "Match"("redGuid", "startedAt");

-- CreateIndex
CREATE INDEX "Match_blueGuid_startedAt_idx" ON "Match"("blueGuid", "startedAt");

-- CreateIndex
CREATE INDEX "Match_queueGuid_seasonGuid_endedAt_idx" ON "Match"("queueGuid", "seasonGuid", "endedAt");

-- CreateIndex
CREATE INDEX "Match_status_startedAt_idx" ON "Match"("status", "startedAt");

-- CreateIndex
CREATE INDEX "Match_startedAt_idx" ON "Match"("startedAt");

-- CreateIndex
CREATE INDEX "Match_queueGuid_startedAt_idx" ON "Match"("queueGuid", "startedAt");

-- CreateIndex
CREATE INDEX "Match_seasonGuid_startedAt_idx" ON "Match"("seasonGuid", "startedAt");

-- CreateIndex
CREATE INDEX "Match_endedAt_idx" ON "Match"("endedAt");

-- CreateIndex
CREATE INDEX "MapUsage_poolGuid_idx" ON "MapUsage"("poolGuid");

-- CreateIndex
CREATE INDEX "MapUsage_mapGuid_idx" ON "MapUsage"("mapGuid");

-- CreateIndex
CREATE INDEX "MapUsage_id_idx" ON "MapUsage"("id") WHERE NOT "isSum";

-- CreateIndex
CREATE INDEX "RunningSeat_matchGuid_idx" ON "RunningSeat"("matchGuid");

-- CreateIndex
CREATE INDEX "Replay_playerGuid_uploadedAt_idx" ON "Replay"("playerGuid", "uploadedAt");

-- CreateIndex
CREATE INDEX "Replay_sha256_idx" ON "Replay"("sha256");

-- CreateIndex
CREATE INDEX "Replay_uploadedAt_idx" ON "Replay"("uploadedAt") WHERE "removedAt" IS NULL;

-- CreateIndex
CREATE INDEX "Replay_cutsSha256_idx" ON "Replay"("cutsSha256");

-- CreateIndex
CREATE INDEX "Replay_copyOfGuid_idx" ON "Replay"("copyOfGuid");

-- CreateIndex
CREATE UNIQUE INDEX "Replay_matchGuid_roundNumber_playerGuid_key" ON "Replay"("matchGuid", "roundNumber", "playerGuid");

-- CreateIndex
CREATE INDEX "ReplayReview_createdAt_reviewGuid_idx" ON "ReplayReview"("createdAt", "reviewGuid");

-- CreateIndex
CREATE INDEX "ReplayReview_replayGuid_idx" ON "ReplayReview"("replayGuid");

-- CreateIndex
CREATE INDEX "ReplayReview_matchGuid_roundNumber_idx" ON "ReplayReview"("matchGuid", "roundNumber")
  WHERE "resolvedAt" IS NULL OR "decision" = 'upheld';

-- CreateIndex
CREATE UNIQUE INDEX "ReplayReview_matchGuid_roundNumber_playerGuid_reason_key" ON "ReplayReview"("matchGuid", "roundNumber", "playerGuid", "reason");

-- CreateIndex
CREATE INDEX "Rating_queueGuid_seasonGuid_rating_playerGuid_idx" ON "Rating"("queueGuid", "seasonGuid", "rating" DESC, "playerGuid") WHERE "wins" + "losses" + "draws" > 0;

-- CreateIndex
CREATE INDEX "Rating_playerGuid_idx" ON "Rating"("playerGuid");

-- CreateIndex
CREATE INDEX "LadderCount_queueGuid_seasonGuid_rating_players_idx" ON "LadderCount"("queueGuid", "seasonGuid", "rating", "players");

-- CreateIndex
CREATE INDEX "LadderCount_id_idx" ON "LadderCount"("id") WHERE NOT "isSum";

-- CreateIndex
CREATE INDEX "RatingChange_queueGuid_seasonGuid_at_idx" ON "RatingChange"("queueGuid", "seasonGuid", "at");

-- CreateIndex
CREATE INDEX "RatingChange_playerGuid_at_idx" ON "RatingChange"("playerGuid", "at");

-- CreateIndex
CREATE INDEX "FormerRatingChange_matchGuid_idx" ON "FormerRatingChange"("matchGuid");

-- CreateIndex
CREATE INDEX "PlayerConnection_nodeGuid_idx" ON "PlayerConnection"("nodeGuid");

-- CreateIndex
CREATE INDEX "PeerMessage_nodeGuid_sequence_idx" ON "PeerMessage"("nodeGuid", "sequence");

-- CreateIndex
CREATE INDEX "PluginRelease_gameVersion_releaseGuid_idx" ON "PluginRelease"("gameVersion", "releaseGuid");

-- AddForeignKey
ALTER TABLE "RoleGrant" ADD CONSTRAINT "RoleGrant_playerGuid_fkey" FOREIGN KEY ("playerGuid") REFERENCES "Player"("playerGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Ban" ADD CONSTRAINT "Ban_playerGuid_fkey" FOREIGN KEY ("playerGuid") REFERENCES "Player"("playerGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LoginSession" ADD CONSTRAINT "LoginSession_playerGuid_fkey" FOREIGN KEY ("playerGuid") REFERENCES "Player"("playerGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Pool" ADD CONSTRAINT "Pool_seasonGuid_fkey" FOREIGN KEY ("seasonGuid") REFERENCES "Season"("seasonGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PoolMap" ADD CONSTRAINT "PoolMap_poolGuid_fkey" FOREIGN KEY ("poolGuid") REFERENCES "Pool"("poolGuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PoolMap" ADD CONSTRAINT "PoolMap_categoryGuid_fkey" FOREIGN KEY ("categoryGuid") REFERENCES "MapCategory"("categoryGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PoolContribution" ADD CONSTRAINT "PoolContribution_poolGuid_fkey" FOREIGN KEY ("poolGuid") REFERENCES "Pool"("poolGuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PoolReview" ADD CONSTRAINT "PoolReview_poolGuid_fkey" FOREIGN KEY ("poolGuid") REFERENCES "Pool"("poolGuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_poolGuid_fkey" FOREIGN KEY ("poolGuid") REFERENCES "Pool"("poolGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QueueEntry" ADD CONSTRAINT "QueueEntry_queueGuid_fkey" FOREIGN KEY ("queueGuid") REFERENCES "Queue"("queueGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunningSeat" ADD CONSTRAINT "RunningSeat_matchGuid_fkey" FOREIGN KEY ("matchGuid") REFERENCES "Match"("matchGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MatchEvent" ADD CONSTRAINT "MatchEvent_matchGuid_fkey" FOREIGN KEY ("matchGuid") REFERENCES "Match"("matchGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RatingChange" ADD CONSTRAINT "RatingChange_matchGuid_fkey" FOREIGN KEY ("matchGuid") REFERENCES "Match"("matchGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say.

-- Two seasons never overlap: half-open ranges, so one may start when another ends. Decided here because
-- two requests at once would both find the time free.
ALTER TABLE "Season" ADD CONSTRAINT "Season_ends_after_start" CHECK ("endsAt" > "startsAt");
ALTER TABLE "Season" ADD CONSTRAINT "Season_no_overlap" EXCLUDE USING gist (tstzrange("startsAt", "endsAt") WITH &&);

-- One release of a game version is served at a time.
CREATE UNIQUE INDEX "PluginRelease_served" ON "PluginRelease"("gameVersion") WHERE "servedUntil" IS NULL;

-- The ended matches whose demanded replays were not looked for yet.
CREATE INDEX "Match_replays_unchecked_idx" ON "Match"("endedAt") WHERE "replaysRequired" AND "replaysCheckedAt" IS NULL;
CREATE INDEX "ReplayReview_open_idx" ON "ReplayReview"("createdAt", "reviewGuid") WHERE "resolvedAt" IS NULL;

-- A search finds players by any part of their name, in any case. What contains three characters or more also
-- contains each three of them that follow each other: an index of those needs no extension of PostgreSQL.
CREATE FUNCTION "trigramsOf"(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT DISTINCT substr(lower(words), at, 3) FROM generate_series(1, length(lower(words)) - 2) AS at);

CREATE INDEX "Player_username_trigrams" ON "Player" USING gin ("trigramsOf"("username"));

-- What the specification (2.3) says of a map in a pool, whoever writes it: an upload by its SHA-1, which somebody
-- can score on, under modifiers that exist, at one speed. Its uniqueness is an index already.
ALTER TABLE "PoolMap"
  ADD CONSTRAINT "PoolMap_hash" CHECK ("hash" ~ '^[0-9A-F]{40}$'),
  ADD CONSTRAINT "PoolMap_playable" CHECK ("durationSeconds" > 0 AND "maxScore" > 0),
  ADD CONSTRAINT "PoolMap_modifiers" CHECK ("modifiers" <@
    ARRAY['NF', 'NW', 'NB', 'NA', 'SS', 'FS', 'SFS', 'IF', '4L', 'DA', 'GN', 'PM', 'SA', 'SN', 'ZM']),
  ADD CONSTRAINT "PoolMap_one_speed" CHECK (
    ("modifiers" @> '{SS}')::int + ("modifiers" @> '{FS}')::int + ("modifiers" @> '{SFS}')::int <= 1);

-- States of the contract (6). A pool that players have seen says since when.
ALTER TABLE "Pool"
  ADD CONSTRAINT "Pool_status" CHECK ("status" IN ('draft', 'in_review', 'published', 'retired')),
  ADD CONSTRAINT "Pool_published" CHECK (("publishedAt" IS NOT NULL) = ("status" IN ('published', 'retired')));
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_status" CHECK ("status" IN ('closed', 'open', 'draining'));

-- One row for the service as a whole.
INSERT INTO "ServiceLife" DEFAULT VALUES;
