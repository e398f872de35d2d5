-- Finds the replays whose file names another player than the one who published it: an erasure removes those that name the
-- person. Partial: few do, and in all others the check `player` holds. Built beside writes.

-- CreateIndex
CREATE INDEX CONCURRENTLY "Replay_checks_idx" ON "Replay" USING gin ("checks" jsonb_path_ops)
  WHERE "checks" @> '[{"name": "player", "ok": false}]';
