-- AlterTable
-- Locks "Match": reads and writes wait for a moment. The default is not written into the rows that are there.
ALTER TABLE "Match" ADD COLUMN     "isArchived" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "MatchArchive" (
    "matchGuid" UUID NOT NULL,
    "log" BYTEA NOT NULL,

    CONSTRAINT "MatchArchive_pkey" PRIMARY KEY ("matchGuid")
);

-- AddForeignKey
-- Locks "Match": writes wait for a moment. The new table has no rows to check.
ALTER TABLE "MatchArchive" ADD CONSTRAINT "MatchArchive_matchGuid_fkey" FOREIGN KEY ("matchGuid") REFERENCES "Match"("matchGuid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: the logs are compressed already, so PostgreSQL does not try to compress them again.
ALTER TABLE "MatchArchive" ALTER COLUMN "log" SET STORAGE EXTERNAL;
