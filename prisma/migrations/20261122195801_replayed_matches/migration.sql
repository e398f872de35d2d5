-- AlterTable
-- Locks "Match": reads and writes wait for a moment. The default is not written into the rows that are there, so the logs
-- of all ended matches are played again once, twenty at a time.
ALTER TABLE "Match" ADD COLUMN     "isReplayed" BOOLEAN NOT NULL DEFAULT false;
