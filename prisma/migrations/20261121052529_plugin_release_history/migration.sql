-- AlterTable
ALTER TABLE "PluginRelease" DROP CONSTRAINT "PluginRelease_pkey",
ADD COLUMN     "releaseGuid" UUID NOT NULL,
ADD COLUMN     "servedFrom" TIMESTAMPTZ(3) NOT NULL,
ADD COLUMN     "servedUntil" TIMESTAMPTZ(3),
ADD COLUMN     "signature" TEXT,
ADD CONSTRAINT "PluginRelease_pkey" PRIMARY KEY ("releaseGuid");

-- CreateIndex
CREATE INDEX "PluginRelease_gameVersion_releaseGuid_idx" ON "PluginRelease"("gameVersion", "releaseGuid");

-- By hand: what schema.prisma cannot say.

-- One release is served per game version (specification, section 9, rule 4). Decided here because two uploads
-- at once would both find the place free.
CREATE UNIQUE INDEX "PluginRelease_served" ON "PluginRelease"("gameVersion") WHERE "servedUntil" IS NULL;
