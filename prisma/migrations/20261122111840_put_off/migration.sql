-- AlterTable
ALTER TABLE "QueueEntry" ADD COLUMN     "extendedMs" INTEGER NOT NULL DEFAULT 0;
