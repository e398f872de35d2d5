-- Rows of nodes that ended: who runs now enters itself anew.
DELETE FROM "ServiceNode";

-- DropIndex
DROP INDEX "ServiceNode_lockKey_key";

-- AlterTable
ALTER TABLE "ServiceNode" DROP COLUMN "heartbeatAt",
DROP COLUMN "lockKey",
ADD COLUMN     "seenAt" TIMESTAMPTZ(3) NOT NULL,
ADD COLUMN     "serves" BOOLEAN NOT NULL DEFAULT false;

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

-- The one row there is.
INSERT INTO "ServiceLife" DEFAULT VALUES;
