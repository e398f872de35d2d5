-- Which queues were opened in which seasons: the list of ladders, and what makes a closed queue public.

-- CreateTable
CREATE TABLE "Ladder" (
    "queueGuid" UUID NOT NULL,
    "seasonGuid" UUID NOT NULL,

    CONSTRAINT "Ladder_pkey" PRIMARY KEY ("queueGuid","seasonGuid")
);

-- CreateIndex
CREATE INDEX "Ladder_seasonGuid_queueGuid_idx" ON "Ladder"("seasonGuid", "queueGuid");

-- Queues that are open now, that had a match, or whose opening is in the audit log.
-- Locks "Queue": this table and the others are only read, nobody waits.
INSERT INTO "Ladder" ("queueGuid", "seasonGuid")
SELECT "queueGuid", "seasonGuid" FROM "Queue" JOIN "Pool" USING ("poolGuid") WHERE "Queue"."status" <> 'closed'
UNION SELECT "queueGuid", "seasonGuid" FROM "Match"
UNION SELECT ("after" ->> 'queueGuid')::uuid, ("after" ->> 'seasonGuid')::uuid FROM "AuditEntry"
WHERE "action" = 'openQueue' AND "after" ->> 'queueGuid' IS NOT NULL AND "after" ->> 'seasonGuid' IS NOT NULL;
