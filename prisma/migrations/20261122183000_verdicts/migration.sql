-- The verdicts of a match are read from its replays, so that storing one does not lock the match.
-- Locks "Match": reads and writes wait for a moment. The rows are not written again.
ALTER TABLE "Match" DROP COLUMN "replays";
