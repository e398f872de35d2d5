-- A ladder has only who played, and neither a page nor a rank may look at rows to find that out: counting the
-- better half of 100,000 players is then a walk through the index alone.
DROP INDEX "Rating_queueGuid_seasonGuid_rating_playerGuid_idx";
CREATE INDEX "Rating_queueGuid_seasonGuid_rating_playerGuid_idx"
  ON "Rating" ("queueGuid", "seasonGuid", "rating" DESC, "playerGuid")
  WHERE "wins" + "losses" + "draws" > 0;
