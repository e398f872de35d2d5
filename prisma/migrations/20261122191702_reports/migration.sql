-- What players report about each other.

-- CreateTable
CREATE TABLE "Report" (
    "reportGuid" UUID NOT NULL,
    "matchGuid" UUID NOT NULL,
    "reporterGuid" UUID NOT NULL,
    "playerGuid" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "comment" TEXT,
    "status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Report_pkey" PRIMARY KEY ("reportGuid")
);

-- CreateIndex
CREATE UNIQUE INDEX "Report_matchGuid_reporterGuid_key" ON "Report"("matchGuid", "reporterGuid");

-- CreateIndex
CREATE INDEX "Report_reporterGuid_at_idx" ON "Report"("reporterGuid", "at");

-- CreateIndex
CREATE INDEX "Report_status_reportGuid_idx" ON "Report"("status", "reportGuid");

-- CreateIndex
CREATE INDEX "Report_playerGuid_reportGuid_idx" ON "Report"("playerGuid", "reportGuid");

-- CreateIndex
CREATE INDEX "Report_at_idx" ON "Report"("at");
