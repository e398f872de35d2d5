// Generated from docs/openapi.json by `npm run docs`. Do not edit.

export interface paths {
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Each entry names the actor, the action and the target, before and after; newest first. Entries are never changed. Decisions about reports of matches one played in are left out, so a page may have fewer entries than `limit`.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what occurs in the audit log as an action
         * @description The values that `GET /audit-log` can be filtered by.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["listAuditActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the identity provider
         * @description For the identity provider alone. Each login comes back once, in the browser it began in. A browser is refused with a page instead of JSON. `HEAD` is 405: it would use the login up.
         */
        get: operations["finishLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log in with a browser
         * @description Leads over the identity provider back to `returnTo`, with a login cookie. When somebody is not let in, `returnTo` gets `loginError=` `access_denied`, `provider_error`, `insufficient_scope` or `banned`. A browser is refused with a page instead of JSON. `HEAD` is 405: it would begin a login.
         */
        get: operations["beginLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log this browser out
         * @description Ends the session of the login cookie. Also well when it has ended before. Beside a token only the session of the same person.
         *
         *     For everybody with a login, also when it has expired and for banned players.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log every browser out
         * @description Ends all sessions of the caller. Access tokens that somebody has elsewhere go on until they expire.
         *
         *     For everybody with a login, also when it has expired and for banned players.
         */
        post: operations["logOutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the credentials speak for
         * @description Roles are those from the identity provider, from the configuration and those granted here together.
         *
         *     For everybody with a token or a login.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/standing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s bans, time-out, reports and replays under review
         * @description A banned caller may read it too. It has the time-out and the bans in force, the reports that the caller filed, and the caller’s replays under review.
         *
         *     For everybody with a token or a login.
         */
        get: operations["getMyStanding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The HTTP reference as a page */
        get: operations["getReferencePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The socket reference as a page */
        get: operations["getSocketReferencePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queues and matches as they change (Server-Sent Events)
         * @description At once `snapshot`, then `queue`, `matchStarted` and `matchFinished`. There is no `id`: who comes back gets a new snapshot. See `docs/observers.md`.
         */
        get: operations["followAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests should be sent here; 503 names the failing check */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ladders
         * @description One for each queue and season it was open in: those of the running season first, then the latest season.
         */
        get: operations["listLeaderboards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/{queueGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a queue’s ladder
         * @description By rating; equal ratings share a rank and the ranks after them are left out (1, 2, 2, 4). Provisional ratings take part.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/live/u/{platformId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A player’s play while it happens (WebSocket)
         * @description With the game token of this platform id, a seat in a running match and an accepted plugin version the connection publishes: its binary frames go unchanged to everybody who watches. Without `Authorization` it watches; it may wait for a player who does not publish yet, or not any more. See `docs/protocol.md` for limits and close codes.
         */
        get: operations["openLivePlay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/map-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List map categories
         * @description All map categories, by position, then by name.
         */
        get: operations["listMapCategories"];
        put?: never;
        /**
         * Create a map category
         * @description Names are unique.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["createMapCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/map-categories/{categoryGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a map category
         * @description Its `ETag` is what `If-Match` of a change is compared with.
         */
        get: operations["getMapCategory"];
        put?: never;
        post?: never;
        /**
         * Delete a map category
         * @description Only while no map of any pool is in it.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        delete: operations["deleteMapCategory"];
        options?: never;
        head?: never;
        /**
         * Change a map category
         * @description Members left out stay as they are. Published pools show the change too.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        patch: operations["updateMapCategory"];
        trace?: never;
    };
    "/maps/{hash}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the picture of a map
         * @description The map is in a pool that is or was published; staff also see maps of any pool, and maps that were looked up within the last hour. The picture is fetched from the map host a moment after the map was added or looked up.
         */
        get: operations["getMapCover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maps/download/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a map
         * @description Redirects to the file of exactly this hash, for maps of pools that are or were published. The map host is not asked.
         */
        get: operations["downloadMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maps/hashes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hashes of all playable maps
         * @description Hashes of all maps in published pools: what a game has to have installed.
         */
        get: operations["listMapHashes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maps/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a map at the map host
         * @description The upload that a pool would take for this key, with all its difficulties: the one that is published now, or was within the last minute. A hash finds the map that has or had it; the published upload may be another one.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["lookUpMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maps/playlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the playlist of the season
         * @description The published pools of the running season; between seasons those of the last one. Both addresses answer the same.
         */
        get: operations["getPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maps/playlist.bplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the playlist of the season
         * @description The published pools of the running season; between seasons those of the last one. Both addresses answer the same.
         */
        get: operations["getPlaylistFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Matches, newest first */
        get: operations["listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One match; its seed once it ended */
        get: operations["getMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abort a running match
         * @description No contest, without a penalty for anybody. Both players are told.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["abortMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A match as it happens (Server-Sent Events)
         * @description At once `match`, then one for each change, then `end` and the end of the stream. See `docs/observers.md`.
         */
        get: operations["followMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The evidence of a match: its seed, the deal and every event
         * @description Public once the match has ended. While it runs only an admin may look, not at a match of their own, and the look is audited.
         */
        get: operations["getMatchLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The replays of a match, with their verdicts
         * @description Of a running match, too, but not for those who play in it.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["listReplaysOfMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a match, running or ended
         * @description A running match ends with it, and both players are told. The result of an ended one is replaced, and the later rated matches of its queue and season are rated again in the order in which they were made; what they showed before is kept in their logs. The result that stands already changes nothing.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["decideMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/result/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the effect of a decision on the ladder
         * @description What `result` with this body would change on the ladder now; with `no_contest` also what `abort` and `undo` would. Nothing is changed, nobody is told, and it is not audited.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["previewResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/rounds/{roundNumber}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the replay of a round one has played
         * @description The body is the file (`application/octet-stream`, BSOR version 1, 64 MiB at most after decoding), `Content-Encoding: gzip` is understood. Possible until 15 minutes after the match; time in which the service was not there does not count. The same file again is answered with 200 and the same answer, so a lost answer is asked for by sending the file again.
         *
         *     For a plugin: a game token, and an accepted version in `X-Service-Plugin-Version`.
         */
        post: operations["publishReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{matchGuid}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the result of an ended match
         * @description It is no contest from now on (`decided_by_staff`), and the later rated matches of its queue and season are rated again without it. Penalties stay. A later `result` may decide it anew.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["undoMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The HTTP reference as an OpenAPI 3.1 document */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find players
         * @description By a part of the name in any case or by a whole platform id, in order of the name.
         */
        get: operations["findPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a player
         * @description With the standing in every queue and season that holds a rated match.
         */
        get: operations["getPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player’s bans
         * @description Newest first, with those that ended or were lifted.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["listBansOfPlayer"];
        put?: never;
        /**
         * Ban a player
         * @description Closes the connection, removes the queue entry and loses the running match. Bans may overlap; the last to end counts.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["banPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/bans/{banGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a ban
         * @description Its `ETag` is what `If-Match` of lifting it is compared with.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["getBan"];
        put?: never;
        post?: never;
        /**
         * Lift a ban
         * @description It stays in the list as lifted. Lifting it again changes nothing.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        delete: operations["liftBan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person
         * @description Subject, name, picture, platform id, roles, logins, comments and replay files go; matches, ratings and logs stay, shown as `Erased player`. Bans and penalties go on to count. It cannot be undone. Again it answers the same.
         *
         *     For the person themselves with a login, also while banned, or for an admin. A game token is refused.
         */
        post: operations["erasePlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all that is kept of a person
         * @description One document for the person, sent while it is read: it has no `Content-Length`, and one that breaks off is not whole. It never says who reported them, and has no reports about the reader, no data of other people, no tokens, no hashes of secrets and no comments of staff; of running matches it has what everybody sees.
         *
         *     For the person themselves, with any token or a login, or for an admin without a game token.
         */
        get: operations["exportPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Matches of one player, newest first */
        get: operations["listMatchesOfPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rated matches of one player, newest first
         * @description Those that count, with the ratings as corrections have left them.
         */
        get: operations["listRatingsOfPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player’s roles with their sources
         * @description Roles from the identity provider are as of the last token that spoke of roles.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["getRolesOfPlayer"];
        /**
         * Set the roles granted here
         * @description Roles from the identity provider or the configuration stay, and are revoked where they come from.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        put: operations["setRolesOfPlayer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{playerGuid}/standing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read penalties, logins and identity of a player
         * @description Queue time-outs, when browsers were logged in, and whether the person was erased. No tokens, no addresses.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["getStandingOfPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugin-releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plugin binary of each game version */
        get: operations["listPluginReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugin-releases/{gameVersion}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plugin binary for one game version
         * @description An attachment with `X-Service-Plugin-Version`, `X-Checksum-SHA256` and a strong `ETag`; ranges of bytes, `If-Range` and `If-None-Match` are understood.
         */
        get: operations["downloadPlugin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugin-releases/{gameVersion}/download.minisig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signature of that binary, when it is signed
         * @description An Ed25519 signature in the format of minisign.
         */
        get: operations["downloadPluginSignature"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugin-releases/{gameVersion}/download.sha256": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checksum of that binary, to check by hand
         * @description A line as `sha256sum --check` reads it.
         */
        get: operations["downloadPluginChecksum"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugin-releases/{gameVersion}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that was published for a game version
         * @description Newest upload first, with when each was served last.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["listFormerPluginReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pools
         * @description Published pools, newest first. Staff see all of them.
         */
        get: operations["listPools"];
        put?: never;
        /**
         * Create a pool
         * @description A draft without maps, for a season.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["createPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pool
         * @description Public while it is published or retired. Staff see drafts and pools in review too.
         */
        get: operations["getPool"];
        put?: never;
        post?: never;
        /**
         * Delete a pool
         * @description Drafts only, with their maps and reviews.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        delete: operations["deletePool"];
        options?: never;
        head?: never;
        /**
         * Rename a pool
         * @description Drafts only.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        patch: operations["renamePool"];
        trace?: never;
    };
    "/pools/{poolGuid}/categories/{categoryGuid}/playlist.bplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the playlist of one category of a pool
         * @description For pools that are or were published. A list of its own, with a title of its own.
         */
        get: operations["getPlaylistOfPoolCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a pool
         * @description A new draft with the same maps: the way to correct a pool that was published. Maps keep the upload they were added with.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["copyPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/cover.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the cover of a pool
         * @description The picture in its playlist: 256 × 256, made of its identity and the colours of its categories.
         */
        get: operations["getCoverOfPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/export.bplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a pool as a playlist
         * @description In whatever status. What is exported can be imported into a draft.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["exportPoolAsPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a pool as a table
         * @description In whatever status. What is exported can be imported into a draft.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["exportPoolAsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/import.bplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a playlist into a pool
         * @description Drafts only. Up to 200 rows, all or none; `details.rows` names one problem for each wrong row. A map is named by its key, or by exactly one hash: an upload that was replaced since is `MAP_STALE`. With `dryRun=true` nothing is added.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        post: operations["importPoolFromPlaylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/import.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a table into a pool
         * @description Drafts only. Up to 200 rows, all or none; `details.rows` names one problem for each wrong row. A map is named by its key, or by exactly one hash: an upload that was replaced since is `MAP_STALE`. With `dryRun=true` nothing is added.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        post: operations["importPoolFromCsv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/maps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a pool with its maps
         * @description Public while it is published or retired. Staff see drafts and pools in review too. Its `ETag` is what `If-Match` of a change to the pool or its maps is compared with.
         */
        get: operations["getPoolWithMaps"];
        put?: never;
        /**
         * Add a map to a pool
         * @description Drafts only. Name, hash, duration and maximum score are resolved from the map host: the upload that is published under the key.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        post: operations["addMapToPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/maps/{mapGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a map from a pool
         * @description Drafts only.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        delete: operations["removeMapFromPool"];
        options?: never;
        head?: never;
        /**
         * Change a map of a pool
         * @description Drafts only. Category and modifiers are changed without asking the map host; another characteristic or difficulty is resolved within the stored upload, as long as the host still publishes it.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        patch: operations["updateMapOfPool"];
        trace?: never;
    };
    "/pools/{poolGuid}/maps/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add, change and remove many maps of a pool
         * @description Up to 200 of each, all or none, as one revision: first removals, then changes, then additions. When rows are wrong, `details.rows` of `VALIDATION_FAILED` names one problem for each wrong addition, and `details.changes` for each wrong change or removal, with the codes of the requests for a single map.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        post: operations["addMapsToPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/playlist.bplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the playlist of a pool
         * @description For pools that are or were published.
         */
        get: operations["getPlaylistOfPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a pool
         * @description in_review → published, once the last review approved this revision. Its name and maps never change again; a correction is a copy. How many maps a match needs is looked at when a queue is opened.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["publishPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire a pool
         * @description published → retired. Its queues drain; running matches finish.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["retirePool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reviews of a pool
         * @description Newest first.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        get: operations["listReviewsOfPool"];
        put?: never;
        /**
         * Review a pool
         * @description Approves this revision, or requests changes: in_review → draft. Not by anybody who submitted or changed the pool since its last review. `rows` comment on single maps of the pool.
         *
         *     Needs `role:pooler` or `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["reviewPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the maps of a pool are played
         * @description Public once the pool is or was published; staff see those of every pool. Counted when a match ends, from what was really played: a corrected or undone result changes nothing here.
         */
        get: operations["getStatisticsOfPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{poolGuid}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a pool for review
         * @description draft → in_review: from here on it is not changed until changes are requested.
         *
         *     Needs `role:pooler`. A game token is refused.
         */
        post: operations["submitPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queues
         * @description Open and draining queues, newest first. Staff see closed ones too.
         */
        get: operations["listQueues"];
        put?: never;
        /**
         * Create a queue
         * @description Closed at first, on a published pool. Rules left out have their defaults.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["createQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queues/{queueGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a queue
         * @description One that is or was open; staff see the others too. `If-Match` of a change is compared with its `ETag`, which does not depend on `waiting` and `playing`.
         */
        get: operations["getQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a queue
         * @description Members and rules left out stay as they are. Rules and pool apply to matches made from now on; waiting players keep their place. A pool of another season only while the queue is closed.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        patch: operations["updateQueue"];
        trace?: never;
    };
    "/queues/{queueGuid}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a queue
         * @description The same as draining it: no running match is cut short.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["closeQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queues/{queueGuid}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain a queue
         * @description open → draining: no joins from now on, waiting players are told and removed, running matches finish; with the last of them the queue closes itself, at once when none is running.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["drainQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queues/{queueGuid}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a queue
         * @description closed → open. The pool must be published and have at least 10 maps. It may open before its season begins: its matches count for that season.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["openQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replay-reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews of replays, with the evidence
         * @description Replays that do not agree with their score, replays of rounds without a score, copies of another player’s replay, and rounds without the replay that their queue demands. The one that waits longest comes first. Those of the match that one plays now are left out until it ends.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["listReplayReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replay-reviews/{reviewGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A review, with the evidence of both players of the round
         * @description Never of a match one plays in: others decide it.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["getReplayReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replay-reviews/{reviewGuid}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a review
         * @description For the record: it changes no result. That is done with `undo` or `result` of the match. Never of a match one plays in.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        post: operations["resolveReplayReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{replayGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A replay and its verdict
         * @description Public once the match has ended; before that for staff who do not play in it.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{replayGuid}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The file of a replay
         * @description Public once the match has ended: without the player’s name and height. Staff get the file as it was published. Ranges of bytes, `If-Range` and `If-None-Match` are understood.
         */
        get: operations["downloadReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reports
         * @description Newest first, with who filed them. Reports about matches one played in are left out: others decide them.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        get: operations["listReports"];
        put?: never;
        /**
         * Report the other player of a match
         * @description From when both have joined to 24 hours after the end (time in which the service was not there does not count), at most 20 within 24 hours. One report for each match: another one is answered with the first, as it is now, whatever its reason.
         *
         *     For everybody with a token or a login.
         */
        post: operations["reportPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{reportGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide a report
         * @description Once. Recorded in the audit log; it changes no result and bans nobody: that is done with `result`, `undo` and bans. Never of a match one plays in.
         *
         *     Needs `role:admin`. A game token is refused.
         */
        patch: operations["decideReport"];
        trace?: never;
    };
    "/seasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List seasons
         * @description All seasons, the latest first.
         */
        get: operations["listSeasons"];
        put?: never;
        /**
         * Create a season
         * @description Seasons are half-open and do not overlap: one may start when another ends.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        post: operations["createSeason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seasons/{seasonGuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a season
         * @description Its `ETag` is what `If-Match` of a change is compared with.
         */
        get: operations["getSeason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a season
         * @description Members left out stay as they are. Queues of a season drain when it ends.
         *
         *     Needs `role:admin` or `role:developer`. A game token is refused.
         */
        patch: operations["updateSeason"];
        trace?: never;
    };
    "/server/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether one can play, and with which versions */
        get: operations["getServerStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/socket-docs.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The socket reference as an AsyncAPI 3.1 document */
        get: operations["getAsyncApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AbortedByStaffEvent: {
            /** @constant */
            type: "abortedByStaff";
        };
        AddedPoolMaps: {
            /** @description As they are now, in the order of the request; only with changes or removals */
            changed?: components["schemas"]["PoolMap"][];
            /** @description Those that were added, in the order of the request */
            maps: components["schemas"]["PoolMap"][];
            /** @description `mapGuid` of those that were removed; only with changes or removals */
            removed?: string[];
        };
        AuditActions: {
            items: string[];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        AuditEntry: {
            /** @example publishPool */
            action: string;
            /** @description `playerGuid` of the person who did it; null: the service itself */
            actor: string | null;
            /** @description As it is since; null: it exists no more */
            after: unknown;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
            /** @description As it was; null: it did not exist */
            before: unknown;
            /**
             * @description The thing, as the path of its resource
             * @example /pools/01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            target: string;
        };
        AuditEntryList: {
            items: components["schemas"]["AuditEntry"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        Ban: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            banGuid: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            createdBy: string;
            liftedAt: string | null;
            liftedBy: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            reason: string;
            /** @description Null: for good */
            until: string | null;
        };
        BanInForce: {
            reason: string;
            /** @description Null: for good */
            until: string | null;
        };
        BanList: {
            items: components["schemas"]["Ban"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        BannedEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "banned";
        };
        BatchedChange: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid?: string;
            /** @example Standard */
            characteristic?: string;
            /** @example ExpertPlus */
            difficulty?: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            /** @description Exactly these apply; at most one of SS, FS, SFS */
            modifiers?: components["schemas"]["Modifier"][];
        };
        /** @enum {string} */
        CauseType: "created" | "playerJoined" | "discarded" | "pickStarted" | "mapSelected" | "readyChanged" | "mapStarted" | "scoreSubmitted" | "roundFinished" | "presenceChanged" | "finished";
        ChangeProblem: {
            code: components["schemas"]["ErrorCode"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            message: string;
        };
        /** @enum {string} */
        Characteristic: "Standard" | "OneSaber" | "NoArrows" | "90Degree" | "360Degree" | "Lightshow" | "Lawless" | "Legacy";
        ConnectedEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "connected";
        };
        CreatedEvent: {
            setup: components["schemas"]["MatchSetup"];
            /** @constant */
            type: "created";
        };
        Deal: {
            blue: components["schemas"]["DealtHand"];
            red: components["schemas"]["DealtHand"];
            reserve: components["schemas"]["DealtCard"][];
        };
        DealtCard: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            cardGuid: string;
            map: components["schemas"]["MatchMap"];
        };
        DealtHand: {
            hand: components["schemas"]["DealtCard"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
        };
        DecidedByStaffEvent: {
            outcome: components["schemas"]["MatchOutcome"];
            /** @constant */
            type: "decidedByStaff";
            winner: components["schemas"]["SeatName"] | null;
        };
        /** @enum {string} */
        DecidedOutcome: "win" | "draw" | "no_contest";
        /** @enum {string} */
        Difficulty: "Easy" | "Normal" | "Hard" | "Expert" | "ExpertPlus";
        DiscardMapsEvent: {
            cardGuids: string[];
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "discardMaps";
        };
        DisconnectedEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "disconnected";
        };
        ErasedPlayer: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
        };
        Erasure: {
            /**
             * Format: uuid
             * @description The `playerGuid` of the path once more
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            confirm: string;
        };
        /**
         * @description UPPER_SNAKE, stable. New ones may come: a client treats an unknown one by its status
         * @enum {string}
         */
        ErrorCode: "ALREADY_IN_MATCH" | "ALREADY_QUEUED" | "ALREADY_UNDONE" | "BANNED" | "BAN_NOT_FOUND" | "CARD_NOT_IN_HAND" | "CATEGORY_IN_USE" | "CATEGORY_NOT_FOUND" | "CHECKSUM_MISMATCH" | "CONFLICT" | "COVER_NOT_FOUND" | "DIFFICULTY_NOT_FOUND" | "DISCARD_ALREADY_DONE" | "DRAINING" | "DUPLICATE_CARD" | "FORBIDDEN" | "HEAD_TOO_LARGE" | "INSUFFICIENT_SCOPE" | "INTERNAL_ERROR" | "LAST_ADMIN" | "LOGIN_FAILED" | "LOG_UNREADABLE" | "MAP_ALREADY_IN_POOL" | "MAP_NOT_FOUND" | "MAP_NOT_PLAYABLE" | "MAP_STALE" | "MATCH_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "MODIFIERS_CONFLICT" | "NOT_A_BINARY" | "NOT_FOUND" | "NOT_IMPLEMENTED" | "NOT_ON_LEADERBOARD" | "NOT_PLAYING" | "NOT_YOUR_TURN" | "NO_REPLACEMENT_AVAILABLE" | "ORIGIN_NOT_ALLOWED" | "OWN_MATCH" | "PAYLOAD_TOO_LARGE" | "PENALIZED" | "PLATFORM_ID_TAKEN" | "PLATFORM_NOT_VERIFIED" | "PLAYER_ERASED" | "PLAYER_NOT_FOUND" | "PLAYLIST_NOT_AVAILABLE" | "PLUGIN_VERSION_MISSING" | "PLUGIN_VERSION_NOT_ACCEPTED" | "POOL_NOT_EDITABLE" | "POOL_NOT_FOUND" | "POOL_NOT_IN_REVIEW" | "POOL_NOT_PUBLISHED" | "POOL_TOO_SMALL" | "QUEUE_NOT_CLOSED" | "QUEUE_NOT_FOUND" | "QUEUE_NOT_OPEN" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "RELEASE_NOT_FOUND" | "REPLAY_EXISTS" | "REPLAY_FILE_MISSING" | "REPLAY_NOT_FOUND" | "REPLAY_QUOTA_EXCEEDED" | "REPLAY_REMOVED" | "REPLAY_REVIEW_NOT_FOUND" | "REPLAY_REVIEW_RESOLVED" | "REPLAY_TOO_LATE" | "REPLAY_UNREADABLE" | "REPORT_CLOSED" | "REPORT_NOT_FOUND" | "REPORT_TOO_LATE" | "REQUEST_TIMEOUT" | "RETURN_TO_NOT_ALLOWED" | "REVIEW_REQUIRED" | "ROLE_NOT_GRANTED_HERE" | "SCORE_ALREADY_SUBMITTED" | "SCORE_IMPOSSIBLE" | "SEASON_ENDED" | "SEASON_MISMATCH" | "SEASON_NOT_FOUND" | "SEASON_OVERLAP" | "SELF_BAN" | "SELF_REVIEW" | "SERVICE_UNAVAILABLE" | "SIGNATURE_INVALID" | "SIGNATURE_NOT_FOUND" | "SIGNATURE_REQUIRED" | "STALE" | "STORAGE_FULL" | "STORAGE_UNAVAILABLE" | "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_TYPE_NOT_ALLOWED" | "TOO_MANY_DISCARDS" | "TOO_MANY_LATER_MATCHES" | "TOO_MANY_SPECTATORS" | "TOO_MANY_STREAMS" | "UNAUTHENTICATED" | "UNKNOWN_EVENT" | "UNSUPPORTED_MEDIA_TYPE" | "UPGRADE_REQUIRED" | "UPLOADS_BUSY" | "UPLOAD_DISABLED" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_PHASE" | "WRONG_ROUND";
        ExportedPlayer: {
            avatarUrl: string | null;
            erasedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            joinedAt: string;
            platformId: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            providerRoles: components["schemas"]["Role"][];
            /** @description `sub` of the tokens; null once erased */
            subject: string | null;
            /**
             * Format: date-time
             * @description Time of issue of the newest token
             * @example 2026-03-01T12:00:00.000Z
             */
            tokenIssuedAt: string;
            username: string;
        };
        FeedEvents: {
            /** @description A match whose players were known has ended */
            matchFinished: components["schemas"]["FeedMatch"];
            /** @description Both players have joined */
            matchStarted: components["schemas"]["FeedMatch"];
            /** @description Its status, `waiting`, `playing`, name or pool has changed */
            queue: components["schemas"]["Queue"];
            /** @description The first event */
            snapshot: components["schemas"]["FeedSnapshot"];
        };
        FeedMatch: {
            endedAt: string | null;
            /** @description Red, blue; 1 at the start, 0 loses */
            health: number[];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /** @description Red, blue */
            players: components["schemas"]["MatchPlayer"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            queueName: string;
            rated: boolean;
            /** @description Null while the match runs */
            result: components["schemas"]["PublicMatchResult"] | null;
            /** @description 0 until the first pick begins */
            roundNumber: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            startedAt: string;
            status: components["schemas"]["MatchStatus"];
        };
        FeedSnapshot: {
            /** @description Running, with players known; the newest 20, newest first */
            matches: components["schemas"]["FeedMatch"][];
            queues: components["schemas"]["Queue"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        FieldProblem: {
            message: string;
            /** @description Names joined by dots */
            path: string;
        };
        /** @enum {string} */
        Flag: "true" | "false";
        FollowedMatch: {
            /** @description Null in the first event of a stream. Names nobody in `waiting_players` */
            cause: components["schemas"]["MatchCause"] | null;
            match: components["schemas"]["PublicMatch"];
            /**
             * Format: date-time
             * @description When this was sent
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        ForfeitEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "forfeit";
        };
        FormerPluginRelease: {
            fileName: string;
            /** @example 1.40.0 */
            gameVersion: string;
            /**
             * @description Semantic version
             * @example 1.4.0
             */
            pluginVersion: string;
            /**
             * Format: date-time
             * @description When it began to be served, the last time it did
             * @example 2026-03-01T12:00:00.000Z
             */
            servedFrom: string;
            /** @description Null: it is served now */
            servedUntil: string | null;
            /** @description Hexadecimal */
            sha256: string;
            signed: boolean;
            /** @description Bytes */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            uploadedAt: string;
        };
        FormerPluginReleaseList: {
            items: components["schemas"]["FormerPluginRelease"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        FormerRatingChange: {
            after: number;
            before: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            replacedAt: string;
        };
        FoundPlayer: {
            avatarUrl: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            joinedAt: string;
            /** @description Digits; null until a game platform vouched for one */
            platformId: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        GrantedRoles: {
            /** @description All roles granted here from now on */
            roles: components["schemas"]["Role"][];
        };
        Health: {
            /** @constant */
            ok: true;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        HeldRole: {
            grantedAt: string | null;
            grantedBy: string | null;
            role: components["schemas"]["Role"];
            /** @description `granted`: here, by an admin. `provider`: as of the last token. Each is revoked where it comes from */
            source: components["schemas"]["RoleSource"];
        };
        HeldRoles: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /** @description One entry for each role and source */
            roles: components["schemas"]["HeldRole"][];
        };
        HttpError: {
            code: components["schemas"]["ErrorCode"];
            details?: components["schemas"]["RefusalDetails"];
            /** @description Safe to show */
            message: string;
            /**
             * Format: uuid
             * @description Only with INTERNAL_ERROR: what to quote to the staff
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            requestId?: string;
        };
        ImportedCustomData: {
            category?: string | null;
            modifiers?: string[] | null;
        } & {
            [key: string]: unknown;
        };
        ImportedDifficulty: {
            characteristic?: string | null;
            name: string;
        } & {
            [key: string]: unknown;
        };
        ImportedPlaylist: {
            songs: components["schemas"]["ImportedSong"][];
        } & {
            [key: string]: unknown;
        };
        ImportedPoolMaps: {
            /** @description Nothing was added */
            dryRun: boolean;
            /** @description In the order of the file */
            maps: components["schemas"]["PoolMap"][];
        };
        ImportedSong: {
            customData?: components["schemas"]["ImportedCustomData"] | null;
            difficulties?: components["schemas"]["ImportedDifficulty"][] | null;
            hash?: string | null;
            key?: string | null;
            levelid?: string | null;
        } & {
            [key: string]: unknown;
        };
        JoinMatchEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "joinMatch";
        };
        Ladder: {
            /** @description How many players are on it */
            players: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            queueName: string;
            queueStatus: components["schemas"]["QueueStatus"];
            /** @description Whether its season runs now */
            running: boolean;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            seasonName: string;
        };
        LadderList: {
            items: components["schemas"]["Ladder"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        LadderMove: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            rankAfter: number | null;
            /** @description Null: not on the ladder, without a match that counts */
            rankBefore: number | null;
            /** @description With the decision */
            ratingAfter: number;
            /** @description Now */
            ratingBefore: number;
            username: string;
        };
        LadderPreview: {
            /** @description Later matches whose ratings would come out differently */
            matches: number;
            /** @description Red and blue of the match, then everybody else whose rating would change, then those whose rank alone would; each by rank, at most 100 in all */
            players: components["schemas"]["LadderMove"][];
            /** @description How many there are, also those who are not listed */
            total: number;
        };
        Leaderboard: {
            entries: components["schemas"]["LeaderboardEntry"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        LeaderboardEntry: {
            draws: number;
            losses: number;
            player: components["schemas"]["Player"];
            /** @description True until the rating has settled */
            provisional: boolean;
            /** @description 1 is the best; equal ratings share a rank, and the next is left out */
            rank: number;
            rating: number;
            wins: number;
            /** @description Wins since the last match that was not won */
            winStreak: number;
        };
        LimitPassedEvent: {
            /** @constant */
            type: "limitPassed";
            version: number;
        };
        ListedReport: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
            comment: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description The reported player
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            reason: components["schemas"]["ReportReason"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reporterGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reportGuid: string;
            status: components["schemas"]["ReportStatus"];
        };
        LiveMatch: {
            /** @description In `preparing`, `playing` and `round_results` */
            currentMap: components["schemas"]["PoolMap"] | null;
            /** @description When the phase ends at the latest */
            deadlineAt: string | null;
            /** @description The picker of this round; null until the first pick begins */
            pickerGuid: string | null;
            /** @description 0 until the first pick begins */
            roundNumber: number;
            /** @description Red, blue; empty in `waiting_players`, while the players are hidden */
            seats: components["schemas"]["LiveSeat"][];
            /** @description When the map starts or started */
            startsAt: string | null;
            status: components["schemas"]["MatchStatus"];
        };
        LiveSeat: {
            /** @description When the grace ends; null unless away in a running match */
            awayDeadlineAt: string | null;
            /** @description Whether the discard was answered */
            discarded: boolean;
            handSize: number;
            /** @description 1 at the start; 0 loses */
            health: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            presence: components["schemas"]["Presence"];
            /** @description Null unless downloading */
            progress: number | null;
            /** @description False for the opponent in `waiting_players` */
            provisional: boolean;
            /** @description When the match was made */
            rating: number;
            /** @description The last `setReady` of the round */
            ready: components["schemas"]["ReadyState"] | null;
            /** @description Whether the score of the round is in */
            scoreSubmitted: boolean;
        };
        LoggedEvent: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
            event: components["schemas"]["MatchEvent"];
            version: number;
        };
        LoginOfPlayer: {
            /**
             * Format: date-time
             * @description Unless it is used again before
             * @example 2026-03-01T12:00:00.000Z
             */
            endsAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            startedAt: string;
        };
        LookedUpDifficulty: {
            characteristic: components["schemas"]["Characteristic"];
            difficulty: components["schemas"]["Difficulty"];
            /** @description 0 when it cannot be played */
            maxScore: number;
            /** @description False: adding it is refused with MAP_NOT_PLAYABLE */
            playable: boolean;
        };
        LookedUpMap: {
            coverUrl: string | null;
            difficulties: components["schemas"]["LookedUpDifficulty"][];
            /** @description Length of the song; 0 when the host does not know it */
            durationSeconds: number;
            /**
             * @description SHA-1 of the upload, 40 upper-case hexadecimal characters
             * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
             */
            hash: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            name: string;
        };
        MapCategory: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid: string;
            /** @description `#RRGGBB` */
            color: string | null;
            name: string;
            /** @description Categories are shown in this order, then by name */
            position: number;
        };
        MapCategoryChange: {
            color?: string | null;
            /** @example tech */
            name?: string;
            position?: number;
        };
        MapCategoryList: {
            items: components["schemas"]["MapCategory"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        /** @description Upper case, sorted, each once */
        MapHashes: string[];
        MapStatistics: {
            /** @description 0…1 over all scores; null without any */
            averageAccuracy: number | null;
            characteristic: components["schemas"]["Characteristic"];
            /** @description How often it came into a hand, also for a discarded card: `kept` + `discarded` */
            dealt: number;
            difficulty: components["schemas"]["Difficulty"];
            discarded: number;
            /** @description The same by the ratings before each match: the sum of the probabilities of the rating model */
            expectedWonByPicker: number;
            kept: number;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            /** @description Median of the difference between both accuracies in rounds that were really played; null without any */
            medianGap: number | null;
            name: string;
            /** @description By a player; not by the limit */
            picked: number;
            /** @description Rounds that counted */
            played: number;
            /** @description Rounds that counted and that the picker won */
            wonByPicker: number;
        };
        MatchAbort: {
            /** @description Kept in the audit log */
            reason: string;
        };
        MatchCause: {
            /** @description The player who caused it; null: a limit did, or a player who is hidden */
            playerGuid: string | null;
            type: components["schemas"]["CauseType"];
        };
        MatchDecision: {
            outcome: components["schemas"]["DecidedOutcome"];
            /** @description Kept in the audit log */
            reason: string;
            /**
             * @description With `win` one of the two players, else null
             * @default null
             */
            winnerGuid?: string | null;
        };
        MatchDecisionPreview: {
            outcome: components["schemas"]["DecidedOutcome"];
            /**
             * @description With `win` one of the two players, else null
             * @default null
             */
            winnerGuid?: string | null;
        };
        MatchEvent: components["schemas"]["CreatedEvent"] | components["schemas"]["JoinMatchEvent"] | components["schemas"]["DiscardMapsEvent"] | components["schemas"]["SelectMapEvent"] | components["schemas"]["SetReadyEvent"] | components["schemas"]["SubmitScoreEvent"] | components["schemas"]["ForfeitEvent"] | components["schemas"]["ConnectedEvent"] | components["schemas"]["DisconnectedEvent"] | components["schemas"]["NodeLostEvent"] | components["schemas"]["PutOffEvent"] | components["schemas"]["BannedEvent"] | components["schemas"]["LimitPassedEvent"] | components["schemas"]["PhaseOverEvent"] | components["schemas"]["ServiceResumedEvent"] | components["schemas"]["AbortedByStaffEvent"] | components["schemas"]["DecidedByStaffEvent"] | components["schemas"]["UndoneByStaffEvent"];
        MatchEvents: {
            /** @description The match has ended, and so does the stream */
            end: components["schemas"]["StreamEnd"];
            /** @description A version of the match; its `id` is the version. Without `id`: the progress of a download */
            match: components["schemas"]["FollowedMatch"];
        };
        MatchLimits: {
            countdownMs: number;
            discardMs: number;
            joinMs: number;
            pickMs: number;
            prepareMs: number;
            reconnectBudgetMs: number;
            reconnectGraceMs: number;
            roundResultsMs: number;
            scoreEarliestShare: number;
            scoreGraceMs: number;
        };
        MatchList: {
            items: components["schemas"]["PublicMatch"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        MatchLog: {
            /** @description The deck as the seed shuffled it: red’s hand, blue’s hand, what may replace discarded cards */
            dealt: components["schemas"]["Deal"];
            /** @description Every accepted event in order, from version 1 on without a gap */
            events: components["schemas"]["LoggedEvent"][];
            /** @description Rating changes that the match showed before staff corrected its result, the oldest first */
            formerRatings: components["schemas"]["FormerRatingChange"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /** @description 32 bytes, hexadecimal */
            seed: string;
            /** @description SHA-256 of the seed’s bytes, hexadecimal; shown since the match was made */
            seedHash: string;
            /** @description SHA-256 of that state as stored, in canonical JSON (RFC 8785), hexadecimal */
            stateHash: string;
            status: components["schemas"]["MatchStatus"];
            /** @description Version of the state that the events lead to */
            version: number;
        };
        MatchMap: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            addedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid: string;
            characteristic: components["schemas"]["Characteristic"];
            coverUrl: string | null;
            difficulty: components["schemas"]["Difficulty"];
            /** @description Length of the song */
            durationSeconds: number;
            /**
             * @description SHA-1 of the upload, 40 upper-case hexadecimal characters
             * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
             */
            hash: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            maxScore: number;
            modifiers: components["schemas"]["Modifier"][];
            name: string;
        };
        /** @enum {string} */
        MatchOutcome: "decided" | "draw" | "no_contest";
        MatchPlayer: {
            avatarUrl: string | null;
            /**
             * @description Digits
             * @example 76561198000000001
             */
            platformId: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        MatchRecord: {
            earlyForfeits: number;
            leftBeforeFirstPick: number;
        };
        MatchSetup: {
            limits: components["schemas"]["MatchLimits"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            maxDiscards: number;
            /** @description In any order: red has the lower rating; of equal ones the seed draws red */
            players: [
                components["schemas"]["MatchSetupPlayer"],
                components["schemas"]["MatchSetupPlayer"]
            ];
            pool: components["schemas"]["MatchMap"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            rated: boolean;
            replaysRequired: boolean;
            /** @description Version of the rules of this match: its log is proved by those alone */
            rulesVersion: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            seed: string;
        };
        MatchSetupPlayer: {
            connected: boolean;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            provisional: boolean;
            rating: number;
            /** @description Offences known when the match was made: they decide what leaving costs */
            record: components["schemas"]["MatchRecord"];
        };
        /** @enum {string} */
        MatchState: "running" | "ended";
        /** @enum {string} */
        MatchStatus: "waiting_players" | "awaiting_discards" | "awaiting_pick" | "preparing" | "playing" | "round_results" | "completed" | "aborted";
        MatchUndo: {
            /** @description Kept in the audit log */
            reason: string;
        };
        MatchWithSpectators: {
            endedAt: string | null;
            /** @description Null once the match ended */
            live: components["schemas"]["LiveMatch"] | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /** @description Red, blue; empty in `waiting_players`, while they are hidden */
            players: components["schemas"]["MatchPlayer"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            poolName: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            queueName: string;
            rated: boolean;
            /** @description Null while the match runs */
            result: components["schemas"]["PublicMatchResult"] | null;
            /** @description Finished rounds only */
            rounds: components["schemas"]["Round"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            seasonName: string;
            /** @description 32 bytes, hexadecimal; null while the match runs */
            seed: string | null;
            /** @description SHA-256 of the seed, hexadecimal */
            seedHash: string;
            /** @description Connections that watch its players live now; 0 once it ended */
            spectators: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            startedAt: string;
            status: components["schemas"]["MatchStatus"];
            /** @description Grows by one per change until the end; what staff decide later leaves it */
            version: number;
        };
        Me: {
            avatarUrl: string | null;
            /**
             * Format: date-time
             * @description When the credentials end
             * @example 2026-03-01T12:00:00.000Z
             */
            expiresAt: string;
            /** @description Digits; null until a game platform vouched for one */
            platformId: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            roles: components["schemas"]["Role"][];
            /** @description `sub` of the token */
            subject: string;
            username: string;
        };
        /** @enum {string} */
        Modifier: "NF" | "NW" | "NB" | "NA" | "SS" | "FS" | "SFS" | "IF" | "4L" | "DA" | "GN" | "PM" | "SA" | "SN" | "ZM";
        NewBan: {
            /** @description Shown to the player */
            reason: string;
            /** @description When it ends; null: for good */
            until: string | null;
        };
        NewMapCategory: {
            /** @default null */
            color?: string | null;
            /** @example tech */
            name: string;
            /** @description Left out: after the last */
            position?: number;
        };
        NewPool: {
            name: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
        };
        NewPoolMap: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid: string;
            /** @example Standard */
            characteristic: string;
            /** @example ExpertPlus */
            difficulty: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /** @description Exactly these apply; at most one of SS, FS, SFS */
            modifiers: components["schemas"]["Modifier"][];
        };
        NewPoolMaps: {
            /** @default [] */
            changes?: components["schemas"]["BatchedChange"][];
            /**
             * @description Maps to add
             * @default []
             */
            maps?: components["schemas"]["NewPoolMap"][];
            /**
             * @description `mapGuid` of maps to remove
             * @default []
             */
            removals?: string[];
        };
        NewPoolReview: {
            /** @default null */
            comment?: string | null;
            /**
             * @description Comments on maps of the pool
             * @default []
             */
            rows?: components["schemas"]["NewReviewedMap"][];
            verdict: components["schemas"]["PoolVerdict"];
        };
        NewQueue: {
            name: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            /** @default {} */
            rules?: components["schemas"]["QueueRulesInput"];
        };
        NewReport: {
            /** @description An empty one is null */
            comment?: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description The other player of the match
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            reason: components["schemas"]["ReportReason"];
        };
        NewReviewedMap: {
            comment: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
        };
        NewSeason: {
            /**
             * Format: date-time
             * @description ISO 8601
             */
            endsAt: string;
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601
             */
            startsAt: string;
        };
        NodeLostEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "nodeLost";
        };
        Opponent: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        PairingRules: {
            /**
             * @description Added to the gap for each second of waiting
             * @default 10
             */
            gapPerSecond: number;
            /**
             * @description Rating gap accepted at once
             * @default 150
             */
            initialGap: number;
            /**
             * @description Largest gap; null: it grows without end
             * @default null
             */
            maxGap: number | null;
        };
        PairingRulesChange: {
            /** @description Added to the gap for each second of waiting */
            gapPerSecond?: number;
            /** @description Rating gap accepted at once */
            initialGap?: number;
            /** @description Largest gap; null: it grows without end */
            maxGap?: number | null;
        };
        PairingRulesInput: {
            /**
             * @description Added to the gap for each second of waiting
             * @default 10
             */
            gapPerSecond?: number;
            /**
             * @description Rating gap accepted at once
             * @default 150
             */
            initialGap?: number;
            /**
             * @description Largest gap; null: it grows without end
             * @default null
             */
            maxGap?: number | null;
        };
        Penalty: {
            reason: components["schemas"]["PenaltyReason"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            until: string;
        };
        PenaltyOfPlayer: {
            /**
             * Format: date-time
             * @description When the offence was
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            reason: components["schemas"]["PenaltyReason"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            until: string;
        };
        /** @enum {string} */
        PenaltyReason: "not_joined" | "disconnected" | "not_ready" | "left_before_first_pick" | "dodged" | "repeated_forfeit";
        PersonExport: {
            /** @description `at`, `auditGuid`, `action` */
            actions: {
                [key: string]: unknown;
            }[];
            /** @description `addedAt`, `mapGuid`, `poolGuid`, `key`, `hash`, `characteristic`, `difficulty` */
            addedMaps: {
                [key: string]: unknown;
            }[];
            /** @description `createdAt`, `banGuid`, `reason`, `until`, `liftedAt` */
            bans: {
                [key: string]: unknown;
            }[];
            /** @description `poolGuid`, `at` */
            changedPools: {
                [key: string]: unknown;
            }[];
            /** @description `connectionGuid`, `pluginVersion`, `gameVersion`, `connectedAt` */
            connections: {
                [key: string]: unknown;
            }[];
            /** @description `at`, `reportGuid`, `matchGuid`, `reason`, `comment`, `status` */
            filedReports: {
                [key: string]: unknown;
            }[];
            /** @description `replacedAt`, `matchGuid`, `at`, `queueGuid`, `seasonGuid`, `score`, `muBefore`, `sigmaBefore`, `muAfter`, `sigmaAfter` */
            formerRatingChanges: {
                [key: string]: unknown;
            }[];
            /** @description `startedAt`, `sessionGuid`, `endsAt` */
            logins: {
                [key: string]: unknown;
            }[];
            /** @description `startedAt`, `matchGuid`, `queueGuid`, `seasonGuid`, `poolGuid`, `status`, `rated`, `endedAt`, `outcome`, `reason`, `won`, `rating`, `versions`, `seat`, `rounds` */
            matches: {
                [key: string]: unknown;
            }[];
            /** @description `at`, `penaltyGuid`, `matchGuid`, `reason`, `until` */
            penalties: {
                [key: string]: unknown;
            }[];
            player: components["schemas"]["ExportedPlayer"];
            /** @description `createdAt`, `reviewGuid`, `poolGuid`, `revision`, `verdict` */
            poolReviews: {
                [key: string]: unknown;
            }[];
            /** @description `queueGuid`, `joinedAt`, `rating`, `pluginVersion`, `gameVersion`, `disconnectedAt` */
            queueEntries: {
                [key: string]: unknown;
            }[];
            /** @description `at`, `matchGuid`, `queueGuid`, `seasonGuid`, `score`, `muBefore`, `sigmaBefore`, `muAfter`, `sigmaAfter` */
            ratingChanges: {
                [key: string]: unknown;
            }[];
            /** @description `queueGuid`, `seasonGuid`, `mu`, `sigma`, `rating`, `wins`, `losses`, `draws`, `winStreak` */
            ratings: {
                [key: string]: unknown;
            }[];
            /** @description `createdAt`, `reviewGuid`, `matchGuid`, `roundNumber`, `reason`, `decision`, `resolvedAt` */
            replayReviews: {
                [key: string]: unknown;
            }[];
            /** @description `uploadedAt`, `replayGuid`, `matchGuid`, `roundNumber`, `size`, `sha256`, `verdict`, `checks`, `removedAt` */
            replays: {
                [key: string]: unknown;
            }[];
            /** @description `role`, `grantedAt` */
            roles: {
                [key: string]: unknown;
            }[];
            /** @description `poolGuid`, `name`, `status` */
            submittedPools: {
                [key: string]: unknown;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        PhaseOverEvent: {
            /** @constant */
            type: "phaseOver";
        };
        Player: {
            avatarUrl: string | null;
            /** @description Digits; null until a game platform vouched for one */
            platformId: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        PlayerList: {
            items: components["schemas"]["FoundPlayer"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        PlayerProfile: {
            avatarUrl: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            joinedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            ratings: components["schemas"]["PlayerRating"][];
            username: string;
        };
        PlayerRating: {
            draws: number;
            losses: number;
            /** @description True until the rating has settled */
            provisional: boolean;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            /** @description 1 is the best; equal ratings share a rank; null without a rated match */
            rank: number | null;
            rating: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            wins: number;
        };
        PlayerStanding: {
            /** @description When the person was erased; null: they were not */
            erasedAt: string | null;
            /** @description Browsers that are logged in, newest first */
            logins: components["schemas"]["LoginOfPlayer"][];
            /** @description Queue time-outs that are kept, also those that are over; newest first, at most 100 */
            penalties: components["schemas"]["PenaltyOfPlayer"][];
            platformId: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
        };
        Playlist: {
            customData: components["schemas"]["PlaylistCustomData"];
            /** @description A PNG as a data URI */
            image: string;
            playlistAuthor: string;
            playlistDescription: string;
            playlistTitle: string;
            songs: components["schemas"]["PlaylistSong"][];
        };
        PlaylistCustomData: {
            /** @constant */
            AllowDuplicates: true;
            /** @constant */
            ReadOnly: true;
            /**
             * Format: uri
             * @description Answers with this very playlist
             */
            syncURL: string;
        };
        PlaylistDifficulty: {
            characteristic: components["schemas"]["Characteristic"];
            name: components["schemas"]["Difficulty"];
        };
        PlaylistSong: {
            difficulties: components["schemas"]["PlaylistDifficulty"][];
            /**
             * @description SHA-1 of the upload, 40 upper-case hexadecimal characters
             * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
             */
            hash: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            levelAuthorName: string;
            /** @description `custom_level_` and the hash */
            levelid: string;
            songName: string;
        };
        PluginRelease: {
            /** Format: uri */
            downloadUrl: string;
            fileName: string;
            /** @example 1.40.0 */
            gameVersion: string;
            /**
             * @description Semantic version
             * @example 1.4.0
             */
            pluginVersion: string;
            /** @description Hexadecimal */
            sha256: string;
            /** @description Bytes */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            uploadedAt: string;
        };
        PluginReleaseList: {
            releases: components["schemas"]["PluginRelease"][];
            /** @description The newest served plugin version; null while nothing is published */
            servedPluginVersion: string | null;
        };
        Pool: {
            mapCount: number;
            name: string;
            /** @description Opens a playlist manager; null until published */
            oneClickUrl: string | null;
            /** @description Null until published */
            playlistUrl: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            publishedAt: string | null;
            /** @description Grows by one with every change of the name or the maps */
            revision: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            status: components["schemas"]["PoolStatus"];
            /** @description `playerGuid` of the person who submitted it last */
            submittedBy: string | null;
        };
        PoolAlone: {
            /** @description For staff: `playerGuid` of those who submitted or changed it since its last review. They may not review it. */
            changedBy?: string[];
            /** @description For staff: the pool it was copied from; null: none, or a deleted one */
            copiedFromGuid?: string | null;
            mapCount: number;
            name: string;
            /** @description Opens a playlist manager; null until published */
            oneClickUrl: string | null;
            /** @description Null until published */
            playlistUrl: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            publishedAt: string | null;
            /** @description Grows by one with every change of the name or the maps */
            revision: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            status: components["schemas"]["PoolStatus"];
            /** @description `playerGuid` of the person who submitted it last */
            submittedBy: string | null;
        };
        PoolChange: {
            name: string;
        };
        PoolCopy: {
            name: string;
            /**
             * Format: uuid
             * @description Left out: the season of the original
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid?: string;
        };
        PoolList: {
            items: components["schemas"]["Pool"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        PoolMap: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            addedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid: string;
            characteristic: components["schemas"]["Characteristic"];
            coverUrl: string | null;
            difficulty: components["schemas"]["Difficulty"];
            /** @description Length of the song */
            durationSeconds: number;
            /**
             * @description SHA-1 of the upload, 40 upper-case hexadecimal characters
             * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
             */
            hash: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            maxScore: number;
            modifiers: components["schemas"]["Modifier"][];
            name: string;
            /** @description The map host now has a newer upload under the same key */
            stale: boolean;
        };
        PoolMapChange: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid?: string;
            /** @example Standard */
            characteristic?: string;
            /** @example ExpertPlus */
            difficulty?: string;
            /** @description Exactly these apply; at most one of SS, FS, SFS */
            modifiers?: components["schemas"]["Modifier"][];
        };
        PoolReview: {
            comment: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reviewerGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reviewGuid: string;
            /** @description The revision of the pool that was looked at */
            revision: number;
            /** @description Comments on single maps */
            rows: components["schemas"]["ReviewedMap"][];
            verdict: components["schemas"]["PoolVerdict"];
        };
        PoolReviewList: {
            items: components["schemas"]["PoolReview"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        PoolStatistics: {
            maps: components["schemas"]["MapStatistics"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
        };
        /** @enum {string} */
        PoolStatus: "draft" | "in_review" | "published" | "retired";
        /** @enum {string} */
        PoolVerdict: "approve" | "request_changes";
        PoolWithMaps: {
            /** @description Those that its maps are in, in the order they are shown */
            categories: components["schemas"]["MapCategory"][];
            maps: components["schemas"]["PoolMap"][];
            name: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            revision: number;
            season: components["schemas"]["SeasonName"];
            status: components["schemas"]["PoolStatus"];
        };
        /**
         * @description `away`: the connection is lost, a grace runs. `absent`: the grace has ended
         * @enum {string}
         */
        Presence: "present" | "away" | "absent";
        PublicMatch: {
            endedAt: string | null;
            /** @description Null once the match ended */
            live: components["schemas"]["LiveMatch"] | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /** @description Red, blue; empty in `waiting_players`, while they are hidden */
            players: components["schemas"]["MatchPlayer"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            poolName: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            queueName: string;
            rated: boolean;
            /** @description Null while the match runs */
            result: components["schemas"]["PublicMatchResult"] | null;
            /** @description Finished rounds only */
            rounds: components["schemas"]["Round"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            seasonName: string;
            /** @description 32 bytes, hexadecimal; null while the match runs */
            seed: string | null;
            /** @description SHA-256 of the seed, hexadecimal */
            seedHash: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            startedAt: string;
            status: components["schemas"]["MatchStatus"];
            /** @description Grows by one per change until the end; what staff decide later leaves it */
            version: number;
        };
        PublicMatchResult: {
            outcome: components["schemas"]["MatchOutcome"];
            /** @description Red, blue */
            ratings: components["schemas"]["RatingChange"][];
            reason: components["schemas"]["ResultReason"];
            winnerGuid: string | null;
        };
        PublishedReplay: {
            checks: components["schemas"]["ReplayCheck"][];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            replayGuid: string;
            verdict: components["schemas"]["ReplayVerdict"];
        };
        PutOffEvent: {
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "putOff";
        };
        Queue: {
            name: string;
            /** @description How many players are in running matches */
            playing: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            /** @description Copied into a match when it is made */
            rules: components["schemas"]["QueueRules"];
            /**
             * Format: uuid
             * @description The season of the pool
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            status: components["schemas"]["QueueStatus"];
            /** @description How many players wait */
            waiting: number;
        };
        QueueChange: {
            name?: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            poolGuid?: string;
            rules?: components["schemas"]["QueueRulesChange"];
        };
        QueueList: {
            items: components["schemas"]["Queue"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        QueueRules: {
            /**
             * @description Cards that may be replaced at the start of a match
             * @default 2
             */
            maxDiscards: number;
            pairing: components["schemas"]["PairingRules"];
            /**
             * @description Whether a round is listed for review when its replay has not come 15 minutes after the match, without time in which the service was not there; results do not wait
             * @default false
             */
            replaysRequired: boolean;
        };
        QueueRulesChange: {
            /** @description Cards that may be replaced at the start of a match */
            maxDiscards?: number;
            pairing?: components["schemas"]["PairingRulesChange"];
            /** @description Whether a round is listed for review when its replay has not come 15 minutes after the match, without time in which the service was not there; results do not wait */
            replaysRequired?: boolean;
        };
        QueueRulesInput: {
            /**
             * @description Cards that may be replaced at the start of a match
             * @default 2
             */
            maxDiscards?: number;
            /** @default {} */
            pairing?: components["schemas"]["PairingRulesInput"];
            /**
             * @description Whether a round is listed for review when its replay has not come 15 minutes after the match, without time in which the service was not there; results do not wait
             * @default false
             */
            replaysRequired?: boolean;
        };
        /** @enum {string} */
        QueueStatus: "closed" | "open" | "draining";
        RatedMatch: {
            /** @description The rating after it */
            after: number;
            /** @description The rating before the match */
            before: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            endedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            opponent: components["schemas"]["Opponent"];
            outcome: components["schemas"]["RatedOutcome"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
        };
        RatedMatchList: {
            items: components["schemas"]["RatedMatch"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        /** @enum {string} */
        RatedOutcome: "win" | "loss" | "draw";
        RatingChange: {
            after: number;
            before: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
        };
        Readiness: {
            /** @description The dependencies of the service, by name */
            checks: {
                [key: string]: components["schemas"]["ReadinessCheck"];
            };
            ok: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        ReadinessCheck: {
            /** @description For operators; null: nothing is wrong */
            message: string | null;
            ok: boolean;
        };
        /** @enum {string} */
        ReadyState: "downloading" | "ready" | "failed";
        Refusal: {
            error: components["schemas"]["HttpError"];
        };
        RefusalDetails: {
            /** @description How many there are */
            actual?: number;
            /** @description Where a file stops being readable */
            byteOffset?: number;
            /** @description One problem for each wrong change or removal of a batch */
            changes?: components["schemas"]["ChangeProblem"][];
            /** @description The values that do not have the expected form */
            fields?: components["schemas"]["FieldProblem"][];
            /** @description How many are needed */
            required?: number;
            /** @description One problem for each wrong row of a batch or a file */
            rows?: components["schemas"]["RowProblem"][];
            /** @description The phase that refuses */
            status?: string;
        };
        Replay: {
            checks: components["schemas"]["ReplayCheck"][];
            /** @description Null: the file was removed, after its time or for an erasure */
            downloadUrl: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            replayGuid: string;
            roundNumber: number;
            /** @description SHA-256 of the file that `downloadUrl` gives the reader, hexadecimal: for staff as it was published, for others of the copy without name and height. 64 zeros: not known, because the service did not keep it yet when the replay was published */
            sha256: string;
            /** @description Bytes, as it was published */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            uploadedAt: string;
            verdict: components["schemas"]["ReplayVerdict"];
        };
        ReplayCheck: {
            actual: string;
            /** @description Whether the verdict depends on it; the others only inform */
            decisive: boolean;
            expected: string;
            name: components["schemas"]["ReplayCheckName"];
            ok: boolean;
        };
        /** @enum {string} */
        ReplayCheckName: "mapHash" | "characteristic" | "difficulty" | "modifiers" | "submittedScore" | "recomputedScore" | "missCount" | "badCutCount" | "fullCombo" | "notPractice" | "noteCount" | "notFailed" | "timeWindow" | "gameVersion" | "plausibility" | "player";
        ReplayEvidence: {
            checks: components["schemas"]["ReplayCheck"][];
            /** @description The first replay that another player published before with the same bytes, or on a map of more than 30 notes with the same cuts, bit by bit; null: there is none */
            copyOf: components["schemas"]["ReplayReference"] | null;
            /** @description Null: the file was removed, after its time or for an erasure */
            downloadUrl: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            replayGuid: string;
            roundNumber: number;
            /** @description SHA-256 of the file that `downloadUrl` gives the reader, hexadecimal: for staff as it was published, for others of the copy without name and height. 64 zeros: not known, because the service did not keep it yet when the replay was published */
            sha256: string;
            /** @description Bytes, as it was published */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            uploadedAt: string;
            verdict: components["schemas"]["ReplayVerdict"];
        };
        ReplayReference: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            replayGuid: string;
        };
        ReplayReview: {
            comment: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            createdAt: string;
            decision: components["schemas"]["ReviewDecision"] | null;
            map: components["schemas"]["PoolMap"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            player: components["schemas"]["ReviewedPlayer"];
            reason: components["schemas"]["ReviewReason"];
            /** @description The evidence; null: there is none */
            replay: components["schemas"]["ReplayEvidence"] | null;
            resolvedAt: string | null;
            resolvedByGuid: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reviewGuid: string;
            roundNumber: number;
            /** @description As submitted; null: none came in */
            score: components["schemas"]["SubmittedScore"] | null;
            status: components["schemas"]["ReviewStatus"];
        };
        ReplayReviewDecision: {
            comment: string;
            decision: components["schemas"]["ReviewDecision"];
        };
        ReplayReviewInRound: {
            comment: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            createdAt: string;
            decision: components["schemas"]["ReviewDecision"] | null;
            map: components["schemas"]["PoolMap"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            opponent: components["schemas"]["ReviewedOpponent"];
            player: components["schemas"]["ReviewedPlayer"];
            reason: components["schemas"]["ReviewReason"];
            /** @description The evidence; null: there is none */
            replay: components["schemas"]["ReplayEvidence"] | null;
            resolvedAt: string | null;
            resolvedByGuid: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reviewGuid: string;
            roundNumber: number;
            /** @description As submitted; null: none came in */
            score: components["schemas"]["SubmittedScore"] | null;
            status: components["schemas"]["ReviewStatus"];
        };
        ReplayReviewList: {
            items: components["schemas"]["ReplayReview"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        ReplaysOfMatch: {
            items: components["schemas"]["Replay"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        /**
         * @description Whether a replay was published, and whether it agrees with the score
         * @enum {string}
         */
        ReplayStatus: "missing" | "verified" | "mismatch";
        ReplayUnderReview: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            replayGuid: string;
            roundNumber: number;
            verdict: components["schemas"]["ReplayVerdict"];
        };
        /** @enum {string} */
        ReplayVerdict: "verified" | "mismatch";
        Report: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            at: string;
            comment: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /**
             * Format: uuid
             * @description The reported player
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            reason: components["schemas"]["ReportReason"];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            reportGuid: string;
            status: components["schemas"]["ReportStatus"];
        };
        ReportDecision: {
            /** @description Kept in the audit log; never shown to players */
            comment: string;
            status: components["schemas"]["ReportDecisionStatus"];
        };
        /** @enum {string} */
        ReportDecisionStatus: "upheld" | "dismissed";
        ReportList: {
            items: components["schemas"]["ListedReport"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        /** @enum {string} */
        ReportReason: "cheating" | "stalling" | "abuse" | "other";
        /**
         * @description `upheld`: staff agree. `dismissed`: nothing wrong was found
         * @enum {string}
         */
        ReportStatus: "open" | "upheld" | "dismissed";
        /** @enum {string} */
        ResultReason: "health" | "cards_used_up" | "forfeit" | "disconnected" | "not_ready" | "dodged" | "banned" | "not_joined" | "void_rounds" | "left_before_first_pick" | "aborted_by_staff" | "decided_by_staff";
        /**
         * @description `dismissed`: nothing wrong with the score. `upheld`: it should not have counted; the result is corrected with `undo` or `result`
         * @enum {string}
         */
        ReviewDecision: "dismissed" | "upheld";
        ReviewedMap: {
            characteristic: components["schemas"]["Characteristic"];
            comment: string;
            difficulty: components["schemas"]["Difficulty"];
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            name: string;
        };
        ReviewedOpponent: {
            player: components["schemas"]["ReviewedPlayer"];
            /** @description The evidence; null: there is none */
            replay: components["schemas"]["ReplayEvidence"] | null;
            /** @description As submitted; null: none came in */
            score: components["schemas"]["SubmittedScore"] | null;
        };
        ReviewedPlayer: {
            /**
             * @description Digits
             * @example 76561198000000001
             */
            platformId: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        /**
         * @description `mismatch`: the replay does not agree with the score. `no_score`: a replay came and no score. `missing`: the queue demands replays and none came. `copy`: another player published the same before
         * @enum {string}
         */
        ReviewReason: "mismatch" | "no_score" | "missing" | "copy";
        /** @enum {string} */
        ReviewStatus: "open" | "resolved";
        /** @enum {string} */
        Role: "role:pooler" | "role:admin" | "role:developer";
        /** @enum {string} */
        RoleSource: "provider" | "configuration" | "granted";
        Round: {
            /** @description Gap × multiplier: what the loser’s health was lowered by, at most to 0 */
            damage: number;
            map: components["schemas"]["PoolMap"];
            /** @description 0 when void */
            multiplier: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            pickerGuid: string;
            roundNumber: number;
            /** @description Red first */
            scores: components["schemas"]["RoundScore"][];
            /** @description Neither was ready: the card is spent, the round counts for nothing */
            void: boolean;
            /** @description Null: equal, or void. A seat that was not ready has lost */
            winnerGuid: string | null;
        };
        RoundScore: {
            /** @description The number that decided the round */
            accuracy: number;
            failed: boolean;
            /** @description Null: none was submitted */
            modifiedScore: number | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /** @description Null: none was submitted */
            rawScore: number | null;
            replay: components["schemas"]["ReplayStatus"];
            submitted: boolean;
        };
        RowProblem: {
            code: components["schemas"]["ErrorCode"];
            /** @description From 0 */
            index: number;
            message: string;
        };
        Season: {
            /**
             * Format: date-time
             * @description Not part of the season any more: another may start at this instant
             * @example 2026-03-01T12:00:00.000Z
             */
            endsAt: string;
            name: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            startsAt: string;
        };
        SeasonChange: {
            /**
             * Format: date-time
             * @description ISO 8601
             */
            endsAt?: string;
            name?: string;
            /**
             * Format: date-time
             * @description ISO 8601
             */
            startsAt?: string;
        };
        SeasonList: {
            items: components["schemas"]["Season"][];
            /** @description `cursor` of the next page; null: this is the last one */
            nextCursor: string | null;
        };
        SeasonName: {
            name: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            seasonGuid: string;
        };
        /** @enum {string} */
        SeatName: "red" | "blue";
        SelectMapEvent: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            cardGuid: string;
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "selectMap";
        };
        ServerStatus: {
            acceptedPluginVersions: string[];
            /** @description Those a release is published for */
            allowedGameVersions: string[];
            online: boolean;
            servedPluginVersion: string | null;
            status: components["schemas"]["ServiceStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        ServiceResumedEvent: {
            /** @description The part of it within this match: every limit moves by it */
            downMs: number;
            /** @description Number of the outage that is over */
            outage: number;
            /** @constant */
            type: "serviceResumed";
            /** @description When it was over, milliseconds since 1970 */
            until: number;
        };
        /** @enum {string} */
        ServiceStatus: "online" | "draining" | "maintenance";
        SetReadyEvent: {
            roundNumber: number;
            seat: components["schemas"]["SeatName"];
            state: components["schemas"]["ReadyState"];
            /** @constant */
            type: "setReady";
        };
        Standing: {
            /** @description Those in force, the one that ends last first */
            bans: components["schemas"]["BanInForce"][];
            /** @description The queue time-out in force; null: there is none */
            penalty: components["schemas"]["Penalty"] | null;
            /** @description The caller’s own that staff look at */
            replays: components["schemas"]["ReplayUnderReview"][];
            /** @description Those that the caller filed, newest first, with their present status */
            reports: components["schemas"]["Report"][];
        };
        StreamEnd: Record<string, never>;
        SubmitScoreEvent: {
            roundNumber: number;
            score: components["schemas"]["SubmittedScore"];
            seat: components["schemas"]["SeatName"];
            /** @constant */
            type: "submitScore";
        };
        SubmittedScore: {
            badCutCount: number;
            failed: boolean;
            fullCombo: boolean;
            missCount: number;
            modifiedScore: number;
            noFailTriggered: boolean;
            rawScore: number;
        };
        UndoneByStaffEvent: {
            /** @constant */
            type: "undoneByStaff";
        };
    };
    responses: {
        /** @description Refused; the code says why. */
        Refusal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused; the code says why. */
        RefusalOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
                "text/html": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description What was done, exactly
                 * @example abortMatch
                 */
                action?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                actorGuid?: string;
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description ISO 8601: entries of then or later
                 * @example 2026-07-01T00:00:00.000Z
                 */
                since?: string;
                /**
                 * @description The thing, as the path of its resource, with everything that lies under it
                 * @example /pools/01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                target?: string;
                /**
                 * @description ISO 8601: entries of before
                 * @example 2026-08-01T00:00:00.000Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "at": "2026-11-22T18:59:10.894Z",
                     *           "actor": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *           "action": "abortMatch",
                     *           "target": "/matches/01a204a0-676d-73ad-8d46-79ea751dac1c",
                     *           "before": {
                     *             "result": null,
                     *             "status": "waiting_players"
                     *           },
                     *           "after": {
                     *             "reason": "The map host is down.",
                     *             "result": {
                     *               "reason": "aborted_by_staff",
                     *               "outcome": "no_contest",
                     *               "ratings": [
                     *                 {
                     *                   "after": 988,
                     *                   "before": 988,
                     *                   "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81"
                     *                 },
                     *                 {
                     *                   "after": 1012,
                     *                   "before": 1012,
                     *                   "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36"
                     *                 }
                     *               ],
                     *               "winnerGuid": null
                     *             },
                     *             "status": "aborted"
                     *           }
                     *         },
                     *         {
                     *           "at": "2026-11-22T18:59:10.432Z",
                     *           "actor": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *           "action": "liftBan",
                     *           "target": "/players/01a204a0-4cb5-7371-ba50-6b74bd198a36/bans/01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *           "before": {
                     *             "until": "2026-11-29T18:59:10.394Z",
                     *             "reason": "Claimed scores",
                     *             "banGuid": "01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *             "liftedAt": null,
                     *             "liftedBy": null,
                     *             "createdAt": "2026-11-22T18:59:10.401Z",
                     *             "createdBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36"
                     *           },
                     *           "after": {
                     *             "until": "2026-11-29T18:59:10.394Z",
                     *             "reason": "Claimed scores",
                     *             "banGuid": "01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *             "liftedAt": "2026-11-22T18:59:10.431Z",
                     *             "liftedBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *             "createdAt": "2026-11-22T18:59:10.401Z",
                     *             "createdBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "WyIyMDI2LTExLTIyVDE4OjU5OjAyLjQyOFoiLCIwMWEyMDRhMC00NjliLTcxNDctOGViMC1kNTVjM2IwZTc3MTEiXQ"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listAuditActions: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         "abortMatch",
                     *         "addMap",
                     *         "banPlayer",
                     *         "changeQueue",
                     *         "createPool",
                     *         "publishPool",
                     *         "setRoles"
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditActions"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    finishLogin: {
        parameters: {
            query?: {
                /**
                 * @description The authorization code of a login that succeeded
                 * @example SplxlOBeZQQYbYS6WxSbIA
                 */
                code?: string;
                /**
                 * @description Why a login failed, in the words of OAuth 2.0
                 * @example access_denied
                 */
                error?: string;
                /**
                 * @description The same for people; it is in the log
                 * @example You said no.
                 */
                error_description?: string;
                /**
                 * @description The provider that answers (RFC 9207)
                 * @example https://id.example.org
                 */
                iss?: string;
                /**
                 * @description What the provider was given with the login
                 * @example zL0a…
                 */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Location` is the `returnTo` of the login */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["RefusalOrPage"];
        };
    };
    beginLogin: {
        parameters: {
            query?: {
                /**
                 * @description Absolute address of this service or of an origin on `WEBSITE_ORIGINS`; left out: the first of these origins, or `/docs` when there is none.
                 * @example https://matches.example.org/docs
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Location` is the identity provider */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["RefusalOrPage"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    logOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204b5-a3ba-764d-b776-d258b269319e",
                     *       "subject": "local:9000000000000002",
                     *       "username": "Local Pooler One",
                     *       "avatarUrl": "https://maps.example.org/avatars/9000000000000002.svg",
                     *       "platformId": "9000000000000002",
                     *       "roles": [
                     *         "role:pooler"
                     *       ],
                     *       "expiresAt": "2026-11-22T20:22:29.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMyStanding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "penalty": null,
                     *       "bans": [],
                     *       "reports": [
                     *         {
                     *           "reportGuid": "01a204b5-bd92-7460-996a-e34441b3b137",
                     *           "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                     *           "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                     *           "reason": "stalling",
                     *           "comment": "Waits for the last second each time.",
                     *           "status": "dismissed",
                     *           "at": "2026-11-22T19:22:29.139Z"
                     *         }
                     *       ],
                     *       "replays": []
                     *     }
                     */
                    "application/json": components["schemas"]["Standing"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getReferencePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getSocketReferencePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    followAll: {
        parameters: {
            query?: {
                /**
                 * @description Only this queue and its matches
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events: the data of each, by its name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "snapshot": {
                     *         "time": "2026-11-22T19:45:25.445Z",
                     *         "queues": [
                     *           {
                     *             "queueGuid": "01a204ca-a450-76aa-8a15-6eef9d8fc267",
                     *             "name": "Local queue",
                     *             "poolGuid": "01a204ca-a259-7524-bbaf-d6b9380a33c5",
                     *             "seasonGuid": "01a204ca-a138-73e8-b3d6-8bef01c4e126",
                     *             "status": "open",
                     *             "rules": {
                     *               "maxDiscards": 2,
                     *               "pairing": {
                     *                 "initialGap": 10000,
                     *                 "gapPerSecond": 10,
                     *                 "maxGap": null
                     *               },
                     *               "replaysRequired": false
                     *             },
                     *             "waiting": 0,
                     *             "playing": 0
                     *           }
                     *         ],
                     *         "matches": []
                     *       },
                     *       "matchStarted": {
                     *         "matchGuid": "01a204ca-be1e-7241-8930-3435d79b4f45",
                     *         "queueGuid": "01a204ca-a450-76aa-8a15-6eef9d8fc267",
                     *         "queueName": "Local queue",
                     *         "status": "preparing",
                     *         "rated": true,
                     *         "players": [
                     *           {
                     *             "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *             "platformId": "9000000000000101",
                     *             "username": "Astra",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *           },
                     *           {
                     *             "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *             "platformId": "9000000000000102",
                     *             "username": "Borealis",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *           }
                     *         ],
                     *         "health": [
                     *           1,
                     *           1
                     *         ],
                     *         "roundNumber": 1,
                     *         "startedAt": "2026-11-22T19:45:25.527Z",
                     *         "endedAt": null,
                     *         "result": null
                     *       },
                     *       "queue": {
                     *         "queueGuid": "01a204ca-a450-76aa-8a15-6eef9d8fc267",
                     *         "name": "Local queue",
                     *         "poolGuid": "01a204ca-a259-7524-bbaf-d6b9380a33c5",
                     *         "seasonGuid": "01a204ca-a138-73e8-b3d6-8bef01c4e126",
                     *         "status": "open",
                     *         "rules": {
                     *           "maxDiscards": 2,
                     *           "pairing": {
                     *             "initialGap": 10000,
                     *             "gapPerSecond": 10,
                     *             "maxGap": null
                     *           },
                     *           "replaysRequired": false
                     *         },
                     *         "waiting": 0,
                     *         "playing": 2
                     *       },
                     *       "matchFinished": {
                     *         "matchGuid": "01a204ca-be1e-7241-8930-3435d79b4f45",
                     *         "queueGuid": "01a204ca-a450-76aa-8a15-6eef9d8fc267",
                     *         "queueName": "Local queue",
                     *         "status": "completed",
                     *         "rated": true,
                     *         "players": [
                     *           {
                     *             "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *             "platformId": "9000000000000101",
                     *             "username": "Astra",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *           },
                     *           {
                     *             "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *             "platformId": "9000000000000102",
                     *             "username": "Borealis",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *           }
                     *         ],
                     *         "health": [
                     *           1,
                     *           1
                     *         ],
                     *         "roundNumber": 1,
                     *         "startedAt": "2026-11-22T19:45:25.527Z",
                     *         "endedAt": "2026-11-22T19:45:25.962Z",
                     *         "result": {
                     *           "outcome": "decided",
                     *           "reason": "forfeit",
                     *           "winnerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *           "ratings": [
                     *             {
                     *               "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *               "after": 1012,
                     *               "before": 921
                     *             },
                     *             {
                     *               "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *               "after": 988,
                     *               "before": 1079
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["FeedEvents"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "time": "2026-11-22T18:59:10.964Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "time": "2026-11-22T18:59:10.966Z",
                     *       "checks": {
                     *         "database": {
                     *           "ok": true,
                     *           "message": null
                     *         },
                     *         "identityProvider": {
                     *           "ok": true,
                     *           "message": null
                     *         },
                     *         "clock": {
                     *           "ok": true,
                     *           "message": null
                     *         },
                     *         "mapHost": {
                     *           "ok": true,
                     *           "message": null
                     *         },
                     *         "accepting": {
                     *           "ok": true,
                     *           "message": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listLeaderboards: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "queueGuid": "01a204a9-1775-73b5-871e-7548cf24f944",
                     *           "queueName": "Local queue",
                     *           "queueStatus": "open",
                     *           "seasonGuid": "01a204a9-156b-7357-b123-4f4a26767103",
                     *           "seasonName": "Local season",
                     *           "players": 2,
                     *           "running": true
                     *         },
                     *         {
                     *           "queueGuid": "01a204a9-2c05-74aa-ace6-fb61d0fba745",
                     *           "queueName": "Spring queue",
                     *           "queueStatus": "closed",
                     *           "seasonGuid": "01a204a9-2a1a-773b-b1de-52f58721d6c0",
                     *           "seasonName": "Spring",
                     *           "players": 0,
                     *           "running": false
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["LadderList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /**
                 * @description Begin so that this player stands in the middle of the page
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                around?: string;
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description A season of `GET /leaderboards`. Left out: the season of the queue’s pool
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid?: string;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "rank": 1,
                     *           "player": {
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "platformId": "9000000000000101",
                     *             "username": "Astra",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *           },
                     *           "rating": 1012,
                     *           "provisional": true,
                     *           "wins": 1,
                     *           "losses": 1,
                     *           "draws": 0,
                     *           "winStreak": 1
                     *         },
                     *         {
                     *           "rank": 2,
                     *           "player": {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "platformId": "9000000000000102",
                     *             "username": "Borealis",
                     *             "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *           },
                     *           "rating": 988,
                     *           "provisional": true,
                     *           "wins": 1,
                     *           "losses": 1,
                     *           "draws": 0,
                     *           "winStreak": 0
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    openLivePlay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `Bearer` and the game token of this platform id: to publish. Left out: to watch
                 * @example Bearer eyJhbGciOiJSUzI1NiIs…
                 */
                authorization?: string;
                /**
                 * @description Version of the plugin that publishes
                 * @example 1.4.0
                 */
                "x-service-plugin-version"?: string;
            };
            path: {
                /**
                 * @description Platform id of the player whose play it is
                 * @example 76561190000000001
                 */
                platformId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is a WebSocket from here on */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    listMapCategories: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *           "name": "Accuracy",
                     *           "color": "#3FA7D6",
                     *           "position": 0
                     *         },
                     *         {
                     *           "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *           "name": "Speed",
                     *           "color": "#EE6352",
                     *           "position": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MapCategoryList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    createMapCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Stamina",
                 *       "color": "#EF476F"
                 *     }
                 */
                "application/json": components["schemas"]["NewMapCategory"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *       "name": "Stamina",
                     *       "color": "#EF476F",
                     *       "position": 4
                     *     }
                     */
                    "application/json": components["schemas"]["MapCategory"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMapCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *       "name": "Accuracy",
                     *       "color": "#3FA7D6",
                     *       "position": 0
                     *     }
                     */
                    "application/json": components["schemas"]["MapCategory"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    deleteMapCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    updateMapCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 3
                 *     }
                 */
                "application/json": components["schemas"]["MapCategoryChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *       "name": "Stamina",
                     *       "color": "#EF476F",
                     *       "position": 3
                     *     }
                     */
                    "application/json": components["schemas"]["MapCategory"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMapCover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Hash of a version of a map: SHA-1 as 40 hexadecimal digits
                 * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
                 */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JPEG, PNG or WebP; `Content-Type` says which */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": Uint8Array | Blob;
                    "image/png": Uint8Array | Blob;
                    "image/webp": Uint8Array | Blob;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    downloadMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Hash of a version of a map: SHA-1 as 40 hexadecimal digits
                 * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
                 */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Location` is the file on the map host */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    listMapHashes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "06D49EADBE668FBB2B277702805A5D85AB239B98",
                     *       "174B033530492D4FA99B09A16477AE64C623B803"
                     *     ]
                     */
                    "application/json": components["schemas"]["MapHashes"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    lookUpMap: {
        parameters: {
            query?: {
                /**
                 * @description In place of the key: the map that has or had an upload with this hash
                 * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
                 */
                hash?: string;
                /**
                 * @description Key on the map host
                 * @example 350a4
                 */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "350a4",
                     *       "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *       "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *       "durationSeconds": 180,
                     *       "coverUrl": "https://maps.example.org/cdn/60542bd5bf9b17459631edb1643352dd7ed5c6ec.jpg",
                     *       "difficulties": [
                     *         {
                     *           "characteristic": "Standard",
                     *           "difficulty": "Hard",
                     *           "maxScore": 388355,
                     *           "playable": true
                     *         },
                     *         {
                     *           "characteristic": "Standard",
                     *           "difficulty": "Expert",
                     *           "maxScore": 583395,
                     *           "playable": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LookedUpMap"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPlaylist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playlistTitle": "Local season",
                     *       "playlistAuthor": "Competitive Match Service",
                     *       "playlistDescription": "All maps of Local season.",
                     *       "image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAQAAAAEACAYAAABccqhmAAAiO0lEQVR4nO3deZwU9ZnH8QfmYG5guIY5OAZhgQEBkcPR4IHXxiuguFEh7ktAY1aUHCorUSEGVzG7nonZAHmtokk2IK",
                     *       "customData": {
                     *         "syncURL": "https://matches.example.org/maps/playlist.bplist",
                     *         "AllowDuplicates": true,
                     *         "ReadOnly": true
                     *       },
                     *       "songs": [
                     *         {
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "key": "350a4",
                     *           "songName": "忘れるね",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "key": "3320f",
                     *           "songName": "Good night",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "Expert"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPlaylistFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playlistTitle": "Local season",
                     *       "playlistAuthor": "Competitive Match Service",
                     *       "playlistDescription": "All maps of Local season.",
                     *       "image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAQAAAAEACAYAAABccqhmAAAiO0lEQVR4nO3deZwU9ZnH8QfmYG5guIY5OAZhgQEBkcPR4IHXxiuguFEh7ktAY1aUHCorUSEGVzG7nonZAHmtokk2IK",
                     *       "customData": {
                     *         "syncURL": "https://matches.example.org/maps/playlist.bplist",
                     *         "AllowDuplicates": true,
                     *         "ReadOnly": true
                     *       },
                     *       "songs": [
                     *         {
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "key": "350a4",
                     *           "songName": "忘れるね",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "key": "3320f",
                     *           "songName": "Good night",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "Expert"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listMatches: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Never finds a match that waits for its players
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid?: string;
                /**
                 * @description ISO 8601: matches that began then or later
                 * @example 2026-07-01T00:00:00.000Z
                 */
                since?: string;
                /**
                 * @description Only those that run, or only those that have ended
                 * @example running
                 */
                state?: components["schemas"]["MatchState"];
                /**
                 * @description Only those with this status
                 * @example waiting_players
                 */
                status?: components["schemas"]["MatchStatus"];
                /**
                 * @description ISO 8601: matches that began before
                 * @example 2026-08-01T00:00:00.000Z
                 */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "matchGuid": "01a204a0-676d-73ad-8d46-79ea751dac1c",
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "queueName": "Local queue",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "seasonName": "Local season",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "poolName": "Local pool",
                     *           "rated": true,
                     *           "version": 2,
                     *           "status": "aborted",
                     *           "players": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "platformId": "9000000000000102",
                     *               "username": "Borealis",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "platformId": "9000000000000101",
                     *               "username": "Astra",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *             }
                     *           ],
                     *           "rounds": [],
                     *           "result": {
                     *             "outcome": "no_contest",
                     *             "reason": "aborted_by_staff",
                     *             "winnerGuid": null,
                     *             "ratings": [
                     *               {
                     *                 "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *                 "before": 988,
                     *                 "after": 988
                     *               },
                     *               {
                     *                 "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *                 "before": 1012,
                     *                 "after": 1012
                     *               }
                     *             ]
                     *           },
                     *           "seedHash": "283e987a11a66753386c31c71f369e48b88eb9d63d3093034b7cdde9b34e8981",
                     *           "seed": "aac0031ef739cf39f018f3425daf49a99d4950b8a70893e92da12a8258ed206d",
                     *           "startedAt": "2026-11-22T18:59:10.812Z",
                     *           "endedAt": "2026-11-22T18:59:10.849Z",
                     *           "live": null
                     *         },
                     *         {
                     *           "matchGuid": "01a204a0-6648-737f-baa2-d1d15fa4b7d1",
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "queueName": "Local queue",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "seasonName": "Local season",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "poolName": "Local pool",
                     *           "rated": true,
                     *           "version": 14,
                     *           "status": "completed",
                     *           "players": [
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "platformId": "9000000000000101",
                     *               "username": "Astra",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "platformId": "9000000000000102",
                     *               "username": "Borealis",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *             }
                     *           ],
                     *           "rounds": [],
                     *           "result": {
                     *             "outcome": "decided",
                     *             "reason": "forfeit",
                     *             "winnerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "ratings": [
                     *               {
                     *                 "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *                 "before": 921,
                     *                 "after": 1012
                     *               },
                     *               {
                     *                 "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *                 "before": 1079,
                     *                 "after": 988
                     *               }
                     *             ]
                     *           },
                     *           "seedHash": "46f221c84a3b08c77a8e6cf8ce2a18d97a3be517d4d520c3c2647a9515468327",
                     *           "seed": "9437d12eba61551c8464fcc937a08599375b88cb775fb867a8c0022def1d1eba",
                     *           "startedAt": "2026-11-22T18:59:10.523Z",
                     *           "endedAt": "2026-11-22T18:59:10.716Z",
                     *           "live": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MatchList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *       "queueName": "Local queue",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "seasonName": "Local season",
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "poolName": "Local pool",
                     *       "rated": true,
                     *       "version": 97,
                     *       "status": "completed",
                     *       "players": [
                     *         {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "platformId": "9000000000000102",
                     *           "username": "Borealis",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *         },
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *         }
                     *       ],
                     *       "rounds": [
                     *         {
                     *           "roundNumber": 1,
                     *           "pickerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *             "key": "35381",
                     *             "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "name": "Boom Boom Boom - Dannie May",
                     *             "characteristic": "Standard",
                     *             "difficulty": "Expert",
                     *             "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *             "modifiers": [],
                     *             "durationSeconds": 146,
                     *             "maxScore": 472075,
                     *             "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 444199,
                     *               "modifiedScore": 444199,
                     *               "accuracy": 0.9409500609013398,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 467253,
                     *               "modifiedScore": 467253,
                     *               "accuracy": 0.9897855213684267,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "damage": 0.048835,
                     *           "multiplier": 1,
                     *           "void": false
                     *         },
                     *         {
                     *           "roundNumber": 2,
                     *           "pickerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f9-91e0-d16fdd863fc3",
                     *             "key": "35b0e",
                     *             "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *             "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *             "characteristic": "Standard",
                     *             "difficulty": "ExpertPlus",
                     *             "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *             "modifiers": [],
                     *             "durationSeconds": 165,
                     *             "maxScore": 742555,
                     *             "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 691320,
                     *               "modifiedScore": 691320,
                     *               "accuracy": 0.9310017439785605,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 690237,
                     *               "modifiedScore": 690237,
                     *               "accuracy": 0.929543266155369,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "damage": 0.001458,
                     *           "multiplier": 1,
                     *           "void": false
                     *         }
                     *       ],
                     *       "result": {
                     *         "outcome": "decided",
                     *         "reason": "health",
                     *         "winnerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *         "ratings": [
                     *           {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "before": 1000,
                     *             "after": 1079
                     *           },
                     *           {
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "before": 1000,
                     *             "after": 921
                     *           }
                     *         ]
                     *       },
                     *       "seedHash": "699de10fd654def396a0e089f633e46ebb714f9a1707bc0b304160d31451bce9",
                     *       "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *       "startedAt": "2026-11-22T18:59:04.311Z",
                     *       "endedAt": "2026-11-22T18:59:09.423Z",
                     *       "live": null,
                     *       "spectators": 0
                     *     }
                     */
                    "application/json": components["schemas"]["MatchWithSpectators"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    abortMatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The map host is down."
                 *     }
                 */
                "application/json": components["schemas"]["MatchAbort"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matchGuid": "01a204a0-676d-73ad-8d46-79ea751dac1c",
                     *       "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *       "queueName": "Local queue",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "seasonName": "Local season",
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "poolName": "Local pool",
                     *       "rated": true,
                     *       "version": 2,
                     *       "status": "aborted",
                     *       "players": [
                     *         {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "platformId": "9000000000000102",
                     *           "username": "Borealis",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *         },
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *         }
                     *       ],
                     *       "rounds": [],
                     *       "result": {
                     *         "outcome": "no_contest",
                     *         "reason": "aborted_by_staff",
                     *         "winnerGuid": null,
                     *         "ratings": [
                     *           {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "before": 988,
                     *             "after": 988
                     *           },
                     *           {
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "before": 1012,
                     *             "after": 1012
                     *           }
                     *         ]
                     *       },
                     *       "seedHash": "283e987a11a66753386c31c71f369e48b88eb9d63d3093034b7cdde9b34e8981",
                     *       "seed": "aac0031ef739cf39f018f3425daf49a99d4950b8a70893e92da12a8258ed206d",
                     *       "startedAt": "2026-11-22T18:59:10.812Z",
                     *       "endedAt": "2026-11-22T18:59:10.849Z",
                     *       "live": null
                     *     }
                     */
                    "application/json": components["schemas"]["PublicMatch"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    followMatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version that is known: it is not repeated, and after the end there is no stream (204)
                 * @example 17
                 */
                "last-event-id"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events: the data of each, by its name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "match": {
                     *         "time": "2026-11-22T19:45:26.434Z",
                     *         "match": {
                     *           "matchGuid": "01a204ca-a5ce-75a6-aad7-b9adf1857faa",
                     *           "queueGuid": "01a204ca-a450-76aa-8a15-6eef9d8fc267",
                     *           "queueName": "Local queue",
                     *           "seasonGuid": "01a204ca-a138-73e8-b3d6-8bef01c4e126",
                     *           "seasonName": "Local season",
                     *           "poolGuid": "01a204ca-a259-7524-bbaf-d6b9380a33c5",
                     *           "poolName": "Local pool",
                     *           "rated": true,
                     *           "version": 97,
                     *           "status": "completed",
                     *           "players": [
                     *             {
                     *               "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *               "platformId": "9000000000000102",
                     *               "username": "Borealis",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *             },
                     *             {
                     *               "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *               "platformId": "9000000000000101",
                     *               "username": "Astra",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *             }
                     *           ],
                     *           "rounds": [
                     *             {
                     *               "roundNumber": 1,
                     *               "pickerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *               "map": {
                     *                 "key": "35381",
                     *                 "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *                 "name": "Boom Boom Boom - Dannie May",
                     *                 "addedAt": "2026-11-22T19:45:18.516Z",
                     *                 "mapGuid": "01a204ca-a2ad-77db-9e77-210e032826e3",
                     *                 "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *                 "maxScore": 472075,
                     *                 "modifiers": [],
                     *                 "difficulty": "Expert",
                     *                 "categoryGuid": "01a204ca-a1b1-729e-b348-f12e2311ef91",
                     *                 "characteristic": "Standard",
                     *                 "durationSeconds": 146,
                     *                 "stale": false
                     *               },
                     *               "scores": [
                     *                 {
                     *                   "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *                   "rawScore": 444199,
                     *                   "modifiedScore": 444199,
                     *                   "accuracy": 0.9409500609013398,
                     *                   "submitted": true,
                     *                   "failed": false,
                     *                   "replay": "mismatch"
                     *                 },
                     *                 {
                     *                   "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *                   "rawScore": 467253,
                     *                   "modifiedScore": 467253,
                     *                   "accuracy": 0.9897855213684267,
                     *                   "submitted": true,
                     *                   "failed": false,
                     *                   "replay": "verified"
                     *                 }
                     *               ],
                     *               "winnerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *               "damage": 0.048835,
                     *               "multiplier": 1,
                     *               "void": false
                     *             },
                     *             {
                     *               "roundNumber": 2,
                     *               "pickerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *               "map": {
                     *                 "key": "35b0e",
                     *                 "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *                 "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *                 "addedAt": "2026-11-22T19:45:18.516Z",
                     *                 "mapGuid": "01a204ca-a2ad-77dd-af6e-a1171b40698f",
                     *                 "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *                 "maxScore": 742555,
                     *                 "modifiers": [],
                     *                 "difficulty": "ExpertPlus",
                     *                 "categoryGuid": "01a204ca-a1e5-75e4-b550-d47fb2a6d64c",
                     *                 "characteristic": "Standard",
                     *                 "durationSeconds": 165,
                     *                 "stale": false
                     *               },
                     *               "scores": [
                     *                 {
                     *                   "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *                   "rawScore": 691320,
                     *                   "modifiedScore": 691320,
                     *                   "accuracy": 0.9310017439785605,
                     *                   "submitted": true,
                     *                   "failed": false,
                     *                   "replay": "mismatch"
                     *                 },
                     *                 {
                     *                   "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *                   "rawScore": 690237,
                     *                   "modifiedScore": 690237,
                     *                   "accuracy": 0.929543266155369,
                     *                   "submitted": true,
                     *                   "failed": false,
                     *                   "replay": "verified"
                     *                 }
                     *               ],
                     *               "winnerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *               "damage": 0.001458,
                     *               "multiplier": 1,
                     *               "void": false
                     *             }
                     *           ],
                     *           "result": {
                     *             "outcome": "decided",
                     *             "reason": "health",
                     *             "winnerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *             "ratings": [
                     *               {
                     *                 "playerGuid": "01a204ca-a4fa-7552-ae2b-b32acd968718",
                     *                 "after": 1079,
                     *                 "before": 1000
                     *               },
                     *               {
                     *                 "playerGuid": "01a204ca-a4e9-770c-a6c2-0bd77d56205a",
                     *                 "after": 921,
                     *                 "before": 1000
                     *               }
                     *             ]
                     *           },
                     *           "seedHash": "699de10fd654def396a0e089f633e46ebb714f9a1707bc0b304160d31451bce9",
                     *           "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *           "startedAt": "2026-11-22T19:45:19.225Z",
                     *           "endedAt": "2026-11-22T19:45:24.290Z",
                     *           "live": null
                     *         },
                     *         "cause": null
                     *       },
                     *       "end": {}
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MatchEvents"];
                };
            };
            /** @description The match has ended, and the version that is known is its last one */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    getMatchLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "status": "completed",
                     *       "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *       "seedHash": "699de10fd654def396a0e089f633e46ebb714f9a1707bc0b304160d31451bce9",
                     *       "dealt": {
                     *         "red": {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "hand": [
                     *             {
                     *               "cardGuid": "a2ab02d7-b483-8916-a0e9-70f2a31c69b6",
                     *               "map": {
                     *                 "mapGuid": "01a204a0-45d0-74f8-aa7c-25b53f0c6775",
                     *                 "key": "339d2",
                     *                 "hash": "672834A807E0A461BBC2C69FCD5D2D8231720059",
                     *                 "name": "妄想哀歌 feat. Miku & KAFU - MIMI",
                     *                 "characteristic": "Standard",
                     *                 "difficulty": "ExpertPlus",
                     *                 "categoryGuid": "01a204a0-43bb-7061-8adb-0bac1b9af3ec",
                     *                 "modifiers": [],
                     *                 "durationSeconds": 182,
                     *                 "maxScore": 906315,
                     *                 "coverUrl": "https://maps.example.org/cdn/672834a807e0a461bbc2c69fcd5d2d8231720059.jpg",
                     *                 "addedAt": "2026-11-22T18:59:02.249Z"
                     *               }
                     *             },
                     *             {
                     *               "cardGuid": "72a321b4-8d78-88d9-9687-2195194b269b",
                     *               "map": {
                     *                 "mapGuid": "01a204a0-45d0-74fe-89b9-7a450ae927db",
                     *                 "key": "34b4c",
                     *                 "hash": "174B033530492D4FA99B09A16477AE64C623B803",
                     *                 "name": "惰っ性な feat.冬 - Raz",
                     *                 "characteristic": "Standard",
                     *                 "difficulty": "ExpertPlus",
                     *                 "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *                 "modifiers": [],
                     *                 "durationSeconds": 183,
                     *                 "maxScore": 730595,
                     *                 "coverUrl": "https://maps.example.org/cdn/174b033530492d4fa99b09a16477ae64c623b803.jpg",
                     *                 "addedAt": "2026-11-22T18:59:02.249Z"
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         "blue": {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "hand": [
                     *             {
                     *               "cardGuid": "46253c99-e7f0-8621-8958-5e55699f3021",
                     *               "map": {
                     *                 "mapGuid": "01a204a0-45d0-7502-95ce-c5d4a5bf995d",
                     *                 "key": "2c6b3",
                     *                 "hash": "688974DAE8711D84610F68EDCB742A0BE7713B54",
                     *                 "name": "水平線 feat. 初音ミク -  あぽろ",
                     *                 "characteristic": "Standard",
                     *                 "difficulty": "Expert",
                     *                 "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *                 "modifiers": [],
                     *                 "durationSeconds": 197,
                     *                 "maxScore": 653315,
                     *                 "coverUrl": "https://maps.example.org/cdn/688974dae8711d84610f68edcb742a0be7713b54.jpg",
                     *                 "addedAt": "2026-11-22T18:59:02.249Z"
                     *               }
                     *             },
                     *             {
                     *               "cardGuid": "ccb8afc9-66e0-82d4-804d-70283e60516e",
                     *               "map": {
                     *                 "mapGuid": "01a204a0-45d0-74ef-b6eb-3039ce5024ac",
                     *                 "key": "3320f",
                     *                 "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *                 "name": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *                 "characteristic": "Standard",
                     *                 "difficulty": "Expert",
                     *                 "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *                 "modifiers": [],
                     *                 "durationSeconds": 169,
                     *                 "maxScore": 534635,
                     *                 "coverUrl": "https://maps.example.org/cdn/dc5ea212e6baae4b17f4161da18c8edc3de00696.jpg",
                     *                 "addedAt": "2026-11-22T18:59:02.249Z"
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         "reserve": [
                     *           {
                     *             "cardGuid": "2f9b5904-16a7-849f-a3de-27ad1d93257c",
                     *             "map": {
                     *               "mapGuid": "01a204a0-45d0-74f9-91e0-d16fdd863fc3",
                     *               "key": "35b0e",
                     *               "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *               "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *               "characteristic": "Standard",
                     *               "difficulty": "ExpertPlus",
                     *               "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *               "modifiers": [],
                     *               "durationSeconds": 165,
                     *               "maxScore": 742555,
                     *               "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *               "addedAt": "2026-11-22T18:59:02.249Z"
                     *             }
                     *           },
                     *           {
                     *             "cardGuid": "18e366c7-6462-8adb-a694-4c9c64732a21",
                     *             "map": {
                     *               "mapGuid": "01a204a0-45d0-74fd-87d0-9aa118e8b58c",
                     *               "key": "32e03",
                     *               "hash": "3231756F45B87F1B8601273DAA3F8A35B588873E",
                     *               "name": "浮世謳歌生命教 - nui",
                     *               "characteristic": "Standard",
                     *               "difficulty": "ExpertPlus",
                     *               "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *               "modifiers": [
                     *                 "DA"
                     *               ],
                     *               "durationSeconds": 181,
                     *               "maxScore": 783955,
                     *               "coverUrl": "https://maps.example.org/cdn/3231756f45b87f1b8601273daa3f8a35b588873e.jpg",
                     *               "addedAt": "2026-11-22T18:59:02.249Z"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "events": [
                     *         {
                     *           "version": 1,
                     *           "at": "2026-11-22T18:59:04.311Z",
                     *           "event": {
                     *             "type": "created",
                     *             "setup": {
                     *               "rulesVersion": 2,
                     *               "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *               "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *               "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *               "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *               "rated": true,
                     *               "maxDiscards": 2,
                     *               "replaysRequired": false,
                     *               "limits": {
                     *                 "joinMs": 30000,
                     *                 "discardMs": 60000,
                     *                 "pickMs": 45000,
                     *                 "prepareMs": 120000,
                     *                 "countdownMs": 100,
                     *                 "scoreGraceMs": 30000,
                     *                 "roundResultsMs": 100,
                     *                 "scoreEarliestShare": 0,
                     *                 "reconnectGraceMs": 60000,
                     *                 "reconnectBudgetMs": 180000
                     *               },
                     *               "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *               "players": [
                     *                 {
                     *                   "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *                   "rating": 1000,
                     *                   "provisional": true,
                     *                   "connected": true,
                     *                   "record": {
                     *                     "leftBeforeFirstPick": 0,
                     *                     "earlyForfeits": 0
                     *                   }
                     *                 },
                     *                 {
                     *                   "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *                   "rating": 1000,
                     *                   "provisional": true,
                     *                   "connected": true,
                     *                   "record": {
                     *                     "leftBeforeFirstPick": 0,
                     *                     "earlyForfeits": 0
                     *                   }
                     *                 }
                     *               ],
                     *               "pool": [
                     *                 {
                     *                   "mapGuid": "01a204a0-45d0-74ee-adf9-1eb61c438aa1",
                     *                   "key": "350a4",
                     *                   "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *                   "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *                   "characteristic": "Standard",
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *                   "modifiers": [],
                     *                   "durationSeconds": 180,
                     *                   "maxScore": 721395,
                     *                   "coverUrl": "https://maps.example.org/cdn/60542bd5bf9b17459631edb1643352dd7ed5c6ec.jpg",
                     *                   "addedAt": "2026-11-22T18:59:02.249Z"
                     *                 },
                     *                 {
                     *                   "mapGuid": "01a204a0-45d0-74ef-b6eb-3039ce5024ac",
                     *                   "key": "3320f",
                     *                   "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *                   "name": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *                   "characteristic": "Standard",
                     *                   "difficulty": "Expert",
                     *                   "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *                   "modifiers": [],
                     *                   "durationSeconds": 169,
                     *                   "maxScore": 534635,
                     *                   "coverUrl": "https://maps.example.org/cdn/dc5ea212e6baae4b17f4161da18c8edc3de00696.jpg",
                     *                   "addedAt": "2026-11-22T18:59:02.249Z"
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "version": 2,
                     *           "at": "2026-11-22T18:59:04.561Z",
                     *           "event": {
                     *             "type": "joinMatch",
                     *             "seat": "red"
                     *           }
                     *         }
                     *       ],
                     *       "version": 97,
                     *       "stateHash": "baac3ca5656e276ca744d986a0d8631cd6e26f8042c2b00aed737be63a12f8ee",
                     *       "formerRatings": []
                     *     }
                     */
                    "application/json": components["schemas"]["MatchLog"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listReplaysOfMatch: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *           "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *           "roundNumber": 1,
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "verdict": "mismatch",
                     *           "checks": [
                     *             {
                     *               "name": "mapHash",
                     *               "ok": true,
                     *               "decisive": true,
                     *               "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *               "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *             },
                     *             {
                     *               "name": "characteristic",
                     *               "ok": true,
                     *               "decisive": true,
                     *               "expected": "Standard",
                     *               "actual": "Standard"
                     *             }
                     *           ],
                     *           "uploadedAt": "2026-11-22T18:59:05.160Z",
                     *           "size": 449005,
                     *           "sha256": "135defc7236a114191e364520b9b3a169c050f86a5730928b4cce4293bd79e7e",
                     *           "downloadUrl": "https://matches.example.org/replays/01a204a0-50ed-74c0-ae57-db3ba1c24308/download"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplaysOfMatch"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    decideMatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "draw",
                 *       "reason": "Both replays are missing."
                 *     }
                 */
                "application/json": components["schemas"]["MatchDecision"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *       "queueName": "Local queue",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "seasonName": "Local season",
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "poolName": "Local pool",
                     *       "rated": true,
                     *       "version": 97,
                     *       "status": "completed",
                     *       "players": [
                     *         {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "platformId": "9000000000000102",
                     *           "username": "Borealis",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *         },
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *         }
                     *       ],
                     *       "rounds": [
                     *         {
                     *           "roundNumber": 1,
                     *           "pickerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *             "key": "35381",
                     *             "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "name": "Boom Boom Boom - Dannie May",
                     *             "characteristic": "Standard",
                     *             "difficulty": "Expert",
                     *             "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *             "modifiers": [],
                     *             "durationSeconds": 146,
                     *             "maxScore": 472075,
                     *             "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 444199,
                     *               "modifiedScore": 444199,
                     *               "accuracy": 0.9409500609013398,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 467253,
                     *               "modifiedScore": 467253,
                     *               "accuracy": 0.9897855213684267,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "damage": 0.048835,
                     *           "multiplier": 1,
                     *           "void": false
                     *         },
                     *         {
                     *           "roundNumber": 2,
                     *           "pickerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f9-91e0-d16fdd863fc3",
                     *             "key": "35b0e",
                     *             "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *             "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *             "characteristic": "Standard",
                     *             "difficulty": "ExpertPlus",
                     *             "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *             "modifiers": [],
                     *             "durationSeconds": 165,
                     *             "maxScore": 742555,
                     *             "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 691320,
                     *               "modifiedScore": 691320,
                     *               "accuracy": 0.9310017439785605,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 690237,
                     *               "modifiedScore": 690237,
                     *               "accuracy": 0.929543266155369,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "damage": 0.001458,
                     *           "multiplier": 1,
                     *           "void": false
                     *         }
                     *       ],
                     *       "result": {
                     *         "outcome": "draw",
                     *         "reason": "decided_by_staff",
                     *         "winnerGuid": null,
                     *         "ratings": [
                     *           {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "before": 1000,
                     *             "after": 1000
                     *           },
                     *           {
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "before": 1000,
                     *             "after": 1000
                     *           }
                     *         ]
                     *       },
                     *       "seedHash": "699de10fd654def396a0e089f633e46ebb714f9a1707bc0b304160d31451bce9",
                     *       "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *       "startedAt": "2026-11-22T18:59:04.311Z",
                     *       "endedAt": "2026-11-22T18:59:09.423Z",
                     *       "live": null
                     *     }
                     */
                    "application/json": components["schemas"]["PublicMatch"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    previewResult: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "draw",
                 *       "winnerGuid": null
                 *     }
                 */
                "application/json": components["schemas"]["MatchDecisionPreview"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "players": [
                     *         {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "username": "Borealis",
                     *           "ratingBefore": 988,
                     *           "ratingAfter": 990,
                     *           "rankBefore": 2,
                     *           "rankAfter": 2
                     *         },
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "username": "Astra",
                     *           "ratingBefore": 1012,
                     *           "ratingAfter": 1010,
                     *           "rankBefore": 1,
                     *           "rankAfter": 1
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "matches": 0
                     *     }
                     */
                    "application/json": components["schemas"]["LadderPreview"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    publishReplay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `gzip`, or left out
                 * @example gzip
                 */
                "content-encoding"?: string;
                /**
                 * @description The plugin’s version; one that is not accepted: 426
                 * @example 1.4.0
                 */
                "x-service-plugin-version"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
                /**
                 * @description Round of the match, from 1
                 * @example 1
                 */
                roundNumber: number;
            };
            cookie?: never;
        };
        /** @description The file */
        requestBody: {
            content: {
                "application/octet-stream": Uint8Array | Blob;
            };
        };
        responses: {
            /** @description Published before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *       "verdict": "mismatch",
                     *       "checks": [
                     *         {
                     *           "name": "mapHash",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *           "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *         },
                     *         {
                     *           "name": "characteristic",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "Standard",
                     *           "actual": "Standard"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedReplay"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *       "verdict": "mismatch",
                     *       "checks": [
                     *         {
                     *           "name": "mapHash",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *           "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *         },
                     *         {
                     *           "name": "characteristic",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "Standard",
                     *           "actual": "Standard"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedReplay"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    undoMatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "One of them cheated."
                 *     }
                 */
                "application/json": components["schemas"]["MatchUndo"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *       "queueName": "Local queue",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "seasonName": "Local season",
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "poolName": "Local pool",
                     *       "rated": true,
                     *       "version": 97,
                     *       "status": "aborted",
                     *       "players": [
                     *         {
                     *           "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "platformId": "9000000000000102",
                     *           "username": "Borealis",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *         },
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *         }
                     *       ],
                     *       "rounds": [
                     *         {
                     *           "roundNumber": 1,
                     *           "pickerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *             "key": "35381",
                     *             "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "name": "Boom Boom Boom - Dannie May",
                     *             "characteristic": "Standard",
                     *             "difficulty": "Expert",
                     *             "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *             "modifiers": [],
                     *             "durationSeconds": 146,
                     *             "maxScore": 472075,
                     *             "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 444199,
                     *               "modifiedScore": 444199,
                     *               "accuracy": 0.9409500609013398,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 467253,
                     *               "modifiedScore": 467253,
                     *               "accuracy": 0.9897855213684267,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "damage": 0.048835,
                     *           "multiplier": 1,
                     *           "void": false
                     *         },
                     *         {
                     *           "roundNumber": 2,
                     *           "pickerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f9-91e0-d16fdd863fc3",
                     *             "key": "35b0e",
                     *             "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *             "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *             "characteristic": "Standard",
                     *             "difficulty": "ExpertPlus",
                     *             "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *             "modifiers": [],
                     *             "durationSeconds": 165,
                     *             "maxScore": 742555,
                     *             "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "scores": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "rawScore": 691320,
                     *               "modifiedScore": 691320,
                     *               "accuracy": 0.9310017439785605,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "mismatch"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "rawScore": 690237,
                     *               "modifiedScore": 690237,
                     *               "accuracy": 0.929543266155369,
                     *               "submitted": true,
                     *               "failed": false,
                     *               "replay": "verified"
                     *             }
                     *           ],
                     *           "winnerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *           "damage": 0.001458,
                     *           "multiplier": 1,
                     *           "void": false
                     *         }
                     *       ],
                     *       "result": {
                     *         "outcome": "no_contest",
                     *         "reason": "decided_by_staff",
                     *         "winnerGuid": null,
                     *         "ratings": [
                     *           {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "before": 1000,
                     *             "after": 1000
                     *           },
                     *           {
                     *             "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "before": 1000,
                     *             "after": 1000
                     *           }
                     *         ]
                     *       },
                     *       "seedHash": "699de10fd654def396a0e089f633e46ebb714f9a1707bc0b304160d31451bce9",
                     *       "seed": "762e7be496fbf0d044184735ecfd0aa22fa8f84b63254ae7da8fa6238368a2d5",
                     *       "startedAt": "2026-11-22T18:59:04.311Z",
                     *       "endedAt": "2026-11-22T18:59:09.423Z",
                     *       "live": null
                     *     }
                     */
                    "application/json": components["schemas"]["PublicMatch"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    findPlayers: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Part of a name in any case, or a whole platform id
                 * @example Anna
                 */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra",
                     *           "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg",
                     *           "joinedAt": "2026-11-22T18:59:03.988Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "username": "Astra",
                     *       "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg",
                     *       "joinedAt": "2026-11-22T18:59:03.988Z",
                     *       "ratings": [
                     *         {
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "rating": 1012,
                     *           "provisional": true,
                     *           "rank": 1,
                     *           "wins": 1,
                     *           "losses": 1,
                     *           "draws": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerProfile"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listBansOfPlayer: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "banGuid": "01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *           "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *           "reason": "Claimed scores",
                     *           "until": "2026-11-29T18:59:10.394Z",
                     *           "createdAt": "2026-11-22T18:59:10.401Z",
                     *           "createdBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *           "liftedAt": "2026-11-22T18:59:10.431Z",
                     *           "liftedBy": "01a204a0-408b-77c5-91e6-abf7d318e101"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["BanList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    banPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Claimed scores",
                 *       "until": "2026-11-29T18:59:10.394Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewBan"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "banGuid": "01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "reason": "Claimed scores",
                     *       "until": "2026-11-29T18:59:10.394Z",
                     *       "createdAt": "2026-11-22T18:59:10.401Z",
                     *       "createdBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *       "liftedAt": null,
                     *       "liftedBy": null
                     *     }
                     */
                    "application/json": components["schemas"]["Ban"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getBan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                banGuid: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "banGuid": "01a204a0-65c4-7704-84fe-1ebe3f726760",
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "reason": "Claimed scores",
                     *       "until": "2026-11-29T18:59:10.394Z",
                     *       "createdAt": "2026-11-22T18:59:10.401Z",
                     *       "createdBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *       "liftedAt": "2026-11-22T18:59:10.431Z",
                     *       "liftedBy": "01a204a0-408b-77c5-91e6-abf7d318e101"
                     *     }
                     */
                    "application/json": components["schemas"]["Ban"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    liftBan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                banGuid: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    erasePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": "01a204d3-d6cb-7528-9afe-eda5e5593e3b"
                 *     }
                 */
                "application/json": components["schemas"]["Erasure"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204d3-d6cb-7528-9afe-eda5e5593e3b"
                     *     }
                     */
                    "application/json": components["schemas"]["ErasedPlayer"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    exportPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "time": "2026-11-22T19:55:30.866Z",
                     *       "player": {
                     *         "playerGuid": "01a204d3-d6cb-7528-9afe-eda5e5593e3b",
                     *         "subject": "local:9000000000000101",
                     *         "platformId": "9000000000000101",
                     *         "username": "Astra",
                     *         "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg",
                     *         "joinedAt": "2026-11-22T19:55:21.670Z",
                     *         "providerRoles": [],
                     *         "tokenIssuedAt": "2026-11-22T19:55:29.000Z",
                     *         "erasedAt": null
                     *       },
                     *       "matches": [
                     *         {
                     *           "matchGuid": "01a204d3-d8a7-7523-b532-ca9831b9eeae",
                     *           "queueGuid": "01a204d3-d510-709e-9bad-de1dee4664d6",
                     *           "seasonGuid": "01a204d3-d1c2-717c-a84c-8fc1ebe91b05",
                     *           "poolGuid": "01a204d3-d30c-761c-92c2-633fbc46a61f",
                     *           "status": "completed",
                     *           "rated": true,
                     *           "startedAt": "2026-11-22T19:55:22.094Z",
                     *           "endedAt": "2026-11-22T19:55:27.798Z",
                     *           "outcome": "decided",
                     *           "reason": "health",
                     *           "won": false,
                     *           "rating": {
                     *             "after": 921,
                     *             "before": 1000
                     *           },
                     *           "versions": {
                     *             "gameVersion": "1.40.0",
                     *             "pluginVersion": "1.0.0"
                     *           },
                     *           "seat": {
                     *             "hand": [
                     *               {
                     *                 "map": {
                     *                   "key": "36c6d",
                     *                   "hash": "717399B78CD0415AB5DA66E667248D7C5D537BB5",
                     *                   "name": "浸透少女 feat. nouri - ゆすら",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-756d-b17c-220bc4ea68aa",
                     *                   "coverUrl": "https://maps.example.org/cdn/717399b78cd0415ab5da66e667248d7c5d537bb5.jpg",
                     *                   "maxScore": 492315,
                     *                   "modifiers": [],
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204d3-d24a-72e6-9287-0ef40e4cd301",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 109
                     *                 },
                     *                 "cardGuid": "db966e37-2972-8400-882f-9dc6d10cf203"
                     *               }
                     *             ],
                     *             "ready": "ready",
                     *             "score": {
                     *               "failed": false,
                     *               "rawScore": 500076,
                     *               "fullCombo": true,
                     *               "missCount": 0,
                     *               "badCutCount": 0,
                     *               "modifiedScore": 500076,
                     *               "noFailTriggered": false
                     *             },
                     *             "health": 0,
                     *             "joined": true,
                     *             "rating": 1000,
                     *             "record": {
                     *               "earlyForfeits": 0,
                     *               "leftBeforeFirstPick": 0
                     *             },
                     *             "presence": {
                     *               "kind": "present"
                     *             },
                     *             "discarded": [
                     *               {
                     *                 "map": {
                     *                   "key": "2c6b3",
                     *                   "hash": "688974DAE8711D84610F68EDCB742A0BE7713B54",
                     *                   "name": "水平線 feat. 初音ミク -  あぽろ",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-7579-a8d2-fe94feab4516",
                     *                   "coverUrl": "https://maps.example.org/cdn/688974dae8711d84610f68edcb742a0be7713b54.jpg",
                     *                   "maxScore": 653315,
                     *                   "modifiers": [],
                     *                   "difficulty": "Expert",
                     *                   "categoryGuid": "01a204d3-d24a-72e6-9287-0ef40e4cd301",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 197
                     *                 },
                     *                 "cardGuid": "46253c99-e7f0-8621-8958-5e55699f3021"
                     *               },
                     *               {
                     *                 "map": {
                     *                   "key": "36058",
                     *                   "hash": "B783ECB737CD897003685088D0D1E1AEB5758342",
                     *                   "name": "リーラ feat.可不 - sawayaka",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-7567-a41f-df0d92439d63",
                     *                   "coverUrl": "https://maps.example.org/cdn/b783ecb737cd897003685088d0d1e1aeb5758342.jpg",
                     *                   "maxScore": 841915,
                     *                   "modifiers": [],
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204d3-d2eb-748e-9278-d0d1277c5092",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 191
                     *                 },
                     *                 "cardGuid": "18878e25-379e-8532-8e0e-2b50e7b05063"
                     *               }
                     *             ],
                     *             "playerGuid": "01a204d3-d6cb-7528-9afe-eda5e5593e3b",
                     *             "provisional": true,
                     *             "readyStates": [
                     *               "downloading",
                     *               "ready"
                     *             ],
                     *             "budgetUsedMs": 0,
                     *             "notReadyLosses": 0,
                     *             "countdownsBroken": 0,
                     *             "countdownsStopped": 0,
                     *             "budgetRunningSince": null
                     *           },
                     *           "rounds": [
                     *             {
                     *               "score": {
                     *                 "failed": false,
                     *                 "rawScore": 467253,
                     *                 "fullCombo": true,
                     *                 "missCount": 0,
                     *                 "badCutCount": 0,
                     *                 "modifiedScore": 467253,
                     *                 "noFailTriggered": false
                     *               },
                     *               "accuracy": 0.9897855213684267,
                     *               "roundNumber": 1
                     *             },
                     *             {
                     *               "score": {
                     *                 "failed": false,
                     *                 "rawScore": 690237,
                     *                 "fullCombo": true,
                     *                 "missCount": 0,
                     *                 "badCutCount": 0,
                     *                 "modifiedScore": 690237,
                     *                 "noFailTriggered": false
                     *               },
                     *               "accuracy": 0.929543266155369,
                     *               "roundNumber": 2
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "matchGuid": "01a204d3-f4df-72cf-99a4-5f0a15681656",
                     *           "queueGuid": "01a204d3-d510-709e-9bad-de1dee4664d6",
                     *           "seasonGuid": "01a204d3-d1c2-717c-a84c-8fc1ebe91b05",
                     *           "poolGuid": "01a204d3-d30c-761c-92c2-633fbc46a61f",
                     *           "status": "completed",
                     *           "rated": true,
                     *           "startedAt": "2026-11-22T19:55:29.309Z",
                     *           "endedAt": "2026-11-22T19:55:29.560Z",
                     *           "outcome": "decided",
                     *           "reason": "forfeit",
                     *           "won": true,
                     *           "rating": {
                     *             "after": 1012,
                     *             "before": 921
                     *           },
                     *           "versions": {
                     *             "gameVersion": "1.40.0",
                     *             "pluginVersion": "1.0.0"
                     *           },
                     *           "seat": {
                     *             "hand": [
                     *               {
                     *                 "map": {
                     *                   "key": "32764",
                     *                   "hash": "E97C0AF21F11D3D876836469579E5039A451D80E",
                     *                   "name": "ずれてる covered by 9Lana - 桶屋(Okeya)",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-7572-9d09-006036cb90d4",
                     *                   "coverUrl": "https://maps.example.org/cdn/e97c0af21f11d3d876836469579e5039a451d80e.jpg",
                     *                   "maxScore": 361675,
                     *                   "modifiers": [
                     *                     "FS"
                     *                   ],
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204d3-d2cf-718c-8e33-ac2b52d890fe",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 85
                     *                 },
                     *                 "cardGuid": "91671f42-8317-8ea4-969a-d7193c79b5d4"
                     *               },
                     *               {
                     *                 "map": {
                     *                   "key": "321c3",
                     *                   "hash": "B9BEE187BB86743EDAC5EB829D466BF224471216",
                     *                   "name": "アイス(Ice) feat.沖石 - ナツノセ(Natsunose)",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-7578-a132-aaf400483ea0",
                     *                   "coverUrl": "https://maps.example.org/cdn/b9bee187bb86743edac5eb829d466bf224471216.jpg",
                     *                   "maxScore": 681835,
                     *                   "modifiers": [],
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204d3-d2f4-74e7-9f7f-6fb212a98ab2",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 118
                     *                 },
                     *                 "cardGuid": "5279becd-d69f-8ce1-ae8d-e5f039ecd2d2"
                     *               }
                     *             ],
                     *             "ready": "ready",
                     *             "score": {
                     *               "failed": false,
                     *               "rawScore": 565627,
                     *               "fullCombo": false,
                     *               "missCount": 3,
                     *               "badCutCount": 1,
                     *               "modifiedScore": 565627,
                     *               "noFailTriggered": false
                     *             },
                     *             "health": 1,
                     *             "joined": true,
                     *             "rating": 921,
                     *             "record": {
                     *               "earlyForfeits": 0,
                     *               "leftBeforeFirstPick": 0
                     *             },
                     *             "presence": {
                     *               "kind": "present"
                     *             },
                     *             "discarded": [
                     *               {
                     *                 "map": {
                     *                   "key": "36810",
                     *                   "hash": "EF37054A9D90110FA77FE1175A4578F285A66488",
                     *                   "name": "Maple feat. 羽累 - MIMI",
                     *                   "addedAt": "2026-11-22T19:55:20.843Z",
                     *                   "mapGuid": "01a204d3-d377-7571-8051-b7ffe60a8d8f",
                     *                   "coverUrl": "https://maps.example.org/cdn/ef37054a9d90110fa77fe1175a4578f285a66488.jpg",
                     *                   "maxScore": 566835,
                     *                   "modifiers": [],
                     *                   "difficulty": "ExpertPlus",
                     *                   "categoryGuid": "01a204d3-d24a-72e6-9287-0ef40e4cd301",
                     *                   "characteristic": "Standard",
                     *                   "durationSeconds": 112
                     *                 },
                     *                 "cardGuid": "e5f3a630-ff16-84b2-b69b-f23ddc28efc3"
                     *               }
                     *             ],
                     *             "playerGuid": "01a204d3-d6cb-7528-9afe-eda5e5593e3b",
                     *             "provisional": true,
                     *             "readyStates": [
                     *               "downloading",
                     *               "ready"
                     *             ],
                     *             "budgetUsedMs": 0,
                     *             "notReadyLosses": 0,
                     *             "countdownsBroken": 0,
                     *             "countdownsStopped": 0,
                     *             "budgetRunningSince": null
                     *           },
                     *           "rounds": []
                     *         }
                     *       ],
                     *       "roles": [
                     *         {
                     *           "role": "role:pooler",
                     *           "grantedAt": "2026-11-22T19:55:29.041Z"
                     *         }
                     *       ],
                     *       "bans": [
                     *         {
                     *           "banGuid": "01a204d3-f3aa-7613-a20d-b831baa6bfc1",
                     *           "reason": "Claimed scores",
                     *           "createdAt": "2026-11-22T19:55:29.064Z",
                     *           "until": "2026-11-29T19:55:29.059Z",
                     *           "liftedAt": "2026-11-22T19:55:29.096Z"
                     *         }
                     *       ],
                     *       "penalties": [],
                     *       "logins": [],
                     *       "queueEntries": [],
                     *       "connections": [],
                     *       "ratings": [
                     *         {
                     *           "queueGuid": "01a204d3-d510-709e-9bad-de1dee4664d6",
                     *           "seasonGuid": "01a204d3-d1c2-717c-a84c-8fc1ebe91b05",
                     *           "mu": 25.411309192632373,
                     *           "sigma": 7.82288719288111,
                     *           "rating": 1012,
                     *           "wins": 1,
                     *           "losses": 1,
                     *           "draws": 0,
                     *           "winStreak": 1
                     *         }
                     *       ],
                     *       "ratingChanges": [
                     *         {
                     *           "matchGuid": "01a204d3-d8a7-7523-b532-ca9831b9eeae",
                     *           "queueGuid": "01a204d3-d510-709e-9bad-de1dee4664d6",
                     *           "seasonGuid": "01a204d3-d1c2-717c-a84c-8fc1ebe91b05",
                     *           "at": "2026-11-22T19:55:27.798Z",
                     *           "score": 0,
                     *           "muBefore": 25,
                     *           "sigmaBefore": 8.333333333333334,
                     *           "muAfter": 22.364610506859503,
                     *           "sigmaAfter": 8.06590141354368
                     *         },
                     *         {
                     *           "matchGuid": "01a204d3-f4df-72cf-99a4-5f0a15681656",
                     *           "queueGuid": "01a204d3-d510-709e-9bad-de1dee4664d6",
                     *           "seasonGuid": "01a204d3-d1c2-717c-a84c-8fc1ebe91b05",
                     *           "at": "2026-11-22T19:55:29.560Z",
                     *           "score": 1,
                     *           "muBefore": 22.364610506859503,
                     *           "sigmaBefore": 8.06590141354368,
                     *           "muAfter": 25.411309192632373,
                     *           "sigmaAfter": 7.82288719288111
                     *         }
                     *       ],
                     *       "formerRatingChanges": [],
                     *       "replays": [
                     *         {
                     *           "replayGuid": "01a204d3-dc4f-7765-af5c-5ff159fcf085",
                     *           "matchGuid": "01a204d3-d8a7-7523-b532-ca9831b9eeae",
                     *           "roundNumber": 1,
                     *           "uploadedAt": "2026-11-22T19:55:23.301Z",
                     *           "size": 449074,
                     *           "sha256": "122a00dd2529e23d32166fc038b9332ab6486c6aa68175e7ceb72f344ebf89d4",
                     *           "verdict": "verified",
                     *           "checks": [
                     *             {
                     *               "ok": true,
                     *               "name": "mapHash",
                     *               "actual": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *               "decisive": true,
                     *               "expected": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *             },
                     *             {
                     *               "ok": true,
                     *               "name": "characteristic",
                     *               "actual": "Standard",
                     *               "decisive": true,
                     *               "expected": "Standard"
                     *             }
                     *           ],
                     *           "removedAt": null
                     *         },
                     *         {
                     *           "replayGuid": "01a204d3-e11f-70e2-a976-1f62c448c376",
                     *           "matchGuid": "01a204d3-d8a7-7523-b532-ca9831b9eeae",
                     *           "roundNumber": 2,
                     *           "uploadedAt": "2026-11-22T19:55:24.585Z",
                     *           "size": 527421,
                     *           "sha256": "3edbea376c0e24f06525ace193804e56f9608cd53a17aa6daaa3c80c6049620a",
                     *           "verdict": "verified",
                     *           "checks": [
                     *             {
                     *               "ok": true,
                     *               "name": "mapHash",
                     *               "actual": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *               "decisive": true,
                     *               "expected": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B"
                     *             },
                     *             {
                     *               "ok": true,
                     *               "name": "characteristic",
                     *               "actual": "Standard",
                     *               "decisive": true,
                     *               "expected": "Standard"
                     *             }
                     *           ],
                     *           "removedAt": null
                     *         }
                     *       ],
                     *       "replayReviews": [],
                     *       "filedReports": [
                     *         {
                     *           "reportGuid": "01a204d3-f334-76aa-93f9-e67394fd37c9",
                     *           "matchGuid": "01a204d3-d8a7-7523-b532-ca9831b9eeae",
                     *           "reason": "stalling",
                     *           "comment": "Waits for the last second each time.",
                     *           "status": "dismissed",
                     *           "at": "2026-11-22T19:55:28.949Z"
                     *         }
                     *       ],
                     *       "submittedPools": [],
                     *       "addedMaps": [],
                     *       "changedPools": [],
                     *       "poolReviews": [],
                     *       "actions": []
                     *     }
                     */
                    "application/json": components["schemas"]["PersonExport"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listMatchesOfPlayer: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "matchGuid": "01a204a0-676d-73ad-8d46-79ea751dac1c",
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "queueName": "Local queue",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "seasonName": "Local season",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "poolName": "Local pool",
                     *           "rated": true,
                     *           "version": 2,
                     *           "status": "aborted",
                     *           "players": [
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "platformId": "9000000000000102",
                     *               "username": "Borealis",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "platformId": "9000000000000101",
                     *               "username": "Astra",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *             }
                     *           ],
                     *           "rounds": [],
                     *           "result": {
                     *             "outcome": "no_contest",
                     *             "reason": "aborted_by_staff",
                     *             "winnerGuid": null,
                     *             "ratings": [
                     *               {
                     *                 "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *                 "before": 988,
                     *                 "after": 988
                     *               },
                     *               {
                     *                 "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *                 "before": 1012,
                     *                 "after": 1012
                     *               }
                     *             ]
                     *           },
                     *           "seedHash": "283e987a11a66753386c31c71f369e48b88eb9d63d3093034b7cdde9b34e8981",
                     *           "seed": "aac0031ef739cf39f018f3425daf49a99d4950b8a70893e92da12a8258ed206d",
                     *           "startedAt": "2026-11-22T18:59:10.812Z",
                     *           "endedAt": "2026-11-22T18:59:10.849Z",
                     *           "live": null
                     *         },
                     *         {
                     *           "matchGuid": "01a204a0-6648-737f-baa2-d1d15fa4b7d1",
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "queueName": "Local queue",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "seasonName": "Local season",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "poolName": "Local pool",
                     *           "rated": true,
                     *           "version": 14,
                     *           "status": "completed",
                     *           "players": [
                     *             {
                     *               "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *               "platformId": "9000000000000101",
                     *               "username": "Astra",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000101.svg"
                     *             },
                     *             {
                     *               "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *               "platformId": "9000000000000102",
                     *               "username": "Borealis",
                     *               "avatarUrl": "https://maps.example.org/avatars/9000000000000102.svg"
                     *             }
                     *           ],
                     *           "rounds": [],
                     *           "result": {
                     *             "outcome": "decided",
                     *             "reason": "forfeit",
                     *             "winnerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *             "ratings": [
                     *               {
                     *                 "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *                 "before": 921,
                     *                 "after": 1012
                     *               },
                     *               {
                     *                 "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *                 "before": 1079,
                     *                 "after": 988
                     *               }
                     *             ]
                     *           },
                     *           "seedHash": "46f221c84a3b08c77a8e6cf8ce2a18d97a3be517d4d520c3c2647a9515468327",
                     *           "seed": "9437d12eba61551c8464fcc937a08599375b88cb775fb867a8c0022def1d1eba",
                     *           "startedAt": "2026-11-22T18:59:10.523Z",
                     *           "endedAt": "2026-11-22T18:59:10.716Z",
                     *           "live": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MatchList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listRatingsOfPlayer: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid?: string;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "matchGuid": "01a204c4-2eb4-742a-8e02-b37099992d5c",
                     *           "queueGuid": "01a204c4-10f2-7248-b0e8-e19ccc5b577d",
                     *           "seasonGuid": "01a204c4-0c9c-77ea-ae55-09e9375908ad",
                     *           "endedAt": "2026-11-22T19:38:15.790Z",
                     *           "opponent": {
                     *             "playerGuid": "01a204c4-1220-7012-bdd7-ecd257a8dab9",
                     *             "username": "Borealis"
                     *           },
                     *           "outcome": "win",
                     *           "before": 921,
                     *           "after": 1012
                     *         },
                     *         {
                     *           "matchGuid": "01a204c4-12e5-71bf-a9c0-1e5ef16da922",
                     *           "queueGuid": "01a204c4-10f2-7248-b0e8-e19ccc5b577d",
                     *           "seasonGuid": "01a204c4-0c9c-77ea-ae55-09e9375908ad",
                     *           "endedAt": "2026-11-22T19:38:14.098Z",
                     *           "opponent": {
                     *             "playerGuid": "01a204c4-1220-7012-bdd7-ecd257a8dab9",
                     *             "username": "Borealis"
                     *           },
                     *           "outcome": "loss",
                     *           "before": 1000,
                     *           "after": 921
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RatedMatchList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getRolesOfPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "roles": [
                     *         {
                     *           "role": "role:pooler",
                     *           "source": "granted",
                     *           "grantedBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *           "grantedAt": "2026-11-22T18:59:10.380Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HeldRoles"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    setRolesOfPlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roles": [
                 *         "role:pooler"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GrantedRoles"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "roles": [
                     *         {
                     *           "role": "role:pooler",
                     *           "source": "granted",
                     *           "grantedBy": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *           "grantedAt": "2026-11-22T18:59:10.380Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HeldRoles"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getStandingOfPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playerGuid": "01a204a0-4cb5-7371-ba50-6b74bd198a36",
                     *       "platformId": "76561198000000001",
                     *       "erasedAt": null,
                     *       "penalties": [
                     *         {
                     *           "reason": "dodged",
                     *           "until": "2026-11-22T19:10:01.412Z",
                     *           "matchGuid": "01a204a0-676d-73ad-8d46-79ea751dac1c",
                     *           "at": "2026-11-22T19:05:01.412Z"
                     *         }
                     *       ],
                     *       "logins": [
                     *         {
                     *           "startedAt": "2026-11-22T18:40:12.105Z",
                     *           "endsAt": "2026-11-29T18:40:12.105Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerStanding"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listPluginReleases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servedPluginVersion": "1.0.0",
                     *       "releases": [
                     *         {
                     *           "gameVersion": "1.40.0",
                     *           "pluginVersion": "1.0.0",
                     *           "fileName": "plugin-1.0.0-1.40.0.zip",
                     *           "sha256": "8cdf2a78899ed28d5077be8d9ffbfa7a43800b034fd68be80722516f2a5fb121",
                     *           "size": 1294,
                     *           "uploadedAt": "2026-11-22T18:59:03.875Z",
                     *           "downloadUrl": "https://matches.example.org/plugin-releases/1.40.0/download"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PluginReleaseList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    downloadPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A version of the game, as it names itself
                 * @example 1.40.0
                 */
                gameVersion: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the part of it that `Range` asks for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Uint8Array | Blob;
                };
            };
            /** @description The file, or the part of it that `Range` asks for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Uint8Array | Blob;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    downloadPluginSignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A version of the game, as it names itself
                 * @example 1.40.0
                 */
                gameVersion: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Four lines, as minisign writes them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    downloadPluginChecksum: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A version of the game, as it names itself
                 * @example 1.40.0
                 */
                gameVersion: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SHA-256 in hexadecimal, two spaces, the name of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 8cdf2a78899ed28d5077be8d9ffbfa7a43800b034fd68be80722516f2a5fb121  plugin-1.0.0-1.40.0.zip */
                    "text/plain": string;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listFormerPluginReleases: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A version of the game, as it names itself
                 * @example 1.40.0
                 */
                gameVersion: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "gameVersion": "1.40.0",
                     *           "pluginVersion": "1.0.0",
                     *           "fileName": "plugin-1.0.0-1.40.0.zip",
                     *           "sha256": "8cdf2a78899ed28d5077be8d9ffbfa7a43800b034fd68be80722516f2a5fb121",
                     *           "size": 1294,
                     *           "signed": false,
                     *           "uploadedAt": "2026-11-22T18:59:03.875Z",
                     *           "servedFrom": "2026-11-22T18:59:03.883Z",
                     *           "servedUntil": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FormerPluginReleaseList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listPools: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid?: string;
                /**
                 * @description Only those with this status
                 * @example draft
                 */
                status?: components["schemas"]["PoolStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "name": "Local pool",
                     *           "status": "published",
                     *           "revision": 2,
                     *           "mapCount": 24,
                     *           "submittedBy": "01a204a0-4519-7020-ac8b-44f389691d54",
                     *           "publishedAt": "2026-11-22T18:59:03.410Z",
                     *           "playlistUrl": "https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist",
                     *           "oneClickUrl": "bsplaylist://playlist/https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PoolList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    createPool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                 *       "name": "Spring pol"
                 *     }
                 */
                "application/json": components["schemas"]["NewPool"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring pol",
                     *       "status": "draft",
                     *       "revision": 1,
                     *       "mapCount": 0,
                     *       "submittedBy": null,
                     *       "publishedAt": null,
                     *       "playlistUrl": null,
                     *       "oneClickUrl": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "name": "Local pool",
                     *       "status": "published",
                     *       "revision": 2,
                     *       "mapCount": 24,
                     *       "submittedBy": "01a204a0-4519-7020-ac8b-44f389691d54",
                     *       "publishedAt": "2026-11-22T18:59:03.410Z",
                     *       "playlistUrl": "https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist",
                     *       "oneClickUrl": "bsplaylist://playlist/https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist",
                     *       "copiedFromGuid": null,
                     *       "changedBy": []
                     *     }
                     */
                    "application/json": components["schemas"]["PoolAlone"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    deletePool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    renamePool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring pool"
                 *     }
                 */
                "application/json": components["schemas"]["PoolChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring pool",
                     *       "status": "draft",
                     *       "revision": 2,
                     *       "mapCount": 0,
                     *       "submittedBy": null,
                     *       "publishedAt": null,
                     *       "playlistUrl": null,
                     *       "oneClickUrl": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPlaylistOfPoolCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playlistTitle": "Local season – Local pool – Accuracy",
                     *       "playlistAuthor": "Competitive Match Service",
                     *       "playlistDescription": "The maps of the category Accuracy in the pool Local pool of Local season.",
                     *       "image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAQAAAAEACAYAAABccqhmAAAXsUlEQVR4nO3dW4wU153H8bPAzM6F6wyXgSYYMhAFHCCSkTFEvuyDCXlb5hE8fvJ6jWQUnDCWZawsRMKyPGSNhbXYrJ",
                     *       "customData": {
                     *         "syncURL": "https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/categories/01a204a0-431c-7447-909f-f581c0c6d813/playlist.bplist",
                     *         "AllowDuplicates": true,
                     *         "ReadOnly": true
                     *       },
                     *       "songs": [
                     *         {
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "key": "350a4",
                     *           "songName": "忘れるね",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "hash": "6B7E96E59FCD2999D47A89FF2474EC6C33596FA0",
                     *           "key": "33727",
                     *           "songName": "ウルトラロケット",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_6B7E96E59FCD2999D47A89FF2474EC6C33596FA0",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    copyPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring pool, corrected"
                 *     }
                 */
                "application/json": components["schemas"]["PoolCopy"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-6484-732b-9240-2ed1d7444b76",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring pool, corrected",
                     *       "status": "draft",
                     *       "revision": 1,
                     *       "mapCount": 11,
                     *       "submittedBy": null,
                     *       "publishedAt": null,
                     *       "playlistUrl": null,
                     *       "oneClickUrl": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getCoverOfPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": Uint8Array | Blob;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    exportPoolAsPlaylist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playlistTitle": "Local season – Local pool (published, revision 2)",
                     *       "playlistAuthor": "Competitive Match Service",
                     *       "playlistDescription": "The pool Local pool as it is being curated.",
                     *       "image": "",
                     *       "songs": [
                     *         {
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "key": "350a4",
                     *           "songName": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *           "levelid": "custom_level_60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ],
                     *           "customData": {
                     *             "category": "Accuracy",
                     *             "modifiers": []
                     *           }
                     *         },
                     *         {
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "key": "3320f",
                     *           "songName": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *           "levelid": "custom_level_DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "Expert"
                     *             }
                     *           ],
                     *           "customData": {
                     *             "category": "Speed",
                     *             "modifiers": []
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Record<string, never>;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    exportPoolAsCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The columns of an import, and some for people */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example key,hash,name,characteristic,difficulty,category,modifiers,durationSeconds,maxScore
                     *     350a4,60542BD5BF9B17459631EDB1643352DD7ED5C6EC,忘れるね ver.日南めい - 雲下ミルクティー,Standard,ExpertPlus,Accuracy,,180,721395
                     *     3320f,DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696,Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle),Standard,Expert,Speed,,169,534635
                     */
                    "text/csv": string;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    importPoolFromPlaylist: {
        parameters: {
            query?: {
                /**
                 * @description Category of rows that name none
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid?: string;
                /**
                 * @description `true`: say what would be added, and add nothing
                 * @example true
                 */
                dryRun?: components["schemas"]["Flag"];
            };
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "songs": [
                 *         {
                 *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                 *           "difficulties": [
                 *             {
                 *               "characteristic": "Standard",
                 *               "name": "ExpertPlus"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ImportedPlaylist"];
                /**
                 * @example {
                 *       "songs": [
                 *         {
                 *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                 *           "difficulties": [
                 *             {
                 *               "characteristic": "Standard",
                 *               "name": "ExpertPlus"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/octet-stream": components["schemas"]["ImportedPlaylist"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dryRun": true,
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-645f-7009-8433-618b804dca5e",
                     *           "key": "2c7af",
                     *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                     *           "name": "テレフォン・シンキング feat. 可不 - Saburou",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 94,
                     *           "maxScore": 367195,
                     *           "coverUrl": "https://maps.example.org/cdn/af2548006504b47277b2557c786e29529f056663.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:10.053Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedPoolMaps"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dryRun": false,
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-645f-7009-8433-618b804dca5e",
                     *           "key": "2c7af",
                     *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                     *           "name": "テレフォン・シンキング feat. 可不 - Saburou",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 94,
                     *           "maxScore": 367195,
                     *           "coverUrl": "https://maps.example.org/cdn/af2548006504b47277b2557c786e29529f056663.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:10.053Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedPoolMaps"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    importPoolFromCsv: {
        parameters: {
            query?: {
                /**
                 * @description Category of rows that name none
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                categoryGuid?: string;
                /**
                 * @description `true`: say what would be added, and add nothing
                 * @example true
                 */
                dryRun?: components["schemas"]["Flag"];
            };
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        /** @description Columns `key` or `hash`, `characteristic`, `difficulty`, `category`, `modifiers` */
        requestBody: {
            content: {
                /**
                 * @example key,characteristic,difficulty
                 *     2c7af,Standard,ExpertPlus
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dryRun": true,
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-6393-7230-8931-a0347e0d2158",
                     *           "key": "2c7af",
                     *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                     *           "name": "テレフォン・シンキング feat. 可不 - Saburou",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 94,
                     *           "maxScore": 367195,
                     *           "coverUrl": "https://maps.example.org/cdn/af2548006504b47277b2557c786e29529f056663.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:09.865Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedPoolMaps"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dryRun": false,
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-6393-7230-8931-a0347e0d2158",
                     *           "key": "2c7af",
                     *           "hash": "AF2548006504B47277B2557C786E29529F056663",
                     *           "name": "テレフォン・シンキング feat. 可不 - Saburou",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 94,
                     *           "maxScore": 367195,
                     *           "coverUrl": "https://maps.example.org/cdn/af2548006504b47277b2557c786e29529f056663.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:09.865Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedPoolMaps"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPoolWithMaps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "name": "Local pool",
                     *       "status": "published",
                     *       "revision": 2,
                     *       "season": {
                     *         "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *         "name": "Local season"
                     *       },
                     *       "categories": [
                     *         {
                     *           "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *           "name": "Accuracy",
                     *           "color": "#3FA7D6",
                     *           "position": 0
                     *         },
                     *         {
                     *           "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *           "name": "Speed",
                     *           "color": "#EE6352",
                     *           "position": 1
                     *         }
                     *       ],
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-45d0-74ee-adf9-1eb61c438aa1",
                     *           "key": "350a4",
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-431c-7447-909f-f581c0c6d813",
                     *           "modifiers": [],
                     *           "durationSeconds": 180,
                     *           "maxScore": 721395,
                     *           "coverUrl": "https://maps.example.org/cdn/60542bd5bf9b17459631edb1643352dd7ed5c6ec.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:02.249Z"
                     *         },
                     *         {
                     *           "mapGuid": "01a204a0-45d0-74ef-b6eb-3039ce5024ac",
                     *           "key": "3320f",
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "name": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *           "characteristic": "Standard",
                     *           "difficulty": "Expert",
                     *           "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *           "modifiers": [],
                     *           "durationSeconds": 169,
                     *           "maxScore": 534635,
                     *           "coverUrl": "https://maps.example.org/cdn/dc5ea212e6baae4b17f4161da18c8edc3de00696.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:02.249Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PoolWithMaps"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    addMapToPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "350a4",
                 *       "characteristic": "Standard",
                 *       "difficulty": "ExpertPlus",
                 *       "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                 *       "modifiers": []
                 *     }
                 */
                "application/json": components["schemas"]["NewPoolMap"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mapGuid": "01a204a0-62ec-7635-820e-114d1c50e495",
                     *       "key": "350a4",
                     *       "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *       "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *       "characteristic": "Standard",
                     *       "difficulty": "ExpertPlus",
                     *       "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *       "modifiers": [],
                     *       "durationSeconds": 180,
                     *       "maxScore": 721395,
                     *       "coverUrl": "https://maps.example.org/cdn/60542bd5bf9b17459631edb1643352dd7ed5c6ec.jpg",
                     *       "stale": false,
                     *       "addedAt": "2026-11-22T18:59:09.679Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PoolMap"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    removeMapFromPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                mapGuid: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Refusal"];
        };
    };
    updateMapOfPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                mapGuid: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "modifiers": [
                 *         "FS"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PoolMapChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mapGuid": "01a204a0-62ec-7635-820e-114d1c50e495",
                     *       "key": "350a4",
                     *       "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *       "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *       "characteristic": "Standard",
                     *       "difficulty": "ExpertPlus",
                     *       "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *       "modifiers": [
                     *         "FS"
                     *       ],
                     *       "durationSeconds": 180,
                     *       "maxScore": 721395,
                     *       "coverUrl": "https://maps.example.org/cdn/60542bd5bf9b17459631edb1643352dd7ed5c6ec.jpg",
                     *       "stale": false,
                     *       "addedAt": "2026-11-22T18:59:09.679Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PoolMap"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    addMapsToPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "maps": [
                 *         {
                 *           "key": "3320f",
                 *           "characteristic": "Standard",
                 *           "difficulty": "Expert",
                 *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                 *           "modifiers": []
                 *         },
                 *         {
                 *           "key": "36058",
                 *           "characteristic": "Standard",
                 *           "difficulty": "ExpertPlus",
                 *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                 *           "modifiers": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewPoolMaps"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204a0-6302-7304-b58a-f8fc6131f4a3",
                     *           "key": "3320f",
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "name": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *           "characteristic": "Standard",
                     *           "difficulty": "Expert",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 169,
                     *           "maxScore": 534635,
                     *           "coverUrl": "https://maps.example.org/cdn/dc5ea212e6baae4b17f4161da18c8edc3de00696.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:09.712Z"
                     *         },
                     *         {
                     *           "mapGuid": "01a204a0-6302-7305-bda2-01755e2fac2d",
                     *           "key": "36058",
                     *           "hash": "B783ECB737CD897003685088D0D1E1AEB5758342",
                     *           "name": "リーラ feat.可不 - sawayaka",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "categoryGuid": "01a204a0-6245-75b0-bc5e-cb47cdb71863",
                     *           "modifiers": [],
                     *           "durationSeconds": 191,
                     *           "maxScore": 841915,
                     *           "coverUrl": "https://maps.example.org/cdn/b783ecb737cd897003685088d0d1e1aeb5758342.jpg",
                     *           "stale": false,
                     *           "addedAt": "2026-11-22T18:59:09.712Z"
                     *         }
                     *       ],
                     *       "changed": [],
                     *       "removed": []
                     *     }
                     */
                    "application/json": components["schemas"]["AddedPoolMaps"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getPlaylistOfPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playlistTitle": "Local season – Local pool",
                     *       "playlistAuthor": "Competitive Match Service",
                     *       "playlistDescription": "The maps of the pool Local pool of Local season.",
                     *       "image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAQAAAAEACAYAAABccqhmAAAez0lEQVR4nO3dCXRU9dnH8YdsZicJEEIWCYlQBHFjFRR9RdG3IlZesFal9iho8bhAKy5QK9SCC7bicrQKetqXulR4sa",
                     *       "customData": {
                     *         "syncURL": "https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist",
                     *         "AllowDuplicates": true,
                     *         "ReadOnly": true
                     *       },
                     *       "songs": [
                     *         {
                     *           "hash": "60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "key": "350a4",
                     *           "songName": "忘れるね",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_60542BD5BF9B17459631EDB1643352DD7ED5C6EC",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "ExpertPlus"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "hash": "DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "key": "3320f",
                     *           "songName": "Good night",
                     *           "levelAuthorName": "mapper",
                     *           "levelid": "custom_level_DC5EA212E6BAAE4B17F4161DA18C8EDC3DE00696",
                     *           "difficulties": [
                     *             {
                     *               "characteristic": "Standard",
                     *               "name": "Expert"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    publishPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring pool",
                     *       "status": "published",
                     *       "revision": 5,
                     *       "mapCount": 11,
                     *       "submittedBy": "01a204a0-4519-7020-ac8b-44f389691d54",
                     *       "publishedAt": "2026-11-22T18:59:10.123Z",
                     *       "playlistUrl": "https://matches.example.org/pools/01a204a0-6268-724a-9228-619f36285622/playlist.bplist",
                     *       "oneClickUrl": "bsplaylist://playlist/https://matches.example.org/pools/01a204a0-6268-724a-9228-619f36285622/playlist.bplist"
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    retirePool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "name": "Local pool",
                     *       "status": "retired",
                     *       "revision": 2,
                     *       "mapCount": 24,
                     *       "submittedBy": "01a204a0-4519-7020-ac8b-44f389691d54",
                     *       "publishedAt": "2026-11-22T18:59:03.410Z",
                     *       "playlistUrl": "https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist",
                     *       "oneClickUrl": "bsplaylist://playlist/https://matches.example.org/pools/01a204a0-44d0-76c6-828c-ed8498067a30/playlist.bplist"
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listReviewsOfPool: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "reviewGuid": "01a204a0-4a5b-74dc-876c-99b66039cb5f",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "revision": 2,
                     *           "reviewerGuid": "01a204a0-4a08-7176-b9ef-2edc53d16a8b",
                     *           "verdict": "approve",
                     *           "comment": "Good to play.",
                     *           "rows": [],
                     *           "createdAt": "2026-11-22T18:59:03.388Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PoolReviewList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    reviewPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "verdict": "approve",
                 *       "comment": "Good to play."
                 *     }
                 */
                "application/json": components["schemas"]["NewPoolReview"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviewGuid": "01a204a0-64a0-729a-8319-3bba6e3e58f4",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "revision": 5,
                     *       "reviewerGuid": "01a204a0-4a08-7176-b9ef-2edc53d16a8b",
                     *       "verdict": "approve",
                     *       "comment": "Good to play.",
                     *       "rows": [],
                     *       "createdAt": "2026-11-22T18:59:10.113Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PoolReview"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getStatisticsOfPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204c4-0e69-7539-a71d-899b7aefdc3d",
                     *       "maps": [
                     *         {
                     *           "mapGuid": "01a204c4-0f38-77b3-a241-6c2ee661a52b",
                     *           "key": "350a4",
                     *           "name": "忘れるね ver.日南めい - 雲下ミルクティー",
                     *           "characteristic": "Standard",
                     *           "difficulty": "ExpertPlus",
                     *           "dealt": 0,
                     *           "kept": 0,
                     *           "discarded": 0,
                     *           "picked": 0,
                     *           "played": 0,
                     *           "medianGap": null,
                     *           "wonByPicker": 0,
                     *           "expectedWonByPicker": 0,
                     *           "averageAccuracy": null
                     *         },
                     *         {
                     *           "mapGuid": "01a204c4-0f39-73b4-a229-503dc0d1a786",
                     *           "key": "3320f",
                     *           "name": "Good night feat. 鏡音リン(Rin) - めろくる(Mellowcle)",
                     *           "characteristic": "Standard",
                     *           "difficulty": "Expert",
                     *           "dealt": 1,
                     *           "kept": 1,
                     *           "discarded": 0,
                     *           "picked": 1,
                     *           "played": 1,
                     *           "medianGap": 0.03372394250282906,
                     *           "wonByPicker": 0,
                     *           "expectedWonByPicker": 0.5,
                     *           "averageAccuracy": 0.9163391846773967
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PoolStatistics"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    submitPool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring pool",
                     *       "status": "in_review",
                     *       "revision": 5,
                     *       "mapCount": 11,
                     *       "submittedBy": "01a204a0-4519-7020-ac8b-44f389691d54",
                     *       "publishedAt": null,
                     *       "playlistUrl": null,
                     *       "oneClickUrl": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pool"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listQueues: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                poolGuid?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid?: string;
                /**
                 * @description Only those with this status
                 * @example closed
                 */
                status?: components["schemas"]["QueueStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *           "name": "Local queue",
                     *           "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "status": "open",
                     *           "rules": {
                     *             "maxDiscards": 2,
                     *             "pairing": {
                     *               "initialGap": 10000,
                     *               "gapPerSecond": 10,
                     *               "maxGap": null
                     *             },
                     *             "replaysRequired": false
                     *           },
                     *           "waiting": 0,
                     *           "playing": 0
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["QueueList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    createQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring queue",
                 *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622"
                 *     }
                 */
                "application/json": components["schemas"]["NewQueue"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-64b2-72bd-a9c0-268d1f2ae3d5",
                     *       "name": "Spring queue",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "status": "closed",
                     *       "rules": {
                     *         "maxDiscards": 2,
                     *         "pairing": {
                     *           "initialGap": 150,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-4a8b-76f9-a682-fa90fe78dbab",
                     *       "name": "Local queue",
                     *       "poolGuid": "01a204a0-44d0-76c6-828c-ed8498067a30",
                     *       "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *       "status": "open",
                     *       "rules": {
                     *         "maxDiscards": 2,
                     *         "pairing": {
                     *           "initialGap": 10000,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    updateQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rules": {
                 *         "maxDiscards": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QueueChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-64b2-72bd-a9c0-268d1f2ae3d5",
                     *       "name": "Spring queue",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "status": "closed",
                     *       "rules": {
                     *         "maxDiscards": 1,
                     *         "pairing": {
                     *           "initialGap": 150,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    closeQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-64b2-72bd-a9c0-268d1f2ae3d5",
                     *       "name": "Spring queue",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "status": "closed",
                     *       "rules": {
                     *         "maxDiscards": 1,
                     *         "pairing": {
                     *           "initialGap": 150,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    drainQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-64b2-72bd-a9c0-268d1f2ae3d5",
                     *       "name": "Spring queue",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "status": "closed",
                     *       "rules": {
                     *         "maxDiscards": 1,
                     *         "pairing": {
                     *           "initialGap": 150,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    openQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                queueGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queueGuid": "01a204a0-64b2-72bd-a9c0-268d1f2ae3d5",
                     *       "name": "Spring queue",
                     *       "poolGuid": "01a204a0-6268-724a-9228-619f36285622",
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "status": "open",
                     *       "rules": {
                     *         "maxDiscards": 1,
                     *         "pairing": {
                     *           "initialGap": 150,
                     *           "gapPerSecond": 10,
                     *           "maxGap": null
                     *         },
                     *         "replaysRequired": false
                     *       },
                     *       "waiting": 0,
                     *       "playing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Queue"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listReplayReviews: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                matchGuid?: string;
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid?: string;
                /**
                 * @description Only those with this reason
                 * @example mismatch
                 */
                reason?: components["schemas"]["ReviewReason"];
                /**
                 * @description Only those with this status
                 * @example open
                 */
                status?: components["schemas"]["ReviewStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "reviewGuid": "01a204a0-5148-73a1-9605-6b51cbe0f2c5",
                     *           "status": "open",
                     *           "reason": "mismatch",
                     *           "createdAt": "2026-11-22T18:59:05.160Z",
                     *           "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *           "roundNumber": 1,
                     *           "player": {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "platformId": "9000000000000102",
                     *             "username": "Borealis"
                     *           },
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *             "key": "35381",
                     *             "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "name": "Boom Boom Boom - Dannie May",
                     *             "characteristic": "Standard",
                     *             "difficulty": "Expert",
                     *             "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *             "modifiers": [],
                     *             "durationSeconds": 146,
                     *             "maxScore": 472075,
                     *             "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "score": {
                     *             "rawScore": 444199,
                     *             "modifiedScore": 444199,
                     *             "missCount": 1,
                     *             "badCutCount": 0,
                     *             "fullCombo": false,
                     *             "noFailTriggered": false,
                     *             "failed": false
                     *           },
                     *           "replay": {
                     *             "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *             "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *             "roundNumber": 1,
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "verdict": "mismatch",
                     *             "checks": [
                     *               {
                     *                 "name": "mapHash",
                     *                 "ok": true,
                     *                 "decisive": true,
                     *                 "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *                 "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *               },
                     *               {
                     *                 "name": "characteristic",
                     *                 "ok": true,
                     *                 "decisive": true,
                     *                 "expected": "Standard",
                     *                 "actual": "Standard"
                     *               }
                     *             ],
                     *             "uploadedAt": "2026-11-22T18:59:05.160Z",
                     *             "size": 449005,
                     *             "sha256": "135defc7236a114191e364520b9b3a169c050f86a5730928b4cce4293bd79e7e",
                     *             "downloadUrl": "https://matches.example.org/replays/01a204a0-50ed-74c0-ae57-db3ba1c24308/download",
                     *             "copyOf": null
                     *           },
                     *           "decision": null,
                     *           "comment": null,
                     *           "resolvedByGuid": null,
                     *           "resolvedAt": null
                     *         },
                     *         {
                     *           "reviewGuid": "01a204a0-52ac-7146-93c1-81e62ac9a875",
                     *           "status": "open",
                     *           "reason": "mismatch",
                     *           "createdAt": "2026-11-22T18:59:05.517Z",
                     *           "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *           "roundNumber": 2,
                     *           "player": {
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "platformId": "9000000000000102",
                     *             "username": "Borealis"
                     *           },
                     *           "map": {
                     *             "mapGuid": "01a204a0-45d0-74f9-91e0-d16fdd863fc3",
                     *             "key": "35b0e",
                     *             "hash": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *             "name": "ロータスイーター covered by muu - Aoris(青栗鼠)",
                     *             "characteristic": "Standard",
                     *             "difficulty": "ExpertPlus",
                     *             "categoryGuid": "01a204a0-442a-722c-b29b-18653fa0c2d7",
                     *             "modifiers": [],
                     *             "durationSeconds": 165,
                     *             "maxScore": 742555,
                     *             "coverUrl": "https://maps.example.org/cdn/83e5caab1d840a1e57bf186ff25a6c87987a979b.jpg",
                     *             "stale": false,
                     *             "addedAt": "2026-11-22T18:59:02.249Z"
                     *           },
                     *           "score": {
                     *             "rawScore": 691320,
                     *             "modifiedScore": 691320,
                     *             "missCount": 1,
                     *             "badCutCount": 0,
                     *             "fullCombo": false,
                     *             "noFailTriggered": false,
                     *             "failed": false
                     *           },
                     *           "replay": {
                     *             "replayGuid": "01a204a0-527d-737d-be5f-69eb682a2a7c",
                     *             "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *             "roundNumber": 2,
                     *             "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *             "verdict": "mismatch",
                     *             "checks": [
                     *               {
                     *                 "name": "mapHash",
                     *                 "ok": true,
                     *                 "decisive": true,
                     *                 "expected": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B",
                     *                 "actual": "83E5CAAB1D840A1E57BF186FF25A6C87987A979B"
                     *               },
                     *               {
                     *                 "name": "characteristic",
                     *                 "ok": true,
                     *                 "decisive": true,
                     *                 "expected": "Standard",
                     *                 "actual": "Standard"
                     *               }
                     *             ],
                     *             "uploadedAt": "2026-11-22T18:59:05.517Z",
                     *             "size": 527352,
                     *             "sha256": "e5f4e28b41970e4f606b1026cb5dea459b6978152d13dfe9bdde3e17ca400e94",
                     *             "downloadUrl": "https://matches.example.org/replays/01a204a0-527d-737d-be5f-69eb682a2a7c/download",
                     *             "copyOf": null
                     *           },
                     *           "decision": null,
                     *           "comment": null,
                     *           "resolvedByGuid": null,
                     *           "resolvedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayReviewList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getReplayReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                reviewGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviewGuid": "01a204a0-5148-73a1-9605-6b51cbe0f2c5",
                     *       "status": "open",
                     *       "reason": "mismatch",
                     *       "createdAt": "2026-11-22T18:59:05.160Z",
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "roundNumber": 1,
                     *       "player": {
                     *         "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *         "platformId": "9000000000000102",
                     *         "username": "Borealis"
                     *       },
                     *       "map": {
                     *         "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *         "key": "35381",
                     *         "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *         "name": "Boom Boom Boom - Dannie May",
                     *         "characteristic": "Standard",
                     *         "difficulty": "Expert",
                     *         "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *         "modifiers": [],
                     *         "durationSeconds": 146,
                     *         "maxScore": 472075,
                     *         "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *         "stale": false,
                     *         "addedAt": "2026-11-22T18:59:02.249Z"
                     *       },
                     *       "score": {
                     *         "rawScore": 444199,
                     *         "modifiedScore": 444199,
                     *         "missCount": 1,
                     *         "badCutCount": 0,
                     *         "fullCombo": false,
                     *         "noFailTriggered": false,
                     *         "failed": false
                     *       },
                     *       "replay": {
                     *         "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *         "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *         "roundNumber": 1,
                     *         "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *         "verdict": "mismatch",
                     *         "checks": [
                     *           {
                     *             "name": "mapHash",
                     *             "ok": true,
                     *             "decisive": true,
                     *             "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *           },
                     *           {
                     *             "name": "characteristic",
                     *             "ok": true,
                     *             "decisive": true,
                     *             "expected": "Standard",
                     *             "actual": "Standard"
                     *           }
                     *         ],
                     *         "uploadedAt": "2026-11-22T18:59:05.160Z",
                     *         "size": 449005,
                     *         "sha256": "135defc7236a114191e364520b9b3a169c050f86a5730928b4cce4293bd79e7e",
                     *         "downloadUrl": "https://matches.example.org/replays/01a204a0-50ed-74c0-ae57-db3ba1c24308/download",
                     *         "copyOf": null
                     *       },
                     *       "decision": null,
                     *       "comment": null,
                     *       "resolvedByGuid": null,
                     *       "resolvedAt": null,
                     *       "opponent": {
                     *         "player": {
                     *           "playerGuid": "01a2055b-2333-73b6-be91-bb4439d823cd",
                     *           "platformId": "9000000000000101",
                     *           "username": "Astra"
                     *         },
                     *         "score": {
                     *           "rawScore": 467253,
                     *           "modifiedScore": 467253,
                     *           "missCount": 0,
                     *           "badCutCount": 0,
                     *           "fullCombo": true,
                     *           "noFailTriggered": false,
                     *           "failed": false
                     *         },
                     *         "replay": {
                     *           "replayGuid": "01a2055b-256c-7128-b033-367d9fb279b4",
                     *           "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *           "roundNumber": 1,
                     *           "playerGuid": "01a2055b-2333-73b6-be91-bb4439d823cd",
                     *           "verdict": "verified",
                     *           "checks": [
                     *             {
                     *               "name": "mapHash",
                     *               "ok": true,
                     *               "decisive": true,
                     *               "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *               "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *             },
                     *             {
                     *               "name": "characteristic",
                     *               "ok": true,
                     *               "decisive": true,
                     *               "expected": "Standard",
                     *               "actual": "Standard"
                     *             }
                     *           ],
                     *           "uploadedAt": "2026-11-22T22:23:09.202Z",
                     *           "size": 449074,
                     *           "sha256": "0c97618adbab7ad829bcdd27d593a77aa9e7967afde6a8069dba34f6c399f4fc",
                     *           "downloadUrl": "https://matches.example.org/replays/01a2055b-256c-7128-b033-367d9fb279b4/download",
                     *           "copyOf": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayReviewInRound"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    resolveReplayReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                reviewGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "upheld",
                 *       "comment": "It claims more than it shows."
                 *     }
                 */
                "application/json": components["schemas"]["ReplayReviewDecision"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviewGuid": "01a204a0-5148-73a1-9605-6b51cbe0f2c5",
                     *       "status": "resolved",
                     *       "reason": "mismatch",
                     *       "createdAt": "2026-11-22T18:59:05.160Z",
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "roundNumber": 1,
                     *       "player": {
                     *         "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *         "platformId": "9000000000000102",
                     *         "username": "Borealis"
                     *       },
                     *       "map": {
                     *         "mapGuid": "01a204a0-45d0-74f7-9636-52b15fe377d7",
                     *         "key": "35381",
                     *         "hash": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *         "name": "Boom Boom Boom - Dannie May",
                     *         "characteristic": "Standard",
                     *         "difficulty": "Expert",
                     *         "categoryGuid": "01a204a0-4351-75c1-84f2-ca03d73ae067",
                     *         "modifiers": [],
                     *         "durationSeconds": 146,
                     *         "maxScore": 472075,
                     *         "coverUrl": "https://maps.example.org/cdn/44101fc77b8595417c3b05199ee9e4b241f78583.jpg",
                     *         "stale": false,
                     *         "addedAt": "2026-11-22T18:59:02.249Z"
                     *       },
                     *       "score": {
                     *         "rawScore": 444199,
                     *         "modifiedScore": 444199,
                     *         "missCount": 1,
                     *         "badCutCount": 0,
                     *         "fullCombo": false,
                     *         "noFailTriggered": false,
                     *         "failed": false
                     *       },
                     *       "replay": {
                     *         "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *         "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *         "roundNumber": 1,
                     *         "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *         "verdict": "mismatch",
                     *         "checks": [
                     *           {
                     *             "name": "mapHash",
                     *             "ok": true,
                     *             "decisive": true,
                     *             "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *             "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *           },
                     *           {
                     *             "name": "characteristic",
                     *             "ok": true,
                     *             "decisive": true,
                     *             "expected": "Standard",
                     *             "actual": "Standard"
                     *           }
                     *         ],
                     *         "uploadedAt": "2026-11-22T18:59:05.160Z",
                     *         "size": 449005,
                     *         "sha256": "135defc7236a114191e364520b9b3a169c050f86a5730928b4cce4293bd79e7e",
                     *         "downloadUrl": "https://matches.example.org/replays/01a204a0-50ed-74c0-ae57-db3ba1c24308/download",
                     *         "copyOf": null
                     *       },
                     *       "decision": "upheld",
                     *       "comment": "It claims more than it shows.",
                     *       "resolvedByGuid": "01a204a0-408b-77c5-91e6-abf7d318e101",
                     *       "resolvedAt": "2026-11-22T18:59:10.354Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayReview"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                replayGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayGuid": "01a204a0-50ed-74c0-ae57-db3ba1c24308",
                     *       "matchGuid": "01a204a0-4e4b-7493-afb4-9752e91d9fae",
                     *       "roundNumber": 1,
                     *       "playerGuid": "01a204a0-4d3d-719d-96e6-fc46fe085c81",
                     *       "verdict": "mismatch",
                     *       "checks": [
                     *         {
                     *           "name": "mapHash",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "44101FC77B8595417C3B05199EE9E4B241F78583",
                     *           "actual": "44101FC77B8595417C3B05199EE9E4B241F78583"
                     *         },
                     *         {
                     *           "name": "characteristic",
                     *           "ok": true,
                     *           "decisive": true,
                     *           "expected": "Standard",
                     *           "actual": "Standard"
                     *         }
                     *       ],
                     *       "uploadedAt": "2026-11-22T18:59:05.160Z",
                     *       "size": 449005,
                     *       "sha256": "135defc7236a114191e364520b9b3a169c050f86a5730928b4cce4293bd79e7e",
                     *       "downloadUrl": "https://matches.example.org/replays/01a204a0-50ed-74c0-ae57-db3ba1c24308/download"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    downloadReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                replayGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, or the part of it that `Range` asks for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Uint8Array | Blob;
                };
            };
            /** @description The file, or the part of it that `Range` asks for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Uint8Array | Blob;
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listReports: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The reported player
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                playerGuid?: string;
                /**
                 * @description Only those with this status
                 * @example open
                 */
                status?: components["schemas"]["ReportStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "reportGuid": "01a204b5-bd92-7460-996a-e34441b3b137",
                     *           "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                     *           "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                     *           "reason": "stalling",
                     *           "comment": "Waits for the last second each time.",
                     *           "status": "open",
                     *           "at": "2026-11-22T19:22:29.139Z",
                     *           "reporterGuid": "01a204b5-a5bf-713b-866e-e7e3f3cc071f"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReportList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    reportPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                 *       "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                 *       "reason": "stalling",
                 *       "comment": "Waits for the last second each time."
                 *     }
                 */
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            /** @description Filed before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reportGuid": "01a204b5-bd92-7460-996a-e34441b3b137",
                     *       "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                     *       "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                     *       "reason": "stalling",
                     *       "comment": "Waits for the last second each time.",
                     *       "status": "open",
                     *       "at": "2026-11-22T19:22:29.139Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reportGuid": "01a204b5-bd92-7460-996a-e34441b3b137",
                     *       "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                     *       "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                     *       "reason": "stalling",
                     *       "comment": "Waits for the last second each time.",
                     *       "status": "open",
                     *       "at": "2026-11-22T19:22:29.139Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    decideReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                reportGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "dismissed",
                 *       "comment": "Within the limits of the phases."
                 *     }
                 */
                "application/json": components["schemas"]["ReportDecision"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reportGuid": "01a204b5-bd92-7460-996a-e34441b3b137",
                     *       "matchGuid": "01a204b5-a649-7032-bbd9-d2ddd2ce531c",
                     *       "playerGuid": "01a204b5-a5d1-701e-a1f6-56356d6941c0",
                     *       "reason": "stalling",
                     *       "comment": "Waits for the last second each time.",
                     *       "status": "dismissed",
                     *       "at": "2026-11-22T19:22:29.139Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    listSeasons: {
        parameters: {
            query?: {
                /**
                 * @description `nextCursor` of the page before; left out: the first page
                 * @example WyIwMWEyMDRhMC02MzkzIl0
                 */
                cursor?: string;
                /**
                 * @description The most items of the page
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *           "name": "Spring",
                     *           "startsAt": "2027-03-02T18:59:09.472Z",
                     *           "endsAt": "2027-05-31T18:59:09.472Z"
                     *         },
                     *         {
                     *           "seasonGuid": "01a204a0-427d-75c8-be4b-8470d5a1ca35",
                     *           "name": "Local season",
                     *           "startsAt": "2026-11-21T18:59:01.013Z",
                     *           "endsAt": "2027-02-20T18:59:01.013Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SeasonList"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    createSeason: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring 2027",
                 *       "startsAt": "2027-03-02T18:59:09.472Z",
                 *       "endsAt": "2027-05-31T18:59:09.472Z"
                 *     }
                 */
                "application/json": components["schemas"]["NewSeason"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring 2027",
                     *       "startsAt": "2027-03-02T18:59:09.472Z",
                     *       "endsAt": "2027-05-31T18:59:09.472Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Season"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getSeason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring",
                     *       "startsAt": "2027-03-02T18:59:09.472Z",
                     *       "endsAt": "2027-05-31T18:59:09.472Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Season"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    updateSeason: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the thing that is changed; another one: 412
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description UUID
                 * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
                 */
                seasonGuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring"
                 *     }
                 */
                "application/json": components["schemas"]["SeasonChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seasonGuid": "01a204a0-622d-75a2-8aed-56b1c530ed34",
                     *       "name": "Spring",
                     *       "startsAt": "2027-03-02T18:59:09.472Z",
                     *       "endsAt": "2027-05-31T18:59:09.472Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Season"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getServerStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "online": true,
                     *       "status": "online",
                     *       "allowedGameVersions": [
                     *         "1.40.0"
                     *       ],
                     *       "acceptedPluginVersions": [
                     *         "1.0.0"
                     *       ],
                     *       "servedPluginVersion": "1.0.0",
                     *       "time": "2026-11-22T18:59:10.971Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServerStatus"];
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
    getAsyncApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: components["responses"]["Refusal"];
        };
    };
}
