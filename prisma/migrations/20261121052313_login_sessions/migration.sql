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

-- CreateIndex
CREATE INDEX "PendingLogin_expiresAt_idx" ON "PendingLogin"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "LoginSession_tokenHash_key" ON "LoginSession"("tokenHash");

-- CreateIndex
CREATE INDEX "LoginSession_playerGuid_startedAt_idx" ON "LoginSession"("playerGuid", "startedAt");

-- CreateIndex
CREATE INDEX "LoginSession_endsAt_idx" ON "LoginSession"("endsAt");

-- AddForeignKey
ALTER TABLE "LoginSession" ADD CONSTRAINT "LoginSession_playerGuid_fkey" FOREIGN KEY ("playerGuid") REFERENCES "Player"("playerGuid") ON DELETE RESTRICT ON UPDATE CASCADE;
