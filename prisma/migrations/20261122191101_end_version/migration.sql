-- Null until staff change an ended match: a match that nobody corrected ended with the version it has.
-- Locks "Match": commands wait for a moment.
ALTER TABLE "Match" ADD COLUMN "endVersion" INTEGER;
