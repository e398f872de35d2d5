-- CreateTable
CREATE TABLE "ReadVersion" (
    "table" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "ReadVersion_pkey" PRIMARY KEY ("table")
);
