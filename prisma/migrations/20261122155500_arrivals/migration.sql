-- Locks "ServiceNode": heartbeats wait for a moment.
ALTER TABLE "ServiceNode" ADD COLUMN "doneUntil" TIMESTAMPTZ(3);

-- Locks "RunningSeat": beginnings and ends of matches wait for a moment.
ALTER TABLE "RunningSeat" ADD COLUMN "toldAt" TIMESTAMPTZ(3);
