-- What the specification (2.3) says of a map in a pool, whoever writes it: an upload by its SHA-1, which somebody
-- can score on, under modifiers that exist, at one speed. Its uniqueness is an index already.
ALTER TABLE "PoolMap"
  ADD CONSTRAINT "PoolMap_hash" CHECK ("hash" ~ '^[0-9A-F]{40}$'),
  ADD CONSTRAINT "PoolMap_playable" CHECK ("durationSeconds" > 0 AND "maxScore" > 0),
  ADD CONSTRAINT "PoolMap_modifiers" CHECK ("modifiers" <@
    ARRAY['NF', 'NW', 'NB', 'NA', 'SS', 'FS', 'SFS', 'IF', '4L', 'DA', 'GN', 'PM', 'SA', 'SN', 'ZM']),
  ADD CONSTRAINT "PoolMap_one_speed" CHECK (
    ("modifiers" @> '{SS}')::int + ("modifiers" @> '{FS}')::int + ("modifiers" @> '{SFS}')::int <= 1);

-- States of the contract (6). A pool that players have seen says since when.
ALTER TABLE "Pool"
  ADD CONSTRAINT "Pool_status" CHECK ("status" IN ('draft', 'in_review', 'published', 'retired')),
  ADD CONSTRAINT "Pool_published" CHECK (("publishedAt" IS NOT NULL) = ("status" IN ('published', 'retired')));
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_status" CHECK ("status" IN ('closed', 'open', 'draining'));
