-- Not in schema.prisma: room in the pages of tables that are updated often, and when they are vacuumed. An update that
-- changes no index and finds room in the page of its row is heap-only: it writes to no index, and the next one in the
-- page reuses the place of the old row. Pages that are there already stay full. Tables of a few rows (heartbeats,
-- leases) need nothing, because their pages are empty enough. An update of a rating moves it in the index of the
-- ladder, so room would not help there.

-- About 29 rows of 270 bytes fit into a page. Each is updated some 50 times while its match runs, then two or three
-- times more. An end writes to the indexes. 5 % of such rows instead of 20 % are vacuumed at once.
-- The states are stored beside the rows (TOAST), five kilobytes for each update, and they are dead with the next one.
-- By a share of the history they would be vacuumed ever more seldom, and a million matches would leave a gigabyte of
-- dead states. By a number they are vacuumed after the changes of 350 matches: 100 MB.
-- Locks "Match": no read and no write waits. Another ALTER TABLE or a vacuum does, for a moment.
ALTER TABLE "Match" SET (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_scale_factor = 0,
  toast.autovacuum_vacuum_threshold = 50000
);

-- When a node dies, or the service begins again, the rows of all waiting players are updated at once.
-- Locks "QueueEntry": no read and no write waits. Another ALTER TABLE or a vacuum does, for a moment.
ALTER TABLE "QueueEntry" SET (fillfactor = 50);

-- A sign-in with a newer token updates the row and none of its five indexes. A page has room for five of its fifty
-- players at a time.
-- Locks "Player": no read and no write waits. Another ALTER TABLE or a vacuum does, for a moment.
ALTER TABLE "Player" SET (fillfactor = 90);
