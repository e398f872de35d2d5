-- A search for one or two characters that few names have read all players. A name that contains a text contains its parts of
-- each length. Not in schema.prisma. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "Player_username_parts" ON "Player" USING gin ("partsOf"("username"));

-- How often each part is in a name: without it PostgreSQL cannot choose between this index and the one in the order of names.
-- Others read and write meanwhile.
ANALYZE "Player";

-- Locks "Player": reads and writes wait for a moment. A search of a node of the version before reads all players then.
DROP INDEX IF EXISTS "Player_username_trigrams";
