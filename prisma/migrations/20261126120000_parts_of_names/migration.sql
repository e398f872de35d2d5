-- A search for one or two characters that few names have read all players. The new index also has the parts of one and two
-- characters.

-- Not in schema.prisma, like the index. A name that contains a text contains its parts of each length.
CREATE FUNCTION "partsOf"(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT substr(lower(words), at, size)
    FROM generate_series(1, 3) AS size, generate_series(1, length(lower(words)) + 1 - size) AS at
  );

-- CreateIndex. Built beside writes.
CREATE INDEX CONCURRENTLY "Player_username_parts" ON "Player" USING gin ("partsOf"("username"));

-- How often each part is in a name: without it PostgreSQL cannot choose between this index and the one in the order of names.
-- Others read and write meanwhile.
ANALYZE "Player";

-- Locks "Player": reads and writes wait for a moment. A search of a node of the version before reads all players then.
DROP INDEX "Player_username_trigrams";
