-- Not in schema.prisma: the ended matches whose logs were not played again since their last change, by their end. It is
-- built beside writes, so it has a migration of its own.
CREATE INDEX CONCURRENTLY "Match_unreplayed_idx" ON "Match"("endedAt") WHERE NOT "isReplayed";
