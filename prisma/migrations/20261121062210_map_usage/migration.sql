-- CreateTable
CREATE TABLE "MapUsage" (
    "mapGuid" UUID NOT NULL,
    "poolGuid" UUID NOT NULL,
    "dealt" INTEGER NOT NULL,
    "discarded" INTEGER NOT NULL,
    "picked" INTEGER NOT NULL,
    "played" INTEGER NOT NULL,
    "wonByPicker" INTEGER NOT NULL,
    "scores" INTEGER NOT NULL,
    "accuracySum" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "MapUsage_pkey" PRIMARY KEY ("mapGuid")
);

-- CreateIndex
CREATE INDEX "MapUsage_poolGuid_idx" ON "MapUsage"("poolGuid");
