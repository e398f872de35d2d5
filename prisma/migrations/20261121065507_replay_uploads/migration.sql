-- CreateTable
CREATE TABLE "ReplayUpload" (
    "replayGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReplayUpload_pkey" PRIMARY KEY ("replayGuid")
);
