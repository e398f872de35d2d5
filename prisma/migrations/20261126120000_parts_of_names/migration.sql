-- Not in schema.prisma: the parts of one to three characters of a name, for the index of 20261126120100_index_of_parts.
CREATE FUNCTION "partsOf"(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT substr(lower(words), at, size)
    FROM generate_series(1, 3) AS size, generate_series(1, length(lower(words)) + 1 - size) AS at
  );
