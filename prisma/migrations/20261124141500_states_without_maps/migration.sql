-- From this migration on nodes store the states of matches without the maps of their cards. Older nodes cannot read such states.
-- The tables stay as they are: a migration of its own keeps older nodes from being started beside newer ones or after them.
SELECT 1;
