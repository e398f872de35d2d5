-- CreateTable
CREATE TABLE "PlatformIdRefusal" (
    "platformId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "loggedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlatformIdRefusal_pkey" PRIMARY KEY ("platformId","subject")
);
