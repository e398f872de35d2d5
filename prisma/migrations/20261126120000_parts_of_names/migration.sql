-- Not in schema.prisma: the parts of one to three characters of a name, for the index of 20261126120100_index_of_parts. The name
-- is split once: to cut parts out of it takes a time that grows with the square of its length.
CREATE FUNCTION "partsOf"(words text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT part
    FROM (
      SELECT one, one || lead(one) OVER following AS two, one || lead(one) OVER following || lead(one, 2) OVER following AS three
      FROM unnest(string_to_array(lower(words), NULL)) WITH ORDINALITY AS letters (one, place)
      WINDOW following AS (ORDER BY place)
    ) AS parts, unnest(ARRAY[one, two, three]) AS part
    WHERE part IS NOT NULL
  );
