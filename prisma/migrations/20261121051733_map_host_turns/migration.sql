-- AlterTable
ALTER TABLE "HostMapKey" ALTER COLUMN "hash" DROP NOT NULL;

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

-- CreateIndex
CREATE INDEX "HostMapQuestion_claimGuid_idx" ON "HostMapQuestion"("claimGuid");
