-- AlterTable
-- Locks "ServiceNode": heartbeats wait for a moment. Nodes of the version before leave the column NULL.
ALTER TABLE "ServiceNode" ADD COLUMN     "configuration" JSONB;
