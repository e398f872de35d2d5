-- Locks "ServiceNode": heartbeats wait for a moment.
ALTER TABLE "ServiceNode" DROP COLUMN "serves", ADD COLUMN "servedAt" TIMESTAMPTZ(3);
