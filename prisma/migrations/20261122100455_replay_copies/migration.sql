-- AlterTable
ALTER TABLE "Replay" ADD COLUMN     "copyOfGuid" UUID,
ADD COLUMN     "cutsSha256" TEXT;

-- CreateIndex
CREATE INDEX "Replay_sha256_idx" ON "Replay"("sha256");

-- CreateIndex
CREATE INDEX "Replay_cutsSha256_idx" ON "Replay"("cutsSha256");

-- CreateIndex
CREATE INDEX "Replay_copyOfGuid_idx" ON "Replay"("copyOfGuid");
