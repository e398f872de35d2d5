-- The pool that a pool was copied from, and comments of reviews on single maps.

-- AlterTable
-- Locks "Pool": reads and writes wait for a moment. The rows are not written again.
ALTER TABLE "Pool" ADD COLUMN     "copiedFromGuid" UUID;

-- AlterTable
-- Locks "PoolReview": reads and writes wait for a moment. The default is not written into the rows that are there.
ALTER TABLE "PoolReview" ADD COLUMN     "rows" JSONB NOT NULL DEFAULT '[]';

-- CreateIndex
-- Locks "Pool": writes wait for a moment. It has few rows.
CREATE INDEX "Pool_copiedFromGuid_idx" ON "Pool"("copiedFromGuid");

-- AddForeignKey
-- Locks "Pool": writes wait for a moment. It has few rows, and none is a copy yet.
ALTER TABLE "Pool" ADD CONSTRAINT "Pool_copiedFromGuid_fkey" FOREIGN KEY ("copiedFromGuid") REFERENCES "Pool"("poolGuid") ON DELETE SET NULL ON UPDATE CASCADE;
