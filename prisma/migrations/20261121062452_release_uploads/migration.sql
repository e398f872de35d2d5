-- CreateTable
CREATE TABLE "ReleaseUpload" (
    "releaseGuid" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReleaseUpload_pkey" PRIMARY KEY ("releaseGuid")
);
