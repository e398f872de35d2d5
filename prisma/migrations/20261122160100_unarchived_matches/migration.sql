-- Not in schema.prisma: the ended matches whose logs are not in the archive yet, by their end. It is built beside
-- writes, so it has a migration of its own.
CREATE INDEX CONCURRENTLY "Match_unarchived_idx" ON "Match"("endedAt") WHERE NOT "isArchived";
