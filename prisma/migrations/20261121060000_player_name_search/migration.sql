-- By hand: what schema.prisma cannot say.

-- A search finds players by any part of their name, in any case. What contains three characters or more also
-- contains each three of them that follow each other: an index of those needs no extension of PostgreSQL.
CREATE FUNCTION "trigramsOf"(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT DISTINCT substr(lower(words), at, 3) FROM generate_series(1, length(lower(words)) - 2) AS at);

CREATE INDEX "Player_username_trigrams" ON "Player" USING gin ("trigramsOf"("username"));
