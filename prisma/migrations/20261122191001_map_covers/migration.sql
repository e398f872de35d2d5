-- CreateTable
CREATE TABLE "MapCover" (
    "hash" TEXT NOT NULL,
    "sourceUrl" TEXT,
    "lookedUpAt" TIMESTAMPTZ(3),
    "tryAt" TIMESTAMPTZ(3),
    "fileGuid" UUID,
    "type" TEXT,

    CONSTRAINT "MapCover_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "CoverUpload" (
    "fileGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CoverUpload_pkey" PRIMARY KEY ("fileGuid")
);

-- CreateIndex
CREATE INDEX "MapCover_tryAt_idx" ON "MapCover"("tryAt");
